"""What every part has in common: a name, fields with units, and a kind that finds its own file.

A *kind* is a frozen dataclass in a file of its own below ``centrode/parts`` (or in a plugin). It declares

- ``family``: the room it belongs to ("joint", "force", ...), which is also its section in a scenario file;
- ``kind``: its name there (``kind: revolute``);
- its parameters, each made with :func:`quantity`, which carries unit, meaning and range.

From these the scenario schema, the checks, the help texts and the Python signature follow; nothing is written twice.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypedDict, Unpack

from centrode.classes import dataclass
from centrode.errors import Fault, InputError, nearest_name
from centrode.parts.meant import in_si, likely_meaning, unreadable_faults, unusual_fault
from centrode.units import GRADE, looks_like_quantity

if TYPE_CHECKING:
    from centrode.parts.driving import DriveInput
    from centrode.parts.visual import Visual, VisualScene

_MISSING = dataclasses.MISSING


class Limits(TypedDict, total=False):
    """What a value must be, and how its field is declared.

    Attributes:
        positive: greater than zero.
        minimum, maximum: closed range.
        usual: range of the numbers that make sense though others could be computed with; zero counts as usual. What
            lies outside is most often written in another unit.
        choices: allowed names.
        refers_to: family whose part names the field holds ("body", "road", ...).
        read: takes (value, path) and raises an InputError when the value is not what it should be (a direction, a
            place, a signal).
        default_factory: makes the value when left out.
        kw_only: in Python by keyword only (options of a base class, so that kinds can add positional fields).
    """

    positive: bool
    minimum: float | None
    maximum: float | None
    usual: tuple[float, float] | None
    choices: tuple[str, ...] | None
    refers_to: str | None
    read: Callable[[Any, str], Any] | None
    default_factory: Callable[[], Any]
    kw_only: bool


NO_LIMITS: dict[str, object] = {
    "positive": False, "minimum": None, "maximum": None, "usual": None, "choices": None, "refers_to": None,
    "read": None,
}  # fmt: skip


def quantity(unit: str, meaning: str, default: Any = _MISSING, **limits: Unpack[Limits]) -> Any:
    """Declare a parameter of a part.

    Args:
        unit: SI unit ("kg", "m", "rad", "N*s/m"), "1" for pure numbers, "" for names and switches.
        meaning: one line for help texts and schema.
        default: value when left out; required without one.
        limits: see :class:`Limits`.
    """
    given: dict[str, object] = dict(limits)
    options: dict[str, Any] = {name: given.pop(name) for name in ("default_factory", "kw_only") if name in given}
    unknown = sorted(set(given) - set(NO_LIMITS))
    if unknown:
        raise TypeError(f"quantity() knows no {', '.join(unknown)}")
    if default is not _MISSING:
        options["default"] = default
    return dataclasses.field(metadata={"unit": unit, "meaning": meaning, **NO_LIMITS, **given}, **options)


class KernelNote(NamedTuple):
    """What a family says of one of its kernels.

    Attributes:
        attribute: class attribute of the kind that holds it.
        signature: with which it is compiled.
        signature_name: as users import it.
        required: without it a kind cannot run.
    """

    attribute: str
    signature: Any
    signature_name: str
    required: bool = True


class PartType(type):
    """Type of all parts: a call with a field that the kind does not have, or without one that it needs, is an error
    in words, with the nearest name, as in files.
    """

    def __call__(cls, *args: object, **values: object) -> object:
        fields = [item for item in dataclasses.fields(cls) if item.init]  # type: ignore[arg-type]
        names = [item.name for item in fields]
        by_place = [item.name for item in fields if not item.kw_only]
        who = f"{cls.__name__} '{values.get('name', args[0] if args else '')}'"
        faults = [
            Fault(
                f"{who} has no such field", key, got=value, nearest=nearest_name(key, names[1:]), hint=field_hint(key)
            )
            for key, value in values.items()
            if key not in names
        ]
        if len(args) > len(by_place):
            expected = "by position at most " + ", ".join(by_place)
            faults.append(Fault(f"{who}: too many values", got=args[len(by_place)], expected=expected))
        faults += [Fault(f"{who}: given twice", key, got=values[key]) for key in by_place[: len(args)] if key in values]
        given = {*by_place[: len(args)], *values}
        for item in fields:
            needed = item.default is _MISSING and item.default_factory is _MISSING
            if needed and item.name not in given:
                unit = item.metadata.get("unit", "")
                expected = str(item.metadata.get("meaning", "")) + (f" [{unit}]" if unit not in ("", "1") else "")
                faults.append(Fault(f"{who}: '{item.name}' is missing", item.name, expected=expected))
        if faults:
            raise InputError(faults)
        return super().__call__(*args, **values)


def field_hint(key: str) -> str:
    """What stands for a field that other programs have and that is a part of its own here."""
    if key in ("limits", "range", "lower", "upper", "limit"):
        return "the limits of a joint are a force: Stop(name, a, b, axis=..., lower=..., upper=...)"
    if key in ("color", "colour", "shape", "geometry", "visual", "mesh"):
        return "how a body looks is a shape: ShapeBox(name, body, ...)"
    return ""


@dataclass(frozen=True)
class Part(metaclass=PartType):
    """Base of all parts. Frozen: a part is a value; the model built from it is another thing."""

    family: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    kernel_notes: ClassVar[tuple[KernelNote, ...]] = ()
    """Compiled functions of a kind that the engine calls; listed by the base class of the family."""
    example: ClassVar[dict[str, Any] | None] = None
    """Parameters with which the contract is checked, in :mod:`centrode.dynamics.examples`; made up when None."""
    under_water: ClassVar[bool] = False
    """The viewer shows the sea around it."""

    name: str = dataclasses.field(metadata={"unit": "", "meaning": "unique name of the part"})

    def __post_init__(self) -> None:
        """Texts with units ("50 km/h") become numbers in SI, as in files; what cannot be read stays for the check."""
        for item in dataclasses.fields(self):
            unit, value = item.metadata.get("unit", ""), vars(self).get(item.name)
            if unit and isinstance(value, str | list | tuple):
                read = in_si(value, unit)
                if read is not value:
                    object.__setattr__(self, item.name, read)

    def faults(self) -> list[Fault]:
        """All that is wrong with the parameters; kinds extend it with rules of their own."""
        found = [] if self.name and isinstance(self.name, str) else [Fault("a part needs a name", got=self.name)]
        for item in dataclasses.fields(self):
            if item.name != "name" and item.metadata:
                path, value = f"{self.name}.{item.name}", getattr(self, item.name)
                limits: Mapping[str, Any] = item.metadata
                if self.takes_unusual():
                    limits = {**limits, "usual": None}
                found += check_form(path, value, str(item.type)) or check_value(path, value, limits)
        return found

    def takes_unusual(self) -> bool:
        """Whether numbers outside their usual range are meant."""
        return False

    def fault(self, field: str, message: str, got: Any = ..., expected: str = "", hint: str = "") -> Fault:
        """A fault of one field; ``got`` is its value when left out."""
        value = getattr(self, field) if got is ... else got
        return Fault(message, f"{self.name}.{field}", got=value, expected=expected, hint=hint)

    def refusal(self, field: str, message: str, got: Any = ..., expected: str = "", hint: str = "") -> InputError:
        """The error that says one fault of one field."""
        return InputError([self.fault(field, message, got, expected, hint)])

    def values_of(self, *fields: str) -> dict[str, Any]:
        """Some of its values by name, for a part that takes them as they are."""
        return {field: getattr(self, field) for field in fields}

    @classmethod
    def spared_kernels(cls) -> tuple[str, ...]:
        """Required kernels that this kind can do without, such as that for the plane of a joint for space only."""
        return ()

    def build(self, system: Any) -> None:
        """Add the parts that it is made of to the system, under names that begin with its own (vehicles)."""

    def shell(self, crushes: bool = False) -> Part | None:
        """Outline on the body of a vehicle for which none is declared; none unless a kind says so.

        Args:
            crushes: whether bodies of the system give way; the outline then has the shape that a crash asks for.
        """
        return None

    def further_outlines(self) -> Sequence[Part]:
        """Outlines that the body of a vehicle brings beside its shell, for what stands below it; none unless a kind
        says so.
        """
        return ()

    def road_outline(self) -> Part | None:
        """Outline by which the body of a vehicle touches its road, where its shell does not stand over it; none unless
        a kind says so.
        """
        return None

    def lies_on_roads(self) -> bool:
        """Whether the bodies of a vehicle, which has no wheels, come down on roads by their own outlines: persons."""
        return False

    def rim_outlines(self) -> Sequence[Part]:
        """Outlines of a vehicle's rims, which hit kerbs; none unless a kind says so."""
        return ()

    def structure_of(self, parts: Mapping[str, Part]) -> Part | None:
        """Structure of a vehicle's shell for which none is declared; none (rigid) unless a kind says so."""
        return None

    def fastest_vibration(self) -> float:
        """Largest natural frequency of what the part is made of, free [rad/s]; 0 when nothing of it deforms."""
        return 0.0

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """What the part looks like, as shapes of :mod:`centrode.parts.visual`; nothing unless a kind says so."""
        return []

    def drive_inputs(self) -> list[DriveInput]:
        """What a driver who sits in the part can move; nothing unless a kind says so."""
        return []

    def checked(self) -> Part:
        """Self, or an :class:`InputError` with every fault."""
        found = self.faults()
        if found:
            raise InputError(found)
        return self


