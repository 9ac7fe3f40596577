"""What a user most likely did when a text is no YAML: the words of the YAML library are about its grammar.

The library says which token it did not expect and where; the slip is often before that place (a brace that was never
closed, a colon without a space). Here the lines around the place are looked at for the slips that people make.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ruamel.yaml.error import MarkedYAMLError

_GLUED = re.compile(r"\s*(?:- )?([A-Za-z_][\w-]*):[^\s/]")
_ENTRY = re.compile(r"\s*(?:- )?[\w.-]+:(\s|$)")
_CLOSING = {"{": "}", "[": "]"}


class Slip(NamedTuple):
    """What is wrong, in which line (from 1; 0 unknown), and what to do."""

    what: str
    line: int
    hint: str = ""


def explained(error: MarkedYAMLError, text: str) -> Slip:
    """A marked error of the YAML library in words of what was written."""
    lines = text.splitlines()
    mark = error.problem_mark or error.context_mark
    at = mark.line if mark is not None else -1
    started = error.context_mark.line if error.context_mark is not None else at
    what = " ".join(str(error.problem or error.context or "cannot be read as YAML").split())
    here = lines[at] if 0 <= at < len(lines) else ""
    if "'\\t'" in what or here[: len(here) - len(here.lstrip())].count("\t"):
        return Slip("a tab where YAML wants spaces", at + 1, "indent with spaces")
    if "another document" in what:
        return Slip("more than one document in the file", at + 1, "remove the second '---'")
    if "${" in here:
        return Slip(what, at + 1, 'inside { } and [ ] an expression needs quotes: "link${i}"')
    if what.startswith("expected ','"):
        return _in_brackets(error, lines, what)
    if "<block end>" in what:
        return _in_block(lines, at, started, what)
    if "mapping values are not allowed" in what:
        return _second_colon(lines, at)
    if "could not find expected ':'" in what:
        return _no_colon(lines, at)
    if "end of stream" in what and error.context_mark is not None:
        return Slip("a quote is opened and never closed", started + 1, "end the text with the same quote in this line")
    if "cannot start any token" in what:
        sign = what.split("'")[1] if what.count("'") > 1 else "this sign"
        return Slip(f"a value cannot begin with '{sign}'", at + 1, "put it in quotes; a share is written '80 %' or 0.8")
    if "undefined alias" in what:
        return Slip(what, at + 1, "'*name' repeats what '&name' marks; put a text that begins with * in quotes")
    return Slip(what, at + 1)


def _in_brackets(error: MarkedYAMLError, lines: list[str], what: str) -> Slip:
    """Within { } or [ ] neither a comma nor the end was found."""
    at, begin = error.problem_mark, error.context_mark
    opening = "[" if "']'" in what.split("but", maxsplit=1)[0] else "{"
    if begin is None:
        return Slip(what, at.line + 1)
    if at.line > begin.line:
        opened = lines[begin.line] if begin.line < len(lines) else ""
        hint = f"close it with '{_CLOSING[opening]}'"
        if re.search(r"\s#.*[}\]]", opened):
            hint = "the comment behind '#' swallows the closing bracket"
        return Slip(f"'{opening}' is opened and never closed", begin.line + 1, hint)
    wrong = what.rsplit("got", 1)[-1].strip(" '")
    if wrong in ("}", "]"):
        return Slip(f"'{opening}' is closed by '{wrong}'", at.line + 1, f"expected '{_CLOSING[opening]}'")
    before = lines[at.line][: at.column].rstrip() if at.line < len(lines) else ""
    word = re.search(r"[\w-]+$", before)
    if ";" in before:
        return Slip("fields are separated by commas", at.line + 1, "write ',' for ';'")
    if wrong == ":" and word is not None:
        return Slip(f"a comma is missing before '{word[0]}:'", at.line + 1)
    return Slip("a comma is missing between two entries", at.line + 1)


def _in_block(lines: list[str], at: int, started: int, what: str) -> Slip:
    """A line does not go on with the block above it."""
    here = lines[at] if at < len(lines) else ""
    if "'}'" in what or "']'" in what:
        return Slip("a closing bracket too many", at + 1)
    if "<block mapping start>" in what or "<block sequence start>" in what:
        column = len(here) - len(here.lstrip())
        known = sorted({len(line) - len(line.lstrip()) for line in lines[started:at] if line.strip()})
        hint = f"it begins in column {column + 1}; the lines above begin in {', '.join(str(k + 1) for k in known)}"
        return Slip("this line is indented like none of those above it", at + 1, hint)
    if here.lstrip().startswith("-") != lines[started].lstrip().startswith("-"):
        hint = "parts are names with fields ('car1: {...}'), without '-'"
        return Slip("list entries ('- ...') and names ('name: ...') side by side", at + 1, hint)
    return Slip("this line does not go on with the block above it", at + 1, "check indentation and brackets")


def _second_colon(lines: list[str], at: int) -> Slip:
    """A colon where a value stands already."""
    here = lines[at] if at < len(lines) else ""
    above = next((k for k in range(at - 1, -1, -1) if lines[k].strip() and not lines[k].lstrip().startswith("#")), -1)
    before = lines[above] if above >= 0 else ""
    glued = _GLUED.match(before)
    if glued is not None:
        return Slip(f"a space is missing after '{glued[1]}:'", above + 1)
    if re.search(r":\s+\(", here):
        return Slip("fields stand in braces { }, not in ( )", at + 1)
    deeper = len(here) - len(here.lstrip()) > len(before) - len(before.lstrip())
    valued = _ENTRY.match(before) and not before.split("#")[0].rstrip().endswith(":")
    if valued and _ENTRY.match(here) and deeper:
        hint = f"line {above + 1} has a value already: begin in the same column"
        return Slip("this line is indented deeper than the one above it", at + 1, hint)
    return Slip("a second ': ' in one line", at + 1, "put text that contains ': ' in quotes, or fields in { }")


def _no_colon(lines: list[str], at: int) -> Slip:
    """A name without its colon; the library notices in a later line."""
    for k in range(min(at, len(lines) - 1), -1, -1):
        word = lines[k].split("#")[0].strip()
        if word and ":" not in word and not word.startswith("-"):
            return Slip(f"'{word}' has no colon", k + 1, f"write '{word}:'")
    return Slip("a line without a colon", at + 1, "write 'name: value'")


def misread_key(key: str) -> str:
    """What a key that is no name looks like: a hint, or nothing."""
    glued = re.fullmatch(r"([\w-]+):(\S.*)", key)
    if glued is not None:
        return f"a space is missing: '{glued[1]}: {glued[2]}'"
    equal = re.fullmatch(r"([\w-]+)\s*=\s*(\S.*)", key)
    if equal is not None:
        return f"write '{equal[1]}: {equal[2]}'"
    braced = re.match(r"([\w-]+)\s*[{\[]", key)
    return f"a colon is missing: '{braced[1]}: ...'" if braced is not None else ""
