"""The parts of Numba that are not public and that the compiler room, the cache and the builder of the pack touch.

One test for each: a new Numba that moves or changes one fails here, with the name of the part and of the file that has
to follow. What the parts are used for is tested in test_jit_cache.py, test_jit_pack.py and test_jit_lending.py.
"""

from __future__ import annotations

import inspect
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytestmark = pytest.mark.compiled

numba = pytest.importorskip("numba")

from numba.core import compiler  # noqa: E402
from numba.core.caching import _Cache  # noqa: E402
from numba.core.codegen import JITCodeLibrary  # noqa: E402
from numba.core.registry import CPUDispatcher, cpu_target  # noqa: E402
from numba.core.targetconfig import ConfigStack  # noqa: E402

from centrode.jit import kernel, step_kernel, types  # noqa: E402
from centrode.jit.compiling import kernels_left, to_numba  # noqa: E402


def moved(part: str, used_by: str) -> str:
    return f"Numba {numba.__version__}: {part} is not what it was; {used_by} builds on it"


def parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)


@kernel(signature=types.float64(types.floats2, types.int64))
def summed(table, n):
    total = 0.0
    for i in range(n):
        total += math.sin(table[i, 0])
    return total


@pytest.fixture(scope="module")
def result() -> Any:
    """All code of a kernel, also where a count of the kernels left has made it ask for a file, and found it."""
    for _ in range(2):
        kernels_left()
        summed.compiled.whole()
        summed.compiled.overloads.clear()
    return summed.compiled.compiled_anew()


def test_settings_of_the_kernels_are_taken() -> None:
    """Every option, private ones among them; a missing one makes kernels slow or different."""
    for options in (summed.targetoptions, {**summed.targetoptions, "_nrt": False}):
        made = numba.njit(**{k: v for k, v in options.items() if k != "nopython"})(lambda a: a[0])
        assert made(np.ones(2)) == 1.0, moved(f"the options {sorted(options)}", "jit/__init__.py")


def test_nrt_option_leaves_out_counting() -> None:
    @step_kernel(signature=types.float64(types.floats1))
    def first(values):
        return values[0]

    code = str(first.compiled.compiled_anew().library._get_module_for_linking())
    body = code.split("define", 2)[1].split("\n}", 1)[0]
    assert "NRT_incref" not in body and "NRT_decref" not in body, moved("the option _nrt", "jit.step_kernel")


def test_flags_of_the_compilation_under_way() -> None:
    assert ConfigStack.top_or_none() is None, moved("ConfigStack.top_or_none", "jit/compiling.py")
    seen, inner = [], numba.njit(lambda: 3)

    class Asked:
        @property
        def _numba_type_(self) -> Any:
            seen.append(bool(ConfigStack.top_or_none().nrt))
            return inner._type

    asked = Asked()
    for counting in (True, False):
        assert numba.njit(_nrt=counting)(lambda: asked())() == 3
    assert set(seen) == {True, False}, moved("the flag nrt, or the property _numba_type_", "jit/compiling.py")


@pytest.mark.parametrize(
    "name",
    ("_finalize_final_module", "_finalize_dynamic_globals", "_verify_declare_only_symbols", "_ensure_finalized",
     "get_pointer_to_function", "_get_module_for_linking", "has_dynamic_globals"),
)  # fmt: skip
def test_library_of_a_compilation(name: str) -> None:
    assert name in dir(JITCodeLibrary), moved(f"JITCodeLibrary.{name}", "jit/compiling.py or tools/build_pack.py")


def test_library_is_finished_in_the_order_that_code_to_inline_replaces() -> None:
    text = inspect.getsource(inspect.unwrap(JITCodeLibrary._finalize_final_module))
    said = moved("CodeLibrary._finalize_final_module", "jit/compiling.py (_CodeToInline)")
    assert text.index("_finalize_dynamic_globals") < text.index("_verify_declare_only_symbols"), said
    assert "self._finalized = True" in text, said
    assert parameters(JITCodeLibrary.__init__)[:3] == ["self", "codegen", "name"], said


def test_pipeline_takes_contexts_and_library() -> None:
    found = parameters(compiler.Compiler.__init__)[:4]
    assert found == ["self", "typingctx", "targetctx", "library"], moved("Compiler.__init__", "jit/compiling.py")
    assert "state" in inspect.getsource(compiler.CompilerBase.__init__), moved("Compiler.state", "jit/compiling.py")


def test_entry_of_nothing_can_be_made() -> None:
    from numba import _dynfunc

    environment = _dynfunc.Environment(globals())
    made = _dynfunc.make_function(sys.modules[__name__], "nobody", "", 0, environment, (object(),))
    assert callable(made), moved("_dynfunc.make_function", "jit/compiling.py (_entry_of_nothing)")


