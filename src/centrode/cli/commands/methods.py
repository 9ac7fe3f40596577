"""``centrode methods``: list how a state can advance."""

from __future__ import annotations

import click

import centrode
from centrode.cli.options import JSON, PLUGINS
from centrode.cli.output import show


@click.command()
@click.argument("name", required=False)
@PLUGINS
@JSON
def command(name: str | None, plugins: tuple[str, ...], as_json: bool) -> None:
    """List the methods: order, steps, joints, what each keeps.

    \b
    Example:
      centrode methods
      centrode methods radau
    """
    from centrode.methods.method import find_method, methods

    chosen = methods(plugins).values() if name is None else [find_method(name, plugins)]
    described = [_described(method) for method in chosen]
    if name is not None and not as_json:
        for key, value in described[0].items():
            click.echo(f"{key.replace('_', ' ') + ':':<20}{_said(value)}")
        return
    keys = ("name", "order", "steps", "joints", "events", "keeps")
    show(described, ["method", *keys[1:]], [[_said(item[key]) for key in keys] for item in described], as_json=as_json)


def _described(method: centrode.Method) -> dict[str, object]:
    """What a method says about itself, and what a run takes where the scenario says nothing."""
    from centrode.running import FIRST_STEP_FRACTION
    from centrode.system.settings import RunSettings

    begins = f"{FIRST_STEP_FRACTION:g} of the duration, then by tolerance"
    return {
        "name": method.name,
        "order": method.order,
        "steps": "by tolerance" if method.adaptive else "fixed",
        "joints": "exact or compliant" if method.exact_joints else "compliant",
        "events": method.locates_events,
        "keeps": method.keeps,
        "summary": method.summary,
        "reference": method.reference,
        "default_step": begins if method.adaptive else f"{method.default_step:g} s",
        "default_tolerance": f"{RunSettings().tolerance:g}" if method.adaptive else "none",
    }


def _said(value: object) -> object:
    """Switches as words."""
    return ("yes" if value else "no") if isinstance(value, bool) else value
