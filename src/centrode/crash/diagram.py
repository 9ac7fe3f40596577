"""The scale diagram of a crash: a sheet with the plan of the course, a detail of the impact, scale, north and legend.

A figure is a sheet of paper: one metre on the ground is 1000 mm over the scale on it, so the printed PDF can be
measured with a ruler. Outlines stand at first contact (thin), at greatest crush (shaded, with the dents of that moment)
and at the end of the run (bold, with the dents that stay); tracks of the centres of mass, tyre marks, places of
impulse, edges of roads, walls, survey and photograph lie below them.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from centrode.classes import dataclass
from centrode.crash.collisions import Collision, refuse_false_figures
from centrode.crash.diagram_labels import Label, place_labels
from centrode.crash.diagram_settings import PAPERS, DiagramSettings, Photo
from centrode.crash.fixed import FixedThings
from centrode.crash.plan import Plan, crush_of, details_at, hull, outline_at, plans_of, pose_at
from centrode.crash.rest import body_of
from centrode.display import Custom
from centrode.errors import CentrodeError, InputError, unknown_name
from centrode.parts.roads.appearance import FACE_COLOUR, road_visuals
from centrode.parts.structures.stations import SIDE_STATIONS
from centrode.parts.visual import VisualRibbon
from centrode.plots.figure import COLOURS
from centrode.recording.recording import Recording
from centrode.vehicles.library.pedestrian import Pedestrian
from centrode.vehicles.library.rider import Rider
from centrode.vehicles.library.towed import Towed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCALES = (20, 25, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10000, 20000)
MARGIN, COLUMN, GAP = 8.0, 84.0, 4.0
"""Edge of the sheet, width of the column with detail and legend, space between both [mm]."""
_REST = 0.05
"""Slower vehicles are at rest [m/s]."""


@dataclass(frozen=True)
class State:
    """A vehicle at a moment: outline from above, centre [m], heading [rad], windows and wheels."""

    what: str
    time: float
    line: np.ndarray
    centre: np.ndarray
    heading: float
    details: list[np.ndarray] = field(default_factory=list)


@dataclass
class Scenery:
    """All that is drawn, in metres of the world."""

    vehicles: dict[str, list[State]] = field(default_factory=dict)
    tracks: dict[str, np.ndarray] = field(default_factory=dict)
    impacts: dict[int, np.ndarray] = field(default_factory=dict)
    """Places of impulse by the number of the collision."""
    marks: list[np.ndarray] = field(default_factory=list)
    edges: list[np.ndarray] = field(default_factory=list)
    steps: list[np.ndarray] = field(default_factory=list)
    """Kerbs, edges and embankments: foot and top."""
    fixed: list[tuple[str, np.ndarray]] = field(default_factory=list)
    """Names and lines of what stands on the ground."""
    points: dict[str, np.ndarray] = field(default_factory=dict)
    """Marks that a measure may name."""
    colours: dict[str, str] = field(default_factory=dict)
    letters: dict[str, str] = field(default_factory=dict)


def diagram(run: Recording, settings: DiagramSettings | None = None, custom: Custom | None = None) -> Figure:
    """The diagram of a run as a figure of the size of a sheet.

    Raises:
        InputError: nothing to draw, a scale at which it does not fit the sheet, or an unknown mark of a measure.
        RunError: the figures of the run would not hold.
    """
    from matplotlib.figure import Figure

    refuse_false_figures(run)
    settings, custom = settings or DiagramSettings(), custom or run.collisions.custom
    scenery = scenery_of(run)
    if settings.survey is not None:
        scenery.points |= {name: np.array(place) for name, place in settings.survey.points.items()}
    width, height = PAPERS[settings.paper]
    field_size = (width - 2 * MARGIN - COLUMN - GAP, height - 2 * MARGIN)
    low, high = bounds(scenery, settings)
    scale = fitting_scale(low, high, field_size, settings.scale)
    figure = Figure(figsize=(width / 25.4, height / 25.4))
    middle = 0.5 * (low + high)
    panel = _panel(figure, (MARGIN, MARGIN, *field_size), scale, middle)
    draw_ground(panel, scenery, settings)
    draw_course(panel, scenery, scale)
    _measures(panel, scenery, settings, custom, scale)
    _grid(panel, custom)
    _north(panel, settings)
    _scale_bar(panel, custom, scale)
    labels = _labels(scenery) + _fixed_labels(scenery, (low, high))
    if settings.survey is not None:
        labels += [Label(name, np.array(at), "#2f6f3e") for name, at in settings.survey.points.items()]
    place_labels(panel, labels, scale, [state.line for states in scenery.vehicles.values() for state in states])
    _column(figure, run, scenery, settings, custom, scale)
    _cautions(figure, run.collisions.cautions, (width, height))
    return figure


def _cautions(figure: Figure, texts: list[str], sheet: tuple[float, float]) -> None:
    """What stands above all figures, at the top of the sheet [mm]."""
    if texts:
        lines = "\n".join(textwrap.fill(text, int(0.55 * sheet[0])) for text in texts)
        x, y = (MARGIN + 2.0) / sheet[0], 1.0 - (MARGIN + 2.0) / sheet[1]
        box = {"facecolor": "white", "edgecolor": "#b00020"}
        figure.text(x, y, lines, va="top", fontsize=7, weight="bold", color="#b00020", bbox=box, zorder=50)


def scenery_of(run: Recording) -> Scenery:
    """Vehicles that collided, or all vehicles when none did, with what they left."""
    made = Scenery()
    plans = plans_of(run)
    hits = list(run.collisions)
    names = list(dict.fromkeys(name for item in hits for name in item.names))
    bodies = {name: body_of(run, name) for name in names}
    if not hits:
        bodies = {body.removesuffix(".body"): body for body in plans}
    bodies = whole_things(run, bodies, plans)
    for name, body in bodies.items():
        if body in plans and f"{body}.position" in run:
            own = [
                item for item in hits if any(part == name or part.startswith(f"{name}.") for part in item.unit_names)
            ]
            segments = [plan for part, plan in plans.items() if part.startswith(f"{name}.") and body != f"{name}.body"]
            made.vehicles[name] = states_of(run, plans[body], own, segments)
            made.tracks[name] = run[f"{body}.position"][:, :2]
            words = {"first contact": "contact", "start": "contact", "at rest": "end", "end of the run": "end"}
            for state in made.vehicles[name]:
                made.points[f"{name} {words.get(state.what, 'crush')}"] = state.centre
    if not made.vehicles:
        raise InputError("nothing to draw", hint="a diagram shows vehicles and bodies with outlines")
    for k, name in enumerate(made.vehicles):
        made.colours[name] = COLOURS[k % len(COLOURS)]
        made.letters[name] = (chr(64 + k // 26) if k >= 26 else "") + chr(65 + k % 26)
    made.impacts = {item.number: np.array(item.point[:2]) for item in hits}
    made.points |= {f"impact {item.number}": np.array(item.point[:2]) for item in hits}
    made.marks = [mark.points[:, :2] for mark in run.tyre_marks]
    try:
        system = run.scenario().system
    except CentrodeError:
        return made
    made.fixed = FixedThings(system).lines()
    for road in system.of_family("road"):
        ribbons = [item for item in road_visuals(road) if isinstance(item, VisualRibbon)]
        made.edges += [np.asarray(edge, dtype=float)[:, :2] for item in ribbons[:1] for edge in (item.right, item.left)]
        faces = [item for item in ribbons if item.colour == FACE_COLOUR]
        made.steps += [np.asarray(edge, dtype=float)[:, :2] for item in faces for edge in (item.right, item.left)]
    return made


def whole_things(run: Recording, bodies: dict[str, str], plans: Mapping[str, Plan]) -> dict[str, str]:
    """Things to draw and their bodies: persons as one, by their chest, and trailers with what tows them."""
    try:
        vehicles = list(run.scenario().system.of_family("vehicle"))
    except CentrodeError:
        return bodies
    persons = [part.name for part in vehicles if isinstance(part, Pedestrian | Rider)]
    found: dict[str, str] = {}
    for name, body in bodies.items():
        whole = next((item for item in persons if name.startswith(f"{item}.")), "")
        found[whole or name] = f"{whole}.chest" if whole else body
    for part in vehicles:
        if isinstance(part, Towed) and {part.name, part.towed_by} & set(found):
            pair = {name: f"{name}.body" for name in (part.towed_by, part.name)}
            found |= {name: body for name, body in pair.items() if body in plans and name not in found}
    return found


def states_of(run: Recording, plan: Plan, hits: list[Collision], segments: list[Plan]) -> list[State]:
    """A vehicle at first contact, at greatest crush and at the end; a person by the hull of all its segments."""
    last = float(run.time[-1])
    moments = [("first contact", hits[0].begin)] if hits else [("start", float(run.time[0]))]
    if hits:
        strongest = strongest_of(hits)
        moments.append(greatest_crush(run, [body_of(run, name) for name in strongest.names], strongest))
    speed = float(np.linalg.norm(run[f"{plan.body}.velocity"][-1])) if f"{plan.body}.velocity" in run else math.inf
    moments.append(("at rest" if speed < _REST else "end of the run", last))
    found = []
    for what, time in moments:
        at = min(max(time, float(run.time[0])), last)
        pose = pose_at(run, plan.body, at)
        line = outline_at(run, plan, at)
        if segments:
            line = hull(np.concatenate([outline_at(run, item, at) for item in segments]))
        found.append(State(what, at, line, pose.position[:2], pose.heading, details_at(run, plan, at)))
    return found


def strongest_of(hits: list[Collision]) -> Collision:
    """The collision with the greatest delta-V: impulses on ground that carries a vehicle count its weight."""
    return max(hits, key=lambda item: max(vehicle.delta_v_size for vehicle in item.vehicles))


def greatest_crush(run: Recording, bodies: Iterable[str], hit: Collision) -> tuple[str, float]:
    """When the bodies of a collision together were pushed in most; without crush, when the force was greatest.

    One moment for both, so that their outlines on the sheet belong together.
    """
    inside = [float(t) for t in run.time if hit.begin <= t <= hit.end]
    giving = [body for body in bodies if f"{body}.crush_front" in run]
    if inside and giving:
        sizes = [sum(_dent_size(crush_of(run, body, t)) for body in giving) for t in inside]
        if max(sizes) > 0.0:
            return "greatest crush", inside[int(np.argmax(sizes))]
    return "greatest force", hit.peak_time


def _dent_size(crush: Mapping[str, np.ndarray]) -> float:
    return sum(float((crush[side] ** 2).mean()) for side in SIDE_STATIONS)


def bounds(scenery: Scenery, settings: DiagramSettings) -> tuple[np.ndarray, np.ndarray]:
    """What the main field has to hold: outlines, impacts, marks, the way between them, and named points."""
    found = [state.line for states in scenery.vehicles.values() for state in states]
    found += scenery.marks + [point[None, :] for point in scenery.impacts.values()]
    found += [mark_named(scenery, name)[None, :] for pair in settings.measures for name in pair]
    points = np.concatenate(found)
    return points.min(axis=0), points.max(axis=0)


def fitting_scale(low: np.ndarray, high: np.ndarray, size: tuple[float, float], wanted: float) -> float:
    """The first scale at which an extent [m] fits a field [mm] with some air; the wanted one when it does."""
    air = 14.0
    needed = max(1e3 * float(high[k] - low[k]) / (size[k] - 2 * air) for k in (0, 1))
    if wanted:
        if needed > wanted * 1.15:
            fits = next((item for item in SCALES if item >= needed), SCALES[-1])
            raise InputError(
                "does not fit the sheet", path="scale", got=f"1:{wanted:g}", expected=f"1:{fits} or smaller"
            )
        return wanted
    return float(next((item for item in SCALES if item >= needed), math.ceil(needed)))


def mark_named(scenery: Scenery, name: str) -> np.ndarray:
    """The place of a mark: a name of the diagram or the survey, or "x, y" in metres."""
    if name in scenery.points:
        return scenery.points[name]
    parts = name.split(",")
    if len(parts) == 2:
        try:
            return np.array([float(part) for part in parts])
        except ValueError:
            pass
    raise unknown_name("unknown mark", name, list(scenery.points), path="measures")


def _panel(figure: Figure, box: tuple[float, float, float, float], scale: float, middle: np.ndarray) -> Axes:
    """Axes in a box of the sheet [mm] that show the ground at a scale about a point [m]."""
    width, height = figure.get_size_inches() * 25.4
    panel = figure.add_axes((box[0] / width, box[1] / height, box[2] / width, box[3] / height))
    half = 0.5e-3 * scale * np.array(box[2:])
    panel.set(xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1]))
    panel.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)
    for spine in panel.spines.values():
        spine.set_linewidth(0.6)
    return panel


def _fill(panel: Axes, corners: np.ndarray, **look: float | str) -> None:
    """A filled area. The panel has its limits, so nobody has to look at every corner for them."""
    from matplotlib.patches import Polygon

    panel.add_artist(Polygon(corners, closed=True, **look))


def draw_ground(panel: Axes, scenery: Scenery, settings: DiagramSettings) -> None:
    """Photograph, edges of roads, walls and survey."""
    if settings.photo is not None:
        _photo(panel, settings.photo)
    for edge in scenery.edges:
        panel.plot(edge[:, 0], edge[:, 1], color="0.35", lw=0.8, zorder=1)
    for line in scenery.steps:
        panel.plot(line[:, 0], line[:, 1], color="0.45", lw=0.6, ls=(0, (4, 1)), zorder=1)
    for _, line in scenery.fixed:
        _fill(panel, line, facecolor="0.85", edgecolor="0.3", lw=0.6, hatch="////", zorder=1)
    if settings.survey is not None:
        for line in settings.survey.lines.values():
            panel.plot(line[:, 0], line[:, 1], color="#2f6f3e", lw=0.8, zorder=1.5)
        for place in settings.survey.points.values():
            panel.plot(*place, marker="x", color="#2f6f3e", ms=3, mew=0.7, zorder=1.5)


def _photo(panel: Axes, photo: Photo) -> None:
    from matplotlib.image import imread
    from matplotlib.transforms import Affine2D

    try:
        pixels = imread(photo.file)
    except (OSError, SyntaxError, ValueError):
        expected = "a PNG or JPG picture"
        raise InputError("not a picture", path="photo.file", got=str(photo.file), expected=expected) from None
    limits = panel.get_xlim(), panel.get_ylim()
    tall = photo.width * pixels.shape[0] / pixels.shape[1]
    turned = Affine2D().rotate(photo.turn).translate(*photo.at) + panel.transData
    shown = panel.imshow(pixels, extent=(0.0, photo.width, 0.0, tall), transform=turned, alpha=0.6, zorder=0)
    shown.set_clip_path(panel.patch)
    panel.set(xlim=limits[0], ylim=limits[1], aspect="auto")


def draw_course(panel: Axes, scenery: Scenery, scale: float, moments: Iterable[int] = (0, 1, 2)) -> None:
    """Marks, tracks, outlines at the chosen of their moments, places of impulse."""
    points_per_metre = 1e3 / scale * 72.0 / 25.4
    for mark in scenery.marks:
        wide = max(0.15 * points_per_metre, 0.5)
        panel.plot(mark[:, 0], mark[:, 1], color="0.45", lw=wide, alpha=0.45, zorder=2, solid_capstyle="butt")
    for name, states in scenery.vehicles.items():
        colour = scenery.colours[name]
        track = scenery.tracks[name]
        panel.plot(track[:, 0], track[:, 1], color=colour, lw=0.5, ls=(0, (8, 2, 1.5, 2)), zorder=3)
        for k in moments:
            state = states[min(k, len(states) - 1)]
            look = ((0.6, 0.0), (0.7, 0.22), (1.1, 0.12))[k]
            corners = state.line
            _fill(panel, corners, facecolor=colour, alpha=look[1], lw=0, zorder=4)
            closed = np.vstack([corners, corners[:1]])
            panel.plot(closed[:, 0], closed[:, 1], color=colour, lw=look[0], zorder=5)
            for detail in state.details:
                shut = np.vstack([detail, detail[:1]])
                panel.plot(shut[:, 0], shut[:, 1], color=colour, lw=0.35, alpha=0.7, zorder=4.5)
            ahead = np.array([math.cos(state.heading), math.sin(state.heading)])
            tip = state.centre + 0.9 * ahead
            arrow: dict[str, str | float] = {
                "arrowstyle": "-|>,head_width=0.12,head_length=0.22",
                "color": colour,
                "lw": 0.5,
            }
            _arrow(panel, state.centre, tip, arrow, 6)
            panel.plot(*state.centre, marker="o", color=colour, ms=1.6, zorder=6)
    for place in scenery.impacts.values():
        panel.plot(*place, marker="+", color="black", ms=6, mew=0.9, zorder=8)


def tail_of(state: State) -> np.ndarray:
    """Where a label points at: behind the middle, so that outlines close to each other can be told apart."""
    ahead = np.array([math.cos(state.heading), math.sin(state.heading)])
    long = float(np.ptp((state.line - state.centre) @ ahead))
    behind: np.ndarray = state.centre - 0.34 * long * ahead
    return behind


def _labels(scenery: Scenery, moments: Iterable[int] = (0, 1, 2)) -> list[Label]:
    found = [
        Label(f"{scenery.letters[name]}{k + 1}", tail_of(states[k]), scenery.colours[name])
        for name, states in scenery.vehicles.items()
        for k in moments
        if k < len(states)
    ]
    if len(scenery.impacts) <= 12:
        found += [Label(f"I{number}", place, "black") for number, place in scenery.impacts.items()]
    return found


def _fixed_labels(scenery: Scenery, extent: tuple[np.ndarray, np.ndarray]) -> list[Label]:
    """Names of what stands on the ground, at the part of it that is next to what is shown."""
    found = []
    for name, line in scenery.fixed:
        middle = 0.5 * (line.min(axis=0) + line.max(axis=0))
        place = np.clip(np.clip(middle, *extent), line.min(axis=0), line.max(axis=0))
        if np.all(place >= extent[0] - 1.0) and np.all(place <= extent[1] + 1.0):
            found.append(Label(name, place, "0.25"))
    return found[:8]


def _measures(panel: Axes, scenery: Scenery, settings: DiagramSettings, custom: Custom, scale: float) -> None:
    """Dimension lines between named marks."""
    for one, two in settings.measures:
        a, b = mark_named(scenery, one), mark_named(scenery, two)
        way = float(np.hypot(*(b - a)))
        style: dict[str, str | float] = {
            "arrowstyle": "<|-|>,head_width=0.1,head_length=0.25",
            "lw": 0.5,
            "color": "black",
        }
        _arrow(panel, a, b, style, 9)
        turn = math.degrees(math.atan2(*(b - a)[::-1]))
        turn = turn - 180.0 if turn > 90.0 else turn + 180.0 if turn < -90.0 else turn
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85}
        x, y = 0.5 * (a + b)
        said = panel.text(x, y, custom.with_unit("length", way), zorder=9, bbox=box, fontsize=6.5, rotation=turn)
        said.set(rotation_mode="anchor", ha="center", va="bottom")


def _arrow(panel: Axes, tail: np.ndarray, tip: np.ndarray, style: dict[str, str | float], zorder: int) -> None:
    """An arrow from a place to another, to the very ends."""
    one, two = (float(tail[0]), float(tail[1])), (float(tip[0]), float(tip[1]))
    panel.annotate("", two, one, arrowprops=style | {"shrinkA": 0.0, "shrinkB": 0.0}, zorder=zorder)


def _grid(panel: Axes, custom: Custom) -> None:
    """Coordinates of the world along the frame, in the unit of the reader."""
    size = custom.of("length").size
    for axis, limits in (("x", panel.get_xlim()), ("y", panel.get_ylim())):
        step = nice_step((limits[1] - limits[0]) / size / 6.0)
        ticks = np.arange(math.ceil(limits[0] / size / step), math.floor(limits[1] / size / step) + 1) * step
        lay = panel.set_xticks if axis == "x" else panel.set_yticks
        lay(ticks * size, [f"{tick:g}" for tick in ticks])
    unit = custom.of("length").unit
    panel.tick_params(left=True, bottom=True, labelleft=True, labelbottom=True, direction="in", labelsize=5, length=2)
    panel.tick_params(axis="x", pad=-7)
    panel.tick_params(axis="y", pad=-3)
    for label in panel.get_yticklabels():
        label.set_horizontalalignment("left")
    panel.grid(color="0.8", lw=0.3, zorder=0.5)
    panel.text(0.995, 0.022, f"x, y [{unit}]", transform=panel.transAxes, fontsize=5, ha="right", va="bottom")


def nice_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, not below a length."""
    power = 10.0 ** math.floor(math.log10(max(least, 1e-9)))
    return float(next(k * power for k in (1, 2, 5, 10) if k * power >= least * (1 - 1e-9)))


