"""What a system looks like: the shapes of all its parts, given by the parts themselves or derived from what is known.

See :mod:`centrode.parts.visual` for the shapes. A body without shapes of its own is drawn as the box of equal inertia:
with the principal moments I_i about its centre of mass and its mass m, the box of even density has the edges

    l_i = sqrt(6 (I_j + I_k - I_i) / m)                                                              (1)

and rods run to the points where joints and forces hold it. A link between two points is drawn as a bar.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from centrode.errors import CentrodeError
from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.bodies.body import GROUND, Body
from centrode.parts.outlines.outline import Outline
from centrode.parts.visual import (
    Quaternion,
    Vector,
    Visual,
    VisualBox,
    VisualCapsule,
    VisualCylinder,
    VisualEllipsoid,
    VisualLink,
    VisualMesh,
    VisualSphere,
    VisualSuperellipsoid,
)
from centrode.system.builder import System
from centrode.system.scene import SystemScene
from centrode.view.road import road_visuals

_BALL_KINDS = ("ball", "spherical", "universal")
_HINGE_KINDS = ("revolute", "cylindrical", "screw")
_SLIDER_KINDS = ("prismatic",)


@dataclass(frozen=True)
class JointMark:
    """Where a joint holds its second body: for labels and force arrows."""

    name: str
    kind: str
    body: str
    position: Vector


@dataclass
class Appearance:
    """Shapes, joints and names of a system."""

    visuals: list[Visual] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    joints: list[JointMark] = field(default_factory=list)
    size: float = 1.0


def appearance_of(system: System) -> Appearance:
    """Shapes of all parts of a system, in order of the parts."""
    scene = SystemScene(system)
    found = Appearance()
    places = _places(system, scene)
    extents = {body.name: _extent(body, places.get(body.name, []), system.plane) for body in _bodies(system)}
    found.size = float(np.median(list(extents.values()))) if extents else 1.0
    dressed: set[str] = set()
    vehicles: set[str] = set()
    for part in system.parts.values():
        own = getattr(part, "visuals", None)
        shapes: list[Visual] = []
        if callable(own):
            shapes = list(own(scene))
        elif isinstance(part, Outline):
            shapes = outline_visuals(part)
        elif part.family == "road":
            shapes = road_visuals(part)
        elif part.family == "joint":
            shapes = _joint_visuals(part, scene, extents, found)
        elif part.family == "force":
            shapes = _force_visuals(part, scene, extents)
        if callable(own) or isinstance(part, Outline) or part.kind == "sphere-contact":
            dressed |= {item.body for item in shapes}
        if part.family == "joint" and callable(own):
            _joint_visuals(part, scene, extents, found)  # its label and arrow are wanted all the same
        if shapes and part.family == "vehicle":
            vehicles.add(part.name)
        if part.family in ("joint", "force") and part.name.split(".", maxsplit=1)[0] in vehicles - {part.name}:
            shapes = []  # the vehicle has drawn itself: its hinges and springs are inside
        found.visuals += shapes
        found.owners += [part.name] * len(shapes)
    _hide_covered_outlines(found, system)
    for part in system.parts.values():
        if part.kind in ("rolling-disc", "rolling-wheel") and str(getattr(part, "b", "")) not in dressed:
            shapes = _disc_visuals(part, scene)
            dressed |= {item.body for item in shapes}
            found.visuals += shapes
            found.owners += [part.name] * len(shapes)
    for body in _bodies(system):
        if body.name not in dressed:
            shapes = body_visuals(body, places.get(body.name, []), system.plane, extents[body.name], found.size)
            found.visuals += shapes
            found.owners += [body.name] * len(shapes)
    return found


def _hide_covered_outlines(found: Appearance, system: System) -> None:
    """A vehicle that draws itself hides the plain outlines with which it collides."""
    outlines = {part.name for part in system.parts.values() if isinstance(part, Outline)}
    shown = {item.body for item, owner in zip(found.visuals, found.owners, strict=True) if owner not in outlines}
    pairs = [
        (item, owner)
        for item, owner in zip(found.visuals, found.owners, strict=True)
        if owner not in outlines or item.body not in shown - {GROUND}
    ]
    found.visuals, found.owners = [item for item, _ in pairs], [owner for _, owner in pairs]


def outline_visuals(part: Any) -> list[Visual]:
    """The outline's own shape."""
    place: dict[str, Any] = {
        "position": _vector(part.centre),
        "rotation": _quaternion(np.asarray(part.rotation, dtype=float)),
    }
    body = part.body or GROUND
    if part.kind == "box":
        return [VisualBox(body, tuple(2.0 * float(x) for x in part.half_lengths), **place)]  # type: ignore[arg-type]
    if part.kind == "sphere":
        return [VisualSphere(body, float(part.radius), **place)]
    if part.kind == "ellipsoid":
        return [VisualEllipsoid(body, _vector(part.semi_axes), **place)]
    if part.kind == "superellipsoid":
        return [VisualSuperellipsoid(body, _vector(part.semi_axes), float(part.squareness), **place)]
    if part.kind == "capsule":
        half = float(part.half_length)
        return [VisualCapsule(body, (0.0, 0.0, -half), (0.0, 0.0, half), float(part.radius), **place)]
    if part.kind == "polyhedron":
        from scipy.spatial import ConvexHull

        points = np.asarray(part.points, dtype=float)
        hull = ConvexHull(points)
        centre = points.mean(axis=0)
        faces = []
        for a, b, c in hull.simplices:  # the hull does not order its corners; the viewer wants them from outside
            normal = np.cross(points[b] - points[a], points[c] - points[a])
            faces.append((int(a), int(b), int(c)) if normal @ (points[a] - centre) > 0 else (int(a), int(c), int(b)))
        return [VisualMesh(body, points.tolist(), faces, **place)]
    if part.kind == "plane":
        # The level ground is drawn anyway; a wall is a thin plate.
        normal = np.asarray(part.rotation, dtype=float)[:, 2]
        if body == GROUND and normal[2] > 0.99:
            return []
        return [VisualBox(body, (8.0, 8.0, 0.05), colour="steel", **place)]
    return []


