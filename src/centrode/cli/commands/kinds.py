"""``centrode kinds``: what parts there are, and what each of them takes."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from centrode.cli.options import JSON, PLUGINS
from centrode.cli.output import show
from centrode.errors import unknown_name


@click.command()
@click.argument("family", required=False)
@click.argument("kind", required=False)
@PLUGINS
@JSON
def command(family: str | None, kind: str | None, plugins: tuple[str, ...], as_json: bool) -> None:
    """List the kinds of parts, and the fields of one.

    \b
    Example:
      centrode kinds
      centrode kinds joint
      centrode kinds joint revolute

    A field takes a number in SI units or a text with a unit: 0.35, "35 cm", "20 deg".
    """
    from centrode.parts import registry

    known = registry.families(plugins)
    if family is None:
        found = {name: sorted(kinds) for name, kinds in known.items()}
        rows = [[name, registry.section_of(name), ", ".join(kinds)] for name, kinds in found.items()]
        show(found, ["family", "section of a file", "kinds"], rows, as_json=as_json)
        return
    sections = {registry.section_of(name): name for name in known}
    family = sections.get(family, family)
    if family not in known:
        raise unknown_name("unknown family of parts", family, list(known), list(sections))
    if kind is None:
        texts = {name: _first_line(part) for name, part in known[family].items()}
        show(texts, ["kind", "what it is"], texts.items(), as_json=as_json)
        return
    own = dataclasses.fields(registry.find(family, kind, plugins))
    fields = [_described(item) for item in own if item.name != "name" and "meaning" in item.metadata]
    if not as_json:
        click.echo(f"{family} {kind}: {_first_line(known[family][kind])}\n")
    keys = ("field", "unit", "default", "allowed", "meaning")
    rows = [list(item.values()) for item in fields]
    show({"family": family, "kind": kind, "fields": fields}, keys, rows, as_json=as_json)


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def _described(item: dataclasses.Field[Any]) -> dict[str, str]:
    """A field in words: unit, default, range and meaning."""
    said = item.metadata
    default = "none" if item.default is None else str(item.default)
    if item.default is dataclasses.MISSING:
        default = "required" if item.default_factory is dataclasses.MISSING else str(item.default_factory())
    allowed = [
        " | ".join(said.get("choices") or ()),
        "> 0" if said.get("positive") else "",
        f">= {said['minimum']:g}" if said.get("minimum") is not None else "",
        f"<= {said['maximum']:g}" if said.get("maximum") is not None else "",
        f"name of a {said['refers_to']}" if said.get("refers_to") else "",
    ]
    words = {"default": default, "allowed": ", ".join(filter(None, allowed)), "meaning": said["meaning"]}
    return {"field": item.name, "unit": said.get("unit", ""), **words}