def _north(panel: Axes, settings: DiagramSettings) -> None:
    """North arrow in the upper left corner; says so where y was taken for north."""
    turn = settings.north if settings.north is not None else 0.5 * math.pi
    _, height = _size_mm(panel)
    at, half = np.array([13.0, height - 14.0]), 7.0
    way = half * np.array([math.cos(turn), math.sin(turn)])
    style: dict[str, str | float] = {"arrowstyle": "-|>,head_width=0.25,head_length=0.5", "lw": 1.0, "color": "black"}
    (x0, y0), (x1, y1) = (at - way), (at + way)
    panel.annotate("", (x1, y1), (x0, y0), xycoords=_mm(panel), textcoords=_mm(panel), arrowprops=style, zorder=10)
    x, y = at + 1.45 * way
    panel.text(x, y, "N", transform=_mm(panel), ha="center", va="center", fontsize=9, weight="bold", zorder=10)
    if settings.north is None:
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.85}
        said = panel.text(at[0], at[1] - 10.5, "y taken for north", transform=_mm(panel), fontsize=5, zorder=10)
        said.set(ha="center", va="top", bbox=box)


def _size_mm(panel: Axes) -> tuple[float, float]:
    width, height = panel.figure.get_size_inches() * 25.4  # type: ignore[union-attr]
    place = panel.get_position()
    return float(place.width * width), float(place.height * height)


