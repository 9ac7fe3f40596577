"""The pack: the machine code of all kernels of the house in one library, made ahead of time.

``kernels.bin``, a shared library, and its index ``kernels.json`` stand beside this file; ``make pack`` writes them
(``tools/build_pack.py``). The index says for which processors and with what the library was made, the digest of its
bytes, and for every kernel the digest of the text it was made from (:func:`centrode.jit.digest.text_digest`), which is
its symbol too. A kernel is taken from the pack only where its text is still that text, and a library whose bytes are
not those that were written is never loaded. What the pack does not have is compiled here.

A packed kernel is called as machine code is: with numbers in eight-byte words. An array is seven words and more, as
Numba has it: two for reference counting (zero: nobody counts), number and size of the elements, address, shape and
strides. The words are written by ``entries.bin``, a small extension module that is made with the pack (``entries.c``);
where Python cannot load it, by ctypes (:class:`Entry`), which takes some ten times as long.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from centrode.jit import types as kinds
from centrode.jit.digest import NoDigest, text_digest
from centrode.jit.processor import target
from centrode.jit.untyped import Untyped

if TYPE_CHECKING:
    from centrode.jit.kernel import Kernel

FOLDER = Path(__file__).parent
LAYOUT = "words 1"
"""Changes with anything that this file and the library must agree on."""


class Pack(NamedTuple):
    """An opened pack.

    Attributes:
        library: the loaded library.
        digests: of the text of each kernel, by module and name; some are made for several sizes.
        entries: the extension module that calls kernels; None where it cannot be loaded.
    """

    library: ctypes.CDLL
    digests: dict[str, list[str]]
    entries: Untyped = None


@functools.cache
def opened(folder: Path = FOLDER) -> Pack | None:
    """The pack, where there is a whole one that this machine can use; ``CENTRODE_PACK=off`` leaves it alone."""
    try:
        return _open(folder)
    except UnfitPack:
        return None


def refusal(folder: Path = FOLDER) -> str:
    """Why there is no pack, for people; empty where there is one."""
    try:
        _open(folder)
    except UnfitPack as error:
        return str(error)
    return ""


class UnfitPack(Exception):
    """There is none, it is damaged, or it is for other machines: kernels are compiled."""


def _open(folder: Path) -> Pack:
    if os.environ.get("CENTRODE_PACK", "") == "off":
        raise UnfitPack("CENTRODE_PACK=off leaves them alone")
    damaged = UnfitPack("their files are damaged or missing; install Centrode again, or make pack")
    try:
        index = json.loads((folder / "kernels.json").read_text(encoding="utf-8"))
        digests = {name: [str(digest) for digest in list(versions)] for name, versions in index["kernels"].items()}
        if index["layout"] != LAYOUT:
            raise damaged
        if index["target"] != target():
            raise UnfitPack(f"they are for {index['target']} (AVX2, FMA) with glibc, which this machine is not")
        path = folder / "kernels.bin"
        if hashlib.sha256(path.read_bytes()).hexdigest() != index["library"]:
            raise damaged
        entries = _entries(folder, index.get("entries", ""))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise damaged from None
    try:
        return Pack(ctypes.CDLL(str(path)), digests, entries)
    except OSError as error:  # an older C library, a folder from which nothing may be loaded
        raise UnfitPack(f"they cannot be loaded: {error}") from None


def _entries(folder: Path, digest: str) -> Untyped:
    """The extension module of a pack; None where there is none with this digest that this Python can load."""
    path = folder / "entries.bin"
    try:
        if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            return None
        loader = importlib.machinery.ExtensionFileLoader("centrode.jit.entries", str(path))
        spec = importlib.util.spec_from_loader(loader.name, loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
        return module
    except (OSError, ImportError):
        return None


def kernel_name(kernel: Kernel) -> str:
    """Name of a kernel in the index."""
    return f"{kernel.py_func.__module__}:{kernel.py_func.__qualname__}"


def kernel_digest(kernel: Kernel) -> str:
    """Digest of a kernel by its text, and of its signature."""
    text = text_digest(kernel.py_func, kernel.targetoptions)
    return hashlib.blake2b(f"{text} {kinds.type_text(kernel.fixed_signature)}".encode(), digest_size=16).hexdigest()


def symbol_of(digest: str) -> str:
    """Symbol of a kernel in the library."""
    return f"k{digest[:24]}"


def _symbol(kernel: Kernel) -> str:
    """Symbol of a kernel in the pack; empty when the pack does not have it as it is now."""
    pack = opened()
    if pack is None or not isinstance(kernel.fixed_signature, kinds.Signature):
        return ""
    versions = pack.digests.get(kernel_name(kernel))
    if not versions:
        return ""
    try:
        digest = kernel_digest(kernel)
    except NoDigest:
        return ""
    if digest not in versions:
        return ""
    symbol = symbol_of(digest)
    try:
        _ = pack.library[symbol]
    except AttributeError:  # an index that says more than there is
        return ""
    return symbol


def packed_address(kernel: Kernel) -> int:
    """Where the machine code of a kernel begins; 0 when the pack does not have it."""
    symbol, pack = _symbol(kernel), opened()
    if not symbol or pack is None:
        return 0
    return ctypes.cast(pack.library[symbol], ctypes.c_void_p).value or 0


def packed_entry(kernel: Kernel) -> Callable[..., Untyped] | None:
    """What to call from Python for a kernel of the pack; None when the pack does not have it."""
    symbol, pack = _symbol(kernel), opened()
    if not symbol or pack is None:
        return None
    function, signature = pack.library[f"call_{symbol}"], kernel.fixed_signature
    by_ctypes = Entry(function, signature, kernel_name(kernel))
    if pack.entries is None:
        return by_ctypes
    takes, gives = Program(is_taken=True), Program(is_taken=False)
    for kind in signature.args:
        takes.add(kind)
    gives.add(signature.return_type)
    made: Callable[..., Untyped] = pack.entries.Entry(
        ctypes.cast(function, ctypes.c_void_p).value,
        bytes(takes.letters),
        tuple(takes.things),
        bytes(gives.letters),
        tuple(gives.things),
        by_ctypes.words,
        by_ctypes.size,
        by_ctypes.refuse,
    )
    return made


class Program:
    """What arguments are, or what is given back, as ``entries.c`` reads it.

    Args:
        is_taken: of arguments, which may be any tuple and any whole number, and not of what is given back.

    Attributes:
        letters: of the program.
        things: dtypes and classes, in the order in which the letters need them.
    """

    def __init__(self, is_taken: bool) -> None:
        self.is_taken, self.letters, self.things = is_taken, bytearray(), list[Untyped]()

    def add(self, kind: kinds.Kind) -> None:
        """Say what comes next."""
        if isinstance(kind, kinds.Number):
            self.letters += {"float64": b"d", "int64": b"q", "boolean": b"?", "complex128": b"D", "void": b"v"}[
                kind.name
            ]
        elif isinstance(kind, kinds.Array):
            self.letters += b"a" + bytes([kind.dimensions])
            self.things.append(_dtype_of(kind))
        elif isinstance(kind, kinds.Record):
            self.letters += b"r"
            self.things.append(kind.dtype)
        elif isinstance(kind, kinds.Tuple):
            self.letters += (b"(" if kind.named is None or self.is_taken else b"n") + bytes([len(kind.items)])
            if kind.named is not None and not self.is_taken:
                self.things.append(kind.named)
            for item in kind.items:
                self.add(item)
        else:
            assert isinstance(kind, kinds.Member)
            self.letters += b"q" if self.is_taken else b"e"
            if not self.is_taken:
                self.things.append(kind.of)


Words = list[Untyped]
Writer = Callable[[Words, Untyped], None]


class Entry:
    """Calls a packed kernel from Python.

    Args:
        function: ``(result, words) -> status``.
        signature: of the kernel.
        name: for messages.
    """

    def __init__(self, function: Untyped, signature: kinds.Signature, name: str) -> None:
        function.argtypes, function.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_int
        self._function, self._name, self._signature = function, name, signature
        self._layout = struct.Struct("".join(word_format(kind) for kind in signature.args))
        self._writers = tuple(_writer(kind) for kind in signature.args)
        self._result = struct.Struct(result_format(signature.return_type))
        self._returns = _reader(signature.return_type)
        self.words, self.size = self._layout.size // 8, self._result.size

    def refuse(self, arguments: tuple[Untyped, ...], error: Exception) -> None:
        """Say what the kernel takes and what it was given."""
        given = ", ".join(_given_text(item) for item in arguments)
        expected = ", ".join(kinds.type_text(item) for item in self._signature.args)
        raise TypeError(f"{self._name} takes ({expected}), got ({given}): {error}") from None

    def __call__(self, *arguments: Untyped) -> Untyped:
        """Run the machine code.

        Raises:
            TypeError: the arguments are not those of the signature.
        """
        words: Words = []
        try:
            for write, item in zip(self._writers, arguments, strict=True):
                write(words, item)
            packed = self._layout.pack(*words)
        except (TypeError, ValueError, AttributeError, struct.error) as error:
            self.refuse(arguments, error)
        room = ctypes.create_string_buffer(self._result.size)
        if self._function(room, packed) != 0:
            raise RuntimeError(f"{self._name} failed")
        return self._returns(iter(self._result.unpack(room)))


def word_format(kind: kinds.Kind) -> str:
    """Words of an argument, as :mod:`struct` spells them; each has eight bytes."""
    if isinstance(kind, kinds.Number):
        return {"float64": "d", "int64": "q", "boolean": "q", "complex128": "dd"}[kind.name]
    if isinstance(kind, kinds.Array):
        return "q" * (5 + 2 * kind.dimensions)
    if isinstance(kind, kinds.Tuple):
        return "".join(word_format(item) for item in kind.items)
    return "q"  # a member of an enumeration, or a record by its address


def result_format(kind: kinds.Kind) -> str:
    """What a kernel gives back, as :mod:`struct` spells it; natural alignment, as the compiler has it."""
    if isinstance(kind, kinds.Tuple):
        return "".join(result_format(item) for item in kind.items)
    if isinstance(kind, kinds.Number):
        return {"float64": "d", "int64": "q", "boolean": "?", "void": ""}[kind.name]
    if isinstance(kind, kinds.Member):
        return "q"
    raise TypeError(f"kernels called from Python give numbers and tuples of them, not {kinds.type_text(kind)}")


def _writer(kind: kinds.Kind) -> Writer:
    """Function that puts an argument into words."""
    if isinstance(kind, kinds.Member):
        return _put
    if isinstance(kind, kinds.Number):
        return {"boolean": _put_flag, "complex128": _put_complex}.get(kind.name, _put)
    if isinstance(kind, kinds.Array):
        return functools.partial(_put_array, _dtype_of(kind), kind.dimensions)
    if isinstance(kind, kinds.Tuple):
        return functools.partial(_put_tuple, tuple(_writer(item) for item in kind.items))
    assert isinstance(kind, kinds.Record)
    return functools.partial(_put_record, kind.dtype)


def _dtype_of(kind: kinds.Array) -> np.dtype[Untyped]:
    return kind.item.dtype if isinstance(kind.item, kinds.Record) else np.dtype(_DTYPES[kind.item])


_DTYPES: dict[kinds.Kind, str] = {kinds.float64: "f8", kinds.int64: "i8", kinds.boolean: "?", kinds.complex128: "c16"}


def _put(words: Words, value: Untyped) -> None:
    words.append(value)


def _put_flag(words: Words, value: Untyped) -> None:
    words.append(1 if value else 0)


def _put_complex(words: Words, value: Untyped) -> None:
    words += (value.real, value.imag)


def _put_tuple(writers: tuple[Writer, ...], words: Words, value: Untyped) -> None:
    for write, item in zip(writers, value, strict=True):
        write(words, item)


def _put_array(dtype: np.dtype[Untyped], dimensions: int, words: Words, value: Untyped) -> None:
    flags = value.flags
    if value.ndim != dimensions or not (flags.c_contiguous and flags.writeable) or value.dtype != dtype:
        raise TypeError("an array of another type, shape or order, or one that cannot be written to")
    words += (0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)


def _put_record(dtype: np.dtype[Untyped], words: Words, value: Untyped) -> None:
    if value.dtype != dtype:
        raise TypeError("a record of another type")
    words.append(value.__array_interface__["data"][0])


def _reader(kind: kinds.Kind) -> Callable[[Untyped], Untyped]:
    """Function that makes what a kernel gives back of the numbers that it wrote."""
    if isinstance(kind, kinds.Tuple):
        readers = tuple(_reader(item) for item in kind.items)
        if kind.named is None:
            return lambda numbers: tuple(read(numbers) for read in readers)
        named: Untyped = kind.named
        return lambda numbers: named(*(read(numbers) for read in readers))
    if isinstance(kind, kinds.Member):
        member = kind.of
        return lambda numbers: member(next(numbers))
    return (lambda numbers: None) if kind == kinds.void else next


def _given_text(value: Untyped) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    return type(value).__name__
