"""Where the kinds of parts stand, read from the sources without importing them.

Importing all rooms to find out that a scenario needs eleven kinds costs more than running it. So the text of every file
is searched for classes with a ``family`` or a ``kind`` of their own, and a class is imported when it is asked for.
Nothing is written down that could go stale. A test compares what is read here with what importing everything finds.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from centrode.parts.part import Part

_HEAD = re.compile(r"(\w+)(?:\(([^)]*)\))?:")
_SAID = {name: re.compile(rf'\n    {name}(?:: [\w\[\]]+)? = "([^"]*)"') for name in ("family", "kind")}


class Home(NamedTuple):
    """Where a class stands."""

    module: str
    name: str

    def load(self) -> type[Part]:
        """The class, imported."""
        found: type[Part] = vars(importlib.import_module(self.module))[self.name]
        return found


class _Class(NamedTuple):
    home: Home
    bases: tuple[str, ...]
    said: dict[str, str]


class Kinds(Mapping[str, type[Part]]):
    """Kinds of a family by name, sorted; a class is imported when it is asked for."""

    def __init__(self, found: Mapping[str, Home | type[Part]]) -> None:
        self._found = dict(sorted(found.items()))

    def __getitem__(self, kind: str) -> type[Part]:
        found = self._found[kind]
        if isinstance(found, Home):
            found = self._found[kind] = found.load()
        return found

    def __contains__(self, kind: object) -> bool:
        return kind in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return f"<kinds {', '.join(self)}>"


def kinds_in_sources(rooms: tuple[str, ...]) -> dict[str, dict[str, Home]]:
    """Family -> kind -> where its class stands, of all modules of these rooms.

    Raises:
        ValueError: two kinds of a family have one name.
    """
    classes = [item for module, path in _files(rooms) for item in _classes(module, path)]
    by_name = {item.home.name: item for item in classes}
    found: dict[str, dict[str, Home]] = {}
    for item in classes:
        family, kind = _family(item, by_name), item.said.get("kind")
        if not kind or not family:
            continue
        if kind in found.setdefault(family, {}):
            raise ValueError(f"two kinds of {family} are called '{kind}': {item.home}, {found[family][kind]}")
        found[family][kind] = item.home
    return found


def _family(item: _Class, by_name: Mapping[str, _Class]) -> str:
    """Family of a class: said by itself, or by the first of its bases that has one."""
    said = item.said.get("family", "")
    return said or next(filter(None, (_family(by_name[base], by_name) for base in item.bases if base in by_name)), "")


def _files(rooms: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Modules of rooms and their files."""
    for room in rooms:
        spec = importlib.util.find_spec(room)
        below = None if spec is None else spec.submodule_search_locations
        if below is None:
            yield room, (spec.origin or "") if spec else ""
            continue
        for top in below:
            for folder, folders, files in os.walk(top):
                folders[:] = sorted(name for name in folders if not name.startswith(("_", ".")))
                package = ".".join([room, *os.path.relpath(folder, top).split(os.sep)]).removesuffix("..")
                for name in sorted(files):
                    if name.endswith(".py"):
                        stem = name.removesuffix(".py")
                        yield package if stem == "__init__" else f"{package}.{stem}", os.path.join(folder, name)


def _classes(module: str, path: str) -> Iterator[_Class]:
    """Classes of a file with what they say of themselves."""
    with open(path, encoding="utf-8") as file:
        _, *texts = file.read().split("\nclass ")
    for text in texts:
        head = _HEAD.match(text)
        if head is None:
            continue
        bases = tuple(base.strip().rpartition(".")[2] for base in (head[2] or "").split(","))
        said = {name: found[1] for name, search in _SAID.items() if name in text and (found := search.search(text))}
        yield _Class(Home(module, head[1]), bases, said)
