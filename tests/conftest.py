"""What all tests share: repeatable random examples, no windows."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

os.environ.setdefault("MPLBACKEND", "Agg")

# The first call of a kernel compiles it, so time limits of single examples mean nothing. Examples are derived from the
# test itself: a failure on one machine is a failure on all. HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("search", deadline=None, max_examples=1000)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "repeatable")
settings.load_profile(PROFILE)
if PROFILE == "repeatable":
    # Hypothesis also draws constants that it reads in the sources of all modules loaded so far, so that the examples of
    # a test hung on the files that had run before it in the same process. There is no setting for it.
    assert hasattr(providers, "_get_local_constants"), "hypothesis draws its constants elsewhere now: look there"
    providers._get_local_constants = providers.Constants


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With the JIT off there is no machine code, so tests of it have nothing to look at."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"):
        return
    for item in items:
        if item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip(reason="needs compiled kernels, and the JIT is off"))
