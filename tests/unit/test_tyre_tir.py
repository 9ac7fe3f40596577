"""Reader of .tir files: units, faults with file and line, and no crash on any text."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from centrode.errors import InputError
from centrode.parts.tyres.tir import parse_tir, read_tir

TIR = Path(__file__).parent / "data" / "passenger.tir"
TEXT = TIR.read_text()


def faults_of(text, **options):
    with pytest.raises(InputError) as caught:
        parse_tir(text, "a.tir", **options)
    return caught.value.faults


def test_sample_file():
    tir = read_tir(TIR)
    assert tir.version == 61
    assert tir.use_mode == 14
    assert tir.texts["TYRESIDE"] == "LEFT"
    assert tir.numbers["PKY1"] == -15.3
    assert tir.numbers["MASS"] == 9.3
    assert tir.texts["MASS"] == "kg"


def test_units_are_turned_into_si():
    text = (
        TEXT.replace("'meter'", "'mm'")
        .replace("'newton'", "'kN'")
        .replace("'radian'", "'degree'")
        .replace("'pascal'", "'bar'")
        .replace("UNLOADED_RADIUS = 0.313", "UNLOADED_RADIUS = 313")
        .replace("FNOMIN   = 4000", "FNOMIN = 4")
        .replace("NOMPRES  = 220000", "NOMPRES = 2.2")
        .replace("ALPMAX   =  1.5", "ALPMAX = 85.94366926962348")
    )
    numbers = parse_tir(text).numbers
    assert numbers["UNLOADED_RADIUS"] == pytest.approx(0.313, rel=1e-14)
    assert numbers["FNOMIN"] == pytest.approx(4000, rel=1e-14)
    assert numbers["NOMPRES"] == pytest.approx(2.2e5, rel=1e-14)
    assert numbers["ALPMAX"] == pytest.approx(1.5, rel=1e-14)


def test_all_faults_with_lines():
    text = TEXT.replace("FITTYP   = 61", "FITTYP = 7").replace("PDX1 = 1.04", "PDX1 = 1,04").replace("'kg'", "'kg' x")
    text = text.replace("PRESSURE = 'pascal'", "PRESSURE = 'pascl'").replace("PCY1 = 1.34", "PCY1 1.34")
    faults = faults_of(text, required=("PCY1",))
    assert {fault.line for fault in faults} >= {8, 10}
    assert all(fault.file == "a.tir" for fault in faults)
    text_of_all = "\n".join(map(str, faults))
    for word in ("FITTYP", "PDX1", "pascal", "PCY1 missing", "neither section nor entry"):
        assert word in text_of_all


def test_missing_version_and_double_entry():
    assert any("FITTYP missing" in fault.what for fault in faults_of(TEXT.replace("FITTYP", "FITTYPE")))
    twice = faults_of(TEXT.replace("PCX1 = 1.58", "PCX1 = 1.58\nPCX1 = 2"))
    assert [fault.what for fault in twice] == ["PCX1 stands twice"]


def test_missing_file(tmp_path):
    with pytest.raises(InputError):
        read_tir(tmp_path / "none.tir")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_never_crash(data):
    try:
        parse_tir(data.decode("utf-8", errors="replace"))
    except InputError as problem:
        assert problem.faults


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_files_never_crash(data):
    lines = TEXT.splitlines()
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(lines) - 1))
        lines[place] = data.draw(
            st.sampled_from(["", "[", "[]", "A = ", "=", "X = 'open", "FITTYP = 1e999", "$", "{x y}"])
        )
    try:
        parse_tir("\n".join(lines), required=("PCX1",))
    except InputError as problem:
        assert problem.faults
