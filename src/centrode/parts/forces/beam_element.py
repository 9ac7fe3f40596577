"""Beam element: elastic link of two cross-sections, straight at rest between them, for large turns and displacements.

The mean frame M lies half-way between the end frames A and B, so that nothing depends on which end is called a:

    A^T B = exp(phi),   M = A exp(phi/2);   r = p_b - p_a,  d = M^T r                                  (1)

phi has the same components in A, M and B. With u = d - (L, 0, 0) and the section's stiffnesses, all in axes of M,

    V = (EA u_x^2 + S_y u_y^2 + S_z u_z^2 + GJ phi_x^2 + EI_y phi_y^2 + EI_z phi_z^2) / (2 L)          (2)
    1/S_y = 1/(GA_y) + L^2/(12 EI_z),   1/S_z = 1/(GA_z) + L^2/(12 EI_y)                               (3)

(2) is the energy of the shear-flexible (Reissner) beam with the strains of the middle, Gamma = d/L - (1, 0, 0) and
kappa = phi/L (Simo and Vu-Quoc 1986, with the objective strains asked for by Crisfield and Jelenic 1999). Bending that
changes sign within the element is left out by such a one-point rule; (3) puts it back as a flexibility in series
(MacNeal 1978). For small strains (2) then is the 12 x 12 stiffness of the linear beam, exact for loads at its ends:
Euler-Bernoulli for GA = infinity, Timoshenko otherwise. As V depends on p_b - p_a and A^T B alone, a rigid motion costs
nothing and the state of stress knows no history; what is left out is of order L^2 (the arc is longer than its chord).

Rates, with w = M^T (w_b - w_a), t = |phi|, S = s I + (1 - s) n n^T, s = sin(t/2)/(t/2), n = phi/t:

    phi' = S^-1 w                                                                                       (4)
    w_m = M^T (w_a + w_b)/2 - q phi x w,   q = tan(t/4) / (2 t)                                        (5)
    d' = M^T (v_b - v_a) - w_m x d                                                                      (6)

(4): the left Jacobian of SO(3) is exp(phi/2) S, seen from M the turn is taken off. (5): w_m is w_a + J(-phi/2) phi'/2,
and w_b - J(phi/2) phi'/2 too, and so their mean, in which only the odd part of J is left. Section force and moment,
with a damping in proportion to the stiffness (time T), and by the principle of virtual work the wrenches:

    N = K_u (u + T d'),   m = K_phi (phi + T phi'),   g = d x N,   c = S^-1 m + q g x phi               (7)
    on b: force -N, torque g/2 - c;     on a: force N, torque g/2 + c                                   (8)

The power is -N . d' - m . phi' exactly, moments about any point add up to nothing. c is the bending moment in the
middle. The two sections may be turned by less than half a turn against each other.

Parameters: K_u (3), K_phi (3), L, T.

References: J. C. Simo, L. Vu-Quoc, Comput. Methods Appl. Mech. Eng. 58 (1986) 79-116; M. A. Crisfield, G. Jelenic,
Proc. R. Soc. A 455 (1999) 1125-1147; R. H. MacNeal, Comput. Struct. 8 (1978) 175-183.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.jit import step_kernel
from centrode.math.vector import (
    cross,
    dot,
    each,
    middle,
    minus,
    norm,
    opposite,
    plus_times,
    rotated,
    times,
    vector,
)
from centrode.parts.bodies.body import ChannelNote
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import ENERGY_SIGNATURE, FORCE_SIGNATURE, FRAME
from centrode.parts.markers import (
    between,
    ends,
    in_world,
    omega,
    position,
    push,
    relative_turn,
    seen_from,
    twist,
)
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, direction_field, unit_vector, world_marker
from centrode.parts.visual import Visual, VisualScene

TINY = 1e-12
"""Sine of half the turn below which its direction says nothing."""


@step_kernel
def figures(par):
    """Parameters of an element: K_u, K_phi, L, T."""
    return vector(par, 0), vector(par, 3), par[6], par[7]


@step_kernel
def half_way(markers, a, b):
    """exp(phi/2) as a quaternion, phi, t / sin(t/2) and sin(t/2) n of (1)."""
    w, v = relative_turn(markers, a, b)
    size = 1.0 / math.sqrt(w * w + dot(v, v))
    w, v = size * w, times(size, v)
    sine = norm(v)
    ratio = 2.0 * math.atan2(sine, w) / sine if sine > TINY else 2.0
    size = 1.0 / math.sqrt(2.0 + 2.0 * w)
    return (size * (1.0 + w), size * v[0], size * v[1], size * v[2]), times(ratio, v), ratio, v


@step_kernel
def unturned(half):
    """exp(-phi/2)."""
    return half[0], -half[1], -half[2], -half[3]


@step_kernel
def in_middle(markers, a, back, x):
    """M^T x, with ``back`` = exp(-phi/2)."""
    return rotated(back, seen_from(markers, a, x))


@step_kernel
def from_middle(markers, a, half, x):
    """M x."""
    return in_world(markers, a, rotated(half, x))


@step_kernel
def spread(ratio, v, x):
    """S^-1 x of (4): 1/s = ratio/2, n n^T = v v^T / v^2."""
    square = dot(v, v)
    along = (1.0 - 0.5 * ratio) / square if square > TINY * TINY else 0.0
    return plus_times(times(0.5 * ratio, x), along * dot(v, x), v)


@step_kernel(signature=FORCE_SIGNATURE)
def beam_wrench(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(4) to (8)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        stiff, turn_stiff, length, damping = figures(par[i])
        half, phi, ratio, v = half_way(markers, a, b)
        back = unturned(half)
        lag = 0.25 / (ratio * half[0] * half[0])  # q of (5), as half[0] = cos(t/4)
        r, dr = between(markers, a, b)
        d = in_middle(markers, a, back, r)
        strain, bend = (d[0] - length, d[1], d[2]), phi
        if damping != 0.0:
            wa, wb = omega(markers, a), omega(markers, b)
            w = in_middle(markers, a, back, minus(wb, wa))
            wm = plus_times(in_middle(markers, a, back, middle(wa, wb)), -lag, cross(phi, w))  # (5)
            rate = minus(in_middle(markers, a, back, dr), cross(wm, d))  # (6)
            strain = plus_times(strain, damping, rate)
            bend = plus_times(bend, damping, spread(ratio, v, w))  # (4)
        n = each(stiff, strain)  # (7)
        m = each(turn_stiff, bend)
        g = cross(d, n)
        c = plus_times(spread(ratio, v, m), lag, cross(g, phi))
        force = from_middle(markers, a, half, n)
        push(wrench, a, force)  # (8)
        push(wrench, b, opposite(force))
        twist(wrench, a, from_middle(markers, a, half, plus_times(c, 0.5, g)))
        twist(wrench, b, from_middle(markers, a, half, plus_times(opposite(c), 0.5, g)))


@step_kernel(signature=ENERGY_SIGNATURE)
def beam_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """(2)."""
    for i in range(first, first + count):
        a, b = ends(link, i)
        stiff, turn_stiff, length, _ = figures(par[i])
        half, phi, _, _ = half_way(markers, a, b)
        d = in_middle(markers, a, unturned(half), minus(position(markers, b), position(markers, a)))
        u = d[0] - length, d[1], d[2]
        stretched = dot(u, each(stiff, u))
        energy[i] = 0.5 * (stretched + dot(phi, each(turn_stiff, phi)))


@dataclass(frozen=True)
class BeamElement(Force):
    """Elastic piece of a beam between two bodies, free of stress as they stand at the start."""

    kind: ClassVar[str] = "beam-element"
    force_kernel = beam_wrench
    energy_kernel = beam_energy

    a: Any = quantity("", "first body, or point on it", refers_to="body")
    b: Any = quantity("", "second body, or point on it", refers_to="body")
    axial: float = quantity("N", "stiffness EA", positive=True)
    bending_y: float = quantity("N*m2", "stiffness EI_y about the section's y axis", positive=True)
    bending_z: float = quantity("N*m2", "stiffness EI_z about the section's z axis", positive=True)
    torsion: float = quantity("N*m2", "stiffness GJ", positive=True)
    shear_y: float | None = quantity(
        "N", "stiffness kGA along y; rigid when left out (Euler-Bernoulli)", None, positive=True
    )
    shear_z: float | None = quantity("N", "stiffness kGA along z; rigid when left out", None, positive=True)
    damping: float = quantity(
        "s", "strain rates count like strains, times this: of a mode w it damps w/2 of it", 0.0, minimum=0.0
    )
    side: tuple[float, ...] | None = direction_field(
        "direction of the section's y axis in the world at the start", None
    )
    point_a: tuple[float, ...] | None = quantity("m", "place on body a, in its frame, instead", None)
    point_b: tuple[float, ...] | None = quantity("m", "place on body b, in its frame, instead", None)

    def place(self, scene: Scene) -> Placement:
        (place_a, end_a), (place_b, end_b) = self.end(scene, "a"), self.end(scene, "b")
        length = float(np.linalg.norm(end_b - end_a))
        if length == 0.0:
            what = "the ends of a beam element must lie apart at the start"
            raise self.refusal("b", what, hint="point_a and point_b place them on their bodies")
        frame = section_axes(end_b - end_a, None if self.side is None else unit_vector(self.side, "side"), scene.plane)
        if frame is None:
            raise self.refusal("side", "the section's y axis lies along the beam", expected="a direction across it")
        shear = [
            1.0 / ((0.0 if given is None else 1.0 / given) + length**2 / (12.0 * bending))  # (3)
            for given, bending in ((self.shear_y, self.bending_z), (self.shear_z, self.bending_y))
        ]
        stiffness = np.array([self.axial, *shear, self.torsion, self.bending_y, self.bending_z]) / length
        return Placement(
            [world_marker(scene, place_a.body, end_a, frame), world_marker(scene, place_b.body, end_b, frame)],
            par=[*stiffness, length, self.damping],
        )

    def channels(self) -> list[ChannelNote]:
        return [
            ("force", "N", ("xyz",), "section", "in the middle of the element: axial (tension), shear along y and z"),
            ("moment", "N*m", ("xyz",), "section", "in the middle of the element: torsion, bending about y and z"),
        ]

    def observe(self, markers: np.ndarray, wrench: np.ndarray) -> dict[str, np.ndarray]:
        """N and c of (7) from the wrenches (8)."""
        frames = markers[:, :, FRAME : FRAME + 9].reshape(len(markers), 2, 3, 3)
        left, _, right = np.linalg.svd(frames.sum(axis=1))  # A + B = M 2 (I + cosine part): M is its rotation
        back = np.swapaxes(left @ right, 1, 2)
        moment = 0.5 * (wrench[:, 0, 3:] - wrench[:, 1, 3:])
        return {
            "force": np.einsum("fij,fj->fi", back, wrench[:, 0, :3]),
            "moment": np.einsum("fij,fj->fi", back, moment),
        }

    def visuals(self, scene: VisualScene) -> list[Visual]:
        return self.link_visuals(scene, "rod", 0.1)


def section_axes(along: np.ndarray, side: np.ndarray | None, plane: bool) -> np.ndarray | None:
    """Axes (columns x along, y, z) of a section; y across and level unless a side is given. None: side lies along."""
    x = along / np.linalg.norm(along)
    if side is None:
        up = np.array([0.0, 0.0, 1.0])
        side = np.cross(up, x) if plane or np.linalg.norm(np.cross(up, x)) > 1e-6 else np.array([0.0, 1.0, 0.0])
    across = side - (side @ x) * x
    if np.linalg.norm(across) < 1e-6:
        return None
    y = across / np.linalg.norm(across)
    return np.column_stack([x, y, np.cross(x, y)])
