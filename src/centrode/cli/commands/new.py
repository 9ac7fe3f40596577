"""``centrode new``: a scenario file to start from, or the files of 1999."""

from __future__ import annotations

from pathlib import Path

import click

import centrode
from centrode.cli.output import print_table
from centrode.errors import InputError, nearest_name


@click.command()
@click.argument("words", nargs=-1, metavar="[KIND] [FILE]")
@click.option("--list", "show_list", is_flag=True, help="List the kinds of starter files.")
def command(words: tuple[str, ...], show_list: bool) -> None:
    """Write a commented scenario file to start from.

    \b
    Example:
      centrode new pendulum swing.yaml
      centrode run swing.yaml

    KIND is one of those that --list shows; without it a free body. A file that exists is never overwritten. A deck of
    the 1999 program ('centrode new medusa crash') is three files in a folder.
    """
    from centrode.scenario.starters import decks, starters

    known = {**_mechanisms(), **starters(), **decks()}
    if show_list:
        print_table(["kind", "what it shows"], sorted(known.items()))
        return
    if not 1 <= len(words) <= 2:
        raise InputError("name the file to write", expected="centrode new [KIND] FILE", hint="--list shows the kinds")
    if words[0] in decks():
        _write_deck(words[0], Path(words[-1]))
        return
    if len(words) == 1 and words[0] in known:
        words = (words[0], f"{words[0].replace('-', '_')}.yaml")
    kind, name = words if len(words) == 2 else ("free-body", words[0])
    if kind not in known:
        near = nearest_name(kind, list(known))
        raise InputError("unknown kind of starter", got=kind, expected="one of those that --list shows", nearest=near)
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        raise InputError("a scenario file ends in .yaml", got=name)
    _write(path, _text(kind))
    click.echo(f"written {name}; next: centrode run {name}")


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError("the file exists already", file=str(path), hint="choose another name, or remove it") from None
    except OSError as error:
        raise InputError(f"cannot write the file: {error.strerror}", file=str(path)) from None


def _write_deck(kind: str, folder: Path) -> None:
    """A deck of files in a folder, all of them or none."""
    from centrode.scenario.starters import deck_texts

    if folder.suffix:
        raise InputError("a deck is a folder with three files", got=str(folder), expected="a name such as crash")
    texts = deck_texts(kind)
    there = [folder / name for name in texts if (folder / name).exists()]
    if there:
        raise InputError("the file exists already", file=str(there[0]), hint="choose another folder, or remove it")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", file=str(folder)) from None
    for name, text in texts.items():
        _write(folder / name, text)
    click.echo(
        f"written {', '.join(str(folder / name) for name in sorted(texts))}; next, in {folder}: centrode medusa -t2"
    )


def _mechanisms() -> dict[str, str]:
    """Ready-made mechanisms: name -> first line of what its function says."""
    import ast
    from importlib.resources import files

    from centrode.vehicles.mechanisms import MECHANISMS

    found = {}
    for name, (file, function) in MECHANISMS.items():
        tree = ast.parse((files("centrode.vehicles.mechanisms") / f"{file}.py").read_text(encoding="utf-8"))
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        found[name] = (ast.get_docstring(functions[function]) or "").split("\n", 1)[0]
    return found


def _text(kind: str) -> str:
    from centrode.scenario.starters import starter_text, starters

    if kind in starters():
        return starter_text(kind)

    heading = f"# {_mechanisms()[kind]}\n# Numbers are SI; {kind} as Centrode builds it.\n"
    return heading + centrode.dump(centrode.build_mechanism(kind))
