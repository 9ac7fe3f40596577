"""A platoon from the three legacy files of MEDUSA, and back to them.

A legacy vehicle becomes a car of kind ``car-medusa``, the road a four-point road as the program of 1999 interpolates it
(``original``) or the smooth spline through the same points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from centrode.errors import Fault, InputError, RunError, RunStop
from centrode.math.vector import matrix
from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody
from centrode.parts.bodies.pseudo_rigid_energy import director_inertias, elastic_energy, lame_constants
from centrode.parts.contact_laws.contact_law import ContactLaw
from centrode.parts.forces.carriage_medusa import SLIP_ANGLES
from centrode.parts.part import flatten
from centrode.parts.roads.contract import Road
from centrode.parts.signals.signal import SignalConstant, SignalStaircase, signal_from
from centrode.parts.visual import vector
from centrode.recording.warnings import warnings_of
from centrode.recording.writer import PARTIAL, load_partial
from centrode.scenario.document import Scenario
from centrode.scenario.medusa.checks import listed_faults, listed_start_faults, road_faults, start_faults
from centrode.scenario.medusa.reader import as_named, read_models, read_platoon, read_road
from centrode.scenario.medusa.records import WIDTH, LegacyModel, LegacyModels, LegacyPlatoon, LegacyRoad, LegacyVehicle
from centrode.scenario.medusa.swings import swing_notes
from centrode.system.builder import System
from centrode.system.settings import RunSettings
from centrode.vehicles.car.medusa import CarMedusa
from centrode.vehicles.car.medusa_words import Ride, cars_of

ROAD = "road"
ROAD_STYLES: dict[str, bool | None] = {"auto": None, "report": True, "smooth": False}
"""Names of the interpolations of a road -> what :meth:`LegacyRoad.part` takes."""


def read_legacy(
    folder: str | Path,
    platoon: str | Path = "platoon.dat",
    listed: bool = False,
    width: float = WIDTH,
    fallback: Path | None = None,
) -> tuple[LegacyModels, LegacyPlatoon, LegacyRoad]:
    """Read model.dat, platoon.dat (or another name) and road.dat; all faults of all files at once.

    Args:
        folder, platoon: where the files lie, and the name of the middle one.
        listed: the listed equilibrium is meant to be used, and is checked too.
        width: full width of the road on which vehicles must start [m].
        fallback: where model.dat and road.dat are taken from when they do not lie beside the platoon, with a note.
    """
    folder = Path(folder)
    faults: list[Fault] = []
    found: list[Any] = []
    places = [_place(folder, name, fallback) for name in ("model.dat", "road.dat")]
    places.insert(1, folder / platoon)
    readers: tuple[Callable[..., Any], ...] = (read_models, read_platoon, read_road)
    for read, file in zip(readers, places, strict=True):
        known = [len(found[0].models)] if read is read_platoon and found[0] is not None else []
        try:
            found.append(read(file, *known))
        except InputError as error:
            found.append(None)
            faults += error.faults
            continue
        if read is not read_platoon and file.parent != folder:
            note = f"{file.name} of {file.parent.absolute().name} is taken: there is none beside {folder / platoon}"
            found[-1] = replace(found[-1], notes=(note, *found[-1].notes))
    found[2] = found[2] and replace(found[2], width=width)
    models, cars, road = found
    bad_road = [] if road is None else road_faults(road, str(places[2]))
    faults += bad_road
    sound = cars is not None and road is not None and not bad_road
    started = start_faults(cars, road, str(places[1])) if sound else []
    faults += started
    if listed and models is not None and cars is not None:
        faults += listed_faults(models, cars, str(places[0]))
        faults += listed_start_faults(models, cars, road, str(places[1])) if sound and not started else []
    if faults:
        raise InputError(faults)
    return models, cars, road


def _place(folder: Path, name: str, fallback: Path | None) -> Path:
    """Where a file of a deck lies: beside the platoon, or else in the other folder if it is there."""
    other = folder / name if fallback is None else fallback / name
    return other if not as_named(folder / name).exists() and as_named(other).exists() else folder / name


@contextmanager
def located(platoon: LegacyPlatoon, file: str | Path) -> Iterator[None]:
    """Give faults of cars that only show when they are built or started the line of their vehicle in platoon.dat."""
    try:
        yield
    except InputError as error:
        lines = {f"car{number}": vehicle.line for number, vehicle in enumerate(platoon.vehicles, start=1)}
        owners = [(fault, fault.path.split(".")[0]) for fault in error.faults]
        raise InputError(
            replace(fault, file=str(file), line=lines[owner]) if owner in lines and not fault.file else fault
            for fault, owner in owners
        ) from None


_MODEL: dict[str, tuple[str, ...]] = {
    "mass": ("mass",),
    "inertia": ("ix", "iy", "iz"),
    "young": ("young",),
    "poisson": ("poisson",),
    "volume": ("volume",),
    "front": ("l1",),
    "rear": ("l2",),
    "track": ("b",),
    "drop": ("h1", "h2"),
    "rest_length": ("spring_ref",),
    "stiffness": ("c1", "c2"),
    "damper": ("d1", "d2"),
    "lag": ("tire_lag",),
    "size": ("a1", "a2", "a3"),
    "listed_height": ("r3",),
}
"""Field of a car -> its names in model.dat."""


def add_legacy(
    system: System,
    models: LegacyModels,
    platoon: LegacyPlatoon,
    road: LegacyRoad,
    *,
    equilibrium: str = "listed",
    contact: bool | ContactLaw = False,
    original_road: bool | None = None,
    parked: bool = False,
    **choices: str,
) -> None:
    """Add road and vehicles of the legacy files to a system.

    Args:
        equilibrium: "listed" starts as the program of 1999, "true" at rest on the springs.
        contact: let the cars hit each other, by a law or with the restitution that was measured on cars, friction 0.3
            and 1 MN/m; without it they pass through each other.
        original_road: the interpolation of 1999 or the smooth spline, see :meth:`LegacyRoad.part`.
        parked: wheels of cars with SPEED 0 and TIRE_SPEED 0 are locked.
        choices: of all cars, see :class:`CarMedusa`: lag_turn ("short", "program"), tyre_range ("program", "bounded").
    """
    part = road.part(ROAD, original_road)
    system.notes += [*models.notes, *road.notes, *swing_notes(road, road_pieces(part)[1:])]
    system.add(part)
    for number, vehicle in enumerate(platoon.vehicles, start=1):
        model = models[vehicle.model]
        values: dict[str, Any] = {
            field: tuple(vars(model)[name] for name in names) if len(names) > 1 else vars(model)[names[0]]
            for field, names in _MODEL.items()
        }
        values |= {"equilibrium": equilibrium, "listed_directors": tuple(zip(*model.directors, strict=True))}
        values |= {"position": (vehicle.x, vehicle.y), "heading": math.radians(vehicle.orientation_deg)}
        values |= {"speed": vehicle.speed, "rim_speed": vehicle.tire_speed, "steer": _steering(vehicle)}
        values |= {"parked": parked and vehicle.speed == vehicle.tire_speed == 0.0, **choices}
        system.add(CarMedusa(f"car{number}", road=ROAD, **values))
    if contact and len(platoon.vehicles) > 1:
        # The report's own law creates energy and has no physical units.
        system.add(contact if isinstance(contact, ContactLaw) else car_contact())


def car_contact(front: float = 0.0, side: float = 0.0) -> ContactLaw:
    """The law of cars that hit each other; front and side restitution of section 1.7 replace the measured one."""
    from centrode.parts.contact_laws.measured import MeasuredRestitution

    return MeasuredRestitution("cars", stiffness=1e6, friction=0.3, front=front, side=side)


def _steering(vehicle: LegacyVehicle) -> float | SignalStaircase:
    if not vehicle.steering_history:
        return math.radians(vehicle.steering_deg)
    times, angles = zip(*vehicle.steering_history, strict=True)
    return SignalStaircase(times, tuple(map(math.radians, angles)), math.radians(vehicle.steering_deg))


def legacy_of(system: System, known: tuple[LegacyModel, ...] = ()) -> tuple[LegacyModels, LegacyPlatoon, LegacyRoad]:
    """The legacy files of a system that holds cars of kind car-medusa and one road.

    Args:
        system: the parts.
        known: models that keep their numbers, whether a car has them or not; others follow.

    Raises:
        InputError: the system holds what the legacy files cannot say.
    """
    cars = [part for part in system.parts.values() if part.family == "vehicle"]
    roads = [part for part in system.parts.values() if part.family == "road"]
    what = "the legacy files know cars of kind car-medusa only"
    faults = [Fault(what, car.name, got=car.kind) for car in cars if car.kind != "car-medusa"]
    owners = tuple(f"{car.name}." for car in cars)
    for part in system.parts.values():
        if part.family not in ("vehicle", "road", "contact_law") and not part.name.startswith(owners):
            faults.append(Fault("the legacy files have no place for this part", part.name, got=part.family))
    if not cars:
        faults.append(Fault("no car to write", "vehicles"))
    if len(roads) != 1 or roads[0].kind not in ("medusa4", "spline", "plane"):
        faults.append(Fault("the legacy files hold one road of points", "roads", got=[road.name for road in roads]))
    if faults:
        raise InputError(faults)
    models = list(known)
    vehicles = []
    for car in cars:
        model = _model(car)
        if model not in models:
            models.append(model)
        vehicles.append(_vehicle(car, models.index(model) + 1))
    platoon, road = LegacyPlatoon(tuple(vehicles)), LegacyRoad(_points(roads[0]))
    starts = [abs(road.part().point_below(car.x, car.y).lateral) for car in platoon.vehicles]
    widest = [max(flatten(vars(roads[0]).get("width", WIDTH))), math.ceil(2.0 * max(starts))]
    return LegacyModels(tuple(models)), platoon, replace(road, width=float(max(widest)))


def _model(car: Any) -> LegacyModel:
    values = {
        name: float(value)
        for field, names in _MODEL.items()
        for name, value in zip(names, flatten(vars(car)[field]), strict=True)
    }
    columns = np.asarray(car.listed_directors, dtype=float).reshape(3, 3)
    return LegacyModel(**values, directors=tuple(vector(column) for column in columns.T), line=0)


def _vehicle(car: Any, model: int) -> LegacyVehicle:
    steer = signal_from(car.steer, f"{car.name}.steer")
    history: tuple[tuple[float, float], ...] = ()
    if isinstance(steer, SignalStaircase):
        start = steer.start
        history = tuple((float(t), _degrees(v)) for t, v in zip(steer.times, steer.values, strict=True))
    elif isinstance(steer, SignalConstant):
        start = steer.value
    else:
        what = "platoon.dat knows constant steering and steps only"
        raise InputError(what, path=f"{car.name}.steer", got=steer.kind, hint="use a staircase")
    if not isinstance(car.rim_speed, int | float):
        raise InputError("platoon.dat knows a constant tyre speed only", path=f"{car.name}.rim_speed")
    x, y = (float(value) for value in car.position[:2])
    speeds = float(car.speed), float(car.rim_speed)
    return LegacyVehicle(model, x, y, _degrees(car.heading), *speeds, _degrees(start), history)


def _degrees(angle: float) -> float:
    """Degrees that read back to the same angle; the shortest such number where a round one does."""
    value = math.degrees(angle)
    short = round(value, 9)
    return short if math.radians(short) == angle else value


def _points(road: Any) -> tuple[tuple[float, float, float, float], ...]:
    if road.kind == "plane":
        if any((*road.origin, road.slope, road.bank, road.heading)):
            raise InputError("only the level plane through the origin can be written", path=road.name, got=road)
        return tuple((x, 0.0, 0.0, 0.0) for x in (-100.0, 100.0, 500.0, 1000.0))
    bank = road.bank if isinstance(road.bank, list | tuple) else (road.bank,) * len(road.points)
    return tuple((*vector(p), _degrees(float(b))) for p, b in zip(road.points, bank, strict=True))


def road_of(system: System) -> Road:
    """The road of a system made from the legacy files."""
    return next(part for part in system.parts.values() if isinstance(part, Road))


def road_text(part: Road, road: LegacyRoad) -> str:
    """One line that names the interpolation where there is a choice, and how far that of 1999 strays; else empty."""
    four = len(road.points) == 4
    if part.kind not in ("medusa4", "spline"):
        return ""
    if part.kind != "medusa4":
        folds = ", the one of 1999 folds" if four and road.part().kind != "medusa4" else ""
        return f"- road: smooth spline through {len(road.points)} points{folds}\n"
    if four:
        return ""
    smooth, gaps = road.part(original=False), [0.0]
    for place in road_pieces(part)[1:].reshape(-1, 3):
        at = smooth.point(*place)
        gaps.append(math.hypot(at.lateral, (place - at.position) @ at.normal))
    return f"- road: spline of 1999 through {len(road.points)} points, up to {max(gaps):.3g} [m] from the smooth one\n"


def road_line(part: Road, road: LegacyRoad) -> np.ndarray:
    """Places on the line of a road, its virtual segment included: shape (n, 3) [m]."""
    if part.kind not in ("medusa4", "spline"):
        return np.array([point[:3] for point in road.points])
    return road_pieces(part).reshape(-1, 3)


def road_pieces(part: Road) -> np.ndarray:
    """Places on the line of a road of points, 21 on the virtual segment and on every other: (segments, 21, 3) [m]."""
    table = part.shared_table()
    found = []
    for row in table[1 : 1 + int(table[0, 1])]:
        powers = np.linspace(0.0, row[1], 21)[:, None] ** np.arange(6)
        found.append(np.column_stack([powers @ row[first : first + 6] for first in (2, 8, 14)]))
    return np.array(found)


def vehicle_energies(system: System, states: np.ndarray, lifted: bool = True) -> np.ndarray:
    """Total energy of every vehicle [J], (1.33) and (1.34): kinetic, elastic, springs along the road normal, weight.

    Args:
        system: cars of kind car-medusa, in the order of the states.
        states: shape (n, vehicles, 28).
        lifted: stretch the springs of lifted wheels as (1.34) does. They push nothing, so that a car that tips seems to
            gain what they take; else they are relaxed.
    """
    gravity = np.array(system.gravity)
    found = np.zeros(states.shape[:2])
    for k, car in enumerate(cars_of(system)):
        lam, mu = lame_constants(car.young, car.poisson)
        inertias = np.array(director_inertias(car.inertia))
        springs = np.repeat(np.array(car.stiffness, dtype=float), 2)
        ride = Ride(car, system, np.zeros(len(states)), states[:, k])
        stretches = ride.stretches() if lifted else np.minimum(ride.stretches(), 0.0)
        for n, z in enumerate(states[:, k]):
            found[n, k] = (
                0.5 * car.mass * z[12:15] @ z[12:15]
                + 0.5 * inertias @ (ride.rates[n] ** 2).sum(axis=1)
                - car.mass * gravity @ z[:3]
                + elastic_energy((lam, mu, car.volume, 0.0), matrix(z, 3))
                + 0.5 * springs @ stretches[n] ** 2
            )
    return found


def ride_words(system: System, time: np.ndarray, states: np.ndarray) -> list[str]:
    """What happened to the vehicles of a run that the model of 1999 has no equations for; shapes as of a LegacyRun."""
    rides = (Ride(car, system, time, states[:, k]) for k, car in enumerate(cars_of(system)))
    return [text for ride in rides for text in ride.words(system)]


@dataclass
class LegacyRun:
    """A run of a legacy system: times (n,) [s], states (n, vehicles, 28), and why it stopped early, if it did.

    ``interrupt`` is there when the user stopped it; ``words`` are what a reader should know before trusting it.
    """

    time: np.ndarray
    states: np.ndarray
    stop: RunStop | None = None
    interrupt: KeyboardInterrupt | None = None
    words: tuple[str, ...] = ()


def legacy_settings(end: float, step: float, save: float, audit: bool = False) -> RunSettings:
    """The report's integrator up to ``end`` with a fixed ``step``, a frame every ``save`` [s]."""
    return RunSettings(duration=end, method="predictor-corrector", step=step, frames=save, audit=audit)


