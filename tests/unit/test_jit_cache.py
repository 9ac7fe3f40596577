"""The kernel cache: an edited helper is seen, an unchanged kernel starts warm.

Each test writes a small project of kernels into a folder of its own and runs it in fresh processes that share one
cache folder, the way a user's edits and runs follow each other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import centrode
from centrode import jit

HELPER = """
from centrode.jit import kernel

@kernel
def scaled(x):
    return {factor} * x
"""

KERNEL = """
from centrode.jit import kernel
{import_line}

@kernel
def shifted(x):
    return scaled(x) + 1.0
"""

RUN = """
import json
from {module} import shifted
value = shifted(10.0)
hits = sum(shifted.stats.cache_hits.values())
misses = sum(shifted.stats.cache_misses.values())
print(json.dumps({{"value": value, "hits": hits, "misses": misses}}))
"""


def run_fresh(folder: Path, module: str) -> dict[str, float]:
    """Value and cache counts of one call in a new process.

    -B: no byte code files, whose one-second time stamps could hide an edit that a test makes right away.
    """
    environment = {**os.environ, "CENTRODE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-B", "-c", RUN.format(module=module)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


LAYOUTS = {
    "side by side": ("", "loop", "helper.py", "from helper import scaled"),
    "absolute in a package": ("plugin", "plugin.loop", "plugin/helper.py", "from plugin.helper import scaled"),
    "relative in a package": ("plugin", "plugin.loop", "plugin/helper.py", "from .helper import scaled"),
}


@pytest.mark.compiled
@pytest.mark.parametrize("layout", LAYOUTS)
def test_edited_helper_in_another_file_is_seen(tmp_path: Path, layout: str) -> None:
    package, module, helper_path, import_line = LAYOUTS[layout]
    helper = tmp_path / helper_path
    helper.parent.mkdir(parents=True, exist_ok=True)
    for folder in {tmp_path / package, helper.parent} - {tmp_path}:
        (folder / "__init__.py").write_text("")
    (tmp_path / package / "loop.py").write_text(KERNEL.format(import_line=import_line))
    helper.write_text(HELPER.format(factor="2.0"))
    first = run_fresh(tmp_path, module)
    assert first["value"] == 21.0
    assert first["misses"] == 1

    warm = run_fresh(tmp_path, module)
    assert warm == {"value": 21.0, "hits": 1, "misses": 0}

    helper.write_text(HELPER.format(factor="3.0"))
    assert run_fresh(tmp_path, module)["value"] == 31.0


@pytest.mark.compiled
def test_edit_elsewhere_keeps_the_kernel_warm(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER.format(factor="2.0"))
    (tmp_path / "loop.py").write_text(KERNEL.format(import_line="from helper import scaled"))
    (tmp_path / "unrelated.py").write_text("value = 1\n")
    run_fresh(tmp_path, "loop")
    (tmp_path / "unrelated.py").write_text("value = 2\n")
    assert run_fresh(tmp_path, "loop") == {"value": 21.0, "hits": 1, "misses": 0}


@pytest.mark.compiled
def test_going_back_to_an_earlier_source_finds_its_machine_code_again(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(KERNEL.format(import_line="from helper import scaled"))
    (tmp_path / "helper.py").write_text(HELPER.format(factor="2.0"))
    run_fresh(tmp_path, "loop")
    (tmp_path / "helper.py").write_text(HELPER.format(factor="3.0"))
    assert run_fresh(tmp_path, "loop")["value"] == 31.0
    (tmp_path / "helper.py").write_text(HELPER.format(factor="2.0"))
    assert run_fresh(tmp_path, "loop")["value"] == 21.0


def write_project(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


IMPORTS = {
    "name": "from {package}.laws.helper import scaled",
    "names over lines": "from {package}.laws.helper import (\n    scaled,\n)",
    "module": "from {package}.laws import helper",
    "module, dotted": "import {package}.laws.helper",
    "relative": "from .laws.helper import scaled",
}


@pytest.mark.parametrize("form", IMPORTS)
def test_digest_follows_every_way_to_write_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package = f"shop{list(IMPORTS).index(form)}"  # a name of its own: the interpreter remembers packages it has met
    files = {"__init__.py": "", "laws/__init__.py": "", "laws/helper.py": ""}
    files["loop.py"] = IMPORTS[form].format(package=package)
    write_project(tmp_path / package, files)
    assert tmp_path / package / "laws/helper.py" in jit._closure(tmp_path / package / "loop.py")


def test_digest_of_a_plugin_follows_into_centrode(tmp_path: Path) -> None:
    write_project(tmp_path, {"loop.py": "from centrode.jit import kernel\n"})
    ours = Path(centrode.__file__).parent
    assert {ours / "jit.py", tmp_path / "loop.py"} <= jit._closure(tmp_path / "loop.py")


FRONT_DOOR = {
    "by its name": "import centrode as ct\n\nprint(ct.borrow)\n",
    "with a remark": "import centrode as c  # the front door\n\nprint(c.borrow)\n",
    "unnamed": "import centrode\n\nprint(centrode.borrow)\n",
    "one name": "from centrode import borrow\n",
}


@pytest.mark.parametrize("form", FRONT_DOOR)
def test_digest_follows_through_the_front_door(tmp_path: Path, form: str) -> None:
    """What a plugin's kernels call is known by the public names alone; the files behind them count."""
    write_project(tmp_path, {"loop.py": FRONT_DOOR[form], "joint.py": "import centrode as ct\n\nct.markers.sides\n"})
    ours = Path(centrode.__file__).parent
    assert {ours / "parts/tables.py", ours / "jit.py"} <= jit._closure(tmp_path / "loop.py")
    assert ours / "parts/markers.py" in jit._closure(tmp_path / "joint.py")
    assert ours / "parts/markers.py" not in jit._closure(tmp_path / "loop.py")