def body_visuals(
    body: Any, points: list[np.ndarray], plane: bool, extent: float, typical: float | None = None
) -> list[Visual]:
    """A body of which only mass, inertia and the points that others hold are known.

    Args:
        body: the part.
        points: where others hold it, in its frame [m].
        plane: it moves in a plane.
        extent: how large it is [m].
        typical: how large bodies of the scene are [m]; bars grow no thicker than suits them.
    """
    row = body.row()
    centre = np.zeros(3)
    centre[: len(row.centre)] = row.centre
    edges = inertia_box(row, plane)
    typical = typical or extent
    thickest = 0.1 * min(typical, extent)
    thin = max(0.02 * extent, 0.25 * float(edges[edges > 0].min())) if (edges > 0).any() else 0.03 * extent
    thin = min(thin, thickest)
    apart = _distinct(points)
    if len(apart) == 2:
        start, end = apart
        length = float(np.linalg.norm(end - start))
        off_axis = float(np.linalg.norm(np.cross(end - start, centre - start))) / max(length, 1e-300)
        if off_axis < 0.2 * length:
            radius = min(max(0.5 * float(np.sort(edges)[0]), 0.03 * length), 0.12 * length, thickest)
            return [VisualCapsule(body.name, _vector(start), _vector(end), radius)]
    if len(apart) == 1 and _is_bar(apart[0], centre, edges, row, plane):
        end = 2.0 * centre - apart[0]
        length = float(np.linalg.norm(end - apart[0]))
        radius = min(max(0.5 * float(np.sort(edges)[0]), 0.03 * length), 0.12 * length, thickest)
        return [VisualCapsule(body.name, _vector(apart[0]), _vector(end), radius)]
    found: list[Visual] = []
    rotation = np.eye(3) if plane else np.asarray(row.axes)
    if not (edges > 1e-9).any():
        found.append(VisualSphere(body.name, 0.12 * extent, position=_vector(centre)))
    elif plane and not apart:
        radius = 0.5 * float(edges[0])
        size = (2.0 * radius, 0.4 * radius, 0.4 * radius)
        found.append(VisualBox(body.name, size, position=_vector(centre)))
    elif len(apart) >= 3:
        found.append(VisualSphere(body.name, 1.6 * thin, position=_vector(centre)))
    elif not plane and (round_body := _round_body(body.name, row, centre)):
        found += round_body
    else:
        shown = np.maximum(edges, 0.15 * edges.max())
        if plane:
            shown = np.array([0.5, 0.35, 0.35]) * float(edges[0])
        place = {"position": _vector(centre), "rotation": _quaternion(rotation)}
        found.append(VisualBox(body.name, _vector(shown), **place))  # type: ignore[arg-type]
    for point in apart:
        if np.linalg.norm(point - centre) > 1e-6 * extent:
            found.append(VisualCapsule(body.name, _vector(centre), _vector(point), thin))
    return found


