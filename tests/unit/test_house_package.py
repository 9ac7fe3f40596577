"""The package as a whole: quick to import, public names where they belong, every file says what it is."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import centrode
from centrode.parts.registry import families

SOURCE = Path(centrode.__file__).parent
ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
# How-tos for those who add to the package itself import what these extend.
WRITTEN = (path for path in sorted((ROOT / "docs").rglob("*.md")) if not path.name.startswith("add_a_"))
DOCUMENTS = [ROOT / "README.md", *WRITTEN]
FAMILY_FIRST = {"import", "outline", "plot", "road", "shape", "suspension", "tyre"}
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


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Revolut'; did you mean 'Revolute'"):
        _ = centrode.Revolut


def test_public_names_are_listed() -> None:
    assert set(centrode._homes()) <= set(dir(centrode))


def test_every_kind_of_part_is_a_public_name() -> None:
    built_in = {item.__name__: item.__module__ for kinds in families().values() for item in kinds.values()}
    public = centrode._homes()
    assert {name: public.get(name) for name in built_in} == built_in  # what is missing is one line in the front door


@pytest.mark.parametrize("name", sorted(centrode._homes()))
def test_public_name_resolves_to_an_object_of_its_home(name: str) -> None:
    module, inner = centrode._places()[name]
    home = importlib.import_module(module)
    assert getattr(centrode, name) is getattr(home, inner)
    assert inner in defined_in(Path(home.__file__ or ""))


def test_every_contact_law_goes_by_the_plain_name_of_its_kind() -> None:
    """ct.Restitution was there, ct.Hard and ct.Linear were not."""
    laws = families()["contact_law"]
    assert {kind: getattr(centrode, kind.title().replace("-", "")) for kind in laws} == laws


def defined_in(file: Path) -> set[str]:
    """Names that a file makes itself, and the files beside it when it is a package."""
    found = {path.stem for path in file.parent.glob("*.py")} if file.name == "__init__.py" else set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {item.id for target in targets for item in ast.walk(target) if isinstance(item, ast.Name)}
    return found


def test_no_submodule_shares_its_name_with_a_public_name() -> None:
    """Python binds an imported submodule on the package, which would hide the public object of the same name."""
    submodules = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert not submodules & set(centrode._homes())


@pytest.mark.parametrize("text", [*EXAMPLES, *DOCUMENTS], ids=lambda path: path.name)
def test_examples_and_documents_come_in_by_the_front_door(text: Path) -> None:
    said = text.read_text(encoding="utf-8")
    inner = set(re.findall(r"^ *(?:from|import) (centrode\.[\w.]+)", said, re.MULTILINE))
    assert inner <= {
        "centrode.math.vector"
    }  # what kernels calculate with: the one inner module that is meant for users
    assert set(re.findall(r"\bct\.(\w+)", said)) <= set(centrode._homes())


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "howto").glob("own-*.md")), ids=lambda path: path.stem)
def test_a_how_to_for_plugins_shows_a_whole_file_and_how_to_check_and_use_it(page: Path) -> None:
    said = page.read_text(encoding="utf-8")
    shown = re.findall(r"\{literalinclude\} \.\./\.\./(examples/plugins/(\w+\.py))", said)
    assert shown and all((ROOT / path).is_file() for path, _ in shown)
    check, _, use = said.partition("Check it\n")[2].partition("Use it\n")
    assert any(f"$ centrode check {name}\n" in check and f"plugins: [{name}]\n" in use for _, name in shown)


@pytest.mark.parametrize("family", sorted(families()))
def test_all_kinds_of_a_family_carry_its_name_first_or_none_does(family: str) -> None:
    first = family.title().replace("_", "")
    several = [item.__name__ for item in families()[family].values() if len(families()[family]) > 1]
    assert {name.startswith(first) for name in several} <= {family in FAMILY_FIRST}


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_file_says_what_it_is(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert len(text.split("\n", 1)[0]) >= 20


def test_other_files_use_the_public_calls_of_a_session() -> None:
    private = re.compile(r"\bsession\._\w+")
    found = [(path.name, private.findall(path.read_text(encoding="utf-8"))) for path in SOURCE.rglob("*.py")]
    assert [item for item in found if item[1]] == []
