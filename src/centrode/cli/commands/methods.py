"""``centrode methods``: list how a state can advance."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(name: str | None, as_json: bool) -> int:
    """List the methods: order, steps, joints, what each keeps.

    \b
    Example:
      centrode methods
      centrode methods radau
    """
    from centrode.cli.output import emit_json, print_table
    from centrode.methods.method import find_method, methods

    chosen = methods() if name is None else {name: find_method(name)}
    if as_json:
        emit_json([_described(method) for method in chosen.values()])
        return 0
    if name is not None:
        for key, value in _described(chosen[name]).items():
            click.echo(f"{key + ':':<15}{value}")
        return 0
    rows = [
        [
            item["name"],
            str(item["order"]),
            item["steps"],
            item["joints"],
            "yes" if item["events"] else "no",
            item["keeps"],
        ]
        for item in map(_described, chosen.values())
    ]
    print_table(["method", "order", "steps", "joints", "events", "keeps"], rows)
    return 0


def _described(method: object) -> dict[str, object]:
    """What a method says about itself."""
    return {
        "name": getattr(method, "name", ""),
        "order": getattr(method, "order", 0),
        "steps": "by tolerance" if getattr(method, "adaptive", False) else "fixed",
        "joints": "exact or compliant" if getattr(method, "exact_joints", False) else "compliant",
        "events": bool(getattr(method, "locates_events", False)),
        "keeps": getattr(method, "keeps", ""),
        "summary": getattr(method, "summary", ""),
        "reference": getattr(method, "reference", ""),
    }
