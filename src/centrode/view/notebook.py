"""A recording inside a notebook: its facts, the replay in a frame of its own, and the table of its channels.

A notebook keeps what it shows in its file, so the replay is bounded: long runs are thinned to :data:`MOST_POSES` poses,
and where the page still is larger than :data:`MOST_BYTES` a picture takes its place (through Chromium, when there is
one). ``CENTRODE_NOTEBOOK=table`` leaves the replay out altogether.
"""

from __future__ import annotations

import base64
import dataclasses
import html
import os

import numpy as np

from centrode.errors import CentrodeError
from centrode.recording.recording import Recording
from centrode.recording.store import LazyChannels
from centrode.view.page import page_of
from centrode.view.scene import body_names

MOST_POSES = 150_000
"""Bodies times frames of a replay in a notebook."""
MOST_BYTES = 4_000_000
HEIGHT = 440


def frame(page: str, height: int) -> str:
    """A page inside another one; it runs its own script and may do nothing else."""
    inner = html.escape(page, quote=True)
    return (
        f'<iframe srcdoc="{inner}" sandbox="allow-scripts" style="width:100%;height:{height}px;border:0" '
        'title="Centrode replay"></iframe>'
    )


def replay_html(run: Recording, height: int = HEIGHT) -> str:
    """The replay of a recording for a notebook; a picture or a hint where it is too large, nothing without bodies."""
    if os.environ.get("CENTRODE_NOTEBOOK", "") == "table" or not len(run.time):
        return ""
    bodies = len(body_names(run))
    if not bodies:
        return ""
    try:
        step = max(1, -(-bodies * len(run.time) // MOST_POSES))
        page = page_of(run if step == 1 else thinned(run, step))
    except CentrodeError as error:  # no script to show it with, or a scene that cannot be made: the table is enough
        return f"<p>no replay: {html.escape(str(error).splitlines()[0])}</p>"
    if len(page) > MOST_BYTES:
        return _picture(run, len(page))
    hint = f"<p>every {step}th frame; <code>run.view()</code> shows all</p>" if step > 1 else ""
    return frame(page, height) + hint


def _picture(run: Recording, size: int) -> str:
    hint = f"<p>the replay has {size / 1e6:.0f} MB; <code>run.save_html('run.html')</code> writes it</p>"
    try:
        from centrode.view.pictures import Look, picture

        data = base64.b64encode(picture(run, look=Look(960, 540))).decode("ascii")
    except CentrodeError:
        return hint
    return f'<img style="max-width:100%" src="data:image/png;base64,{data}" alt="the last frame">' + hint


def thinned(run: Recording, step: int) -> Recording:
    """A recording with every n-th frame and the last one; channels are read when asked for."""
    kept = np.unique(np.append(np.arange(0, len(run.time), step), len(run.time) - 1))
    return Recording(
        time=run.time[kept],
        data=LazyChannels(run, lambda name: np.asarray(run[name][kept])),
        channels=list(run.channels.values()),
        coordinates=run.coordinates,
        account=dataclasses.replace(run.account, final_state={}),
        made_of=run.made_of,
    )
