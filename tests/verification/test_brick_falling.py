"""The falling brick: drag, wind, bounce, friction, rest."""

import math

import numpy as np
import pytest

import centrode as ct
from centrode.errors import InputError
from centrode.vehicles.brick import Brick


def fall(duration=2.0, frames=0.1, tolerance=1e-12, **fields):
    system = ct.System()
    brick = system.add(Brick("brick", **fields))
    return brick, ct.simulate(system, duration=duration, frames=frames, tolerance=tolerance)


def test_without_drag_parabola_and_free_rotation():
    brick, run = fall(ground=False, velocity=(1.0, 2.0, 3.0), omega=(0.01, 12.0, 0.2))
    t = run.time[:, None]
    exact = np.array([0.0, 0.0, 1.0]) + t * np.array([1.0, 2.0, 3.0]) + 0.5 * t**2 * np.array([0.0, 0.0, -9.81])
    assert np.abs(run["brick.body.position"] - exact).max() < 1e-10
    momentum = run["brick.body.omega"] * brick.inertia
    assert np.abs(np.linalg.norm(momentum, axis=1) - np.linalg.norm(momentum[0])).max() < 1e-10


def test_linear_drag_is_the_closed_form():
    f, m, g = 0.8, 3.5, 9.81
    _, run = fall(ground=False, linear_drag=f)
    t = run.time
    speed = m * g / f * np.expm1(-f * t / m)
    height = 1.0 - m * g / f * (t + m / f * np.expm1(-f * t / m))
    assert np.abs(run["brick.body.velocity"][:, 2] - speed).max() < 1e-10
    assert np.abs(run["brick.body.position"][:, 2] - height).max() < 1e-10


def test_quadratic_drag_is_the_closed_form():
    """Falling flat: v = -V tanh(g t/V), V = sqrt(2 m g/(rho C_d A))."""
    brick, run = fall(ground=False, drag_coefficient=400.0)
    final = math.sqrt(2.0 * 3.5 * 9.81 / (1.225 * 400.0 * brick.size[0] * brick.size[1]))
    exact = -final * np.tanh(9.81 * run.time / final)
    assert np.abs(run["brick.body.velocity"][:, 2] - exact).max() < 1e-10


def test_drag_depends_on_the_attitude():
    """On edge the brick falls faster than flat: steady speeds as the square root of the areas."""
    speeds = []
    for orientation in ((1.0, 0.0, 0.0, 0.0), (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)):
        _, run = fall(ground=False, drag_coefficient=400.0, orientation=orientation, duration=5.0, frames=5.0)
        speeds.append(-run["brick.body.velocity"][-1, 2])
    assert speeds[1] / speeds[0] == pytest.approx(math.sqrt(0.115 / 0.071), rel=1e-9)


def test_wind_carries_the_brick_to_its_own_speed():
    """Linear drag and wind W along x: v_x = W (1 - exp(-f t/m))."""
    _, run = fall(ground=False, linear_drag=2.0, wind=(5.0, 0.0, 0.0))
    assert np.abs(run["brick.body.velocity"][:, 0] + 5.0 * np.expm1(-2.0 * run.time / 3.5)).max() < 1e-10


def test_bounce_keeps_the_given_part_of_the_speed():
    """Falling flat from h: after the bounce it rises to e^2 h; e holds at 1 m/s, where the drop height is 1/(2 g)."""
    height = 1.0 / (2.0 * 9.81)
    brick, run = fall(
        position=(0.0, 0.0, 0.0355 + height),
        duration=0.2,
        frames=0.0005,
        tolerance=1e-10,
        restitution=0.4,
        friction=0.0,
        stiffness=2e8,
    )
    speed = run["brick.body.velocity"][:, 2]
    # Hunt-Crossley's damping for a restitution is exact for the law; gravity takes g times the contact time of
    # pi sqrt(m / 4 k) = 0.2 ms, and the frames miss the peak by g * 0.5 ms.
    assert speed.max() == pytest.approx(0.4, abs=0.008)
    assert brick.size[2] / 2 == 0.0355


def test_sliding_stops_where_friction_has_eaten_the_energy():
    """On the ground with v0: distance v0^2/(2 mu g).

    Smoothing over s = 1 mm/s adds (s/v0)^2 ln(2 v0/s), 8e-6 of it; the brick pitches by its sink over its length, 1e-4.
    """
    sink = 3.5 * 9.81 / (4.0 * 2e5)
    _, run = fall(
        position=(0.0, 0.0, 0.0355 - sink), velocity=(1.0, 0.0, 0.0), friction=0.5, duration=0.5, frames=0.01,
        tolerance=1e-9,
    )  # fmt: skip
    assert run["brick.body.position"][-1, 0] == pytest.approx(1.0 / (2.0 * 0.5 * 9.81), rel=1e-4)
    assert abs(run["brick.body.velocity"][-1, 0]) < 1e-3


def test_a_tumbling_brick_comes_to_rest_on_a_face_and_loses_energy_on_the_way():
    brick, run = fall(
        position=(0.0, 0.0, 0.5),
        orientation={"axis": (1.0, 0.3, 0.2), "angle": 0.8},
        velocity=(1.0, 0.0, 0.0),
        omega=(1.0, 2.0, 3.0),
        drag_coefficient=1.0,
        duration=4.0,
        frames=0.02,
        tolerance=1e-8,
    )
    assert np.abs(run["brick.body.velocity"][-1]).max() < 1e-4
    assert np.abs(run["brick.body.omega"][-1]).max() < 1e-3
    heights = np.array(brick.size) / 2.0
    sink = 3.5 * 9.81 / (4.0 * 2e5)
    assert np.abs(run["brick.body.position"][-1, 2] - heights + sink).min() < 1e-5
    assert np.all(np.diff(run["energy.total"]) < 1e-6)  # the audit's own error at this tolerance
    assert np.abs(run["energy.residual"]).max() < 1e-6


def test_bad_bricks_are_refused():
    with pytest.raises(InputError, match="must be positive"):
        Brick("b", size=(0.1, -0.1, 0.1)).checked()
    with pytest.raises(InputError, match="three numbers"):
        Brick("b", wind=(1.0, 2.0)).checked()
    with pytest.raises(InputError, match="far from unit length"):
        ct.System().add(Brick("b", orientation=(1.0, 1.0, 0.0, 0.0)))
