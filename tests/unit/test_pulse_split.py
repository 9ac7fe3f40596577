"""A pulse of bodies that go on pushing each other is cut where the pushing began: what was there then counts for both.

A pulse is tended by hand: 100 kN, then 15 kN from CALMED on, then 2 kN. A body of 1500 kg is pushed, rather than hit,
below 16.7 kN (0.8 km/h in 20 ms); the cut comes when that has lasted for 25 ms.
"""

from __future__ import annotations

import numpy as np
import pytest
from unit.test_crush_pulse import box_at_wall

import centrode as ct
from centrode.dynamics.contact.pulses import SAME_PULSE, look, start_pulse, tend_pulse
from centrode.dynamics.contact.strip_tables import COLUMN
from centrode.dynamics.contact.tables import AFTER, HIDDEN

STEP, CALMED = 1e-3, 5e-3
HIT, PUSH, WEAK = 100e3, 15e3, 2e3


@pytest.fixture
def tended():
    """The pulse that was cut, and the one that goes on."""
    system, _ = box_at_wall((-5.0, 5.0), cell=0.3)
    session = ct.Session(system, duration=1.0, method="rk4-projected", step=STEP)
    block = session.workspace.contacts
    head, pulse = block.tables.head[0], block.tables.pulses[0]
    integrals, columns = np.zeros(HIDDEN), np.zeros(int(head.columns), COLUMN)
    pulse.code, pulse.touching, pulse.by_columns = 2, 1, 1.0  # of ground and car
    head.pulses_used = 1
    start_pulse(pulse, 0.0, 10.0)
    for k in range(1, 36):
        time = k * STEP
        force = HIT if time < CALMED - 1e-9 else PUSH if time < 4 * CALMED else WEAK
        pulse.force[0] = force
        integrals[0] += force * STEP
        tend_pulse(block.address, time, 0, integrals, columns)
        if k == 15:  # they parted for a moment: what is then is looked at, as where a contact ends
            look(block.address, pulse, AFTER, integrals, 0)
        if head.finished_count:
            break
    return block.tables.finished[0], pulse, k * STEP


def test_the_cut_is_where_the_pushing_began(tended):
    before, _, now = tended
    assert now == pytest.approx(CALMED + SAME_PULSE + STEP)
    assert before.end == pytest.approx(CALMED)
    assert before.peak_force == HIT
    # The impulse up to there: of what came later, when they had parted for a moment, it had 15 kN for 10 ms more.
    assert before.integrals[AFTER, 0] == pytest.approx(4 * HIT * STEP + PUSH * STEP)


def test_the_pulse_that_goes_on_has_the_force_from_its_begin(tended):
    """It began with no force and had the greatest of what came after 25 ms: a mean above the peak."""
    _, going_on, _ = tended
    assert going_on.begin == pytest.approx(CALMED)
    assert going_on.peak_force == PUSH and going_on.peak_time == pytest.approx(CALMED)
    assert going_on.samples[0].tolist() == pytest.approx([CALMED, PUSH])
