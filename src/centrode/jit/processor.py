"""Which processors compiled code is made for.

x86-64-v3 (AVX2, FMA; nearly all machines since 2015) instead of the very processor at hand: code that was compiled
elsewhere then gives the same digits, and is no slower (docs/decisions/0016-pack.md).
"""

from __future__ import annotations

import functools
import os
import platform
import sys
from pathlib import Path

from centrode.jit.kernel import JIT_ON

V3 = "x86-64-v3"
_V3_FLAGS = {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"}
"""Of ``/proc/cpuinfo``; those of the levels below are implied by them. ``abm`` counts leading zeros (LZCNT): a virtual
machine may hide it, and where it is not there the same bytes are another instruction, which gives another number."""


@functools.cache
def target() -> str:
    """Name of the processors that code is made for here: ``x86-64-v3``, or empty for this very machine."""
    if sys.platform != "linux" or platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc":
        return ""
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as file:
            flags = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return ""
    return V3 if set(flags.split()) >= _V3_FLAGS else ""


def made_for() -> str:
    """What the code that runs here is made for, in a word or two: last digits depend on it."""
    if not JIT_ON:
        return "plain Python"
    chosen = os.environ.get("NUMBA_CPU_NAME", "")  # aim_numba's, or the user's
    return " ".join(dict.fromkeys(filter(None, (target() or f"this {platform.machine()}", chosen))))


def aim_numba() -> None:
    """Have Numba compile for :func:`target`, but where the user has chosen, or Numba has compiled already."""
    if not target():
        return
    os.environ.setdefault("NUMBA_CPU_NAME", target())
    os.environ.setdefault("NUMBA_CPU_FEATURES", "")
    os.environ.setdefault("NUMBA_DISABLE_INTEL_SVML", "1")
    if "numba" in sys.modules:  # somebody has imported it before us: it has read its environment
        from numba.core import config
        from numba.core.registry import cpu_target

        if "_toplevel_target_context" not in vars(cpu_target) and config.CPU_NAME is None:
            config.CPU_NAME, config.CPU_FEATURES = os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"]
            config.USING_SVML = False
