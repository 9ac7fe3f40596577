"""Every scenario with the pack and no Numba to import, compiled here, and as plain Python: do they agree?

    python tools/compare_pack.py [--longest SECONDS] [--steps N] [--only pack|plain] [SCENARIO ...]

Packed and compiled kernels must give the same bytes. Runs longer than ``--longest`` (of simulated time, 10 by default)
are cut there, both times. Compiling everything takes minutes; it is kept for the next time.

Plain Python (JIT off) rounds otherwise: compiled code contracts products and sums into one operation, and takes other
functions of the C library. So it is compared over the first ``--steps`` steps (5 by default; plain Python is a thousand
times slower), before round-off can grow: every channel must agree within :data:`ROUND_OFF` of the largest value of its
unit in the run, forces and accelerations within :data:`STIFF`.

Ends with exit code 1 when a recording differs or a run fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
ROUND_OFF = 1e-9
"""Share of the largest value of a unit. An evaluation adds up some thousands of products, 1e4 times 1e-16, and a place
some hundred metres out loses another thousand against the way of a few steps."""
STIFF = 1e-6
"""The same for forces, moments and accelerations, which nothing has integrated yet: stiffnesses of beams and contacts
times the round-off of places, a thousand times the forces that move them. A wrong formula shows at 1e-3 and more."""
LEAST = 1e-3
"""Where all values of a unit are smaller, this one is taken [SI]: rates of a body that does not bend are round-off."""
WITHOUT_NUMBA = "import sys; sys.modules.update(numba=None, llvmlite=None); "
RUN = """
import sys, centrode
path, target, longest = sys.argv[1], sys.argv[2], float(sys.argv[3])
scenario = centrode.load(path)
cut = {} if (scenario.settings.duration or 0.0) <= longest else {"duration": longest}
run = centrode.simulate(scenario, path=target, **cut)
if "numba" in sys.modules and sys.modules["numba"] is not None:
    print("numba", file=sys.stderr)
"""
FIRST_STEPS = """
import json, sys, centrode, numpy as np
path, target, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
scenario = centrode.load(path)
step = scenario.settings.step or 1e-3
run = centrode.simulate(scenario, duration=steps * step, frames=step)
np.savez(target, time=run.time, **{name: np.asarray(run[name], dtype=float) for name in run})
print(json.dumps({name: channel.unit for name, channel in run.channels.items()}))
"""


def started(script: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """A process of its own that runs a script to its end."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    known = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment}
    return subprocess.run(command, env=known, cwd=ROOT, capture_output=True, text=True, check=False)


def last_words(done: subprocess.CompletedProcess[str]) -> str:
    """What a process said before it failed."""
    return "failed: " + (done.stderr.strip().splitlines() or ["no word"])[-1][:120]


def recorded(scenario: Path, target: Path, longest: float, *, packed: bool) -> str:
    """Digest of the recording of a scenario; a word on what went wrong otherwise."""
    script = (WITHOUT_NUMBA if packed else "") + RUN
    done = started(script, scenario, target, longest, CENTRODE_PACK="" if packed else "off")
    if done.returncode != 0:
        return last_words(done)
    if not packed and done.stderr.strip().splitlines()[-1:] != ["numba"]:
        return "failed: nothing was compiled"
    return hashlib.sha256(target.read_bytes()).hexdigest()


def same_bytes(scenario: Path, folder: Path, longest: float) -> tuple[bool, str]:
    """Whether packed and compiled kernels give one recording, and a word on it."""
    target = folder / "run.nc"
    with_pack, compiled = (recorded(scenario, target, longest, packed=packed) for packed in (True, False))
    same = with_pack == compiled and not with_pack.startswith("failed")
    return same, "same bytes" if same else f"DIFFERENT: {with_pack[:120]} | {compiled[:120]}"


def near_plain(scenario: Path, folder: Path, steps: int) -> tuple[bool, str]:
    """Whether packed kernels and plain Python agree over the first steps, and the largest difference."""
    found = []
    for name, script, given in (
        ("packed", WITHOUT_NUMBA + FIRST_STEPS, {"NUMBA_DISABLE_JIT": "0"}),
        ("plain", FIRST_STEPS, {"NUMBA_DISABLE_JIT": "1"}),
    ):
        done = started(script, scenario, folder / f"{name}.npz", steps, **given)
        if done.returncode != 0:
            return False, f"{name} {last_words(done)}"
        with np.load(folder / f"{name}.npz") as data:
            found.append(dict(data))
        units: dict[str, str] = {**json.loads(done.stdout.strip().splitlines()[-1]), "time": "s"}
    where, excess = largest_difference(*found, units)
    said = f"{excess:.1e} of what is allowed in {where} [{units.get(where, '')}]"
    return excess <= 1.0, said if excess <= 1.0 else f"DIFFERENT: {said}"


def largest_difference(
    one: dict[str, np.ndarray], two: dict[str, np.ndarray], units: dict[str, str]
) -> tuple[str, float]:
    """The channel that differs most, as a share of what is allowed; infinite where shapes or NaN do."""
    if one.keys() != two.keys():
        return sorted(one.keys() ^ two.keys())[0], np.inf
    sizes: dict[str, float] = {}
    for name, values in one.items():
        largest, unit = float(np.abs(values[np.isfinite(values)]).max(initial=LEAST)), units.get(name, "")
        sizes[unit] = max(sizes.get(unit, LEAST), largest)
    worst = ("time", 0.0)
    for name, values in one.items():
        other = two[name]
        if values.shape != other.shape or not np.array_equal(np.isfinite(values), np.isfinite(other)):
            return name, np.inf
        if name.endswith(".orientation"):  # a quaternion and its negative are one orientation
            other = other * np.where((values * other).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        both = np.isfinite(values)
        difference = float(np.abs(values[both] - other[both]).max(initial=0.0))
        unit = units.get(name, "")
        allowed = (STIFF if unit.startswith("N") or unit.endswith("s2") else ROUND_OFF) * sizes[unit]
        worst = max(worst, (name, difference / allowed), key=lambda item: item[1])
    return worst


def main() -> int:
    """Compare all scenarios, or those that are named."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("scenarios", nargs="*", type=Path)
    options.add_argument("--longest", type=float, default=10.0)
    options.add_argument("--steps", type=int, default=5)
    options.add_argument("--only", choices=("pack", "plain"))
    given = options.parse_args()
    wrong = 0
    scenarios = [item.resolve() for item in given.scenarios] or sorted((ROOT / "scenarios").rglob("*.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        for number, scenario in enumerate(scenarios, 1):
            outcomes = []
            if given.only != "plain":
                outcomes.append(same_bytes(scenario, Path(folder), given.longest))
            if given.only != "pack":
                outcomes.append(near_plain(scenario, Path(folder), given.steps))
            wrong += not all(same for same, _ in outcomes)
            said = "; plain: ".join(text for _, text in outcomes)
            print(f"{number:3d} of {len(scenarios)} {scenario.name:40s} {said}", flush=True)
    print(f"{len(scenarios)} scenarios, {wrong} different")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
