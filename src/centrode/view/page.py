"""The offline page: one HTML file with viewer, scene and frames, that asks nobody for anything.

Its content security policy forbids every request: scripts and styles run only when their SHA-256 stands in the policy,
and those are the ones written into the page.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from centrode.errors import CentrodeError, InputError
from centrode.recording.recording import Recording
from centrode.texts import AnyPath, Say, output_file, whole_file
from centrode.view import bundle
from centrode.view.frames import deflated
from centrode.view.scene import Scene, scene_of

_PAGE_STYLE = "html,body{height:100%;margin:0}#centrode{height:100vh}"


def save_html(run: Recording, path: AnyPath, *, plots: Sequence[str] | None = None, say: Say = None) -> Path:
    """Write a recording as one HTML file that plays anywhere, without a network.

    Args:
        run: the recording.
        path: file to write.
        plots: channels to plot below the scene; a selection by default.
        say: called with a line of text before something that takes time.
    """
    target = output_file(path)
    write_text(target, page_of(run, plots=plots, say=say))
    return target


def page_of(run: Recording, *, plots: Sequence[str] | None = None, say: Say = None) -> str:
    """The page of a recording as text."""
    scene = scene_of(run, plots=plots)
    return page(scene.data["title"], replay_parts(scene), say=say)


def replay_parts(scene: Scene) -> str:
    """The elements that hold a replay: where it is shown, its scene and its frames."""
    return (
        '<div id="centrode"></div>\n'
        f'<script type="application/json" id="centrode-scene">{embedded_json(scene.data)}</script>\n'
        f'<script type="application/octet-stream" id="centrode-frames">{deflated(scene.stream)}</script>\n'
    )


def page(
    title: str, body: str, *, style: str = _PAGE_STYLE, connect: str = "'none'", script: str = "viewer", say: Say = None
) -> str:
    """A whole page around its body, with the viewer's script and a policy that allows nothing else.

    Args:
        title, body: of the page; the body holds no script that runs.
        style: style sheet beside that of the viewer.
        connect: source of the policy for connections; the live page talks to its own server.
        script: "viewer" (3D), "figure" (plots to explore) or "" for a page of text.
        say: called with a line of text before something that takes time.
    """
    code, sheet = script_files(script, say) if script else ("", "")
    styles = [text for text in (sheet, style) if text]
    allowed_styles = " ".join(_hash(text) for text in styles) or "'none'"
    allowed_scripts = _hash(code) if code else "'none'"
    policy = (
        f"default-src 'none'; script-src {allowed_scripts}; style-src {allowed_styles}; "
        f"img-src data: blob:; connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    sheets = "".join(f"<style>{text}</style>\n" for text in styles)
    program = f"<script>{code}</script>\n" if code else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(title)}</title>\n{sheets}</head>\n<body>\n{body}{program}</body>\n</html>\n"
    )


def script_files(name: str, say: Say = None) -> tuple[str, str]:
    """A script and its style sheet, fit to stand inside a page."""
    try:
        script, sheet = bundle.built(name, say)
    except bundle.BundleError as error:
        raise CentrodeError(str(error)) from error
    if "</script" in script.lower() or "</style" in sheet.lower():
        raise CentrodeError("the viewer's script cannot be embedded in a page")
    return script, sheet


def embedded_json(data: Any) -> str:
    """JSON that cannot end the element it stands in, whatever names a scenario has."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    try:
        with whole_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    except IsADirectoryError:
        raise InputError("the output is a folder", got=str(path), expected="a file name such as run.html") from None


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"
