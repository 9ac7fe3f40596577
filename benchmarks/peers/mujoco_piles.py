"""MuJoCo on piles and legged robots: a worker for the peers' environment.

Contacts as MuJoCo has them when nothing is said of them (soft, elliptic cone asked for), its own step of 2 ms, the
conjugate-gradient solver, which is its quickest on piles. Times are process CPU seconds of the stepping alone; the
error is the deepest overlap at any step [m].
"""

from __future__ import annotations

import time

import mujoco
import piles_scene as scene
from harness import serve

HEAD = """<mujoco><option timestep="{dt}" gravity="0 0 -{g}" solver="{solver}" cone="elliptic"/><size memory="2G"/>
<default><geom friction="{mu} 0 0" condim="3"/></default><worldbody><geom type="plane" size="0 0 1"/>"""


def header(dt: float, solver: str) -> str:
    return HEAD.format(dt=dt, g=scene.GRAVITY, mu=scene.FRICTION, solver=solver)


def stepped(xml: str, duration: float) -> tuple[float, float]:
    """CPU seconds and the deepest overlap [m]."""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    spent, deepest = 0.0, 0.0
    for _ in range(round(duration / model.opt.timestep)):
        start = time.process_time()
        mujoco.mj_step(model, data)
        spent += time.process_time() - start
        if data.ncon:
            deepest = max(deepest, -float(data.contact.dist[: data.ncon].min()))
    return spent, deepest


def pour(kind: str, count: int, duration: float, dt: float) -> tuple[float, float]:
    sphere = f'<geom type="sphere" size="{scene.RADIUS}" density="{scene.DENSITY}"/>'
    cube = f'<geom type="box" size="{scene.HALF} {scene.HALF} {scene.HALF}" density="{scene.DENSITY}"/>'
    shape = sphere if kind == "balls" else cube
    w = scene.WIDTH
    walls = "".join(
        f'<geom type="plane" pos="{x * w} {y * w} 0" zaxis="{-x} {-y} 0" size="0 0 1"/>'
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    bodies = "".join(
        f'<body pos="{" ".join(map(str, place))}" quat="{" ".join(map(str, turn))}"><freejoint/>{shape}</body>'
        for place, turn in scene.poured(kind, count)
    )
    return stepped(f"{header(dt, 'CG')}{walls}{bodies}</worldbody></mujoco>", duration)


def legged(kind: str, duration: float, dt: float) -> tuple[float, float]:
    """Steps per second, and the deepest overlap."""
    spent, deepest = stepped(f"{header(dt, 'Newton')}{scene.robot(kind)}</worldbody></mujoco>", duration)
    return duration / dt / spent, deepest


if __name__ == "__main__":
    serve({"pour": pour, "legged": legged})