def legacy_record(
    scenario: Scenario,
    path: str | Path | None = None,
    progress: Callable[[float, float], None] | None = None,
    begin: Callable[[], None] = lambda: None,
) -> LegacyRun:
    """Run a scenario of cars of kind car-medusa, and keep what was computed when it stops or is stopped.

    Args:
        scenario: made from the legacy files.
        path: recording to write as well.
        progress: called with the time reached and the end.
        begin: called when nothing is left that could be refused.

    Raises:
        InputError: other bodies than these cars, or a step that is too long for a chassis.
    """
    from centrode.running import Session

    system, settings = scenario.system, scenario.settings
    cars = cars_of(system)
    bodies = [part.name for part in system.of_family("body")]
    if bodies != [car.body for car in cars]:
        raise InputError("the files of 1999 know cars of kind car-medusa only", path="bodies", got=bodies)
    session = Session(system, settings)
    begin()
    rows: list[np.ndarray] = []
    lags = [row for row, (_, name, _) in enumerate(session.model.state_names) if name in SLIP_ANGLES]
    session.last_words = lambda: ride_words(system, *_states(rows, lags))
    stop = interrupt = recording = None
    try:
        recording = session.record(scenario, path, False, progress, rows.append)
        stop = recording.status.stop
    except RunError as error:
        stop = error.stop
    except KeyboardInterrupt as error:
        stop, interrupt = RunStop("interrupted", rows[-1][-1, 0] if rows else settings.start), error
    if path is not None and recording is None:
        _keep_journal(Path(path))
    time, states = _states(rows, lags)
    words = warnings_of(recording) if recording and stop is None else ride_words(system, time, states)
    return LegacyRun(time, states, stop, interrupt, tuple(words))


