r"""AUV: an underwater vehicle with hull, fins and thruster; the 6-DOF lecture's vehicle by default.

Hull frame, always: x forward, y starboard, z down (SNAME), origin at the middle of the cylinder. The world is NED when
gravity points along +z and z-up when it points along -z; ``orientation`` is that of the vehicle in the convention of
its world (identity: upright, heading along world x, in both). See :mod:`centrode.math.frames`.

What the lecture gives, and how it is read here:

==================  ===========  =======================================================================================
lecture             value        reading
==================  ===========  =======================================================================================
Longueur_Body ...   1, 0.2, 0.2  cylinder 1 m plus nose plus tail; the tail tip lies at -0.7, the propeller (0.05 wide)
                                 behind it at -0.76, which fits; with 1 m overall it would hang 0.26 m behind the hull
mu, mv, mw          10           total mass, rigid body and water (m - X_udot, ...): the hull displaces 9.42 kg
mp, mq, mr          1, 5, 5      total moments of inertia [kg m2]
du .. dr            1 5 5        linear damping [N s/m, N m s], force = -d v
                    0.1 1 1
Yur                 1            profile "full": sway force +Yur u r, heave -Yur u q [kg], beside the whole Coriolis
                                 force of the total mass; profile "slide": m_ur of the planar model, sway -Yur u r,
                                 heave +Yur u q, and no Coriolis terms at all
Gouvernes(i).Surf   0.008        reference area of a fin (the drawn polygon has 0.009, Gouverne_Surface says 0.01)
Thruster.Pos_B      -0.76 0 0    point of thrust, axis +x
==================  ===========  =======================================================================================

What it does not give, and what is taken: weight = buoyancy = rho g V = 92.46 N, centre of gravity 0.02 m below that of
buoyancy; four fins with the stock at x = -0.60 and the pressure centre 0.0967 m off the axis, at roll angles 0
(starboard), 90 (bottom), 180 (port), 270 (top) degrees, or all turned by 45 degrees; deflection right-handed about the
outward span; limits +-30 degrees; NACA 0012 section data without finite-span correction.

Equations of motion: M nu' + C(nu) nu = tau with the parts that :meth:`Auv.build` adds, all of them ordinary parts:
``<name>.hull`` (full-mass), ``<name>.hydrodynamics`` (with weight and buoyancy), ``<name>.fin1`` ...,
``<name>.thruster``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.math.frames import FLIP, world_of
from centrode.parts.bodies.body import rotation_from
from centrode.parts.bodies.full_mass import FullMassBody, mass_matrix
from centrode.parts.controllers.autopilot import Autopilot
from centrode.parts.driving import DriveInput
from centrode.parts.forces.fin import Fin
from centrode.parts.forces.hydrodynamics import Hydrodynamics
from centrode.parts.forces.propeller import Propeller
from centrode.parts.forces.thruster import Thruster
from centrode.parts.part import Part, flatten, quantity
from centrode.parts.visual import Visual, VisualScene
from centrode.vehicles.auv_shape import auv_visuals

PROFILES = ("full", "slide")
LAYOUTS = ("plus", "cross")


@dataclass(frozen=True)
class Auv(Part):
    """Underwater vehicle with four fins and a thruster; defaults are the lecture's vehicle."""

    family: ClassVar[str] = "vehicle"
    kind: ClassVar[str] = "auv"
    under_water: ClassVar[bool] = True

    position: tuple[float, float, float] = quantity("m", "origin of the hull at the start, world frame", (0.0,) * 3)
    orientation: Any = quantity(
        "1",
        "vehicle in its world: quaternion (w, x, y, z) or 3 x 3 matrix; identity is upright along world x",
        (1, 0, 0, 0),
    )
    velocity: tuple[float, float, float] = quantity(
        "m/s", "velocity over ground at the start in hull axes (forward, starboard, down)", (0.0,) * 3
    )
    omega: tuple[float, float, float] = quantity("rad/s", "angular velocity at the start in hull axes", (0.0,) * 3)
    profile: str = quantity(
        "", "full: all Coriolis terms, sway +Yur u r; slide: none of them, sway -Yur u r", "full", choices=PROFILES
    )
    mass_matrix: Any = quantity(
        "1",
        "total mass, rigid body and water: 6 diagonal entries or 6 x 6 [kg, kg*m2]",
        (10.0, 10.0, 10.0, 1.0, 5.0, 5.0),
    )
    linear: Any = quantity("1", "linear damping, 6 or 6 x 6 [N*s/m, N*m*s]", (1.0, 5.0, 5.0, 0.1, 1.0, 1.0))
    quadratic: Any = quantity("1", "quadratic damping, 6 or 6 x 6 [N*s2/m2, N*m*s2]", (0.0,) * 6)
    yur: float = quantity("kg", "sway force per forward speed and yaw rate; its sign depends on the profile", 1.0)
    speed_terms: Any = quantity("1", "further terms with the forward speed, rows (i, j, coefficient)", ())
    weight: float = quantity("N", "weight", 92.4570735, minimum=0.0)
    buoyancy: float = quantity("N", "buoyancy", 92.4570735, minimum=0.0)
    centre_of_gravity: tuple[float, float, float] = quantity("m", "in hull axes", (0.0, 0.0, 0.02))
    centre_of_buoyancy: tuple[float, float, float] = quantity("m", "in hull axes", (0.0, 0.0, 0.0))
    fin_layout: str = quantity(
        "", "plus: starboard, bottom, port, top; cross: turned by 45 degrees", "plus", choices=LAYOUTS
    )
    fin_area: float = quantity("m2", "reference area of a fin", 0.008, positive=True)
    fin_station: float = quantity("m", "x of the fin stock in hull axes", -0.6)
    fin_radius: float = quantity("m", "distance of the pressure centre from the hull axis", 0.0967, minimum=0.0)
    fin_commands: tuple[float, ...] = quantity("rad", "deflections of the four fins at the start", (0.0, 0.0, 0.0, 0.0))
    fin_limit: float = quantity("rad", "largest deflection", math.radians(30.0), positive=True)
    fin_lag: float = quantity("s", "time constant of the fins; 0 for none", 0.0, minimum=0.0)
    fin_section: Any = quantity("", "naca0012 (table) or naca0012-smooth", "naca0012")
    fin_aspect_ratio: float | None = quantity("1", "effective aspect ratio, for finite span", None, positive=True)
    thrust: float = quantity("N", "thrust at the start (force law)", 0.0)
    thrust_limit: float | None = quantity("N", "largest thrust, both ways; none when left out", None, positive=True)
    thruster_lag: float = quantity("s", "time constant of the thruster; 0 for none", 0.0, minimum=0.0)
    thruster_station: float = quantity("m", "x of the thruster in hull axes", -0.76)
    propeller_diameter: float = quantity("m", "diameter of the propeller", 0.1, positive=True)
    propeller_rate: float | None = quantity(
        "1/s", "rate at the start [rev/s]: propeller law instead of a plain force; the command is then the rate", None
    )
    density: float = quantity("kg/m3", "density of the water", 1000.0, positive=True)
    current: tuple[float, float, float] = quantity("m/s", "velocity of the water, world frame", (0.0,) * 3)
    cylinder: float = quantity("m", "length of the cylinder", 1.0, positive=True)
    nose: float = quantity("m", "length of the nose", 0.2, positive=True)
    tail: float = quantity("m", "length of the tail", 0.2, positive=True)
    diameter: float = quantity("m", "diameter of the hull", 0.1, positive=True)
    fin_chord: float = quantity("m", "root chord of a fin, for drawing", 0.1, positive=True)
    fin_span: float = quantity("m", "span of a fin, for drawing", 0.12, positive=True)

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field, size in (("position", 3), ("velocity", 3), ("omega", 3), ("fin_commands", 4), ("current", 3)):
            if len(flatten(getattr(self, field))) != size:
                found.append(self.fault(field, f"{size} numbers are needed"))
        for check, field in ((mass_matrix, "mass_matrix"), (rotation_from, "orientation")):
            try:
                check(getattr(self, field), f"{self.name}.{field}")
            except InputError as error:
                found += error.faults
        return found

    @property
    def hull(self) -> str:
        """Name of the hull as a body."""
        return f"{self.name}.hull"

    @property
    def fin_angles(self) -> tuple[float, ...]:
        """Roll angles of the outward spans [rad], from starboard towards the bottom."""
        offset = math.pi / 4.0 if self.fin_layout == "cross" else 0.0
        return tuple(offset + k * math.pi / 2.0 for k in range(4))

    @property
    def fin_names(self) -> tuple[str, ...]:
        """Names of the fins: starboard, bottom, port, top (layout plus)."""
        return tuple(f"{self.name}.fin{k + 1}" for k in range(4))

    @property
    def thruster(self) -> str:
        """Name of the thruster."""
        return f"{self.name}.thruster"

    def rotation_hull(self, world: str) -> np.ndarray:
        """World from hull axes at the start, shape (3, 3)."""
        rotation = rotation_from(self.orientation, f"{self.name}.orientation")
        return rotation if world == "ned" else rotation * FLIP  # R S: hull axes are turned about x in a z-up world

    def build(self, system: Any) -> None:
        """Add all parts to the system."""
        world = world_of(system.gravity) or "z-up"
        rotation = self.rotation_hull(world)
        slide = self.profile == "slide"
        sign = -1.0 if slide else 1.0
        terms = [(2, 6, sign * self.yur), (3, 5, -sign * self.yur), *(tuple(row) for row in self.speed_terms)]
        velocity = tuple(rotation @ np.asarray(self.velocity, dtype=float))
        same = self.values_of("mass_matrix", "position", "omega")
        system.add(FullMassBody(self.hull, orientation=rotation, velocity=velocity, **same))
        water = self.values_of("linear", "quadratic", "current", "weight", "buoyancy")
        water |= self.values_of("centre_of_gravity", "centre_of_buoyancy")
        name = f"{self.name}.hydrodynamics"
        system.add(Hydrodynamics(name, self.hull, speed_terms=terms, coriolis=not slide, **water))
        fin = {"section": self.fin_section, "aspect_ratio": self.fin_aspect_ratio, "lag": self.fin_lag}
        fin |= {"lower": -self.fin_limit, "upper": self.fin_limit, **self.values_of("density", "current")}
        for name, angle, command in zip(self.fin_names, self.fin_angles, self.fin_commands, strict=True):
            span = (0.0, math.cos(angle), math.sin(angle))
            place = (self.fin_station, self.fin_radius * span[1], self.fin_radius * span[2])
            system.add(Fin(name, self.hull, self.fin_area, point_body=place, span=span, command=command, **fin))
        same = {"lag": self.thruster_lag, "point_body": (self.thruster_station, 0.0, 0.0)}
        if self.propeller_rate is None:
            upper, lower = self.thrust_limit, None if self.thrust_limit is None else -self.thrust_limit
            system.add(Thruster(self.thruster, self.hull, command=self.thrust, lower=lower, upper=upper, **same))
        else:
            same |= self.values_of("density", "current")
            rate = self.propeller_rate
            system.add(Propeller(self.thruster, self.hull, self.propeller_diameter, command=rate, **same))

    def autopilot(self, name: str, kind: type[Autopilot] = Autopilot, **options: Any) -> Autopilot:
        """Autopilot with the vehicle's fins and thruster as its drives; options as :class:`Autopilot` takes them."""
        options.setdefault("upper_fin", self.fin_limit)
        inputs = (*self.fin_names, self.thruster)
        return kind(name, inputs=inputs, body=self.hull, fin_angles=self.fin_angles, **options)

    def drive_inputs(self) -> list[DriveInput]:
        """Rudder, elevator, thrust: a fin at roll angle a takes -sin(a) of the yaw and -cos(a) of the pitch command."""
        fins = list(zip(self.fin_names, self.fin_angles, strict=True))
        yaw = tuple((name, "command", -math.sin(angle)) for name, angle in fins)
        pitch = tuple((name, "command", -math.cos(angle)) for name, angle in fins)
        thrust = ((self.thruster, "command", 1.0),)
        turn = self.fin_limit
        limit = None if self.propeller_rate is not None else self.thrust_limit
        low, high = (0.0, 20.0) if limit is None else (-limit, limit)
        return [
            DriveInput("rudder", yaw, -turn, turn, unit="rad", keys=("ArrowRight", "ArrowLeft"), axis=0),
            DriveInput("elevator", pitch, -turn, turn, unit="rad", keys=("s", "w"), axis=3),
            DriveInput("thrust", thrust, low, high, unit="N", keys=("ArrowUp", "ArrowDown"), axis=1),
        ]

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Hull, fins and propeller for the viewer."""
        return auv_visuals(self)
