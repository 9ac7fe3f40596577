"""Making the pack: every kernel of the house with a signature, compiled ahead of time into one library.

    python tools/build_pack.py [FOLDER]          (make pack)

What is packed is enumerated, not recorded from runs (:mod:`centrode.every_kernel`). Each is compiled by Numba as a run
would compile it; the optimised code of that compilation is written once more as position-independent machine code,
with a second entry that takes its arguments from words in memory (:class:`centrode.jit.pack.Entry`), and all of it is
linked into one library. It needs the C library and its mathematics, nothing of Python, NumPy or Numba.

The same sources and the same versions give the same bytes. This is a place, beside :mod:`centrode.jit.compiling`
and the cache, that touches parts of Numba that are not public.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from centrode.every_kernel import every_kernel
from centrode.jit import types as kinds
from centrode.jit.kernel import Kernel
from centrode.jit.pack import FOLDER, LAYOUT, kernel_digest, kernel_name, result_format, word_format
from centrode.jit.processor import V3
from centrode.jit.untyped import Untyped

_LINK = "cc -shared -fPIC -O2 -nostartfiles -Wl,-z,defs,-z,now,--hash-style=gnu,--build-id=none,-s"
_HELPERS = """
void NRT_MemInfo_call_dtor(void *info) { (void)info; }  /* kernels own nothing that would have to be freed */
"""


class Packed(NamedTuple):
    """A kernel as it goes into the library."""

    name: str
    digest: str
    symbol: str
    code: bytes


def compile_kernel(kernel: Kernel) -> Packed:
    """Machine code of a kernel with a signature, position-independent."""
    import llvmlite.binding as llvm

    result = kernel.compiled.compiled_anew()
    digest = kernel_digest(kernel)
    symbol = f"k{digest[:24]}"
    entered = result.fndesc.llvm_func_name
    module = llvm.parse_bitcode(result.library._get_module_for_linking().as_bitcode())
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == entered else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    module.get_function(entered).name = symbol
    wrapper = llvm.parse_assembly(_wrapper(symbol, result, kernel.fixed_signature))
    wrapper.triple, wrapper.data_layout = module.triple, module.data_layout
    module.link_in(wrapper)
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=V3, features="", opt=3, reloc="pic", codemodel="small"
    )
    tidy = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, tidy)
    return Packed(kernel_name(kernel), digest, symbol, machine.emit_object(module))


@functools.cache
def _kernels() -> dict[str, Kernel]:
    return every_kernel()


def _wrapper(symbol: str, result: Untyped, signature: kinds.Signature) -> str:
    """The entry that takes arguments from words: ``int call_SYMBOL(result, words)``."""
    from numba.core.registry import cpu_target

    convention = cpu_target.target_context.call_conv
    function = convention.get_function_type(result.fndesc.restype, result.fndesc.argtypes)
    words = ["ptr" if kind.is_pointer else str(kind) for kind in function.args[2:]]
    if len(words) != len("".join(word_format(kind) for kind in signature.args)):
        raise RuntimeError(f"{result.fndesc.qualname}: Numba passes {words}, not one word for each of {signature.args}")
    result_format(signature.return_type)  # raises where Python could not read it
    loads = [
        f"  %at{i} = getelementptr i64, ptr %words, i64 {i}\n  %a{i} = load {word}, ptr %at{i}, align 8"
        for i, word in enumerate(words)
    ]
    given = ", ".join(["ptr %result", "ptr %error", *(f"{word} %a{i}" for i, word in enumerate(words))])
    return "\n".join(
        [
            f"declare i32 @{symbol}({', '.join(['ptr', 'ptr', *words])})",
            f"define i32 @call_{symbol}(ptr %result, ptr %words) {{",
            "  %error = alloca ptr",
            "  store ptr null, ptr %error",
            *loads,
            f"  %status = call i32 @{symbol}({given})",
            "  ret i32 %status",
            "}",
        ]
    )


def _compile_named(key: str) -> Packed:
    return compile_kernel(_kernels()[key])


def compile_all(workers: int) -> list[Packed]:
    """Machine code of every kernel, by several processes."""
    keys, done = list(_kernels()), []
    with ProcessPoolExecutor(workers) as pool:
        for number, item in enumerate(pool.map(_compile_named, keys), 1):
            sys.stderr.write(f"\r{number} of {len(keys)} kernels")
            done.append(item)
    sys.stderr.write("\n")
    return done


def write_pack(done: list[Packed], folder: Path) -> dict[str, Untyped]:
    """Link machine code into ``kernels.so`` and write ``kernels.json``; gives the index."""
    import llvmlite
    import numba
    import numpy as np

    with tempfile.TemporaryDirectory() as scratch:
        objects = []
        for number, item in enumerate(done):
            path = Path(scratch) / f"{number:04d}.o"
            path.write_bytes(item.code)
            objects.append(path.name)
        (Path(scratch) / "helpers.c").write_text(_HELPERS)
        subprocess.run([*_LINK.split(), "-o", "kernels.so", "helpers.c", *objects, "-lm"], cwd=scratch, check=True)
        library = (Path(scratch) / "kernels.so").read_bytes()
    kernels: dict[str, dict[str, str]] = {}
    for item in done:
        kernels.setdefault(item.name, {})[item.digest] = item.symbol
    index = {
        "layout": LAYOUT,
        "target": V3,
        "library": hashlib.sha256(library).hexdigest(),
        "made_with": {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "numpy": np.__version__},
        "kernels": kernels,
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("kernels.so", library), ("kernels.json", json.dumps(index, indent=0).encode())):
        (folder / f".{name}.tmp").write_bytes(content)
        os.replace(folder / f".{name}.tmp", folder / name)
    return index


def main() -> int:
    """Build the pack of this tree."""
    os.environ["CENTRODE_PACK"] = "off"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    index = write_pack(compile_all(os.cpu_count() or 1), folder)
    size = (folder / "kernels.so").stat().st_size
    sys.stdout.write(f"{sum(map(len, index['kernels'].values()))} kernels, {size / 1e6:.2f} MB: {folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
