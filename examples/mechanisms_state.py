"""A state with names: an arm follows a circle with torques from inverse dynamics at every millisecond.

Run: python examples/mechanisms_state.py
"""

from __future__ import annotations

import math

import numpy as np

import centrode as ct

HINGES = ("shoulder", "elbow")


def arm() -> ct.System:
    """Two links of 0.5 m about y, each with an actuator at its hinge."""
    system = ct.System("arm")
    for k, name in enumerate(("upper", "fore")):
        place = (0.25 + 0.5 * k, 0.0, 0.0)
        body = system.add(ct.RigidBody(name, mass=2.0 - k, inertia=(0.002, 0.05, 0.05), position=place))
        before = "upper" if k else system.ground
        hinge = system.add(ct.Revolute(HINGES[k], before, body, at=(0.5 * k, 0.0, 0.0), axis=(0, 1, 0)))
        system.add(ct.Actuator(f"{hinge.name}-motor", joint=hinge.name))
    return system


def angles_of(x: float, z: float) -> tuple[float, float]:
    """Hinge angles of the tip at x, z; angles turn downwards."""
    elbow = math.acos((x * x + z * z - 0.5) / 0.5)
    return math.atan2(-z, x) - math.atan2(math.sin(elbow), 1.0 + math.cos(elbow)), elbow


def wanted(time: float) -> np.ndarray:
    """Angles on the way of the tip, a circle of 0.15 m in two seconds that begins at rest."""
    turn = 2.0 * math.pi * (0.5 * time) ** 3 * (10.0 - 15.0 * 0.5 * time + 6.0 * (0.5 * time) ** 2)
    return np.array(angles_of(0.6 + 0.15 * math.cos(turn), 0.15 * math.sin(turn)))


def main() -> dict[str, np.ndarray]:
    """Track of the tip [m], and torques [N m]."""
    state = ct.Mechanics(arm(), method="rk4-projected", step=1e-3)
    start = wanted(0.0)
    state.set({"shoulder.angle": start[0], "elbow.angle": start[1]})
    h, tips, torques = 1e-3, [], []
    for n in range(2000):
        time = n * h
        ahead, now, back = (wanted(min(max(time + k * h, 0.0), 2.0)) for k in (1.0, 0.0, -1.0))
        rate, acceleration = (ahead - back) / (2.0 * h), (ahead - 2.0 * now + back) / h**2
        angle, speed = np.array([*state.coordinates().values()]), state.speeds.values
        asked = acceleration + 100.0 * (rate - speed) + 2500.0 * (now - angle)
        torque = state.inverse_dynamics({"shoulder.angle": asked[0], "elbow.angle": asked[1]}, forces=False)
        state.command({f"{name}-motor": float(load) for name, load in zip(HINGES, torque, strict=True)})
        state.session.step(h)
        tip = state.body("fore")
        tips.append(tip.position + tip.rotation @ np.array([0.25, 0.0, 0.0]))
        torques.append(torque.values)
    return {"tip": np.array(tips), "torque": np.array(torques)}


def draw(run: dict[str, np.ndarray]) -> None:
    figure, [[track, load]] = ct.new_figure(1, 2, width=9, height=3.6)
    track.plot(run["tip"][:, 0], run["tip"][:, 2])
    track.set(xlabel="x [m]", ylabel="z [m]", title="Track of the tip", aspect="equal")
    for k, name in enumerate(HINGES):
        load.plot(1e-3 * np.arange(len(run["torque"])), run["torque"][:, k], label=name)
    load.set(xlabel="time [s]", ylabel="torque [N m]", title="Inverse dynamics")
    load.legend()
    ct.save_figure(figure, "out/state.png")


if __name__ == "__main__":
    found = main()
    draw(found)
    off = np.abs(np.hypot(found["tip"][:, 0] - 0.6, found["tip"][:, 2]) - 0.15).max()
    print(f"the tip leaves the circle by at most {1e3 * off:.3f} mm")
    # Torques are held for a millisecond: half a step late, they miss by jerk h / 2, which the gains 2500 / s2 bear.
    assert off < 1e-4
