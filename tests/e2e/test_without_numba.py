"""The pack is whole and current: everything runs where Numba cannot be imported, and gives what compiling gives.

``tools/compare_pack.py`` compares every scenario; here are the enumeration, every kind of part, and a sample.
"""

from __future__ import annotations

import dis
import hashlib
import linecache
import os
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from centrode.every_kernel import every_kernel, missing_kernels
from centrode.jit import Kernel, pack
from centrode.jit.processor import V3, target
from centrode.parts.registry import modules_of

ROOT = Path(__file__).parents[2]
BLOCKED = "import sys; sys.modules.update(numba=None, llvmlite=None); "
SAMPLE = (
    "free_body.yaml",
    "mechanisms/pendulum.yaml",
    "mechanisms/four_bars.yaml",
    "mechanisms/heavy_top.yaml",
    "bicycle/m2.yaml",
    "bicycle/tricycle.yaml",
    "cars/evading.yaml",
    "collisions/offset.yaml",
    "collisions/rollover.yaml",
    "collisions/wall.yaml",
    "robots/quadruped.yaml",
    "sixdof/auv_turn.yaml",
    "sixdof/rope.yaml",
    "vehicles/pedestrian.yaml",
)
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(target() != V3, reason="the pack is for x86-64-v3 on Linux"),
    pytest.mark.skipif(os.environ.get("CENTRODE_PACK") == "off", reason="the pack is left alone"),
]


def test_the_pack_is_current() -> None:
    assert pack.opened() is not None, "there is no pack, or it is damaged: make pack"
    changed = [key.partition(" ")[0] for key in missing_kernels()]
    assert not changed, f"these kernels have changed since the pack was made; make pack: {', '.join(changed)}"
    digests = {key.partition(" ")[2] for key in every_kernel()}
    gone = [name for name, versions in pack.opened().digests.items() if not set(versions) <= digests]
    assert not gone, f"these kernels are packed and no longer there; make pack: {', '.join(gone)}"


def test_the_pack_wants_no_newer_system_than_others_do() -> None:
    """Systems that are in use have an older C library than the machine on which the pack was made."""
    wanted = {
        tuple(map(int, item.split(b".")))
        for name in ("kernels.bin", "entries.bin")
        for item in re.findall(rb"GLIBC_([0-9.]+)", (pack.FOLDER / name).read_bytes())
    }
    assert max(wanted) <= (2, 2, 5), "make pack"


def plain_functions(module: types.ModuleType) -> Iterator[types.FunctionType]:
    """Functions and methods that a module defines, kernels excepted."""
    for item in vars(module).values():
        inner = vars(item).values() if isinstance(item, type) and item.__module__ == module.__name__ else ()
        for found in (item, *inner):
            found = getattr(found, "__func__", getattr(found, "fget", getattr(found, "func", found)))
            if isinstance(found, types.FunctionType) and found.__module__ == module.__name__:
                yield found


def names_in(code: types.CodeType) -> set[str]:
    own = {item.argval for item in dis.get_instructions(code) if item.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*(names_in(item) for item in code.co_consts if isinstance(item, types.CodeType)))


def test_kernels_that_python_calls_say_their_types() -> None:
    """What has no types cannot be packed. The bicycle of the lecture allocates and calls LAPACK, and runs as Python."""
    modules = [item for item in modules_of("centrode") if not item.__name__.endswith("bicycle.lecture")]
    inlined = {item.py_func for module in modules for item in vars(module).values() if isinstance(item, Kernel)}
    found = []
    for function in (item for module in modules for item in plain_functions(module) if item not in inlined):
        text = "".join(linecache.getlines(function.__code__.co_filename))  # none for what dataclasses make
        for name in names_in(function.__code__):
            kernel = function.__globals__.get(name)
            untyped = isinstance(kernel, Kernel) and kernel.fixed_signature is None
            if untyped and not re.search(rf"\bplain\({name}\)", text):
                found.append(f"{function.__module__}.{function.__qualname__} calls {name}")
    assert not found


def run_script(script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *arguments]
    known = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, timeout=280, check=False)


def test_every_kind_keeps_its_contract_without_numba() -> None:
    script = BLOCKED + "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    done = run_script(script, "tests/unit/test_every_kind.py", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    assert done.returncode == 0, done.stdout[-3000:]


