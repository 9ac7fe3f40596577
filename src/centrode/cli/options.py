"""Options of commands as typed records: one line says flag, type, default and help of each."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, TypeVar

import click

from centrode import units
from centrode.errors import InputError

Record = TypeVar("Record")
Result = TypeVar("Result")


def option(flags: str, *, default: Any = None, **attributes: Any) -> Any:
    """Declare an option as a field of a record.

    Args:
        flags: "--output", or "-o --output".
        default: value when it is left out.
        attributes: as of ``click.option``.
    """
    return field(default=default, metadata={"flags": flags.split(), "attributes": attributes})


def flag(flags: str, text: str) -> Any:
    """Declare an option that is there or not."""
    return option(flags, default=False, is_flag=True, help=text)


def takes(record: type[Record]) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Give a command the options of a record; they come as one argument, ``options``."""

    def decorate(function: Callable[..., Result]) -> Callable[..., Result]:
        @functools.wraps(function)
        def command(*arguments: Any, **given: Any) -> Result:
            own = {item.name: given.pop(item.name) for item in fields(record)}  # type: ignore[arg-type]
            return function(*arguments, options=record(**own), **given)

        for item in reversed(fields(record)):  # type: ignore[arg-type]
            said = item.metadata["attributes"]
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


def seconds(text: str, flag: str) -> float:
    """A time as users write it: 1.5, '200 ms'.

    Raises:
        InputError: not a time.
    """
    try:
        return units.to_unit(text, "s") if units.looks_like_quantity(text) else float(text)
    except ValueError:
        raise InputError("not a time", path=flag, got=text, expected="a number in s, or such as '200 ms'") from None
