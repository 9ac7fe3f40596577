"""What a user asks of a state, sorted: coordinates and rates of joints, places and motions of bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.coordinates import coordinate_makers
from centrode.errors import InputError, nearest_name
from centrode.mechanics.placing import Place, go_to, held_speeds, move_rigidly, place_of, turn_joint
from centrode.mechanics.speeds import AXES, BodySpeed, Speed, coordinate_speed, is_bridge, joined_bodies
from centrode.parts.bodies.body import rotation_from
from centrode.parts.meant import in_si
from centrode.parts.part import check_value, flatten
from centrode.system.turns import count_with_joints

if TYPE_CHECKING:
    from centrode.dynamics.workspace import Workspace

BODY_UNITS = {"position": "m", "orientation": "1", "angle": "rad", "velocity": "m/s", "omega": "rad/s"}


@dataclass
class Change:
    """A change of a state.

    Attributes:
        coordinates: (joint, coordinate) -> value.
        places: body -> what is given of its place.
        speeds: speeds and the values that they are to have.
    """

    coordinates: dict[tuple[int, str], float] = field(default_factory=dict)
    places: dict[int, dict[str, np.ndarray]] = field(default_factory=dict)
    speeds: list[tuple[Speed, float]] = field(default_factory=list)


def read_change(workspace: Workspace, values: Mapping[str, object]) -> Change:
    """Sort what is given, by name.

    Raises:
        InputError: unknown names, values that are no numbers.
    """
    model = workspace.model
    makers = coordinate_makers(model)
    joints = {joint.name: j for j, joint in enumerate(model.joints)}
    found = Change()
    for name, value in values.items():
        part, _, what = name.rpartition(".")
        if part in joints:
            short = what.removesuffix("_rate")
            if f"{part}.{short}" not in makers:
                known = [n for coordinate, _ in model.joints[joints[part]].coordinate_names
                         for n in (coordinate, f"{coordinate}_rate") if f"{part}.{coordinate}" in makers]  # fmt: skip
                raise _unknown(name, what, known, f"a {model.joints[joints[part]].kind} joint")
            coordinate = makers[f"{part}.{short}"]()
            number = _numbers(name, value, coordinate.unit + ("/s" if short != what else ""), 1)[0]
            if short == what:
                found.coordinates[joints[part], short] = number
            else:
                found.speeds.append((coordinate_speed(coordinate, part), number))
        elif part in model.body_names[1:]:
            _read_body(workspace, found, part, what, value)
        else:
            known = [*joints, *model.body_names[1:]]
            raise _unknown(name, part or name, known, "the system")
    return found


def _unknown(path: str, what: str, known: list[str], where: str) -> InputError:
    expected = ("one of " + ", ".join(known[:12])) if known else "nothing: it has no coordinates"
    return InputError(f"{where} has no '{what}'", path=path, expected=expected, nearest=nearest_name(what, known))


def _numbers(path: str, value: object, unit: str, count: int) -> np.ndarray:
    read = in_si(value, unit) if isinstance(value, str | list | tuple) else value
    faults = check_value(path, read, {"unit": unit})
    flat = flatten(read)
    if faults or len(flat) != count or not all(isinstance(x, int | float) for x in flat):
        what = {1: "a number", 2: "two numbers", 3: "x, y, z"}[count]
        raise InputError(faults or "not what it should be", path=path, got=value, expected=f"{what} in {unit}")
    return np.array(flat, dtype=float)


def _read_body(workspace: Workspace, found: Change, name: str, what: str, value: object) -> None:
    model, path = workspace.model, f"{name}.{what}"
    plane, b = model.plane, model.body_index(name)
    known = ["position", "angle" if plane else "orientation", "velocity", "omega"]
    if what not in known:
        raise _unknown(path, what, known, f"the body '{name}'")
    if model.body_parts[b - 1].elasticity():
        raise InputError("a body that deforms cannot be set by name", path=path, hint="Session.restore takes its state")
    if what == "orientation":
        found.places.setdefault(b, {})["rotation"] = rotation_from(value, path)
        return
    count = 1 if plane and what in ("angle", "omega") else 2 if plane else 3
    numbers = _numbers(path, value, BODY_UNITS[what], count)
    if what == "position":
        found.places.setdefault(b, {})["position"] = np.array([*numbers, 0.0][:3])
    elif what == "angle":
        c, s = np.cos(numbers[0]), np.sin(numbers[0])
        found.places.setdefault(b, {})["rotation"] = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    else:
        first = 0 if what == "velocity" else 5 if plane else 3
        for k, number in enumerate(numbers):
            end = "" if plane and what == "omega" else f".{AXES[k]}"
            unit = BODY_UNITS[what]
            found.speeds.append((BodySpeed(f"{path}{end}", unit, "", b, first + k), float(number)))


def apply_places(workspace: Workspace, time: float, change: Change, speeds: list[Speed]) -> None:
    """Coordinates and places of a change; ``speeds`` are the independent ones.

    Raises:
        InputError: the joints do not allow it; the workspace is then somewhere on the way.
    """
    w, model = workspace, workspace.model
    makers = coordinate_makers(model)
    loops = []
    given: dict[int, dict[str, float]] = {}
    for (j, name), value in change.coordinates.items():
        given.setdefault(j, {})[name] = value
    for j, values in given.items():
        joint = model.joints[j]
        names = [name for name, _ in joint.coordinate_names]
        own = [makers[f"{joint.name}.{name}"]() for name in names if f"{joint.name}.{name}" in makers]
        if is_bridge(model, j) and not joint.compliant:
            changes = [
                -c.miss(float(c.jet(w).v), values[short]) if (short := c.name.rpartition(".")[2]) in values else 0.0
                for c in own
            ]
            turn_joint(w, time, j, own, changes)
        for c in own:
            short = c.name.rpartition(".")[2]
            if short in values:
                w["joint_memory"][j, names.index(short)] = values[short]  # with its turns
                if not is_bridge(model, j) or abs(c.miss(float(c.jet(w).v), values[short])) > 1e-9:
                    loops.append((c, values[short]))
    far = []
    for b, wanted in change.places.items():
        position, rotation = place_of(w, b)
        target = wanted.get("position", position), wanted.get("rotation", rotation)
        mates = next(found for found in joined_bodies(model) if b in found)
        if 0 in mates:
            far.append(Place(b, *target))
        else:
            turn = target[1] @ rotation.T
            move_rigidly(w, mates, turn, target[0] - turn @ position)
    if loops or far:
        w.evaluate(time)
        names_given = {name for name, _ in ((c.name, v) for c, v in loops)}
        go_to(w, time, loops, far, [s for s in held_speeds(w, speeds) if s.name not in names_given] if not far else [])
    count_with_joints(model.forces, w["force_memory"], model.joints, w["joint_memory"], given)