def _scale_bar(panel: Axes, custom: Custom, scale: float) -> None:
    """A bar of two tones in the lower left corner, with the scale."""
    from matplotlib.patches import Rectangle

    shown = custom.of("length")
    width, height = _size_mm(panel)
    step = nice_step(1e-3 * scale * 12.0 / shown.size) * shown.size  # one field of 12 mm or more
    long = 1e3 * step / scale
    at = np.array([10.0, 8.0])
    back = Rectangle((at[0] - 3, at[1] - 2.5), 4 * long + 14, 11.5, transform=_mm(panel), facecolor="white", alpha=0.85)
    back.set(zorder=10, edgecolor="none")
    panel.add_patch(back)
    for k in range(4):
        colour = "black" if k % 2 == 0 else "white"
        bar = Rectangle((at[0] + k * long, at[1]), long, 1.6, transform=_mm(panel), facecolor=colour, edgecolor="black")
        bar.set(lw=0.5, zorder=11)
        panel.add_patch(bar)
    for k in range(5):
        text = f"{k * step / shown.size:g}" + (f" {shown.unit}" if k == 4 else "")
        panel.text(at[0] + k * long, at[1] + 2.2, text, transform=_mm(panel), fontsize=6, ha="center", zorder=11)
    panel.text(at[0], at[1] + 5.4, f"1:{scale:g}", transform=_mm(panel), fontsize=8, weight="bold", zorder=11)


