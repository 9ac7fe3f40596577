"""Named access to what could be measured on a running system: for controllers, live driving and tests.

Names are those of the recording's channels, with one component at the end:

    arm.position.x   arm.velocity.z   arm.omega.y   arm.orientation.w     bodies (body frame as the user gave it)
    arm.angle        arm.omega                                            planar bodies
    hinge.angle      hinge.angle_rate      slider.displacement_rate       joints
    drive.output                                                          internal states of forces
    drive.command                                                         control inputs in force
    time
"""

from __future__ import annotations

from typing import Any

import numpy as np

from centrode.dynamics.coordinates import find_coordinate
from centrode.errors import InputError, nearest_name
from centrode.math.rotation import quaternion_from_matrix
from centrode.parts.forces.axis import slide, twist_rate
from centrode.parts.kernel_types import JOINT_MARKER_A, JOINT_MARKER_B, LINK_INPUT

RATE = "_rate"
COMPONENTS = {"x": 0, "y": 1, "z": 2}


class ModelView:
    """A view of a model's workspace; :meth:`refresh` after the state moved on.

    Args:
        model: the tables.
        workspace: what changes.
    """

    def __init__(self, model: Any, workspace: Any) -> None:
        self.model = model
        self.workspace = workspace
        self.time = 0.0
        self._getters: dict[str, Any] = {"time": lambda: self.time}
        self._name_bodies()
        self._name_joints()
        for k, (part, name, _) in enumerate(model.state_names):
            self._getters[f"{part}.{name}"] = lambda k=k: float(self.workspace["states"][k])
        for i, force in enumerate(model.forces):
            for k, name in enumerate(force.input_names):
                slot = int(model.force_link[i, LINK_INPUT]) + k
                self._getters[f"{force.name}.{name}"] = lambda slot=slot: float(self.workspace["inputs"][slot])
        self.refresh(0.0)

    def refresh(self, time: float) -> None:
        """Take over the present state: marker positions and velocities from poses and velocities."""
        self.time = float(time)
        self.workspace.place_markers()

    @property
    def names(self) -> list[str]:
        """All names that :meth:`value` knows."""
        return list(self._getters)

    def value(self, name: str) -> float:
        """A measured number by name.

        Raises:
            InputError: no such name.
        """
        getter = self._getters.get(name)
        if getter is None:
            self.check(name, name)
        return getter()  # type: ignore[misc]

    def check(self, name: str, path: str) -> None:
        """Refuse an unknown name, with the nearest one."""
        if name not in self._getters:
            raise InputError(
                "nothing of this name can be measured",
                path=path,
                got=name,
                nearest=nearest_name(name, self.names),
                hint="names are those of the channels, such as arm.position.x or hinge.angle",
            )

    def position(self, body: str) -> np.ndarray:
        """Origin of the body frame [m], world, shape (3,)."""
        slot, row = self._slot(body)
        centre = self._centre(slot)
        return centre - self.rotation(body) @ row.centre

    def velocity(self, body: str) -> np.ndarray:
        """Velocity of the origin of the body frame [m/s], world, shape (3,)."""
        slot, row = self._slot(body)
        v = self.workspace["velocity"][slot]
        centre_velocity = np.array([v[0], v[1], 0.0 if self.model.plane else v[2]])
        rotation = self.rotation(body)
        return centre_velocity - rotation @ np.cross(self.omega(body), row.centre)

    def rotation(self, body: str) -> np.ndarray:
        """Rotation matrix, world from body frame, shape (3, 3)."""
        part, row, slot = self.model.body_motion(body)
        found: np.ndarray = part.attitude(row, self.workspace["pose"][slot])
        return found

    def orientation(self, body: str) -> np.ndarray:
        """Quaternion (w, x, y, z), world from body frame."""
        return quaternion_from_matrix(self.rotation(body))

    def omega(self, body: str) -> np.ndarray:
        """Angular velocity [rad/s] in the body frame, shape (3,)."""
        part, row, slot = self.model.body_motion(body)
        found: np.ndarray = part.spin(row, self.workspace["pose"][slot], self.workspace["velocity"][slot])
        return found

    def coordinate(self, joint: str, name: str = "") -> float:
        """Coordinate of a joint [rad or m], its first one when no name is given."""
        return self.value(f"{joint}.{name or self._coordinates(joint)[0]}")

    def coordinate_rate(self, joint: str, name: str = "") -> float:
        """Rate of a joint's coordinate [rad/s or m/s]."""
        return self.value(f"{joint}.{name or self._coordinates(joint)[0]}{RATE}")

    def _coordinates(self, joint: str) -> list[str]:
        found = self.model.joints[self.model.joint_index(joint)]
        return [name for name, _ in found.coordinate_names]

    def _slot(self, body: str) -> tuple[int, Any]:
        _, row, slot = self.model.body_motion(body)
        return slot, row

    def _centre(self, slot: int) -> np.ndarray:
        pose = self.workspace["pose"][slot]
        return np.array([pose[0], pose[1], 0.0 if self.model.plane else pose[2]])

    def _name_bodies(self) -> None:
        for slot, body in enumerate(self.model.body_names[1:]):
            for what in ("position", "velocity") + (() if self.model.plane else ("omega",)):
                reader = getattr(self, what)
                for letter, k in COMPONENTS.items():
                    if k < 2 or not self.model.plane:
                        self._getters[f"{body}.{what}.{letter}"] = lambda r=reader, b=body, k=k: float(r(b)[k])
            if self.model.plane:
                self._getters[f"{body}.angle"] = lambda s=slot: float(self.workspace["pose"][s, 2])
                self._getters[f"{body}.omega"] = lambda s=slot: float(self.workspace["velocity"][s, 2])
            else:
                for k, letter in enumerate("wxyz"):
                    self._getters[f"{body}.orientation.{letter}"] = lambda b=body, k=k: float(self.orientation(b)[k])

    def _name_joints(self) -> None:
        markers = self.model.markers
        for j, joint in enumerate(self.model.joints):
            a = int(self.model.joint_link[j, JOINT_MARKER_A])
            b = int(self.model.joint_link[j, JOINT_MARKER_B])
            for k, (name, _) in enumerate(joint.coordinate_names):
                self._getters[f"{joint.name}.{name}"] = lambda j=j, k=k: float(self.workspace["joint_memory"][j, k])
                if not (markers[a]["with_frame"] and markers[b]["with_frame"]):
                    continue
                if name in ("angle_a", "angle_b"):  # of a cross or of gear wheels: not about the z axis of marker a
                    turning = find_coordinate(self.model, f"{joint.name}.{name}")
                    self._getters[f"{joint.name}.{name}{RATE}"] = lambda c=turning: float(c.jet(self.workspace).d)
                    continue
                if "angle" in name:
                    rate = lambda a=a, b=b: float(twist_rate(self.workspace["markers"], a, b))  # noqa: E731
                elif "displacement" in name:
                    rate = lambda a=a, b=b: float(slide(self.workspace["markers"], a, b)[1])  # noqa: E731
                else:
                    continue
                self._getters[f"{joint.name}.{name}{RATE}"] = rate
