"""The single car of the MEDUSA report, eqs. (1.7) to (1.30), put together from the leaf kernels on a flat road.

40 states of the 1999 program with 28 derivatives each, model 1 of appendix C, g = 9.81. Tolerance 1e-8 max(|ref|, 1):
the elastic forces cancel from 1e8 N to some kN, which costs 5e-10 in the accelerations.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from centrode.jit import address_of, call_by_address, kernel
from centrode.parts.bodies.pseudo_rigid_energy import (
    director_forces,
    director_inertias,
    elastic_energy,
    lame_constants,
)
from centrode.parts.roads.contract import ROAD_SIGNATURE, RoadPoint
from centrode.parts.roads.road_point import road_point
from centrode.parts.suspensions.strut import spring_energy, suspension_force
from centrode.parts.suspensions.wheel_slip import (
    wheel_force,
    wheel_heading,
    wheel_slip_original,
    wheel_velocity,
)
from centrode.parts.tyres.calspan import TyreCalspan, tyre_calspan
from centrode.parts.tyres.contract import TYRE_SIGNATURE
from centrode.parts.tyres.slip import lag_rate
from centrode.scenario.medusa.reader import read_models, read_platoon, read_road

DATA = Path(__file__).parent / "data"
TABLE = DATA / "medusa_equations_of_motion.csv"

MASS, INERTIA, YOUNG, POISSON, VOLUME = 1573.0, (479.6, 2594.6, 2782.0), 600.0e6, 0.30, 0.42
L1, L2, TRACK, H1, H2, REST = 1.034, 1.491, 1.2, 0.0, 0.0, 0.15
STIFFNESS, DAMPING, LAG_TIME, GRAVITY = (40000.0, 40000.0), (1500.0, 1200.0), 0.0016, 9.81
CORNERS = np.array(
    [[L1, TRACK / 2, -H1], [L1, -TRACK / 2, -H1], [-L2, TRACK / 2, -H2], [-L2, -TRACK / 2, -H2]]
)  # (1.11)


def car_rates(z, steer, driven, tyre_speed, tyre_row, normal=(0.0, 0.0, 1.0), road=(0.0, 0.0, 0.0)):
    """28 rates of the report's state vector (1.32) on a road plane."""
    r, d = z[0:3], z[3:12].reshape(3, 3)
    v, w = z[12:15], z[15:24].reshape(3, 3)
    lam, mu = lame_constants(YOUNG, POISSON)
    inertias = director_inertias(INERTIA)
    total = np.zeros(3)
    director = np.zeros((3, 3))
    lag = np.zeros(4)
    n = np.asarray(normal)
    for q in range(4):
        axle = q // 2
        frame = wheel_heading(*d[0], *n, steer if axle == 0 else 0.0)
        point, velocity = r + CORNERS[q] @ d, v + CORNERS[q] @ w  # (1.2), (1.18)
        fz, lifted = suspension_force(
            STIFFNESS[axle], DAMPING[axle], REST, float((point - road) @ n), float(velocity @ n)
        )
        if lifted:
            continue
        ahead, left = wheel_velocity(*velocity, *frame)
        alpha, s = wheel_slip_original(ahead, -left, tyre_speed, bool(driven) and axle == 0)
        slip = -s if ahead >= 0 else s
        fx, fy, _ = tyre_calspan(tyre_row, fz, -z[24 + q], slip, 0.0, ahead)
        force = np.array(wheel_force(fx, fy, fz, *frame, *n))
        total += force
        director += np.outer(CORNERS[q], force)
        lag[q] = lag_rate(alpha, z[24 + q], LAG_TIME)
    k = np.array(director_forces(lam, mu, VOLUME, *d.ravel())).reshape(3, 3)
    acceleration = total / MASS - np.array([0.0, 0.0, GRAVITY])
    return np.concatenate([z[12:24], acceleration, ((director - k) / np.array(inertias)[:, None]).ravel(), lag])


def test_equations_of_motion_of_the_report():
    rows = np.genfromtxt(TABLE, delimiter=",", skip_header=1)
    tyre_row = TyreCalspan("goodyear", original=True).pack()
    assert len(rows) == 40
    for index, row in enumerate(rows):
        got = car_rates(row[3:31], row[0], row[1], row[2], tyre_row)
        ref = row[31:59]
        error = np.max(np.abs(got - ref) / np.maximum(np.abs(ref), 1.0))
        assert error < 1e-8, f"row {index + 1}, component {np.argmax(np.abs(got - ref)) + 1}: {error:.2e}"


