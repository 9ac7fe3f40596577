"""``centrode kinds``: what parts there are, and what each of them takes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from centrode.cli.options import JSON, PLUGINS

if TYPE_CHECKING:
    from centrode.parts.part import Part

Field: TypeAlias = dataclasses.Field[Any]


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
    from centrode.cli.output import emit_json, print_table
    from centrode.errors import InputError, nearest_name
    from centrode.parts import registry

    known = registry.families(plugins)
    if family is None:
        found = {name: sorted(kinds) for name, kinds in known.items()}
        if as_json:
            emit_json(found)
        else:
            rows = [[name, registry.section_of(name), ", ".join(kinds)] for name, kinds in found.items()]
            print_table(["family", "section of a file", "kinds"], rows)
        return
    sections = {registry.section_of(name): name for name in known}
    family = sections.get(family, family)
    if family not in known:
        raise InputError(
            "unknown family of parts",
            got=family,
            expected="one of " + ", ".join(known),
            nearest=nearest_name(family, [*known, *sections]),
        )
    if kind is None:
        if as_json:
            emit_json({name: _first_line(part) for name, part in known[family].items()})
        else:
            print_table(["kind", "what it is"], [[name, _first_line(part)] for name, part in known[family].items()])
        return
    fields = [_described(item) for item in _fields(registry.find(family, kind, plugins))]
    if as_json:
        emit_json({"family": family, "kind": kind, "fields": fields})
        return
    click.echo(f"{family} {kind}: {_first_line(known[family][kind])}")
    click.echo("")
    keys = ("field", "unit", "default", "allowed", "meaning")
    print_table(keys, [[item[key] for key in keys] for item in fields])


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0] if kind.__doc__ else ""


def _fields(kind: type[Part]) -> list[Field]:
    return [item for item in dataclasses.fields(kind) if item.name != "name" and "meaning" in item.metadata]


def _described(item: Field) -> dict[str, str]:
    """A field in words: unit, default, range and meaning."""
    said = item.metadata
    if item.default is not dataclasses.MISSING:
        default = "none" if item.default is None else str(item.default)
    else:
        default = "required" if item.default_factory is dataclasses.MISSING else str(item.default_factory())
    allowed = []
    if said.get("choices"):
        allowed.append(" | ".join(said["choices"]))
    if said.get("positive"):
        allowed.append("> 0")
    if said.get("minimum") is not None:
        allowed.append(f">= {said['minimum']:g}")
    if said.get("maximum") is not None:
        allowed.append(f"<= {said['maximum']:g}")
    if said.get("refers_to"):
        allowed.append(f"name of a {said['refers_to']}")
    return {
        "field": item.name,
        "unit": said.get("unit", ""),
        "default": default,
        "allowed": ", ".join(allowed),
        "meaning": said["meaning"],
    }