def check_form(path: str, value: Any, declared: str) -> list[Fault]:
    """Faults of one value against the type of its field: a text where a number stands, two numbers for a vector."""
    if declared in ("float", "float | None", "int") and isinstance(value, str) and not looks_like_quantity(value):
        return [Fault("not a number", path, got=value, expected="a number, or a text with a unit such as '30 deg'")]
    if value is None and declared.endswith("| None"):
        return []
    if declared.removesuffix(" | None") == "tuple[float, float, float]" and (
        isinstance(value, str) or len(flatten(value)) != 3
    ):
        return [Fault("not three numbers", path, got=value, expected="x, y, z")]
    return []


def check_value(path: str, value: Any, metadata: Any) -> list[Fault]:
    """Faults of one value against its declared unit, range, choices and reader."""
    found = check_numbers(path, value, metadata)
    read = metadata.get("read")
    if found or read is None or value is None:
        return found
    try:
        read(value, path)
    except InputError as error:
        return error.faults
    except (TypeError, ValueError):
        return [Fault("not a list of numbers", path, got=value)]
    return []


def check_numbers(path: str, value: Any, metadata: Any) -> list[Fault]:
    """Faults of one value against its declared unit, range and choices."""
    unit = metadata.get("unit", "")
    in_unit = f" in {'rad' if unit == GRADE else unit}" if unit not in ("", "1") else ""
    choices = metadata.get("choices")
    if choices is not None:
        if value not in choices:
            return [Fault("unknown choice", path, got=value, expected="one of " + ", ".join(choices))]
        return []
    if unit == "" or value is None:
        return []
    found: list[Fault] = []
    for number in flatten(value):
        if isinstance(number, str) and looks_like_quantity(number):
            return unreadable_faults(path, number, unit)
        if isinstance(number, bool) or not isinstance(number, int | float):
            if callable(number) or dataclasses.is_dataclass(number) or isinstance(number, str | dict):
                continue
            return [Fault("not a number", path, got=value, expected=f"a number{in_unit}")]
        if not math.isfinite(number):
            return [Fault("not a finite number", path, got=value, expected=f"a finite number{in_unit}")]
        low, high = metadata.get("minimum"), metadata.get("maximum")
        usual = metadata.get("usual")
        if metadata.get("positive") and number <= 0:
            found.append(Fault("must be positive", path, got=value, expected=f"a number above 0{in_unit}"))
        elif low is not None and number < low:
            found.append(Fault("too small", path, got=value, expected=f"at least {low:g}{in_unit}"))
        elif high is not None and number > high:
            span = usual or (low if low is not None else -high, high)
            hint = likely_meaning(number, unit, span)
            found.append(Fault("too large", path, got=value, expected=f"at most {high:g}{in_unit}", hint=hint))
        elif usual is not None and number != 0.0 and not usual[0] <= number <= usual[1]:
            found.append(unusual_fault(path, number, unit, usual, value))
    return found[:1]


def flatten(value: Any) -> list[Any]:
    """All numbers of a nested sequence or array, in order."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [number for item in value for number in flatten(item)]
    return [value]


def finite_limits(part: Any) -> tuple[float, float]:
    """Limits ``lower`` and ``upper`` of a part as kernels want them; far away where there is none."""
    return -1e300 if part.lower is None else part.lower, 1e300 if part.upper is None else part.upper


def limit_faults(part: Any) -> list[Fault]:
    """Limits ``lower`` and ``upper`` of a part that exclude each other; either may be missing."""
    lower, upper = part.lower, part.upper
    if lower is None or upper is None or lower < upper:
        return []
    path = f"{part.name}.lower"
    return [Fault("the lower limit is not below the upper one", path, got=lower, expected=f"below {upper:g}")]
