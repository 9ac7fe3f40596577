"""``centrode tyre``: files, kinds, options, figures, faults."""

import json
import math
from pathlib import Path

import pytest
import tyre_samples as samples

import centrode as ct
from centrode.cli.main import run
from centrode.parts import registry


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "front.tir"
    path.write_text(
        samples.PAC2002.replace("[DIMENSION]", "[DIMENSION]\nWIDTH = 0.205\nASPECT_RATIO = 0.6\nRIM_RADIUS = 0.1905")
    )
    return str(path)


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["tyre", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = called(capsys)
    assert code == 0
    assert all(name in out for name in registry.kinds("tyre"))


def test_a_file_in_words(capsys: pytest.CaptureFixture[str], file: str) -> None:
    code, out, _ = called(capsys, file)
    assert code == 0
    for text in ("PAC2002", "205/60 R15", "free radius 0.318 m", "4100 N", "2.4 bar", "200 to 9500"):
        assert text in out


def test_a_file_as_json(capsys: pytest.CaptureFixture[str], file: str) -> None:
    """Stiffnesses in closed form at the nominal pressure and load; shifts change slopes by some 1e-3."""
    none = [word for name in ("PHX1", "PHY1", "PVY1", "RVY1") for word in ("--set", f"{name}=0")]
    code, out, _ = called(capsys, file, "--json", "--pressure", "2 bar", *none)
    said = json.loads(out)
    assert code == 0
    assert (said["dialect"], said["pressure"], said["nominal_load"]) == ("PAC2002", 2e5, 4100.0)
    half, point, more = said["points"]
    assert (half["load"], point["load"], more["load"]) == (2050.0, 4100.0, 6150.0)
    assert point["slip_stiffness"] == pytest.approx(23.4 * 4100.0, rel=2e-3)
    assert point["cornering_stiffness"] == pytest.approx(18.7 * 4100.0 * math.sin(2 * math.atan(1 / 1.83)), rel=2e-3)
    # D, and for Fx the vertical shift of 0.002 F; the grid is below the peak by 1e-6
    assert point["cornering"] == pytest.approx(0.97, rel=2e-6)
    assert point["driving"] == pytest.approx(1.08 + 0.002, rel=2e-6)


def test_load_and_camber(capsys: pytest.CaptureFixture[str], file: str) -> None:
    code, out, _ = called(capsys, file, "--json", "--load", "3 kN", "--camber-deg", "3")
    said = json.loads(out)
    assert code == 0
    assert [point["load"] for point in said["points"]] == [1500.0, 3000.0, 4500.0]
    assert said["camber"] == pytest.approx(math.radians(3))


@pytest.mark.parametrize("kind", sorted(registry.kinds("tyre")))
def test_every_kind_by_its_name(capsys: pytest.CaptureFixture[str], kind: str) -> None:
    code, out, _ = called(capsys, kind, "--json")
    point = json.loads(out)["points"][1]
    assert code == 0
    assert 0.5 < point["cornering"] < 1.5 and 0.5 < point["braking"] < 1.5
    assert point["cornering_stiffness"] > 2e4 and point["slip_stiffness"] > 3e4


def test_old_files_are_read_by_the_other_kind(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "old.tir"
    path.write_text(samples.PAC_89)
    code, out, _ = called(capsys, str(path))
    assert code == 0 and "magic-formula-89, Pacejka 1989" in out


def test_figures(capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path) -> None:
    for ending in ("png", "svg"):
        target = tmp_path / f"front.{ending}"
        code, out, _ = called(capsys, file, "--figure", str(target))
        assert code == 0 and f"wrote {target}" in out
        assert target.stat().st_size > 20_000
    text = (tmp_path / "front.svg").read_text()
    for words in ("aligning moment", "combined slip", "carpet"):
        assert words in text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["none.tir"], "cannot read the file"),
        (["calspam"], "did you mean 'calspan'"),
        (["calspan", "--pressure", "2 bar"], "knows no pressure"),
        (["calspan", "--load", "3 kg"], "--load"),
        (["calspan", "--load", "-3"], "not a load"),
        (["calspan", "--camber-deg", "90"], "camber out of range"),
        (["magic-formula", "--pressure", "-1"], "not a pressure"),
        (["linear", "--set", "stiff=3"], "has no such field"),
        (["magic-formula", "--set", "PCX9=3"], "unknown coefficient"),
        (["calspan", "--figure", "tyre.xyz"], "unknown kind of figure"),
    ],
)
def test_faults_in_a_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], text: str) -> None:
    code, _, err = called(capsys, *arguments)
    assert code == 2
    assert text in err and "Traceback" not in err


@pytest.mark.compiled
def test_a_car_on_tyre_files(tmp_path: Path) -> None:
    """From files and from the same coefficients by name: the same run; softer tyres at the rear turn it tighter."""
    (tmp_path / "new.tir").write_text(samples.MF_52)
    (tmp_path / "old.tir").write_text(samples.PAC_94)
    fitted = {**samples.LONGITUDINAL, **samples.LATERAL, **samples.ALIGNING, **samples.RANGES}
    named = {**fitted, "FNOMIN": 4100.0, "UNLOADED_RADIUS": 0.318, "FITTYP": 6, "USE_MODE": 14}

    def yaw_rate(front: ct.Tyre, rear: ct.Tyre) -> float:
        system = ct.System()
        for part in (front, rear, ct.RoadPlane("flat")):
            system.add(part)
        system.add(ct.Car("car", road="flat", speed=20.0, chassis="rigid", tyre=("front", "rear")))
        system.add(ct.SpeedControl("driver", inputs="car.carriage", speed=20.0, steer=0.02))
        run = ct.simulate(system, duration=1.5, method="rk4", step=5e-3, frames=0.1)
        return float(run["car.body.omega"][-1, 2])

    new = ct.TyreMagicFormula("front", file=str(tmp_path / "new.tir"))
    old = ct.TyreMagicFormula89("rear", file=str(tmp_path / "old.tir"))
    from_files = yaw_rate(new, old)
    assert 0.05 < from_files < 0.3
    assert yaw_rate(ct.TyreMagicFormula("front", coefficients=named), old) == from_files
    soft = ct.TyreMagicFormula("rear", file=str(tmp_path / "new.tir"), coefficients={"LKY": 0.7})
    stiff = ct.TyreMagicFormula("rear", file=str(tmp_path / "new.tir"))
    assert yaw_rate(new, soft) > 1.1 * yaw_rate(new, stiff)


def test_a_broken_file_is_told_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.tir"
    path.write_text(samples.MF_61.replace("= -18.7", "= inf"))
    code, _, err = called(capsys, str(path))
    assert code == 2
    assert "PKY1: not a finite number, got 'inf'" in err and "bad.tir:" in err
