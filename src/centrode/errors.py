"""Everything that can go wrong, said once and clearly.

Two kinds of failure reach a user: the input was wrong (:class:`InputError`, exit code 2) or a run failed
(:class:`RunError`, exit code 1). Library code raises; only the command line prints.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from dataclasses import field

from centrode.classes import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing wrong with the input.

    Attributes:
        what: the fault in a few words ("unknown kind", "mass must be positive").
        path: where in the data, as a dotted path ("bodies.arm.mass").
        file: file name, empty when the input came from Python.
        line: line in the file, counted from 1; 0 when unknown.
        got: the offending value, as the user wrote it.
        expected: what was expected instead.
        nearest: the closest known name, when a name was misspelt.
        hint: what to do next.
    """

    what: str
    path: str = ""
    file: str = ""
    line: int = 0
    got: object = None
    expected: str = ""
    nearest: str = ""
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file and self.line else f"{self.file}: " if self.file else ""
        text = where + (f"{self.path}: " if self.path else "") + self.what
        if self.got is not None:
            text += f", got {shorten(self.got)}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.nearest:
            text += f"; did you mean '{self.nearest}'?"
        return text + (f" ({self.hint})" if self.hint else "")


class CentrodeError(Exception):
    """Base of all errors that Centrode raises on purpose."""

    exit_code = 1


