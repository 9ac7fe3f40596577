"""Random hits of all pairs of outlines: what each loses, and whether order, place, speed and direction of time matter.

    python benchmarks/contact_hits.py            200 hits of every pair, two processes
    python benchmarks/contact_hits.py 20 box     20 hits of every pair with a box
    python benchmarks/contact_hits.py 20 alone   the same of every pair, in one process
    python benchmarks/contact_hits.py orders     observed order of rk4 for every pair, 48 hits each; `alone` too
    python benchmarks/contact_hits.py orders cylinder 12    the same of every pair with a cylinder, 12 hits each
    python benchmarks/contact_hits.py follow box box 160    one hit: swapped and apart from its limit by tolerance, and
                                                            the growth of a shift of the start by time

Two free bodies of random shape, mass, inertia, attitude and spin fly at each other; a plane stands on the ground.
Columns, the worst of all hits and below it the median [1]:

    elastic     change of the energy over the energy, law without loss or friction
    lossy       energy lost minus what the contacts booked as heat, over the energy (restitution 0.6, friction 0.3)
    swapped     the same hit with the bodies listed in the other order: difference of the end state
    moved       the same hit turned, shifted and seen from a moving frame: difference of the end state, turned back
    reversed    the elastic hit run backwards from its end: difference from its start
    stopped     hits that did not complete

End states are places [m], velocities [m/s] and spins [rad/s]; differences are over the largest entry. Hits that differ
by more than 1e-6 are listed below the table, by their seed, with the growth of a shift of the start by 1e-7 m until the
end, with the largest difference over that growth, and with the same differences at a hundredth of the tolerance of
1e-10: bodies that hit each other again and again while they turn magnify whatever the tolerance leaves, in proportion.
"""

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from scipy.spatial.transform import Rotation

import centrode as ct

KINDS = ("plane", "sphere", "ellipsoid", "superellipsoid", "box", "capsule", "polyhedron", "cylinder")
TOLERANCE = 1e-10


def outline(kind: str, name: str, body: str, rng: np.random.Generator) -> ct.Outline:
    """A random outline of half a metre or so."""
    if kind == "plane":
        return ct.OutlinePlane(name, body, rotation=Rotation.random(random_state=rng).as_matrix().tolist())
    if kind == "sphere":
        return ct.OutlineSphere(name, body, radius=rng.uniform(0.2, 0.5))
    if kind == "ellipsoid":
        return ct.OutlineEllipsoid(name, body, semi_axes=tuple(rng.uniform(0.2, 0.6, 3)))
    if kind == "superellipsoid":
        return ct.OutlineSuperellipsoid(name, body, semi_axes=tuple(rng.uniform(0.2, 0.6, 3)))
    if kind == "box":
        return ct.OutlineBox(name, body, half_lengths=tuple(rng.uniform(0.2, 0.6, 3)))
    if kind == "capsule":
        return ct.OutlineCapsule(name, body, radius=rng.uniform(0.1, 0.4), half_length=rng.uniform(0.2, 0.8))
    if kind == "cylinder":
        return ct.OutlineCylinder(name, body, radius=rng.uniform(0.1, 0.4), half_length=rng.uniform(0.2, 0.8))
    return ct.OutlinePolyhedron(name, body, points=(rng.normal(size=(rng.integers(5, 12), 3)) * 0.4).tolist())


def closing(rng: np.random.Generator, one: ct.Outline, two: ct.Outline) -> dict[str, dict[str, object]]:
    """Two bodies that meet: fields of each."""
    u = rng.normal(size=3)
    if isinstance(one, ct.OutlinePlane):
        u = np.asarray(one.rotation)[:, 2]
    u /= np.linalg.norm(u)
    reach = sum(item.bounding_radius() for item in (one, two) if np.isfinite(item.bounding_radius()))
    aside = np.cross(u, rng.normal(size=3)) * 0.1
    bodies = {}
    for name, side in (("a", -0.5), ("b", 0.5)):
        place = side * 1.02 * reach * u + (aside if side > 0.0 else 0.0)
        if isinstance(one, ct.OutlinePlane):
            place = 1.02 * reach * u
        bodies[name] = {
            "mass": rng.uniform(0.5, 3.0),
            "inertia": tuple(rng.uniform(0.05, 0.08, 3)),
            "position": place,
            "orientation": Rotation.random(random_state=rng).as_matrix(),
            "velocity": -side * 4.0 * u,
            "omega": rng.normal(size=3),
        }
    return bodies


def run(outlines, bodies, law, swap=False, duration=0.5, **how):  # type: ignore[no-untyped-def]
    """The recording of a hit, by dop853 unless said otherwise."""
    system = ct.System(gravity=(0.0, 0.0, 0.0))
    names = [name for name in ("b", "a") if name in bodies]
    for name in names if swap else names[::-1]:
        body = bodies[name]
        system.add(ct.RigidBody(name, **{k: np.asarray(v).tolist() for k, v in body.items()}))
    for item in outlines[::-1] if swap else outlines:
        system.add(item)
    system.add(law)
    if "method" not in how:
        how = {"method": "dop853", "tolerance": TOLERANCE} | how
    return ct.simulate(system, duration=duration, frames=duration, **how)


