"""MuJoCo on the benchmark mechanisms: a worker for the peers' environment.

Trees in joint coordinates, loops closed by ``connect`` equalities, RK4, all steps of a run in one call. The times are
process CPU seconds of the stepping alone; models are compiled before. Soft equalities need their own tuning: time
constant two steps (the smallest that MuJoCo allows), full impedance.
"""

from __future__ import annotations

import json
import math
import time

import mujoco
import numpy as np
from harness import serve

HEAD = """<mujoco>
<compiler angle="radian" inertiafromgeom="false" boundmass="0" boundinertia="0" balanceinertia="false"/>
<option timestep="{dt}" gravity="{gravity}" integrator="RK4" solver="Newton" tolerance="1e-12" iterations="60">
<flag contact="disable" warmstart="enable"/></option>
"""
EQUALITY = 'solref="{tau} 1" solimp="0.9999 0.99999 0.001 0.5 2"'


def header(dt: float, gravity: str = "0 -9.81 0") -> str:
    return HEAD.format(dt=repr(dt), gravity=gravity)


def run(xml: str, duration: float, prepare=None) -> tuple:
    """Step a model over ``duration``; returns (CPU seconds, model, data)."""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    if prepare is not None:
        prepare(model, data)
    steps = round(duration / model.opt.timestep)
    start = time.process_time()
    mujoco.mj_step(model, data, steps)
    spent = time.process_time() - start
    mujoco.mj_forward(model, data)
    return spent, model, data


def point(data, model, body: str, local) -> np.ndarray:
    k = model.body(body).id
    return data.xpos[k] + data.xmat[k].reshape(3, 3) @ np.asarray(local)


def a01(dt: float, reference) -> tuple[float, float]:
    xml = (
        header(dt)
        + """<worldbody><body name="bob"><joint type="hinge" axis="0 0 1"/>
    <inertial pos="-1 0 0" mass="1" diaginertia="1e-13 1e-13 1e-13"/></body></worldbody></mujoco>"""
    )
    spent, model, data = run(xml, 10.0)
    return spent, float(np.abs(point(data, model, "bob", (-1, 0, 0))[:2] - reference).max())


def a02(windows: int, dt: float, reference) -> tuple[float, float]:
    inertial = (
        '<inertial pos="{p}" mass="1" diaginertia="0.08333333333333333 0.08333333333333333 0.08333333333333333"/>'
    )
    bodies, equalities = [], []
    for i in range(windows + 1):
        bar = ""
        if i < windows:
            own = inertial.format(p="0.5 0 0")
            bar = f'<body name="bar{i}" pos="0 1 0"><joint type="hinge" axis="0 0 1"/>{own}</body>'
            equalities.append(
                f'<connect body1="bar{i}" body2="post{i + 1}" anchor="1 0 0" {EQUALITY.format(tau=2 * dt)}/>'
            )
        own = inertial.format(p="0 0.5 0")
        bodies.append(f'<body name="post{i}" pos="{i} 0 0"><joint type="hinge" axis="0 0 1"/>{own}{bar}</body>')
    xml = header(dt) + f"<worldbody>{''.join(bodies)}</worldbody><equality>{''.join(equalities)}</equality></mujoco>"

    def prepare(model, data):
        for k in range(model.nbody):
            name = model.body(k).name
            if name.startswith("post"):
                data.qvel[model.body_dofadr[k]] = -1.0
            elif name.startswith("bar"):
                data.qvel[model.body_dofadr[k]] = 1.0  # relative to its post: the bar itself does not turn

    spent, model, data = run(xml, 10.0, prepare)
    return spent, float(np.abs(point(data, model, "post0", (0, 1, 0))[:2] - reference).max())


