"""Options of commands as typed records: one line says flag, type, default and help of each."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import field, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import click

from centrode import units
from centrode.display import SIGNS, UNIT_SYSTEMS
from centrode.errors import InputError
from centrode.parts.meant import number_in
from centrode.texts import is_number

Record = TypeVar("Record")
Result = TypeVar("Result")


def option(flags: str, text: str, default: Any = None, **attributes: Any) -> Any:
    """Declare an option as a field of a record; the annotation of the field says its type.

    Args:
        flags: "--output", or "-o --output".
        text: help.
        default: value when it is left out; shown when there is one.
        attributes: further ones as of ``click.option``.
    """
    return field(default=default, metadata={"flags": flags.split(), "attributes": {"help": text, **attributes}})


def flag(flags: str, text: str) -> Any:
    """Declare an option that is there or not."""
    return option(flags, text, False)


def _typed(hint: object, default: object) -> dict[str, Any]:
    """What the annotation says: a type, a type or None, a choice, a fixed or a repeated tuple."""
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kind = next(item for item in members if item is not NoneType)
    items = get_args(kind)
    if kind is bool:
        return {"is_flag": True}
    if items and items[-1] is Ellipsis:
        return {"type": items[0], "multiple": True}
    known = {Path: click.Path(path_type=Path)}.get(kind, items or kind)
    chosen = click.Choice(items) if get_origin(kind) is Literal else known
    return {"type": chosen, "show_default": default not in (None, "")}


def takes(record: type[Record]) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Give a command the options of a record; they come as one argument, ``options``."""

    def decorate(function: Callable[..., Result]) -> Callable[..., Result]:
        @functools.wraps(function)
        def command(*arguments: Any, **given: Any) -> Result:
            own = {item.name: given.pop(item.name) for item in fields(record)}  # type: ignore[arg-type]
            return function(*arguments, options=record(**own), **given)

        hints = get_type_hints(record)
        for item in reversed(fields(record)):  # type: ignore[arg-type]
            said = {**_typed(hints[item.name], item.default), **item.metadata["attributes"]}
            command = click.option(*item.metadata["flags"], item.name, default=item.default, **said)(command)
        return command

    return decorate


JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
PLUGINS = click.option(
    "--plugin", "plugins", multiple=True, type=click.Path(), help="Python file with further kinds of parts."
)
ASSIGNMENTS = click.option(
    "--set", "assignments", multiple=True, metavar="PATH=VALUE", help="Change a value: bodies.arm.mass=2."
)

UNITS = click.option("--units", type=click.Choice(UNIT_SYSTEMS), help="Units of the figures; those of the run.")
SIDES = click.option(
    "--signs", type=click.Choice(SIGNS), help="Left positive (iso) or right positive (sae); as in the run."
)
DIAGRAM = click.option(
    "--diagram", type=click.Path(), metavar="FILE", help="Settings of the scale diagram (YAML): photograph, survey, ..."
)


class Measure(click.ParamType):
    """Type of an option that is a number with a unit, or without one in SI; far from usual it is refused with what it
    may mean. Every option in rad or rad/s has it, so that degrees are never taken for radians.

    Attributes:
        unit: SI unit; usual: range of the numbers that make sense without one.
    """

    name = "number"

    def __init__(self, unit: str, usual: tuple[float, float]) -> None:
        self.unit, self.usual = unit, usual

    def convert(self, value: object, param: click.Parameter | None, context: click.Context | None) -> float:
        """The number in SI."""
        path = param.opts[-1] if param is not None else ""
        return number_in(value, self.unit, path, self.usual)


def named_numbers(texts: tuple[str, ...], expected: str) -> dict[str, float]:
    """Numbers of options "NAME=NUMBER", as ``--set`` takes them.

    Raises:
        InputError: a text of another form; ``expected`` says how it should be.
    """
    found = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            raise InputError("not a value", path="--set", got=text, expected=expected) from None
    return found


def named_quantities(texts: tuple[str, ...], expected: str) -> dict[str, float | str]:
    """:func:`named_numbers` of which some may have a unit; these are texts."""
    parts = {text: text.partition("=")[2].strip() for text in texts}
    with_unit = [text for text, value in parts.items() if units.looks_like_quantity(value) and not is_number(value)]
    plain = tuple(text for text in texts if text not in with_unit)
    return named_numbers(plain, expected) | {text.partition("=")[0].strip(): parts[text] for text in with_unit}


def seconds(text: str, flag: str) -> float:
    """A time as users write it: 1.5, '200 ms'.

    Raises:
        InputError: not a time.
    """
    try:
        return units.to_unit(text, "s") if units.looks_like_quantity(text) else float(text)
    except ValueError:
        raise InputError("not a time", path=flag, got=text, expected="a number in s, or such as '200 ms'") from None