def end_of(recording, bodies, turn=None, shift=0.0, speed=0.0):  # type: ignore[no-untyped-def]
    """Place, velocity and spin of the bodies at the end, turned back, each in a row."""
    turn = np.eye(3) if turn is None else turn
    rows = []
    for name in bodies:
        time = recording.time[-1]
        rows += [
            turn.T @ (recording[f"{name}.position"][-1] - shift - speed * time),
            turn.T @ (recording[f"{name}.velocity"][-1] - speed),
            recording[f"{name}.omega"][-1],
        ]
    return np.array(rows)


def setup(job: tuple[str, str, int]):  # type: ignore[no-untyped-def]
    """Outlines and bodies of a hit, with a plane on the ground, and the generator that made them."""
    one, two, seed = job
    rng = np.random.default_rng([KINDS.index(one), KINDS.index(two), seed])
    ground = one == "plane"
    outlines = [outline(one, "oa", "ground" if ground else "a", rng), outline(two, "ob", "b", rng)]
    bodies = closing(rng, *outlines)
    if ground:
        bodies.pop("a")
    return outlines, bodies, rng


def hit(job: tuple[str, str, int], **how: float) -> tuple[float, ...] | None:
    """The six figures of one hit; None when the bodies do not meet."""
    outlines, bodies, rng = setup(job)
    ground = job[0] == "plane"
    elastic = ct.HuntCrossley("law", stiffness=1e5, damping=0.0)
    first = run(outlines, bodies, elastic, **how)
    if first.status.completed and not len(first.collisions):
        return None
    lossy = run(outlines, bodies, ct.Restitution("law", stiffness=1e5, restitution=0.6, friction=0.3), **how)
    swapped = run(outlines, bodies, elastic, swap=True, **how)
    turn, shift, speed = (
        Rotation.random(random_state=rng).as_matrix(),
        rng.normal(size=3) * 3.0,
        rng.normal(size=3) * 2.0,
    )
    if ground:
        speed = np.zeros(3)
    moved_outlines, moved = outlines, {}
    for name, body in bodies.items():
        moved[name] = body | {
            "position": turn @ body["position"] + shift,
            "orientation": turn @ body["orientation"],
            "velocity": turn @ body["velocity"] + speed,
        }
    if ground:
        wall = ct.OutlinePlane(
            "oa", "ground", centre=tuple(shift), rotation=(turn @ np.asarray(outlines[0].rotation)).tolist()
        )
        moved_outlines = [wall, outlines[1]]
    seen_moved = run(moved_outlines, moved, elastic, **how)
    back = {}
    for name, body in bodies.items():
        q = first[f"{name}.orientation"][-1]
        back[name] = body | {
            "position": first[f"{name}.position"][-1],
            "orientation": Rotation.from_quat([*q[1:], q[0]]).as_matrix(),
            "velocity": -first[f"{name}.velocity"][-1],
            "omega": -first[f"{name}.omega"][-1],
        }
    try:
        returned = end_of(run(outlines, back, elastic, **how), bodies)
    except ct.InputError:  # the hit ended in contact: no start for a run
        returned = None
    start = np.array([row for body in bodies.values() for row in (body["position"], -body["velocity"], -body["omega"])])
    end = end_of(first, bodies)
    size = np.abs(end).max()
    energy = first["energy.total"]
    booked = lossy["energy.total"]
    runs = (first, lossy, swapped, seen_moved)
    return (
        abs(energy[-1] - energy[0]) / energy[0],
        abs(booked[0] - booked[-1] - lossy["collisions.heat"][-1]) / booked[0],
        np.abs(end_of(swapped, bodies) - end).max() / size,
        np.abs(end_of(seen_moved, bodies, turn, shift, speed) - end).max() / size,
        0.0 if returned is None else np.abs(returned - start).max() / size,
        float(sum(not item.status.completed for item in runs)),
    )


def growth(job: tuple[str, str, int]) -> float:
    """How much a shift of the start has grown at the end of an elastic hit [1/m]: the most of three shifts."""
    outlines, bodies, _ = setup(job)
    elastic = ct.HuntCrossley("law", stiffness=1e5, damping=0.0)
    end = end_of(run(outlines, bodies, elastic), bodies)
    found = []
    for axis in np.eye(3):
        shifted = {name: body | {"position": body["position"] + (1e-7 * axis if name == "b" else 0.0)}
                   for name, body in bodies.items()}  # fmt: skip
        found.append(np.abs(end_of(run(outlines, shifted, elastic), bodies) - end).max() / np.abs(end).max() / 1e-7)
    return float(max(found))


