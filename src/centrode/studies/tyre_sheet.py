"""What a tyre is, in numbers: stiffnesses, peaks and curves of any kind, measured on its law as on a test rig.

Slopes are central differences of the law at the origin with h = 1e-6: laws with a term in x |x| (brush) are off by some
1e-5 of the slope, the others by 1e-8. Peaks are the largest force on a grid over the slips that a road tyre meets (slip
to 1, angles to 45 degrees), below the true peak by some 1e-6 of the force.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from centrode.dynamics.examples import example_values
from centrode.errors import InputError, unknown_name
from centrode.parts import registry
from centrode.parts.part import Part
from centrode.parts.tyres.contract import Tyre
from centrode.parts.tyres.magic_formula import TyreMagicFormula
from centrode.parts.tyres.magic_formula_89 import TyreMagicFormula89
from centrode.parts.tyres.tir import read_tir
from centrode.parts.tyres.tir_names import RANGES

SPEED = 20.0
"""Speed at which a tyre is measured [m/s]."""
_USUAL = {
    "linear": {"cornering_stiffness": 6.0e4, "driving_stiffness": 9.0e4, "trail": 0.03},
    "brush": {"cornering_stiffness": 6.0e4, "driving_stiffness": 9.0e4},
}
_RANGES = ("load [N]", "slip [1]", "slip angle [rad]", "camber [rad]", "pressure [Pa]")
_STEP = 1.0e-6


@dataclass(frozen=True)
class TyrePoint:
    """A tyre at one load: slopes at the origin and peaks of pure slip.

    Attributes:
        load: [N].
        slip_stiffness: dFx/dkappa [N].
        cornering_stiffness: -dFy/dalpha [N/rad].
        camber_stiffness: -dFy/dgamma [N/rad].
        aligning_stiffness: dMz/dalpha [N*m/rad].
        trail: aligning over cornering stiffness [m].
        driving, braking, cornering: greatest friction coefficients [1].
        driving_slip, braking_slip: where they are reached [1].
        cornering_angle: where it is reached [rad].
    """

    load: float
    slip_stiffness: float
    cornering_stiffness: float
    camber_stiffness: float
    aligning_stiffness: float
    trail: float
    driving: float
    driving_slip: float
    braking: float
    braking_slip: float
    cornering: float
    cornering_angle: float


@dataclass(frozen=True)
class TyreSheet:
    """A tyre: what it is, at which loads it was looked at, what a reader should know."""

    name: str
    kind: str
    dialect: str
    size: str
    nominal_load: float | None
    pressure: float | None
    camber: float
    ranges: dict[str, tuple[float, float]]
    points: tuple[TyrePoint, ...]
    notes: tuple[str, ...]
    tyre: Tyre = field(repr=False)


def tyre_of(
    target: str,
    pressure: float | None = None,
    values: Mapping[str, float] | None = None,
    plugins: Sequence[Path | str] = (),
) -> Tyre:
    """The tyre of a .tir file, or one of a kind by its name with usual values.

    Args:
        target: path of a file, or name of a kind ("calspan").
        pressure: inflation pressure [Pa]; Magic Formula 5 and 6 only.
        values: fields of the kind, or coefficients of a file, to replace.
        plugins: files with further kinds.
    """
    kinds = registry.part_kinds("tyre", plugins)
    given = dict(values or {})
    if target not in kinds:
        if not target.lower().endswith(".tir") and not Path(target).is_file():
            raise unknown_name("neither a tyre file nor a kind of tyre", target, sorted(kinds))
        version = read_tir(target, given=tuple(name.upper() for name in given)).version
        name = Path(target).stem
        if version in (89, 94):
            _refuse_pressure(pressure, "magic-formula-89")
            return _checked(TyreMagicFormula89(name, file=target, coefficients=given))
        return _checked(TyreMagicFormula(name, file=target, coefficients=given, pressure=pressure))
    kind = kinds[target]
    chosen = dict(_USUAL.get(target) or example_values(kind))
    if "coefficients" in chosen:
        chosen["coefficients"] = {**chosen["coefficients"], **given}
    else:
        chosen |= given
    if kind is TyreMagicFormula:
        chosen["pressure"] = pressure
    else:
        _refuse_pressure(pressure, target)
    try:
        return _checked(kind(target, **chosen))
    except TypeError:
        known = [item.name for item in fields(kind) if item.name != "name"]
        strange = next((name for name in given if name not in known), "")
        raise unknown_name("unknown field of the tyre", strange, known, path="--set") from None


def _checked(tyre: Part) -> Tyre:
    assert isinstance(tyre, Tyre)
    tyre.checked()
    return tyre


def _refuse_pressure(pressure: float | None, kind: str) -> None:
    if pressure is not None:
        hint = "Magic Formula 5 and 6 hold it"
        raise InputError("this kind of tyre knows no pressure", path="--pressure", got=pressure, hint=f"{kind}; {hint}")


def measure(tyre: Tyre, load: float, camber: float = 0.0) -> TyrePoint:
    """Slopes and peaks at one load [N] and camber [rad]."""
    slips = np.linspace(0.0, 1.0, 2001)[1:]
    angles = np.radians(np.linspace(0.0, 45.0, 1801)[1:])
    h = _STEP
    right, left = curve(tyre, load, angles=[h, -h], camber=camber)
    ahead, back = curve(tyre, load, slips=[h, -h], camber=camber)
    cornering = (left[1] - right[1]) / (2.0 * h)
    aligning = (right[2] - left[2]) / (2.0 * h)
    [[_, more, _]], [[_, less, _]] = (curve(tyre, load, angles=[0.0], camber=camber + step) for step in (h, -h))
    drive, brake = (sign * curve(tyre, load, slips=sign * slips, camber=camber)[:, 0] for sign in (1.0, -1.0))
    sides = [-sign * curve(tyre, load, angles=sign * angles, camber=camber)[:, 1] for sign in (1.0, -1.0)]
    side = max(sides, key=np.max)
    return TyrePoint(
        load=load,
        slip_stiffness=float((ahead[0] - back[0]) / (2.0 * h)),
        cornering_stiffness=float(cornering),
        camber_stiffness=float((less - more) / (2.0 * h)),
        aligning_stiffness=float(aligning),
        trail=float(aligning / cornering) if cornering else math.nan,
        driving=float(drive.max() / load),
        driving_slip=float(slips[drive.argmax()]),
        braking=float(brake.max() / load),
        braking_slip=float(-slips[brake.argmax()]),
        cornering=float(side.max() / load),
        cornering_angle=float(angles[side.argmax()]),
    )


def curve(
    tyre: Tyre,
    load: float,
    *,
    angles: Sequence[float] | np.ndarray = (0.0,),
    slips: Sequence[float] | np.ndarray = (0.0,),
    camber: float = 0.0,
) -> np.ndarray:
    """(Fx, Fy, Mz) over slip angles [rad] and slips, one of which may vary; shape (n, 3)."""
    row, law = tyre.pack(), type(tyre).law
    pairs = zip(*np.broadcast_arrays(np.asarray(angles, float), np.asarray(slips, float)), strict=True)
    return np.array([law(row, float(load), float(a), float(s), float(camber), SPEED) for a, s in pairs])


def tyre_sheet(tyre: Tyre, load: float | None = None, camber: float = 0.0) -> TyreSheet:
    """Measure a tyre at three loads: half of, at and one and a half times ``load`` (the nominal one when left out)."""
    if load is not None and not 1.0 <= load <= 1.0e7:
        raise InputError("not a load that a wheel carries", path="--load", got=load, expected="1 to 1e7 N")
    if not abs(camber) <= math.radians(60.0):
        raise InputError("camber out of range", path="--camber-deg", got=math.degrees(camber), expected="-60 to 60")
    dialect, size, nominal, pressure, ranges, notes = _described(tyre)
    middle = load if load is not None else nominal if nominal is not None else 4000.0
    points = tuple(measure(tyre, share * middle, camber) for share in (0.5, 1.0, 1.5))
    return TyreSheet(
        tyre.name, tyre.kind, dialect, size, nominal, pressure, camber, ranges, points, tuple(notes), tyre
    )  # fmt: skip


def _described(tyre: Tyre) -> tuple[str, str, float | None, float | None, dict[str, tuple[float, float]], list[str]]:
    """Dialect, size, nominal load, pressure, ranges and notes of the kinds that have them."""
    if isinstance(tyre, TyreMagicFormula):
        source, (values, notes) = tyre.source(), tyre.settled()
        ranges = {
            text: (values[low], values[high])
            for text, (low, high) in zip(_RANGES, RANGES, strict=True)
            if low in source.numbers or high in source.numbers
        }
        stated = "NOMPRES" in source.numbers or tyre.pressure is not None
        pressure = values["INFLPRES"] if stated else None
        return source.dialect, size_text(source.numbers), values["FNOMIN"] * values["LFZO"], pressure, ranges, notes
    if isinstance(tyre, TyreMagicFormula89):
        source = tyre.source()
        nominal = source.numbers.get("FNOMIN")
        return source.dialect, size_text(source.numbers), nominal, None, {"load [N]": tyre.loads()}, tyre.notes()
    return "", "", None, None, {}, []


def size_text(numbers: Mapping[str, float]) -> str:
    """Width, aspect ratio and rim as on a sidewall, as far as the file says; the free radius."""
    radius, width = numbers.get("UNLOADED_RADIUS"), numbers.get("WIDTH")
    ratio, rim = numbers.get("ASPECT_RATIO"), numbers.get("RIM_RADIUS")
    said = []
    if width and ratio and rim:
        said.append(
            f"{1e3 * width:.0f}/{100.0 * ratio if ratio < 2.0 else ratio:.0f} R{round(4.0 * rim / 0.0254) / 2.0:g}"
        )
    elif width:
        said.append(f"width {1e3 * width:.0f} mm")
    if radius:
        said.append(f"free radius {radius:.4g} m")
    return ", ".join(said)
