"""Whether bodies that give way went through each other, judged by where they were and by nothing that pushed them.

A body with a structure has a *bar* across its middle that nothing can reach, however hard the hit: as wide as the body
less what its sides can give, a tenth of its length thick; and a *block*, its outline less what its sides can give, and
its ends up to the last knot of their curve. A body without a structure is a block as it is. When the bar of one stands
in the block of another and goes on, one drove through the other: cars that pass abreast inside each other's sills, a
pole behind the front seats, a car with its middle in a wall. Corners that are torn off and sides that are scraped stay
outside. What is pressed into a side beyond its limit compresses the core there, by as much again before its curve has
no more knots: a bar stands in a block then, but stays where it came in.

Looked at in the poses of recorded frames, and between them wherever bodies move by more than half of a bar. A gap that
was found cannot close before the bodies have moved and turned by as much, so it is looked for anew only then. Columns,
depths and forces (:mod:`columns`) take no part in it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.search import ROOM, Status
from centrode.dynamics.contact.strips import extents, structures_of
from centrode.math.rotation import matrix_from_quaternion
from centrode.parts.outlines.box import OutlineBox
from centrode.parts.outlines.outline import PLACED, Outline, body_frame, pack_outlines, place_outline, three_floats

if TYPE_CHECKING:
    from centrode.dynamics.contact.tables import ContactTables
    from centrode.system.builder import System

THICK = 0.1
"""Thickness of a bar over the length of its body."""
ENDS = 2.0
"""A block ends this many limits inside front and rear: there the curve of a structure has no more knots."""
LARGEST = 1e3
"""Reach of what has none, such as a wall without end [m]; it does not turn."""
UNEVEN = 1.1
"""Orientations between frames follow the chord, not the arc: up to 60 degrees a part of the way is longer by less."""
INSIDE = 0.02
"""How deep a bar stands in a block before it counts [m]."""
ON = 0.85
"""A bar that has moved along its body since it came in by this share of both half widths, its own and the block's, went
through. It is looked at every half of its half width, so three times at least on its way through the thinnest thing."""


class Core(NamedTuple):
    """Bar and block of an outline: rows of the table (-1: no bar), its body, reach from the body's origin [m], how far
    its sides give beyond their limit [m], axes of the outline in those of the body."""

    bar: int
    block: int
    body: str
    reach: float
    give: float
    turned: np.ndarray


class Place(NamedTuple):
    """Where a bar came into a block: a point of each there, axes of the outlines from the bodies' origins [m]."""

    of_bar: np.ndarray
    of_block: np.ndarray


