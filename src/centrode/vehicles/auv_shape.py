"""The drawn AUV: hull with nose and tail, fins of the lecture's polygon, propeller."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.visual import Visual, VisualMesh, VisualPropeller, vector

SIDES = 32
RATE_PER_THRUST = 6.0
"""How fast the propeller is drawn turning where only its thrust is known [rad/s per N]."""


def auv_visuals(auv: Any) -> list[Visual]:
    """Shapes on the hull, in hull axes (x forward, y starboard, z down)."""
    hull = hull_mesh(auv.cylinder, auv.nose, auv.tail, 0.5 * auv.diameter)
    found: list[Visual] = [VisualMesh(auv.hull, *hull, flat=False, colour="yellow")]
    root = max(0.0, auv.fin_radius - 0.3889 * auv.fin_span)  # the polygon's centroid lies at 0.3889 of its span
    followed = "output" if auv.fin_lag > 0.0 else "command"
    for name, angle in zip(auv.fin_names, auv.fin_angles, strict=True):
        span = np.array([0.0, math.cos(angle), math.sin(angle)])
        frame = np.column_stack([[1.0, 0.0, 0.0], span, np.cross([1.0, 0.0, 0.0], span)])
        place = np.array([auv.fin_station, 0.0, 0.0]) + root * span
        turned, mesh = tuple(quaternion_from_matrix(frame).tolist()), fin_mesh(auv.fin_chord, auv.fin_span)
        fin = VisualMesh(auv.hull, *mesh, position=vector(place), rotation=turned, colour="signal")
        follows = f"{name}.{followed}"  # right-handed about the outward span
        found.append(dataclasses.replace(fin, turn_channel=follows, turn_axis=(0.0, 1.0, 0.0)))
    place = np.array([auv.thruster_station + 0.035, 0.0, 0.0])
    radius, channel = 0.5 * auv.propeller_diameter, "output" if auv.thruster_lag > 0.0 else "command"
    screw = VisualPropeller(auv.hull, radius=radius, blades=3, position=vector(place), colour="dark")
    scale = 2.0 * math.pi if auv.propeller_rate is not None else RATE_PER_THRUST
    return [*found, dataclasses.replace(screw, rate_channel=f"{auv.thruster}.{channel}", rate_scale=scale)]


def hull_mesh(cylinder: float, nose: float, tail: float, radius: float) -> tuple[list[list[float]], list[list[int]]]:
    """Body of revolution about x: half-ellipsoid nose, cylinder, cone tail; vertices [m] and triangles."""
    angles = np.linspace(0.0, 0.5 * math.pi, 9)
    profile = [(0.5 * cylinder + nose * math.cos(a), radius * math.sin(a)) for a in angles]
    profile += [(-0.5 * cylinder, radius), (-0.5 * cylinder - tail, 0.0)]
    turns = [2.0 * math.pi * k / SIDES for k in range(SIDES)]
    vertices = [[x, r * math.cos(turn), r * math.sin(turn)] for x, r in profile for turn in turns]
    faces = []
    for ring in range(len(profile) - 1):
        for k in range(SIDES):
            a, b = ring * SIDES + k, ring * SIDES + (k + 1) % SIDES
            c, d = a + SIDES, b + SIDES
            faces += [[a, c, b], [b, c, d]]
    return vertices, faces


def fin_mesh(chord: float, span: float, thickness: float = 0.008) -> tuple[list[list[float]], list[list[int]]]:
    """Trapezoid of the lecture: leading edge at chord/3 with half the span, trailing edge at -2/3 chord with the whole.

    Own axes: x towards the leading edge, y outward span.
    """
    outline = [(chord / 3.0, 0.0), (chord / 3.0, 0.5 * span), (-2.0 * chord / 3.0, span), (-2.0 * chord / 3.0, 0.0)]
    half = 0.5 * thickness
    vertices = [[x, y, z] for z in (half, -half) for x, y in outline]
    faces = [[0, 1, 2], [0, 2, 3], [6, 5, 4], [7, 6, 4]]
    for k in range(4):
        n = (k + 1) % 4
        faces += [[k, k + 4, n], [n, k + 4, n + 4]]
    return vertices, faces
