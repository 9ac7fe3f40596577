"""Writes the reference pages that follow from the code: public names, commands, kinds of parts.

The pages land in ``docs/reference/generated`` before Sphinx reads the sources. They are Markdown made from signatures,
docstrings and the metadata of parts, so they cannot disagree with what is installed. A page is rewritten only when its
text changes, which keeps repeated builds quick.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

_SECTIONS = ("Args", "Attributes", "Returns", "Raises", "Yields", "Example", "Examples", "Note", "References")
_MOST_LINES = 20


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}


def write_pages(app: Any) -> None:
    """Write all generated pages."""
    folder = Path(app.srcdir) / "reference" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"api.md": api_page(), "commands.md": commands_page(), "parts.md": parts_page()}
    for name, text in pages.items():
        target = folder / name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def api_page() -> str:
    """Every public name with signature and docstring, grouped as the package lists them."""
    import centrode

    lines = ["# Public names", "", "Everything below is reached as `centrode.<name>`.", ""]
    for name, home in centrode._homes().items():
        if importlib.util.find_spec(home) is None:
            continue  # a room that is still being built
        lines += describe(name, getattr(centrode, name), home)
    return "\n".join(lines) + "\n"


def describe(name: str, item: Any, home: str) -> list[str]:
    """One public name: heading, signature, docstring, and the methods of a class."""
    lines = [f"## {name}", "", f"From `{home}`.", ""]
    if inspect.ismodule(item):
        lines += [*docstring(item), "| name | meaning |", "|---|---|"]
        own = [made for made in vars(item).values() if callable(made) and made.__module__ == item.__name__]
        return [*lines, *(f"| `{made.__name__}{_cell(signature(made))}` | {_first_line(made)} |" for made in own), ""]
    statement, meaning = assigned(home, name)
    if statement:
        return [*lines, "```python", statement, "```", "", re.sub(r":\w+:`~?([^`]+)`", r"`\1`", meaning), ""]
    lines += ["```python", f"{name}{signature(item)}", "```", ""]
    lines += docstring(item)
    if dataclasses.is_dataclass(item) and isinstance(item, type):
        lines += parameter_table(item)
    if inspect.isclass(item) and not issubclass(item, BaseException):
        for method_name, method in vars(item).items():
            plain = method.__func__ if isinstance(method, classmethod | staticmethod) else method
            if method_name.startswith("_") or not (inspect.isfunction(plain) or isinstance(plain, property)):
                continue
            shown = "" if isinstance(plain, property) else signature(plain)
            lines += [f"### {name}.{method_name}", "", "```python", f"{name}.{method_name}{shown}", "```", ""]
            lines += docstring(plain)
    return lines


def assigned(home: str, name: str) -> tuple[str, str]:
    """The line that makes a constant and the text below it; empty for what is no constant."""
    text = Path(importlib.import_module(home).__file__ or "").read_text(encoding="utf-8")
    body = ast.parse(text).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if name in {item.id for target in targets for item in ast.walk(target) if isinstance(item, ast.Name)}:
            below = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            lines = (ast.get_source_segment(text, node) or "").splitlines()
            shown = lines if len(lines) <= _MOST_LINES else [*lines[:_MOST_LINES], "    ..."]
            return "\n".join(shown), inspect.cleandoc(after.value.value) if below else ""
    return "", ""


def _first_line(item: Any) -> str:
    return _cell((inspect.getdoc(item) or "").split("\n", 1)[0])


def signature(item: Any) -> str:
    """Signature as text, one argument a line when it is long."""
    try:
        found = inspect.signature(item)
    except (TypeError, ValueError):
        return "(...)"
    text = readable(str(found))
    if len(text) <= 100:
        return text
    items = [readable(str(parameter)) for parameter in found.parameters.values()]
    return "(\n    " + ",\n    ".join(items) + ",\n)"


def readable(text: str) -> str:
    """Defaults as a reader would write them: no addresses, classes by name, what is made anew as an ellipsis."""
    text = re.sub(r"<factory>|<dataclasses\._MISSING_TYPE[^>]*>", "...", text)
    return re.sub(r"<class '(?:[\w.]*\.)?(\w+)'>", r"\1", re.sub(r" at 0x[0-9a-f]+", "", text))


def docstring(item: Any) -> list[str]:
    """A Google docstring as Markdown: sections become lists, indented text becomes code, roles become code."""
    text = inspect.getdoc(item) or ""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    lines: list[str] = []
    section = False
    for line in text.splitlines():
        heading = re.fullmatch(r"(\w+):", line.strip()) if not line.startswith(" ") else None
        if heading and heading[1] in _SECTIONS:
            lines += ["", f"**{heading[1]}**", ""]
            section = True
        elif section and re.match(r" {4}[\w*`]", line):
            entry = re.match(r" {4}([\w*, `]+?):\s+(.*)", line)
            lines.append(f"- `{entry[1].strip('`')}`: {entry[2]}" if entry else f"- {line.strip()}")
        elif section and line.startswith("     "):
            lines.append("  " + line.strip())
        else:
            section = section and (not line.strip() or line.startswith(" "))
            # An underlined or hashed line would begin a section of the page.
            lines.append("" if re.fullmatch(r"[=\-~]{3,}", line.strip()) else re.sub(r"^#", r"\\#", line))
    return [*lines, ""]


def parameter_table(kind: type) -> list[str]:
    """Parameters of a part with unit, default and meaning."""
    fields = [item for item in dataclasses.fields(kind) if item.init and item.metadata]
    if not fields:
        return []
    lines = ["| parameter | unit | default | meaning |", "|---|---|---|---|"]
    for item in fields:
        if item.default is not dataclasses.MISSING:
            default = f"`{_cell(re.sub(r' at 0x[0-9a-f]+', '', repr(item.default)))}`"
        else:
            default = "required" if item.default_factory is dataclasses.MISSING else "made anew"
        unit = item.metadata.get("unit", "")
        meaning = _cell(str(item.metadata.get("meaning", "")))
        choices = item.metadata.get("choices")
        if choices:
            meaning += " (" + ", ".join(f"`{choice}`" for choice in choices) + ")"
        lines.append(f"| `{item.name}` | {unit} | {default} | {meaning} |")
    return [*lines, ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def commands_page() -> str:
    """Every command with its help, as the command line prints it."""
    import click

    from centrode.cli.main import entry

    context = click.Context(entry, info_name="centrode")
    lines = ["# Commands", "", "```text", entry.get_help(context), "```", ""]
    for name in entry.list_commands(context):
        command = entry.get_command(context, name)
        assert command is not None
        lines += [f"## centrode {name}", "", "```text"]
        own = click.Context(command, info_name=name, parent=context)
        lines += [command.get_help(own), "```", ""]
        if isinstance(command, click.Group):
            for sub_name in command.list_commands(own):
                below = command.get_command(own, sub_name)
                assert below is not None
                lines += [f"### centrode {name} {sub_name}", "", "```text"]
                lines += [below.get_help(click.Context(below, info_name=sub_name, parent=own)), "```", ""]
    return "\n".join(lines) + "\n"


def parts_page() -> str:
    """Every kind of part, by family, with its parameters."""
    lines = ["# Kinds of parts", "", "One table per kind; `kind` is the word in a scenario file.", ""]
    registry = importlib.import_module("centrode.parts.registry")
    for family, kinds in registry.families().items():
        lines += [f"## {registry.section_of(family)}", ""]
        for kind, part in kinds.items():
            lines += [f"### {kind}", "", f"`{part.__module__}.{part.__name__}`", ""]
            lines += docstring(part)
            lines += parameter_table(part)
    return "\n".join(lines) + "\n"
