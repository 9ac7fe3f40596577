"""Run the benchmarks: measure all cases (or some), keep the figures, write the table for the documentation.

    python benchmarks/run.py [--only ici] [--repeat 5] [--list]

``--only`` takes the beginning of case ids, several separated by commas; other figures in ``results.json`` stay. A case
that fails is named at the end and makes the exit code 1; its old figures stay.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import importlib.util
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from harness import PEERS_PYTHON, Case, run_case  # noqa: E402

RESULTS = FOLDER / "results.json"
TABLE = FOLDER.parent / "docs" / "reference" / "benchmarks.md"
_OWN_PACKAGES = ("centrode", "numba", "numpy", "scipy")


def main() -> int:
    """Parse the arguments, run, write; the exit code."""
    parser = argparse.ArgumentParser(description="Measure Centrode against its peers.")
    parser.add_argument("--only", default="", help="beginnings of case ids, separated by commas")
    parser.add_argument("--repeat", type=int, default=None, help="repetitions instead of each case's own number")
    parser.add_argument("--list", action="store_true", help="list the cases and stop")
    parser.add_argument("--table-only", action="store_true", help="rewrite the table from results.json and stop")
    options = parser.parse_args()
    if options.table_only:
        TABLE.write_text(table_text(json.loads(RESULTS.read_text())), encoding="utf-8")
        return 0
    wanted = tuple(item.strip() for item in options.only.split(",") if item.strip())
    cases = [case for case in discover_cases() if not wanted or case.id.startswith(wanted)]
    if options.list:
        for case in cases:
            print(f"{case.id:40s} [{case.unit}]  peers: {', '.join(case.peers) or 'none'}")
        return 0
    if wanted and not cases:
        print(f"no case begins with {' or '.join(wanted)}", file=sys.stderr)
        return 2
    data = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    rows: list[dict[str, Any]] = data.get("rows", [])
    if not wanted:  # a whole run also forgets cases that no longer exist
        known = {case.id for case in cases}
        rows = [row for row in rows if row["id"] in known]
    failed = []
    for case in cases:
        print(f"{case.id} ...", flush=True)
        try:
            new = run_case(case, options.repeat)
        except Exception as error:  # the other cases must still be measured
            failed.append(f"{case.id}: {type(error).__name__}: {error}")
            continue
        for row in new:
            row["date"] = datetime.date.today().isoformat()
            print("   " + row_text(row))
        rows = [row for row in rows if row["id"] != case.id] + new
    data = {"machine": machine(), "rows": sorted(rows, key=lambda row: (row["id"], row["peer_name"] or ""))}
    RESULTS.write_text(json.dumps(data, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_text(table_text(data), encoding="utf-8")
    for line in failed:
        print(f"FAILED {line}", file=sys.stderr)
    return 1 if failed else 0


def discover_cases() -> list[Case]:
    """Cases of all ``bench_*.py`` files, in order of the files."""
    found: list[Case] = []
    for path in sorted(FOLDER.glob("bench_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        found += module.CASES if hasattr(module, "CASES") else module.cases()
    names = [case.id for case in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"cases that exist twice: {', '.join(twice)}")
    return found


def machine() -> dict[str, Any]:
    """What the figures depend on; no name and no path of the machine."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in _OWN_PACKAGES},
        "peers": _peer_versions(),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def _peer_versions() -> dict[str, str]:
    listed = FOLDER / "peers.txt"
    if not PEERS_PYTHON.exists() or not listed.exists():
        return {}
    lines = [line.split("#")[0].strip() for line in listed.read_text().splitlines()]
    names = [line.split("=")[0].split(">")[0].split("<")[0].strip() for line in lines if line]
    program = (
        "import importlib.metadata as m, json, sys\n"
        "found = {}\n"
        "for name in sys.argv[1:]:\n"
        "    try: found[name] = m.version(name)\n"
        "    except m.PackageNotFoundError: pass\n"
        "print(json.dumps(found))"
    )
    answer = subprocess.run([PEERS_PYTHON, "-c", program, *names], capture_output=True, text=True, check=False)
    return dict(json.loads(answer.stdout)) if answer.returncode == 0 else {}


def row_text(row: dict[str, Any]) -> str:
    """One row as a line for the terminal."""
    text = f"ours {row['ours']:.4g} {row['unit']}" + _error_text(row["error_ours"])
    if row["peer_name"] is None:
        return text
    if row["peer"] is None:
        return f"{text}; {row['peer_name']}: not measured ({row.get('reason', '')})"
    ratio = f"; ours {row['ratio']:.3g} times better" if row["ratio"] is not None else ""
    return f"{text}; {row['peer_name']} {row['peer']:.4g}{_error_text(row['error_peer'])}{ratio}"


def _error_text(error: float | None) -> str:
    return f" (error {error:.2g})" if error is not None else ""


def table_text(data: dict[str, Any]) -> str:
    """The page of the documentation that shows the figures."""
    about = data["machine"]
    packages = {**about["packages"], **about["peers"]}
    lines = [
        "# Benchmarks",
        "",
        "<!-- Written by benchmarks/run.py from benchmarks/results.json; edits here are lost. -->",
        "",
        "Best of several repetitions, ours and the peer in turn. *Ratio* says how many times better ours is: above 1",
        "Centrode leads, below 1 the peer does. *Error* is measured against the reference named in the note.",
        "`make bench` measures everything again.",
        "",
        f"Measured on {about['processor']}, {about['cores']} cores, {about['system']}, Python {about['python']}, "
        + ", ".join(f"{name} {version}" for name, version in packages.items())
        + ".",
        "",
        "| case | unit | ours | error | peer | value | error | ratio |",
        "|---|---|---:|---:|---|---:|---:|---:|",
    ]
    for row in data["rows"]:
        peer = "" if row["peer_name"] is None else row["peer_name"]
        value = _number(row["peer"]) if row["peer"] is not None else ("not measured" if peer else "")
        lines.append(
            f"| `{row['id']}` | {row['unit']} | {_number(row['ours'])} | {_number(row['error_ours'], 2)} | {peer} "
            f"| {value} | {_number(row['error_peer'], 2)} | {_number(row['ratio'], 3)} |"
        )
    notes = {row["id"]: row["note"] for row in data["rows"] if row["note"]}
    if notes:
        lines += ["", "## What each case computes", ""]
        lines += [f"- `{name}`: {note}" for name, note in notes.items()]
    reasons = {row["peer_name"]: row["reason"] for row in data["rows"] if row.get("reason")}
    if reasons:
        lines += ["", "## Not measured", ""]
        lines += [f"- {name}: {reason}" for name, reason in reasons.items()]
    return "\n".join(lines) + "\n"


def _number(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}g}"


if __name__ == "__main__":
    sys.exit(main())
