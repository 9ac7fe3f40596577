"""Published and independently solved numbers of collisions that Centrode reaches (``centrode verify contact``)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.rigid import RigidBody
from centrode.parts.contact_laws.hard import HardContact
from centrode.parts.contact_laws.linear import LinearContact
from centrode.parts.contact_laws.measured import MeasuredRestitution
from centrode.parts.contact_laws.restitution import Restitution
from centrode.parts.outlines.sphere import OutlineSphere
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.published import Check
from centrode.running import simulate
from centrode.system.builder import System

_HIT = "aligned hit of two cars of the MEDUSA report (1999), 22 into 20 m/s, solved by an independent program"
_CIPRIANI = "Cipriani et al., SAE 2002-01-0540, regression of restitution over closing speed"
_MASS, _INERTIA = 1573.0, (479.6, 2594.6, 2782.0)


def two_cars(law: Any, speeds: tuple[float, float]) -> Any:
    """Two free pseudo-rigid cars of the report, 2 mm apart, the second ahead."""
    system = System(gravity=(0.0, 0.0, 0.0))
    for name, x, speed in (("one", 0.0, speeds[0]), ("two", 4.002, speeds[1])):
        system.add(PseudoRigidBody(name, mass=_MASS, inertia=_INERTIA, position=(x, 0, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSuperellipsoid(f"{name}-shell", body=name, semi_axes=(2.0, 0.8, 0.65)))
    system.add(law)
    return system


@functools.cache
def _hit(stiffness: float) -> Any:
    system = two_cars(LinearContact("spring", stiffness=stiffness), (22.0, 20.0))
    return simulate(system, duration=0.12, method="rk4-projected", step=1e-4, frames=0.01).collisions[0]


@functools.cache
def _restitution(speed: float) -> float:
    system = two_cars(MeasuredRestitution("bumpers", stiffness=1e6), (20.0 + speed, 20.0))
    run = simulate(system, duration=0.3, method="rk4-projected", step=2e-4, frames=0.05)
    return float(run.collisions[0].restitution)


def _hard(duration: float) -> float:
    """Restitution of the aligned hit with a contact of given duration, which tends to hard contact."""
    system = two_cars(HardContact("hard", duration=duration), (22.0, 20.0))
    run = simulate(system, duration=0.15, method="rk4-projected", step=duration / 100, frames=0.05)
    return float(run["two.velocity.x"][-1] - run["one.velocity.x"][-1]) / 2.0


_FIGURES: dict[str, tuple[float, bool, Callable[[Any], float], str]] = {
    # tolerance, whether it is a fraction, the figure of a hit, note
    "duration": (2e-7, True, lambda hit: hit.duration, "seconds; the reference is good to 6e-8"),
    "peak_force": (2e-7, True, lambda hit: hit.peak_force, "N"),
    "restitution": (1e-8, False, lambda hit: hit.restitution, "the missing energy stays in vibration of the bodies"),
    "vibration": (1e-3, False, lambda hit: hit.vehicles[0].vibration, "J, of each car"),
}


def _of(stiffness: float, figure: Callable[[Any], float]) -> Callable[[], float]:
    return lambda: float(figure(_hit(stiffness)))


def checks() -> list[Check]:
    """All checks of collisions."""
    found = []
    for stiffness, label, values in (
        (1e6, "1e6", (89.45368e-3, 55375.06, 0.99993193, 0.107)),
        (1e7, "1e7", (31.54235e-3, 153128.93, 0.95541021, 68.576)),
    ):
        for (name, (tolerance, relative, figure, text)), value in zip(_FIGURES.items(), values, strict=True):
            note = f"k = {label} N/m, no damping; {text}"
            reached = _of(stiffness, figure)
            found.append(Check(f"contact.hit_{label}.{name}", _HIT, value, tolerance, reached, relative, note))
    for speed in (1.0, 2.0, 3.0, 5.0, 7.0):
        log = math.log10(speed)
        curve = 0.47477 - 0.26139 * log + 0.03382 * log**2 - 0.11639 * log**3
        note = "the law meets the curve on rigid bodies; deformable ones rebound a little faster or slower"
        reached = functools.partial(_restitution, speed)
        found.append(Check(f"contact.cipriani_{speed:g}", _CIPRIANI, round(curve, 3), 0.1, reached, note=note))
    limit = "limit of hard contact in the aligned hit (three micro-impacts), by an independent program"
    note = "reached with contacts of 0.25 ms; tends to the limit with the duration (0.9211 at 0.5 ms)"
    found.append(Check("contact.hard_limit", limit, 0.922361, 1e-3, functools.partial(_hard, 2.5e-4), note=note))
    impact = "collinear impact, dV = m2 (1 + e) v / (m1 + m2); 1500 and 1000 kg, 5 m/s, e = 0.3"
    note = "m/s, of the lighter car"
    found.append(Check("contact.delta_v_1500_1000", impact, 3.9, 1e-6, _lighter_delta_v, note=note))
    return found


def _lighter_delta_v() -> float:
    system = System(gravity=(0.0, 0.0, 0.0))
    for name, mass, x, speed in (("a", 1500.0, 0.0, 5.0), ("b", 1000.0, 1.01, 0.0)):
        system.add(RigidBody(name, mass=mass, inertia=(100.0,) * 3, position=(x, 0, 0), velocity=(speed, 0, 0)))
        system.add(OutlineSphere(f"{name}-ball", body=name, radius=0.5))
    system.add(Restitution("law", stiffness=1e6, restitution=0.3))
    run = simulate(system, duration=0.3, method="rk4-projected", step=1e-4, frames=0.01)
    return float(run.collisions[0].vehicle("b").delta_v_size)
