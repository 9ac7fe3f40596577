"""Which kinds of parts exist: found by looking, not by registering.

A kind is a class derived from :class:`centrode.parts.part.Part` with a ``family`` and a ``kind`` of its own. It is
found in one of three places:

1. every module of :data:`ROOMS` and below, read when the first question is asked and imported when one of its kinds
   is wanted (:mod:`centrode.parts.kind_index`);
2. entry points of the group ``centrode.parts`` (a module, or one class), for packages that extend Centrode;
3. plugin files given by the user, one by one (:func:`load_plugin`).

Importing a module registers nothing, so what exists never depends on who imported what before. Plugins are an
argument of each question, so two scenarios with different plugins can live in one process.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import functools
import glob
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import os
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType, ModuleType

from centrode.errors import CentrodeError, Fault, InputError, missing_package, unknown_name
from centrode.parts.kind_index import Home, Kinds, kinds_in_sources
from centrode.parts.part import Part

ROOMS = ("centrode.parts", "centrode.vehicles", "centrode.plots.kinds")
ENTRY_POINT_GROUP = "centrode.parts"
DEFAULT_KINDS = {"body": "rigid"}
"""Kind that is meant when a scenario names none; a family with a single kind needs no entry here."""

_PLUGIN_PREFIX = "centrode_plugin_"
_plugins: dict[Path, tuple[str, tuple[type[Part], ...], ModuleType]] = {}
"""Loaded plugins: digest of the text, kinds, and the module itself."""


def kinds(family: str | None = None, plugins: Sequence[Path | str] | Path | str = ()) -> dict[str, object]:
    """What kinds there are: ``ct.kinds()``, ``ct.kinds("joint")``, ``ct.kinds("signal")``.

    Args:
        family: "body", "joint", "force", "signal", ...; all when left out.
        plugins: files with further kinds.

    Returns:
        Kind name -> class, sorted by name; family -> kinds without a family.

    Raises:
        InputError: no such family, with the nearest name.
    """
    known: dict[str, Mapping[str, type]] = {**families(plugins), "signal": signal_kinds()}
    if family is None:
        return {name: dict(known[name]) for name in sorted(known)}
    sections = {section_of(name): name for name in known}
    if sections.get(family, family) not in known:
        raise unknown_name("unknown family of parts", family, list(known), list(sections))
    return dict(known[sections.get(family, family)])


def signal_kinds() -> dict[str, type]:
    """Kinds of signals, which are no parts: they stand where a number may vary with time."""
    from centrode.parts.signals.signal import SIGNAL_KINDS

    return dict(SIGNAL_KINDS)


def part_kinds(family: str, plugins: Sequence[Path | str] | Path | str = ()) -> Kinds:
    """All kinds of a family of parts.

    Raises:
        InputError: no such family, with the nearest name.
    """
    known = families(plugins)
    if family not in known:
        raise unknown_name("unknown family of parts", family, list(known))
    return known[family]


def families(plugins: Sequence[Path | str] | Path | str = ()) -> dict[str, Kinds]:
    """All families with their kinds: family -> kind name -> class, sorted; a class is imported when it is asked for."""
    files = [plugins] if isinstance(plugins, Path | str) else plugins  # one file may be given without a list
    return _collect(tuple(Path(item).resolve() for item in files), _plugin_digests(files))


def find(family: str, kind: str, plugins: Sequence[Path | str] = ()) -> type[Part]:
    """The class of one kind.

    Raises:
        InputError: unknown family or kind, with the nearest name.
    """
    known = part_kinds(family, plugins)
    if kind not in known:
        raise unknown_name(f"unknown kind of {family}", kind, list(known))
    return known[kind]


def default_kind(family: str, plugins: Sequence[Path | str] = ()) -> str:
    """Kind that is meant when none is named; empty when the family has no default."""
    known = families(plugins).get(family, Kinds({}))
    if DEFAULT_KINDS.get(family) in known:
        return DEFAULT_KINDS[family]
    return next(iter(known)) if len(known) == 1 else ""


def load_plugin(path: Path | str) -> tuple[type[Part], ...]:
    """Import a user's file and return the kinds of parts it defines; methods (``METHODS``) are looked up elsewhere.

    The module gets a name made of the file's stem and its place, so that it is the same in every process. A file
    that changed since it was loaded is loaded anew.

    Raises:
        InputError: no such file, a file that does not import, or one without kinds.
    """
    file = Path(path).resolve()
    if not file.is_file():
        raise InputError("plugin not found", file=str(path), hint="give the file's path, or --plugin PATH")
    text = file.read_bytes()
    digest = hashlib.sha256(text).hexdigest()
    if file in _plugins and _plugins[file][0] == digest:
        return _plugins[file][1]
    module = _import_file(file, text, str(path))
    found = kinds_of_module(module)
    if not found and "METHODS" not in vars(module):
        expected = "a frozen dataclass derived from centrode.parts.part.Part with 'family' and 'kind', or METHODS"
        raise InputError("the plugin defines no kind of part", file=str(path), expected=expected)
    bare = [kind for kind in found if "__dataclass_fields__" not in vars(kind)]
    if bare:
        what = f"the class {bare[0].__name__} is no dataclass of its own"
        line = inspect.getsourcelines(bare[0])[1]
        raise InputError(what, file=str(path), line=line, expected="@dataclass(frozen=True) above it")
    methods = [item if isinstance(item, type) else type(item) for item in _listed(module)]
    faults = [fault for kind in (*found, *methods) for fault in misspelt_hooks(kind, str(path))]
    if faults:
        raise InputError(faults)
    _plugins[file] = (digest, found, module)
    return found


def plugin_place(error: BaseException) -> str:
    """Where in a plugin an exception comes from, "file.py:12: in row: "; empty when no plugin is concerned."""
    place, trace = "", error.__traceback__
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__")).startswith(_PLUGIN_PREFIX):
            code = trace.tb_frame.f_code
            place = f"{Path(code.co_filename).name}:{trace.tb_lineno}: in {code.co_name}: "
        trace = trace.tb_next
    return place


def error_words(error: BaseException) -> str:
    """An exception in one line; one that a plugin's own code has raised with its file, line and function."""
    if isinstance(error, CentrodeError):
        return str(error)
    text = str(error).strip().split("\n", 1)[0]
    if missing_package(error):
        return missing_package(error)
    if isinstance(error, NotImplementedError) and not text:
        frame = _last_frame(error)
        owner = type(frame.f_locals.get("self")).__name__
        return f"the class {owner} has no '{frame.f_code.co_name}' of its own, which its family asks for"
    return f"{plugin_place(error)}{type(error).__name__}: {text}"