def a03(dt: float, constants: str, reference) -> tuple[float, float]:
    c = json.loads(constants)
    p = {name: np.array([*place, 0.0]) for name, place in c["points"].items()}
    centres = [np.array([*place, 0.0]) for place in c["centres"]]

    def text(v):
        return " ".join(repr(float(x)) for x in v)

    def body(k, at, inner=""):
        inertia = c["inertia"][k - 1]
        return (
            f'<joint name="j{k}" type="hinge" axis="0 0 1"/><inertial pos="{text(centres[k - 1] - p[at])}" '
            f'mass="{c["mass"][k - 1]}" diaginertia="{inertia} {inertia} {inertia}"/>{inner}'
        )

    xml = (
        header(dt, "0 0 0")
        + f"""<worldbody><site name="C" pos="{text(p["C"])}"/>
    <body name="b1" pos="{text(p["O"])}">{body(1, "O")}<body name="b2" pos="{text(p["F"])}">{body(2, "F")}</body></body>
    <body name="b3" pos="{text(p["B"])}">{body(3, "B")}<site name="D" pos="{text(p["D"] - p["B"])}"/></body>
    <body name="b5" pos="{text(p["A"])}">{body(5, "A")}
      <body name="b4" pos="{text(p["G"] - p["A"])}">{body(4, "G")}</body></body>
    <body name="b7" pos="{text(p["A"])}">{body(7, "A")}
      <body name="b6" pos="{text(p["H"] - p["A"])}">{body(6, "H")}</body></body>
    </worldbody>
    <tendon><spatial stiffness="4530" springlength="0.07785"><site site="C"/><site site="D"/></spatial></tendon>
    <equality>"""
        + "".join(
            f'<connect body1="b2" body2="{other}" anchor="{text(p["E"] - p["F"])}" {EQUALITY.format(tau=2 * dt)}/>'
            for other in ("b3", "b4", "b6")
        )
        + "</equality></mujoco>"
    )

    def prepare(model, data):
        data.qfrc_applied[model.joint("j1").dofadr[0]] = 0.033

    spent, model, data = run(xml, 0.03, prepare)
    beta = data.qpos[model.joint("j1").qposadr[0]] + c["beta"]
    gamma = data.qpos[model.joint("j3").qposadr[0]] + c["gamma"]
    return spent, float(max(abs(beta - reference[0]), abs(gamma - reference[1])))


def a04(dt: float, duration: float, reference) -> tuple[float, float]:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
    axes = ("0 1 0", "0 0 1", "1 0 0", "0 1 0", "0 0 1")
    inner = ""
    for k in range(5, 0, -1):
        rod = points[k] - points[k - 1]
        inertia = " ".join("0.0016666666666666668" if abs(x) > 0.5 else "0.08416666666666667" for x in rod)
        at = points[k - 1] - (points[k - 2] if k > 1 else 0.0)
        inner = (
            f'<body name="rod{k}" pos="{at[0]} {at[1]} {at[2]}"><joint type="hinge" axis="{axes[k - 1]}"/>'
            f'<inertial pos="{rod[0] / 2} {rod[1] / 2} {rod[2] / 2}" mass="1" diaginertia="{inertia}"/>{inner}</body>'
        )
    soft = EQUALITY.format(tau=2 * dt)
    xml = (
        header(dt)
        + f"""<worldbody>{inner}</worldbody><equality>
    <connect body1="rod5" anchor="0 1 0" {soft}/><connect body1="rod5" anchor="0.5 1 0" {soft}/></equality></mujoco>"""
    )
    spent, model, data = run(xml, duration)
    return spent, float(np.abs(point(data, model, "rod3", (0, 0, 1)) - reference).max())