def follow(one: str, two: str, seed: str) -> None:
    """Whether a hit that differs does so by what its tolerance leaves: print that by tolerance, and its growth."""
    outlines, bodies, _ = setup((one, two, int(seed)))
    elastic = ct.HuntCrossley("law", stiffness=1e5, damping=0.0)

    def end(tolerance: float, swap: bool = False, shift: float = 0.0, until: float = 0.5) -> np.ndarray:
        start = {
            n: b | {"position": b["position"] + np.array([shift * (n == "b"), 0.0, 0.0])} for n, b in bodies.items()
        }
        recording = run(outlines, start, elastic, swap, until, method="dop853", tolerance=tolerance)
        return end_of(recording, bodies)

    limit = end(1e-13)
    for tolerance in (1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13):
        here = end(tolerance)
        apart = [np.abs(other - here).max() / np.abs(limit).max() for other in (end(tolerance, swap=True), limit)]
        print(f"tolerance {tolerance:.0e}: swapped {apart[0]:.1e}, from the limit {apart[1]:.1e}")
    for until in (0.1, 0.2, 0.3, 0.4, 0.5):
        grown = [np.abs(end(1e-13, shift=s, until=until) - end(1e-13, until=until)).max() / s for s in (1e-7, 1e-9)]
        print(f"a shift has grown {grown[0]:.3g} and {grown[1]:.3g} times at {until:g} s")


def order(job: tuple[str, str, int]) -> float:
    """Observed order of rk4 in one elastic hit: steps halved twice against a tenth of the last; nan without a hit.

    The longest step is 0.2 ms, or the first half of it that the run does not shorten where the bodies touch.
    """
    outlines, bodies, _ = setup(job)
    elastic = ct.HuntCrossley("law", stiffness=1e5, damping=0.0)
    ends: list[np.ndarray] = []
    longest, share = 2e-4, 1.0
    while share:
        recording = run(outlines, bodies, elastic, duration=0.3, method="rk4", step=share * longest)
        if not len(recording.collisions):
            return np.nan
        if share == 1.0 and any("were resolved" in event.subject for event in recording.events):
            longest *= 0.5
            continue
        ends.append(end_of(recording, bodies))
        share = {1.0: 0.5, 0.5: 0.25, 0.25: 0.05, 0.05: 0.0}[share]
    errors = [max(float(np.abs(end - ends[-1]).max()), 1e-15) for end in ends[:-1]]
    return float(np.polyfit(np.log([4.0, 2.0, 1.0]), np.log(errors), 1)[0])


def orders(*wanted: str) -> None:
    """Print the median and the quartiles of the observed order of every pair, or those with a kind that is wanted."""
    count = next((int(word) for word in wanted if word.isdigit()), 48)
    print(f"{'pair':<30} hits   lower  median   upper")
    with ProcessPoolExecutor(1 if "alone" in wanted else 2) as pool:
        for one, two in pairs_with(set(wanted) & set(KINDS)):
            found = np.array(list(pool.map(order, [(one, two, k) for k in range(count)], chunksize=4)))
            found = found[np.isfinite(found)]
            lower, median, upper = np.percentile(found, (25, 50, 75))
            print(f"{one + ' - ' + two:<30} {len(found):4d} {lower:7.2f} {median:7.2f} {upper:7.2f}", flush=True)


def pairs_with(kinds: set[str]) -> list[tuple[str, str]]:
    """All pairs, or those with one of these kinds."""
    every = itertools.combinations_with_replacement(KINDS, 2)
    return [pair for pair in every if pair != ("plane", "plane") and (not kinds or kinds & set(pair))]


def main(count: int, *wanted: str) -> None:
    """Print the table."""
    pairs = pairs_with(set(wanted) - {"alone"})
    print(f"{'pair':<30} hits  elastic    lossy  swapped    moved reversed  stopped")
    apart = []
    with ProcessPoolExecutor(1 if "alone" in wanted else 2) as pool:
        for one, two in pairs:
            every = list(pool.map(hit, [(one, two, k) for k in range(count)], chunksize=5))
            found = [item for item in every if item]
            apart += [(one, two, k, item) for k, item in enumerate(every) if item and max(item[2:5]) > 1e-6]
            figures = np.array(found)
            worst = " ".join(f"{value:8.1e}" for value in figures[:, :5].max(axis=0))
            median = " ".join(f"{value:8.1e}" for value in np.median(figures[:, :5], axis=0))
            print(f"{one + ' - ' + two:<30} {len(found):4d} {worst} {int(figures[:, 5].sum()):8d}", flush=True)
            print(f"{'':<30} half {median}", flush=True)
    if not apart:
        print("no hit differs by more than 1e-6")
    for one, two, seed, item in apart:
        grown = growth((one, two, seed))
        finer = hit((one, two, seed), tolerance=0.01 * TOLERANCE)
        print(f"{one} - {two}, seed {seed}: {differences(item)}; at {0.01 * TOLERANCE:.0e} {differences(finer)};")
        print(f"    a shift grows {grown:.0f} times: the most over it is {max(item[2:5]) / grown:.1e}", flush=True)


def differences(item: tuple[float, ...] | None) -> str:
    """Swapped, moved and reversed of a hit."""
    return " ".join(f"{value:.1e}" for value in item[2:5]) if item else "no hit"


if __name__ == "__main__":
    if sys.argv[1:2] == ["orders"]:
        orders(*sys.argv[2:])
        sys.exit()
    if sys.argv[1:2] == ["follow"]:
        follow(*sys.argv[2:5])
        sys.exit()
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, *sys.argv[2:])