def _round_body(name: str, row: Any, centre: np.ndarray) -> list[Visual]:
    """Ball or cylinder of equal inertia, where two principal moments are equal; with a mark that shows its turning.

    Ball: I = 2/5 m r^2. Cylinder about its axis: I = m r^2 / 2, across: m (3 r^2 + h^2) / 12.
    """
    moments, mass = np.asarray(row.inertia, dtype=float), float(row.mass)
    close = [abs(moments[(k + 1) % 3] - moments[(k + 2) % 3]) <= 1e-6 * moments.max() for k in range(3)]
    if not any(close):
        return []
    if all(close):
        radius = math.sqrt(2.5 * float(moments[0]) / mass)
        axes, length, squeeze = np.asarray(row.axes), 0.12 * radius, 1.01
        found: list[Visual] = [VisualSphere(name, radius, position=_vector(centre))]
    else:
        k = close.index(True)
        radius = math.sqrt(2.0 * float(moments[k]) / mass)
        square = 12.0 * float(moments[(k + 1) % 3]) / mass - 3.0 * radius * radius
        length = math.sqrt(square) if square > 0 else 0.0
        if length < 0.05 * radius:
            return []
        axes = np.asarray(row.axes)[:, [(k + 1) % 3, (k + 2) % 3, k]]
        turn = _quaternion(axes)
        found = [VisualCylinder(name, radius, length, position=_vector(centre), rotation=turn)]
        mark = (0.25 * radius, 0.12 * radius, 1.01 * length)
        place = centre + axes @ np.array([0.88 * radius, 0.0, 0.0])
        return [*found, VisualBox(name, mark, position=_vector(place), rotation=turn, colour="white")]
    turn = _quaternion(axes)
    return [
        *found,
        VisualCylinder(name, squeeze * radius, length, position=_vector(centre), rotation=turn, colour="white"),
    ]


def _disc_visuals(part: Any, scene: SystemScene) -> list[Visual]:
    """The disc that a joint lets roll: as large as the joint says, with a mark that shows its turning."""
    try:
        marker = list(part.place(scene).markers)[1]
    except (CentrodeError, IndexError):
        return []
    if marker.body == GROUND or marker.frame is None:
        return []
    radius, frame = float(part.radius), np.asarray(marker.frame, dtype=float)
    thickness = max(2.0 * float(part.tyre_radius), 0.07 * radius)
    place: dict[str, Any] = {"position": _vector(marker.position), "rotation": _quaternion(frame)}
    spot = np.asarray(marker.position, dtype=float) + frame @ np.array([0.72 * radius, 0.0, 0.0])
    return [
        VisualCylinder(marker.body, radius, thickness, **place),
        VisualCylinder(
            marker.body,
            0.13 * radius,
            1.15 * thickness,
            position=_vector(spot),
            rotation=place["rotation"],
            colour="white",
        ),
    ]


