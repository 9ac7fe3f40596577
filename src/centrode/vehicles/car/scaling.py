"""Numbers of a car that follow from its mass and size, so that a car whose mass is changed stays one car.

Moments of inertia follow Bixel, Heydinger, Durisek, Guenther and Novak (SAE 950356), a fit to cars that NHTSA measured:

    I_x = (H + h) T m / 7.9846,   I_y = (H + h) L m / 5.2901,   I_z = T W m / 2.1942                        (1)

with the height H of the roof and h of the centre of mass, track T, length L and wheelbase W. (The yaw inertias of the
six cars with a known track in the data of NHTSA 4363, 4364, 4438 are those of (1) within 1 %.) What keeps the ride:

    springs, stops      in proportion to the load of the axle: the same natural frequency                   (2)
    dampers             in proportion to it too: c = 2 zeta sqrt(k m), the same damping ratio
    anti-roll bars      in proportion to m h / T^2: the same roll angle per lateral acceleration
    brakes, drive       in proportion to m R, power to m: the same accelerations
    volume of a deformable chassis  in proportion to m: the same natural frequencies

(2) and what follows are our rule, not a regression. A car of a class (:class:`Ride`) has no listed springs: they are
made from natural frequencies, a damping ratio and a roll gradient that are usual (Gillespie, Fundamentals of Vehicle
Dynamics, chapter 5: 1 to 1.5 Hz, damping ratios 0.2 to 0.4, the rear faster than the front; chapter 6: some 5 degrees
per g), and the height of the centre of mass from the static stability factor T / (2 h) of its class (NHTSA, DOT HS 809
868: cars 1.41, minivans 1.24, SUVs 1.17, in 2003). The figures of both sources are quoted from memory.

The three of (1) are fitted one by one, so a long wheelbase on a short car can ask for a yaw inertia that no body has.
Since I_x + I_y - I_z = 2 m s^2 with the vertical spread s of the mass, I_z is held at I_x + I_y - 2 m s^2 with

    s >= H / 10,                                                                                            (3)

a third of what evenly filled height would have (the listed car has 0.23 H).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from centrode.classes import dataclass

if TYPE_CHECKING:
    from centrode.vehicles.car.car import Car

PerAxle: TypeAlias = float | tuple[float, float] | None
"""One number for both axles, or one for front and rear."""
Values: TypeAlias = dict[str, float | tuple[float, ...]]

GRAVITY = 9.81
_ROLL, _PITCH, _YAW = 7.9846, 5.2901, 2.1942
_LEAST_SPREAD = 0.1
"""Vertical spread of a car's mass per height, at least (3)."""


@dataclass(frozen=True)
class Ride:
    """How a class of vehicles rides.

    Attributes:
        stability: static stability factor T / (2 h) [1].
        frequency: natural frequencies of front and rear on their springs [Hz].
        damping: damping ratio of both [1].
        roll_gradient: roll per lateral acceleration [rad per g].
        braking: deceleration that the brakes are made for [g].
        power: per mass [W/kg].
    """

    stability: float = 1.41
    frequency: tuple[float, float] = (1.3, 1.5)
    damping: float = 0.3
    roll_gradient: float = math.radians(5.0)
    braking: float = 1.1
    power: float = 65.0


def statistical_inertia(mass: float, size: tuple[float, float, float, float, float]) -> tuple[float, float, float]:
    """Roll, pitch and yaw inertia (1) [kg m2].

    Args:
        mass: [kg].
        size: length, wheelbase, track, height, and height of the centre of mass [m].
    """
    length, wheelbase, track, height, centre = size
    tall = height + centre
    return tall * track * mass / _ROLL, tall * length * mass / _PITCH, track * wheelbase * mass / _YAW


def of_a_body(inertia: tuple[float, float, float], mass: float, height: float) -> tuple[float, float, float]:
    """Roll, pitch and yaw inertia with the yaw inertia held at what a body of this height can have (3)."""
    roll, pitch, yaw = inertia
    return roll, pitch, min(yaw, roll + pitch - 2.0 * mass * (_LEAST_SPREAD * height) ** 2)


def pair(value: PerAxle) -> tuple[float, float]:
    """One number for both axles, or one for each."""
    if isinstance(value, list | tuple):
        return (float(value[0]), float(value[-1]))
    return (0.0, 0.0) if value is None else (float(value), float(value))


def size_of(car: Car | ListedCar, centre: float) -> tuple[float, float, float, float, float]:
    """What (1) asks of a car with its centre of mass at a height [m]."""
    return car.length, car.front + car.rear, sum(pair(car.track)) / 2.0, car.height, centre