def _last_frame(error: BaseException) -> FrameType:
    """Where an exception was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    assert trace is not None
    return trace.tb_frame


def plugins_in_use() -> list[str]:
    """Names of the plugin files that this process has loaded."""
    return sorted(path.name for path in _plugins)


def _listed(module: ModuleType) -> Sequence[object]:
    """What a plugin lists as its methods, when it is a list; checked where methods are looked up."""
    methods = vars(module).get("METHODS", ())
    return methods if isinstance(methods, tuple | list) else ()


def misspelt_hooks(kind: type, file: str) -> list[Fault]:
    """Names of a class that are almost those of a hook of its bases, which would then never be called."""
    known = {name for base in kind.__mro__[1:-1] for name in vars(base) if not name.startswith("_")}
    fields = {item.name for item in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    found = []
    for name in vars(kind):
        if name.startswith("_") or name in known or name in fields:
            continue
        meant = difflib.get_close_matches(name, known - vars(kind).keys(), n=1, cutoff=0.85)
        if meant:
            what = f"the class {kind.__name__} has a name that nothing asks for"
            hint = "names of your own that are alike begin with an underscore"
            line = inspect.getsourcelines(kind)[1]
            found.append(Fault(what, file=file, line=line, got=name, nearest=meant[0], hint=hint))
    return found


def plugin_modules(plugins: Sequence[Path | str]) -> list[ModuleType]:
    """The modules of plugin files, loaded when they are not yet."""
    _plugin_digests(plugins)
    return [_plugins[Path(item).resolve()][2] for item in plugins]


def section_of(family: str) -> str:
    """Name of a family's section in a scenario file: "body" -> "bodies", "road" -> "roads"."""
    if family.endswith("y"):
        return family[:-1] + "ies"
    return family + ("es" if family.endswith("s") else "s")


