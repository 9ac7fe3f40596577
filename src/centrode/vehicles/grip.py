"""What tyres and roads come to: friction coefficients, peak and locked, told with every run, sheet and report."""

from __future__ import annotations

from dataclasses import replace

from centrode.classes import dataclass
from centrode.parts.forces.carriage import Carriage, spread
from centrode.parts.roads.contract import Road, ground_number
from centrode.parts.tyres.contract import Tyre
from centrode.parts.tyres.grip import Grip, grip_of, share_for
from centrode.system.builder import System
from centrode.system.scene import SystemScene


@dataclass(frozen=True)
class TyreGrip:
    """Tyres on a road: who has them, what was given, coefficients, and those of the patches."""

    vehicles: tuple[str, ...]
    road: str
    given: str
    grip: Grip
    patches: tuple[Grip, ...]

    def __str__(self) -> str:
        """As a sentence of a summary."""
        names = ", ".join(self.vehicles[:4]) + (", ..." if self.vehicles[4:] else "")
        text = f"{names} on '{self.road}': {self.short} ({self.given})"
        beside = ", ".join(f"{item.locked:.2f}" for item in dict.fromkeys(self.patches))
        return f"{text}; patches {beside}" if beside else text

    @property
    def short(self) -> str:
        """The two coefficients."""
        return f"mu {self.grip.locked:.2f} locked, {self.grip.peak:.2f} peak"


def tyre_grips(system: System) -> list[TyreGrip]:
    """Friction coefficients of the front tyres of all carriages under their static load, equal ones together."""
    scene = SystemScene(system)
    known: dict[tuple[object, ...], TyreGrip] = {}
    found: dict[str, TyreGrip] = {}
    for part in system.parts.values():
        if not isinstance(part, Carriage):
            continue
        road, tyre = scene.find(part.road), scene.find(spread(part.tyres, part.front_wheels())[0])
        load = round(part.static_load(scene), 6)
        key = (road.name, tyre.kind, *tyre.pack().tolist(), load)
        if key not in known:
            grip, *patches = (on_ground(tyre, load, ground_number(item)) for item in (road, *road.patches))
            known[key] = TyreGrip((), road.name, given(road), grip, tuple(patches))
        own = replace(known[key], vehicles=(part.name.removesuffix(".carriage"),))
        same = str(known[key])
        found[same] = replace(own, vehicles=found[same].vehicles + own.vehicles) if same in found else own
    return list(found.values())


def grip_sentences(system: System) -> list[str]:
    """The same as sentences, the first six."""
    return [str(item) for item in tyre_grips(system)[:6]]


def on_ground(tyre: Tyre, load: float, ground: float) -> Grip:
    """Coefficients of a tyre under a load [N] on ground as a road's table has it."""
    return grip_of(tyre, load, ground if ground >= 0.0 else share_for(tyre, load, -ground))


def given(road: Road) -> str:
    """What was said of the friction of a road."""
    if road.friction is not None:
        return f"friction {road.friction:g} given"
    return "the tyres' own" if road.grip in (None, 1.0) else f"grip {road.grip:g} of the tyres' own"
