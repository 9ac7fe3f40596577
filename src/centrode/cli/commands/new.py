"""``centrode new``: a scenario file to start from."""

from __future__ import annotations

import click


@click.command()
@click.argument("words", nargs=-1, metavar="[KIND] FILE")
@click.option("--list", "show_list", is_flag=True, help="List the kinds of starter files.")
def command(words: tuple[str, ...], show_list: bool) -> int:
    """Write a commented scenario file to start from.

    \b
    Example:
      centrode new pendulum swing.yaml
      centrode run swing.yaml

    KIND is one of those that --list shows; without it a free body. A file that exists is never overwritten.
    """
    from pathlib import Path

    from centrode.cli.output import print_table
    from centrode.errors import InputError
    from centrode.scenario.starters import starter_text, starters

    if show_list:
        print_table(["kind", "what it shows"], list(starters().items()))
        return 0
    if not 1 <= len(words) <= 2:
        raise InputError("name the file to write", expected="centrode new [KIND] FILE", hint="--list shows the kinds")
    if len(words) == 1 and words[0] in starters():
        words = (words[0], f"{words[0].replace('-', '_')}.yaml")
    kind, name = words if len(words) == 2 else ("free-body", words[0])
    text = starter_text(kind)
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        raise InputError("a scenario file ends in .yaml", got=name)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError("the file exists already", file=name, hint="choose another name, or remove it") from None
    except OSError as error:
        raise InputError(f"cannot write the file: {error.strerror}", file=name) from None
    click.echo(f"written {name}; next: centrode run {name}")
    return 0
