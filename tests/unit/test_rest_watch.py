"""Runs that go on until rest: the end is found among frames that are handed over together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import centrode as ct
from centrode.dynamics.rest import SLOW, SLOW_SPIN, STILL_FOR, RestWatch
from centrode.running import Session
from centrode.system.model import build_model
from centrode.system.settings import RunSettings


def sliding() -> ct.System:
    """A box that slides on a floor until friction has stopped it."""
    system = ct.System()
    size = (0.1, 0.1, 0.1)
    system.add(ct.RigidBody("box", mass=1.0, inertia=(0.00667,) * 3, position=(0, 0, 0.1), velocity=(1.0, 0, 0)))
    system.add(ct.OutlineBox("sides", "box", half_lengths=size))
    system.add(ct.OutlinePlane("floor", "ground"))
    system.add(ct.Restitution("law", stiffness=1e5, restitution=0.2, friction=0.5))
    return system


@given(st.lists(st.booleans(), min_size=1, max_size=80), st.integers(1, 30))
def test_the_rest_is_found_at_the_same_frame_however_frames_are_handed_over(moves, size):
    """One by one they were looked at before; the frames of a call end where a rest can first have lasted."""
    system = sliding()
    model = build_model(system)
    times = 0.013 * np.arange(len(moves) + 40)
    velocity = np.zeros((len(times), len(model.body_parts), 6))
    velocity[: len(moves), :, 0] = np.where(moves, 2.0 * SLOW, 0.5 * SLOW)[:, None]
    single = RestWatch(system, model)
    alone = next(k for k in range(len(times)) if single.at_rest(times[k : k + 1], velocity[k : k + 1]))
    watch, done = RestWatch(system, model), 0
    while True:
        stop = min(done + size, 1 + int(np.searchsorted(times, watch.earliest(times[done]))))
        found = watch.at_rest(times[done:stop], velocity[done:stop])
        done = stop
        if found:
            break
    assert done - 1 == alone
    assert times[alone] - watch.since >= STILL_FOR * (1.0 - 1e-9)


@pytest.mark.compiled
def test_a_run_until_rest_is_told_in_stretches_of_frames():
    """Every frame was a call of its own: the Python around a T-bone took three times as long as its motion."""
    settings = RunSettings(duration=3.0, until="rest", method="rattle", step=1e-3, frames=0.01)
    session = Session(sliding(), settings)
    times = session.frame_times()
    assert times[session._next_stop(times, 1) - 1] - times[1] >= STILL_FOR * (1.0 - 1e-9)
    run = ct.simulate(sliding(), duration=3.0, until="rest", method="rattle", step=1e-3, frames=0.01)
    slow = np.linalg.norm(run["box.velocity"], axis=1) < SLOW
    slow &= np.linalg.norm(run["box.omega"], axis=1) < SLOW_SPIN
    first = len(slow) - int(np.argmin(slow[::-1]))  # of the last frames that are all slow
    lasted = run.time[first:] - run.time[first] >= STILL_FOR * (1.0 - 1e-9)
    assert lasted[-1] and not lasted[:-1].any()  # it ended with the first frame at which it could
