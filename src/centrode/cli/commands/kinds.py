"""``centrode kinds``: what parts there are, and what each of them takes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

import centrode
from centrode.cli.options import JSON, PLUGINS
from centrode.cli.output import show
from centrode.errors import InputError, unknown_name

if TYPE_CHECKING:
    from centrode.parts.signals.signal import Signal


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

    known: dict[str, Mapping[str, type]] = {**registry.families(plugins), "signal": registry.signal_kinds()}
    if family is None:
        found = {name: sorted(kinds) for name, kinds in known.items()}
        places = {name: registry.section_of(name) for name in found} | {"signal": "(where a number may vary)"}
        rows = [[name, places[name], ", ".join(kinds)] for name, kinds in found.items()]
        show(found, ["family", "section of a file", "kinds"], rows, as_json=as_json)
        return
    sections = {registry.section_of(name): name for name in known}
    family = sections.get(family, family)
    if family not in known:
        of = [name for name, kinds in known.items() if family in kinds]
        if of and kind is None:  # what it is called says more than the family whose name is nearest
            hint = " or ".join(f"centrode kinds {name} {family}" for name in of)
            raise InputError(f"'{family}' is a kind, not a family of parts", hint=hint)
        raise unknown_name("unknown family of parts", family, list(known), list(sections))
    if kind is None:
        texts = {name: _first_line(part) for name, part in known[family].items()}
        rows = [[name, python_name(part), texts[name]] for name, part in known[family].items()]
        show(texts, ["kind", "in Python", "what it is"], rows, as_json=as_json)
        return
    if kind not in known[family]:
        raise unknown_name(f"unknown kind of {family}", kind, list(known[family]))
    chosen = known[family][kind]
    own = dataclasses.fields(chosen)
    fields = [_described(item) for item in own if item.name != "name" and "meaning" in item.metadata]
    written, called, more = signal_examples(chosen) if family == "signal" else examples_of(chosen)
    if not as_json:
        click.echo(f"{family} {kind}: {_first_line(known[family][kind])}\n")
        click.echo(f"{called}\n\n{written}\n" + (f"\nnot whole: {more}\n" if more else ""))
    keys = ("field", "unit", "default", "allowed", "meaning")
    rows = [list(item.values()) for item in fields]
    data = {
        "family": family,
        "kind": kind,
        "python": python_name(chosen),
        "example": {"python": called, "file": written},
    }
    show({**data, "fields": fields}, keys, rows, as_json=as_json)


def python_name(kind: type) -> str:
    """What a kind is called in Python: a name of the front door, or the class of a plugin."""
    own = kind.__module__.startswith("centrode.") and kind.__name__ in dir(centrode)
    return f"ct.{kind.__name__}" if own else kind.__name__


def examples_of(kind: type[centrode.Part]) -> tuple[str, str, str]:
    """A part of a kind as text of a scenario file, as a call, and what it needs beside them, if anything.

    Bodies a, b, c and others that it names (road, tyre) are made up.
    """
    from centrode.dynamics.examples import NEEDS_MORE, example_values
    from centrode.parts.registry import section_of
    from centrode.scenario.writing import flow_text

    values: dict[str, object] = {}
    more = NEEDS_MORE.get((kind.family, kind.kind), "")
    if issubclass(kind, centrode.Import):
        values["file"] = f"robot{kind.endings[0]}" if kind.endings else "robot.txt"
    else:
        values |= {key: _rounded(item) for key, item in example_values(kind).items()}
    values |= {item.name: "..." for item in dataclasses.fields(kind) if _required(item) and item.name not in values}
    name = f"my_{kind.family}"
    words = ", ".join([f"{name!r}", *(f"{key}={value!r}" for key, value in values.items() if key != "name")])
    entry = flow_text({"kind": kind.kind, **{key: value for key, value in values.items() if key != "name"}})
    return f"{section_of(kind.family)}:\n  {name}: {entry}", f"{python_name(kind)}({words})", more


SIGNAL_EXAMPLES: dict[str, dict[str, object]] = {
    "constant": {"value": 2.0},
    "polynomial": {"coefficients": [0.0, 1.5, -0.2]},
    "ramp": {"slope": 0.5, "start": 1.0},
    "harmonic": {"amplitude": 0.3, "frequency": 2.0},
    "smooth-step": {"start_time": 0.5, "end_time": 1.5, "start": 0.0, "end": 1.0},
    "table": {"times": [0.0, 1.0, 2.0], "values": [0.0, 0.4, 0.1]},
    "staircase": {"times": [1.0, 2.0], "values": [10.0, 0.0]},
    "expression": {"expression": "0.3*sin(2*t)", "until": 20.0},
    "sum": {"signals": [1.0, {"kind": "ramp", "slope": 0.5}]},
}


def signal_examples(kind: type[Signal]) -> tuple[str, str, str]:
    """A signal in place of a number of a scenario file, and as a call."""
    from centrode.scenario.writing import flow_text

    values = SIGNAL_EXAMPLES[kind.kind]
    words = ", ".join(f"{key}={value!r}" for key, value in values.items())
    entry = flow_text({"kind": kind.kind, **values})
    return f"forces:\n  push: {{kind: torque, body: arm, magnitude: {entry}}}", f"{python_name(kind)}({words})", ""


def _rounded(value: object) -> object:
    """Numbers that were made up, without the digits of rounding."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return tuple(map(_rounded, value)) if isinstance(value, tuple) else value


def _required(item: dataclasses.Field[object]) -> bool:
    return item.init and item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING


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