def initial_state(model, vehicle):
    """The 28 states (1.32) at the start, as section 4.5 of the report sets them: shape (28,).

    r (3), d1, d2, d3 (9), v (3), w1, w2, w3 (9), lagged slip angles (4); world frame. The listed equilibrium is
    turned by the heading, the velocity is SPEED along the heading, everything else rests.
    """
    heading = math.radians(vehicle.orientation_deg)
    c, s = math.cos(heading), math.sin(heading)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    state = np.zeros(28)
    state[:3] = vehicle.x, vehicle.y, model.r3
    state[3:12] = (np.array(model.directors) @ turn.T).ravel()
    state[12:14] = vehicle.speed * c, vehicle.speed * s
    return state


def banked_run(end, every=0.1):
    """The banked example with the integrator (1.52) without contact, fixed step 5e-5 s: rows (time, 28 states)."""
    models = read_models(DATA / "medusa_inputs" / "banked" / "model.dat")
    vehicle = read_platoon(DATA / "medusa_inputs" / "banked" / "platoon.dat").vehicles[0]
    table = read_road(DATA / "medusa_inputs" / "banked" / "road.dat").part(original=True).table()
    tyre_row = TyreCalspan("goodyear", original=True).pack()
    z, hint, dt, rows = initial_state(models[vehicle.model], vehicle), 0.0, 5e-5, []
    per_row = round(every / dt)
    for step in range(1, round(end / dt) + 1):
        z[:12] += dt * z[12:24]
        at = RoadPoint(*road_point(table, hint, *z[:3]))
        hint = at.s
        rates = car_rates(z, 0.0, vehicle.driven, vehicle.tire_speed, tyre_row, at.normal, at.position)
        z[12:] += dt * rates[12:]
        if step % per_row == 0:
            rows.append([step * dt, *z])
    return np.array(rows)


def test_first_stretch_of_the_banked_run():
    """Road, suspension, tyre and body together: within 1e-6 of the largest value of each channel in the whole run."""
    reference = np.genfromtxt(DATA / "medusa_run_banked.csv", delimiter=",", skip_header=1)
    largest = np.abs(reference[:, 2:30]).max(axis=0)
    rows = banked_run(0.3)
    assert len(rows) == 3
    for row, ref in zip(rows, reference[1:4], strict=True):
        assert row[0] == pytest.approx(ref[0], abs=1e-9)
        assert np.max(np.abs(row[1:] - ref[2:30]) / largest) < 1e-6


def test_total_energy_of_the_banked_run():
    """(1.33) and (1.34) for every row: kinetic, elastic, springs along E3, weight.

    All is printed to 12 digits: half a unit of the energy (1e5 J) is 5e-7 J, of the speed it gives m v 5e-12 = 1e-7 J,
    and of a director, times the elastic force (below 1e6 N in the listed state), 5e-7 J.
    """
    lam, mu = lame_constants(YOUNG, POISSON)
    inertias = np.array(director_inertias(INERTIA))
    for row in np.genfromtxt(DATA / "medusa_run_banked.csv", delimiter=",", skip_header=1):
        z = row[2:30]
        d, w = z[3:12].reshape(3, 3), z[15:24].reshape(3, 3)
        energy = 0.5 * MASS * z[12:15] @ z[12:15] + 0.5 * inertias @ (w**2).sum(axis=1) + MASS * GRAVITY * z[2]
        energy += elastic_energy(lam, mu, VOLUME, *d.ravel())
        for q in range(4):
            energy += spring_energy(STIFFNESS[q // 2], REST, z[2] + CORNERS[q] @ d[:, 2])
        assert energy == pytest.approx(row[30], abs=2e-6)


def test_tyre_and_road_kernels_are_reached_by_address():
    """The run loop knows kinds only by address; the answers are the same as by name."""
    tyre, road = TyreCalspan("goodyear"), read_road(DATA / "medusa_inputs" / "banked" / "road.dat").part()
    call_tyre, call_road = call_by_address(TYRE_SIGNATURE), call_by_address(ROAD_SIGNATURE)

    @kernel
    def through(tyre_at, row, road_at, table):
        forces = call_tyre(tyre_at, (row, 3000.0, 0.05, -0.1, 0.0, 20.0))
        point = call_road(road_at, (table, 0.0, 12.0, 1.0, 0.5))
        return forces, point

    forces, point = through(address_of(tyre_calspan), tyre.pack(), address_of(road_point), road.table())
    assert forces == tyre.forces(3000.0, 0.05, -0.1, 0.0, 20.0)
    assert point == road_point(road.table(), 0.0, 12.0, 1.0, 0.5)
