"""``centrode verify``: reached against published."""

from __future__ import annotations

import click


@click.command()
@click.argument("topic", required=False)
@click.option("--json", "as_json", is_flag=True, help="Write the results as JSON.")
def command(topic: str | None, as_json: bool) -> int:
    """Recompute every published number and compare.

    TOPIC limits the run to one subject (bicycle, car, road, ...) or to the id of a single number.
    Exit code 1 when a number is missed.
    """
    from centrode.cli.output import emit_json, print_table, progress
    from centrode.published import run_checks

    with progress("verifying", quiet=as_json) as advance:
        results = run_checks(topic, on_result=lambda result, done, total: advance(done / total))
    missed = [result for result in results if not result.ok]
    if as_json:
        emit_json(results)
        return 1 if missed else 0
    print_table(
        ["id", "published", "reached", "difference", "allowed", "ok", "source"],
        [
            [
                result.id,
                result.published,
                result.reached,
                result.difference,
                result.tolerance,
                "yes" if result.ok else "NO",
                result.source,
            ]
            for result in results
        ],
        caption=f"{len(results) - len(missed)} of {len(results)} published numbers reached",
    )
    for result in missed:
        if result.message:
            click.echo(f"{result.id}: {result.message}", err=True)
    return 1 if missed else 0
