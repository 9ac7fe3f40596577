"""The pack: packed kernels give what compiled ones give, and nothing that is stale, damaged or foreign is loaded."""

from __future__ import annotations

import enum
import hashlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from centrode.jit import Kernel, kernel, pack, step_kernel, types
from centrode.jit.processor import V3, target

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

ROW = np.dtype([("count", "i8"), ("size", "f8", (3,))], align=True)


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Answer(NamedTuple):
    value: float
    colour: Colour
    pair: tuple[float, float]


@step_kernel
def doubled(x: Any) -> Any:
    return 2.0 * x


@step_kernel(signature=types.float64(types.float64, types.int64, types.boolean))
def numbers(x, n, flag):
    return doubled(x) + n if flag else math.nan


@kernel(signature=types.boolean(types.floats2, types.integers1, types.rows(ROW)))
def tables(matrix, order, rows):
    for i in range(matrix.shape[0]):
        for k in range(matrix.shape[1]):
            matrix[i, k] = 10.0 * i + k + order[k]
    rows[1].size[2] = matrix[1, 2] + rows[0].count
    return matrix.shape[1] == order.size


ANSWER = types.NamedTuple((types.float64, types.Member(Colour), types.UniTuple(types.float64, 2)), Answer)


@step_kernel(signature=ANSWER(types.from_dtype(ROW), ANSWER, types.complex128))
def mixed(row, given, z):
    colour = Colour.RED if given.colour == Colour.BLUE else Colour.BLUE
    return Answer(row.size[1] * given.value, colour, (z.real, z.imag + given.pair[1]))


@step_kernel(signature=types.void(types.floats1))
def nothing(values):
    values[0] = math.sin(values[0]) * math.exp(values[1])


class Pair(NamedTuple):
    one: float
    two: float


PAIR = types.NamedTuple((types.float64, types.float64), Pair)


@step_kernel(signature=PAIR(PAIR))
def swapped(pair):
    return Pair(pair.two, pair.one)


