"""The package as a whole: quick to import, public names where they belong, every file says what it is."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import centrode

SOURCE = Path(centrode.__file__).parent
HEAVY = ("numba", "numpy", "scipy", "matplotlib", "xarray", "ruamel", "rich", "h5netcdf")


def modules_after(statement: str) -> set[str]:
    """Top-level modules loaded in a fresh process after a statement."""
    program = (
        f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_import_brings_nothing_heavy() -> None:
    assert not modules_after("import centrode") & set(HEAVY)


def test_error_classes_bring_nothing_heavy() -> None:
    assert not modules_after("import centrode; centrode.InputError; centrode.RunError") & set(HEAVY)


def test_unknown_attribute_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Sytem'"):
        _ = centrode.Sytem


def test_public_names_are_listed() -> None:
    assert set(centrode._HOMES) <= set(dir(centrode))


@pytest.mark.parametrize("name", sorted(centrode._HOMES))
def test_public_name_resolves_to_an_object_defined_in_its_home(name: str) -> None:
    found = getattr(centrode, name)
    assert callable(found)
    assert found.__module__ == centrode._HOMES[name]
    assert found.__name__ == name


def test_no_submodule_shares_its_name_with_a_public_name() -> None:
    """Python binds an imported submodule on the package, which would hide the public object of the same name."""
    submodules = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert not submodules & set(centrode._HOMES)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {item.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for item in node.names}
    assert seen == centrode._HOMES


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_file_says_what_it_is(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert len(text.split("\n", 1)[0]) >= 20


def test_other_files_use_the_public_calls_of_a_session() -> None:
    private = re.compile(r"\bsession\._\w+")
    found = [(path.name, private.findall(path.read_text(encoding="utf-8"))) for path in SOURCE.rglob("*.py")]
    assert [item for item in found if item[1]] == []
