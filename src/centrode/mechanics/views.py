"""A joint and a body of a state, by name: what can be read, and what can be set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from centrode.math.rotation import quaternion_from_matrix
from centrode.mechanics.placing import place_of
from centrode.mechanics.speeds import body_twist

if TYPE_CHECKING:
    from centrode.mechanics.mechanics import Mechanics


def _value(what: str, meaning: str) -> property:
    """A number of the state that is read and set by its name."""

    def read(self: JointState | BodyState) -> float:
        return self._mechanics.get(f"{self.name}.{what}")

    def write(self: JointState | BodyState, value: float) -> None:
        self._mechanics.set({f"{self.name}.{what}": value})

    return property(read, write, doc=meaning)


class JointState:
    """A joint at the present state. Values and rates of its coordinates are read and set as attributes.

    Setting a coordinate moves all that hangs behind the joint and closes loops; other joint coordinates that are free
    to stay keep their values, and all independent speeds do. Joints have the coordinates that :attr:`coordinates`
    lists.

    Example:
        >>> mechanics.joint("elbow").angle = 0.3
        >>> mechanics.joint("elbow").angle_rate
    """

    __slots__ = ("_mechanics", "name")

    def __init__(self, mechanics: Mechanics, name: str) -> None:
        self._mechanics, self.name = mechanics, name

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {value:.6g}" for name, value in self.coordinates.items())
        return f"<joint {self.name}{': ' if values else ''}{values}>"

    @property
    def coordinates(self) -> dict[str, float]:
        """Values of all its coordinates [rad, m], turns counted."""
        joint = self._mechanics.model.joints[self._mechanics.model.joint_index(self.name)]
        return {name: self._mechanics.get(f"{self.name}.{name}") for name, _ in joint.coordinate_names}

    angle = _value("angle", "Angle of b against a [rad].")
    angle_rate = _value("angle_rate", "[rad/s]")
    displacement = _value("displacement", "Displacement of b against a along the axis [m].")
    displacement_rate = _value("displacement_rate", "[m/s]")
    angle_a = _value("angle_a", "First angle of a universal joint or of a pair of gears [rad].")
    angle_a_rate = _value("angle_a_rate", "[rad/s]")
    angle_b = _value("angle_b", "Second angle of a universal joint or of a pair of gears [rad].")
    angle_b_rate = _value("angle_b_rate", "[rad/s]")

    @property
    def force(self) -> np.ndarray:
        """Force of the joint on its second body, world [N]."""
        return self._mechanics.now()[f"{self.name}.force"]

    @property
    def torque(self) -> np.ndarray:
        """Torque of the joint on its second body about the joint's place there, world [N m]."""
        return self._mechanics.now()[f"{self.name}.torque"]


class BodyState:
    """A body at the present state: place and motion of its own frame, read and set as attributes.

    Of a part of the system that hangs on nothing all bodies move along, joint coordinates keep their values. What
    hangs on the ground is brought there as far as its joints allow it, and refused otherwise.
    """

    __slots__ = ("_mechanics", "name")

    def __init__(self, mechanics: Mechanics, name: str) -> None:
        self._mechanics, self.name = mechanics, name

    def __repr__(self) -> str:
        return f"<body {self.name} at {np.array2string(self.position, precision=6, separator=', ')}>"

    @property
    def _number(self) -> int:
        return self._mechanics.model.body_index(self.name)

    @property
    def position(self) -> np.ndarray:
        """Origin of the body frame, world [m]; two numbers in the plane."""
        position, _ = place_of(self._mechanics.workspace, self._number)
        return position[:2] if self._mechanics.model.plane else position

    @position.setter
    def position(self, value: object) -> None:
        self._mechanics.set({f"{self.name}.position": value})

    @property
    def rotation(self) -> np.ndarray:
        """Rotation matrix, world from body."""
        return place_of(self._mechanics.workspace, self._number)[1]

    @property
    def orientation(self) -> np.ndarray:
        """Quaternion (w, x, y, z), world from body; set from that, or from a rotation matrix."""
        return quaternion_from_matrix(self.rotation)

    @orientation.setter
    def orientation(self, value: object) -> None:
        self._mechanics.set({f"{self.name}.orientation": value})

    angle = _value("angle", "Angle of a body of a plane system [rad].")

    @property
    def velocity(self) -> np.ndarray:
        """Of the origin, world [m/s]."""
        return self._twist()[: 2 if self._mechanics.model.plane else 3]

    @velocity.setter
    def velocity(self, value: object) -> None:
        self._mechanics.set({f"{self.name}.velocity": value})

    @property
    def omega(self) -> np.ndarray:
        """Angular velocity, body axes [rad/s]; one number in the plane."""
        return self._twist()[5] if self._mechanics.model.plane else self._twist()[3:]

    @omega.setter
    def omega(self, value: object) -> None:
        self._mechanics.set({f"{self.name}.omega": value})

    @property
    def acceleration(self) -> np.ndarray:
        """Of the origin, world [m/s2]."""
        return self._rates()[: 2 if self._mechanics.model.plane else 3]

    @property
    def alpha(self) -> np.ndarray:
        """Rate of the angular velocity, body axes [rad/s2]; one number in the plane."""
        return self._rates()[5] if self._mechanics.model.plane else self._rates()[3:]

    def _twist(self) -> np.ndarray:
        workspace, b = self._mechanics.workspace, self._number
        found: np.ndarray = body_twist(workspace, b)[0] @ workspace["velocity"][b - 1]
        return found

    def _rates(self) -> np.ndarray:
        return body_twist(self._mechanics.workspace, self._number, self._mechanics.numbers().acceleration)[1]
