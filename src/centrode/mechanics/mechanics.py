"""A state with names, and what mechanics says of it: ``ct.Mechanics``.

The equations behind the answers: :mod:`centrode.mechanics.numbers`; how states are set:
:mod:`centrode.mechanics.placing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from centrode.dynamics.coordinates import Coordinate, coordinate_makers
from centrode.dynamics.redundancy import choose_rows, take_all_rows
from centrode.errors import Fault, InputError, nearest_name
from centrode.mechanics.change import apply_places, read_change
from centrode.mechanics.labels import labelled
from centrode.mechanics.numbers import Numbers, Rows
from centrode.mechanics.placing import Held, close, place_of, rigid_velocity
from centrode.mechanics.speeds import (
    AXES,
    Speed,
    body_twist,
    choose_speeds,
    coordinate_speed,
    find_speed,
    independent_of,
    null_space,
)
from centrode.mechanics.views import BodyState, JointState
from centrode.parts.bodies.body import Body
from centrode.parts.joints.joint import Joint
from centrode.recording.moment import Moment
from centrode.recording.observer import input_slots
from centrode.running import KEPT, Session, resolve_settings
from centrode.scenario.document import Scenario
from centrode.system.builder import System

if TYPE_CHECKING:
    from xarray import DataArray, Dataset

    from centrode.mechanics.equilibrium import Equilibrium

MISSED = 1e-9
"""Part of a load, or of a speed, that may be missing where actuators or joints cannot give what is asked."""


class Mechanics:
    """A system at a state: set and read by names, and asked for what mechanics says there.

    Args:
        what: a system or scenario, or a session, which then goes on from the state that is set here.
        coordinates: names of independent coordinates, such as "crank.angle"; found when left out. Those of a tree are
            all its joint coordinates, and velocity and turning of what hangs on nothing.
        settings: of the run, see :class:`centrode.system.settings.RunSettings`, where ``what`` is no session.

    Attributes:
        session: that of the state; ``session.step()`` goes on from here.

    Example:
        >>> state = ct.Mechanics(system)
        >>> state.joint("elbow").angle = "30 deg"
        >>> state.joint("elbow").angle_rate = 1.5
        >>> state.mass_matrix(), state.bias(), state.inverse_dynamics({"elbow.angle": 2.0})
    """

    def __init__(
        self,
        what: System | Scenario | Session,
        coordinates: Sequence[str] | None = None,
        **settings: str | float | bool,
    ) -> None:
        if isinstance(what, Session):
            if settings:
                raise InputError("a session has its settings already", path=next(iter(settings)))
            self.session = what
        else:
            scenario = what if isinstance(what, Scenario) else Scenario(what)
            chosen = resolve_settings(scenario.settings, dict(settings), scenario.system.plugins)
            self.session = Session(scenario.system, chosen)
        self.workspace, self.model = self.session.workspace, self.session.model
        self._named = list(coordinates) if coordinates is not None else None
        self._known: tuple[object, Numbers] | None = None
        self._speeds: list[Speed] = []
        self._choose()

    # -- the state -----------------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """[s]"""
        return float(self.session.run.time)

    def joint(self, name: str) -> JointState:
        """A joint by name."""
        self.part(name, "joint")
        return JointState(self, name)

    def body(self, name: str) -> BodyState:
        """A body by name."""
        self.part(name, "body")
        return BodyState(self, name)

    def part(self, name: str, family: str) -> Joint | Body:
        """The joint or body of that name.

        Raises:
            InputError: there is none, with the nearest name.
        """
        parts: list[Joint | Body] = [*self.model.joints] if family == "joint" else [*self.model.body_parts]
        known = {part.name: part for part in parts}
        if name not in known:
            expected = "one of " + ", ".join(list(known)[:12]) + (", ..." if len(known) > 12 else "")
            raise InputError(f"unknown {family}", path=name, expected=expected, nearest=nearest_name(name, list(known)))
        return known[name]

    def get(self, name: str) -> float:
        """A coordinate or its rate: "elbow.angle", "elbow.angle_rate", "slider.displacement", "arm.position.x"."""
        makers = coordinate_makers(self.model)
        short = name if name in makers else name.removesuffix("_rate")
        part, _, what = short.rpartition(".")
        joints = {joint.name: j for j, joint in enumerate(self.model.joints)}
        self.numbers()
        if part in joints and name == short:
            names = [known for known, _ in self.model.joints[joints[part]].coordinate_names]
            value = float(self.workspace["joint_memory"][joints[part], names.index(what)]) if what in names else 0.0
            if what in names and (short not in makers or self._counted(makers[short](), value)):
                return value
        if short not in makers:
            known = [*makers]
            raise InputError("unknown coordinate", path=name, nearest=nearest_name(short, known))
        jet = makers[short]().jet(self.workspace)
        return float(jet.v if name == short else jet.d)

    def _counted(self, coordinate: Coordinate, memory: float) -> bool:
        """Whether a joint keeps count of its coordinate: its memory agrees with the pose."""
        return bool(abs(coordinate.miss(memory, float(coordinate.jet(self.workspace).v))) < 1e-6)

    def set(self, values: Mapping[str, object]) -> None:
        """Set coordinates and rates of joints, places and motions of bodies, all at once.

        Args:
            values: name -> number, or text with a unit: "elbow.angle", "elbow.angle_rate", "slider.displacement",
                "base.position", "base.orientation", "base.velocity", "base.omega", ...

        Raises:
            InputError: unknown names, or the joints do not allow it; the state is then as it was.
        """
        w, time = self.workspace, self.time
        change = read_change(w, values)
        kept = {name: w[name].copy() for name in KEPT}
        kept["values"] = w.values.copy()
        speeds = self.numbers().g @ w["velocity"].ravel()
        try:
            if change.coordinates or change.places:
                apply_places(w, time, change, self._speeds)
                w.evaluate(time)
                if close(w, time, Held([], [], [])) > MISSED:
                    raise InputError("the joints do not allow this", path=", ".join(values))
                self.follow_places()
            self._move(speeds, change.speeds)
        except InputError:
            for name, table in kept.items():
                w[name][:] = table
            w.evaluate(time)
            raise
        self.restart()

    @property
    def independent(self) -> list[Speed]:
        """The independent speeds."""
        return self._speeds

    def follow_places(self) -> None:
        """Choose redundant rows and, where they no longer determine the motion, speeds anew: places have changed."""
        time = self.time
        choose_rows(self.workspace, time)
        self.workspace.evaluate(time)
        rows = Rows(self.workspace)
        motions = null_space(rows.j, rows.live)
        if len(independent_of(self.workspace, self._speeds, motions)) < len(self._speeds):
            self._choose()

    def _choose(self) -> None:
        self.workspace.evaluate(self.time)
        rows = Rows(self.workspace)
        self._speeds = choose_speeds(self.workspace, rows.j, rows.live, self._named)
        self._known = None

    def _move(self, kept: np.ndarray, given: list[tuple[Speed, float]]) -> None:
        """Velocities with given speeds; the independent speeds that are free to stay keep their values."""
        w = self.workspace
        w.evaluate(self.time)
        rows = Rows(w)
        names = [speed.name for speed, _ in given]
        stay = [pair for pair in zip(self._speeds, kept, strict=False) if pair[0].name not in names]
        stay.sort(key=lambda pair: not pair[0].joint)  # joints keep their rates, free parts are moved along
        motions = null_space(rows.j, rows.live)
        chosen = independent_of(w, [speed for speed, _ in (*given, *stay)], motions)
        rest = [(speed, value) for speed, value in stay if speed in chosen]
        gradients = np.array([speed.gradient(w).ravel() for speed, _ in (*given, *rest)]).reshape(-1, rows.j.shape[1])
        nu = np.array([w["terms"][j, r, 1] for j, r in rows.places])
        right = np.concatenate([-nu, [value for _, value in (*given, *rest)]])
        matrix = np.vstack([rows.j, gradients])
        found = rows.solve(matrix, right[:, None])[:, 0]
        missed = np.abs(matrix @ found - right)
        if missed.max(initial=0.0) > MISSED * max(1.0, float(np.abs(right).max(initial=0.0))):
            raise InputError("the joints cannot move so", path=", ".join(names) or "velocity")
        w["velocity"][:] = found.reshape(w["velocity"].shape)

    def restart(self) -> None:
        """Let the session go on from the state as it is now, after its tables were written to."""
        time = self.time
        self._known = None
        w, contacts = self.workspace, self.model.contacts
        w.evaluate(time)
        if contacts is not None:
            contacts.begin(w, time)
        self.session.run.record["spare_rows"] = w.spare_rows
        self.session.run.fresh = True
        self.numbers()

    def command(self, values: Mapping[str, float]) -> None:
        """Set control inputs: name of an actuator, motor or thruster -> its command, in the unit of the drive.

        Raises:
            InputError: no such input.
        """
        slots = {f"{part}.{name}": slot for (part, name), slot in input_slots(self.model).items()}
        firsts = {name.rpartition(".")[0]: slot for name, slot in reversed(slots.items())}
        for name, value in values.items():
            slot = slots.get(name, firsts.get(name))
            if slot is None:
                known = [*firsts]
                expected = "one of " + ", ".join(known[:12]) if known else "an actuator, motor or thruster"
                raise InputError("no input to command", path=name, expected=expected, nearest=nearest_name(name, known))
            self.workspace["inputs"][slot] = float(value)
        self.session.run.fresh = True

    def now(self) -> Moment:
        """All channels of the present moment, as recordings have them: reactions, energies, places, motions."""
        return self.session.now()

    # -- what mechanics says -------------------------------------------------------------------------------------------

    @property
    def speeds(self) -> DataArray:
        """Independent speeds with their values: the order of all matrices."""
        values = self.numbers().g @ self.workspace["velocity"].ravel()
        return self._over_speeds("speed", values, [s.unit for s in self._speeds], "independent speeds")

    def coordinates(self) -> dict[str, float]:
        """Values of all joint coordinates by name [rad, m]."""
        makers = coordinate_makers(self.model)
        names = [f"{j.name}.{name}" for j in self.model.joints for name, _ in j.coordinate_names]
        return {name: self.get(name) for name in names if name in makers}

    def numbers(self) -> Numbers:
        """Dense arrays behind all answers, see :mod:`centrode.mechanics.numbers`."""
        w = self.workspace
        state = (self.time, *(w[name].tobytes() for name in ("values", "joint_memory", "inputs", "row_active")))
        if self._known is None or self._known[0] != state:
            found = Numbers(w, self.time, self._speeds)
            state = (self.time, *(w[name].tobytes() for name in ("values", "joint_memory", "inputs", "row_active")))
            self._known = state, found
        return self._known[1]

    def accelerations(self, loads: Mapping[str, float] | None = None) -> DataArray:
        """Rates of the independent speeds as the system moves now.

        Args:
            loads: further forces and torques on coordinates, name -> [N, N m].
        """
        numbers = self.numbers()
        found = numbers.speed_rates()
        if loads:
            found = found + np.linalg.solve(numbers.mass, self._loads(loads))
        units = [s.unit.replace("/s", "/s2") for s in self._speeds]
        return self._over_speeds("acceleration", found, units, "rates of the independent speeds")

    def mass_matrix(self, of: str = "speeds") -> DataArray:
        """Mass matrix of the independent ``speeds``, or of the velocities of all ``bodies``."""
        if of == "speeds":
            names = self._names()
            note = "mass matrix of the independent speeds"
            return labelled("mass", self.numbers().mass, [("speed", names), ("with", names)], "kg, kg*m, kg*m2", note)
        _one_of("of", of, ("speeds", "bodies"))
        names, back = self._body_velocities()
        matrix = back.T @ self.numbers().body_mass() @ back
        return labelled("mass", matrix, [("velocity", names), ("with", names)], "kg, kg*m, kg*m2", "of all bodies")

    def jacobian(self) -> DataArray:
        """Rows of the joints over the velocities of all bodies: J v + nu = 0, redundant rows among them."""
        w = self.workspace
        kept = w["choice"].copy(), w["row_active"].copy()
        if kept[0].size:
            take_all_rows(w)
        w.evaluate(self.time)
        rows = Rows(w)
        w["choice"][:], w["row_active"][:] = kept
        w.evaluate(self.time)
        names, back = self._body_velocities()
        labels = [f"{self.model.joints[j].name}[{r}]" for j, r in rows.places]
        return labelled("jacobian", rows.j @ back, [("row", labels), ("velocity", names)], "1, m", "rows of the joints")

    def point_jacobian(self, body: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> DataArray:
        """Velocity of a point of a body and its angular velocity, both world, per unit of each independent speed.

        Args:
            body: name.
            point: in the body frame [m].
        """
        self.part(body, "body")
        b = self.model.body_index(body)
        twist, _ = body_twist(self.workspace, b)
        _, rotation = place_of(self.workspace, b)
        arm = rotation @ np.array([*np.asarray(point, dtype=float), 0.0, 0.0, 0.0][:3])
        spin = rotation @ twist[3:]
        moved = twist[:3] + np.cross(spin, arm, axis=0)
        width = self.model.velocity_width
        found = np.vstack([moved, spin]) @ self.numbers().v[(b - 1) * width : b * width]
        rows = [*(f"velocity.{x}" for x in AXES), *(f"omega.{x}" for x in AXES)]
        note = f"motion of a point of '{body}' per unit of each speed, world"
        return labelled("point_jacobian", found, [("motion", rows), ("speed", self._names())], "1, m", note)

    def bias(self) -> DataArray:
        """What Coriolis, centrifugal and gyroscopic terms and gravity ask: c of M u' + c = tau; no other forces."""
        numbers = self.numbers()
        found = numbers.moving.T @ (numbers.weighed(numbers.a_0) - (numbers.force - numbers.applied))
        return self._over_speeds("bias", found, self._load_units(), "inertia of the present motion, and gravity")

    def gravity_loads(self) -> DataArray:
        """Loads of gravity on the independent speeds."""
        found = self.numbers().moving.T @ self.numbers().weight
        return self._over_speeds("gravity", found, self._load_units(), "work of gravity per unit of each speed")

    def applied_loads(self) -> DataArray:
        """Loads of the forces and contacts of the system on the independent speeds."""
        found = self.numbers().moving.T @ self.numbers().applied
        return self._over_speeds("applied", found, self._load_units(), "work of all forces per unit of each speed")

    def inverse_dynamics(
        self,
        accelerations: Mapping[str, float] | None = None,
        actuators: Sequence[str] | None = None,
        forces: bool = True,
    ) -> DataArray:
        """Forces and torques on coordinates that give the system these accelerations.

        Args:
            accelerations: of independent speeds by name [rad/s2, m/s2]; those not named are zero.
            actuators: coordinates on which loads may act; all of joints, and of what hangs on nothing, when left out.
                Where they are more than there are degrees of freedom (loops), the smallest loads are given.
            forces: what the forces and contacts of the system do counts (True), or only gravity and inertia do.

        Raises:
            InputError: unknown names, or the actuators cannot do it.
        """
        numbers = self.numbers()
        wanted = self._loads(accelerations or {})
        needed = numbers.loads(wanted) + (0.0 if forces else numbers.moving.T @ numbers.applied)
        acting = self._actuators(actuators)
        reach = (np.array([s.gradient(self.workspace).ravel() for s in acting]).reshape(len(acting), -1) @ numbers.v).T
        found = np.linalg.lstsq(reach, needed, rcond=1e-11)[0] if acting else np.zeros(0)
        missed = float(np.abs(reach @ found - needed).max(initial=0.0))
        if missed > MISSED * max(1.0, float(np.abs(needed).max(initial=0.0))):
            worst = self._speeds[int(np.argmax(np.abs(reach @ found - needed)))]
            what = "the actuators cannot give these accelerations"
            hint = f"missing {missed:.4g} {worst.load_unit} on {worst.name}; leave actuators out for all coordinates"
            raise InputError(what, path="actuators", got=[s.name for s in acting], hint=hint)
        units = [s.load_unit for s in acting]
        return labelled("load", found, [("coordinate", [s.name for s in acting])], units, "inverse dynamics")

    def reactions(self) -> Dataset:
        """Force and torque of every joint on its second body, at its place there, world."""
        from xarray import Dataset

        now = self.now()
        joints = [joint.name for joint in self.model.joints]
        axes = [("joint", joints), ("xyz", list(AXES))]
        found = {
            what: labelled(what, np.array([now[f"{name}.{what}"] for name in joints]).reshape(-1, 3), axes, unit, note)
            for what, unit, note in (("force", "N", "on the second body"), ("torque", "N*m", "on the second body"))
        }
        return Dataset(found)

    def energy(self) -> dict[str, float]:
        """Kinetic, gravity (zero at the origin), stored and total energy [J]."""
        now = self.now()
        return {what: float(now[f"energy.{what}"]) for what in ("kinetic", "gravity", "stored", "total")}

    def centre_of_mass(self) -> np.ndarray:
        """Of all bodies, by the masses that gravity acts on, world [m]."""
        masses = np.array([row.weight_mass for row in self.model.body_rows])
        centres = self._centres()
        return np.asarray(masses @ centres / masses.sum())[: 2 if self.model.plane else 3]

    def momentum(self, about: Sequence[float] | None = None) -> DataArray:
        """Linear and angular momentum of all bodies, world [N s, N m s].

        Args:
            about: point of the angular momentum [m]; the centre of mass when left out.
        """
        given = self.centre_of_mass() if about is None else np.asarray(about, dtype=float)
        point = np.array([*given, 0.0, 0.0][:3])
        numbers = self.numbers()
        moving = numbers.weighed(self.workspace["velocity"].ravel())
        found = np.zeros(6)
        for k in range(6):
            unit = np.eye(6)[k]
            bodies = range(1, self.model.body_count + 1)
            rigid = np.array([rigid_velocity(self.workspace, b, unit, point) for b in bodies]).ravel()
            found[k] = moving @ numbers.weighed(rigid)
        rows = [*(f"linear.{x}" for x in AXES), *(f"angular.{x}" for x in AXES)]
        return labelled("momentum", found, [("component", rows)], ["N*s"] * 3 + ["N*m*s"] * 3, "of all bodies, world")

    def find_equilibrium(self, tolerance: float = 1e-9) -> Equilibrium:
        """Move to a static equilibrium near the state, resting on contacts where there are any; speeds become zero.

        Args:
            tolerance: largest acceleration left over, as a part of gravity (of 1 m/s2 without) [1].

        Raises:
            RunError: none was found; the state is then as it was.
        """
        from centrode.mechanics.equilibrium import find_equilibrium

        return find_equilibrium(self, tolerance)

    # -- in between ----------------------------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        return [speed.name for speed in self._speeds]

    def _load_units(self) -> list[str]:
        return [speed.load_unit for speed in self._speeds]

    def _over_speeds(self, name: str, values: np.ndarray, units: Sequence[str], note: str) -> DataArray:
        return labelled(name, values, [("speed", self._names())], units, note)

    def _loads(self, given: Mapping[str, float]) -> np.ndarray:
        found = np.zeros(len(self._speeds))
        faults: list[Fault] = []
        for name, value in given.items():
            try:
                found[find_speed(self._speeds, name)] = float(value)
            except InputError as error:
                faults += error.faults
            except (TypeError, ValueError):
                faults.append(Fault("not a number", name, got=value))
        if faults:
            raise InputError(faults)
        return found

    def _actuators(self, names: Sequence[str] | None) -> list[Speed]:
        makers = coordinate_makers(self.model)
        known = {s.name: s for s in self._speeds}
        for joint in self.model.joints:
            for what, _ in joint.coordinate_names:
                name = f"{joint.name}.{what}"
                if name not in known and name in makers and joint.holds_bodies(self.model.plane):
                    known[name] = coordinate_speed(makers[name](), joint.name)
        if names is None:
            return list(known.values())
        for name in names:
            if name not in known:
                raise InputError("no coordinate to act on", path=name, nearest=nearest_name(name, list(known)))
        return [known[name] for name in names]

    def _centres(self) -> np.ndarray:
        pose, width = self.workspace["pose"], 2 if self.model.plane else 3
        found = np.zeros((self.model.body_count, 3))
        found[:, :width] = pose[:, :width]
        return found

    def _body_velocities(self) -> tuple[list[str], np.ndarray]:
        """Names of the velocities of all bodies as users see them, and the matrix from these to the engine's."""
        model, width = self.model, self.model.velocity_width
        back = np.zeros((model.body_count * width, 0))
        names: list[str] = []
        for b in range(1, model.body_count + 1):
            part, name = model.body_parts[b - 1], model.body_names[b]
            here = part.velocity_width
            if part.elasticity():
                labels, block = [f"{name}.v{k + 1}" for k in range(here)], np.eye(here)
            elif model.plane:
                labels = [f"{name}.velocity.x", f"{name}.velocity.y", f"{name}.omega"]
                block = np.linalg.inv(body_twist(self.workspace, b)[0][[0, 1, 5]][:, :here])
            else:
                labels = [*(f"{name}.velocity.{x}" for x in AXES), *(f"{name}.omega.{x}" for x in AXES)]
                block = np.linalg.inv(body_twist(self.workspace, b)[0][:, :here])
            column = np.zeros((model.body_count * width, here))
            column[(b - 1) * width : (b - 1) * width + here] = block
            back = np.hstack([back, column])
            names += labels
        return names, back


def _one_of(path: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise InputError("unknown choice", path=path, got=value, expected="one of " + ", ".join(choices))