def _import_file(file: Path, text: bytes, shown: str) -> ModuleType:
    stem = re.sub(r"\W", "_", file.stem)
    name = f"{_PLUGIN_PREFIX}{stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError("not a Python file", file=shown, expected="a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses look their module up while the class is made
    sys.path.insert(0, str(file.parent))  # a plugin may import the files beside it
    try:
        # From its text: a file of byte code that Python keeps is taken for current by a stamp of whole seconds.
        exec(compile(text, str(file), "exec", dont_inherit=True), vars(module))
        linecache.checkcache(str(file))  # so that digests and messages see this text too
    except BaseException as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        if isinstance(error, InputError) or not isinstance(error, Exception | SystemExit):
            raise
        what = f"the plugin does not import: {type(error).__name__}: {error}"
        raise InputError(what, file=shown, line=_line_in(error, file)) from error
    finally:
        sys.path.remove(str(file.parent))
    return module


def _line_in(error: BaseException, file: Path) -> int:
    """Deepest line of the file in a traceback; 0 when the file does not occur."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return error.lineno or 0
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _plugin_digests(plugins: Sequence[Path | str]) -> tuple[str, ...]:
    """Load all plugins; their digests tell the cache below when one changed."""
    faults: list[Fault] = []
    digests = []
    for path in plugins:
        try:
            load_plugin(path)
            digests.append(_plugins[Path(path).resolve()][0])
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return tuple(digests)


@functools.lru_cache(maxsize=32)
def _collect(plugins: tuple[Path, ...], digests: tuple[str, ...]) -> dict[str, Kinds]:
    found: dict[str, dict[str, Home | type[Part]]] = {
        family: dict(kinds) for family, kinds in kinds_in_sources(ROOMS).items()
    }
    given = [item for path in plugins for item in _plugins[path][1]]
    for item in [*_entry_points(), *given]:
        room = found.setdefault(item.family, {})
        other = room.get(item.kind)
        if other is not None and other is not item:
            if isinstance(other, Home):
                other = other.load()
            what = f"two kinds of {item.family} are called '{item.kind}'"
            file, line = inspect.getsourcefile(item) or "", inspect.getsourcelines(item)[1]
            expected = f"a name other than that of {other.__qualname__} in {Path(inspect.getfile(other)).name}"
            raise InputError(what, file=file, line=line, got=item.__qualname__, expected=expected)
        room[item.kind] = item
    return {family: Kinds(found[family]) for family in sorted(found)}


def modules_of(room: str, but: str = "__main__") -> Iterator[ModuleType]:
    """A package and all modules below it but those whose names begin so, imported one after the other."""
    spec = importlib.util.find_spec(room)
    below = pkgutil.walk_packages((spec and spec.submodule_search_locations) or [], prefix=f"{room}.")
    for name in (room, *(item.name for item in below)):
        if not name.startswith((f"{room}.__main__", f"{room}.{but}")):
            yield importlib.import_module(name)


@functools.cache
def _entry_points() -> tuple[type[Part], ...]:
    if not _extensions_are_installed():
        return ()
    from importlib.metadata import entry_points

    found: list[type[Part]] = []
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda item: item.name):
        try:
            target = point.load()
        except Exception as error:
            what = f"the extension '{point.name}' ({point.value}) does not import: {type(error).__name__}: {error}"
            raise InputError(what) from error
        if isinstance(target, ModuleType):
            found += kinds_of_module(target)
        elif _is_kind(target):
            found.append(target)
        else:
            what = f"the extension '{point.name}' is no kind of part"
            raise InputError(what, got=point.value, expected="a module or a Part class")
    return tuple(found)


def _extensions_are_installed() -> bool:
    """Whether a file of entry points names our group; the library that reads them takes longer than all kinds do."""
    for folder in sys.path:
        for file in glob.iglob("*.*-info/entry_points.txt", root_dir=folder or "."):
            with contextlib.suppress(OSError), open(os.path.join(folder, file), "rb") as text:
                if f"[{ENTRY_POINT_GROUP}]".encode() in text.read():
                    return True
    return False


def kinds_of_module(module: ModuleType) -> tuple[type[Part], ...]:
    """Kinds defined in a module itself (imported names do not count), in the order of their names."""
    own: Iterable[object] = (item for _, item in sorted(vars(module).items()))
    return tuple(
        dict.fromkeys(item for item in own if _is_kind(item) and item.__module__ == module.__name__)  # type: ignore
    )


def _is_kind(item: object) -> bool:
    if not (isinstance(item, type) and issubclass(item, Part)):
        return False
    # An abstract base of a family has no kind; a class that inherits its parent's kind is not a kind of its own.
    return bool(item.family) and bool(vars(item).get("kind"))
