"""XML files as trees of elements with line numbers, and numbers out of their attributes.

Document types are refused, so that no entity can grow or read another file. What is wrong is collected with file and
line (:class:`Attributes`), so that a reader reports all faults of a file at once.
"""

from __future__ import annotations

import math
import xml.parsers.expat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from centrode.errors import Fault, InputError, nearest_name


@dataclass
class Element:
    """An XML element with the line it starts on and the text in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> list[Element]:
        """Children of a name."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """First child of a name."""
        return next((child for child in self.children if child.tag == tag), None)

    def inside(self, tag: str) -> list[Element]:
        """Children of the first child of a name (none when there is no such child)."""
        found = self.first(tag)
        return [] if found is None else found.children

    def below(self) -> Iterator[Element]:
        """The element and all that are within it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.below()


def read_xml(path: str | Path) -> Element:
    """The root element of a file.

    Raises:
        InputError: the file cannot be read or is not well-formed.
    """
    return parse_xml(file_bytes(path), str(path))


def file_bytes(path: str | Path) -> bytes:
    """All of a file.

    Raises:
        InputError: no such file, or one that cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(Fault("no such file", file=str(path))) from None
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise InputError(Fault("cannot read the file", file=str(path), got=reason)) from None


def parse_xml(data: bytes, file: str, deepest: int = 150) -> Element:
    """The root element of a text; ``file`` for messages.

    Elements deeper than ``deepest`` within each other come from no program and would exhaust readers that descend.
    """
    parser = xml.parsers.expat.ParserCreate()
    top = Element("", {}, 0)
    stack = [top]

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > deepest:
            raise InputError(Fault("elements too deep within each other", file=file, line=parser.CurrentLineNumber))
        element = Element(tag, attributes, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def write(text: str) -> None:
        stack[-1].text += text

    def refuse(*_: object) -> None:
        raise InputError(Fault("document types are not read", file=file, line=parser.CurrentLineNumber))

    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _tag: stack.pop()
    parser.CharacterDataHandler = write
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except (xml.parsers.expat.ExpatError, ValueError, LookupError) as problem:
        line = problem.lineno if isinstance(problem, xml.parsers.expat.ExpatError) else 1
        raise InputError(Fault("not well-formed XML", file=file, line=line, got=str(problem))) from None
    if not top.children:
        raise InputError(Fault("empty file", file=file, line=1))
    return top.children[0]


class Attributes:
    """Reads attributes of elements and collects what is wrong with them.

    Attributes:
        file: name of the file, for messages.
        faults: what was found so far.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []

    def fault(self, element: Element, what: str, attribute: str = "", **details: object) -> None:
        """Note a fault of an element, or of one of its attributes."""
        path = f"{element.tag}@{attribute}" if attribute else element.tag
        self.faults.append(Fault(what, path, self.file, element.line, **details))  # type: ignore[arg-type]

    def raise_any(self) -> None:
        """Raise what was found."""
        if self.faults:
            raise InputError(self.faults)

    def text(self, element: Element, name: str, otherwise: str | None = None) -> str:
        """A text; missing is a fault unless ``otherwise`` says what is meant then."""
        found = element.attributes.get(name)
        if found is None and otherwise is None:
            self.fault(element, "attribute missing", name)
        return found if found is not None else otherwise or ""

    def numbers(
        self, element: Element, name: str, count: int | tuple[int, int], otherwise: list[float] | None = None
    ) -> list[float]:
        """Finite numbers, as many as ``count`` says (or from the first to the second); nan where they are wrong."""
        least, most = (count, count) if isinstance(count, int) else count
        text = element.attributes.get(name)
        if text is None:
            if otherwise is None:
                self.fault(element, "attribute missing", name, expected=_how_many(least, most))
            return list(otherwise) if otherwise is not None else [math.nan] * least
        try:
            found = [float(item) for item in text.split()]
        except ValueError:
            found = [math.nan]
        if not all(math.isfinite(item) and abs(item) <= LARGEST for item in found) or not least <= len(found) <= most:
            self.fault(element, f"not {_how_many(least, most)}", name, got=text, expected=_how_many(least, most))
            return list(otherwise) if otherwise is not None else [math.nan] * least
        return found

    def number(self, element: Element, name: str, otherwise: float | None = None) -> float:
        """One finite number; missing is a fault unless ``otherwise`` says what is meant then."""
        return self.numbers(element, name, 1, None if otherwise is None else [otherwise])[0]

    def choice(self, element: Element, name: str, known: tuple[str, ...], otherwise: str | None = None) -> str:
        """One of some words; the first of them where it is wrong."""
        found = self.text(element, name, otherwise)
        if found in known:
            return found
        if name in element.attributes:
            near = nearest_name(found, known)
            self.fault(element, "unknown word", name, got=found, expected="one of " + ", ".join(known), nearest=near)
        return known[0]


LARGEST = 1e30
"""Numbers beyond this are slips whose squares are infinite."""


def _how_many(least: int, most: int) -> str:
    if least == most == 1:
        return "a finite number"
    return f"{least} finite numbers" if least == most else f"{least} to {most} finite numbers"
