"""The kernel cache: an edited helper is seen, an unchanged kernel starts warm.

Each test writes a small project of kernels into a folder of its own and runs it in fresh processes that share one
cache folder, the way a user's edits and runs follow each other.
"""

from __future__ import annotations

import importlib
import json
import linecache
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from centrode.jit import cache_root, step_kernel
from centrode.jit import types as numbers
from centrode.jit.digest import NoDigest, code_digest, text_digest

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
hits = sum(shifted.compiled.stats.cache_hits.values())
misses = sum(shifted.compiled.stats.cache_misses.values())
print(json.dumps({{"value": value, "hits": hits, "misses": misses}}))
"""


def beside(folder: Path) -> str:
    """Where a new process looks for modules: in the folder, then where this one does."""
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH", ""))))


def run_fresh(folder: Path, module: str) -> dict[str, float]:
    """Value and cache counts of one call in a new process.

    -B: no byte code files, whose one-second time stamps could hide an edit that a test makes right away.
    """
    environment = {**os.environ, "CENTRODE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": beside(folder)}
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


Digest = Callable[[Any, dict[str, object]], str]
DIGESTS = {"of the code": code_digest, "of the text": text_digest}


def digest_after(
    folder: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], module: str, digest_of: Digest
) -> str:
    """Digest of ``loop`` in a module of files that have just been written, imported anew."""
    write_project(folder, files)
    monkeypatch.syspath_prepend(folder)
    top = module.partition(".")[0]
    for name in [name for name in sys.modules if name.partition(".")[0] in (top, "helper")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    linecache.clearcache()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return digest_of(importlib.import_module(module).loop, {})


WAYS = {
    "a name": "from shop.helper import scaled\n\ndef loop(x):\n    return scaled(x)\n",
    "another name": "from shop.helper import scaled as s\n\ndef loop(x):\n    return s(x)\n",
    "a module": "from shop import helper\n\ndef loop(x):\n    return helper.scaled(x)\n",
    "relative": "from .helper import scaled\n\ndef loop(x):\n    return scaled(x)\n",
    "two steps": (
        "from shop.helper import scaled\n\ndef twice(x):\n    return scaled(scaled(x))\n\n"
        "def loop(x):\n    return twice(x)\n"
    ),
    "inside": (
        "from shop.helper import scaled\n\ndef loop(x):\n"
        "    def within(y):\n        return scaled(y)\n    return within(x)\n"
    ),
    "a closure": (
        "from shop.helper import scaled\n\ndef make(law):\n    def loop(x):\n        return law(x)\n    return loop\n\n"
        "loop = make(scaled)\n"
    ),
    "a default": "from shop.helper import scaled\n\ndef loop(x, law=scaled):\n    return law(x)\n",
    "each other": (
        "from shop.helper import scaled\n\ndef odd(x):\n    return loop(x - 1) if x else scaled(x)\n\n"
        "def loop(x):\n    return odd(x - 1) if x else x\n"
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("reading", DIGESTS)
def test_digest_follows_every_way_to_a_helper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, reading: str
) -> None:
    helper = "FACTOR = {factor}\n\ndef scaled(x):\n    return FACTOR * x\n"
    files = {"shop/__init__.py": "", "shop/loop.py": WAYS[way]}

    def digest(factor: str) -> str:
        edited = {**files, "shop/helper.py": helper.format(factor=factor)}
        return digest_after(tmp_path, monkeypatch, edited, "shop.loop", DIGESTS[reading])

    before = digest("2.0")
    assert digest("2.0") == before
    assert digest("3.0") != before
    assert digest("2.0  # a remark\n\nOTHER = 1") == before, "what is not used does not count"


VALUES = {
    "integer": ("2", "3"),
    "zero's sign": ("0.0", "-0.0"),
    "kind of number": ("2", "2.0"),
    "array": ("np.array([1.0, 2.0])", "np.array([1.0, 2.5])"),
    "kind of array": ("np.array([1, 2])", "np.array([1.0, 2.0])"),
    "tuple": ("(1, (2, 3))", "(1, (2, 4))"),
    "set": ("frozenset({'a', 'b', 'c'})", "frozenset({'a', 'b', 'd'})"),
    "record": ("np.dtype([('a', 'f8'), ('b', 'f8')])", "np.dtype([('b', 'f8'), ('a', 'f8')])"),
    "enum": ("enum.IntEnum('E', 'ONE TWO')", "enum.IntEnum('E', 'TWO ONE')"),
    "named tuple": ("namedtuple('Row', 'a b')", "namedtuple('Row', 'b a')"),
    "type": ("types.float64", "types.int64"),
    "type of a named tuple": (
        "types.NamedTuple((types.float64,) * 2, namedtuple('Row', 'a b'))",
        "types.NamedTuple((types.float64,) * 2, namedtuple('Row', 'b a'))",
    ),
    "signature": ("types.float64(types.int64)", "types.float64(types.float64)"),
    "jump": ("jit.call_by_address(types.float64(types.int64))", "jit.call_by_address(types.float64(types.float64))"),
    "option": ("jit.kernel(lambda x: x)", "jit.kernel(lambda x: x, error_model='python')"),
}


@pytest.mark.compiled
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("reading", DIGESTS)
@pytest.mark.parametrize("whose", ["numba", "centrode.jit"])
def test_digest_follows_every_kind_of_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, reading: str, whose: str
) -> None:
    text = f"import enum\nfrom collections import namedtuple\nimport numpy as np\nfrom {whose} import types\n"
    text += "from centrode import jit\n\nVALUE = {value}\n\ndef loop(x):\n    return VALUE\n"

    def digest(value: str) -> str:
        return digest_after(
            tmp_path, monkeypatch, {"one_file.py": text.format(value=value)}, "one_file", DIGESTS[reading]
        )

    first, second = (digest(value) for value in VALUES[kind])
    again = digest(VALUES[kind][0])
    assert first == again != second


def test_what_has_no_content_has_no_digest() -> None:
    lock = threading.Lock()

    def uses() -> object:
        return lock

    with pytest.raises(NoDigest, match="lock"):
        code_digest(uses, {})


@pytest.mark.compiled
def test_every_kernel_of_the_house_has_a_digest_that_no_hash_seed_changes() -> None:
    program = (
        "import gc, importlib, pkgutil, centrode\n"
        "from centrode.jit import Kernel\nfrom centrode.jit.digest import code_digest, text_digest\n"
        "for room in pkgutil.walk_packages(centrode.__path__, 'centrode.'): importlib.import_module(room.name)\n"
        "kernels = [item for item in gc.get_objects() if isinstance(item, Kernel)]\n"
        "digests = [f(k.py_func, k.targetoptions) for k in kernels for f in (code_digest, text_digest)]\n"
        "print(len(kernels), sorted(digests))"
    )
    answers = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        answers.add(done.stdout)
    assert len(answers) == 1
    assert int(answers.pop().split()[0]) > 500


def cached_files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "cache").rglob("*") if path.is_file())


DAMAGES = {
    "cut short": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "one bit": lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
    "something else": lambda content: b"\x00" * len(content),
}


@pytest.mark.compiled
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_compiled_anew_and_replaced(tmp_path: Path, damage: str) -> None:
    write_project(tmp_path, {"helper.py": HELPER.format(factor="2.0")})
    write_project(tmp_path, {"loop.py": KERNEL.format(import_line="from helper import scaled")})
    run_fresh(tmp_path, "loop")
    (file,) = cached_files(tmp_path)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    assert run_fresh(tmp_path, "loop") == {"value": 21.0, "hits": 0, "misses": 1}
    assert run_fresh(tmp_path, "loop") == {"value": 21.0, "hits": 1, "misses": 0}


@pytest.mark.compiled
def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    write_project(tmp_path, {"helper.py": HELPER.format(factor="2.0"), "cache": "a file where the folder should be"})
    write_project(tmp_path, {"loop.py": KERNEL.format(import_line="from helper import scaled")})
    assert run_fresh(tmp_path, "loop") == {"value": 21.0, "hits": 0, "misses": 1}


@pytest.mark.compiled
def test_a_user_without_a_home_compiles_and_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that the system has no name for, and no HOME: what containers and timed jobs run as."""

    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    for name in ("CENTRODE_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    @step_kernel(signature=numbers.float64(numbers.float64))
    def halved(x):
        return 0.5 * x

    assert halved(3.0) == 1.5
    assert not cache_root().exists()


@pytest.mark.compiled
def test_six_processes_on_a_cold_cache_at_once_agree_and_leave_it_whole(tmp_path: Path) -> None:
    write_project(tmp_path, {"loop.py": KERNEL.format(import_line="from helper import scaled")})
    (tmp_path / "helper.py").write_text(HELPER.format(factor="2.0"))
    environment = {**os.environ, "CENTRODE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": beside(tmp_path)}
    command = [sys.executable, "-B", "-c", RUN.format(module="loop")]
    started = [
        subprocess.Popen(command, env={**environment}, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    answers = [json.loads(process.communicate(timeout=240)[0]) for process in started]
    assert [item["value"] for item in answers] == [21.0] * 6
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert len(files) == 1, "one version under one name, and nothing half written"
    assert run_fresh(tmp_path, "loop") == {"value": 21.0, "hits": 1, "misses": 0}


@pytest.mark.compiled
def test_who_listens_is_told_what_is_compiled_and_how_many_are_left(tmp_path: Path) -> None:
    text = """
from centrode.jit import kernel, on_compile, types
@kernel(signature=types.float64(types.float64))
def one(x):
    return x + 1.0
@kernel(signature=types.float64(types.float64))
def two(x):
    return x + 2.0
told = []
stop = on_compile(lambda name, left: told.append((name, left)))
values = one(1.0), two(1.0), one(2.0)
stop()
"""
    write_project(tmp_path, {"pair.py": text})
    environment = {**os.environ, "CENTRODE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": beside(tmp_path)}
    for expected in ([["pair.one", 2], ["pair.two", 1]], []):  # the second process finds both
        script = "import json, pair; print(json.dumps([pair.told, pair.values]))"
        done = subprocess.run(
            [sys.executable, "-B", "-c", script], env=environment, capture_output=True, text=True, timeout=120
        )
        assert json.loads(done.stdout) == [expected, [2.0, 3.0, 3.0]], done.stderr


@pytest.mark.compiled
def test_machine_code_stays_warm_when_the_project_moves(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    write_project(tmp_path / "here", {"helper.py": HELPER.format(factor="2.0")})
    write_project(tmp_path / "here", {"loop.py": KERNEL.format(import_line="from helper import scaled")})
    run_fresh(tmp_path / "here", "loop")
    (tmp_path / "here").rename(tmp_path / "there")
    assert run_fresh(tmp_path / "there", "loop") == {"value": 21.0, "hits": 1, "misses": 0}


@pytest.mark.compiled
def test_a_file_edited_after_its_import_does_not_name_the_old_code(tmp_path: Path) -> None:
    """The old cache asked the file for its digest when a kernel was first compiled: new name, old code."""
    write_project(tmp_path, {"helper.py": HELPER.format(factor="2.0")})
    write_project(tmp_path, {"loop.py": KERNEL.format(import_line="from helper import scaled")})
    edited = HELPER.format(factor="3.0")
    program = f"import helper, loop; open('helper.py', 'w').write({edited!r}); print(loop.shifted(10.0))"
    environment = {**os.environ, "CENTRODE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": beside(tmp_path)}
    command = [sys.executable, "-B", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=True)
    assert float(done.stdout) == 21.0
    assert run_fresh(tmp_path, "loop") == {"value": 31.0, "hits": 0, "misses": 1}


@pytest.mark.compiled
def test_what_is_only_called_by_others_is_inlined_and_leaves_no_file(tmp_path: Path) -> None:
    """Fails where a new Numba no longer takes our code to inline: then every helper is compiled whole again."""
    write_project(tmp_path, {"helper.py": HELPER.format(factor="2.0")})
    write_project(tmp_path, {"loop.py": KERNEL.format(import_line="from helper import scaled")})
    program = (
        "from helper import scaled; from loop import shifted; shifted(10.0)\n"
        "code = '\\n'.join(shifted.compiled.inspect_llvm().values())\n"
        "calls = [l for l in code.splitlines() if ' call ' in l]\n"
        "print(len(scaled.compiled.overloads), sum('scaled' in line for line in calls), "
        "sum(len(item.overloads) for item in scaled.compiled._inlined.values()))"
    )
    environment = {**os.environ, "CENTRODE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": beside(tmp_path)}
    command = [sys.executable, "-B", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.stdout.split() == ["0", "0", "1"], done.stderr
    assert [path.parent.name for path in cached_files(tmp_path)] == ["loop.shifted"]


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


SIZED = """
from functools import cache
from numba import float64
from centrode.jit import call_by_address, handle_of, kernel

call = call_by_address(float64(float64))

@cache
def sized(count):
    token = (0,) * count

    @kernel(signature=float64(float64))
    def counted(x):
        return x + len(token)

    return counted

@kernel
def asked(handle, x):
    return call(handle, (x,))

def answer(count):
    return asked(handle_of(sized(count)), 10.0)
"""


@pytest.mark.compiled
def test_versions_of_one_function_from_two_processes_do_not_take_each_others_place(tmp_path: Path) -> None:
    """Two processes compile one size each, as their first kernel; a third loads both and finds each under its own."""
    write_project(tmp_path, {"sizes.py": SIZED})
    source = str(Path(importlib.import_module("centrode").__file__ or "").parents[1])
    environment = {
        **os.environ,
        "CENTRODE_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), source]),
    }

    def asked(*counts: int) -> list[float]:
        text = f"import json; from sizes import answer; print(json.dumps([answer(n) for n in {counts}]))"
        done = subprocess.run(
            [sys.executable, "-B", "-c", text], capture_output=True, text=True, env=environment, timeout=120, check=True
        )
        found: list[float] = json.loads(done.stdout)
        return found

    assert asked(2) == [12.0] and asked(5) == [15.0]
    assert asked(2, 5, 2) == [12.0, 15.0, 12.0]
