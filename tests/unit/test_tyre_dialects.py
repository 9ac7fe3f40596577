"""Dialects of tyre property files: versions, units, odd entries, encodings; thousands of damaged files."""

import math
import random
from pathlib import Path

import pytest
import tyre_samples as samples

from centrode.errors import InputError
from centrode.parts.tyres.magic_formula import TyreMagicFormula
from centrode.parts.tyres.magic_formula_89 import TyreMagicFormula89
from centrode.parts.tyres.tir import parse_tir, read_tir

EVERY = {**samples.ALL, **samples.OLD}


def faults_of(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_tir(text, "a.tir")
    return str(caught.value)


def tyre_of(text: str, folder: Path, **options: object) -> TyreMagicFormula:
    file = folder / f"tyre{len(list(folder.iterdir()))}.tir"
    file.write_text(text, encoding="utf-8")
    tyre = TyreMagicFormula("t", file=str(file), **options)  # type: ignore[arg-type]
    tyre.checked()
    return tyre


@pytest.mark.parametrize(
    ("name", "version", "dialect"),
    [
        ("mf-5", 50, "MF-Tyre 5.0 (FITTYP 5)"),
        ("mf-5.2", 52, "MF-Tyre 5.2 (FITTYP 6)"),
        ("pac2002", 52, "PAC2002"),
        ("mf-6.1", 61, "MF-Tyre 6.1 (FITTYP 61)"),
        ("pac89", 89, "Pacejka 1989"),
        ("pac94", 94, "Pacejka 1994"),
    ],
)
def test_versions(name: str, version: int, dialect: str) -> None:
    tir = parse_tir(EVERY[name])
    assert (tir.version, tir.dialect, tir.unknown) == (version, dialect, ())


@pytest.mark.parametrize(("number", "version"), [(21, 52), (52, 52), (60, 60), (62, 62)])
def test_other_numbers_of_versions(number: int, version: int) -> None:
    assert parse_tir(samples.MF_61.replace("= 61 ", f"= {number} ")).version == version


def test_without_a_model_the_coefficients_tell() -> None:
    for name, version in (("mf-5.2", 52), ("mf-6.1", 61), ("pac89", 89), ("pac94", 94)):
        text = EVERY[name].replace("FITTYP", "$").replace("PROPERTY_FILE_FORMAT", "$")
        tir = parse_tir(text)
        assert tir.version == version
        assert any("by its coefficients" in note for note in tir.notes)
    assert "FITTYP missing" in faults_of("[UNITS]\nLENGTH = 'm'\nFNOMIN = 3\n")


@pytest.mark.parametrize("other", ["FTIRE", "PAC_MC", "UATIRE", "Fiala"])
def test_other_models_are_refused_by_name(other: str) -> None:
    text = faults_of(samples.PAC2002.replace("'PAC2002'", f"'{other}'"))
    assert "another tyre model" in text
    assert "a.tir:10" in text


def test_a_motorcycle_tyre_is_refused() -> None:
    assert "motorcycle" in faults_of(samples.MF_52.replace("= 6 ", "= 52 ").replace("PCY1 ", "PCY2 = 0.5\nPCY1 "))


@pytest.mark.parametrize("name", ["mf-5.2", "pac2002", "mf-6.1"])
def test_units_apply_to_every_number_with_a_dimension(name: str, tmp_path: Path) -> None:
    """km, hours, kN, degrees and psi in place of SI: the same tyre to rounding."""
    factor = {"UNLOADED_RADIUS": 1e-3, "FNOMIN": 1e-3, "FZMIN": 1e-3, "FZMAX": 1e-3, "ALPMIN": 180 / math.pi}
    factor |= dict.fromkeys(("ALPMAX", "CAMMIN", "CAMMAX"), 180 / math.pi)
    factor |= dict.fromkeys(("IP", "IP_NOM", "INFLPRES", "NOMPRES"), 1 / 6894.757293168)
    units = {"meter": "km", "newton": "kN", "radian": "Degrees", "pascal": "PSI", "second": "hour"}
    plain = EVERY[name] + "[MORE]\nLONGVL = 20\nVERTICAL_STIFFNESS = 2e5\nVERTICAL_DAMPING = 50\nIYY = 0.7\n"
    lines = []
    for line in plain.splitlines():
        key, sign, value = (part.strip() for part in line.partition("="))
        number = value.partition("$")[0].strip()
        if key in factor:
            line = f"{key} = {float(number) * factor[key]!r}"
        for old, new in units.items():
            line = line.replace(f"'{old}'", f"'{new}'")
        lines.append(line)
    text = "\n".join(lines).replace("LONGVL = 20", "LONGVL = 72")  # a stiffness in kN/km is the same number
    text = text.replace("VERTICAL_DAMPING = 50", f"VERTICAL_DAMPING = {50 * 1e-3 * 1e3 / 3600!r}")
    text = text.replace("IYY = 0.7", "IYY = 0.7e-6")
    told, expected = parse_tir(text).numbers, parse_tir(plain).numbers
    assert set(told) == set(expected)
    for key, value in expected.items():
        if key not in ("IP", "IP_NOM"):
            assert told[key] == pytest.approx(value, rel=1e-13), key
    state = (3000, 0.05, 0.03, 0.02)
    one, other = tyre_of(text, tmp_path).forces(*state), tyre_of(plain, tmp_path).forces(*state)
    assert one == pytest.approx(other, rel=1e-12)


def test_sections_may_stand_in_any_order() -> None:
    blocks = samples.MF_61.split("[")
    turned = "[".join([blocks[0], *reversed(blocks[1:])])
    assert parse_tir(turned).numbers == parse_tir(samples.MF_61).numbers


def test_empty_entries_count_as_left_out() -> None:
    text = samples.MF_61.replace("KPUMIN           = -1.5", "KPUMIN =").replace(
        "[DIMENSION]", "[DIMENSION]\nWIDTH =  $ mm"
    )
    tir = parse_tir(text)
    assert "WIDTH" not in tir.numbers and "KPUMIN" not in tir.numbers
    assert any("without a value" in note and "WIDTH" in note and "KPUMIN" in note for note in tir.notes)
    assert "PKY1 missing" in faults_of(text.replace("PKY1             = -18.7", "PKY1 ="))


def test_tables_are_passed_over_and_stray_rows_are_not() -> None:
    table = "[SHAPE]\n{radial width}\n 1.0  0.0\n0.9, 1.0\n[DEFLECTION_LOAD_CURVE]\n0.05 17876.049\n"
    assert parse_tir(samples.MF_5 + table).numbers == parse_tir(samples.MF_5).numbers
    assert "neither section nor entry" in faults_of(samples.MF_5 + "1.0 2.0\n")


def test_unknown_entries_are_noted() -> None:
    tir = parse_tir(samples.MF_52 + "[MAKER]\nCONSTRUCTION = '0L'\nPCX7 = 3\n")
    assert set(tir.unknown) == {"CONSTRUCTION", "PCX7"}
    assert any("CONSTRUCTION" in note for note in tir.notes)


@pytest.mark.parametrize("value", ["inf", "-Infinity", "nan", "1e400", "-1.#IND", "1,04", "abc", "1.0 m"])
@pytest.mark.parametrize("name", ["PKX1", "FITTYP", "USE_MODE", "FNOMIN"])
def test_numbers_that_are_none_are_refused_with_their_line(name: str, value: str) -> None:
    lines = samples.MF_61.splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith(name + " "))
    lines[at] = f"{name} = {value}"
    text = faults_of("\n".join(lines))
    assert f"a.tir:{at + 1}: {name}" in text