def _mm(panel: Axes):  # type: ignore[no-untyped-def]
    """Millimetres of the sheet from the lower left corner of a panel."""
    from matplotlib.transforms import Affine2D

    return Affine2D().scale(*(1.0 / np.array(_size_mm(panel)))) + panel.transAxes


def _column(
    figure: Figure, run: Recording, scenery: Scenery, settings: DiagramSettings, custom: Custom, scale: float
) -> None:
    """Title, detail of the strongest impact, legend."""
    width, height = figure.get_size_inches() * 25.4
    left, top = width - MARGIN - COLUMN, height - MARGIN
    page = figure.add_axes((0, 0, 1, 1))
    page.set(xlim=(0, width), ylim=(0, height))
    page.axis("off")
    title = run.provenance.title or "Crash"
    fit = 36  # letters
    words = textwrap.wrap(title, fit)
    lines = words if len(words) <= 3 else [*words[:2], textwrap.shorten(" ".join(words[2:]), fit)]
    for k, line in enumerate(lines):
        page.text(left, top - 1 - 4.4 * k, line, fontsize=10, weight="bold", va="top")
    top -= 4.4 * (len(lines) - 1)
    sheet = f"Scale 1:{scale:g} on {settings.paper.upper()}"
    page.text(left, top - 7, f"{sheet}; lengths in {custom.of('length').unit}", fontsize=7, va="top")
    at = top - 12.0
    hits = list(run.collisions)
    if hits:
        detail_scale = _detail(figure, scenery, settings, hits, (left, at - 84.0, COLUMN, 80.0), scale)
        if detail_scale:
            page.text(left, at - 0.5, f"Detail of the strongest impact, 1:{detail_scale:g}", fontsize=7, va="top")
            at -= 88.0
    legend = legend_lines(run, scenery, custom)
    step = min(3.7, (at - MARGIN - 4.0) / max(len(legend), 1))
    for k, (text, colour, bold) in enumerate(legend):
        place = at - 2 - k * step
        weight = "bold" if bold else "normal"
        page.text(left, place, text, fontsize=min(6.2, 1.75 * step), color=colour, weight=weight, va="top")
    foot = f"Centrode {run.provenance.version}, scenario {run.provenance.scenario_digest[:12]}"
    page.text(left, MARGIN, foot, fontsize=5, color="0.35", va="bottom")


