"""Cars on the engine against closed forms: loads, flight, slopes, braking, turning, frequencies, banks, roll-over.

Formulas: Gillespie, Fundamentals of Vehicle Dynamics (1992); Rajamani, Vehicle Dynamics and Control. Textbook cars are
linear: tyres of constant stiffness, stiff springs; tolerances name the effect that the textbook leaves out.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import centrode as ct
from centrode.parts.forces.carriage_record import found_under
from centrode.parts.roads.plane import RoadPlane
from centrode.parts.signals.signal import SignalSmoothStep
from centrode.parts.tyres.linear import TyreLinear
from centrode.running import Session, simulate
from centrode.system.settings import RunSettings
from centrode.vehicles.car.car import Car

G = 9.81
MASS, A, B = 1573.0, 1.034, 1.491
L = A + B
CF, CR = 50e3, 60e3  # per tyre [N/rad]


def textbook(name="car", **changes):
    """Rigid car on stiff springs with rolling wheels that stand parallel."""
    given = {
        "chassis": "rigid",
        "wheels": "rolling",
        "ackermann": False,
        "stiffness": 4e6,
        "damper": 4e4,
        "anti_roll": (0.0, 0.0),
        "stop_stiffness": 0.0,
        "rest_length": 0.3,
        "ride_height": 0.55,
        "rolling_resistance": 0.0,
    }
    given.update(changes)
    return Car(name, **given)


def linear_system(car, front=CF, rear=CR, friction=10.0, **road):
    system = ct.System()
    system.add(RoadPlane("road", **road))
    system.add(TyreLinear("front", front, 100e3, friction=friction))
    system.add(TyreLinear("rear", rear, 100e3, friction=friction))
    system.add(dataclasses.replace(car, road="road", tyre=("front", "rear")))
    return system


def loads_at_start(system, name="car.carriage"):
    session = Session(system, RunSettings(duration=1.0, audit=False))
    session.workspace.evaluate(0.0)
    return found_under(session.workspace, session.model, name)["load"], session


@pytest.mark.parametrize("chassis", ["rigid", "pseudo-rigid"])
@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_static_loads(chassis, slope):
    """Sum m g cos(slope); axles m g b/L and m g a/L. Stiff springs: the pitch of the sag, 1 mm over L, moves the
    centre of mass by 0.55 m * 4e-4 = 0.2 mm, 1e-4 of the lengths."""
    system = ct.System()
    system.add(RoadPlane("road", slope=slope))
    system.add(textbook(road="road", chassis=chassis, young=6e11))
    loads, _ = loads_at_start(system)
    weight = MASS * G * math.cos(slope)
    assert loads.sum() == pytest.approx(weight, rel=1e-6)
    if slope == 0.0:
        assert loads[:2].sum() == pytest.approx(weight * B / L, rel=2e-4)
        assert loads[2:].sum() == pytest.approx(weight * A / L, rel=2e-4)
    assert loads[0] == pytest.approx(loads[1], rel=1e-6)


def test_free_flight():
    """No wheel touches: parabola, constant spin about the principal axes of a dropped car, to the tolerance 1e-10."""
    system = ct.System()
    system.add(Car("car", chassis="rigid", equilibrium=False, ride_height=50.0, speed=20.0))
    body = system.parts["car.body"]
    system.replace(dataclasses.replace(body, omega=(0.3, 0.0, 0.0)))
    run = simulate(system, duration=2.0, tolerance=1e-10)
    t = run.time
    position = run["car.body.position"]
    assert np.abs(position[:, 2] - (50.0 - 0.5 * G * t**2)).max() < 1e-8
    assert np.abs(position[:, 0] - 20.0 * t).max() < 1e-8
    assert np.abs(run["car.body.omega"] - [0.3, 0.0, 0.0]).max() < 1e-9
    assert np.abs(run["energy.residual"]).max() < 1e-6 * run["energy.kinetic"][0]


@pytest.mark.parametrize("resistance", [0.0, 0.015])
def test_coast_on_slope(resistance):
    """Uphill a = -g (sin + c_r cos). The load is m g cos to a few 1e-4 while the springs settle."""
    slope = 0.08
    car = textbook(speed=20.0, rolling_resistance=resistance)
    run = simulate(linear_system(car, slope=slope), duration=2.0)
    v = np.linalg.norm(run["car.body.velocity"], axis=1)
    expected = 20.0 - 2.0 * G * (math.sin(slope) + resistance * math.cos(slope))
    assert v[-1] == pytest.approx(expected, abs=1e-6 if resistance == 0.0 else 2e-3)


@pytest.mark.parametrize("slope", [0.0, 0.05])
def test_braking_distance_and_load_transfer(slope):
    """Locked wheels slide: d = v^2 / (2 g (mu cos + sin)); the wheels need about 0.06 s to lock, 0.5 % of the way.

    Load transfer m a h / L with a = mu g cos, h the height of the centre of mass."""
    mu, v = 0.7, 25.0
    car = textbook(speed=v, wheels="spin", brake=1.0, brake_torque=4e4, relaxation=(0.1, 0.05))
    system = linear_system(car, friction=mu, slope=slope)
    wanted = v * v / (2.0 * G * (mu * math.cos(slope) + math.sin(slope)))
    run = simulate(system, duration=5.0)
    way = np.linalg.norm(run["car.body.position"] - run["car.body.position"][0], axis=1)
    assert way.max() == pytest.approx(wanted, rel=0.015)
    session = Session(system, RunSettings(duration=1.5, audit=False))
    session.advance(np.array([1.5]))
    session.workspace.evaluate(1.5)
    loads = found_under(session.workspace, session.model, "car.carriage")["load"]
    normal = np.array([-math.sin(slope), 0.0, math.cos(slope)])
    height = float(session.workspace["pose"][0, :3] @ normal)
    # Moments about the centre of mass: sliding friction mu m g cos at the arm h.
    front = MASS * G * math.cos(slope) * (B + mu * height) / L
    assert loads[:2].sum() == pytest.approx(front, rel=3e-3)


def test_low_speed_turn():
    """R = L / tan(delta) at the middle of the rear axle, which does not move sideways."""
    delta = 0.3
    car = textbook(speed=1.0, steer=delta, ackermann=True, relaxation=(0.05, 0.05))
    run = simulate(linear_system(car, 2e6, 2e6), duration=3.0)
    omega = run["car.body.omega"][-1, 2]
    w, x, y, z = run["car.body.orientation"][-1]
    yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    v = run["car.body.velocity"][-1]
    forward = v[0] * math.cos(yaw) + v[1] * math.sin(yaw)
    left = v[1] * math.cos(yaw) - v[0] * math.sin(yaw)
    assert forward / omega == pytest.approx(L / math.tan(delta), rel=2e-3)
    assert left - B * omega == pytest.approx(0.0, abs=2e-3)


UNDERSTEER = MASS / L * (B / (2 * CF) - A / (2 * CR))


@pytest.mark.parametrize("v", [10.0, 25.0])
def test_steady_cornering_and_gains(v):
    """delta = L/R + K a_y, r/delta = v/(L + K v^2), beta/delta = (b - m a v^2/(L C_r))/(L + K v^2).

    Small angles: delta = 2 mrad leaves terms of 1e-6; the tyre drag of the steered wheels slows the car by 0.1 %."""
    delta = 0.002
    run = simulate(
        linear_system(textbook(speed=v, steer=SignalSmoothStep(0.0, 0.5, 0.0, delta))), duration=6.0, tolerance=1e-8
    )
    rate = run["car.body.omega"][-1, 2]
    velocity = run["car.body.velocity"][-1]
    w, x, y, z = run["car.body.orientation"][-1]
    yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    speed = math.hypot(velocity[0], velocity[1])
    beta = math.atan2(velocity[1], velocity[0]) - yaw
    assert rate / delta == pytest.approx(speed / (L + UNDERSTEER * speed**2), rel=2e-3)
    assert delta == pytest.approx(L * rate / speed + UNDERSTEER * speed * rate, rel=2e-3)
    gain = (B - MASS * A * speed**2 / (L * 2 * CR)) / (L + UNDERSTEER * speed**2)
    assert beta / delta == pytest.approx(gain, rel=1e-2, abs=2e-3)


def test_critical_speed():
    """An oversteering car (K < 0): a small yaw rate dies below v_crit = sqrt(-L/K) and grows above."""
    front, rear = 70e3, 25e3
    k = MASS / L * (B / (2 * front) - A / (2 * rear))
    assert k < 0.0
    critical = math.sqrt(-L / k)
    for share, grows in ((0.93, False), (1.07, True)):
        system = linear_system(textbook(speed=share * critical), front, rear)
        body = system.parts["car.body"]
        system.replace(dataclasses.replace(body, omega=(0.0, 0.0, 1e-3)))
        run = simulate(system, duration=8.0, tolerance=1e-9)
        rate = np.abs(run["car.body.omega"][:, 2])
        late = rate[run.time > 6.0].mean() / rate[(run.time > 1.0) & (run.time < 3.0)].mean()
        assert (late > 1.2) if grows else (late < 0.85), (share, late)


def test_yaw_eigenvalues():
    """The response to a yaw rate is that of the two-degree-of-freedom model; relaxation of 1 cm delays by 0.5 ms of
    a motion with 10 rad/s: 0.5 %."""
    v, inertia = 20.0, 2782.0
    cf, cr = 2 * CF, 2 * CR
    matrix = np.array(
        [
            [-(cf + cr) / (MASS * v), -1 - (A * cf - B * cr) / (MASS * v * v)],
            [-(A * cf - B * cr) / inertia, -(A * A * cf + B * B * cr) / (inertia * v)],
        ]
    )
    system = linear_system(textbook(speed=v, relaxation=(0.01, 0.01)))
    system.replace(dataclasses.replace(system.parts["car.body"], omega=(0.0, 0.0, 1e-3)))
    run = simulate(system, duration=1.0, frames=0.05, tolerance=1e-9)
    values, vectors = np.linalg.eig(matrix)
    start = np.linalg.solve(vectors, np.array([0.0, 1e-3]))
    expected = np.array([(vectors @ (np.exp(values * t) * start)).real[1] for t in run.time])
    assert np.abs(run["car.body.omega"][:, 2] - expected).max() < 0.012e-3


def zero_crossings(time, values):
    """Instants at which a series rises through zero, by straight lines."""
    k = np.nonzero((values[:-1] < 0) & (values[1:] >= 0))[0]
    return time[k] - values[k] * (time[k + 1] - time[k]) / (values[k + 1] - values[k])


@pytest.mark.parametrize("mode", ["bounce", "pitch", "roll"])
def test_bounce_pitch_and_roll_frequency(mode):
    """A symmetric undamped car at rest; small motion, so nonlinear terms are below 1e-3.

    Roll about the axis at the assembly points, h below the centre of mass: (k t^2 - m g h)/(I + m h^2)."""
    k, arm, track, h = 40e3, 1.25, 1.5, 0.25
    car = textbook(
        stiffness=k,
        damper=0.0,
        front=arm,
        rear=arm,
        track=track,
        drop=h,
        rest_length=0.4,
        force_point="assembly",
        wheels="spin",
        brake=1.0,
        brake_torque=1e6,
        relaxation=(0.1, 0.1),
    )
    system = linear_system(car, 1e6, 1e6, friction=50.0)
    body = system.parts["car.body"]
    kick = {
        "bounce": {"velocity": (0.0, 0.0, 0.02)},
        "pitch": {"omega": (0.0, 0.01, 0.0)},
        "roll": {"omega": (0.01, 0, 0)},
    }
    system.replace(dataclasses.replace(body, **kick[mode]))
    run = simulate(system, duration=6.0, frames=0.005, tolerance=1e-8)
    series = {
        "bounce": run["car.body.velocity"][:, 2],
        "pitch": run["car.body.omega"][:, 1],
        "roll": run["car.body.omega"][:, 0],
    }[mode]
    instants = zero_crossings(run.time, series)
    frequency = (len(instants) - 1) / (instants[-1] - instants[0])
    square = {
        "bounce": 4 * k / MASS,
        "pitch": (4 * k * arm**2 - MASS * G * h) / (2594.6 + MASS * h * h),
        "roll": (k * track**2 - MASS * G * h) / (479.6 + MASS * h * h),
    }[mode]
    assert frequency == pytest.approx(math.sqrt(square) / (2 * math.pi), rel=5e-3)


def test_log_decrement_of_the_bounce():
    """zeta = c / (2 sqrt(k m)) of all four struts together."""
    k, c = 40e3, 1000.0
    car = textbook(stiffness=k, damper=c, front=1.25, rear=1.25, rest_length=0.4, speed=1.0)
    system = linear_system(car)
    system.replace(dataclasses.replace(system.parts["car.body"], velocity=(1.0, 0.0, 0.05)))
    run = simulate(system, duration=3.0, frames=0.002, tolerance=1e-9)
    speed = run["car.body.velocity"][:, 2]
    peaks = [
        n for n in range(1, len(speed) - 1) if speed[n] > speed[n - 1] and speed[n] >= speed[n + 1] and speed[n] > 0
    ]
    decrement = math.log(speed[peaks[0]] / speed[peaks[1]])
    zeta = decrement / math.hypot(2 * math.pi, decrement)
    assert zeta == pytest.approx(4 * c / (2 * math.sqrt(4 * k * MASS)), rel=2e-2)


def test_wheel_hop():
    """An unsprung mass between two springs, guided by a slider: sqrt((k_s + k_t)/m_u) / 2 pi, about 10 Hz."""
    ks, kt, mass = 25e3, 190e3, 40.0
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    from centrode.parts.bodies.rigid import RigidBody
    from centrode.parts.forces.spring import Spring
    from centrode.parts.joints.prismatic import Prismatic

    system.add(
        RigidBody("wheel", mass=mass, inertia=(1.0, 1.0, 1.0), position=(0.0, 0.0, 0.3), velocity=(0.0, 0.0, 0.1))
    )
    system.add(Prismatic("guide", system.ground, "wheel", at=(0.0, 0.0, 0.3), axis=(0.0, 0.0, 1.0)))
    system.add(Spring("strut", "wheel", system.ground, stiffness=ks, point_b=(0.0, 0.0, 0.9), length=0.6))
    system.add(Spring("tyre", "wheel", system.ground, stiffness=kt, point_b=(0.0, 0.0, 0.0), length=0.3))
    run = simulate(system, duration=2.0, frames=0.001, tolerance=1e-10)
    instants = zero_crossings(run.time, run["wheel.velocity"][:, 2])
    frequency = (len(instants) - 1) / (instants[-1] - instants[0])
    assert frequency == pytest.approx(math.sqrt((ks + kt) / mass) / (2 * math.pi), rel=1e-4)


def test_roll_over_threshold():
    """On a bank the uphill side carries m g (cos/2 - h sin/T): nothing at tan(bank) = T/(2 h), the static threshold.

    Stiff springs roll by 1e-3 rad, which moves the centre of mass by 0.5 mm of 750 mm."""
    track, height = 1.5, []
    for bank in (0.3, 0.6):
        system = linear_system(textbook(stiffness=4e7, damper=4e5, track=track, brake=1.0, wheels="spin"), bank=bank)
        loads, session = loads_at_start(system)
        normal = np.array([0.0, -math.sin(bank), math.cos(bank)])
        h = float(session.workspace["pose"][0, :3] @ normal)
        height.append(h)
        upper = loads[0] + loads[2]  # positive bank lowers the right side
        expected = MASS * G * (0.5 * math.cos(bank) - h * math.sin(bank) / track)
        assert upper == pytest.approx(expected, abs=2e-3 * MASS * G)
    assert math.atan(track / (2 * height[0])) > 0.6


@pytest.mark.parametrize("chassis", ["rigid", "pseudo-rigid"])
@pytest.mark.parametrize(("slope", "bank"), [(math.atan(0.1), 0.0), (0.0, math.radians(10.0))])
def test_rest_stays_rest(chassis, slope, bank):
    """A braked car on a 10 % slope and on a 10 degree bank: less than 1 mm in 60 s, and no chatter."""
    system = ct.System()
    system.add(RoadPlane("road", slope=slope, bank=bank))
    system.add(Car("car", road="road", chassis=chassis, brake=1.0))
    run = simulate(system, duration=60.0, tolerance=1e-6)
    position = run["car.body.position"]
    assert np.abs(position - position[0]).max() < 1e-3
    assert np.abs(run["car.body.velocity"]).max() < 1e-4


def test_rigid_limit():
    """A stiffer chassis comes closer to the rigid one, in proportion to 1/E."""

    def end(**more):
        system = ct.System()
        system.add(Car("car", speed=15.0, steer=SignalSmoothStep(0.1, 0.6, 0.0, 0.05), **more))
        return simulate(system, duration=1.0, tolerance=1e-8)["car.body.position"][-1]

    rigid = end(chassis="rigid")
    soft, stiff = end(young=6e8, damping=1e-3), end(young=6e9, damping=1e-4)
    assert np.linalg.norm(stiff - rigid) < 0.2 * np.linalg.norm(soft - rigid)
    assert np.linalg.norm(stiff - rigid) < 1e-3
