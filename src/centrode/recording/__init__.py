"""Recordings: what a run leaves behind. Start with ``recording.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from centrode.recording.channel import Channel
    from centrode.recording.events import Event, Events
    from centrode.recording.provenance import Provenance, Statistics, Status
    from centrode.recording.recording import Recording
    from centrode.recording.writer import RecordingWriter

__all__ = ["Channel", "Event", "Events", "Provenance", "Recording", "RecordingWriter", "Statistics", "Status"]

_HOMES = {
    "Channel": "channel",
    "Event": "events",
    "Events": "events",
    "Provenance": "provenance",
    "Recording": "recording",
    "RecordingWriter": "writer",
    "Statistics": "provenance",
    "Status": "provenance",
}


def __getattr__(name: str) -> Any:
    """Import a room only when somebody enters it: ``centrode --help`` needs no numpy."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"centrode.recording.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'centrode.recording' has no attribute '{name}'")
