r"""Cross-sections of beams: area, second moments, torsion constant and shear factors of simple shapes.

Axes: x along the beam, y and z across, through the centroid and along the axes of symmetry; a rectangle is ``width``
wide along y and ``height`` high along z. I_y = integral z^2 dA resists bending about y.

    circle      A = pi D^2/4,  I = pi D^4/64,  J = 2 I
    tube        the same, less that of the hole
    rectangle   A = b h,  I_y = b h^3/12,  I_z = h b^3/12,  with a the longer and c the shorter side
                J = a c^3 (1/3 - (64/pi^5)(c/a) sum over odd k of tanh(k pi a/(2 c)) / k^5)                     (1)

(1) is Saint-Venant's torsion of the rectangle (S. P. Timoshenko, J. N. Goodier, "Theory of Elasticity"). Shear factors
k (G. R. Cowper, J. Appl. Mech. 33 (1966) 335-340), nu Poisson's ratio, m = inner over outer diameter:

    circle      6 (1 + nu) / (7 + 6 nu)
    tube        6 (1 + nu)(1 + m^2)^2 / ((7 + 6 nu)(1 + m^2)^2 + (20 + 12 nu) m^2)
    rectangle   10 (1 + nu) / (12 + 11 nu)
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Section(NamedTuple):
    """A cross-section.

    Attributes:
        area: [m2].
        inertia_y, inertia_z: second moments of area [m4].
        torsion: torsion constant J [m4].
        shear: shear factor k [1]; infinite for a section that does not shear.
        reach_y, reach_z: from the centroid to the farthest fibre [m].
        round: whether it is drawn round.
    """

    area: float
    inertia_y: float
    inertia_z: float
    torsion: float
    shear: float
    reach_y: float
    reach_z: float
    round: bool = True


def circle(diameter: float, nu: float) -> Section:
    """Full circle."""
    return tube(diameter, 0.5 * diameter, nu)


def tube(diameter: float, wall: float, nu: float) -> Section:
    """Round tube of an outer diameter and a wall thickness [m]; a wall of half the diameter leaves no hole."""
    inner = diameter - 2.0 * wall
    second = math.pi * (diameter**4 - inner**4) / 64.0
    square = (1.0 + (inner / diameter) ** 2) ** 2
    slope = (7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * (inner / diameter) ** 2
    shear = 6.0 * (1.0 + nu) * square / slope
    area = math.pi * (diameter**2 - inner**2) / 4.0
    return Section(area, second, second, 2.0 * second, shear, 0.5 * diameter, 0.5 * diameter)


def rectangle(width: float, height: float, nu: float) -> Section:
    """Full rectangle, (1)."""
    long, short = max(width, height), min(width, height)
    odd = range(1, 40, 2)  # the next term is below 41^-5 = 1e-8 of the first, tanh of all but the first is 1 or nearly
    series = sum(math.tanh(0.5 * k * math.pi * long / short) / k**5 for k in odd)
    torsion = long * short**3 * (1.0 / 3.0 - 64.0 / math.pi**5 * short / long * series)
    second_y, second_z = width * height**3 / 12.0, height * width**3 / 12.0
    shear = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu)
    return Section(width * height, second_y, second_z, torsion, shear, 0.5 * width, 0.5 * height, False)


def given(area: float, inertia_y: float, inertia_z: float, torsion: float | None, shear: float) -> Section:
    """A section of any shape by its figures, without a torsion constant J = I_y + I_z (right for round ones only)."""
    polar = inertia_y + inertia_z
    # Fibres of the full ellipse with these radii of gyration: for the picture, and for stresses nothing is known.
    reach_y, reach_z = 2.0 * math.sqrt(inertia_z / area), 2.0 * math.sqrt(inertia_y / area)
    return Section(area, inertia_y, inertia_z, polar if torsion is None else torsion, shear, reach_y, reach_z)