def _detail(
    figure: Figure,
    scenery: Scenery,
    settings: DiagramSettings,
    hits: list[Collision],
    box: tuple[float, float, float, float],
    whole: float,
) -> float:
    """First contact and greatest crush of the strongest collision, as large as they fit; its scale.

    Nothing, and 0, when that is no larger than on the ``whole`` sheet.
    """
    strongest = strongest_of(hits)
    inside = Scenery(
        vehicles={name: states for name, states in scenery.vehicles.items() if name in strongest.names},
        tracks={name: track for name, track in scenery.tracks.items() if name in strongest.names},
        impacts={strongest.number: np.array(strongest.point[:2])},
        marks=scenery.marks,
        edges=scenery.edges,
        steps=scenery.steps,
        fixed=scenery.fixed,
        colours=scenery.colours,
        letters=scenery.letters,
    )
    lines = np.concatenate([state.line for states in inside.vehicles.values() for state in states[:2]])
    low, high = lines.min(axis=0), lines.max(axis=0)
    needed = max(1e3 * float(high[k] - low[k]) / (box[2 + k] - 10.0) for k in (0, 1))
    scale = float(next((item for item in SCALES if item >= needed), math.ceil(needed)))
    if scale >= whole:
        return 0.0
    panel = _panel(figure, box, scale, 0.5 * (low + high))
    draw_ground(panel, inside, settings)
    draw_course(panel, inside, scale, (0, 1))
    place_labels(
        panel, _labels(inside, (0, 1)), scale, [state.line for item in inside.vehicles.values() for state in item[:2]]
    )
    return scale


def legend_lines(run: Recording, scenery: Scenery, custom: Custom) -> list[tuple[str, str, bool]]:
    """Text, colour and weight of the lines of the legend."""
    found: list[tuple[str, str, bool]] = []
    for name, states in scenery.vehicles.items():
        letter, colour = scenery.letters[name], scenery.colours[name]
        found.append((f"{letter}  {name}", colour, True))
        for k, state in enumerate(states):
            heading = math.degrees(state.heading)
            text = ", ".join(custom.text("length", float(x)) for x in state.centre)
            place = f"at ({text}) {custom.of('length').unit}, {heading:.0f} deg"
            found.append((f"{letter}{k + 1}  {state.what}, {state.time:.2f} s, {place}", "black", False))
    for item in list(run.collisions)[:6]:
        found.append((f"I{item.number}  impulse of collision {item.number}, {' - '.join(item.names)}", "black", False))
    for grip in run.collisions.grips[:3]:
        lines = textwrap.wrap(f"tyres of {grip}", 66, subsequent_indent="    ")
        found += [(line, "black", False) for line in lines]
    found.append(("chain line: centre of mass; grey: tyre marks; arrow: heading", "0.35", False))
    return found
