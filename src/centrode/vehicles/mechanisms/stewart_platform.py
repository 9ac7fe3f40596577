"""Stewart platform: a plate on six legs of prescribed length.

Each leg is a cylinder on a universal joint, a rod that slides in it, and a ball joint at the plate. Base and platform
joints stand on circles; leg k joins base angle b_k and platform angle p_k, mirrored in pairs, so that legs of equal
length l carry the plate straight up:

    h = sqrt(l^2 - q^2),   q the horizontal distance of a leg's ends                                (1)
"""

from __future__ import annotations

import math

import numpy as np

from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.joints.ball import Ball
from centrode.parts.joints.motion import Motion
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.universal import Universal
from centrode.parts.signals.signal import SignalHarmonic
from centrode.system.builder import System

BASE_RADIUS = 1.0
PLATE_RADIUS = 0.6
HEIGHT = 1.2
BASE_ANGLES = (-10.0, 10.0, 110.0, 130.0, 230.0, 250.0)
PLATE_ANGLES = (-50.0, 50.0, 70.0, 170.0, 190.0, 290.0)
"""Of the joints [deg]; neighbours pair up across the mirror planes."""


def stewart_platform(amplitude: float = 0.1, frequency: float = 1.0, tilt: float = 0.0) -> System:
    """Platform whose legs stretch by ``amplitude`` sin(2 pi ``frequency`` t), all alike.

    Args:
        amplitude: of the stretch [m].
        frequency: [Hz].
        tilt: further amplitude [m] of a wave that runs around the legs: the plate then tilts and sways.
    """
    system = System("Stewart platform")
    turn = 2.0 * math.pi * frequency
    system.add(RigidBody("plate", 20.0, (2.0, 2.0, 3.5), position=(0.0, 0.0, HEIGHT)))
    for k in range(6):
        foot = _on_circle(BASE_RADIUS, BASE_ANGLES[k], 0.0)
        head = _on_circle(PLATE_RADIUS, PLATE_ANGLES[k], HEIGHT)
        along = (head - foot) / np.linalg.norm(head - foot)
        first = np.cross(along, [0.0, 0.0, 1.0])
        first /= np.linalg.norm(first)
        frame = np.column_stack([first, np.cross(along, first), along])
        orientation = tuple(map(tuple, frame.tolist()))
        for name, place in ((f"cylinder{k}", foot + 0.3 * along), (f"rod{k}", head - 0.3 * along)):
            position = tuple(place.tolist())
            system.add(RigidBody(name, 2.0, (0.06, 0.06, 0.002), position=position, orientation=orientation))
        low, high, axis, axis_first, axis_second = (
            tuple(vector.tolist()) for vector in (foot, head, along, first, frame[:, 1])
        )
        cylinder, rod = f"cylinder{k}", f"rod{k}"
        system.add(Universal(f"cross{k}", "ground", cylinder, at=low, axis=axis_first, cross_axis=axis_second))
        system.add(Prismatic(f"leg{k}", cylinder, rod, at=high, axis=axis))
        system.add(Ball(f"head{k}", rod, "plate", at=high))
        # One wave for all legs, and one that runs around; their sum is again a harmonic.
        shift = math.radians(60.0 * k)
        inphase, quadrature = amplitude + tilt * math.cos(shift), tilt * math.sin(shift)
        stretch = SignalHarmonic(math.hypot(inphase, quadrature), omega=turn, phase=math.atan2(quadrature, inphase))
        system.add(Motion(f"drive{k}", cylinder, rod, signal=stretch, coordinate="translation", at=high, axis=axis))
    return system


def leg_geometry() -> tuple[float, float]:
    """Length of the legs at the start and horizontal distance q of their ends, the same for all [m]."""
    distances = [
        float(np.linalg.norm(_on_circle(PLATE_RADIUS, p, 0.0) - _on_circle(BASE_RADIUS, b, 0.0)))
        for b, p in zip(BASE_ANGLES, PLATE_ANGLES, strict=True)
    ]
    return math.hypot(distances[0], HEIGHT), distances[0]


def _on_circle(radius: float, degrees: float, height: float) -> np.ndarray:
    angle = math.radians(degrees)
    return np.array([radius * math.cos(angle), radius * math.sin(angle), height])