class InputError(CentrodeError):
    """The input is wrong. Carries all faults found, not only the first."""

    exit_code = 2

    def __init__(self, faults: Fault | str | Iterable[Fault], **details: object) -> None:
        if isinstance(faults, str):
            faults = [Fault(faults, **details)]  # type: ignore[arg-type]
        elif isinstance(faults, Fault):
            faults = [faults]
        self.faults: list[Fault] = list(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


PASSAGE = "passed through each other"
"""What bodies did that a contact law could not hold: an event, and a reason why a run stops."""

UNMET = "pass through each other where they meet"
"""What bodies do that have no contact law: in the note of such a run, and above its crash tables."""
MADE_ENERGY = "contacts made energy"
"""Reason of a run whose contacts gave more than they took: its figures do not hold."""
NOT_FINITE = "no longer finite"
"""Reason of a run whose numbers grew beyond all bounds: what it said shortly before is no motion either."""
CAME_APART = "came apart"
"""Reason of a run whose joints could not be held."""
NO_GROUND = "nothing to lie on"
"""What a vehicle has that turns over in a run without contacts: an event, and a reason why a run stops."""


@dataclass
class RunStop:
    """Why and where a run stopped before its end."""

    reason: str
    time: float
    where: str = ""
    suggestion: str = ""
    details: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        where, advice = f" ({self.where})" if self.where else "", f"; {self.suggestion}" if self.suggestion else ""
        # A search or a solver that failed has no time.
        when = "" if math.isnan(self.time) else f"stopped at t = {self.time:.6g} s: "
        return f"{when}{self.reason}{where}{advice}"


_EXTRAS = {
    "scipy": "science",
    "xarray": "xarray",
    "h5netcdf": "xarray",
    "numba": "compile",
    "llvmlite": "compile",
    "starlette": "web",
    "uvicorn": "web",
    "websockets": "web",
}
"""Packages that not everybody needs, and the extra of Centrode that brings them."""


def missing_package(error: BaseException) -> str:
    """What to install, when an exception says that such a package is not there; empty otherwise."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return f"this needs the package {name}: pip install 'centrode[{_EXTRAS[name]}]'" if name in _EXTRAS else ""


class RunError(CentrodeError):
    """A run failed; what was computed up to then is kept in ``recording`` when there is one."""

    exit_code = 1

    def __init__(self, stop: RunStop | str, recording: object = None) -> None:
        self.stop = stop if isinstance(stop, RunStop) else RunStop(stop, float("nan"))
        self.recording = recording
        super().__init__(str(self.stop))


OTHER_WORDS: dict[str, tuple[str, ...]] = {
    # joints
    "hinge": ("revolute",), "pin": ("revolute",), "rotary": ("revolute",), "continuous": ("revolute",),
    "slider": ("prismatic",), "slide": ("prismatic",), "translational": ("prismatic",), "telescope": ("prismatic",),
    "spherical": ("ball",), "socket": ("ball",), "ball-joint": ("ball",), "ball-and-socket": ("ball",),
    "weld": ("fixed",), "rigid": ("fixed",), "bolt": ("fixed",), "lock": ("fixed",), "fix": ("fixed",),
    "cylinder": ("cylindrical", "shapecylinder", "capsule"), "helical": ("screw",), "cardan": ("universal",),
    "hooke": ("universal",), "motor": ("motion", "motor"), "driver": ("motion",), "drive": ("motion",),
    "distance": ("rod",), "link": ("rod",), "massless-link": ("rod",), "cable": ("rope",), "string": ("rope",),
    "differential-gear": ("differential",), "rolling": ("rolling-disc",), "coupler": ("transmission",),
    "belt": ("transmission",), "mimic": ("transmission", "coupling"), "equality": ("transmission", "coupling"),
    # forces
    "damper": ("spring",), "spring-damper": ("spring",), "tsda": ("spring",), "rsda": ("rotational-spring",),
    "torsion-spring": ("rotational-spring",), "torsional-spring": ("rotational-spring",), "gravity": ("weight",),
    "limit": ("stop",), "limits": ("stop",), "endstop": ("stop",), "bumper": ("stop",), "pd": ("servo",),
    "position-servo": ("servo",), "contact": ("collisions",),
    # bodies, outlines, signals
    "mass": ("rigid", "rigidbody"), "solid": ("rigid", "rigidbody"), "flexible": ("pseudo-rigid", "pseudorigidbody"),
    "cube": ("box", "outlinebox"), "cuboid": ("box", "outlinebox"), "halfspace": ("plane", "outlineplane"),
    "floor": ("plane", "outlineplane"), "pill": ("capsule", "outlinecapsule"), "convex": ("polyhedron",),
    "hull": ("polyhedron",), "sine": ("harmonic",), "sin": ("harmonic",), "step": ("smooth-step",),
    "spline": ("table",), "interpolated": ("table",), "formula": ("expression",), "function": ("expression",),
    # settings of a run
    "dt": ("step",), "h": ("step",), "timestep": ("step",), "time-step": ("step",), "max-step": ("step",),
    "stepsize": ("step",), "t-end": ("duration",), "tend": ("duration",), "end": ("duration",), "t": ("duration",),
    "end-time": ("duration",), "time": ("duration",), "t-final": ("duration",), "tf": ("duration",),
    "stop": ("duration",),
    "tol": ("tolerance",), "rtol": ("tolerance",), "atol": ("tolerance",), "accuracy": ("tolerance",),
    "integrator": ("method",), "solver": ("method",), "scheme": ("method",), "fps": ("frames",),
    "output-step": ("frames",), "saveat": ("frames",), "output": ("frames",), "t0": ("start",),
    "start-time": ("start",),
    "rk45": ("dop853",), "ode45": ("dop853",), "dopri5": ("dp5",), "lsoda": ("radau",), "bdf": ("radau",),
    "implicit": ("radau",), "euler": ("discrete",), "semi-implicit-euler": ("discrete",), "verlet": ("rattle",),
    # fields of parts
    "kp": ("stiffness",), "kd": ("damping",), "kv": ("damping",), "multiplier": ("ratio",),
    "k": ("stiffness",), "c": ("damping",), "d": ("damping",), "rest-length": ("length",), "l0": ("length",),
    "natural-length": ("length",), "free-length": ("length",), "pos": ("position", "centre"),
    "origin": ("position", "centre"), "position": ("centre", "at"), "offset": ("centre", "at"),
    "location": ("position", "centre", "at"), "xyz": ("position", "centre"), "anchor": ("at",), "point": ("at",),
    "vel": ("velocity",), "extents": ("half-lengths",), "lengths": ("half-lengths",),
    "quat": ("orientation",), "quaternion": ("orientation",), "rotation": ("orientation",), "rpy": ("orientation",),
    "com": ("centre-of-mass",), "center-of-mass": ("centre-of-mass",), "cog": ("centre-of-mass",), "w": ("omega",),
    "angular-velocity": ("omega",), "i": ("inertia",), "m": ("mass",), "parent": ("a",), "child": ("b",),
    "body1": ("a",), "body2": ("b",), "body-a": ("a",), "body-b": ("b",), "size": ("half-lengths", "lengths"),
    "half-sizes": ("half-lengths",), "half-extents": ("half-lengths",), "mu": ("friction",), "q0": ("angle",),
    "throttle": ("drive",), "gas": ("drive",), "accelerator": ("drive",), "acceleration": ("drive",),
    "braking": ("brake",), "steering": ("steer",), "yaw": ("heading",), "velocity": ("speed",), "weight": ("mass",),
    "wheelbase": ("front",), "overhang": ("nose",), "cg-height": ("cog-height",), "motorcycle": ("rides",),
    # vehicles
    "sedan": ("midsize-car",), "saloon": ("midsize-car",), "hatchback": ("compact-car",), "pickup": ("suv",),
    "truck": ("truck-tractor",), "lorry": ("truck-tractor",), "bus": ("van",), "person": ("pedestrian",),
    "walker": ("pedestrian",), "motorbike": ("motorcycle",), "bike": ("motorcycle", "bicycle"),
    "wall": ("barrier-full",), "barrier": ("barrier-full",), "lamp-post": ("pole",), "post": ("pole",),
    "color": ("colour",), "center": ("centre",), "r": ("radius",), "axis-of-rotation": ("axis",),
    "direction": ("axis",),
}  # fmt: skip
"""What other programs and books call a thing that has another name here, the likeliest first."""
NO_SUCH_THING = {
    "free": "a body that no joint holds is free already",
    "floating": "a body that no joint holds is free already",
    "6dof": "a body that no joint holds is free already",
    "ground": "the ground is there already: system.ground, or the name 'ground'",
    "world": "the world is there already: system.ground, or the name 'ground'",
}
"""What other programs have and this one does not need, and why."""


def nearest_name(name: str, known: Sequence[str]) -> str:
    """The known name that a misspelt or foreign one means, or an empty string."""
    lowered = {item.lower().replace("_", "-"): item for item in known}
    plain = str(name).lower().replace("_", "-")
    if plain in NO_SUCH_THING:
        return ""
    for other in OTHER_WORDS.get(plain, ()):
        if other in lowered:
            return lowered[other]
    close = difflib.get_close_matches(plain, list(lowered), n=1, cutoff=0.5)
    return lowered[close[0]] if close else ""


def unknown_name(what: str, got: str, known: Sequence[str], more: Sequence[str] = (), **details: object) -> InputError:
    """The error for a name that is not known: says which there are, and which it may have been (of ``more`` too)."""
    near = nearest_name(got, [*known, *more])
    return InputError(what, got=got, expected="one of " + ", ".join(known) if known else "", nearest=near, **details)


def shorten(value: object) -> str:
    """A value as one short line for an error message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
