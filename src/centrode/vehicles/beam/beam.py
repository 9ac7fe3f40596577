r"""Beam: a flexible link as a chain of rigid sections (nodes) with elastic elements between them.

Parts: bodies ``<name>.node0`` ... ``<name>.node<n>`` (rigid; planar in a plane system), forces ``<name>.element1`` ...
``<name>.element<n>`` (:mod:`centrode.parts.forces.beam_element`), points ``<name>.start`` and ``<name>.end``. Joints,
forces and outlines hold a beam at any of these. Axes of a node: x along the beam, y and z those of the section.

Rest shape. A straight beam, or one of constant curvature k (twist about x, bending about y and z, per length, in axes
of the section): with R_0 the axes at the start,

    R(s) = R_0 exp(s k),   p(s) = p_0 + R_0 integral_0^s exp(x k) e_x dx                                (1)

Masses. Every element of length h gives half its mass to either end. A node carries the rotary inertia of its share of
the sections and nothing else; its centre is the section's, but for the two ends, whose centre lies inside by e:

    interior   m = rho A h,     J = rho h (I_y + I_z, I_y, I_z)                                          (2)
    ends       half of it, centre at e = (L - sqrt(L^2 - 2 h L/3)) / 2 = h/6 + h^2/(36 L) + ...           (3)

This is the trapezoidal rule with its end correction: integral f = T - h^2/12 [f'], and velocities at e know the slope.
With e of (3) mass, centre and moments of inertia of the whole straight beam are exact for any n (for n = 1 the two
masses lie at the points of Gauss). With the exact stiffness of the element the sag under its weight and natural
frequencies of bending are of order three in h for slender beams; those of stretching and torsion are of order two
(w = (2 c/h) sin(k h/2) instead of c k), and so is all that is nonlinear.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.math.rotation import matrix_from_axis_angle
from centrode.parts.bodies.body import Body
from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.forces.beam_element import BeamElement, section_axes
from centrode.parts.part import Part, quantity
from centrode.parts.placement import direction_field, point3, unit_vector
from centrode.parts.points.point import Point
from centrode.parts.visual import Visual, VisualScene, VisualSweep
from centrode.system.builder import System
from centrode.vehicles.beam.section import Section, circle, given, rectangle, tube

SHAPES = {
    "circle": ("diameter",),
    "tube": ("diameter", "wall"),
    "rectangle": ("width", "height"),
    "given": ("area", "inertia_y", "inertia_z"),
}
"""Fields that say how large a section of a shape is."""


@dataclass(frozen=True)
class Beam(Part):
    """Flexible link: a straight or curved beam of one section, for large deflections."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "beam"
    example: ClassVar[dict[str, float] | None] = {"length": 1.0, "diameter": 0.02}

    length: float = quantity("m", "length at rest", positive=True)
    elements: int = quantity("1", "elastic elements; there is one node more", 10, minimum=1)
    section: str = quantity(
        "", "shape of the section: circle, tube, rectangle or given", "circle", choices=tuple(SHAPES)
    )
    diameter: float | None = quantity("m", "outer diameter of a circle or tube", None, positive=True)
    wall: float | None = quantity("m", "wall thickness of a tube", None, positive=True)
    width: float | None = quantity("m", "of a rectangle along the section's y axis", None, positive=True)
    height: float | None = quantity("m", "of a rectangle along the section's z axis", None, positive=True)
    area: float | None = quantity("m2", "of a given section", None, positive=True)
    inertia_y: float | None = quantity("m4", "second moment of area about y of a given section", None, positive=True)
    inertia_z: float | None = quantity("m4", "second moment of area about z of a given section", None, positive=True)
    torsion_constant: float | None = quantity(
        "m4", "of a given section; inertia_y + inertia_z, that of round ones, when left out", None, positive=True
    )
    shear_factor: float | None = quantity(
        "1", "share of the area that takes shear; by the shape, 5/6 for a given section", None, positive=True
    )
    theory: str = quantity(
        "", "timoshenko, or euler-bernoulli: no shear", "timoshenko", choices=("timoshenko", "euler-bernoulli")
    )
    young: float = quantity("Pa", "modulus of elasticity", 2.1e11, positive=True)
    poisson: float = quantity("1", "Poisson's ratio", 0.3, minimum=-0.99, maximum=0.5)
    shear_modulus: float | None = quantity("Pa", "E / (2 (1 + nu)) when left out", None, positive=True)
    density: float = quantity("kg/m3", "density", 7850.0, positive=True)
    damping: float = quantity(
        "s",
        "Kelvin-Voigt: stress E (strain + damping strain rate); a mode of w rad/s decays with damping w^2/2",
        0.0,
        minimum=0.0,
    )
    position: tuple[float, ...] = quantity("m", "place of the start", (0.0, 0.0, 0.0), read=point3)
    direction: tuple[float, ...] = direction_field("direction of the beam at its start, world", (1.0, 0.0, 0.0))
    side: tuple[float, ...] | None = direction_field(
        "direction of the section's y axis at the start; level when left out", None
    )
    curvature: tuple[float, float, float] = quantity(
        "1/m", "at rest, in axes of the section: twist about x, bending about y and z", (0.0, 0.0, 0.0)
    )
    velocity: tuple[float, ...] = quantity("m/s", "velocity of the start, world frame", (0.0, 0.0, 0.0), read=point3)
    omega: tuple[float, float, float] = quantity(
        "rad/s", "angular velocity of the whole beam at the start, world frame", (0.0, 0.0, 0.0)
    )

    def faults(self) -> list[Fault]:
        found = super().faults()
        if self.section not in SHAPES:
            return found
        needed = SHAPES[self.section]
        for field in needed:
            if vars(self)[field] is None:
                found.append(
                    self.fault(
                        field,
                        f"a section '{self.section}' needs it",
                        expected="a length" if field[0] != "i" else "a number",
                    )
                )
        for field in sorted({item for items in SHAPES.values() for item in items} - set(needed)):
            if vars(self)[field] is not None:
                found.append(
                    self.fault(field, f"a section '{self.section}' has none", hint=f"it has {', '.join(needed)}")
                )
        if self.section != "given" and self.torsion_constant is not None:
            found.append(self.fault("torsion_constant", "it follows from the shape", hint="section: given takes it"))
        if found:
            return found
        if self.section == "tube" and 2.0 * float(self.wall or 0.0) > float(self.diameter or 0.0):
            found.append(self.fault("wall", "thicker than the radius", expected="at most diameter / 2"))
        if int(self.elements) != self.elements:
            found.append(self.fault("elements", "not a whole number"))
        elif float(np.linalg.norm(self.curvature)) * self.spacing >= math.pi:
            found.append(self.fault("elements", "an element would turn by half a turn or more", hint="take more"))
        elif self.axes_at_start(False) is None:
            found.append(
                self.fault("side", "the section's y axis lies along the beam", expected="a direction across it")
            )
        return found

    # -- figures -------------------------------------------------------------------------------------------------------

    @property
    def spacing(self) -> float:
        """Length of an element h [m]."""
        return self.length / self.elements

    @property
    def figures(self) -> Section:
        """Figures of the section."""
        nu = self.poisson
        if self.section == "rectangle":
            found = rectangle(self.width or 0.0, self.height or 0.0, nu)
        elif self.section == "given":
            sizes = self.area or 0.0, self.inertia_y or 0.0, self.inertia_z or 0.0
            found = given(*sizes, self.torsion_constant, 5.0 / 6.0)
        elif self.section == "tube":
            found = tube(self.diameter or 0.0, self.wall or 0.0, nu)
        else:
            found = circle(self.diameter or 0.0, nu)
        shear = found.shear if self.shear_factor is None else self.shear_factor
        return found._replace(shear=math.inf if self.theory == "euler-bernoulli" else shear)

    @property
    def rigidity(self) -> float:
        """Shear modulus G [Pa]."""
        return 0.5 * self.young / (1.0 + self.poisson) if self.shear_modulus is None else self.shear_modulus

    @property
    def mass(self) -> float:
        """Of the whole beam [kg]."""
        return self.density * self.figures.area * self.length

    def fastest_vibration(self) -> float:
        """Bound of the highest frequency of an element with half its masses at its ends, hence of the beam [rad/s]."""
        item, h = self.figures, self.spacing
        slow, slow_shear = self.young / self.density, self.rigidity / self.density
        polar = item.inertia_y + item.inertia_z
        squares = [4.0 * slow / h**2, 4.0 * slow_shear * item.torsion / (polar * h**2)]
        for second in (item.inertia_y, item.inertia_z):
            shear = 1.0 / (1.0 / (item.shear * slow_shear * item.area) + h**2 / (12.0 * slow * second))
            squares.append(shear * (4.0 / (item.area * h**2) + 1.0 / second))
        return math.sqrt(max(squares))

    # -- places --------------------------------------------------------------------------------------------------------

    def node(self, fraction: float) -> str:
        """Name of the body at a fraction of the length: 0 the start, 1 the end.

        Raises:
            InputError: no node lies there.
        """
        k = round(fraction * self.elements)
        if not 0 <= k <= self.elements or abs(fraction * self.elements - k) > 1e-9 * self.elements:
            near = min(max(k, 0), self.elements) / self.elements
            hint = "take as many elements as put a node there"
            raise InputError(
                "no node of the beam lies there", path=self.name, got=fraction, expected=f"{near:g}", hint=hint
            )
        return f"{self.name}.node{k}"

    def axes_at_start(self, plane: bool) -> np.ndarray | None:
        """Axes of the section at the start (columns), world; None when the side lies along the beam."""
        side = None if self.side is None else unit_vector(self.side, f"{self.name}.side")
        return section_axes(unit_vector(self.direction, f"{self.name}.direction"), side, plane)

    def rest_shape(self, plane: bool) -> tuple[np.ndarray, np.ndarray]:
        """Places (n + 1, 3) [m] and axes (n + 1, 3, 3) of the nodes at the start, (1)."""
        axes, start = self.axes_at_start(plane), point3(self.position, f"{self.name}.position")
        assert axes is not None
        bend, along = np.asarray(self.curvature, dtype=float), np.array([1.0, 0.0, 0.0])
        rate = float(np.linalg.norm(bend))
        places, frames = [], []
        for s in np.linspace(0.0, self.length, self.elements + 1):
            turn, way = np.eye(3), s * along
            if rate * s > 0.0:
                n, angle = bend / rate, rate * s
                turn = matrix_from_axis_angle(n, angle)
                straight = n * (n @ along)
                way = (
                    s * straight
                    + (math.sin(angle) * (along - straight) + (1.0 - math.cos(angle)) * np.cross(n, along)) / rate
                )
            places.append(start + axes @ way)
            frames.append(axes @ turn)
        return np.array(places), np.array(frames)

    def build(self, system: System) -> None:
        """Add all parts to the system."""
        places, frames = self.rest_shape(system.plane)
        if system.plane and np.abs(places[:, 2]).max() > 1e-9 * self.length:
            raise self.refusal("direction", "a beam of a plane system lies in the plane", hint="bend it about z only")
        for k in range(self.elements + 1):
            system.add(self._node(k, places[k], frames[k], system.plane))
        item, g = self.figures, self.rigidity
        shear = None if math.isinf(item.shear) else item.shear * g * item.area
        for k in range(1, self.elements + 1):
            middle = frames[k - 1][:, 1] + frames[k][:, 1]
            system.add(
                BeamElement(
                    f"{self.name}.element{k}",
                    f"{self.name}.node{k - 1}",
                    f"{self.name}.node{k}",
                    axial=self.young * item.area,
                    bending_y=self.young * item.inertia_y,
                    bending_z=self.young * item.inertia_z,
                    torsion=g * item.torsion,
                    shear_y=shear,
                    shear_z=shear,
                    damping=self.damping,
                    side=tuple(middle.tolist()),
                )
            )
        system.add(Point(f"{self.name}.start", self.node(0.0)))
        system.add(Point(f"{self.name}.end", self.node(1.0)))

    def _node(self, k: int, place: np.ndarray, axes: np.ndarray, plane: bool) -> Body:
        """Body of a node, (2) and (3)."""
        item, h, name = self.figures, self.spacing, f"{self.name}.node{k}"
        share, inside = 1.0, 0.0
        if k in (0, self.elements):
            share = 0.5
            inside = 0.5 * (self.length - math.sqrt(self.length**2 - 2.0 / 3.0 * h * self.length))
        mass, centre = share * self.density * item.area * h, inside if k == 0 else -inside
        turning = share * self.density * h * np.array([item.inertia_y + item.inertia_z, item.inertia_y, item.inertia_z])
        omega = np.asarray(self.omega, dtype=float)
        velocity = point3(self.velocity, "velocity") + np.cross(omega, place - point3(self.position, "position"))
        if plane:
            angle = math.atan2(axes[1, 0], axes[0, 0])
            about_z, ahead = float(turning @ axes[2] ** 2), tuple(velocity[:2].tolist())
            start, spin = tuple(place[:2].tolist()), float(omega[2])
            return PlanarBody(name, mass, about_z, start, angle, ahead, spin, (centre, 0.0))
        return RigidBody(
            name,
            mass,
            tuple(turning.tolist()),
            tuple(place.tolist()),
            tuple(map(tuple, axes.tolist())),
            tuple(velocity.tolist()),
            tuple((axes.T @ omega).tolist()),
            (centre, 0.0, 0.0),
        )

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """The section, swept through the nodes."""
        item = self.figures
        nodes = [f"{self.name}.node{k}" for k in range(self.elements + 1)]
        return [VisualSweep(nodes[0], through=tuple(nodes[1:]), reach=(item.reach_y, item.reach_z), round=item.round)]
