"""``centrode ici`` from the command line: results, files, exit codes."""

import csv
import json
import math

import pytest

from centrode.cli.main import run


def call(capsys, *arguments):
    code = run(["ici", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def rates(tmp_path):
    file = tmp_path / "rates.csv"
    lines = [f"{n / 100},{20 + math.sin(n / 100)},0,{math.cos(n / 100)}" for n in range(301)]
    file.write_text("time,vx,vy,omega\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_tables_json(capsys):
    code, out, _ = call(capsys, "tables", "--json")
    data = json.loads(out)
    assert code == 0
    assert len(data["cells"]) == 105 + 30 + 70
    assert data["summary"]["table 1 e1"]["equal"] == 23
    assert all(cell["explained"] for cell in data["cells"])


def test_tables_text(capsys):
    code, out, _ = call(capsys, "tables", "--table", "1", "--wrong")
    assert code == 0
    assert "63891.44" in out and "row slip" in out
    assert "565.79" not in out  # a right cell


def test_run_writes_path_and_figure(capsys, tmp_path, rates):
    out_file, figure = tmp_path / "path.csv", tmp_path / "path.png"
    code, out, _ = call(capsys, "run", rates, "--out", out_file, "--figure", figure, "--rates-at", "midpoint")
    assert code == 0 and "300 steps" in out
    with out_file.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 301
    # Heading is the integral of the yaw rate, sin t; the table is linear between rows 0.01 s apart.
    assert math.atan2(float(rows[-1]["uy"]), float(rows[-1]["ux"])) == pytest.approx(math.sin(3.0), abs=1e-5)
    assert figure.read_bytes()[:4] == b"\x89PNG"
    assert "<svg" in figure.with_suffix(".svg").read_text(encoding="utf-8")


def test_run_json_and_thesis_frame(capsys, tmp_path, rates):
    ends = []
    for extra in ((), ("--thesis-frame",)):
        code, out, _ = call(capsys, "run", rates, "--out", tmp_path / "p.csv", "--json", *extra)
        assert code == 0
        ends.append(json.loads(out)["end"])
    assert ends[0]["x"] == pytest.approx(ends[1]["x"], abs=1e-12)
    assert ends[0]["y"] == pytest.approx(-ends[1]["y"], abs=1e-12)


def test_studies(capsys):
    code, out, _ = call(capsys, "errors", "-k", 20, "--turns", 1, "-m", "ici-second", "--json")
    assert code == 0
    assert json.loads(out)[0]["rows"][0]["percent"] == pytest.approx(10.43, abs=0.005)
    code, out, _ = call(capsys, "steps", "-e", 10, "-m", "ici-second", "--json")
    assert code == 0
    assert json.loads(out)[0]["dt_real"] == pytest.approx(1.379e-2, rel=1e-3)
    code, out, _ = call(capsys, "stability", "-k", 4, "--json")
    assert code == 0
    assert {row["method"]: row["verdict"] for row in json.loads(out)}["ici-first"] == "grows"
    code, out, _ = call(capsys, "equations")
    assert code == 0 and "(36)" in out
    code, out, _ = call(capsys, "cost", "--json")
    assert code == 0
    assert json.loads(out)[1]["units"] == 332


def test_helix(capsys):
    code, out, _ = call(capsys, "helix", "--json")
    assert code == 0
    data = json.loads(out)
    # v = 30 along x, w = (0.6, 0, 1.2): curvature 1.2/30, torsion 0.6/30.
    assert data["geometry"]["curvature [1/m]"] == pytest.approx(0.04)
    assert data["geometry"]["torsion [1/m]"] == pytest.approx(0.02)
    orders = {row["method"]: row["order"] for row in data["methods"]}
    assert orders["ici-split"] == pytest.approx(1.0, abs=0.15)
    assert orders["ici-split-symmetric"] == pytest.approx(2.0, abs=0.15)
    assert orders["ici-exact"] is None
    code, out, _ = call(capsys, "helix")
    assert code == 0 and "curvature" in out


def test_errors_with_rates_and_radius(capsys, rates):
    code, out, _ = call(
        capsys,
        "errors",
        "--rates",
        rates,
        "--dt",
        0.1,
        "--rows",
        1,
        "-m",
        "ici-exact",
        "--rates-at",
        "midpoint",
        "--json",
    )
    assert code == 0
    assert json.loads(out)[0]["rows"][0]["error"] < 0.1
    code, by_radius, _ = call(capsys, "errors", "--radius", -10, "-m", "ici-second", "--json")
    code_2, by_rate, _ = call(capsys, "errors", "--yaw-rate", -10, "-m", "ici-second", "--json")
    assert code == code_2 == 0
    assert by_radius == by_rate


def test_figures(capsys, tmp_path):
    code, out, _ = call(capsys, "figures", "--out", tmp_path / "figures")
    assert code == 0
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    expected = ("figure_3_k20", "figure_4_k100", "figure_a1_k2", "figure_a2_k4", "error_cost", "stability", "centrodes")
    assert names == {f"ici_{name}.{kind}" for name in expected for kind in ("png", "svg")}
    assert len(out.split()) == len(names)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("errors", "-k", "0.5"), "points per turn below 1"),
        (("errors", "-m", "ici-exat"), "did you mean 'ici-exact'"),
        (("errors", "--turns", "0"), "turns must be positive"),
        (("errors", "--yaw-rate", "0"), "not zero"),
        (("errors", "--speed", "nan"), "finite"),
        (("errors", "--rates", "RATES"), "need a step"),
        (("errors", "--yaw-rate", "1", "--radius", "5"), "either"),
        (("errors", "--radius", "0"), "not zero"),
        (("helix", "--steps", "0"), "steps must be positive"),
        (("helix", "--duration", "nan"), "duration"),
        (("stability", "-k", "0"), "points per turn below 1"),
        (("steps", "-e", "-1"), "must be positive"),
        (("run", "RATES", "--dt", "0"), "step must be positive"),
        (("run", "RATES", "--dt", "-1"), "step must be positive"),
        (("run", "RATES", "--end", "-1"), "end time lies before"),
        (("run", "RATES", "--end", "9"), "outside the table"),
        (("run", "RATES", "--method", "euler"), "unknown method"),
        (("run", "RATES", "--rates-at", "end"), "start or midpoint"),
        (("run", "RATES", "--keep-every", "0"), "keep_every"),
        (("run", "EMPTY"), "empty"),
        (("run", "NAN"), "not a finite number"),
        (("run", "nowhere.csv"), "cannot read"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(capsys, tmp_path, rates, arguments, words):
    empty, nan = tmp_path / "empty.csv", tmp_path / "nan.csv"
    empty.write_text("", encoding="utf-8")
    nan.write_text("time,vx,omega\n0,1,0\n1,1,nan\n", encoding="utf-8")
    files = {"RATES": rates, "EMPTY": empty, "NAN": nan}
    out = ("--out", tmp_path / "out.csv") if arguments[0] == "run" else ()
    code, _, error = call(capsys, *(files.get(argument, argument) for argument in arguments), *out)
    assert code == 2
    assert words in error
    assert len(error.strip().splitlines()) == 1
    assert "Traceback" not in error
