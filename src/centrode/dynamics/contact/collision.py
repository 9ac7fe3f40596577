"""One collision of two bodies: a record, and the same numbers by name as the events of a recording hold them.

Names follow from the fields and their shapes: ``impulse`` is impulse_x, impulse_y, impulse_z; ``mass`` is mass_a and
mass_b; ``velocity`` is velocity_x_before_a and so on; ``pulse`` is pulse_00, pulse_01, ... SI units, world frame; a
and b are the two bodies, the impulse is that on b. The crash table (:mod:`centrode.crash.collisions`) is made of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from centrode.dynamics.contact.tables import INTEGRALS
from centrode.math.record import record

PULSE_POINTS = 41
"""Samples of the force of a collision, evenly spaced from begin to end."""
XYZ = ("x", "y", "z")
BEFORE, AFTER = 0, 1
GOES_ON = -0.05
"""Bodies that close faster than this share of their speed before went on: past each other, or through."""

COLLISION = record(
    ("begin", "f8"),  # first touch [s]
    ("end", "f8"),  # last separation [s]
    ("closing_speed", "f8"),  # along the normal, at first touch [m/s]
    ("peak_force", "f8"),
    ("peak_time", "f8"),
    ("episodes", "f8"),  # contacts of pairs of outlines
    ("depth", "f8"),  # greatest [m]
    ("crush", "f8"),  # permanent [m]
    ("slip_speed", "f8"),  # greatest [m/s]
    ("sides", "f8"),  # code of the sides that met (:mod:`centrode.dynamics.contact.regions`), negative when swapped
    ("touching_at_end", "f8"),
    ("heat_law", "f8"),  # lost in the contact law and in friction [J]
    ("heat_friction", "f8"),
    ("impulse", "f8", (3,)),
    ("normal", "f8", (3,)),  # at first touch
    ("touch", "f8", (3,)),  # place of first touch [m]
    ("point", "f8", (3,)),  # place where the impulse acted on the whole [m]
    ("velocity", "f8", (2, 2, 3)),  # of the centre of mass
    ("spin", "f8", (2, 2, 3)),
    ("heading", "f8", (2, 2, 3)),  # first director
    ("place", "f8", (2, 2, 3)),
    ("vibration", "f8", (2, 2)),  # energy [J]
    ("pulse", "f8", (PULSE_POINTS,)),  # force [N]
    ("mass", "f8", (2,)),  # 0: the ground
    ("on_road", "f8"),  # 1: with a road or its kerb
    ("asked", "f8"),  # restitution that the law was given [1]; 0: none, or they were only laid on each other
    ("parting_speed", "f8"),  # at the end of the first contact; 0: it lasts
    ("beside", "f8"),  # speed that weight and other forces made while it lasted, over the closing speed [1]
    # greatest depth over the thinner half-width [1], stiffness or duration of a law that would keep it small; 0: none
    ("overlap", "f8"),
    ("stiffer", "f8"),
    ("shorter", "f8"),
    ("by_columns", "f8"),  # 1: a body gave way
    # of bodies that gave way, in this collision alone (:mod:`damage`): energy taken up [J], greatest crush, width of
    # the damage, C1..C6 [m]; side of the dent + 1 (0: none), its ends over that of the side, its deepest [m]
    ("taken_up", "f8", (2,)),
    ("own_crush", "f8", (2,)),
    ("damage_width", "f8", (2,)),
    ("profile", "f8", (2, 6)),
    ("dent_side", "f8", (2,)),
    ("dent_begin", "f8", (2,)),
    ("dent_end", "f8", (2,)),
    ("residual", "f8", (2,)),
)

_ENDINGS = {(): [""], (3,): [f"_{c}" for c in XYZ], (2,): ["_a", "_b"]}
_ENDINGS[2, 6] = [f"_{k}_{which}" for which in "ab" for k in range(1, 7)]
_ENDINGS[2, 2] = [f"_{when}_{which}" for when in ("before", "after") for which in "ab"]
_ENDINGS[2, 2, 3] = [f"_{c}{ending}" for ending in _ENDINGS[2, 2] for c in XYZ]


def collision_of(pulse: Any, masses: list[float]) -> Any:
    """The record of a pulse (:data:`centrode.dynamics.contact.tables.PULSE`) of bodies with these masses [kg]."""
    made = np.zeros(1, COLLISION)[0]
    for name in set(COLLISION.names or ()) & set(pulse.dtype.names):
        made[name] = pulse[name][: len(made[name])] if made[name].ndim > 1 else pulse[name]
    total = (pulse.integrals[AFTER] - pulse.integrals[BEFORE]).view(INTEGRALS)[0]
    made.impulse, made.heat_law, made.heat_friction = total.impulse, total.heat_law, total.heat_friction
    size = float(np.linalg.norm(total.impulse))
    if pulse.by_columns and size > 0.0:  # the face that was touched first is gone: the direction is that of the impulse
        made.normal = total.impulse / size
    made.point = total.moment / total.magnitude if total.magnitude > 0 else pulse.touch
    made.touching_at_end = pulse.touching > 0
    made.mass = masses
    samples = pulse.samples[: pulse.sample_count]
    made.pulse = np.interp(np.linspace(pulse.begin, pulse.end, PULSE_POINTS), samples[:, 0], samples[:, 1])
    return made


def relative_speed(collision: np.record, when: int) -> float:
    """Speed of B relative to A along the normal, of the rigid motion at the place of the impulse [m/s]."""
    # The bodies travel while they touch: the arm is taken from the middle of their way, where the impulse acted.
    arms = collision.point - 0.5 * (collision.place[BEFORE] + collision.place[AFTER])
    speeds = collision.velocity[when] + np.cross(collision.spin[when], arms)
    return float((speeds[1] - speeds[0]) @ collision.normal)


def restitution_of(collision: np.record) -> float:
    """Parting over closing speed [1]; not a number where the bodies did not close, or slid off each other.

    Bodies that give way slide off where a corner tears or a side is scraped: they never had one velocity along the
    impulse, which is what restitution speaks of. Whether they went through each other is told by :mod:`cores`.
    """
    begin, end = (relative_speed(collision, when) for when in (BEFORE, AFTER))
    if not begin < 0.0 or (collision.by_columns and end < GOES_ON * -begin):
        return float("nan")
    return -end / begin


def by_other_forces(collision: np.record) -> float:
    """Change of the speed of B relative to A along the normal that is not the impulse over the masses: by weight, tyres
    and joints [m/s]."""
    shares = np.array([1.0 / mass if mass > 0.0 else 0.0 for mass in collision.mass])
    by_contact = np.outer(shares * (-1.0, 1.0), collision.impulse)
    beside = (collision.velocity[AFTER] - collision.velocity[BEFORE] - by_contact) @ collision.normal
    return float(beside[1] - beside[0])


def forces_beside(pulse: np.record, collision: np.record) -> float:
    """Speed that weight made along the normal while the first contact of a pulse lasted, or all other forces if that is
    more and nothing else touched; over the closing speed [1]."""
    if not pulse.closing_speed > 0.0:
        return 0.0
    lasted = (pulse.parted if pulse.parted > 0.0 else pulse.end) - pulse.begin
    made = abs(pulse.weight) * lasted
    if pulse.episodes == 1.0:
        made = max(made, abs(by_other_forces(collision)))
    return float(made / pulse.closing_speed)


def _names(kind: np.dtype[Any]) -> Iterator[tuple[str, list[str]]]:
    for field in kind.names or ():
        shape = kind[field].shape
        yield field, [field + ending for ending in _ENDINGS.get(shape) or [f"_{k:02d}" for k in range(shape[0])]]


def named_values(collision: Any) -> dict[str, float]:
    """A record as numbers by name."""
    return {
        name: float(value)
        for field, names in _names(collision.dtype)
        for name, value in zip(names, np.ravel(collision[field]), strict=True)
    }


def collision_from_values(values: Mapping[str, float]) -> Any:
    """A record from its numbers by name; the pulse may have any number of samples."""
    samples = sum(name.startswith("pulse_") for name in values)
    kind = np.dtype(
        (np.record, [(n, "f8", (samples,) if n == "pulse" else COLLISION[n].shape) for n in COLLISION.names or ()])
    )
    made = np.zeros(1, kind)[0]
    for field, names in _names(kind):
        # a recording of before bodies gave way has no figures of damage
        made[field] = np.reshape([values.get(name, 0.0) for name in names], kind[field].shape)
    return made