def a05(dt: float, reference: float) -> tuple[float, float]:
    alpha = math.radians(30.0)
    mass, centre = 5.3, (0.15 + 5.0) / 5.3
    transverse = 0.3 * 1.0001 / 12 + 0.3 * (centre - 0.5) ** 2 + 5.0 * (1 - centre) ** 2
    arms = tendons = sites = ""
    for name, side in (("r", 1.0), ("l", -1.0)):
        # Rotation about y that turns z into the arm's direction (side cos a, 0, -sin a).
        turn = side * (math.pi / 2 + alpha)
        arms += (
            f'<body name="{name}" pos="{0.05 * side} 0 1" euler="0 {turn!r} 0"><joint type="hinge" axis="0 1 0"/>'
            f'<inertial pos="0 0 {centre!r}" mass="{mass}" diaginertia="{transverse!r} {transverse!r} 5e-6"/>'
            f'<site name="{name}m" pos="0 0 0.5"/></body>'
        )
        sites += f'<site name="{name}s" pos="{0.05 * side} 0 0"/>'
        tendons += (
            f'<spatial stiffness="8e5" damping="4e4" springlength="0.5"><site site="{name}s"/>'
            f'<site site="{name}m"/></spatial>'
        )
    xml = (
        header(dt, "0 0 -9.81")
        + f"""<worldbody><body name="shaft"><joint name="spin" type="hinge" axis="0 0 1"/>
    <inertial pos="0 0 0.5" mass="0.3" diaginertia="{0.3 * 1.0001 / 12!r} {0.3 * 1.0001 / 12!r} 5e-6"/>
    <body name="slider" pos="0 0 0.5"><joint name="s" type="slide" axis="0 0 1"/>
    <inertial pos="0 0 0" mass="3" diaginertia="0.005 0.005 0.005"/>{sites}</body>{arms}</body></worldbody>
    <tendon>{tendons}</tendon></mujoco>"""
    )

    def prepare(model, data):
        data.qvel[model.joint("spin").dofadr[0]] = 2.0 * math.pi

    spent, model, data = run(xml, 10.0, prepare)
    return spent, float(abs(0.5 + data.qpos[model.joint("s").qposadr[0]] - reference))


def hanging(links: int, dt: float) -> tuple:
    """Model and data of the chain."""
    length, mass, radius = 0.1, 0.1, 0.02
    transverse, axial = mass * (3 * radius**2 + length**2) / 12, 0.5 * mass * radius**2
    # Built by calls: the XML reader does not take a nesting of a thousand elements.
    spec = mujoco.MjSpec()
    spec.option.timestep = dt
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.gravity = (0.0, 0.0, -9.81)
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT
    spec.option.enableflags = mujoco.mjtEnableBit.mjENBL_ENERGY
    body = spec.worldbody
    for i in range(links):
        half = math.pi / 8
        turn = (math.cos(half), 0.0, -math.sin(half), 0.0) if i == 0 else (1.0, 0.0, 0.0, 0.0)
        body = body.add_body(
            name=f"l{i}", pos=(0.0, 0.0, 0.0 if i == 0 else -length), quat=turn, mass=mass,
            ipos=(0.0, 0.0, -0.5 * length), inertia=(transverse, transverse, axial), explicitinertial=True,
        )  # fmt: skip
        body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
    model = spec.compile()
    data = mujoco.MjData(model)
    spin = 0.5 * math.sqrt(9.81 / (links * length))
    mujoco.mj_kinematics(model, data)
    data.qvel[:3] = data.xmat[1].reshape(3, 3).T @ [0.0, 0.0, spin]
    mujoco.mj_forward(model, data)
    return model, data


def chain(links: int, dt: float, steps: int) -> tuple[float, float]:
    """CPU seconds per step; error: change of energy [J]."""
    model, data = hanging(links, dt)
    before = data.energy.sum()
    start = time.process_time()
    mujoco.mj_step(model, data, steps)
    spent = time.process_time() - start
    mujoco.mj_forward(model, data)
    return spent / steps, float(abs(data.energy.sum() - before))


def chain_place(links: int, dt: float, duration: float, reference) -> tuple[float, float]:
    """CPU seconds; error of the centre of the last link [m]."""
    model, data = hanging(links, dt)
    start = time.process_time()
    mujoco.mj_step(model, data, round(duration / dt))
    spent = time.process_time() - start
    mujoco.mj_forward(model, data)
    return spent, float(np.abs(point(data, model, f"l{links - 1}", (0.0, 0.0, -0.05)) - reference).max())


def spin(dt: float, steps: int, reference) -> tuple[float, float]:
    xml = (
        header(dt, "0 0 0")
        + """<worldbody><body name="b"><freejoint/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 2 3"/></body></worldbody></mujoco>"""
    )

    def prepare(model, data):
        data.qvel[3:6] = (0.01, 5.0, 0.01)

    spent, _, data = run(xml, dt * steps, prepare)
    return spent / steps, float(np.abs(data.qvel[3:6] - reference).max())


FUNCTIONS = {
    "a01": a01,
    "a02": a02,
    "a03": a03,
    "a04": a04,
    "a05": a05,
    "chain": chain,
    "chain_place": chain_place,
    "spin": spin,
}

if __name__ == "__main__":
    serve(FUNCTIONS)
