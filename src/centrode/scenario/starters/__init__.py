"""Scenario files to start from; ``centrode new`` writes them. One file, one starter.

The first line of a starter is a comment that says what it shows. Every starter runs as it is (a test sees to that).
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


def starter_text(kind: str) -> str:
    """Text of a starter.

    Raises:
        InputError: unknown kind.
    """
    known = starters()
    if kind not in known:
        raise unknown_name("unknown kind of starter", kind, list(known))
    return (files(__name__) / f"{kind}.yaml").read_text(encoding="utf-8")
