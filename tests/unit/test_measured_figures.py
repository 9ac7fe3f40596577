"""The measured curve of NHTSA 7292 that figures show ends at the values that the checks use."""

from __future__ import annotations

import pytest

from centrode.crash.measured.figures import CAMRY_PROFILE, TAURUS_DELTA_V


def test_the_sill_curves_end_at_the_reduced_values():
    """Reduced at 150 ms: 14.2 and 4.3 m/s of the bullet, 13.3 and 6.0 of the target (to one decimal)."""
    for car, along, across in (("bullet", -14.2, 4.3), ("target", -13.3, 6.0)):
        one, two = TAURUS_DELTA_V[car]
        assert len(one) == len(two) == 16
        assert one[-1] == pytest.approx(along, abs=0.05)
        assert two[-1] == pytest.approx(across, abs=0.05)
    assert len(CAMRY_PROFILE) == 6