class Cores:
    """Bars and blocks of a system, and the last poses that were looked at."""

    def __init__(self, system: System, names: tuple[str, ...], tables: ContactTables, outlines: list[Outline]) -> None:
        self.cores: list[Core] = []
        self.pairs: set[tuple[int, int]] = set()
        self.before: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self.inside: dict[tuple[int, int], Place] = {}
        if not tables.law_crushes.any():
            return
        rows, shapes = pack_outlines(outlines)
        structures = structures_of(system, outlines)
        made: list[Outline] = []
        for row, item in zip(rows, outlines, strict=True):
            structure = structures.get(item.name)
            bar, block, give = -1, len(made), 0.0
            if structure is None:
                made.append(item)
            else:
                low, high = extents(row, shapes)
                front, rear, side, roof = structure.limit
                give = (ENDS - 1.0) * side
                made.append(box_within(item, low + (ENDS * rear, side, roof), high - (ENDS * front, side, roof)))
                thick = 0.5 * (1.0 - THICK) * (high[0] - low[0])
                bar = len(made)
                made.append(box_within(item, low + (thick, side, roof), high - (thick, side, roof)))
            reach = float(np.linalg.norm(item.centre)) + (item.bounding_radius() if not row.half_space else math.inf)
            self.cores.append(Core(bar, block, item.body, reach, give, np.asarray(item.rotation, dtype=float)))
        self.rows, self.shapes = pack_outlines(made)
        materials, excluded = tables.outlines["material"], set(tables.excluded.tolist())
        number = {name: k for k, name in enumerate(names)}
        # Rims, which meet kerbs alone, have nothing that could not be reached.
        judged = np.flatnonzero(tables.outlines["roads_only"] == 0).tolist()
        for i, j in itertools.combinations(judged, 2):
            one, two = self.cores[i], self.cores[j]
            a, b = sorted((number[one.body], number[two.body]))
            crushes = tables.law_crushes[tables.law_of[materials[i], materials[j]]]
            if a != b and crushes and a * len(names) + b not in excluded and max(one.bar, two.bar) >= 0:
                self.pairs.add((i, j))
        self.room = np.zeros(1, ROOM)[0]

    def find_passage(self, times: np.ndarray, columns: Mapping[str, np.ndarray]) -> tuple[float, str, float] | None:
        """The first passage in recorded frames: time [s], names, how deep the bar stands in the block [m]."""
        if not self.pairs:
            return None
        poses = {core.body: self._poses(core.body, columns, len(times)) for core in self.cores}
        found = [seen for i, j in self._near(poses) if (seen := self._look(times, poses, i, j)) is not None]
        self.before = {name: (place[-1:], turned[-1:]) for name, (place, turned) in poses.items()}
        return min(found, default=None)

    def _near(self, poses: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> list[tuple[int, int]]:
        """Pairs whose bodies can have met in these frames: spheres about the whole way of each overlap."""
        ways = [poses[core.body][0] for core in self.cores]
        middles = np.array([0.5 * (way.min(axis=0) + way.max(axis=0)) for way in ways])
        far = [np.linalg.norm(way - at, axis=1).max() for way, at in zip(ways, middles, strict=True)]
        reach = np.array([core.reach for core in self.cores]) + far
        apart = np.linalg.norm(middles[:, None] - middles[None], axis=2) - reach[:, None] - reach[None]
        return [(int(i), int(j)) for i, j in np.argwhere(apart < 0.0) if (int(i), int(j)) in self.pairs]

    def _poses(self, body: str, columns: Mapping[str, np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
        """Positions and quaternions of a body, with the last ones of the frames before."""
        if f"{body}.position" not in columns:  # the ground
            places, turned = np.zeros((count, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
        else:
            places = columns[f"{body}.position"]
            turned = columns.get(f"{body}.orientation", np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)))
        if body in self.before:
            places = np.concatenate([self.before[body][0], places])
            turned = np.concatenate([self.before[body][1], turned])
        return places, turned

    def _look(
        self, times: np.ndarray, poses: Mapping[str, tuple[np.ndarray, np.ndarray]], i: int, j: int
    ) -> tuple[float, str, float] | None:
        """The first frame, or moment between frames, at which a bar of a pair stands in the block of the other."""
        one, two = self.cores[i], self.cores[j]
        way = poses[two.body][0] - poses[one.body][0]
        apart = np.linalg.norm(way, axis=1)
        moved = np.linalg.norm(np.diff(way, axis=0, prepend=way[:1]), axis=1)
        step = 0.5 * min(float(self.rows[core.bar].thickness) for core in (one, two) if core.bar >= 0)
        late = len(way) - len(times)
        # A point of a body goes at most as far as its origin, and twice the sine of half the angle times its reach.
        went = moved + sum(min(core.reach, LARGEST) * turns_of(poses[core.body][1]) for core in (one, two))
        left = 0.0  # what is left of the gap that was found last
        for k in map(int, np.flatnonzero(apart - moved < one.reach + two.reach)):
            parts = min(max(math.ceil(moved[k] / step), 1), 256)
            for share in (np.arange(parts) + 1) / parts:
                left -= UNEVEN * went[k] / parts
                if left > 0.0:
                    continue
                gaps = [self._gap(poses, k, share, a, b) for a, b in ((i, j), (j, i))]
                left = min(gap for gap, _ in gaps)
                if any(went_on for _, went_on in gaps):
                    return float(times[max(k - late, 0)]), f"{one.body} - {two.body}", -left
            if k + 1 < len(apart) and not apart[k + 1] - moved[k + 1] < one.reach + two.reach:
                left = 0.0  # frames are passed over from here on
        return None

    def _gap(self, poses: Mapping[str, Any], k: int, share: float, i: int, j: int) -> tuple[float, bool]:
        """Gap between the bar of core i and the block of core j, between frames k - 1 and k [m], below 0: inside; and
        whether it went on there, deeper than the sides give or along the body of the bar."""
        one, two = self.cores[i], self.cores[j]
        if one.bar < 0:
            return math.inf, False
        placed = np.zeros(2, PLACED)
        placed["reach"] = math.inf
        frames = []
        for place, row, core in zip(placed, (one.bar, two.block), (one, two), strict=True):
            places, turned = poses[core.body]
            before = max(k - 1, 0)
            q = turned[before] + share * (turned[k] * np.sign(turned[before] @ turned[k] or 1.0) - turned[before])
            position = places[before] + share * (places[k] - places[before])
            frames.append((position, matrix_from_quaternion(q / np.linalg.norm(q))))
            place_outline(self.rows[row], body_frame(*frames[-1]), place)
        rows = self.rows[one.bar], placed[0], self.rows[two.block], placed[1]
        found = find_closest(*rows, *self.shapes, self.room, (0.0, 0.0, 0.0), math.inf)
        if found.status == Status.NO_ANSWER:
            return 0.0, False
        if not found.gap < -INSIDE:
            self.inside.pop((i, j), None)
            return float(found.gap), False
        (here, there), (axes, theirs) = zip(*frames, strict=True)
        axes, theirs = axes @ one.turned, theirs @ two.turned
        if (i, j) not in self.inside:
            point = np.asarray(found.point_b)
            self.inside[i, j] = Place(axes.T @ (point - here), theirs.T @ (point - there))
        came = self.inside[i, j]
        moved = axes.T @ (there + theirs @ came.of_block - here) - came.of_bar
        give = one.give + two.give
        along = ON * float(self.rows[one.bar].thickness + self.rows[two.block].thickness)
        went_on = abs(moved[0]) > along or max(np.hypot(moved[1], moved[2]), -found.gap - INSIDE) > give
        return float(found.gap), bool(went_on)


def turns_of(quaternions: np.ndarray) -> np.ndarray:
    """Twice the sine of half the angle that a body turns by from frame to frame [1]."""
    along = np.abs(np.sum(quaternions[1:] * quaternions[:-1], axis=1))
    return np.concatenate([[0.0], 2.0 * np.sqrt(np.clip(1.0 - along**2, 0.0, 1.0))])


def box_within(item: Outline, low: np.ndarray, high: np.ndarray) -> OutlineBox:
    """A box in the own axes of an outline; at least a centimetre in every direction."""
    half = np.maximum(0.5 * (high - low), 0.005)
    rotation = np.asarray(item.rotation, dtype=float)
    centre = np.asarray(item.centre) + rotation @ (0.5 * (low + high))
    sizes = three_floats(half)
    return OutlineBox(item.name, item.body, three_floats(centre), item.rotation, half_lengths=sizes)
