"""``centrode gradient``: a table, JSON, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from centrode.cli.main import run

PENDULUM = str(Path(__file__).parents[2] / "scenarios" / "mechanisms" / "double_pendulum.yaml")
SHORT = ("--set", "run.duration=0.5 s", "--quick")


def test_a_table_and_json(capsys):
    words = ["gradient", PENDULUM, "--of", "upper.angle@end", "--by", "upper.mass", *SHORT]
    assert run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["figure", "value", "by", "derivative"]
    assert lines[2].startswith("upper.angle@end") and "rad/kg" in lines[2]
    assert run([*words, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["derivatives"]
    assert (row["parameter"], row["unit"]) == ("upper.mass", "rad/kg")
    # Asked for 1e-6 of the derivative; the steps were not looked at.
    assert row["differencing"] <= 1e-6 * abs(row["value"])
    assert row["stepping"] == 0.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--of", "upper.angel@end", "--by", "upper.mass"], "did you mean 'upper.angle'"),
        (["--of", "upper.angle@end", "--by", "upper.mas"], "did you mean 'upper.mass'"),
        (["--of", "upper.angle@end"], "--by: nothing is asked for"),
        (["--by", "upper.mass"], "--of: nothing is asked for"),
        (["--of", "upper.angle@end", "--by", "upper.mass", "--accuracy", "2"], "between 0 and 1"),
    ],
)
def test_what_is_refused(words, said, capsys):
    assert run(["gradient", PENDULUM, *words, *SHORT]) == 2
    assert said in capsys.readouterr().err
