"""Kinds are found by looking; plugins are loaded by path; whatever is wrong with them is said clearly."""

import os
import subprocess
import sys

import pytest

from centrode.errors import InputError
from centrode.parts import registry

PLUGIN = '''
from dataclasses import dataclass
from typing import ClassVar
from centrode.parts.part import Part, quantity

@dataclass(frozen=True)
class {name}(Part):
    """A test kind."""
    family: ClassVar[str] = "{family}"
    kind: ClassVar[str] = "{kind}"
    size: float = quantity("m", "size", {size})
'''


def write_plugin(path, name="Gadget", family="gadget", kind="plain", size=1.0):
    path.write_text(PLUGIN.format(name=name, family=family, kind=kind, size=size))
    return path


def test_built_in_kinds_are_found():
    assert "rigid" in registry.kinds("body")
    assert registry.find("joint", "revolute").__name__ == "Revolute"
    with pytest.raises(InputError, match=r"unknown family.*'boddy'.*did you mean 'body'"):
        registry.kinds("boddy")
    assert registry.default_kind("body") == "rigid"


def test_what_is_read_from_the_sources_is_what_importing_everything_finds():
    imported: dict[str, dict[str, tuple[str, str]]] = {}
    for room in registry.ROOMS:
        for module in registry.modules_of(room):
            for item in registry.kinds_of_module(module):
                imported.setdefault(item.family, {})[item.kind] = (item.__module__, item.__qualname__)
    read = registry.kinds_in_sources(registry.ROOMS)
    assert {family: {kind: tuple(home) for kind, home in kinds.items()} for family, kinds in read.items()} == imported
    assert sum(map(len, imported.values())) > 100


def test_a_kind_is_imported_when_it_is_asked_for():
    script = (
        "import sys; from centrode.parts import registry\n"
        "assert 'revolute' in registry.families()['joint']; assert registry.default_kind('body') == 'rigid'\n"
        "before = [name for name in sys.modules if name.startswith('centrode.parts.joints')]\n"
        "registry.find('joint', 'revolute')\n"
        "print(before, 'centrode.parts.joints.revolute' in sys.modules, 'centrode.parts.joints.rope' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["[]", "True", "False"]


def test_an_edit_within_the_second_of_the_last_load_is_seen(tmp_path):
    """Same length, same time stamp: byte code that Python keeps beside the file would be taken for current."""
    plugin = write_plugin(tmp_path / "gadgets.py", size=1.0)
    stamp = plugin.stat().st_mtime_ns
    looked_up = "registry.find('gadget', 'plain', sys.argv[1:])('a').size"
    script = f"import sys; from centrode.parts import registry; print({looked_up})"
    for size in (1.0, 2.0):
        write_plugin(plugin, size=size)
        os.utime(plugin, ns=(stamp, stamp))
        done = subprocess.run([sys.executable, "-c", script, str(plugin)], capture_output=True, text=True, timeout=60)
        assert float(done.stdout) == size, done.stderr


def test_misspelt_names_get_the_nearest():
    with pytest.raises(InputError, match="did you mean 'revolute'"):
        registry.find("joint", "revolut")
    with pytest.raises(InputError, match="did you mean 'joint'"):
        registry.find("joints", "revolute")


def test_plugin_kinds_are_known_only_where_the_plugin_is_given(tmp_path):
    plugin = write_plugin(tmp_path / "gadgets.py")
    assert registry.kinds("gadget", [plugin])["plain"].__name__ == "Gadget"
    assert registry.default_kind("gadget", [plugin]) == "plain"
    assert registry.kinds("gadget", str(plugin)) == registry.kinds("gadget", [plugin])
    assert "gadget" not in registry.families()


def test_plugins_of_one_name_in_two_folders_do_not_meet(tmp_path):
    for folder, size in (("one", 1.0), ("two", 2.0)):
        (tmp_path / folder).mkdir()
        write_plugin(tmp_path / folder / "gadgets.py", size=size)
    one = registry.find("gadget", "plain", [tmp_path / "one" / "gadgets.py"])
    two = registry.find("gadget", "plain", [tmp_path / "two" / "gadgets.py"])
    assert (one("a").size, two("a").size) == (1.0, 2.0)
    assert one.__module__ != two.__module__


def test_a_changed_plugin_is_loaded_anew(tmp_path):
    plugin = write_plugin(tmp_path / "gadgets.py")
    first = registry.find("gadget", "plain", [plugin])
    assert registry.find("gadget", "plain", [plugin]) is first
    write_plugin(plugin, size=3.0)
    assert registry.find("gadget", "plain", [plugin])("a").size == 3.0


def test_a_plugin_may_import_the_file_beside_it(tmp_path):
    (tmp_path / "beside_the_gadgets.py").write_text("SIZE = 7.0\n")
    plugin = write_plugin(tmp_path / "gadgets.py", size="SIZE")
    plugin.write_text("from beside_the_gadgets import SIZE\n" + plugin.read_text())
    before = list(sys.path)
    assert registry.find("gadget", "plain", [plugin])("a").size == 7.0
    assert sys.path == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (\n", "does not import: SyntaxError"),
        (
            "\n\nraise ValueError('no such thing')\n",
            "broken.py:3: the plugin does not import: ValueError: no such thing",
        ),
        ("raise SystemExit(3)\n", "does not import: SystemExit"),
        ("import no_such_module_anywhere\n", "ModuleNotFoundError"),
        ("x = 1\n", "defines no kind of part"),
    ],
)
def test_broken_plugins_are_faults(tmp_path, text, message):
    plugin = tmp_path / "broken.py"
    plugin.write_text(text)
    with pytest.raises(InputError) as caught:
        registry.load_plugin(plugin)
    assert message in str(caught.value)
    assert "no kind" in message or not any(name.startswith("centrode_plugin_broken") for name in sys.modules)


def test_missing_plugin_and_clash(tmp_path):
    with pytest.raises(InputError, match="plugin not found"):
        registry.load_plugin(tmp_path / "nothing.py")
    clash = write_plugin(tmp_path / "clash.py", family="body", kind="rigid")
    with pytest.raises(InputError, match="two kinds of body are called 'rigid'"):
        registry.kinds("body", [clash])


def test_sections_are_plurals():
    names = ("body", "joint", "tyre", "contact_law", "bus")
    assert [registry.section_of(name) for name in names] == ["bodies", "joints", "tyres", "contact_laws", "buses"]