def test_digest_does_not_depend_on_the_order_of_a_set(tmp_path: Path) -> None:
    """Files that share a name once came in the order of a set, which changes with the hash seed of the process."""
    names = [f"shop/room{number}/law.py" for number in range(6)]
    imports = "".join(f"import shop.room{number}.law\n" for number in range(6))
    write_project(tmp_path, {"shop/__init__.py": "", "shop/loop.py": imports, **{name: f"# {name}" for name in names}})
    write_project(tmp_path, {f"shop/room{number}/__init__.py": "" for number in range(6)})
    program = (
        "from pathlib import Path; from centrode import jit; "
        "print(len(jit._closure(Path('shop/loop.py').absolute())), jit.source_digest(Path('shop/loop.py').absolute()))"
    )
    answers = set()
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path)}
        answers.add(
            subprocess.run(
                [sys.executable, "-c", program],
                capture_output=True,
                text=True,
                env=environment,
                cwd=tmp_path,
                check=True,
            ).stdout
        )
    assert len(answers) == 1
    assert answers.pop().startswith("7 ")


UNDER_ANOTHER_NAME = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("{name}", "loop.py")
module = importlib.util.module_from_spec(spec)
sys.modules["{name}"] = module
spec.loader.exec_module(module)
from centrode.jit import handle_of
handle_of(module.law)
print(module.law(module.Row(1.0)))
"""

OWN_TYPE = """
from typing import NamedTuple
from numba import float64, types
from centrode.jit import kernel

class Row(NamedTuple):
    size: float

@kernel(signature=float64(types.NamedTuple((float64,), Row)))
def law(row):
    return 2.0 * row.size
"""


@pytest.mark.compiled
def test_a_file_loaded_under_two_names_is_compiled_for_each(tmp_path: Path) -> None:
    """A script may import the very file that ``--plugin`` loads under a name of its own."""
    (tmp_path / "loop.py").write_text(OWN_TYPE)
    environment = {**os.environ, "CENTRODE_CACHE_DIR": str(tmp_path / "cache")}
    for name in ("centrode_plugin_loop_1", "loop"):
        code = UNDER_ANOTHER_NAME.format(name=name)
        command = [sys.executable, "-B", "-c", code]
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120, check=False
        )
        assert done.returncode == 0 and float(done.stdout) == 2.0, done.stderr