def _is_bar(point: np.ndarray, centre: np.ndarray, edges: np.ndarray, row: Any, plane: bool) -> bool:
    """Whether the inertia is that of a bar held at its end: as long as twice the way to the centre, and slender."""
    arm = centre - point
    length = 2.0 * float(np.linalg.norm(arm))
    if length <= 0 or abs(float(edges.max()) - length) > 0.3 * length:
        return False
    along = np.eye(3)[0] if plane else np.asarray(row.axes)[:, int(edges.argmax())]
    slender = plane or float(np.sort(edges)[1]) < 0.5 * float(edges.max())
    return slender and (plane or abs(float(along @ arm)) > 0.475 * length)


def inertia_box(row: Any, plane: bool) -> np.ndarray:
    """Edges of the box of equal inertia, (1), along the principal axes [m]; zeros for a point mass."""
    mass = float(row.mass)
    moments = np.asarray(row.inertia, dtype=float).reshape(-1)
    if mass <= 0 or not math.isfinite(mass):
        return np.zeros(3)
    if plane:
        # A rod of the same moment.
        length = math.sqrt(12.0 * float(moments.max(initial=0.0)) / mass)
        return np.array([length, 0.1 * length, 0.1 * length])
    total = float(moments.sum())
    squares = 6.0 * (total - 2.0 * moments) / mass
    return np.sqrt(np.maximum(squares, 0.0))


def _joint_visuals(part: Any, scene: SystemScene, extents: dict[str, float], found: Appearance) -> list[Visual]:
    try:
        markers = list(part.place(scene).markers)
    except CentrodeError:
        return []
    if len(markers) < 2:
        return []
    first, second = markers[0], markers[1]
    found.joints.append(JointMark(part.name, part.kind, second.body, _vector(second.position)))
    held = [extents[name] for name in (first.body, second.body) if name in extents]
    size = min(0.075 * min(held), 0.06 * found.size) if held else 0.05
    carrier = second if first.body == GROUND else first
    place: dict[str, Any] = {"position": _vector(carrier.position), "colour": "joint"}
    if carrier.frame is not None:
        place["rotation"] = _quaternion(carrier.frame)
    if part.kind in ("rod", "rope"):
        length = getattr(part, "length", None)
        style = "rope" if part.kind == "rope" else "rod"
        return [
            VisualLink(
                first.body,
                second.body,
                _vector(second.position),
                style,
                0.25 * size if style == "rope" else 0.5 * size,
                length,
                position=_vector(first.position),
                colour="rope" if style == "rope" else "steel",
            )
        ]
    if part.kind.startswith("rolling"):
        return []
    if part.kind in _BALL_KINDS:
        shapes: list[Visual] = [VisualSphere(carrier.body, 1.6 * size, **place)]
    elif part.kind in _HINGE_KINDS:
        shapes = [VisualCylinder(carrier.body, size, 4.0 * size, **place)]
    elif part.kind in _SLIDER_KINDS:
        shapes = [VisualBox(second.body, (3.0 * size, 3.0 * size, 5.0 * size), **_place_of(second))]
        if first.body == GROUND:
            reach = 1.5 * max(held, default=1.0)
            shapes.append(
                VisualBox(GROUND, (0.8 * size, 0.8 * size, 2.0 * reach), **{**_place_of(first), "colour": "steel"})
            )
    else:
        shapes = [VisualSphere(carrier.body, 0.7 * size, **place)]
    if first.body == GROUND and part.kind in _HINGE_KINDS:
        shapes.append(VisualBox(GROUND, (2.6 * size, 2.6 * size, 1.4 * size), **{**_place_of(first), "colour": "dark"}))
    return shapes