def test_dispatcher_has_what_kernels_change(result: Any) -> None:
    said = moved("the dispatcher", "jit/compiling.py")
    assert parameters(CPUDispatcher.__init__)[:5] == ["self", "py_func", "locals", "targetoptions", "pipeline_class"], (
        said
    )
    assert {"compile", "disable_compile"} <= set(dir(CPUDispatcher)), said
    made = CPUDispatcher(lambda x: x, targetoptions={"nopython": True})
    assert {"_cache", "_compiler", "_type", "overloads", "targetctx"} <= set(dir(made)), said
    assert made._compiler.py_func is made.py_func, said
    summed.compiled.whole()
    assert tuple(summed.compiled._signature.args) in summed.compiled.overloads, said


def test_cache_is_asked_as_ours_answers() -> None:
    said = moved("caching._Cache", "jit/cache.py")
    assert parameters(_Cache.load_overload) == ["self", "sig", "target_context"], said
    assert parameters(_Cache.save_overload) == ["self", "sig", "data"], said
    abstract = set(_Cache.__abstractmethods__)
    assert abstract == {"cache_path", "load_overload", "save_overload", "enable", "disable", "flush"}, said


def test_compiled_versions_come_apart_and_together(result: Any) -> None:
    said = moved("CompileResult._reduce", "jit/cache.py")
    (name, kind, content), description, *_ = result._replace(type_annotation="")._reduce()
    assert isinstance(name, str) and kind == "object", said
    machine_code, bitcode = content
    assert machine_code[:4] == b"\x7fELF" or sys.platform != "linux", said
    assert bitcode[:2] == b"BC", said
    assert description.llvm_func_name and description.llvm_cpython_wrapper_name, said
    assert parameters(compiler.CompileResult._rebuild)[0] == "target_context", said
    assert isinstance(result.library.codegen.magic_tuple(), tuple), moved("codegen.magic_tuple", "jit/cache.py")
    assert all(item.can_cache for item in result.lifted), said


def test_machine_code_is_called_with_result_error_and_words(result: Any) -> None:
    """What an entry of the pack and a call by address pass: where to write, where errors go, then a word each."""
    convention = cpu_target.target_context.call_conv
    function = convention.get_function_type(result.fndesc.restype, result.fndesc.argtypes)
    words = [str(item) for item in function.args]
    said = moved("the calling convention", "jit/calls.py, jit/pack.py and tools/build_pack.py")
    assert str(function.return_type) == "i32", said
    assert words[0] == "double*" and words[1].endswith("**"), said
    assert len(words) == 2 + 9 + 1 and words[-1] == "i64", said


def test_arrays_are_nine_words() -> None:
    """Reference counting (two), number and size of elements, address, shape, strides: what is lent and packed."""
    model = cpu_target.target_context.data_model_manager[to_numba(types.floats2)]
    names = ["meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides"]
    assert list(model._fields) == names, moved("the layout of arrays", "jit/lending.py, jit/pack.py and jit/entries.c")


class Pair(NamedTuple):
    one: float
    two: int


def test_records_of_tables_are_structures_in_their_order() -> None:
    kind = to_numba(types.NamedTuple((types.float64, types.int64), Pair))
    layout = str(cpu_target.target_context.get_value_type(kind))
    assert layout.replace(" ", "") == "{double,i64}", moved("the layout of named tuples", "jit/lending.py")


def test_instructions_are_templates() -> None:
    from numba.core.typing.templates import infer, make_intrinsic_template

    wanted = ["handle", "defn", "name", "prefer_literal", "kwargs"]
    said = moved("make_intrinsic_template", "jit/instruction.py")
    assert set(wanted) <= set(parameters(make_intrinsic_template)), said
    assert callable(infer), said


def test_notes_for_tracebacks_are_where_the_builder_looks(result: Any) -> None:
    """The builder of the pack empties them, so that its bytes do not follow the environment's place."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
    from build_pack import without_texts

    @step_kernel(signature=types.void(types.integers1))
    def powered(values):
        values[0] = values[1] ** values[2]

    code = str(powered.compiled.compiled_anew().library._get_module_for_linking())
    said = moved("the notes of exceptions (.const.picklebuf)", "tools/build_pack.py (without_texts)")
    notes = re.findall(r"^@\.const\.picklebuf\.\S+ = .*$", code, re.MULTILINE)
    assert notes, said
    left = re.findall(r"^@\.const\.picklebuf\.\S+ = .*$", without_texts(code), re.MULTILINE)
    assert len(left) == len(notes) and all(line.endswith("zeroinitializer") for line in left), said


FIRST = {"ours": "", "somebody else's": "import numba\n"}


@pytest.mark.parametrize("whose", FIRST)
def test_processor_is_chosen_whoever_imports_numba_first(whose: str) -> None:
    """Digits must not depend on an import that a script makes before ours."""
    from centrode.jit.processor import target

    if not target():
        pytest.skip("code is made for this very machine here")
    script = FIRST[whose] + (
        "from centrode.jit.compiling import numba\nfrom numba.core.registry import cpu_target\n"
        "print(cpu_target.target_context.codegen().magic_tuple()[1:], numba.config.USING_SVML)"
    )
    known = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run([sys.executable, "-c", script], env=known, capture_output=True, text=True, check=False)
    said = moved("config.CPU_NAME, or when the target is made", "jit/processor.py")
    assert done.stdout.strip() == f"({target()!r}, '') False", said + done.stderr
