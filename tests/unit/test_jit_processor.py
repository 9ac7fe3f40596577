"""Which processors count as those that the pack is made for: all of the instructions, or none of the code."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from centrode.jit import processor

FLAGS = "fpu sse2 ssse3 sse4_1 sse4_2 popcnt cx16 lahf_lm abm avx avx2 bmi1 bmi2 f16c fma movbe xsave"
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc",
    reason="elsewhere code is made for the machine at hand",
)


def target_of(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    file = folder / "cpuinfo"
    file.write_text(text)
    monkeypatch.setattr(processor, "Path", lambda path: file if path == "/proc/cpuinfo" else Path(path))
    return processor.target.__wrapped__()


def test_a_processor_with_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert target_of(f"processor : 0\nflags : {FLAGS} aes\n", tmp_path, monkeypatch) == processor.V3


@pytest.mark.parametrize("hidden", ["abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"])
def test_a_processor_that_lacks_one(hidden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where LZCNT (abm) is hidden its bytes are another instruction, BSR: no fault, and another number."""
    flags = " ".join(item for item in FLAGS.split() if item != hidden)
    assert target_of(f"flags : {flags}\n", tmp_path, monkeypatch) == ""


@pytest.mark.parametrize("text", ["", "processor : 0\n", "Features : fp asimd\n"])
def test_a_system_that_does_not_say(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert target_of(text, tmp_path, monkeypatch) == ""


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("found", "chosen", "said"),
    [
        (processor.V3, "", "x86-64-v3"),
        (processor.V3, processor.V3, "x86-64-v3"),  # what aim_numba sets for all that this process starts
        (processor.V3, "haswell", "x86-64-v3 haswell"),  # packed kernels and those that the user has compiled
        ("", "", f"this {platform.machine()}"),
    ],
)
def test_what_code_is_made_for(found: str, chosen: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "target", lambda: found)
    monkeypatch.setenv("NUMBA_CPU_NAME", chosen)
    assert processor.made_for() == said


def test_python_is_made_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "JIT_ON", False)
    assert processor.made_for() == "plain Python"
