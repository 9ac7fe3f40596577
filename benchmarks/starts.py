"""How soon commands answer: processor seconds of whole processes, the least of several, beside those of another tree.

    python benchmarks/starts.py [OTHER_TREE] [--rounds 5] [--only run,crash]

Each command runs in a process of its own on the sources of its tree, with byte code kept (in a folder that is thrown
away, so that neither tree is written into) and kernels as a user has them: those of the pack, or compiled ones that the
first call, which is not counted, leaves in the cache. With another tree both take turns, the other one first every
second time. What counts is user and system time of the process with all it waited for; of ``drive``, which does not end
by itself, that of the server until a client has its first frame, and the wall time a client waits for it.

The commands act on ``scenarios/collisions/offset.yaml``: ``crash`` prints the tables, ``crash -o`` is the line of
``make demo`` (sensitivity, all files).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCENARIO = "scenarios/collisions/offset.yaml"
WANTED = {"--help": 0.2, "run": 0.6, "view --html": 1.0, "crash": 2.0, "crash -o": 2.0, "report": 2.0, "drive": 2.0}
"""What a command should stay below [s]; said beside the figures."""
_TICKS = os.sysconf("SC_CLK_TCK")


def commands(out: Path) -> dict[str, list[str]]:
    """What is measured, in an order in which each finds what it reads."""
    run = str(out / "run.nc")
    return {
        "--help": ["--help"],
        "run": ["run", SCENARIO, "-o", run, "--quiet"],
        "view --html": ["view", run, "--html", str(out / "view.html")],
        "crash": ["crash", run],
        "crash -o": ["crash", run, "--sensitivity", "-o", str(out / "crash")],
        "report": ["report", run, "-o", str(out / "report.html")],
        "drive": ["drive", SCENARIO, "--no-open", "--port", "0", "-o", str(out / "drive.nc")],
    }


class Tree:
    """A checkout whose commands are measured.

    Args:
        folder: the checkout.
        scratch: folder for what the commands write.
    """

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.folder, self.out = folder, scratch / "out"
        self.out.mkdir(parents=True)
        self.best: dict[str, float] = {}
        kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        self._environment = {
            **kept,
            "PYTHONPATH": str(folder / "src"),
            "PYTHONPYCACHEPREFIX": str(scratch / "bytecode"),
            "PYTHONUNBUFFERED": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }

    def measure(self, name: str) -> dict[str, float]:
        """Seconds of one call, by what they are of."""
        script = "import sys; from centrode.cli.main import main; main()"
        line = [sys.executable, "-c", script, *commands(self.out)[name]]
        log = (self.out / "log").open("w+b")
        child = subprocess.Popen(line, cwd=self.folder, env=self._environment, stdout=log, stderr=subprocess.STDOUT)
        if name == "drive":
            return self._first_frame(child, self.out / "log")
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"starts: {name} of {self.folder} failed:\n{(self.out / 'log').read_text()}")
        return {name: usage.ru_utime + usage.ru_stime}

    def _first_frame(self, server: subprocess.Popen[bytes], log: Path) -> dict[str, float]:
        from websockets.sync.client import connect

        started = time.perf_counter()
        try:
            address = None
            while address is None:
                if server.poll() is not None or time.perf_counter() - started > 120.0:
                    raise SystemExit(f"starts: drive of {self.folder} failed:\n{log.read_text()}")
                time.sleep(0.005)
                address = re.search(r"drive at:\s+http://([^/\s]+)/(\S*)", log.read_text())
            host, rest = address[1], address[2]
            urllib.request.urlopen(address[0].split()[-1], timeout=60.0).read()  # the page, as a browser does
            with connect(f"ws://{host}/live{rest[rest.find('?') :]}", origin=f"http://{host}") as client:  # type: ignore[arg-type]
                while not isinstance(client.recv(timeout=60.0), bytes):
                    pass  # words about the scene come first
                waited, spent = time.perf_counter() - started, _spent(server.pid)
        finally:
            server.terminate()
            server.wait(20.0)
        return {"drive": spent, "drive, wall": waited}

    def keep(self, found: dict[str, float]) -> None:
        """Count a call where it was the best."""
        for name, value in found.items():
            self.best[name] = min(value, self.best.get(name, value))


def _spent(process: int) -> float:
    """Processor time of a running process [s]."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def main() -> int:
    """Measure and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("other", nargs="?", type=Path)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--only", default="")
    given = options.parse_args()
    chosen = [name for name in WANTED if not given.only or name in given.only.split(",")]
    with tempfile.TemporaryDirectory() as scratch:
        folders = [ROOT, *([given.other.resolve()] if given.other else [])]
        trees = [Tree(folder, Path(scratch) / str(number)) for number, folder in enumerate(folders)]
        for tree in trees:
            tree.measure("run")  # what the others read
        for name in chosen:
            for number in range(-1, given.rounds):
                for tree in trees if number % 2 else trees[::-1]:
                    found = tree.measure(name)
                    if number >= 0:  # the first writes byte code
                        tree.keep(found)
            for row in [key for key in trees[0].best if key.split(",")[0] == name]:
                figures = "".join(f"{tree.best[row]:8.3f}" for tree in trees)
                ratio = f"{trees[0].best[row] / trees[1].best[row]:8.2f}" if given.other else ""
                wanted = f"   below {WANTED[row]:g}" if row in WANTED else ""
                print(f"{row:14s}{figures}{ratio}{wanted}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
