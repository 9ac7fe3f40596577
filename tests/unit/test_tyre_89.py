"""The Magic Formula of 1989 and 1994 against its formulas written out, and what it refuses."""

import math
from pathlib import Path

import numpy as np
import pytest
import tyre_samples as samples

from centrode.errors import InputError
from centrode.parts.tyres.magic_formula_89 import TyreMagicFormula89

STATES = [(fz, a, k, g) for fz in (800, 4000, 9000) for a in (-7, 0.5, 3) for k in (-12, 0.3, 25) for g in (-4, 0, 2.5)]


def sine(bcd, c, d, e, x):
    b = bcd / (c * d)
    return d * np.sin(c * np.arctan(b * x - min(e, 1.0) * (b * x - np.arctan(b * x))))


def formula(c, year, fz, angle, percent, lean):
    """(Fx, Fy, Mz) of pure slip in SAE signs: angles in degrees, slip in percent."""
    a, b, m = ([c.get(f"{letter}{k}", 0.0) for k in range(21)] for letter in "ABC")
    f, g = fz / 1e3, lean
    steep = a[3] * np.sin(2 * np.arctan(f / a[4])) * (1 - a[5] * abs(g))
    drive = (b[3] * f**2 + b[4] * f) * np.exp(-b[5] * f)
    turn = (m[3] * f**2 + m[4] * f) * (1 - m[6] * abs(g)) * np.exp(-m[5] * f)
    x = percent + b[9] * f + b[10]
    e, bend = b[6] * f**2 + b[7] * f + b[8], m[7] * f**2 + m[8] * f + m[9]
    if year == "89":
        fx = sine(drive, b[0], b[1] * f**2 + b[2] * f, e, x)
        y = angle + a[8] * g + a[9] * f + a[10]
        fy = sine(steep, a[0], a[1] * f**2 + a[2] * f, a[6] * f + a[7], y) + a[11] * f * g + a[12] * f + a[13]
        z = angle + m[11] * g + m[12] * f + m[13]
        shift = (m[14] * f**2 + m[15] * f) * g + m[16] * f + m[17]
        return fx, fy, sine(turn, m[0], m[1] * f**2 + m[2] * f, bend * (1 - m[10] * abs(g)), z) + shift
    fx = sine(drive, b[0], (b[1] * f + b[2]) * f, e * (1 - b[13] * np.sign(x)), x) + b[11] * f + b[12]
    y = angle + a[8] * f + a[9] + a[10] * g
    curve = (a[6] * f + a[7]) * (1 - (a[16] * g + a[17]) * np.sign(y))
    fy = sine(steep, a[0], (a[1] * f + a[2]) * (1 - a[15] * g**2) * f, curve, y)
    fy += a[11] * f + a[12] + (a[13] * f**2 + a[14] * f) * g
    z = angle + m[11] * f + m[12] + m[13] * g
    curve = bend * (1 - (m[19] * g + m[20]) * np.sign(z)) / (1 - m[10] * abs(g))
    mz = sine(turn, m[0], (m[1] * f**2 + m[2] * f) * (1 - m[18] * g**2), curve, z)
    return fx, fy, mz + m[14] * f + m[15] + (m[16] * f**2 + m[17] * f) * g


@pytest.mark.parametrize("year", ["89", "94"])
def test_pure_slip_is_the_formula(year: str, tmp_path: Path) -> None:
    file = tmp_path / "tyre.tir"
    file.write_text((samples.PAC_89 if year == "89" else samples.PAC_94).replace("[MODEL]", "[MODEL]\nUSE_MODE = 3"))
    tyre = TyreMagicFormula89("t", file=str(file))
    letters = {name: tyre.source().numbers[name] for name in samples.PAC94 if name in tyre.source().numbers}
    for fz, angle, percent, lean in STATES:
        fx, fy, mz = formula(letters, year, fz, angle, percent, lean)
        got = tyre.forces(fz, math.radians(angle), percent / 100, math.radians(lean))
        assert got == pytest.approx((fx, -fy, -mz), rel=1e-11, abs=1e-9)


@pytest.mark.parametrize("year", ["89", "94"])
def test_combined_slip_stays_within_the_ellipse_of_the_peaks(year: str) -> None:
    """Forces without vertical shifts; the peaks are D of either curve."""
    coefficients = dict(TyreMagicFormula89.example["coefficients"])
    tyre = TyreMagicFormula89("t", coefficients=coefficients, year=year)
    for fz in (500.0, 4000.0, 11000.0):
        f = fz / 1e3
        most_x, most_y = -20 * f**2 + 1150 * f, -20 * f**2 + 1100 * f
        for angle in np.radians(np.linspace(-30, 30, 25)):
            for slip in np.linspace(-1, 1, 41):
                fx, fy, _ = tyre.forces(fz, angle, slip)
                assert math.hypot(fx / most_x, fy / most_y) <= 1 + 1e-12
    alone, both = tyre.forces(4000, 0.1, 0.0)[1], tyre.forces(4000, 0.1, 0.2)[1]
    assert abs(both) < 0.7 * abs(alone)


def test_beyond_the_loads_of_the_file_forces_are_in_proportion(tmp_path: Path) -> None:
    file = tmp_path / "tyre.tir"
    file.write_text(samples.PAC_94)
    tyre = TyreMagicFormula89("t", file=str(file))
    assert tyre.loads() == (200.0, 9500.0)
    at_end, over = np.array(tyre.forces(9500, 0.05, 0.02)), np.array(tyre.forces(19000, 0.05, 0.02))
    np.testing.assert_allclose(over, 2 * at_end, rtol=1e-14)


def test_faults() -> None:
    good = dict(TyreMagicFormula89.example["coefficients"])
    for change, text in (
        ({"A3": -5.0}, "A3 must be positive"),
        ({"D3": 1.0}, "unknown coefficient"),
        ({"B4": math.inf}, "not a finite number"),
        ({"A2": 1e9}, "no coefficient of a tyre"),
        ({"A15": 1.0}, "unknown coefficient"),
    ):
        with pytest.raises(InputError, match=text):
            TyreMagicFormula89("t", coefficients={**good, **change}).checked()
    del good["A4"]
    with pytest.raises(InputError, match="A4 missing"):
        TyreMagicFormula89("t", coefficients=good).checked()


def test_mirrored() -> None:
    tyre = TyreMagicFormula89("t", coefficients=samples.PAC94, year="94")
    other = TyreMagicFormula89("t", coefficients=samples.PAC94, year="94", mirrored=True)
    fx, fy, mz = tyre.forces(4000, 0.05, 0.02, 0.03)
    assert other.forces(4000, -0.05, 0.02, -0.03) == pytest.approx((fx, -fy, -mz), rel=1e-13)