def test_infinity_as_a_whole_number() -> None:
    for name in ("USE_MODE", "FITTYP"):
        assert name in faults_of(samples.MF_61.replace(f"{name:<16} =", f"{name} = 9{'9' * 400} $"))


def test_entries_that_stand_twice() -> None:
    assert "PCX1 stands twice" in faults_of(samples.MF_52.replace("PDX1 ", "PCX1 = 1.7\nPDX1 "))
    assert "two sections" in faults_of(samples.MF_52 + "[MORE]\nPCX1 = 1.7\n")
    tir = parse_tir(samples.MF_52.replace("PDX1 ", "PCX1 = 1.62\nPDX1 "))
    assert any("PCX1 stands twice" in note for note in tir.notes)
    assert parse_tir(samples.MF_52 + "[INERTIA]\nMASS = 9\n").numbers["MASS"] == 9.0  # and 'kg' in UNITS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings(encoding: str, newline: str, tmp_path: Path) -> None:
    file = tmp_path / "tyre.tir"
    text = samples.PAC2002.replace("made-up", "geprüft, 20 °C").replace("\n", newline)
    file.write_bytes(text.encode(encoding))
    assert read_tir(file).numbers == parse_tir(samples.PAC2002).numbers


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    big = tmp_path / "big.tir"
    big.write_bytes(b"x" * 4_000_001)
    with pytest.raises(InputError, match="no tyre property file"):
        read_tir(big)
    with pytest.raises(InputError, match="cannot read"):
        read_tir(tmp_path)


