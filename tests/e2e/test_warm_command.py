"""``centrode warm``: kernels compiled ahead of time by several processes, and kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.compiled
pytest.importorskip("numba")

SOME = """
import sys
import centrode.every_kernel as every
from centrode.cli.main import run
chosen = [key for key in every.missing_kernels() if ":measure_energy" in key or ":shift_poses" in key][:2]
every.missing_kernels = lambda: chosen
sys.exit(run(["warm", "--workers", "2"]))
"""
"""Two of the three hundred; all of them take minutes."""


def started(script: str, folder: Path, **options: Any) -> subprocess.Popen[str]:
    known = {**os.environ, "CENTRODE_PACK": "off", "CENTRODE_CACHE_DIR": str(folder), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", script]
    kept = {"env": known, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **{**kept, **options})


def test_two_at_once_in_two_processes_each_leave_a_whole_cache(tmp_path: Path) -> None:
    for processes in (2, 1):  # the last one finds them
        running = [started(SOME, tmp_path) for _ in range(processes)]
        said = [process.communicate(timeout=240) for process in running]
        assert [process.returncode for process in running] == [0] * processes, said
        assert all("2 kernels compiled" in errors for _, errors in said)
        files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        assert len(files) == 2 and all(path.suffix != ".tmp" for path in files), "nothing half written, nothing twice"
        if processes == 2:
            first = files
    assert files == first


def test_what_cannot_be_kept_is_not_compiled(tmp_path: Path) -> None:
    """It compiled for minutes, said how many it had, and nothing was there afterwards."""
    (tmp_path / "file").write_text("where the folder should be")
    warm = started(
        "import sys; from centrode.cli.main import run; sys.exit(run(['warm']))", tmp_path / "file" / "cache"
    )
    _, errors = warm.communicate(timeout=240)
    assert warm.returncode == 2 and "cannot be kept in" in errors and "CENTRODE_CACHE_DIR" in errors
    assert "Traceback" not in errors


ALL = """
import signal, sys
from centrode.cli.main import run
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell hands it down ignored
sys.exit(run(["warm", "--workers", "2"]))
"""


@pytest.mark.skipif(os.name != "posix", reason="groups of processes, and signals to them")
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
def test_an_interrupt_ends_it_and_keeps_what_is_compiled(how: str, tmp_path: Path) -> None:
    """With Ctrl-C, which all processes hear, it went on for as long as there were kernels: Numba swallows it.

    Killed, which it hears alone, it left its workers behind.
    """
    warm = started(ALL, tmp_path, start_new_session=True)
    try:
        began = time.monotonic()
        while not any(path.is_file() for path in tmp_path.rglob("[!.]*")):
            assert warm.poll() is None and time.monotonic() - began < 200.0
            time.sleep(0.05)
        if how == "SIGINT":
            os.killpg(warm.pid, signal.SIGINT)
        else:
            warm.terminate()
        _, errors = warm.communicate(timeout=20.0)  # to the end of a pipe that the workers hold too
    finally:
        if warm.poll() is None:
            os.killpg(warm.pid, signal.SIGKILL)
    assert warm.returncode == 130 and errors.endswith("centrode: interrupted\n"), errors
    assert "Traceback" not in errors
