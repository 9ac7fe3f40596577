"""``centrode kinds``: every family and every kind can be asked for, in words and as JSON."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from centrode.cli.commands.kinds import command
from centrode.errors import InputError
from centrode.parts import registry

ALL = [(family, kind) for family, kinds in registry.families().items() for kind in kinds]


def said(*arguments: str) -> str:
    done = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_all_families_and_kinds_are_listed():
    text = said()
    for family, kind in ALL:
        assert family in text and kind in text
    assert json.loads(said("--json"))["joint"] == sorted(registry.kinds("joint"))


@pytest.mark.parametrize(("family", "kind"), ALL)
def test_every_kind_explains_its_fields(family, kind):
    text = said(family, kind)
    fields = json.loads(said(family, kind, "--json"))["fields"]
    assert text.startswith(f"{family} {kind}: ")
    for field in fields:
        assert field["meaning"] and field["field"] in text


def test_a_family_may_be_named_as_in_a_file():
    assert said("joints") == said("joint")
    assert "revolute" in said("joint")


@pytest.mark.parametrize(
    ("arguments", "nearest"), [(("jint",), "joint"), (("joint", "revolut"), "revolute"), (("roads", "splin"), "spline")]
)
def test_misspelt_names_are_answered_with_the_nearest(arguments, nearest):
    with pytest.raises(InputError, match=f"did you mean '{nearest}'"):
        CliRunner().invoke(command, list(arguments), catch_exceptions=False)
