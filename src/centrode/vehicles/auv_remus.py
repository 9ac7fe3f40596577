r"""A vehicle like the REMUS 100: a second set of data for the AUV, with a full mass matrix and quadratic damping.

Source: T. Prestero, "Verification of a six-degree of freedom simulation model for the REMUS autonomous underwater
vehicle", MIT/WHOI (2001): mass 30.48 kg, inertia (0.177, 3.45, 3.45), added mass X_u' -0.93, Y_v' = Z_w' -35.5, K_p'
-0.0704, M_q' = N_r' -4.88, Y_r' = N_v' 1.93, Z_q' = M_w' -1.93; X_u|u| -1.62; combined coefficients Y_uv = Z_uw -28.6,
M_uw 24.0, N_uv -24.0. "Like" means that the combined coefficients are taken apart, because here the fins are parts of
their own and the Munk moment and its companions follow from the mass matrix:

    M_uw = 24.0 = -(Z_w' - X_u') [34.57] + body lift + fins [-6.15]        =>  body lift -4.42 kg, N_uv +4.42
    Y_uv = -28.6 = body lift + fins [-9.64]                                =>  body lift -18.96 kg/m, Z_uw the same
    X_u|u|: fins at zero lift bring 0.108 of the 1.62 kg/m                 =>  hull 1.51

Cross-flow drag: the printed Y_v|v| (1310) and Z_w|w| (131) cannot both be right for a body of revolution; strip theory
(1/2 rho 1.1 times the side area) gives the smaller, which is taken for both. N_r|r| = -94 and M_q|q| = -188 as printed.
Weight and buoyancy are both 299 N here (neutral trim). Fins: 6.65e-3 m2 each, effective aspect ratio 2.21, x = -0.638.
With these coefficients straight motion without a helmsman is unstable (Y_uv N_ur < N_uv (Y_ur - m)): a small turn grows
until the quadratic damping holds it, which the spiral manoeuvre shows as a hysteresis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.parts.part import quantity
from centrode.vehicles.auv import Auv

_M, _ZG = 30.48, 0.0196
MASS = (
    (_M + 0.93, 0.0, 0.0, 0.0, _M * _ZG, 0.0),
    (0.0, _M + 35.5, 0.0, -_M * _ZG, 0.0, -1.93),
    (0.0, 0.0, _M + 35.5, 0.0, 1.93, 0.0),
    (0.0, -_M * _ZG, 0.0, 0.177 + 0.0704, 0.0, 0.0),
    (_M * _ZG, 0.0, 1.93, 0.0, 3.45 + 4.88, 0.0),
    (0.0, -1.93, 0.0, 0.0, 0.0, 3.45 + 4.88),
)
"""Rigid body and added mass about the centre of buoyancy [kg, kg m, kg m2]."""


@dataclass(frozen=True)
class AuvRemus(Auv):
    """Underwater vehicle like the REMUS 100."""

    kind: ClassVar[str] = "auv-remus"

    mass_matrix: Any = quantity("1", "total mass, 6 x 6 [kg, kg*m, kg*m2]", MASS)
    linear: Any = quantity("1", "linear damping, 6 or 6 x 6 [N*s/m, N*m*s]", (0.0,) * 6)
    quadratic: Any = quantity(
        "1", "quadratic damping, 6 or 6 x 6 [N*s2/m2, N*m*s2]", (1.51, 131.0, 131.0, 0.13, 188.0, 94.0)
    )
    yur: float = quantity("kg", "sway force per forward speed and yaw rate beside fins and Coriolis terms", 0.0)
    speed_terms: Any = quantity(
        "1",
        "terms with the forward speed, rows (i, j, coefficient)",
        ((2, 2, -18.96), (3, 3, -18.96), (5, 3, -4.42), (6, 2, 4.42)),
    )
    weight: float = quantity("N", "weight", 299.0, minimum=0.0)
    buoyancy: float = quantity("N", "buoyancy", 299.0, minimum=0.0)
    centre_of_gravity: tuple[float, float, float] = quantity("m", "in hull axes", (0.0, 0.0, _ZG))
    fin_area: float = quantity("m2", "reference area of a fin", 6.65e-3, positive=True)
    fin_station: float = quantity("m", "x of the fin stock in hull axes", -0.638)
    fin_radius: float = quantity("m", "distance of the pressure centre from the hull axis", 0.11, minimum=0.0)
    fin_aspect_ratio: float | None = quantity("1", "effective aspect ratio, for finite span", 2.21, positive=True)
    fin_lag: float = quantity("s", "time constant of the fins; 0 for none", 0.1, minimum=0.0)
    thrust: float = quantity("N", "thrust at the start (force law)", 3.86)
    thruster_station: float = quantity("m", "x of the thruster in hull axes", -0.70)
    propeller_diameter: float = quantity("m", "diameter of the propeller", 0.14, positive=True)
    density: float = quantity("kg/m3", "density of the water", 1030.0, positive=True)
    cylinder: float = quantity("m", "length of the cylinder", 0.654, positive=True)
    nose: float = quantity("m", "length of the nose", 0.191, positive=True)
    tail: float = quantity("m", "length of the tail", 0.35, positive=True)
    diameter: float = quantity("m", "diameter of the hull", 0.191, positive=True)
    fin_chord: float = quantity("m", "root chord of a fin, for drawing", 0.09, positive=True)
    fin_span: float = quantity("m", "span of a fin, for drawing", 0.1, positive=True)