def axle_masses(mass: float, front: float, rear: float) -> tuple[float, float]:
    """Masses that front and rear axle carry [kg]."""
    return mass * rear / (front + rear), mass * front / (front + rear)


LISTED_INERTIA, LISTED_HEIGHT = (479.6, 2594.6, 2782.0), 0.55
LISTED_SPRING, LISTED_DAMPER, LISTED_BARS, LISTED_DROP = 40000.0, 3000.0, (8000.0, 4000.0), 0.25
"""Inertia [kg m2], height of the centre of mass [m], springs [N/m], dampers [N s/m], bars [N/m] and drop [m] of the car
of model 1 in the MEDUSA report (1999), 1573 kg."""


@dataclass(frozen=True)
class ListedCar:
    """Mass and size of the car that the listed numbers belong to."""

    mass: float = 1573.0
    length: float = 4.0
    height: float = 1.3
    front: float = 1.034
    rear: float = 1.491
    track: float = 1.5
    radius: float = 0.3


def scaled(car: Car) -> Values:
    """Values of the listed car for another mass and size."""
    one = ListedCar()
    centre = LISTED_HEIGHT if car.cog_height is None else car.cog_height
    heavier = car.mass / one.mass
    axles = zip(axle_masses(car.mass, car.front, car.rear), axle_masses(one.mass, one.front, one.rear), strict=True)
    loads = [mine / listed for mine, listed in axles]
    mine = statistical_inertia(car.mass, size_of(car, centre))
    listed = statistical_inertia(one.mass, size_of(one, LISTED_HEIGHT))
    track = sum(pair(car.track)) / 2.0
    bars = heavier * (centre / LISTED_HEIGHT) * (one.track / track) ** 2
    turn = heavier * car.radius / one.radius
    roll, pitch, yaw = (i * a / b for i, a, b in zip(LISTED_INERTIA, mine, listed, strict=True))
    return {
        "inertia": of_a_body((roll, pitch, yaw), car.mass, car.height),
        "volume": 0.42 * heavier,
        "stiffness": tuple(k * q for k, q in zip(pair(LISTED_SPRING), loads, strict=True)),
        "damper": tuple(c * q for c, q in zip(pair(LISTED_DAMPER), loads, strict=True)),
        "anti_roll": tuple(bar * bars for bar in LISTED_BARS),
        "stop_stiffness": 200e3 * heavier,
        "drive_torque": 3000.0 * turn,
        "power": 100e3 * heavier,
        "brake_torque": 8000.0 * turn,
        "ride_height": centre,
    }


def of_class(car: Car, ride: Ride) -> Values:
    """Values of a car of a class."""
    track = sum(pair(car.track)) / 2.0
    centre = track / (2.0 * ride.stability) if car.cog_height is None else car.cog_height
    wheels = [0.5 * load for load in axle_masses(car.mass, car.front, car.rear)]
    stiffness = [m * (2.0 * math.pi * f) ** 2 for m, f in zip(wheels, ride.frequency, strict=True)]
    damper = [2.0 * ride.damping * math.sqrt(k * m) for k, m in zip(stiffness, wheels, strict=True)]
    weight = car.mass * GRAVITY
    # Springs give k T^2 / 2 each axle, bars b T^2; the moment m g h per g acts on what is left after the weight's own.
    wanted = weight * centre * (1.0 / ride.roll_gradient + 1.0)
    bars = max(wanted - 0.5 * sum(stiffness) * track**2, 0.0) / track**2
    return {
        "inertia": of_a_body(statistical_inertia(car.mass, size_of(car, centre)), car.mass, car.height),
        "volume": 0.42 * car.mass / ListedCar().mass,
        "stiffness": tuple(stiffness),
        "damper": tuple(damper),
        "anti_roll": (0.6 * bars, 0.4 * bars),
        "stop_stiffness": 5.0 * max(stiffness),
        "drive_torque": 0.4 * weight * car.radius,
        "power": ride.power * car.mass,
        "brake_torque": ride.braking * weight * car.radius,
        "ride_height": centre,
        "cog_height": centre,
    }


def level_drop(car: Car, centre: float, stiffness: PerAxle) -> tuple[float, float]:
    """Heights of the centre of mass over the assembly points with which the car stands level on its springs."""
    wheels = [0.5 * GRAVITY * load for load in axle_masses(car.mass, car.front, car.rear)]
    front, rear = (centre - (car.rest_length - f / k) for f, k in zip(wheels, pair(stiffness), strict=True))
    return front, rear
