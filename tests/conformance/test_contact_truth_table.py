"""Contact of deformed superellipsoids against the exact table (150 pairs near touch).

The table holds answers by the definition of the MEDUSA report (1999), section 1.5.3, good to 6e-8 m.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from centrode.dynamics.contact.report_points import report_contact
from centrode.dynamics.contact.search import Status

TABLE = np.genfromtxt(
    Path(__file__).parent / "data" / "superellipsoid_contact_truth.csv", delimiter=",", names=True, dtype=float
)
CAR = ((2.0, 0.8, 0.65), 0.4)


def frame(row: np.void, letter: str) -> np.ndarray:
    return np.array([row[f"{letter}{i}"] for i in range(1, 13)])


@pytest.fixture(scope="module")
def answers() -> list:
    return [report_contact(*CAR, frame(row, "a"), *CAR, frame(row, "b")) for row in TABLE]


def test_every_overlap_flag_equals_the_table(answers):
    assert len(answers) == 150
    assert [answer.overlap for answer in answers] == [bool(row["overlap"]) for row in TABLE]


def test_least_common_level_equals_the_table(answers):
    # the table prints 12 digits of a value found by an optimiser stopped near 1e-10
    np.testing.assert_allclose([answer.level for answer in answers], TABLE["level"], rtol=1e-8)


def test_depths_points_and_normals_equal_the_table(answers):
    depth = max(abs(answer.depth - row["pen"]) for answer, row in zip(answers, TABLE, strict=True))
    points, angle = 0.0, 0.0
    for answer, row in zip(answers, TABLE, strict=True):
        assert answer.status == Status.CONVERGED
        origin = frame(row, "a")[:3]
        first = np.array([row["x1"], row["y1"], row["z1"]])
        second = np.array([row["x2"], row["y2"], row["z2"]])
        normal = np.array([row["nx"], row["ny"], row["nz"]])
        points = max(points, np.linalg.norm(answer.point_1 - origin - first))
        points = max(points, np.linalg.norm(answer.point_2 - origin - second))
        angle = max(angle, np.degrees(np.linalg.norm(np.cross(answer.normal, normal))))
    # the table is good to 6e-8 m; twice that for two points of one pair
    assert depth < 1e-6
    assert points < 2e-7
    assert angle < 1e-3
