"""What all tests share: repeatable random examples, no windows."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")

# The first call of a kernel compiles it, so time limits of single examples mean nothing. Examples are derived from the
# test itself: a failure on one machine is a failure on all. HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
