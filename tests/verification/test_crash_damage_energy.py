"""What tables and recordings say of a damage, against the motion of the car and against each other (barrier test)."""

from __future__ import annotations

import numpy as np
import pytest

from centrode.crash.measured import crashes
from centrode.jit import JIT_ON
from centrode.view.scene import scene_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT_ON, reason="thousands of steps need compiled kernels")]


@pytest.fixture(scope="module")
def run():
    return crashes.barrier()


def test_the_energy_of_a_car_that_hits_a_wall_is_what_its_motion_lost(run):
    vehicle = run.collisions[0].vehicle("car")
    mass = crashes.CARS["Camry"].mass
    velocity = run["car.velocity"][:, 0]
    lost = 0.5 * mass * (velocity[0] ** 2 - velocity[-1] ** 2)
    # Kinks of the columns and a step of 0.2 ms; measured 1e-3.
    assert vehicle.crush_energy == pytest.approx(lost, rel=5e-3)
    assert vehicle.ees == pytest.approx(np.sqrt(2.0 * lost / mass), rel=3e-3)
    # its size holds what goes up and down as well
    assert -vehicle.delta_v_along == pytest.approx(velocity[0] - velocity[-1], rel=1e-6)
    assert vehicle.mean_acceleration == pytest.approx(vehicle.delta_v_size / run.collisions[0].duration)


def test_the_trapezoids_of_c1_to_c6_give_the_same_energy(run):
    """CRASH3's formula knows no weak outer part: 0.65 of the width has full strength, the rest 0.27 of it."""
    vehicle = run.collisions[0].vehicle("car")
    damage = run.collisions.damage[1, "car"]
    share = 0.65 + 0.35 * 0.27
    # The outer part is crushed less than the mean, by the bow of the front: up to a tenth is between both.
    assert share * damage.profile_energy == pytest.approx(vehicle.crush_energy, rel=0.1)
    assert damage.code == "12FDEW3"


def test_recorded_crush_is_that_of_the_table(run):
    vehicle = run.collisions[0].vehicle("car")
    front = run["car.crush_front"]
    # The table knows every step, the recording its frames: at the greatest crush, where the force is 40 g, half
    # a frame of 1 ms changes it by a t^2 / 2.
    assert vehicle.crush - 0.5 * 400.0 * 0.0005**2 <= front.max() <= vehicle.crush * (1.0 + 1e-9)
    # 0.70 of the crush stays
    assert front[-1].max() == pytest.approx(0.7 * vehicle.crush, rel=1e-6)
    assert run["car.crush_rear"].max() == 0.0
    deepest = float(run.time[front.max(axis=1).argmax()])
    way = run["car.position"][:, 0]
    assert deepest == pytest.approx(float(run.time[way.argmax()]), abs=2e-3)  # two frames


def test_the_pulse_of_the_table_is_that_of_the_test(run):
    """Measured velocities of NHTSA 10146 every 10 ms; the same bound as for v(t) itself, 0.4 m/s rms."""
    pulse = run.collisions.pulses[0]
    measured = np.array(crashes.CAMRY_VELOCITY[: len(pulse.times)]) - crashes.CAMRY_SPEED
    assert np.sqrt(np.mean((pulse.along[: len(measured)] - measured) ** 2)) < 0.4
    # OLC of a front at 56 km/h is near 30 g (Euro NCAP and US NCAP cars: 25 to 35 g)
    assert 25.0 < pulse.olc / 9.80665 < 35.0


def test_the_viewer_is_told_of_the_dent(run):
    data = scene_of(run).data
    sides = data["dents"]
    assert [(side["axis"], side["way"]) for side in sides] == [(0, 1.0)]
    assert len(sides[0]["start"]) == 16
    assert "dents" in data["frames"]["blocks"]
