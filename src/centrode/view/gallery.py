"""The gallery: a page of all scenarios in a folder, each with a picture, its replay and its report."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import html
import json
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from centrode.errors import CentrodeError, InputError
from centrode.recording.recording import Recording
from centrode.texts import Progress, Say
from centrode.view.browser import Browser
from centrode.view.page import page, page_of, write_text
from centrode.view.pictures import picture_at
from centrode.view.report import report_page

_STYLE = """
body { margin: 0 auto; max-width: 1180px; padding: 28px; color: #1d252c; background: #f4f7f9;
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { margin: 0 0 4px; } .room { font-size: 22px; margin-top: 30px; text-transform: capitalize; }
 .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(340px, 1fr)); gap: 20px;
  margin-top: 22px; }
article { background: #fff; border-radius: 10px; overflow: hidden; box-shadow: 0 1px 5px rgba(20, 40, 60, .16); }
article > a { display: block; margin: 0; }
article img { width: 100%; display: block; aspect-ratio: 16 / 9; object-fit: cover; background: #dfe8ee; }
article div { padding: 10px 16px 14px; } h2 { font-size: 17px; margin: 2px 0 4px; } p { margin: 4px 0; color: #46535d; }
a { color: #1f6f9f; margin-right: 14px; } .fact { font-size: 13px; color: #6a7781; } .failed { color: #a3341c; }
"""


@dataclass(frozen=True)
class Card:
    """One scenario of the gallery.

    Attributes:
        name: of its files; title, text: what it is; picture: PNG, or empty; fact: a line about the run.
        failure: why there is nothing to see; empty when all went well.
        room: heading under which it stands.
    """

    name: str
    title: str
    text: str = ""
    picture: bytes = b""
    fact: str = ""
    failure: str = ""
    room: str = ""


def build_gallery(
    source: Path, folder: Path, *, pictures: bool = True, progress: Progress = None, say: Say = None
) -> list[Card]:
    """Run all scenarios below ``source`` and write ``index.html``, a replay and a report of each beside it.

    A scenario that fails gets a card that says why; the others are made all the same. What was made before from the
    same scenario by the same version is kept, and the page is written after every card: a gallery can be interrupted.
    """
    scenarios = sorted([*source.rglob("*.yaml"), *source.rglob("*.yml")], key=lambda path: (len(path.parts), str(path)))
    if not scenarios:
        raise InputError("no scenarios for the gallery", got=str(source), expected="a folder with .yaml files")
    folder.mkdir(parents=True, exist_ok=True)
    cards = []
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(Browser(720, 405)) if pictures else None
        for index, path in enumerate(scenarios):
            cards.append(_card(path, path.relative_to(source), folder, browser, say))
            write_text(folder / "index.html", gallery_page(cards))
            if progress is not None:
                progress((index + 1) / len(scenarios))
    return cards


def _card(path: Path, short: Path, folder: Path, browser: Browser | None, say: Say) -> Card:
    from centrode.recording.provenance import version
    from centrode.running import simulate
    from centrode.scenario.loader import load

    name = "-".join(short.with_suffix("").parts)  # the same name may stand in two folders
    room = short.parts[0].replace("_", " ") if len(short.parts) > 1 else ""
    try:
        scenario = load(path)
        stamp = f"{scenario.digest} {version()}"
        kept = _kept(folder / f"{name}.json", stamp)
        if kept is not None:
            return kept
        began = clock.perf_counter()
        run = simulate(scenario)
        spent = clock.perf_counter() - began
        write_text(folder / f"{name}.html", page_of(run, say=say))
        write_text(folder / f"{name}-report.html", report_page(run, say=say))
        still = _still(run, folder / f"{name}.html", browser) if browser is not None else b""
        fact = f"{run.duration:g} s, {run.statistics.steps} steps, {spent:.2g} s of work, {run.status}"
        card = Card(name, scenario.title or name, scenario.description, still, fact, room=room)
    except CentrodeError as error:
        return Card(name, name, failure=str(error).splitlines()[0], room=room)
    plain = {**dataclasses.asdict(card), "picture": base64.b64encode(still).decode("ascii")}
    write_text(folder / f"{name}.json", json.dumps({"stamp": stamp, "card": plain}))
    return card


def _kept(path: Path, stamp: str) -> Card | None:
    """The card of an earlier gallery, when it was made from the same scenario."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["stamp"] != stamp:
            return None
        return Card(**{**data["card"], "picture": base64.b64decode(data["card"]["picture"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _still(run: Recording, page_file: Path, browser: Browser) -> bytes:
    browser.open(page_file)
    browser.wait_ready()
    browser.evaluate("centrode.overlay('trails', true); centrode.bare(true)")
    return picture_at(browser, float(run.time[0]) + 0.6 * run.duration)


def gallery_page(cards: Sequence[Card]) -> str:
    """The page of all cards."""
    parts = ["<h1>Centrode gallery</h1>", '<div class="cards">']
    room = ""
    for card in cards:
        if card.room != room:
            room = card.room
            parts.append(f'</div><h1 class="room">{html.escape(room)}</h1><div class="cards">')
        parts.append("<article>")
        if card.picture:
            data = base64.b64encode(card.picture).decode("ascii")
            parts.append(
                f'<a href="{html.escape(card.name)}.html"><img alt="{html.escape(card.title)}" '
                f'src="data:image/png;base64,{data}"></a>'
            )
        parts.append(f"<div><h2>{html.escape(card.title)}</h2>")
        if card.text:
            parts.append(f"<p>{html.escape(card.text.strip())}</p>")
        if card.failure:
            parts.append(f'<p class="failed">{html.escape(card.failure)}</p>')
        else:
            link = html.escape(card.name)
            parts.append(f'<p><a href="{link}.html">replay</a><a href="{link}-report.html">report</a></p>')
            parts.append(f'<p class="fact">{html.escape(card.fact)}</p>')
        parts.append("</div></article>")
    parts.append("</div>")
    return page("Centrode gallery", "\n".join(parts), style=_STYLE, script="")
