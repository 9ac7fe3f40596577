"""Parameters of single-track machines: 25 numbers of the benchmark bicycle, more for round tyres.

Inside, all coordinates are z up with the origin at the rear contact point, and products of inertia are entries of the
inertia matrix. Publications use z down: (x, y, z) -> (x, -y, -z) turns a depth into a height and changes the sign of
the entry xz; :func:`from_z_down` does it once, here.

Reference: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, "Linearized dynamics equations for the balance
and steer of a bicycle: a benchmark and review", Proc. R. Soc. A 463 (2007), table 1.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.bodies.rigid import UNEVEN
from centrode.parts.meant import in_si
from centrode.parts.part import check_value, quantity

BODIES = ("rear-wheel", "frame", "fork", "front-wheel")
"""Bodies in the order of the bicycle lecture notes."""
EARTH = 9.81


@dataclass(frozen=True)
class BicycleParameters:
    """A single-track machine, upright and straight; z up, origin at the rear contact point."""

    wheelbase: float = quantity("m", "between the contact points", 1.02, positive=True)
    trail: float = quantity("m", "how far the steer axis meets the ground in front of the front contact", 0.08)
    steer_tilt: float = quantity("rad", "of the steer axis back from the vertical", math.pi / 10.0, usual=(-1.6, 1.6))
    rear_radius: float = quantity("m", "of the rear wheel, tyre included", 0.3, positive=True)
    rear_tyre: float = quantity("m", "section radius of a round rear tyre; 0 is a knife edge", 0.0, minimum=0.0)
    rear_mass: float = quantity("kg", "of the rear wheel", 2.0, minimum=0.0)
    rear_ixx: float = quantity("kg*m2", "of the rear wheel about a diameter", 0.0603, minimum=0.0)
    rear_iyy: float = quantity("kg*m2", "of the rear wheel about its axle", 0.12, minimum=0.0)
    frame_x: float = quantity("m", "centre of mass of the rear frame with rider", 0.3)
    frame_z: float = quantity("m", "its height", 0.9)
    frame_mass: float = quantity("kg", "of the rear frame with rider", 85.0, positive=True)
    frame_ixx: float = quantity("kg*m2", "of the rear frame with rider", 9.2, minimum=0.0)
    frame_iyy: float = quantity("kg*m2", "of the rear frame with rider", 11.0, minimum=0.0)
    frame_izz: float = quantity("kg*m2", "of the rear frame with rider", 2.8, minimum=0.0)
    frame_ixz: float = quantity("kg*m2", "entry of its inertia matrix", -2.4)
    fork_x: float = quantity("m", "centre of mass of fork and handlebar", 0.9)
    fork_z: float = quantity("m", "its height", 0.7)
    fork_mass: float = quantity("kg", "of fork and handlebar", 4.0, positive=True)
    fork_ixx: float = quantity("kg*m2", "of fork and handlebar", 0.05892, minimum=0.0)
    fork_iyy: float = quantity("kg*m2", "of fork and handlebar", 0.06, minimum=0.0)
    fork_izz: float = quantity("kg*m2", "of fork and handlebar", 0.00708, minimum=0.0)
    fork_ixz: float = quantity("kg*m2", "entry of its inertia matrix", 0.00756)
    front_radius: float = quantity("m", "of the front wheel, tyre included", 0.35, positive=True)
    front_tyre: float = quantity("m", "section radius of a round front tyre; 0 is a knife edge", 0.0, minimum=0.0)
    front_mass: float = quantity("kg", "of the front wheel", 3.0, minimum=0.0)
    front_ixx: float = quantity("kg*m2", "of the front wheel about a diameter", 0.1405, minimum=0.0)
    front_iyy: float = quantity("kg*m2", "of the front wheel about its axle", 0.28, minimum=0.0)

    @property
    def rear_hub(self) -> np.ndarray:
        """Centre of the rear wheel [m]."""
        return np.array([0.0, 0.0, self.rear_radius])

    @property
    def front_hub(self) -> np.ndarray:
        """Centre of the front wheel [m]."""
        return np.array([self.wheelbase, 0.0, self.front_radius])

    @property
    def frame_centre(self) -> np.ndarray:
        """Centre of mass of the rear frame [m]."""
        return np.array([self.frame_x, 0.0, self.frame_z])

    @property
    def fork_centre(self) -> np.ndarray:
        """Centre of mass of the front assembly [m]."""
        return np.array([self.fork_x, 0.0, self.fork_z])

    @property
    def steer_axis(self) -> np.ndarray:
        """Direction of the steer axis, downwards: turning about it is positive to the right."""
        return np.array([math.sin(self.steer_tilt), 0.0, -math.cos(self.steer_tilt)])

    @property
    def steer_point(self) -> np.ndarray:
        """Point of the steer axis nearest to the front hub [m]."""
        ground = np.array([self.wheelbase + self.trail, 0.0, 0.0])
        return ground + self.steer_axis * float(self.steer_axis @ (self.front_hub - ground))

    @property
    def fork_offset(self) -> float:
        """Distance of the front hub in front of the steer axis [m]; negative when behind it."""
        return self.front_radius * math.sin(self.steer_tilt) - self.trail * math.cos(self.steer_tilt)

    @property
    def wheels(self) -> tuple[tuple[str, float, float], ...]:
        """End, radius and section radius of the tyre of both wheels [m]."""
        return ("rear", self.rear_radius, self.rear_tyre), ("front", self.front_radius, self.front_tyre)

    @property
    def total_mass(self) -> float:
        """[kg]."""
        return self.rear_mass + self.frame_mass + self.fork_mass + self.front_mass

    def masses(self) -> dict[str, float]:
        """Body -> mass [kg]."""
        return dict(zip(BODIES, (self.rear_mass, self.frame_mass, self.fork_mass, self.front_mass), strict=True))

    def inertias(self) -> dict[str, np.ndarray]:
        """Body -> inertia matrix about its centre of mass [kg m2]."""
        return {
            "rear-wheel": np.diag([self.rear_ixx, self.rear_iyy, self.rear_ixx]),
            "frame": _matrix(self.frame_ixx, self.frame_iyy, self.frame_izz, self.frame_ixz),
            "fork": _matrix(self.fork_ixx, self.fork_iyy, self.fork_izz, self.fork_ixz),
            "front-wheel": np.diag([self.front_ixx, self.front_iyy, self.front_ixx]),
        }

    def centres(self) -> dict[str, np.ndarray]:
        """Body -> centre of mass, upright and straight [m]."""
        return dict(zip(BODIES, (self.rear_hub, self.frame_centre, self.fork_centre, self.front_hub), strict=True))

    def wheel_loads(self, gravity: float = 9.81) -> tuple[float, float]:
        """Static loads of rear and front wheel [N] by the lever rule."""
        moment = sum(m * self.centres()[body][0] for body, m in self.masses().items())
        front = gravity * moment / self.wheelbase
        return gravity * self.total_mass - front, front

    def faults(self, path: str = "parameters") -> list[Fault]:
        """All that is wrong with the numbers."""
        found: list[Fault] = []
        for item in dataclasses.fields(self):
            found += check_value(f"{path}.{item.name}", getattr(self, item.name), item.metadata)
        if found:
            return found
        if not abs(self.steer_tilt) < 0.5 * math.pi - 1e-3:
            found.append(Fault("a steer axis that lies flat cannot steer", f"{path}.steer_tilt", got=self.steer_tilt))
        hubs = float(np.linalg.norm(self.front_hub - self.rear_hub))
        radii, offset = self.rear_radius + self.front_radius, abs(self.fork_offset)
        if hubs <= radii:
            what, expected = "the wheels overlap", f"hubs more than {radii:.4g} m apart"
            hint = f"they are {hubs:.4g} m apart"
            found.append(Fault(what, f"{path}.wheelbase", got=self.wheelbase, expected=expected, hint=hint))
        if offset >= self.front_radius:
            what = "the steer axis does not pass through the front wheel"
            expected = f"an offset of the hub below the radius {self.front_radius:.4g} m"
            hint = f"trail and tilt put the hub {offset:.4g} m from the axis"
            found.append(Fault(what, f"{path}.trail", got=self.trail, expected=expected, hint=hint))
        at_hub = self.wheelbase + self.trail - self.rear_radius * math.tan(self.steer_tilt)
        if not found and at_hub <= self.rear_radius:
            what = "the steer axis passes through the rear wheel"
            hint = f"at the height of the rear hub it is {at_hub:.4g} m ahead; check wheelbase, trail, tilt"
            found.append(Fault(what, f"{path}.steer_tilt", got=self.steer_tilt, hint=hint))
        for end, radius, tyre in self.wheels:
            if tyre > radius:
                what, most = "a tyre is no thicker than its wheel", f"at most {radius:g} m"
                found.append(Fault(what, f"{path}.{end}_tyre", got=tyre, expected=most))
        for body, inertia in self.inertias().items():
            moments = np.linalg.eigvalsh(inertia)
            above = moments[2] - (moments[0] + moments[1])
            massless = self.masses()[body] == 0.0
            if not np.any(inertia):  # a point mass, or nothing at all: the two-mass skate has no more
                continue
            if moments[0] <= 0.0 or massless or above > UNEVEN * (moments[0] + moments[1]):
                field = {"rear-wheel": "rear_iyy", "frame": "frame_ixz", "fork": "fork_ixz", "front-wheel": "front_iyy"}
                what, got = f"no mass distribution has this inertia ({body})", tuple(float(f"{m:.4g}") for m in moments)
                expected = "positive principal moments, none larger than the sum of the others"
                found.append(Fault(what, f"{path}.{field[body]}", got=got, expected=expected))
            elif above > 1e-9 * moments[2]:
                excess = 100.0 * above / (moments[0] + moments[1])
                text = f"{path}: a principal moment of the {body} is {excess:.2g} % above the sum of the others"
                warnings.warn(f"{text}: no body has that, a measurement may", stacklevel=2)
        return found

    def engine_faults(self, path: str) -> list[Fault]:
        """What the linear equations take and bodies on the engine do not: masses and inertias of zero."""
        hint = "the linear model (linear_bicycle) takes zeros; for a run enter small ones, 1e-4 of the frame's"
        found = []
        for body, inertia in self.inertias().items():
            if self.masses()[body] <= 0.0 or not np.all(np.diag(inertia) > 0.0):
                found.append(Fault(f"the {body} has no mass or no inertia, and cannot run", path, hint=hint))
        return found

    def checked(self) -> BicycleParameters:
        """Self, or an :class:`InputError` with every fault."""
        found = self.faults()
        if found:
            raise InputError(found)
        return self

    def edited(self, changes: Mapping[str, Any], axes: str = "z-up") -> BicycleParameters:
        """With other values; in ``axes`` "z-down" the values frame_z, fork_z and the entries xz are those of z down.

        Raises:
            InputError: unknown names, with the nearest.
        """
        faults = _unknown("unknown parameter of a bicycle", "parameters.", changes, vars(self))
        if faults:
            hint = "'centrode bicycle parameters' lists all with their meaning"
            raise InputError([dataclasses.replace(fault, hint=hint) for fault in faults])
        flip = ("frame_z", "fork_z", "frame_ixz", "fork_ixz") if axes == "z-down" else ()
        known = {item.name: item.metadata["unit"] for item in dataclasses.fields(self)}
        changes = {name: in_si(value, known[name]) for name, value in changes.items()}
        values = {name: -value if name in flip else value for name, value in changes.items()}
        return dataclasses.replace(self, **values)


_WHEEL = {"r": "radius", "m": "mass", "I-xx": "ixx", "I-yy": "iyy"}
_FRAME = {"x": "x", "z": "z", "m": "mass", "I-xx": "ixx", "I-yy": "iyy", "I-zz": "izz", "I-xz": "ixz"}
_LETTERS = (("R", "rear", _WHEEL), ("B", "frame", _FRAME), ("H", "fork", _FRAME), ("F", "front", _WHEEL))
_Z_DOWN = {"w": "wheelbase", "c": "trail", "lam": "steer_tilt"} | {
    (symbol.replace("-", letter) if "-" in symbol else symbol + letter): f"{body}_{name}"
    for letter, body, names in _LETTERS
    for symbol, name in names.items()
}
"""Symbols of the benchmark paper -> names here: rR is the radius of the rear wheel, IBxz an entry of the frame."""


def from_z_down(**symbols: float) -> BicycleParameters:
    """Parameters from the symbols and axes of Meijaard et al. (2007), table 1: x forward, z down.

    Files of measured bicycles also hold ``g``, the gravity that they were reduced with, and ``v``, a speed: both
    belong to the run and are left out here; another gravity than that of the earth is told.

    Raises:
        InputError: unknown or missing symbols.
    """
    g = float(symbols.get("g", EARTH))
    if abs(g - EARTH) > 0.01 * EARTH:
        warnings.warn(f"g = {g:g} m/s2 is left out: give it to the run (System(gravity=...))", stacklevel=2)
    symbols = {name: value for name, value in symbols.items() if name not in ("g", "v")}
    faults = _unknown("unknown symbol", "", symbols, _Z_DOWN)
    faults += [Fault("missing symbol", name) for name in _Z_DOWN if name not in symbols]
    if faults:
        raise InputError(faults)
    values = {_Z_DOWN[name]: float(value) for name, value in symbols.items()}
    return BicycleParameters().edited(values, axes="z-down").checked()


def _unknown(what: str, path: str, names: Iterable[str], known: Collection[str]) -> list[Fault]:
    """Names that are not known, each with the nearest one that is."""
    found = [name for name in names if name not in known]
    return [Fault(what, f"{path}{name}", got=name, nearest=nearest_name(name, list(known))) for name in found]


def _matrix(xx: float, yy: float, zz: float, xz: float) -> np.ndarray:
    return np.array([[xx, 0.0, xz], [0.0, yy, 0.0], [xz, 0.0, zz]])