def test_negative_friction_is_the_same_tyre(tmp_path: Path) -> None:
    """D and B change their sign together; so do the coefficients that D multiplies."""
    turned = {name: -samples.LATERAL[name] for name in ("PDY1", "PDY2", "RVY1", "RVY2", "RVY3")} | {"QBZ10": -0.05}
    plain, other = tyre_of(samples.MF_52, tmp_path), tyre_of(samples.MF_52, tmp_path, coefficients=turned)
    assert any("PDY1 is negative" in note for note in other.notes())
    for state in ((3000, 0.05, 0.0, 0.0), (5000, -0.1, 0.08, 0.05)):
        assert other.forces(*state) == pytest.approx(plain.forces(*state), rel=1e-14)


def test_a_range_of_one_side_is_extended_and_an_empty_one_left_out(tmp_path: Path) -> None:
    braked = tyre_of(samples.MF_52.replace("KPUMAX           = 1.5", "KPUMAX = 0"), tmp_path)
    assert braked.forces(4000, 0.0, 0.1)[0] > 3000
    assert any("one side" in note for note in braked.notes())
    empty = tyre_of(samples.MF_52.replace("= -0.25", "= 0.0").replace("= 0.25", "= 0.0"), tmp_path)
    assert empty.settled()[0]["CAMMAX"] == 0.5
    with pytest.raises(InputError, match="KPUMIN must be below KPUMAX"):
        tyre_of(samples.MF_52.replace("KPUMIN           = -1.5", "KPUMIN = 2"), tmp_path)


def test_a_side_force_along_the_slide_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tyre0\.tir:\d+: PKY1: the side force would push along the slide"):
        tyre_of(samples.MF_52.replace("= -18.7", "= 18.7"), tmp_path)


def test_pressure_of_pac2002_is_that_of_6_1(tmp_path: Path) -> None:
    tyre = tyre_of(samples.PAC2002, tmp_path)
    values, _ = tyre.settled()
    assert (values["INFLPRES"], values["NOMPRES"], values["PPZ1"]) == (2.4e5, 2.0e5, 0.5)
    at_nominal = tyre_of(samples.PAC2002, tmp_path, pressure=2.0e5)
    assert at_nominal.forces(4100, 0.05) == pytest.approx(
        tyre_of(samples.MF_52, tmp_path).forces(4100, 0.05), rel=1e-14
    )
    assert tyre.forces(4100, 0.05)[1] != pytest.approx(at_nominal.forces(4100, 0.05)[1], rel=1e-3)
    scaled = tyre_of(samples.PAC2002, tmp_path, coefficients={"LIP": 1.25})
    assert scaled.settled()[0]["INFLPRES"] == pytest.approx(3.0e5)


def test_use_mode_below_zero_mirrors_and_modes_need_only_their_half(tmp_path: Path) -> None:
    plain = tyre_of(samples.MF_52, tmp_path)
    fx, fy, mz = plain.forces(4000, 0.05, 0.02, 0.03)
    mirrored = tyre_of(samples.MF_52.replace("= 14 ", "= -14 "), tmp_path)
    assert mirrored.forces(4000, -0.05, 0.02, -0.03) == pytest.approx((fx, -fy, -mz), rel=1e-12)
    lateral = samples.tir_text({"FITTYP": 6, "USE_MODE": 2}, samples.LATERAL, samples.ALIGNING)
    side = tyre_of(lateral, tmp_path).forces(4000, 0.05)
    assert side[0] == 0.0 and side[1] < -1000
    assert "PCX1 missing" in faults_of(lateral.replace("= 2 ", "= 4 "))


def test_without_coefficients_of_combined_slip_the_ellipse_acts(tmp_path: Path) -> None:
    none = {name: 0.0 for name in (*samples.LONGITUDINAL, *samples.LATERAL) if name[0] == "R"}
    tyre = tyre_of(samples.MF_52, tmp_path, coefficients=none)
    assert any("friction ellipse" in note for note in tyre.notes())
    assert abs(tyre.forces(4100, 0.1, 0.15)[1]) < 0.8 * abs(tyre.forces(4100, 0.1, 0.0)[1])
    with_it = tyre_of(samples.ELLIPSE, tmp_path, coefficients=none).forces(4100, 0.1, 0.15)
    without = tyre_of(samples.PAC2002, tmp_path, coefficients=none).forces(4100, 0.1, 0.15)
    assert with_it == without


