"""``centrode check``: find every fault of a scenario file or of a plugin."""

from __future__ import annotations

import math
from pathlib import Path

import click

import centrode
from centrode.cli.options import ASSIGNMENTS, JSON, PLUGINS
from centrode.cli.output import emit_json, show


@click.command()
@click.argument("file", type=click.Path())
@PLUGINS
@ASSIGNMENTS
@JSON
def command(file: str, plugins: tuple[str, ...], assignments: tuple[str, ...], as_json: bool) -> int:
    """Check a scenario file or a plugin, without running it.

    \b
    Example:
      centrode check pendulum.yaml
      centrode check my_force.py

    A scenario: every fault with its line; if there is none, what it consists of and how its joints close. A plugin
    (.py), also one that a scenario names: each kind and method in it is put through the checks that those of Centrode
    pass. Exit code 2 when a file has faults, 1 when a plugin fails a check.
    """
    if file.endswith(".py"):
        return _check_plugin(file, as_json)
    return _check_scenario(file, plugins, assignments, as_json)


def _check_scenario(file: str, plugins: tuple[str, ...], assignments: tuple[str, ...], as_json: bool) -> int:
    from centrode.scenario.edits import parse_edits
    from centrode.scenario.inspection import inspect
    from centrode.vehicles.grip import grip_sentences

    scenario = centrode.load(file, edits=parse_edits(assignments), plugins=plugins)
    found = inspect(scenario)
    files = [Path(plugin) for plugin in scenario.system.plugins]
    failed = [f"{plugin.name}: {item}" for plugin in files for item in centrode.failures(centrode.check_part(plugin))]
    found.notes.extend(failed)
    if as_json:
        emit_json(found)
        return 1 if failed else 0
    click.echo(f"{file}: no faults" + (", but of its plugins checks fail" if failed else ""))
    counts = {**found.parts, "velocities": found.velocities, "constraints": found.constraints}
    counts |= {"redundant": found.redundant} if found.redundant else {}
    for name, count in {**counts, "degrees of freedom": found.freedoms}.items():
        click.echo(f"  {name + ':':<22}{count}")
    for grip in grip_sentences(scenario.system):
        click.echo(f"  tyres of {grip}")
    for note in found.notes:
        click.echo(f"  note: {note}")
    return 1 if failed else 0


def _check_plugin(file: str, as_json: bool) -> int:
    from centrode.parts.registry import load_plugin

    load_plugin(file)
    results = centrode.check_part(file)
    failed = centrode.failures(results)
    verdicts = {True: "passes", False: "FAILS", None: "does not apply"}
    show(
        results,
        {
            "part": lambda item: item.part,
            "check": lambda item: item.check,
            "result": lambda item: verdicts[item.passed],
            "deviation": lambda item: None if math.isnan(item.figure) else item.figure,
            "allowed": lambda item: None if math.isnan(item.limit) else item.limit,
            "remark": lambda item: item.message,
        },
        as_json=as_json,
        caption=f"{len(failed)} of {len(results)} checks failed" if failed else f"{len(results)} checks, none failed",
    )
    return 1 if failed else 0
