"""A run that cannot be believed is a failed one: joints that come apart, an audit that does not close."""

from __future__ import annotations

import numpy as np
import pytest

import centrode as ct
from centrode.methods.explicit import ExplicitMethod


def pendulum() -> ct.System:
    system = ct.System()
    system.add(ct.RigidBody("rod", 1.0, (0.1, 0.1, 0.1), position=(1.0, 0.0, 0.0)))
    system.add(ct.Revolute("hinge", "ground", "rod", at=(0, 0, 0), axis=(0, 1, 0)))
    return system


def test_joints_that_come_apart_fail_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """rk4 without projections drifts by (w h)^4 a step, which it may; a method that promises more may not."""
    settings = {"duration": 5.0, "method": "rk4", "step": 0.05, "frames": 0.05}
    drifting = ct.simulate(pendulum(), **settings)
    assert drifting.status.completed and drifting["constraint.residual"].max() > 1e-6
    monkeypatch.setattr(ExplicitMethod, "closes_joints", True)
    run = ct.simulate(pendulum(), **settings)
    stop = run.status.stop
    assert run.status.outcome == "failed" and not run.status.completed and stop is not None
    assert "a joint came apart" in str(run.status) and "'hinge'" in str(run.status) and "try" in str(run.status)
    assert 0.0 < stop.time < 1.0 and run.time[-1] == stop.time  # nothing behind it is kept
    assert max(stop.details["gap"], stop.details["slip"]) > 1e-6
    with pytest.raises(ct.RunError):
        from centrode.running import require_completed

        require_completed(run)


@pytest.mark.compiled  # six thousand steps
def test_joints_that_drift_are_told_and_fail_when_far_apart() -> None:
    """Drift of rk4 grows with the time; the summary said nothing of a gap of 6 mm, and the run was completed."""
    run = ct.simulate(pendulum(), duration=5.0, method="rk4", step=0.02, frames=0.02)
    gap = run["constraint.residual"].max()
    assert run.status.completed and 1e-6 < gap < 1e-3
    assert f"Joints drifted apart by up to {gap:.2g} m" in run.summary()
    long = ct.simulate(pendulum(), duration=100.0, method="rk4", step=0.02, frames=0.1)
    assert long.status.outcome == "failed" and "'hinge' is open by" in str(long.status)
    gaps, stop = long["constraint.residual"], long.status.stop
    assert stop is not None and gaps[long.time < stop.time].max() <= 1e-3 < gaps[long.time >= stop.time][0]
    closed = ct.simulate(pendulum(), duration=5.0, method="rk4-projected", step=0.02, frames=0.02)
    assert "drifted" not in closed.summary()


def test_an_audit_that_does_not_close_fails_the_run() -> None:
    """An oscillator with h w = 2: rk4 multiplies the energy by |1 - 2 + 2/3 + i (2 - 4/3)|^2 = 5/9 a step, and its own
    work is integrated as wrongly; the run is finite and far from the truth.
    """
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    system.add(ct.RigidBody("mass", 1.0, (1.0, 1.0, 1.0), position=(1.5, 0.0, 0.0)))
    system.add(ct.Spring("spring", "ground", "mass", 100.0, length=1.0))
    good = ct.simulate(system, duration=1.0, method="rk4", step=0.005, frames=0.1)
    assert good.status.completed
    run = ct.simulate(system, duration=2.0, method="rk4", step=0.2, frames=0.2)
    assert run.status.outcome == "failed" and "energy audit does not close" in str(run.status)
    assert len(run.time) == 11  # to the end


def test_a_steady_motion_has_nothing_to_warn_of() -> None:
    """A bar that turns at one speed: its energy changes by round-off, of which the audit was said to be off by 92 %."""
    system = ct.System(gravity=(0, 0, 0))
    bar = system.add(ct.RigidBody("bar", 1.0, (0.01, 0.1, 0.1), position=(0.5, 0, 0)))
    system.add(ct.Revolute("hinge", system.ground, bar, at=(0, 0, 0), axis=(0, 1, 0), angle_rate=2.0))
    for method in ("dop853", "rk4-projected", "rattle"):
        run = ct.simulate(system, duration=0.2, method=method)
        assert run.status.completed and "energy audit" not in run.summary(), method


@pytest.mark.compiled
def test_what_stands_still_has_nothing_to_warn_of() -> None:
    """A car on a slope: 4e-10 J of 7 kJ were called 3.5 million per cent of the energy that moved."""
    run = ct.simulate(ct.load("scenarios/cars/parked_on_slope.yaml"), duration=2.0)
    assert run.status.completed and "energy audit" not in run.summary()


def test_a_jerk_of_a_rope_is_no_audit_that_is_off() -> None:
    """What it takes, 6.2 J of 8.3, stands in its event; the summary asked for a smaller step."""
    run = ct.simulate(ct.load("scenarios/sixdof/rope.yaml"), duration=0.6)
    assert run.events.of("rope taut") and np.abs(run["energy.residual"]).max() > 6.0
    assert "energy audit" not in run.summary()
