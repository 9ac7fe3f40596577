"""MJCF: includes, defaults and classes, compiler settings, orientations; the words of the format, not its meaning."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from centrode.errors import InputError
from centrode.math.rotation import matrix_from_axis_angle, matrix_from_quaternion
from centrode.parts.xml_tree import Attributes, Element, read_xml

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")


def read_mjcf(path: str | Path) -> Element:
    """Root element of a file, with what it includes in place.

    Raises:
        InputError: not readable, not MJCF, or includes without end.
    """
    root = read_xml(path)
    if root.tag != "mujoco":
        raise InputError("not an MJCF file", file=str(path), line=root.line, got=root.tag, expected="<mujoco>")
    _include(root, Path(path), [Path(path).resolve()])
    return root


def _include(element: Element, file: Path, seen: list[Path]) -> None:
    children: list[Element] = []
    for child in element.children:
        if child.tag != "include":
            _include(child, file, seen)
            children.append(child)
            continue
        name = child.attributes.get("file", "")
        target = file.parent / name
        if not name or target.resolve() in seen or len(seen) > 32:
            what = "an include without a file" if not name else "a file that includes itself"
            raise InputError(what, path="include@file", file=str(file), line=child.line, got=name)
        seen.append(target.resolve())
        included = read_xml(target)
        _include(included, target, seen)
        children += included.children
    element.children = children


class Words(Attributes):
    """Attributes with defaults of classes, and what the compiler settings make of them."""

    def __init__(self, root: Element, file: str) -> None:
        super().__init__(file)
        self.compiler: dict[str, str] = {}
        for item in root.all("compiler"):
            self.compiler.update(item.attributes)
        self.degrees = self.compiler.get("angle", "degree") != "radian"
        self.defaults: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for item in root.all("default"):
            self.read_defaults(item, item.attributes.get("class", "main"), {})

    def read_defaults(self, element: Element, name: str, above: dict[str, dict[str, str]]) -> None:
        """Defaults of a class, on top of those of the class around it."""
        merged = {tag: dict(values) for tag, values in {**above, **self.defaults.get(name, {})}.items()}
        for child in element.children:
            if child.tag != "default":
                merged[child.tag] = {**merged.get(child.tag, {}), **child.attributes}
        self.defaults[name] = merged
        for child in element.all("default"):
            self.read_defaults(child, self.text(child, "class"), merged)

    def filled(self, element: Element, childclass: str) -> Element:
        """The element with the defaults of its class, or of the nearest childclass."""
        name = element.attributes.get("class") or childclass or "main"
        if name not in self.defaults:
            self.fault(element, "unknown class", "class", got=name, expected="one of " + ", ".join(self.defaults))
        own = self.defaults.get(name, {}).get(element.tag, {})
        given = element.attributes
        if any(word in given for word in ORIENTATIONS):  # a default in another form gives way
            own = {key: value for key, value in own.items() if key not in ORIENTATIONS}
        return Element(element.tag, {**own, **given}, element.line, element.children)

    def flag(self, element: Element, name: str, otherwise: bool) -> bool:
        """true or false; a default for "auto"."""
        word = self.choice(element, name, ("auto", "true", "false"), "auto")
        return otherwise if word == "auto" else word == "true"

    def angle(self, value: float) -> float:
        """An angle of the file in rad."""
        return math.radians(value) if self.degrees else value

    def pose(self, element: Element) -> np.ndarray:
        """Pose from pos and any of the forms of an orientation."""
        found = np.eye(4)
        found[:3, 3] = self.numbers(element, "pos", 3, [0.0, 0.0, 0.0])
        found[:3, :3] = self.rotation(element)
        return found

    def rotation(self, element: Element) -> np.ndarray:
        """Rotation matrix of an element."""
        given = [word for word in ORIENTATIONS if word in element.attributes]
        if not given:
            return np.eye(3)
        values = np.array(self.numbers(element, given[0], {"quat": 4, "axisangle": 4, "xyaxes": 6}.get(given[0], 3)))
        if not np.isfinite(values).all():
            return np.eye(3)
        if given[0] == "quat" and values.any():
            return matrix_from_quaternion(values)
        if given[0] == "axisangle" and values[:3].any():
            return matrix_from_axis_angle(values[:3], self.angle(values[3]))
        if given[0] == "zaxis" and values.any():
            return shortest_turn(values)
        if given[0] == "xyaxes" and np.linalg.norm(np.cross(values[:3], values[3:])) > 0.0:
            x = values[:3] / np.linalg.norm(values[:3])
            y = values[3:] - (values[3:] @ x) * x
            y /= np.linalg.norm(y)
            return np.column_stack([x, y, np.cross(x, y)])
        if given[0] == "euler":
            return self.euler(element, values)
        self.fault(element, "an orientation of length zero", given[0], got=values.tolist())
        return np.eye(3)

    def euler(self, element: Element, values: np.ndarray) -> np.ndarray:
        """Turns about axes in a sequence: small letters about turned axes, capitals about fixed ones."""
        sequence = self.compiler.get("eulerseq", "xyz")
        if len(sequence) != 3 or any(letter not in "xyzXYZ" for letter in sequence):
            self.fault(element, "unknown sequence of angles", "eulerseq", got=sequence, expected="such as xyz")
            return np.eye(3)
        found = np.eye(3)
        for letter, value in zip(sequence, values, strict=True):
            turn = matrix_from_axis_angle(np.eye(3)["xyz".index(letter.lower())], self.angle(float(value)))
            found = found @ turn if letter.islower() else turn @ found
        return found


def shortest_turn(direction: np.ndarray) -> np.ndarray:
    """Shortest rotation that takes z to a direction."""
    d = direction / np.linalg.norm(direction)
    axis, cosine = np.cross([0.0, 0.0, 1.0], d), float(d[2])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return np.eye(3) if cosine > 0.0 else np.diag([1.0, -1.0, -1.0])
    return matrix_from_axis_angle(axis, math.atan2(sine, cosine))
