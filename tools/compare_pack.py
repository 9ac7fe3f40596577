"""Every scenario twice: with the pack and no Numba to import, and compiled here; the recordings must be the same bytes.

    python tools/compare_pack.py [--longest SECONDS] [SCENARIO ...]

Runs longer than ``--longest`` (of simulated time, 10 by default) are cut there, both times. Ends with exit code 1 when
a recording differs or a run fails. Compiling everything for the second run takes minutes; it is kept for the next time.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
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


def recorded(scenario: Path, target: Path, longest: float, *, packed: bool) -> str:
    """Digest of the recording of a scenario; a word on what went wrong otherwise."""
    environment = {**os.environ, "CENTRODE_PACK": "" if packed else "off"}
    script = (WITHOUT_NUMBA if packed else "") + RUN
    command = [sys.executable, "-c", script, str(scenario), str(target), str(longest)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "failed: " + (done.stderr.strip().splitlines() or ["no word"])[-1]
    if not packed and done.stderr.strip().splitlines()[-1:] != ["numba"]:
        return "failed: nothing was compiled"
    return hashlib.sha256(target.read_bytes()).hexdigest()


def main() -> int:
    """Compare all scenarios, or those that are named."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("scenarios", nargs="*", type=Path)
    options.add_argument("--longest", type=float, default=10.0)
    given = options.parse_args()
    wrong = 0
    scenarios = given.scenarios or sorted((ROOT / "scenarios").rglob("*.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "run.nc"
        for number, scenario in enumerate(scenarios, 1):
            with_pack, compiled = (recorded(scenario, target, given.longest, packed=packed) for packed in (True, False))
            same = with_pack == compiled and not with_pack.startswith("failed")
            wrong += not same
            said = "same bytes" if same else f"DIFFERENT: {with_pack[:120]} | {compiled[:120]}"
            print(f"{number:3d} of {len(scenarios)} {scenario.name:40s} {said}", flush=True)
    print(f"{len(scenarios)} scenarios, {wrong} different")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
