"""Contact of deformed superellipsoids against the exact table (150 pairs near touch).

The table holds answers by the definition of the MEDUSA report (1999), section 1.5.3, good to 6e-8 m: outlines refitted
to the principal axes of the deformed ellipsoids, T1 the point of surface 1 where the level function of body 2 is
smallest, T2 the other way round, n the normal at T1, depth (T1 - T2) . n. Forces use the least translation instead
(docs/theory/contact-search.md), so overlap, common level and support points are compared, and depths roughly.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from contact_queries import flat_frame, frame_of, query, vector

from centrode.dynamics.contact.newton import growth
from centrode.dynamics.contact.search import Pair, Status, make_search
from centrode.parts.outlines.outline import Shapes
from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid
from centrode.parts.outlines.support import support_world

TABLE = np.genfromtxt(
    Path(__file__).parent / "data" / "superellipsoid_contact_truth.csv", delimiter=",", names=True, dtype=float
)
SEMI_AXES, SQUARENESS = (2.0, 0.8, 0.65), 0.4
NO_POINTS = Shapes(np.zeros((0, 3)), np.zeros(0), np.zeros((0, 4)))


def numbers(row: np.void, *names: str) -> np.ndarray:
    return np.array([row[name] for name in names])


def refitted(row: np.void, letter: str) -> tuple[OutlineSuperellipsoid, np.ndarray]:
    """The outline on the principal axes of the deformed ellipsoid, and its frame as twelve numbers."""
    frame = numbers(row, *(f"{letter}{i}" for i in range(1, 13)))
    deformed = frame[3:].reshape(3, 3).T * SEMI_AXES
    squares, axes = np.linalg.eigh(deformed @ deformed.T)
    outline = OutlineSuperellipsoid("fitted", semi_axes=vector(np.sqrt(squares)), squareness=SQUARENESS, rounding=0.0)
    return outline, flat_frame(frame[:3], axes)


def sharp(outline: OutlineSuperellipsoid) -> np.record:
    """The record of an outline without any rounding, as the table has it; outlines keep 1e-6 of it (1e-8 m here)."""
    row = outline.pack()
    row.rounding, row.semi_axes[:] = 0.0, outline.semi_axes
    return row


PAIRS = [(*refitted(row, "a"), *refitted(row, "b")) for row in TABLE]


@pytest.fixture(scope="module")
def answers() -> list:
    return [query(*pair) for pair in PAIRS]


def test_every_overlap_flag_equals_the_table(answers):
    assert len(answers) == 150
    assert [answer.gap < 0.0 for answer in answers] == [bool(row["overlap"]) for row in TABLE]
    assert all(answer.status == Status.CONVERGED for answer in answers)


def test_least_common_level_equals_the_table():
    search = make_search(NO_POINTS)
    found = []
    for a, frame_a, b, frame_b in PAIRS:
        factor, _, _, _ = growth(Pair(sharp(a), frame_of(frame_a), sharp(b), frame_of(frame_b)), search, 1e-10)
        found.append(factor ** (2.0 / SQUARENESS))
    # the table prints 12 digits of a value found by an optimiser stopped near 1e-10
    np.testing.assert_allclose(found, TABLE["level"], rtol=1e-8)


def test_the_point_that_a_normal_of_the_table_belongs_to_is_the_support_point():
    for (outline, frame, *_), row in zip(PAIRS, TABLE, strict=True):
        normal = numbers(row, "nx", "ny", "nz")
        _, point = support_world(sharp(outline), NO_POINTS, frame_of(frame), vector(normal))
        # the worst of the 150 is off by 6e-10 m
        assert np.array(point) - frame[:3] == pytest.approx(numbers(row, "x1", "y1", "z1"), abs=1e-8)


def test_the_least_translation_is_near_the_depth_of_the_report(answers):
    for answer, row in zip(answers, TABLE, strict=True):
        if row["overlap"]:
            assert -answer.gap == pytest.approx(row["pen"], rel=0.05)
