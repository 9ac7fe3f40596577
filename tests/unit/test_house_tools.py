"""The checks of the house themselves."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_file_past_the_limit_is_named(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("check_file_sizes", ROOT / "tools" / "check_file_sizes.py")
    assert spec is not None
    assert spec.loader is not None
    sizes = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sizes)
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "long.py").write_text("x = 1\n" * 601)
    (tmp_path / "room" / "full.py").write_text("x = 1\n" * 600)
    assert sizes.too_long(tmp_path) == [(tmp_path / "room" / "long.py", 601)]


def test_readme_names_the_test_command_that_ci_runs() -> None:
    commands = [line.strip() for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("    make")]
    assert commands[:2] == ["make demo", "make test"]