def _keep_journal(path: Path) -> None:
    """Make a recording of what a run that was stopped from outside had handed over until then."""
    journal = path.with_name(path.name + PARTIAL)
    if journal.exists():
        load_partial(journal).save(path)
        journal.unlink()


def _states(rows: list[np.ndarray], lags: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) and states (n, vehicles, 28) of the frames that are finite.

    A frame holds all poses, then all velocities, then all states of carriages, of which ``lags`` are the lagged angles;
    (1.32) has 12, 12 and 4 of them per vehicle.
    """
    cars = len(lags) // 4
    columns = [*range(1 + 24 * cars), *(1 + 24 * cars + row for row in lags)]
    found = np.concatenate(rows)[:, columns] if rows else np.zeros((0, len(columns)))
    found = found[np.isfinite(found).all(axis=1)]
    blocks = np.split(found[:, 1:], (12 * cars, 24 * cars), axis=1)
    shape = len(found), cars
    states = np.concatenate([block.reshape(*shape, n) for block, n in zip(blocks, (12, 12, 4), strict=True)], axis=2)
    return found[:, 0], states


def check_step(scenario: Scenario) -> None:
    """Refuse a step with which the report's integrator lets a chassis or the lag of a tyre swing up.

    Raises:
        InputError: step times the highest natural frequency of a chassis above 2 (1.52), or a step above the lag: the
            lagged angle (1.27) then jumps beyond the one that it follows, and from twice the lag on ever farther.
    """
    from centrode.methods.fixed_step import whole_steps
    from centrode.running import STABLE

    settings, system = scenario.settings, scenario.system
    if settings.method != "predictor-corrector" or settings.step is None:
        return
    _, length = whole_steps(settings.frames or settings.step, settings.step)
    faults = []
    for body in (part for part in system.parts.values() if isinstance(part, PseudoRigidBody)):
        rate = body.fastest_vibration()
        if length * rate > STABLE:
            what = f"the step is too long: {body.name} vibrates at {rate / (2.0 * math.pi):.4g} Hz"
            hint = "a softer chassis (E, VOLUME) allows longer ones"
            expected = f"below {STABLE / rate:.2g} s"
            faults.append(Fault(what, "-d", got=f"{length:g} s", expected=expected, hint=hint))
    for car in cars_of(system):
        if length > (1.0 + 1e-9) * car.lag:
            what = f"the step is too long: the slip angle of {car.name} follows with a lag (TIRE) of {car.lag:g} s"
            faults.append(Fault(what, "-d", got=f"{length:g} s", expected=f"{car.lag:g} s at most"))
    if faults:
        raise InputError(faults[:5])


def legacy_run(system: System, end: float, step: float, save: float) -> tuple[np.ndarray, np.ndarray]:
    """Run a legacy system with the report's integrator: times (n,) and states (n, vehicles, 28).

    Raises:
        RunError: the motion is no longer finite.
    """
    run = legacy_record(Scenario(system, legacy_settings(end, step, save)))
    if run.stop is not None:
        raise RunError(run.stop)
    return run.time, run.states
