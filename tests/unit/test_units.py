"""Units: factors of the SI brochure and NIST SP 811, dimension checks, and a parser that never fails otherwise."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from centrode import units
from centrode.errors import InputError

# value, declared unit, expected; expectations from the definitions of the units, not from the table under test
KNOWN = [
    ("30 deg", "rad", math.pi / 6),
    ("30deg", "rad", math.pi / 6),
    ("30°", "rad", math.pi / 6),
    ("72 km/h", "m/s", 20.0),
    ("36 kmh", "m/s", 10.0),
    ("60 mph", "m/s", 26.8224),  # 60 * 1609.344 / 3600
    ("10 knot", "m/s", 18520 / 3600),
    ("5 kN", "N", 5000.0),
    ("2 t", "kg", 2000.0),
    ("10 g", "kg", 0.01),
    ("1 g0", "m/s^2", 9.80665),
    ("1 lbf", "N", 4.4482216152605),
    ("1 in", "m", 0.0254),
    ("3 m/s2", "m/s**2", 3.0),
    ("3 m/s²", "m/s^2", 3.0),
    ("7.85 g/cm3", "kg/m^3", 7850.0),
    ("5 kg m^2", "kg*m2", 5.0),
    ("3 N/(m/s)", "N*s/m", 3.0),
    ("60 rpm", "rad/s", 2 * math.pi),
    ("1 rev/s", "rad/s", 2 * math.pi),
    ("5 N*m", "N*m/rad", 5.0),
    ("1 N*m/deg", "N*m/rad", 180 / math.pi),
    ("5 %", "1", 0.05),
    ("8 %", units.GRADE, math.atan(0.08)),
    ("-100 %", units.GRADE, -math.pi / 4),
    ("8 deg", units.GRADE, 8 * math.pi / 180),
    ("0.08", units.GRADE, 0.08),
    ("2 bar", "Pa", 2e5),
    ("1.5 min", "s", 90.0),
    ("1e-3", "m", 1e-3),
    ("-.5e2 mm", "m", -0.05),
    ("2 1/s", "1/s", 2.0),
    ("1 rad", "deg", 180 / math.pi),
    ("12", "deg", 12.0),
]


@pytest.mark.parametrize(("text", "declared", "expected"), KNOWN)
def test_known_quantities(text, declared, expected):
    # A few factors are multiplied, each rounded once: four units in the last place.
    assert units.to_unit(text, declared) == pytest.approx(expected, rel=4 * 2.3e-16)


@pytest.mark.parametrize(
    ("text", "declared", "message"),
    [
        ("30 kg", "rad", "'30 kg' is a mass; expected an angle [rad]"),
        ("10 g", "m/s^2", "standard gravity is g0"),
        ("50 Hz", "rad/s", "'50 Hz' is a frequency; expected an angular speed [rad/s]"),
        ("5 N*m/deg", "N*m", "expected a moment or an energy [N*m]"),
        ("5 m", "1", "'5 m' is a length; expected a pure number [1]"),
        ("5 m", units.GRADE, "'5 m' is a length; expected an angle [rad] or a pure number [%]"),
        ("5 %", "rad", "'5 %' is a pure number; expected an angle [rad]"),
        ("3,5 m", "m", "write the decimal point as a point"),
        ("5 meter", "m", "unknown unit"),
        ("5 kgm2", "kg*m2", "unknown unit"),
        ("five", "m", "not a number"),
        ("5 m/", "m", "ends too early"),
        ("5 (m", "m", "closing bracket"),
        ("5 m^", "m", "exponent"),
        ("1e999", "m", "out of range"),
        ("5 m^99", "m", "exponent too large"),
    ],
)
def test_wrong_quantities(text, declared, message):
    with pytest.raises(InputError) as caught:
        units.to_unit(text, declared)
    assert message in str(caught.value)


def test_key_endings_name_units():
    assert units.split_suffix("steer_deg") == ("steer", "deg")
    assert units.split_suffix("rest_length_mm") == ("rest_length", "mm")
    assert units.split_suffix("steer") is None
    assert units.split_suffix("_deg") is None
    for unit in units.SUFFIXES.values():
        units.parse_unit(unit)


@given(st.text(max_size=60))
def test_any_text_gives_a_number_or_an_input_error(text):
    try:
        value, unit = units.parse_quantity(text)
    except InputError:
        return
    assert math.isfinite(value) and unit.factor > 0


@given(st.text(alphabet="kgmsNradHz*/^()0123456789 -²%°", max_size=30))
def test_any_unit_text_is_read_or_refused(text):
    try:
        unit = units.parse_unit(text)
    except InputError:
        return
    assert math.isfinite(unit.factor) and unit.factor > 0


names = st.sampled_from(["m", "kg", "s", "rad", "N", "km", "mm", "deg", "h", "ft", "kN", "g0", "t", "Hz"])


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), names, st.integers(1, 3), names)
def test_value_is_number_times_factor(number, first, power, second):
    text = f"{number!r} {first}^{power}/{second}"
    value, unit = units.parse_quantity(text)
    assert value == number * unit.factor
    over, under = units.parse_unit(first), units.parse_unit(second)
    assert unit.factor == pytest.approx(over.factor**power / under.factor, rel=1e-15)
    assert unit.exponents == tuple(power * a - b for a, b in zip(over.exponents, under.exponents, strict=True))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_bare_numbers_are_exact(number):
    assert units.to_unit(repr(number), "m/s") == number


def test_every_declared_unit_of_every_kind_can_be_read():
    import dataclasses

    from centrode.parts import registry

    for kinds in registry.families().values():
        for kind in kinds.values():
            for item in dataclasses.fields(kind):
                declared = item.metadata.get("unit", "")
                for unit in declared.split("|") if declared else ():
                    assert units.parse_unit(unit).factor > 0, f"{kind.__name__}.{item.name}: {unit}"


def test_readme_of_units_names_only_known_units():
    for unit in re.findall(r'"([\d.]+ ?[a-zA-Z/°]+)"', units.__doc__):
        units.parse_quantity(unit)
