"""The scene of a recording: everything that the viewer shows, as plain data and one block of coded frames.

It is derived from the recording alone: the scenario text in its provenance gives the parts and with them the shapes,
the channels give the motion. A recording whose scenario cannot be read again (a plugin is missing) still plays, with
plain boxes for bodies.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.errors import CentrodeError, InputError
from centrode.parts.visual import Visual, VisualBox
from centrode.recording.export import chosen_channels
from centrode.recording.recording import Recording
from centrode.system.builder import System
from centrode.view import frames as coding
from centrode.view.appearance import Appearance, appearance_of
from centrode.view.dents import dent_entries
from centrode.view.marks import mark_entries

SCENE_FORMAT = 1
BODY_COLOURS = "#3d7ea6 #d1495b #66a182 #edae49 #8e6c8a #2e4057 #c97b63 #5b8e7d #7a6c5d #4f6d7a".split()
"""Colours of bodies in turn; chosen to stay apart in print and for the colour-blind."""

MOST_PLOTTED = 64
"""Scalar columns that go into a page for the plots, when none are asked for."""

_ENERGIES = ("energy.kinetic", "energy.gravity", "energy.stored", "energy.total")


@dataclass
class Scene:
    """What a page shows.

    Attributes:
        data: plain values for JSON: bodies, shapes, joints, events, plots.
        stream: coded frames, not yet deflated.
    """

    data: dict[str, Any]
    stream: bytes = b""


@dataclass
class _Columns:
    """Collects columns for one block."""

    parts: list[np.ndarray] = field(default_factory=list)
    steps: list[np.ndarray] = field(default_factory=list)
    count: int = 0

    def add(self, values: np.ndarray, steps: np.ndarray) -> int:
        """Append columns; returns the index of the first."""
        first = self.count
        self.parts.append(values)
        self.steps.append(np.broadcast_to(steps, (values.shape[1],)))
        self.count += values.shape[1]
        return first

    def block(self, frames: int) -> coding.FrameBlock:
        if not self.count or not frames:
            return coding.FrameBlock()
        return coding.encode(np.hstack(self.parts), np.concatenate(self.steps))


def scene_of(run: Recording, *, plots: Sequence[str] | None = None) -> Scene:
    """The scene of a recording.

    Args:
        run: the recording.
        plots: channels to plot under the scene ("arm.position", "arm.position.x", "arm"); a selection by default.
    """
    if not len(run.time):
        raise InputError("the recording has no frames", hint="run the scenario again")
    system, remarks = _system(run)
    names, pose = body_names(run), _Columns()
    bodies = [{**_body_entry(run, name, pose), "colour": colour_of(name, names)} for name in names]
    boxes: list[Visual] = [VisualBox(name, (0.3, 0.2, 0.1)) for name in names]
    look = appearance_of(system) if system is not None else Appearance(boxes, list(names), [], 0.3)
    signals, signal_names = _Columns(), [name for name in wanted_channels(look.visuals) if _known(run, name)]
    for name in signal_names:
        values = np.asarray(run[name], dtype=float).reshape(len(run.time), 1)
        signals.add(values, np.maximum(np.ptp(coding.held(values), axis=0) / 65535.0, 1e-4))
    arrows, joints = _joint_entries(run, look)
    plotted, plot_entries = _plot_entries(run, plots)
    dents = _Columns()
    dented = dent_entries(run, system, names, dents)
    blocks = {"pose": pose, "signals": signals, "arrows": arrows, "plots": plotted, "dents": dents}
    stream, headers = b"", {}
    for name, columns in blocks.items():
        block = columns.block(len(run.time))
        headers[name] = block.header(len(stream))
        stream += block.data
    data = {
        "format": SCENE_FORMAT,
        **stage_of(system, bodies, look),
        "title": run.provenance.title or "Centrode",
        "status": str(run.status),
        "remarks": remarks,
        "shapes": shape_entries(look, names),
        "joints": joints,
        "signals": signal_names,
        "plots": plot_entries,
        "dents": dented,
        "marks": mark_entries(run, look.visuals) if system is not None else [],
        "events": [
            {"time": float(item.time), "kind": item.kind, "subject": item.subject, **_event_point(item)}
            for item in run.events
            if np.isfinite(item.time)
        ],
        "frames": {"count": len(run.time), "time": _times(run.time), "blocks": headers},
    }
    return Scene(data, stream)


def _event_point(event: Any) -> dict[str, list[float]]:
    """Where a contact begins, when the event says so [m]."""
    values = [event.values.get(f"point_{axis}") for axis in "xyz"]
    if not event.kind.startswith("contact") or any(value is None or not np.isfinite(value) for value in values):
        return {}
    return {"point": [float(value) for value in values]}


def stage_of(system: System | None, bodies: list[dict[str, Any]], look: Appearance) -> dict[str, Any]:
    """Bodies, up direction and size: what replay and live driving have in common."""
    plane = bool(system.plane) if system is not None else all(item["form"] == "planar" for item in bodies)
    gravity = system.gravity if system is not None else (0.0, -9.81, 0.0) if plane else (0.0, 0.0, -9.81)
    up = up_direction(gravity, plane)
    # North-east-down is the frame of the sea; a vehicle for it may also swim in a world with z up.
    swims = system is not None and any(part.under_water for part in system.parts.values())
    return {"plane": plane, "up": up, "sea": swims or up[2] < 0, "size": look.size, "bodies": bodies}


def up_direction(gravity: Sequence[float], plane: bool) -> list[float]:
    """The axis that points up on the screen: against gravity, y in a weightless plane, z otherwise."""
    g = np.asarray(gravity, dtype=float)
    if not g.any():
        return [0.0, 1.0, 0.0] if plane else [0.0, 0.0, 1.0]
    k = int(np.abs(g).argmax())
    up = np.zeros(3)
    up[k] = -np.sign(g[k])
    return up.tolist()


def _system(run: Recording) -> tuple[System | None, list[str]]:
    """The parts, from the scenario that the recording carries; None, with a remark, when it cannot be read."""
    if run.made_of is None and not run.provenance.scenario_text:
        return None, ["the recording carries no scenario: shapes are unknown"]
    try:
        return run.scenario().system, []
    except CentrodeError as error:
        return None, [f"shapes are unknown: {str(error).splitlines()[0]}"]


ATTITUDES = {"deformable": "directors", "rigid": "orientation", "planar": "angle"}
"""Form of a body -> channel that says how it stands."""


def form_of(known: Container[str], body: str) -> str:
    """How a body moves, by the channels that are known of it; empty when it has no attitude."""
    return next((form for form, what in ATTITUDES.items() if f"{body}.{what}" in known), "")


def body_names(run: Recording) -> list[str]:
    """Names of all bodies whose motion is recorded, in order; a sensor has an acceleration, a body has none."""
    placed = [name.removesuffix(".position") for name in run if name.endswith(".position")]
    return [name for name in placed if form_of(run, name) and f"{name}.acceleration" not in run]


def wanted_channels(visuals: Iterable[Visual]) -> list[str]:
    """Channels that shapes follow: spin of wheels, turn of fins."""
    return list(dict.fromkeys(name for item in visuals for name in item.channels()))


def shape_entries(look: Appearance, names: list[str]) -> list[dict[str, Any]]:
    """Shapes as plain data; bodies by index, -1 for the ground. Shapes of unknown bodies are left out."""
    index = {name: k for k, name in enumerate(names)} | {"ground": -1}
    found = []
    for item, owner in zip(look.visuals, look.owners, strict=True):
        if not set(item.bodies()) <= set(index):
            continue
        entry = item.data()
        entry["body"] = index[item.body]
        if "through" in entry:
            entry["through"] = [index[body] for body in entry["through"]]
        if "other" in entry:
            if entry["other"] not in index:
                continue
            entry["other"] = index[entry["other"]]
        if not entry["colour"] and item.body != "ground":
            entry["colour"] = colour_of(item.body, names)
        entry["owner"] = owner
        found.append(entry)
    return found


def colour_of(body: str, names: list[str]) -> str:
    """Colour of a body; all bodies of a vehicle ("car1.wheel") share that of the vehicle."""
    owners = list(dict.fromkeys(name.split(".", maxsplit=1)[0] for name in names))
    return BODY_COLOURS[owners.index(body.split(".", maxsplit=1)[0]) % len(BODY_COLOURS)]


def _body_entry(run: Recording, name: str, pose: _Columns) -> dict[str, Any]:
    position, form = np.asarray(run[f"{name}.position"], dtype=float), form_of(run, name)
    first = pose.add(position, coding.position_steps(position))
    attitude = np.asarray(run[f"{name}.{ATTITUDES[form]}"], dtype=float).reshape(len(position), -1)
    if form == "rigid":
        pose.add(coding.reduce_quaternions(attitude), np.array([coding.QUATERNION_STEP] * 3 + [1.0]))
    else:
        pose.add(attitude, np.array(coding.QUATERNION_STEP))
    return {"name": name, "form": form, "column": first}


def _joint_entries(run: Recording, look: Appearance) -> tuple[_Columns, list[dict[str, Any]]]:
    """Joints with their labels; force columns while they are few."""
    arrows, found = _Columns(), []
    names = body_names(run)
    room = 40 * 5000
    for joint in look.joints:
        if joint.body != "ground" and joint.body not in names:
            continue
        entry: dict[str, Any] = {"name": joint.name, "kind": joint.kind, "position": list(joint.position), "force": -1}
        entry["body"] = names.index(joint.body) if joint.body in names else -1
        channel = f"{joint.name}.force"
        if channel in run and room >= len(run.time):
            values = np.asarray(run[channel], dtype=float)
            steps = np.maximum(np.ptp(coding.held(values), axis=0) / 4095.0, 1e-9)
            entry["force"] = arrows.add(values, np.full(3, steps.max()))
            room -= len(run.time)
        found.append(entry)
    return arrows, found


def _plot_entries(run: Recording, chosen: Sequence[str] | None) -> tuple[_Columns, list[dict[str, Any]]]:
    """Columns for the plots: those asked for, or a selection that stays small. All energies share a plot."""
    columns = _Columns()
    entries: list[dict[str, Any]] = []
    shared: dict[str, dict[str, Any]] = {}
    for name in plot_channels(run, chosen):
        item = run.channels[name]
        labels = item.labels(run.coordinates)
        values = np.asarray(run[name], dtype=float).reshape(len(run.time), len(labels))
        steady = coding.held(values)
        steps = np.maximum(np.ptp(steady, axis=0) / 4095.0, 1e-12 * np.maximum(np.abs(steady).max(axis=0), 1e-3))
        first = columns.add(values, steps)
        own = list(range(first, first + len(labels)))
        if name in _ENERGIES:
            entry = shared.setdefault("energy", {"name": "energy", "unit": item.unit, "columns": [], "labels": []})
            if not entry["columns"]:
                entries.append(entry)
            entry["columns"] += own
            entry["labels"].append(name.removeprefix("energy."))
            continue
        short = [label.removeprefix(f"{name}.") if item.dims else "" for label in labels]
        entries.append({"name": name, "unit": item.unit, "columns": own, "labels": short})
    return columns, entries


def plot_channels(run: Recording, chosen: Sequence[str] | None = None) -> list[str]:
    """Channels for plots: those named, or energies, joint coordinates and the motion of the first bodies."""
    if chosen is not None:
        return chosen_channels(run, list(chosen))
    rank = {"total": 0, "kinetic": 0, "gravity": 0, "stored": 0, "position": 2, "velocity": 2, "angle": 1, "force": 3}
    flat = [name for name, item in run.channels.items() if item.dims != ("wxyz",) and len(item.dims) < 2]
    names = [name for name in flat if not name.endswith(".orientation") and ".crush_" not in name]
    ordered = sorted(names, key=lambda name: rank.get(name.rpartition(".")[2], 1 if not run.channels[name].dims else 4))
    found, room = [], MOST_PLOTTED
    for name in ordered:
        room -= run.channels[name].size(run.coordinates)
        if room < 0:
            break
        found.append(name)
    return found


def _known(run: Recording, name: str) -> bool:
    try:
        return np.asarray(run[name]).ndim == 1
    except InputError:
        return False


def _times(time: np.ndarray) -> dict[str, Any]:
    """Times of the frames: start and step when they are even, all of them otherwise."""
    if len(time) > 1:
        step = float(time[-1] - time[0]) / (len(time) - 1)
        even = time[0] + step * np.arange(len(time))
        if step > 0 and np.abs(even - time).max() < 1e-6 * step:
            return {"start": float(time[0]), "step": step}
    return {"list": [float(value) for value in time]}
