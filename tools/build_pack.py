"""Making the pack: every kernel of the house with a signature, compiled ahead of time into one library.

    python tools/build_pack.py [--workers N] [FOLDER]          (make pack)

What is packed is enumerated, not recorded from runs (:mod:`centrode.every_kernel`). Each is compiled by Numba as a run
would compile it; the optimised code of that compilation is written once more as position-independent machine code,
with a second entry that takes its arguments from words in memory (:class:`centrode.jit.pack.Entry`), and all of it is
linked into one library. It needs the C library and its mathematics, nothing of Python, NumPy or Numba.

Machine code is kept beside the kernels that runs compile (:func:`centrode.jit.place.cache_root`), by the digest of all
that it follows from, so after an edit the kernels that changed are compiled and the library is linked again. The same
sources and the same versions give the same bytes, whatever was kept, however many processes compile and wherever the
environment stands. This is a place, beside :mod:`centrode.jit.compiling` and the cache, that touches parts of Numba
that are not public; ``tests/unit/test_jit_numba.py`` names each.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import inspect
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from centrode.every_kernel import every_kernel
from centrode.jit import types as kinds
from centrode.jit.digest import code_digest
from centrode.jit.kernel import Kernel
from centrode.jit.pack import FOLDER, LAYOUT, kernel_digest, kernel_name, result_format, symbol_of, word_format
from centrode.jit.place import cache_root
from centrode.jit.processor import V3, target
from centrode.jit.untyped import Untyped

_LINK = "cc -shared -fPIC -O2 -nostartfiles -Wl,-z,defs,-z,now,--hash-style=gnu,--build-id=none,-s"
_HELPERS = """
void NRT_MemInfo_call_dtor(void *info) { (void)info; }  /* kernels own nothing that would have to be freed */
"""


_TWICE = ("exp", "exp2", "fmod", "hypot", "log", "log2", "pow")
"""Functions that the C library has twice, the second since 2.29 or later; the first also tells of errors in a way of
long ago. Both give the same bits and take the same time, and with the first the pack loads where the second is not yet
known."""
_FIRST = (2, 2, 5)
"""Version of the C library that was the first for x86-64."""
_EXTENSION = "cc -shared -fPIC -O2 -Wall -Werror -Wl,-z,now,--hash-style=gnu,--build-id=none,-s"


class Packed(NamedTuple):
    """A kernel as it goes into the library."""

    name: str
    digest: str
    code: bytes


def compile_kernel(kernel: Kernel) -> bytes:
    """Machine code of a kernel with a signature, position-independent."""
    import llvmlite.binding as llvm

    result = kernel.compiled.compiled_anew()
    symbol = symbol_of(kernel_digest(kernel))
    entered = result.fndesc.llvm_func_name
    module = llvm.parse_bitcode(result.library._get_module_for_linking().as_bitcode())
    module = llvm.parse_assembly(without_texts(str(module)))
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
    return bytes(machine.emit_object(module))


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


def kept_or_compiled(kernel: Kernel, kept: Path) -> Packed:
    """Machine code of a kernel: of an earlier build where it is the same, compiled and kept otherwise.

    Raises:
        RuntimeError: the kernel cannot be packed; with its name.
    """
    name, digest = kernel_name(kernel), kernel_digest(kernel)
    key = "\n".join((_made_from(), digest, code_digest(kernel.py_func, kernel.targetoptions)))
    path = kept / hashlib.blake2b(key.encode(), digest_size=16).hexdigest()
    try:
        content = path.read_bytes()
        if hashlib.sha256(content[32:]).digest() == content[:32]:
            return Packed(name, digest, content[32:])
    except OSError:
        pass
    try:
        code = compile_kernel(kernel)
    except Exception as error:
        raise RuntimeError(f"{name} cannot be packed: {error}") from error
    kept.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=kept, prefix=".", suffix=".tmp")
    with os.fdopen(handle, "wb") as file:
        file.write(hashlib.sha256(code).digest() + code)
    os.replace(temporary, path)
    return Packed(name, digest, code)


@functools.cache
def _made_from() -> str:
    """All that machine code follows from besides the kernel: versions, and what is done here and when compiling."""
    from centrode.jit import calls, compiling, lending

    here, inlining = (
        (compile_kernel, _wrapper, without_texts),
        (compiling._CodeToInline, compiling.InlinedKernel, compiling.to_numba),
    )
    instructions = (calls.call_by_address, lending.borrower, lending.field_borrower)
    texts = [inspect.getsource(item) for item in (*here, *inlining, *instructions)]
    return "\n".join([LAYOUT, V3, platform.python_version(), repr(made_with()), *texts])


def made_with() -> dict[str, str]:
    """Versions of what writes the machine code."""
    import llvmlite
    import numba
    import numpy as np

    versions = {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "numpy": np.__version__}
    return {"python": platform.python_version(), **versions}


def _packed(key: str) -> Packed:
    return kept_or_compiled(_kernels()[key], kept_objects())


def kept_objects() -> Path:
    """Folder of machine code of earlier builds."""
    return cache_root() / "objects"


def compile_all(keys: list[str], workers: int, make: Callable[[str], Packed] = _packed) -> list[Packed]:
    """Machine code of kernels, by several processes."""
    done: list[Packed] = []
    with ProcessPoolExecutor(workers) as pool:
        for number, item in enumerate(pool.map(make, keys), 1):
            sys.stderr.write(f"\r{number} of {len(keys)} kernels: {item.name:.90}\033[K")
            done.append(item)
    sys.stderr.write("\n")
    return done


_TRACEBACK = re.compile(r"^(@\.const\.picklebuf\.[\w.]+ = .*?constant \{[^{}]*\}) \{[^{}]*\}", re.MULTILINE)


def without_texts(code: str) -> str:
    """LLVM code without what Numba notes for tracebacks: exceptions with the folder of Numba itself.

    A kernel that fails passes the address of such a note on, and nobody reads it. With the notes the bytes of the
    library would depend on where the environment of its maker stands, down to the length of the path.
    """
    return _TRACEBACK.sub(r"\1 zeroinitializer", code)


def name_folders(library: bytes) -> list[str]:
    """Folders of the machine that are named in a library; there must be none."""
    here = {str(Path(item).resolve()).encode() for item in (sys.prefix, sys.base_prefix, Path(__file__).parents[1])}
    found = {item[0] for item in re.finditer(rb"/[\w./+-]*/(site-packages|centrode)/[\w./+-]*", library)}
    return sorted(item.decode() for item in found | {item for item in here if item in library})


def newest_version(library: bytes) -> tuple[int, ...]:
    """The newest version of the C library that a library asks for."""
    found = re.findall(rb"GLIBC_([0-9.]+)", library)
    return max((tuple(map(int, item.split(b"."))) for item in found), default=())


def write_pack(done: list[Packed], folder: Path) -> dict[str, Untyped]:
    """Link machine code into ``kernels.bin`` and write ``kernels.json``; gives the index."""
    with tempfile.TemporaryDirectory() as scratch:
        objects = []
        for number, item in enumerate(done):
            path = Path(scratch) / f"{number:04d}.o"
            path.write_bytes(item.code)
            objects.append(path.name)
        (Path(scratch) / "helpers.c").write_text(_HELPERS)
        names = {symbol_of(item.digest): item.name for item in done}
        first = [f"--redefine-sym={name}={name}@GLIBC_{'.'.join(map(str, _FIRST))}" for name in _TWICE]
        for command in (
            ["cc", "-r", "-nostdlib", "-o", "all.o", *objects],
            ["objcopy", *first, "all.o"],
            [*_LINK.split(), "-o", "kernels.bin", "helpers.c", "all.o", "-lm"],
        ):
            linked = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
            if linked.returncode != 0:
                said = re.sub(r"k[0-9a-f]{24}", lambda found: names.get(found[0], found[0]), linked.stderr)
                raise RuntimeError(f"kernels need what the C library does not have:\n{said}")
        library = (Path(scratch) / "kernels.bin").read_bytes()
        entries = _extension(Path(scratch))
    if name_folders(library + entries):
        raise RuntimeError(f"the pack would name folders of this machine: {name_folders(library + entries)}")
    if newest_version(library + entries) > _FIRST:
        wanted = ".".join(map(str, newest_version(library + entries)))
        raise RuntimeError(f"the pack would want version {wanted} of the C library: which function has it, for _TWICE?")
    kernels: dict[str, list[str]] = {}
    for item in done:
        kernels.setdefault(item.name, []).append(item.digest)
    index = {
        "layout": LAYOUT,
        "target": V3,
        "library": hashlib.sha256(library).hexdigest(),
        "entries": hashlib.sha256(entries).hexdigest(),
        "made_with": made_with(),
        "kernels": kernels,
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(index, indent=0).encode()
    for name, content in (("kernels.bin", library), ("entries.bin", entries), ("kernels.json", text)):
        (folder / f".{name}.tmp").write_bytes(content)
        os.replace(folder / f".{name}.tmp", folder / name)
    return index


def _extension(scratch: Path) -> bytes:
    """The extension module that calls kernels; its source is compiled under a name without a folder."""
    (scratch / "entries.c").write_bytes((FOLDER / "entries.c").read_bytes())
    headers = sysconfig.get_path("include")
    command = [*_EXTENSION.split(), f"-I{headers}", "-o", "entries.bin", "entries.c"]
    made = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise RuntimeError(f"entries.c cannot be compiled (Python's headers: {headers}):\n{made.stderr}")
    return (scratch / "entries.bin").read_bytes()


def refuse_machine() -> None:
    """Refuse what would only fail when all kernels are compiled, after minutes.

    Raises:
        RuntimeError: this machine is none that packs are made for, or it lacks a program or Python's headers.
    """
    if target() != V3:
        raise RuntimeError(f"packs are made on {V3} with Linux and glibc; elsewhere: centrode warm")
    lacking = [name for name in ("cc", "objcopy") if shutil.which(name) is None]
    if lacking:
        raise RuntimeError(f"{' and '.join(lacking)} not found: a C compiler and its tools link the kernels")
    with tempfile.TemporaryDirectory() as scratch:
        _extension(Path(scratch))


def main() -> int:
    """Build the pack of this tree."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = options.parse_args()
    try:
        refuse_machine()
        index = write_pack(compile_all(list(_kernels()), given.workers), given.folder)
    except RuntimeError as error:
        sys.stderr.write(f"make pack: {error}\n")
        return 2
    size = (given.folder / "kernels.bin").stat().st_size
    sys.stdout.write(f"{sum(map(len, index['kernels'].values()))} kernels, {size / 1e6:.2f} MB: {given.folder}\n")
    return 0


if __name__ == "__main__":
    os.environ["CENTRODE_PACK"] = "off"
    sys.exit(main())
