"""A kind of body from one file outside the package: a gyrostat, used from YAML, against its closed form.

A gyrostat carries a rotor of constant angular momentum h in its own axes: I w' = t - w x (I w + h). With equal moments
of inertia the gyroscopic term of I w is zero, w' = h x w / I: w turns about the fixed direction h at the rate |h| / I.
"""

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.parts.registry import kinds

PLUGIN = '''
"""A rigid body with a rotor inside."""

from dataclasses import dataclass, replace
from typing import ClassVar

from centrode.jit import step_kernel
from centrode.math.vector import cross, each, matrix, minus, plus, put, times, turn_back, vector
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.bodies.turning import wrench_on_body
from centrode.parts.part import quantity
from centrode.parts.tables import BODY_SIGNATURE, borrow


@step_kernel(signature=BODY_SIGNATURE)
def weigh_forces_gyrostat(first, end, tables):
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        force, torque = wrench_on_body(body, vector(t.pose[b - 1], 0), tables)
        w = vector(t.velocity[b - 1], 3)
        momentum = plus(each(vector(body.inertia, 0), w), vector(t.data, body.data))
        moment = minus(turn_back(matrix(t.rotation[b], 0), torque), cross(w, momentum))
        put(t.weighted_force[b], 0, times(body.inverse_root_mass, force))
        put(t.weighted_force[b], 3, each(vector(body.inverse_root_inertia, 0), moment))


@dataclass(frozen=True)
class Gyrostat(RigidBody):
    """Rigid body with a rotor of constant angular momentum."""

    kind: ClassVar[str] = "gyrostat"
    principal_axes: ClassVar[bool] = False
    weigh_forces_kernel = weigh_forces_gyrostat
    fall_kernel = None

    rotor: tuple[float, float, float] = quantity("kg*m2/s", "angular momentum of the rotor, body frame", (0.0,) * 3)

    def row(self):
        row = super().row()
        return replace(row, data=tuple(float(x) for x in row.axes.T @ self.rotor))
'''

SCENARIO = """
centrode: 1
plugins: [gyrostat.py]
gravity: [0, 0, 0]
bodies:
  plain: {mass: 1.0, inertia: [0.5, 0.5, 0.5], omega: [0.3, 0.0, 0.2]}
  spinner: {kind: gyrostat, mass: 2.0, inertia: [0.5, 0.5, 0.5], omega: [0.3, 0.0, 0.2], rotor: [0.0, 0.0, 1.5]}
  heavy: {kind: full-mass, mass_matrix: [2, 2, 2, 1, 1, 1], omega: [0.0, 0.1, 0.0]}
run: {duration: 2.0, method: dop853, tolerance: 1.0e-11}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "gyrostat.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "case.yaml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


def test_a_body_kind_from_a_plugin_moves_as_its_closed_form(folder):
    run = ct.simulate(ct.load(folder / "case.yaml"))
    assert run.status.completed
    turned = 1.5 / 0.5 * run.time
    wanted = np.stack([0.3 * np.cos(turned), 0.3 * np.sin(turned), np.full_like(turned, 0.2)], axis=1)
    # Tolerance 1e-11 a step, some tens of steps, rates of order one.
    assert np.abs(run["spinner.omega"] - wanted).max() < 1e-8
    # The neighbours of other kinds are what they were: no torque acts on them.
    assert np.abs(run["plain.omega"] - (0.3, 0.0, 0.2)).max() < 1e-12
    assert np.abs(run["heavy.omega"] - (0.0, 0.1, 0.0)).max() < 1e-12
    assert np.ptp(run["energy.total"]) < 1e-9


def test_joints_and_methods_see_it_like_any_other_body(folder):
    """On a ball joint at its centre nothing changes but the reaction, which is zero; rattle and ici refuse it."""
    text = SCENARIO.replace("run:", "joints:\n  pivot: {kind: ball, a: ground, b: spinner, at: [0, 0, 0]}\nrun:")
    (folder / "held.yaml").write_text(text, encoding="utf-8")
    run = ct.simulate(ct.load(folder / "held.yaml"), method="rk4-projected", step=1e-3)
    turned = 1.5 / 0.5 * run.time[-1]
    # Fourth order with step 1e-3 and rates of 3 rad/s: (3e-3)^4 a step, two thousand steps, divided by 5!.
    assert np.abs(run["spinner.omega"][-1] - (0.3 * np.cos(turned), 0.3 * np.sin(turned), 0.2)).max() < 1e-10
    with pytest.raises(InputError, match="cannot move a body of this kind"):
        ct.simulate(ct.load(folder / "held.yaml"), method="rattle")


def test_without_the_plugin_the_kind_is_gone(folder):
    assert "gyrostat" not in kinds("body")
    (folder / "bare.yaml").write_text(SCENARIO.replace("plugins: [gyrostat.py]\n", ""), encoding="utf-8")
    with pytest.raises(InputError, match="gyrostat"):
        ct.load(folder / "bare.yaml")
