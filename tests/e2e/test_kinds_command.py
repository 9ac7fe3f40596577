"""``centrode kinds``: every family and every kind can be asked for, in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import centrode as ct
from centrode.cli.commands.kinds import command
from centrode.dynamics.examples import NEEDS_MORE
from centrode.errors import InputError
from centrode.parts import registry
from centrode.scenario.tree import parse
from centrode.scenario.writing import field_values

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


@pytest.mark.parametrize(("family", "kind"), ALL)
def test_every_kind_shows_an_example_in_python_and_in_a_file(family, kind):
    """The README promised an example; there was none, nor the name in Python."""
    found = json.loads(said(family, kind, "--json"))
    written, called = found["example"]["file"], found["example"]["python"]
    text = said(family, kind)
    assert written in text and called in text and found["python"] in said(family)
    part = eval(called, {"ct": ct})
    assert part.kind == kind and part.family == family
    ((section, entries),) = parse(written).plain().items()
    ((name, values),) = entries.items()
    assert (section, name, values.pop("kind")) == (registry.section_of(family), part.name, kind)
    again = field_values(part)
    assert {key: again[key] for key in values} == values
    if (family, kind) not in NEEDS_MORE:
        assert part.faults() == []


def test_a_kind_of_a_plugin_goes_by_its_class(tmp_path):
    plugins = Path(__file__).parents[2] / "examples" / "plugins"
    text = said("contact_law", "--plugin", str(plugins / "rubber_bumper.py"))
    assert "  RubberBumper  " in text and "ct.RubberBumper" not in text


def test_a_family_may_be_named_as_in_a_file():
    assert said("joints") == said("joint")
    assert "revolute" in said("joint")


@pytest.mark.parametrize(
    ("arguments", "nearest"), [(("jint",), "joint"), (("joint", "revolut"), "revolute"), (("roads", "splin"), "spline")]
)
def test_misspelt_names_are_answered_with_the_nearest(arguments, nearest):
    with pytest.raises(InputError, match=f"did you mean '{nearest}'"):
        CliRunner().invoke(command, list(arguments), catch_exceptions=False)


def test_a_kind_for_a_family_is_told_where_it_belongs():
    """`centrode kinds box` was answered with the family 'body'."""
    with pytest.raises(InputError, match="centrode kinds outline box or centrode kinds shape box"):
        CliRunner().invoke(command, ["box"], catch_exceptions=False)
