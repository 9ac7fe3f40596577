"""Files to start from; ``centrode new`` writes them. A scenario is one file, a deck of the 1999 program a folder.

The first line of a starter (of platoon.dat in a deck) is a comment that says what it shows. Every starter runs as it is
(tests see to that).
"""

from __future__ import annotations

from importlib.resources import files

from centrode.errors import unknown_name


def starters() -> dict[str, str]:
    """Kind of starter -> what it shows, sorted."""
    found = {}
    for item in files(__name__).iterdir():
        if item.name.endswith(".yaml"):
            first = item.read_text(encoding="utf-8").split("\n", 1)[0]
            found[item.name.removesuffix(".yaml")] = first.lstrip("# ").rstrip()
    return dict(sorted(found.items()))


def decks() -> dict[str, str]:
    """Kind of deck -> what it shows, sorted."""
    folders = [item for item in files(__name__).iterdir() if (item / "platoon.dat").is_file()]
    texts = {item.name: (item / "platoon.dat").read_text(encoding="ascii") for item in folders}
    return {kind: text.split("\n", 1)[0].lstrip("% ").rstrip() for kind, text in sorted(texts.items())}


def deck_texts(kind: str) -> dict[str, str]:
    """Name of file -> text of a deck."""
    folder = files(__name__) / kind
    return {item.name: item.read_text(encoding="ascii") for item in folder.iterdir() if item.name.endswith(".dat")}


def starter_text(kind: str) -> str:
    """Text of a starter.

    Raises:
        InputError: unknown kind.
    """
    known = starters()
    if kind not in known:
        raise unknown_name("unknown kind of starter", kind, list(known))
    return (files(__name__) / f"{kind}.yaml").read_text(encoding="utf-8")