FILES = ("kernels.bin", "kernels.json", "entries.bin")
KERNELS = (numbers, tables, mixed, nothing, swapped)
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(target() != V3, reason="packs are made for x86-64-v3 on Linux"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(KERNELS, tmp_path_factory.mktemp("pack"), tmp_path_factory.mktemp("kept"))


def built(kernels: Iterable[Kernel], where: Path, kept: Path) -> Path:
    """A pack of these kernels, each made anew: what this process has compiled of them before does not count."""
    from build_pack import kept_or_compiled, write_pack

    anew = [Kernel(k.py_func, k.targetoptions, k.fixed_signature) for k in kernels]
    write_pack([kept_or_compiled(k, kept) for k in anew], where)
    return where


def made(key: str) -> Any:
    from build_pack import kept_or_compiled

    where, name = key.split()
    found = next(k for k in KERNELS if k.py_func.__name__ == name)
    return kept_or_compiled(Kernel(found.py_func, found.targetoptions, found.fixed_signature), Path(where))


@pytest.fixture(params=["extension", "ctypes"])
def entries(folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Kernels as Python calls them: by the extension module, and where it cannot be loaded."""
    opened = pack.opened(folder)
    assert opened is not None and opened.entries is not None
    chosen = opened if request.param == "extension" else opened._replace(entries=None)
    monkeypatch.setattr(pack, "opened", lambda: chosen)
    found = {k.py_func.__name__: pack.packed_entry(k) for k in KERNELS}
    kind = opened.entries.Entry if request.param == "extension" else pack.Entry
    assert all(isinstance(item, kind) for item in found.values())
    return found


def test_numbers_go_in_and_come_out(entries: dict[str, Any]) -> None:
    assert entries["numbers"](1.5, 4, True) == 7.0
    assert entries["numbers"](1, np.int64(4), np.bool_(True)) == 6.0, "whole numbers are taken for floats"
    assert math.isnan(entries["numbers"](1.0, 0, False))


def test_arrays_and_rows_are_written_in_place(entries: dict[str, Any]) -> None:
    matrix, order, rows = np.zeros((2, 3)), np.array([1, 2, 3]), np.zeros(2, ROW)
    rows["count"] = 5, 6
    assert entries["tables"](matrix, order, rows) is True
    assert matrix.tolist() == [[1.0, 3.0, 5.0], [11.0, 13.0, 15.0]]
    assert rows[1]["size"].tolist() == [0.0, 0.0, 20.0]
    assert entries["tables"](matrix, order[:2].copy(), rows) is False


def test_records_tuples_members_and_complex_numbers(entries: dict[str, Any]) -> None:
    row = np.zeros(1, np.dtype((np.record, ROW)))[0]
    row["size"][1] = 3.0
    found = entries["mixed"](row, Answer(2.0, Colour.BLUE, (0.0, 10.0)), 1.0 + 2.0j)
    assert found == Answer(6.0, Colour.RED, (1.0, 12.0))
    assert isinstance(found, Answer)
    assert isinstance(found.colour, Colour)


def test_named_tuples_of_one_type_are_taken_packed_and_compiled(entries: dict[str, Any]) -> None:
    assert entries["swapped"](Pair(1.0, 2.0)) == swapped.compiled.entry()(Pair(1.0, 2.0)) == Pair(2.0, 1.0)


def test_a_named_tuple_is_declared_with_all_its_fields() -> None:
    with pytest.raises(TypeError, match="Pair has the fields"):
        types.NamedTuple((types.float64,), Pair)


def test_packed_and_compiled_code_agree_to_the_last_bit(entries: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        packed = rng.normal(size=2) * 10.0 ** rng.integers(-3, 3)
        compiled = packed.copy()
        entries["nothing"](packed)
        nothing.compiled.entry()(compiled)
        assert packed.tobytes() == compiled.tobytes()


WRONG = {
    "too few": (1.0, 2),
    "too many": (1.0, 2, True, 3.0),
    "nothing": (),
    "beyond a word": (1.0, 2**64, True),
    "a text": ("1", 2, True),
    "a fraction for a whole number": (1.0, 2.5, True),
    "an array": (np.zeros(1), 2, True),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_are_refused_with_what_is_expected(entries: dict[str, Any], case: str) -> None:
    with pytest.raises(TypeError, match=r"numbers takes \(float64, int64, boolean\)"):
        entries["numbers"](*WRONG[case])


def arrays(case: str) -> np.ndarray:
    if case == "read only":
        fixed = np.zeros(2)
        fixed.flags.writeable = False
        return fixed
    return {"strided": np.zeros(4)[::2], "integers": np.zeros(2, np.int64), "a matrix": np.zeros((1, 2))}[case]


@pytest.mark.parametrize("case", ["read only", "strided", "integers", "a matrix"])
def test_arrays_that_the_code_is_not_made_for_are_refused(entries: dict[str, Any], case: str) -> None:
    with pytest.raises(TypeError, match="an array of another type, shape or order"):
        entries["nothing"](arrays(case))


def copy_of(folder: Path, where: Path) -> Path:
    for name in FILES:
        (where / name).write_bytes((folder / name).read_bytes())
    return where


def test_a_whole_copy_is_opened_and_a_damaged_one_is_not(folder: Path, tmp_path: Path) -> None:
    assert pack.opened(copy_of(folder, tmp_path)) is not None
    pack.opened.cache_clear()
    library = bytearray((tmp_path / "kernels.bin").read_bytes())
    library[len(library) // 2] ^= 1
    (tmp_path / "kernels.bin").write_bytes(library)
    assert pack.opened(tmp_path) is None


WRONG_TUPLES = {
    "a short tuple": (np.zeros(1, ROW)[0], (1.0, 2), 1j),
    "a number for a tuple": (np.zeros(1, ROW)[0], 1.0, 1j),
    "a short tuple inside": (np.zeros(1, ROW)[0], (1.0, 2, (1.0,)), 1j),
    "another record": (np.zeros(1, [("count", "i8")])[0], (1.0, 2, (1.0, 2.0)), 1j),
    "an array for a record": (np.zeros(1), (1.0, 2, (1.0, 2.0)), 1j),
    "no complex number": (np.zeros(1, ROW)[0], (1.0, 2, (1.0, 2.0)), "1j"),
}


@pytest.mark.parametrize("case", WRONG_TUPLES)
def test_wrong_records_and_tuples_are_refused(entries: dict[str, Any], case: str) -> None:
    with pytest.raises(TypeError, match="mixed takes"):
        entries["mixed"](*WRONG_TUPLES[case])


def test_empty_arrays_are_taken_and_references_given_back(entries: dict[str, Any]) -> None:
    matrix, order, rows = np.zeros((0, 3)), np.zeros(2, np.int64), np.zeros(2, ROW)
    held = [sys.getrefcount(item) for item in (matrix, order, rows)]
    for _ in range(100):
        with pytest.raises(TypeError):
            entries["tables"](matrix, order)
        with pytest.raises(TypeError):
            entries["nothing"](matrix)
    assert [sys.getrefcount(item) for item in (matrix, order, rows)] == held


@pytest.mark.parametrize("damage", ["changed", "cut short", "gone", "no library", "of an older pack"])
def test_without_its_extension_a_pack_is_called_by_ctypes(folder: Path, tmp_path: Path, damage: str) -> None:
    path = copy_of(folder, tmp_path) / "entries.bin"
    content, index = path.read_bytes(), json.loads((tmp_path / "kernels.json").read_text())
    if damage == "gone":
        path.unlink()
    elif damage == "no library":  # its digest is right, and Python refuses to load it
        path.write_bytes(b"no library")
        index["entries"] = hashlib.sha256(b"no library").hexdigest()
    elif damage == "of an older pack":
        del index["entries"]
    else:
        path.write_bytes(content[:-1] + b"!" if damage == "changed" else content[:-5])
    (tmp_path / "kernels.json").write_text(json.dumps(index))
    found = pack.opened(tmp_path)
    assert found is not None and found.entries is None


def test_a_pack_is_opened_from_a_folder_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    (copy_of(folder, tmp_path)).chmod(0o555)
    for name in FILES:
        (tmp_path / name).chmod(0o444)
    try:
        assert pack.opened(tmp_path) is not None
    finally:
        tmp_path.chmod(0o755)


INDEX_FAULTS: dict[str, Any] = {
    "another processor": {"target": "x86-64-v9"},
    "another layout": {"layout": "words 0"},
    "no digest": {"library": ""},
    "kernels of another form": {"library": 5},
    "kernels in a row": {"kernels": ["numbers"]},
    "a number for digests": {"kernels": {"numbers": 7}},
}


@pytest.mark.parametrize("case", INDEX_FAULTS)
def test_a_pack_of_another_kind_is_not_opened(folder: Path, tmp_path: Path, case: str) -> None:
    index = json.loads((copy_of(folder, tmp_path) / "kernels.json").read_text())
    (tmp_path / "kernels.json").write_text(json.dumps({**index, **INDEX_FAULTS[case]}))
    assert pack.opened(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null"])
def test_an_index_that_cannot_be_read_is_as_good_as_none(folder: Path, tmp_path: Path, text: str) -> None:
    (copy_of(folder, tmp_path) / "kernels.json").write_text(text)
    assert pack.opened(tmp_path) is None
    (tmp_path / "kernels.json").unlink()
    pack.opened.cache_clear()
    assert pack.opened(tmp_path) is None


def test_an_index_that_says_more_than_there_is_leaves_that_kernel_to_be_compiled(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two indices that somebody has merged by hand: the digest is the one of the text, and no code goes with it."""

    @step_kernel(signature=types.float64(types.float64))
    def later(x):
        return x + 1.0

    index = json.loads((copy_of(folder, tmp_path) / "kernels.json").read_text())
    index["kernels"][pack.kernel_name(later)] = [pack.kernel_digest(later)]
    (tmp_path / "kernels.json").write_text(json.dumps(index))
    found = pack.opened(tmp_path)
    monkeypatch.setattr(pack, "opened", lambda: found)
    assert found is not None and pack.packed_address(numbers) != 0
    assert (pack.packed_address(later), pack.packed_entry(later)) == (0, None)


REFUSALS = {
    "whole": "",
    "off": "CENTRODE_PACK=off leaves them alone",
    "damaged": "their files are damaged or missing",
    "gone": "their files are damaged or missing",
    "of another layout": "their files are damaged or missing",
    "for others": "they are for x86-64-v9",
    "for other systems": "they cannot be loaded: ",
}


@pytest.mark.parametrize("case", REFUSALS)
def test_it_is_said_why_a_pack_is_not_opened(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    copy_of(folder, tmp_path)
    index, no_library = json.loads((tmp_path / "kernels.json").read_text()), b"an older C library would refuse this"
    index |= {
        "of another layout": {"layout": "words 0"},
        "for others": {"target": "x86-64-v9"},
        "for other systems": {"library": hashlib.sha256(no_library).hexdigest()},
    }.get(case, {})
    (tmp_path / "kernels.json").write_text(json.dumps(index))
    if case in ("damaged", "for other systems"):
        (tmp_path / "kernels.bin").write_bytes(no_library)
    if case == "gone":
        (tmp_path / "kernels.bin").unlink()
    if case == "off":
        monkeypatch.setenv("CENTRODE_PACK", "off")
    said = pack.refusal(tmp_path)
    assert said.startswith(REFUSALS[case]) and bool(said) == bool(REFUSALS[case])


def test_the_first_version_of_the_c_library_is_enough(folder: Path) -> None:
    """``nothing`` takes an exponential, of which there are two; the newer one would be wanted from 2.29 on."""
    from build_pack import newest_version

    library = (folder / "kernels.bin").read_bytes()
    assert b"exp" in library and newest_version(library) == (2, 2, 5)
    assert newest_version(b"\0GLIBC_2.2.5\0GLIBC_2.29\0GLIBC_2.4\0") == (2, 29)
    assert newest_version((folder / "entries.bin").read_bytes()) <= (2, 2, 5)


def test_both_versions_of_a_function_give_the_same_bits() -> None:
    """The pack takes the first ones, what is compiled here the newest."""
    import ctypes

    from build_pack import _TWICE

    rng = np.random.default_rng(1)
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324, 1.0, -1.0, 710.0, -746.0, 0.5, 3.0]
    some = np.concatenate([rng.normal(size=2000) * 10.0 ** rng.uniform(-12, 3, 2000), special])
    others = np.concatenate([rng.normal(size=2000) * 10.0 ** rng.uniform(-12, 3, 2000), rng.permutation(special)])
    process, library = ctypes.CDLL(None), ctypes.CDLL("libm.so.6")
    process.dlvsym.restype, process.dlvsym.argtypes = (
        ctypes.c_void_p,
        (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p),
    )
    for name in _TWICE:
        count = 2 if name in ("fmod", "hypot", "pow") else 1
        kind = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * count)
        first = kind(process.dlvsym(library._handle, name.encode(), b"GLIBC_2.2.5"))
        newest = kind(ctypes.cast(library[name], ctypes.c_void_p).value)
        answers = [
            np.array([call(*pair[:count]) for pair in zip(some, others, strict=True)]) for call in (first, newest)
        ]
        finite = ~np.isnan(answers[0])  # what is not a number may have another sign
        assert np.array_equal(finite, ~np.isnan(answers[1])), name
        assert answers[0][finite].tobytes() == answers[1][finite].tobytes(), name


def test_the_pack_can_be_left_alone(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CENTRODE_PACK", "off")
    assert pack.opened(copy_of(folder, tmp_path)) is None


def test_an_edited_function_is_not_taken_from_the_pack(entries: dict[str, Any], tmp_path: Path) -> None:
    """The same name and signature, another helper: its digest is not in the index."""

    @step_kernel(signature=numbers.fixed_signature)
    def other(x, n, flag):
        return doubled(x) - n if flag else math.nan

    other.py_func.__module__, other.py_func.__qualname__ = numbers.py_func.__module__, "numbers"
    assert pack.kernel_name(other) == pack.kernel_name(numbers)
    assert pack.packed_entry(other) is None
    assert pack.packed_address(other) == 0
    assert pack.packed_address(numbers) != 0


def test_the_same_sources_give_the_same_bytes_whatever_was_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import build_pack

    compiled: list[str] = []
    compile_kernel = build_pack.compile_kernel
    monkeypatch.setattr(
        build_pack, "compile_kernel", lambda k: (compiled.append(k.py_func.__name__), compile_kernel(k))[1]
    )
    kept = tmp_path / "kept"
    for number, expected in enumerate(([k.py_func.__name__ for k in KERNELS], [])):
        where = built(KERNELS, tmp_path / str(number), kept)
        assert compiled == expected, "all at first, none the second time"
        compiled.clear()
        assert all((where / name).read_bytes() == (folder / name).read_bytes() for name in FILES)

    file = sorted(kept.iterdir())[0]  # one that is damaged is made anew
    file.write_bytes(file.read_bytes()[:-1])
    where = built(KERNELS, tmp_path / "mended", kept)
    assert len(compiled) == 1
    assert all((where / name).read_bytes() == (folder / name).read_bytes() for name in FILES)
    compiled.clear()

    @step_kernel(signature=types.void(types.floats1))
    def nothing(values):  # as above, with an edit
        values[0] = math.cos(values[0])

    other = built((*KERNELS[:3], nothing, *KERNELS[4:]), tmp_path / "edited", kept)
    assert compiled == ["nothing"]
    assert (other / "kernels.bin").read_bytes() != (folder / "kernels.bin").read_bytes()


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_sources_give_the_same_bytes_however_many_compile(folder: Path, tmp_path: Path, workers: int) -> None:
    from build_pack import compile_all, write_pack

    keys = [f"{tmp_path} {k.py_func.__name__}" for k in KERNELS]
    write_pack(compile_all(keys, workers, made), tmp_path / "pack")
    assert all((tmp_path / "pack" / name).read_bytes() == (folder / name).read_bytes() for name in FILES)


@step_kernel(signature=types.void(types.integers1, types.float64))
def noted(values, x):
    """Numba notes where its own code could raise: whole powers do."""
    values[0] = values[1] ** values[2]
    values[3] = round(x, values[2])


ELSEWHERE = """
import sys, hashlib
sys.path[:0] = [{tests!r}, {tools!r}]
from pathlib import Path
from test_jit_pack import built, noted
import numba
print(numba.__file__)
where = Path({where!r})
print(hashlib.sha256((built([noted], where, where / "kept") / "kernels.bin").read_bytes()).hexdigest())
"""


def test_the_bytes_do_not_depend_on_where_the_environment_stands(tmp_path: Path) -> None:
    import numba
    from build_pack import name_folders, without_texts

    code = str(noted.compiled.compiled_anew().library._get_module_for_linking())
    folder = str(Path(numba.__file__).parent)
    assert folder in code, "no note of Numba's in this kernel: take another"
    assert "zeroinitializer" in without_texts(code)
    own = Path(__file__)
    tests, tools = str(own.parent), str(own.parents[2] / "tools")
    answers = []
    for name in ("here", "a much longer way to the same environment"):
        where = tmp_path / name / "site-packages"
        where.mkdir(parents=True)
        (where / "numba").symlink_to(folder)
        script = ELSEWHERE.format(tests=tests, tools=tools, where=str(tmp_path / name))
        path = os.pathsep.join([str(where), os.environ.get("PYTHONPATH", "")])
        known = {**os.environ, "PYTHONPATH": path, "CENTRODE_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, "-c", script], env=known, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answers.append(done.stdout.split("\n"))
        assert answers[-1][0].startswith(str(where))
    assert answers[0][1] == answers[1][1]
    assert name_folders(b"x/opt/env/lib/site-packages/numba/y.py\0") == ["/opt/env/lib/site-packages/numba/y.py"]
    assert name_folders(b"libm.so.6 /lib64/ld-linux") == []


MACHINES = {
    "no compiler": ("PATH", "cc and objcopy not found"),
    "no headers": ("headers", "Python.h"),
    "another processor": ("target", "packs are made on x86-64-v3"),
}


@pytest.mark.parametrize("case", MACHINES)
def test_what_a_machine_lacks_is_said_before_kernels_are_compiled(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After ten minutes of compiling there was a traceback."""
    import build_pack

    lacks, said = MACHINES[case]
    if lacks == "PATH":
        monkeypatch.setenv("PATH", str(tmp_path))
    elif lacks == "headers":
        monkeypatch.setattr(build_pack.sysconfig, "get_path", lambda name: str(tmp_path))
    else:
        monkeypatch.setattr(build_pack, "target", lambda: "")
    monkeypatch.setattr(sys, "argv", ["build_pack.py", str(tmp_path / "pack")])
    monkeypatch.setattr(build_pack, "compile_all", lambda *given: pytest.fail("compiled before it looked"))
    assert build_pack.main() == 2
    errors = capsys.readouterr().err
    assert errors.startswith("make pack: ") and said in errors
    assert not (tmp_path / "pack").exists()


def test_a_kernel_that_needs_more_than_c_is_named(tmp_path: Path) -> None:
    @step_kernel(signature=types.void(types.floats2))
    def flattened(table):
        table.reshape(table.size)[0] = 1.0

    with pytest.raises(RuntimeError, match=r"(?s)flattened.*numba_attempt_nocopy_reshape"):
        built([flattened], tmp_path, tmp_path)
