"""Machine code on disk: one file for one kernel and one set of argument types, named after what is in it.

A file is called after the digest of its kernel (:mod:`centrode.jit.digest`), the types and the processor, so processes
that compile at the same time write the same thing under the same name, and none can read another's code for its own.
Files are replaced whole. Each carries a digest of its bytes; one that is damaged, cut short or of another layout is
compiled anew and replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
from llvmlite import binding as llvm
from numba.core import compiler, serialize, sigutils
from numba.core.caching import _Cache

from centrode.compilations import announce
from centrode.jit.place import cache_root
from centrode.jit.untyped import Untyped

_LAYOUT = b"centrode kernel 1\n"
_VERSIONS = f"names by digest numba {numba.__version__} numpy {np.__version__} python {sys.version_info[:3]}"
"""Part of every name: other versions write other machine code."""


class KernelCache(_Cache):  # type: ignore[misc]
    """What Numba's dispatcher asks for compiled versions of one function.

    Args:
        name: module and name of the function, for people who look into the folder. A pickled version names the
            module, so the same file loaded under two names has two.
        digest: of the function.
        left: counts the kernels without machine code, for those who are told of a compilation.
    """

    def __init__(self, name: str, digest: str, left: Callable[[], int] = lambda: 0) -> None:
        self._name, self._digest, self._left = name, digest, left

    @property
    def cache_path(self) -> str:
        """Folder of this function."""
        return str(cache_root() / self._name)

    def _file(self, signature: Untyped, codegen: Untyped) -> Path:
        types, _ = sigutils.normalize_signature(signature)
        key = repr((_VERSIONS, self._digest, [_type_text(item) for item in types], codegen.magic_tuple()))
        return Path(self.cache_path) / hashlib.blake2b(key.encode(), digest_size=16).hexdigest()

    def load_overload(self, signature: Untyped, target_context: Untyped) -> Untyped:
        """Compiled version for these types; None when there is none that can be used."""
        found = self._load(signature, target_context)
        if found is None:
            announce(self._name, self._left)
        return found

    def holds(self, signature: Untyped, codegen: Untyped) -> bool:
        """Whether there is a file for these types."""
        return self._file(signature, codegen).is_file()

    def _load(self, signature: Untyped, target_context: Untyped) -> Untyped:
        target_context.refresh()
        try:
            content = self._file(signature, target_context.codegen()).read_bytes()
        except OSError:
            return None
        head, body = content[: len(_sealed(b""))], memoryview(content)[len(_sealed(b"")) :]
        if head != _sealed(body):
            return None
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(body))

    def save_overload(self, signature: Untyped, data: Untyped) -> None:
        """Keep a compiled version; a folder that cannot be written is no reason to stop."""
        if any(not item.can_cache for item in data.lifted) or data.library.has_dynamic_globals:
            return
        body = serialize.dumps(_without_bitcode(data._replace(type_annotation="")._reduce(), data.fndesc))
        path = self._file(signature, data.library.codegen)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_sealed(body) + body)
                os.replace(temporary, path)
            except OSError:
                os.unlink(temporary)
                raise

    def enable(self) -> None:
        """Always on."""

    def disable(self) -> None:
        """Always on."""

    def flush(self) -> None:
        """Nothing is held back."""


def _sealed(body: bytes | memoryview) -> bytes:
    """What stands before the body of a file."""
    return _LAYOUT + hashlib.sha256(body).digest()


def _without_bitcode(payload: tuple[Untyped, ...], description: Untyped) -> tuple[Untyped, ...]:
    """The parts of a compiled version, with names alone in place of the code that others would inline.

    Kernels are inlined from versions of their own that are never stored (:mod:`centrode.jit.compiling`). Of the code
    Numba reads only which functions there are.
    """
    (name, kind, (machine_code, _)), *rest = payload
    functions = (description.llvm_func_name, description.llvm_cpython_wrapper_name)
    names = "\n".join(f'define void @"{function}"() {{ ret void }}' for function in functions)
    return ((name, kind, (machine_code, llvm.parse_assembly(names).as_bitcode())), *rest)


def _type_text(kind: Untyped) -> str:
    """A type of Numba's as text; of named tuples Numba says the types alone, and not which field has which."""
    if isinstance(kind, numba.types.BaseTuple):
        fields = kind.fields if isinstance(kind, numba.types.NamedTuple) else ""
        return f"{kind} {fields} {[_type_text(item) for item in kind]}"
    return str(kind)