def _force_visuals(part: Any, scene: SystemScene, extents: dict[str, float]) -> list[Visual]:
    try:
        markers = list(part.place(scene).markers)
    except CentrodeError:
        return []
    held = [marker for marker in markers if marker.body != GROUND]
    if part.kind == "sphere-contact" and part.radius > 0.0 and held:
        # The ball that touches, with a white cap that shows its turning.
        body, centre, radius = held[0].body, np.asarray(held[0].position, dtype=float), float(part.radius)
        cap = centre + np.array([0.0, 0.0, 0.96 * radius])
        return [
            VisualSphere(body, radius, position=_vector(centre)),
            VisualCylinder(body, 0.33 * radius, 0.1 * radius, position=_vector(cap), colour="white"),
        ]
    size = 0.09 * min([extents[m.body] for m in markers if m.body in extents], default=1.0)
    if part.kind == "path-spring" and len(markers) > 1:
        return [
            VisualLink(
                a.body, b.body, _vector(b.position), "rope", 0.3 * size, position=_vector(a.position), colour="rope"
            )
            for a, b in itertools.pairwise(markers)
        ]
    if part.kind in ("spring", "spring-damper", "damper", "bushing") and len(markers) == 2:
        a, b = markers
        if getattr(part, "stiffness", 1.0) == 0.0 and getattr(part, "damping", 1.0) == 0.0:
            return []  # a law of its own, such as a contact: nothing that could be seen
        pulls = bool(getattr(part, "tension_only", False))
        style = "rope" if pulls else "damper" if getattr(part, "stiffness", 1.0) == 0.0 else "coil"
        radius = {"rope": 0.3 * size, "coil": size, "damper": size}[style]
        return [
            VisualLink(
                a.body,
                b.body,
                _vector(b.position),
                style,
                radius,
                getattr(part, "length", None),
                position=_vector(a.position),
                colour="rope" if pulls else "spring",
            )
        ]
    return []


def _bodies(system: System) -> list[Any]:
    return [part for part in system.parts.values() if isinstance(part, Body)]


def _places(system: System, scene: SystemScene) -> dict[str, list[np.ndarray]]:
    """Points of every body at which joints and two-ended forces hold it, in the body frame."""
    found: dict[str, list[np.ndarray]] = {}
    for part in system.parts.values():
        if part.family not in ("joint", "force"):
            continue
        try:
            markers = list(part.place(scene).markers)  # type: ignore[attr-defined]
        except (CentrodeError, AttributeError):
            continue
        if len(markers) < 2:
            continue
        for marker in markers:
            if marker.body != GROUND:
                found.setdefault(marker.body, []).append(np.asarray(marker.position, dtype=float))
    return found


def _extent(body: Any, points: list[np.ndarray], plane: bool) -> float:
    """Length that says how large the body is drawn [m]."""
    row = body.row()
    centre = np.zeros(3)
    centre[: len(row.centre)] = row.centre
    reach = [float(np.linalg.norm(point - centre)) for point in points]
    return max([float(inertia_box(row, plane).max()), 1.5 * max(reach, default=0.0)]) or 0.3


def _distinct(points: list[np.ndarray]) -> list[np.ndarray]:
    found: list[np.ndarray] = []
    scale = max((float(np.linalg.norm(point)) for point in points), default=0.0)
    for point in points:
        if all(np.linalg.norm(point - other) > 1e-6 * max(scale, 1e-6) for other in found):
            found.append(point)
    return found


def _place_of(marker: Any) -> dict[str, Any]:
    place: dict[str, Any] = {"position": _vector(marker.position), "colour": "joint"}
    if marker.frame is not None:
        place["rotation"] = _quaternion(marker.frame)
    return place


def _vector(values: Any) -> Vector:
    x, y, z = (float(item) for item in values)
    return x, y, z


def _quaternion(matrix: Any) -> Quaternion:
    w, x, y, z = (float(item) for item in quaternion_from_matrix(np.asarray(matrix, dtype=float)))
    return w, x, y, z