def test_each_kind_sends_a_file_of_the_other_on(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="magic-formula-89"):
        tyre_of(samples.PAC_94, tmp_path)
    (tmp_path / "new.tir").write_text(samples.MF_61)
    with pytest.raises(InputError, match="take kind: magic-formula,"):
        TyreMagicFormula89("t", file=str(tmp_path / "new.tir")).checked()


@pytest.mark.parametrize("name", list(EVERY))
def test_forces_are_continuous(name: str, tmp_path: Path) -> None:
    """Along random lines through slips, load and camber no step of 1e-7 changes a force by more than its slope allows.

    Slopes are below 60 per unit slip and load (PKX1 = 23 with load effects), 20 per rad of camber.
    """
    file = tmp_path / "tyre.tir"
    file.write_text(EVERY[name])
    kind = TyreMagicFormula89 if name in samples.OLD else TyreMagicFormula
    tyre = kind("t", file=str(file))
    row, law = tyre.pack(), kind.law
    rng = random.Random(5)
    zeros = [0.0, -samples.LONGITUDINAL["PHX1"], -samples.LATERAL["PHY1"]]
    for _ in range(400):
        load = rng.uniform(300, 9000)
        angle, slip = (rng.choice([*zeros, rng.uniform(-0.5, 0.5)]) for _ in range(2))
        camber, h = rng.choice([0.0, rng.uniform(-0.2, 0.2)]), 1e-7
        here = law(row, load, angle, slip, camber, 20.0)
        for step in ((h, 0.0, 0.0), (0.0, h, 0.0), (0.0, 0.0, h)):
            there = law(row, load, angle + step[0], slip + step[1], camber + step[2], 20.0)
            # E jumps with the sign of the slip (PEX4, PEY3), where the bend of the curve is of third order: no jump
            assert max(abs(a - b) for a, b in zip(here, there, strict=True)) < 120.0 * load * h


WORDS = [
    "",
    "[",
    "[]",
    "[UNITS]",
    "=",
    "A =",
    "X = 'open",
    "1e999",
    "-inf",
    "nan",
    "'kN'",
    "'degree'",
    "0",
    "-1",
    "1e300",
]
WORDS += [
    "1e-300",
    "$",
    "!",
    "{x y}",
    "1 2 3",
    "\x00",
    "é",
    "'PAC94'",
    "'PAC2002'",
    "61",
    "6",
    "5",
    "-14",
    "99999999999999",
]


def damaged(text: str, rng: random.Random) -> str:
    """A text with some lines lost, doubled, moved or written over, some values changed, perhaps cut off."""
    lines = text.splitlines()
    for _ in range(rng.randint(1, 6)):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        what = rng.randrange(7)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(other, lines[at])
        elif what == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif what == 3:
            lines[at] = rng.choice(WORDS)
        elif what == 4:
            lines[at] = lines[at].partition("=")[0] + "= " + rng.choice(WORDS)
        elif what == 5:
            head, _, tail = lines[at].partition("=")
            lines[at] = f"{head}= {rng.choice([-1, 1]) * 10 ** rng.uniform(-12, 12)!r}" if tail else lines[at]
        else:
            characters = list(lines[at])
            if characters:
                characters[rng.randrange(len(characters))] = rng.choice("=[]'$!{}.,eE-+ 9\t\u2028")
            lines[at] = "".join(characters)
        if not lines:
            break
    whole = rng.choice(["\n", "\r\n"]).join(lines)
    return whole if rng.random() < 0.9 else whole[: rng.randrange(len(whole) + 1)]


@pytest.mark.parametrize("name", list(EVERY))
def test_damaged_files_give_a_fault_or_a_good_tyre(name: str, tmp_path: Path) -> None:
    """Seven dialects, 450 damaged files each: an InputError with its faults, or finite forces everywhere."""
    rng = random.Random(f"damage {name}")
    file = tmp_path / "tyre.tir"
    good = 0
    for _ in range(450):
        file.write_text(damaged(EVERY[name], rng), encoding=rng.choice(["utf-8", "utf-16", "utf-8"]))
        try:
            version = read_tir(file).version
            kind = TyreMagicFormula89 if version in (89, 94) else TyreMagicFormula
            tyre = kind("t", file=str(file))
            row = tyre.pack()
        except InputError as problem:
            assert problem.faults
            continue
        good += 1
        for _ in range(4):
            load, angle = 10 ** rng.uniform(0, 6), rng.uniform(-3, 3)
            slip, camber = rng.choice([0.0, -1.0, rng.uniform(-2, 2), 1e9]), rng.uniform(-1.5, 1.5)
            forces = kind.law(row, load, angle, slip, camber, rng.uniform(-50, 50))
            assert all(math.isfinite(value) for value in forces)
    assert 45 < good < 405
