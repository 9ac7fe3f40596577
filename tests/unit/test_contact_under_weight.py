"""Restitution where weight presses during the hit: the damping that still gives what was entered.

Reference: y'' = b - y^n (1 + x y') by scipy from y = 0, y' = 1 until y = 0 again; b is weight over peak force.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from centrode.parts.contact_laws.contact_law import (
    CHOSEN_STIFFNESS,
    DAMPING,
    MEMORY,
    OWN,
    RESTITUTION,
    WEIGHT,
)
from centrode.parts.contact_laws.hard import HardContact
from centrode.parts.contact_laws.hunt_crossley import damping_for_restitution
from centrode.parts.contact_laws.restitution import Restitution


def parting(law, memory, mass, speed, weight):
    """Rebound speed over closing speed of a mass on the law's force with its weight, by scipy."""
    par, force = law.pack(), type(law).law_kernel

    def rates(_, state):
        return state[1], weight - force(par, memory, state[0], state[1], 0.0)[0] / mass

    def apart(_, state):
        return state[0]

    apart.terminal, apart.direction = True, -1.0
    slow = speed / weight if weight > 0.0 else 1e3
    lasts = math.pi * math.sqrt(mass / memory[CHOSEN_STIFFNESS])
    start = (1e-12 * speed * lasts, speed)
    done = solve_ivp(rates, (0.0, 50.0 * lasts + slow), start, events=apart, rtol=1e-8, atol=1e-12, max_step=lasts / 20)
    return -done.y_events[0][0][1] / speed if done.t_events[0].size else 0.0


def began(law, mass, speed, weight):
    memory = np.zeros(MEMORY)
    memory[WEIGHT] = weight
    type(law).begin_kernel(law.pack(), memory, speed, mass, 1.0, 1.0)
    return memory


@pytest.mark.parametrize("seed", range(6))
def test_any_restitution_holds_under_any_weight(seed):
    """0.8 gave 0.60 when 14 t fell by 5 cm, 0.1 gave none where weight was a twentieth of the peak force."""
    rng = np.random.default_rng(seed)
    e, share = float(rng.uniform(0.1, 0.95)), float(10.0 ** rng.uniform(-3.0, 0.0))
    exponent = float(rng.choice([1.0, 1.5, 2.0]))
    mass, speed = float(10.0 ** rng.uniform(-3.0, 4.3)), float(10.0 ** rng.uniform(-1.0, 1.0))
    # D = share v^2 / g sets the stiffness: k = m v^2 / D^(n+1)
    stiffness = mass * speed**2 / (share * speed**2 / 9.81) ** (exponent + 1.0)
    law = Restitution("law", stiffness=stiffness, restitution=e, exponent=exponent)
    memory = began(law, mass, speed, 9.81)
    assert memory[RESTITUTION] == e and memory[DAMPING] < damping_for_restitution(e, speed)
    # Runge-Kutta with 30 to 60 steps a hit, of which the error without weight is taken off.
    assert parting(law, memory, mass, speed, 9.81) == pytest.approx(e, rel=1e-4)


def test_without_weight_nothing_changes():
    law = Restitution("law", stiffness=1e5, restitution=0.4)
    bare, pulled = began(law, 3.0, 2.0, 0.0), began(law, 3.0, 2.0, -9.81)  # hung from a ceiling: it parts sooner
    assert bare[DAMPING] == damping_for_restitution(0.4, 2.0) == pulled[DAMPING]
    faint = began(law, 3.0, 2.0, 1e-3)
    assert faint[DAMPING] == pytest.approx(bare[DAMPING], rel=1e-4) and faint[DAMPING] < bare[DAMPING]


def test_a_hard_contact_keeps_its_restitution_under_weight():
    law = HardContact("law", duration=0.05, restitution=0.5)
    memory = began(law, 20.0, 1.0, 9.81)  # b = g T / pi v = 0.156
    assert parting(law, memory, 20.0, 1.0, 9.81) == pytest.approx(0.5, rel=1e-4)


def test_what_is_laid_down_finds_the_whole_damper():
    """A damper for a rebound out of its own sag would let a stack swing for seconds."""
    law = Restitution("law", stiffness=1e4, restitution=0.3)
    laid = began(law, 1.0, 0.0, 9.81)
    assert laid[DAMPING] == damping_for_restitution(0.3, 0.0)
    slow = began(law, 1.0, 1e-4, 9.81)  # b = 981
    assert slow[DAMPING] == pytest.approx(laid[DAMPING], rel=5e-3)


def test_the_damper_grows_beyond_where_weight_presses_it():
    law = Restitution("law", stiffness=1e4, restitution=0.3)
    for speed in (0.1, 0.2, 1.0):
        memory = began(law, 1.0, speed, 9.81)
        depth = speed * math.sqrt(1.0 / 1e4)
        share = 9.81 * depth / speed**2
        assert memory[OWN] > depth * (share + math.sqrt(1.0 + share**2))
