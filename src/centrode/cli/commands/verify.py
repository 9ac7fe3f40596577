"""``centrode verify``: reached against published."""

from __future__ import annotations

import math

import click

from centrode.cli.options import JSON
from centrode.cli.output import progress, show
from centrode.published import run_checks


@click.command()
@click.argument("topic", required=False)
@JSON
def command(topic: str | None, as_json: bool) -> int:
    """Recompute every published number and compare.

    TOPIC limits the run to one subject (bicycle, car, road, ...), to a part of it (ici.table3) or to a single number.
    Exit code 1 when a number is missed.
    """
    with progress("verifying", quiet=as_json) as advance:
        results = run_checks(topic, on_result=lambda result, done, total: advance(done / total))
    missed = [result for result in results if not result.ok]
    show(
        results,
        {
            "id": lambda result: result.id,
            "published": lambda result: f"{result.published:.15g}",
            "reached": lambda result: reached_text(result.reached, result.tolerance),
            "difference": lambda result: None if result.difference is None else f"{result.difference:.2g}",
            "allowed": lambda result: f"{result.tolerance:.2g}",
            "ok": lambda result: "yes" if result.ok else "NO",
            "source": lambda result: result.source,
        },
        as_json=as_json,
        caption=f"{len(results) - len(missed)} of {len(results)} published numbers reached",
    )
    if not as_json:
        messages = dict.fromkeys(result.message for result in missed if result.message)
        for message in messages:  # a package that is not there stops many, and is said once
            those = [result.id for result in missed if result.message == message]
            more = f" and {len(those) - 1} more" if len(those) > 1 else ""
            click.echo(f"{those[0]}{more}: {message}", err=True)
    return 1 if missed else 0


def reached_text(reached: float | None, tolerance: float) -> str | None:
    """A reached number with two places more than its tolerance can judge."""
    if reached is None or not math.isfinite(reached):
        return None if reached is None else str(reached)
    if not 0.0 < tolerance < math.inf:
        return f"{reached:.15g}"
    places = max(0, 2 - math.floor(math.log10(tolerance)))
    return f"{reached:.{min(places, 17)}f}" if abs(reached) < 1e15 else f"{reached:.15g}"