def test_every_method_runs_without_numba() -> None:
    script = (
        "import centrode as ct; from centrode.methods.method import methods\n"
        "for name in methods():\n"
        "    run = ct.simulate(ct.load('scenarios/free_body.yaml'), method=name, duration=0.1)\n"
        "    print(name, run.status.completed)"
    )
    done = run_script(BLOCKED + script)
    said = [line.split() for line in done.stdout.splitlines()]
    assert len(said) > 10 and all(outcome == "True" for _, outcome in said), done.stdout + done.stderr


@pytest.mark.parametrize("scenario", SAMPLE)
def test_scenario_runs_without_numba(scenario: str, tmp_path: Path) -> None:
    script = BLOCKED + "from centrode.cli.main import run; sys.exit(run(sys.argv[1:]))"
    where = str(ROOT / "scenarios" / scenario)
    done = run_script(script, "run", where, "-o", str(tmp_path / "run.nc"), "--duration", "0.5", "-q")
    assert done.returncode == 0, done.stderr


def test_packed_and_compiled_kernels_give_the_same_recording(tmp_path: Path) -> None:
    """The pendulum; all scenarios: tools/compare_pack.py."""
    script = (
        "import sys; from centrode.cli.main import run; code = run(sys.argv[1:])\n"
        "print(sys.modules.get('numba') is not None); sys.exit(code)"
    )
    where = str(ROOT / "scenarios" / "mechanisms" / "pendulum.yaml")
    digests = []
    for given, first, imported in (("", BLOCKED, "False"), ("off", "", "True")):
        target_file = tmp_path / f"run{given}.nc"
        done = run_script(first + script, "run", where, "-o", str(target_file), "-q", CENTRODE_PACK=given)
        assert (done.returncode, done.stdout.split()) == (0, [imported]), done.stderr
        digests.append(hashlib.sha256(target_file.read_bytes()).hexdigest())
    assert digests[0] == digests[1]


def test_nothing_is_left_to_warm_without_numba() -> None:
    """All kernels are enumerated without importing the files that need a compiler."""
    done = run_script(BLOCKED + "from centrode.cli.main import run; sys.exit(run(['warm']))")
    assert (done.returncode, done.stderr.strip()) == (0, "all kernels are there")


def test_a_kernel_that_has_to_be_compiled_says_what_to_install(tmp_path: Path) -> None:
    plugin = ROOT / "examples" / "plugins" / "gyrostat.py"
    script = BLOCKED + "from centrode.cli.main import run; sys.exit(run(sys.argv[1:]))"
    done = run_script(script, "check", str(plugin))
    assert done.returncode != 0 and "pip install 'centrode[compile]'" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


FOREIGN = "import centrode.jit.processor as p; p.target = lambda: ''; "
UNFIT = {
    "another processor": (BLOCKED + FOREIGN, {}, "they are for x86-64-v3"),
    "left alone": (BLOCKED, {"CENTRODE_PACK": "off"}, "CENTRODE_PACK=off leaves them alone"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_where_the_pack_is_of_no_use_it_is_said_why(case: str, tmp_path: Path) -> None:
    """That 'accelerate' does not come compiled is no help to one whose processor is too old for all of them."""
    first, given, why = UNFIT[case]
    script = first + "import sys; from centrode.cli.main import run; sys.exit(run(sys.argv[1:]))"
    where = str(ROOT / "scenarios" / "mechanisms" / "pendulum.yaml")
    done = run_script(script, "run", where, "-o", str(tmp_path / "run.nc"), **given)
    assert done.returncode == 2
    assert "pip install 'centrode[compile]'" in done.stderr and why in done.stderr
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr


def test_a_numba_that_cannot_be_imported_is_told_as_its_own_words(tmp_path: Path) -> None:
    """One that was installed beside a newer NumPy than it can use."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ImportError('Numba needs NumPy 2.4 or less. Got NumPy 9.')")
    first = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
    script = first + "from centrode.cli.main import run; sys.exit(run(sys.argv[1:]))"
    where = str(ROOT / "scenarios" / "mechanisms" / "pendulum.yaml")
    done = run_script(script, "run", where, "-o", str(tmp_path / "run.nc"), CENTRODE_PACK="off")
    assert done.returncode == 2 and "internal error" not in done.stderr
    assert "Numba cannot be imported" in done.stderr and "Got NumPy 9." in done.stderr
    assert "centrode[compile]" in done.stderr
