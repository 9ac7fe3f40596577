"""No source file past 600 lines: a longer one is two things. Exit code 1 names those that are."""

from __future__ import annotations

import sys
from pathlib import Path

LIMIT = 600
SOURCES = Path(__file__).resolve().parent.parent / "src"


def too_long(folder: Path, limit: int = LIMIT) -> list[tuple[Path, int]]:
    """Python files below a folder with more lines than the limit, with their length."""
    lengths = ((path, len(path.read_text(encoding="utf-8").splitlines())) for path in sorted(folder.rglob("*.py")))
    return [(path, length) for path, length in lengths if length > limit]


def main() -> int:
    """Check the package."""
    found = too_long(SOURCES)
    for path, length in found:
        print(f"{path.relative_to(SOURCES.parent)}: {length} lines, {LIMIT} allowed; split it where it is two things")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
