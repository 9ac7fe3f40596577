"""``centrode bicycle``: linear theory, steady turns, manoeuvres and drawings of single-track machines."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

import centrode
from centrode.cli.options import JSON, Measure, named_quantities, option, takes
from centrode.cli.output import emit_json, print_table, progress, remark, show
from centrode.errors import InputError, RunError, unknown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FIGURE = click.option("--figure", type=click.Path(dir_okay=False, path_type=Path), help="Also draw (PNG, SVG, PDF).")
_ANGLE, _RATE = Measure("rad", (-1.6, 1.6)), Measure("rad/s", (-12.0, 12.0))


@dataclass(frozen=True)
class MachineOptions:
    """Which machine."""

    machine: str = option("--machine -m", "See 'centrode bicycle machines'.", "benchmark")
    changes: tuple[str, ...] = option("--set", "Another value, such as trail=0.06.", (), metavar="NAME=VALUE")

    def parameters(self) -> centrode.BicycleParameters:
        """The machine with its values."""
        from centrode.vehicles.bicycle.library import machine as find

        return find(self.machine).edited(named_quantities(self.changes, "such as trail=0.06")).checked()


@click.group()
def command() -> None:
    """Bicycle: eigenvalues, matrices, steady turns, manoeuvres, drawing."""


@command.command()
@JSON
def machines(as_json: bool) -> None:
    """List the machines of the library."""
    show(centrode.MACHINES, ["name", "machine"], list(centrode.MACHINES.items()), as_json=as_json)


@command.command()
@takes(MachineOptions)
@JSON
def parameters(options: MachineOptions, as_json: bool) -> None:
    """List what --set takes: every number of a machine, with unit, meaning and value."""
    found = options.parameters()
    fields = dataclasses.fields(found)
    show(
        dataclasses.asdict(found),
        {
            "name": lambda field: field.name,
            "value": lambda field: f"{vars(found)[field.name]:.10g}",
            "unit": lambda field: field.metadata["unit"],
            "meaning": lambda field: field.metadata["meaning"],
        },
        fields,
        as_json=as_json,
        caption="z up, origin at the rear contact point; frame: rear body with rider, fork: with handlebar",
    )


@command.command()
@JSON
def count(as_json: bool) -> None:
    """Count coordinates, constraints and degrees of freedom."""
    from centrode.dynamics.assembly import assemble_start
    from centrode.vehicles.bicycle.lecture import count as by_notes
    from centrode.vehicles.bicycle.state import bicycle_workspace

    workspace = bicycle_workspace(centrode.BicycleParameters())
    report = assemble_start(workspace, 0.0)
    engine = {
        "bodies": workspace.model.body_count,
        "coordinates": report.coordinates,
        "holonomic constraints": report.holonomic_rows,
        "nonholonomic constraints": report.rows - report.holonomic_rows,
        "constraints on velocities": report.rows,
        "degrees of freedom in the coordinates": report.coordinates - report.holonomic_rows,
        "degrees of freedom in the velocities (mobility)": report.coordinates - report.rank,
    }
    data = [{"what": what, "lecture_notes": n, "engine": engine.get(what)} for what, n in by_notes()]
    rows = [list(row.values()) for row in data]
    caption = "engine: velocities of all bodies, rows of all joints, rank of their matrix at the start"
    show(data, ["count", "lecture notes", "engine"], rows, as_json=as_json, caption=caption)


@command.command()
@takes(MachineOptions)
@click.option("--derivatives", default="auto", show_default=True, help="complex-step, engine or auto.")
@JSON
def matrices(options: MachineOptions, derivatives: str, as_json: bool) -> None:
    """M, C1, K0, K2 of the linear equations, identified from the nonlinear model."""
    linear = centrode.linear_bicycle(options.parameters(), derivatives=derivatives)
    found = {"M": linear.m, "C1": linear.c1, "K0": linear.k0, "K2": linear.k2}
    if as_json:
        emit_json(found)
        return
    click.echo("M q'' + v C1 q' + (g K0 + v^2 K2) q = f,  q = (lean, steer)")
    for name, matrix in found.items():
        for i in (0, 1):
            head = f"{name:>3s} =" if i == 0 else "     "
            # Round-off of a zero would only distract; it is below 1e-12 of the largest entry.
            cells = [0.0 if abs(x) < 1e-12 * abs(matrix).max() else x for x in matrix[i]]
            click.echo(f"{head} [{cells[0]:20.13f} {cells[1]:20.13f} ]")


@command.command()
@takes(MachineOptions)
@click.option("--from", "low", type=float, default=0.0, show_default=True, help="Lowest speed [m/s].")
@click.option("--to", "high", type=float, default=10.0, show_default=True, help="Highest speed [m/s].")
@click.option("--by", "step", type=float, default=1.0, show_default=True, help="Step [m/s].")
@_FIGURE
@JSON
def eigenvalues(
    options: MachineOptions, low: float, high: float, step: float, figure: Path | None, as_json: bool
) -> None:
    """Eigenvalues of straight motion against speed, with named modes and critical speeds."""
    if not (step > 0.0 and high >= low and (high - low) / step < 1e5):
        expected = "--from below --to, --by above 0"
        raise InputError("no range of speeds", path="--to", got=(low, high, step), expected=expected)
    linear = centrode.linear_bicycle(options.parameters())
    speeds = [low + n * step for n in range(int((high - low) / step + 1e-9) + 1)]
    named = [linear.named(v) for v in speeds]
    critical = linear.critical_speeds()
    if as_json:
        spectra = [{"speed": v, **n} for v, n in zip(speeds, named, strict=True)]
        emit_json({"critical": critical, "stable": critical.stable_range, "eigenvalues": spectra})
    else:
        columns = {
            "speed [m/s]": lambda row: row[0],
            "capsize [1/s]": lambda row: _decimals(row[1].get("capsize")),
            "weave, real": lambda row: _decimals(row[1]["weave"]),
            "weave, imaginary": lambda row: "" if _apart(row[1]) else f"{row[1]['weave'].imag:.12f}",
            "castering": lambda row: _decimals(row[1].get("castering")),
        }
        print_table(columns, zip(speeds, named, strict=True))
        texts = ("double root", "weave stable above", "capsize unstable above")
        for text, value in zip(texts, (critical.double_root, critical.weave, critical.capsize), strict=True):
            click.echo(f"{text:>24s}: " + (f"{value:.12f} m/s" if value is not None else "none"))
    title = f"Eigenvalues against speed: {options.machine}"
    _draw(figure, lambda plots: plots.eigenvalue_figure(linear, max(high, 1.0), title))


def _apart(modes: Mapping[str, object]) -> bool:
    """Whether the weave is two real roots at this speed."""
    return isinstance(modes["weave"], tuple)


def _decimals(value: complex | tuple[float, float] | None) -> str:
    if isinstance(value, tuple):
        return f"{value[0]:.12f} and {value[1]:.12f}"
    return "" if value is None else f"{value.real:.12f}"


def _draw(target: Path | None, make: Callable[[ModuleType], Figure]) -> None:
    """Draw into a file, when one is wanted; ``make`` gets the figures of bicycles."""
    if target is not None:
        from centrode.plots import bicycle

        remark(str(centrode.save_figure(make(bicycle), target)))


@command.command("steady-turns")
@takes(MachineOptions)
@click.option("--steer-deg", "steers", type=float, multiple=True, help="Steer angle [deg]; may be given several times.")
@_FIGURE
@JSON
def steady_turns(options: MachineOptions, steers: tuple[float, ...], figure: Path | None, as_json: bool) -> None:
    """Hands-free circular motions, from the capsize speed to standing still."""
    wanted = sorted(steers) or [0.1, 1.0, 2.0, 5.0, 10.0, 12.5, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0]
    solver = centrode.TurnSolver(options.parameters())
    with progress("turning", quiet=as_json):
        turns = solver.family([math.radians(s) for s in wanted], reached_only=not steers)
        try:
            end = solver.standing()
        except RunError:
            end = None
    show(
        {"turns": turns, "standing": end},
        {
            "steer [deg]": lambda t: f"{math.degrees(t.steer):.7g}",
            "lean [deg]": lambda t: f"{math.degrees(t.lean):.8f}",
            "pitch [deg]": lambda t: f"{math.degrees(t.pitch):.8f}",
            "yaw rate [rad/s]": lambda t: f"{t.yaw_rate:.8f}",
            "speed [m/s]": lambda t: f"{t.speed:.10f}",
            "radius [m]": lambda t: f"{t.radius:.7f}",
            "rear [N]": lambda t: f"{t.rear_load:.3f}",
            "front [N]": lambda t: f"{t.front_load:.3f}",
        },
        [*turns, end] if end is not None else turns,
        as_json=as_json,
        caption="begins at the capsize speed with steer 0; the last row stands still, upright",
    )
    _draw(figure, lambda plots: plots.turns_figure(turns, end))


@command.command()
@takes(MachineOptions)
@click.option("--rows", type=click.IntRange(2, 1000), default=8, show_default=True, help="Motions shown per family.")
@_FIGURE
@JSON
def circles(options: MachineOptions, rows: int, figure: Path | None, as_json: bool) -> None:
    """All families of hands-free circular motions, handlebar forward and reversed, with their ends."""
    from centrode.vehicles.bicycle.circles import families

    with progress("circling", quiet=as_json):
        found = families(options.parameters())
    if as_json:
        emit_json(found)
    else:
        columns = ["lean [deg]", "steer [deg]", "pitch [deg]", "yaw rate [rad/s]", "speed [m/s]", "radius [m]"]
        for family in found:
            last = len(family.motions) - 1
            motions = [family.motions[k] for k in sorted({round(k * last / (rows - 1)) for k in range(rows)})]
            values = [(*map(math.degrees, (m.lean, m.steer, m.pitch)), m.yaw_rate, m.speed, m.radius) for m in motions]
            cells = [[f"{value:.6f}" for value in row] for row in values]
            print_table(columns, cells, title=f"{family.name}: from {family.begins} to {family.ends}")
    _draw(figure, lambda plots: plots.circles_figure(found))


@dataclass(frozen=True)
class StartOptions(MachineOptions):
    """Which machine, and what differs from the manoeuvre at the start."""

    speed: float | None = option("--speed", "Of the rear wheel [m/s].  [default: of the manoeuvre]")
    lean_rate: float | None = option("--lean-rate", "To the right [rad/s].  [default: of the manoeuvre]", type=_RATE)
    steer_rate: float = option("--steer-rate", "To the right [rad/s].", 0.0, type=_RATE)
    lean: float = option("--lean", "To the right [rad], or such as '5 deg'.", 0.0, type=_ANGLE)
    steer: float = option("--steer", "To the right [rad], or such as '5 deg'.", 0.0, type=_ANGLE)
    yaw_rate: float | None = option(
        "--yaw-rate", "To the left [rad/s]; chooses the steer that gives it, not --steer.", type=_RATE
    )

    def start(self, speed: float, lean_rate: float) -> dict[str, float]:
        """Fields of the bicycle at the start; the arguments are those of the manoeuvre."""
        from centrode.vehicles.bicycle.kinematics import steer_of_yaw_rate

        for name in ("speed", "lean_rate", "steer_rate", "lean", "steer", "yaw_rate"):
            value = vars(self)[name]
            if value is not None and not math.isfinite(value):
                raise InputError("not a number", path="--" + name.replace("_", "-"), got=value)
        found = {"speed": speed if self.speed is None else self.speed, "lean": self.lean}
        found["lean_rate"] = lean_rate if self.lean_rate is None else self.lean_rate
        found["steer_rate"], found["steer"] = self.steer_rate, self.steer
        if self.yaw_rate is not None:
            if self.steer:
                hint = "wheels that roll turn the machine as they are steered; give one of the two"
                raise InputError("no yaw rate beside a steer", path="--yaw-rate", got=self.yaw_rate, hint=hint)
            found["steer"] = steer_of_yaw_rate(self.parameters(), self.yaw_rate, **(found | {"steer": 0.0}))
        return found


@command.command()
@click.argument("manoeuvre", default="M2")
@takes(StartOptions)
@click.option("--duration", type=float, default=5.0, show_default=True, help="[s].")
@click.option("--method", default="dop853", show_default=True, help="Method of the engine, or 'lecture'.")
@click.option("--step", type=float, help="Step of fixed-step methods [s].  [default: 0.01]")
@click.option("--out", "-o", type=click.Path(file_okay=False, path_type=Path), help="Folder for the figures.")
@JSON
def run(
    manoeuvre: str,
    options: StartOptions,
    duration: float,
    method: str,
    step: float | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run an uncontrolled manoeuvre: M1 (4 m/s, lean rate 0.05 rad/s), M2 (4.6, 0.5) or M3 (8, 0.05), or your own."""
    import numpy as np

    from centrode.vehicles.bicycle.published import MANOEUVRES

    name = manoeuvre.upper()
    if name not in MANOEUVRES:
        raise unknown_name("unknown manoeuvre", manoeuvre, list(MANOEUVRES))
    if not duration > 0.0:
        raise InputError("must be positive", path="--duration", got=duration)
    p, start = options.parameters(), options.start(*MANOEUVRES[name])
    usual = dict(zip(("speed", "lean_rate"), MANOEUVRES[name], strict=True))
    if any(value != usual.get(key, 0.0) for key, value in start.items()):
        name = "OWN"
    speed, rate = start["speed"], start["lean_rate"]
    further = ", ".join(f"{key.replace('_', ' ')} {value:g}" for key, value in start.items() if value)
    others = [key for key in ("lean", "steer", "steer_rate") if start[key]]
    if method == "lecture" and others:
        path, hint = f"--{others[0].replace('_', '-')}", "take a method of the engine, such as dop853"
        raise InputError("the lecture's method starts upright and straight", path=path, got=start[others[0]], hint=hint)
    history: dict[str, Any]
    ended: str | None = None
    with progress(f"running {name}", quiet=as_json):
        if method == "lecture":
            from centrode.vehicles.bicycle.lecture import simulate_lecture

            done = simulate_lecture(p, speed, rate, duration, step or 0.01)
            history = {"time": done.time, "lean": done.lean, "lean_rate": done.lean_rate, "steer": done.steer}
            history |= {"steer_rate": done.steer_rate, "speed": done.speed}
            energy, residual = done.energy, float(done.position_error.max())
        else:
            from centrode.running import require_completed, simulate

            system = centrode.bicycle_system("bike", parameters=dataclasses.asdict(p), **start)
            settings = {"step": step or 0.01} if method.startswith("rk4") else {"tolerance": 1e-11, "step": step}
            recorded = require_completed(simulate(system, duration=duration, method=method, frames=0.01, **settings))
            history = centrode.bicycle_history(recorded, "bike", p)
            ended = None if recorded.status.stop is None else str(recorded.status)
            energy, residual = recorded["energy.total"], float(recorded["constraint.residual"].max())
    spread = float((energy.max() - energy.min()) / energy[0])
    names = ("time", "lean", "lean_rate", "steer", "steer_rate", "speed")
    reached = float(history["time"][-1])
    moments = [0.5 * n for n in range(int(2 * duration) + 1) if 0.5 * n <= reached + 1e-9]
    frames = [int(np.argmin(np.abs(history["time"] - moment))) for moment in moments]
    if ended is not None:
        frames.append(len(history["time"]) - 1)
    figures = {"energy": float(energy[0]), "energy_spread": spread, "residual": residual}
    show(
        {"manoeuvre": name, **figures, "ended": ended, "history": history},
        ["time [s]", "lean [rad]", "lean rate", "steer [rad]", "steer rate", "speed [m/s]"],
        [[format(history[key][n], "g" if key == "time" else ".9f") for key in names] for n in frames],
        as_json=as_json,
        title=f"{name}: {further or 'at rest'}, {method}",
        caption=f"energy {energy[0]:.9f} J, spread {spread:.2g} of it; largest constraint error {residual:.2g}",
    )
    if ended is not None:
        remark(ended)
    if out is not None:
        history.setdefault("yaw_rate", np.full(len(history["time"]), math.nan))
        begin = f"{out / name.lower()}_"
        _draw(Path(f"{begin}history.png"), lambda plots: plots.history_figure(history, f"{name} ({method})"))
        if "rear_track" in history:
            _draw(Path(f"{begin}tracks.png"), lambda plots: plots.track_figure(history))
            _draw(Path(f"{begin}forces.png"), lambda plots: plots.contact_force_figure(history))


@command.command()
@takes(MachineOptions)
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path), default="bicycle.png", show_default=True)
def draw(options: MachineOptions, out: Path) -> None:
    """Draw the machine with its bodies, frames, steer axis and trail."""
    from centrode.plots.bicycle import drawing

    click.echo(str(centrode.save_figure(drawing(options.parameters(), title=centrode.MACHINES[options.machine]), out)))


@command.command()
@click.option("--duration", type=float, default=5.0, show_default=True, help="[s].")
@click.option("--step", type=float, default=0.01, show_default=True, help="[s].")
@_FIGURE
@JSON
def drift(duration: float, step: float, figure: Path | None, as_json: bool) -> None:
    """Constraint errors of the lecture notes' method with and without its projections, and the printed terms."""
    from centrode.vehicles.bicycle.lecture import simulate_lecture

    if not (0.0 < step <= duration):
        raise InputError("no run", path="--step", got=step, expected="above 0 and at most the duration")
    p = centrode.BicycleParameters()
    runs = {
        "with projection": simulate_lecture(p, duration=duration, step=step),
        "without projection": simulate_lecture(p, duration=duration, step=step, project=False),
        "convective terms as printed": simulate_lecture(p, duration=duration, step=step, printed=True),
    }
    data = []
    for name, r in runs.items():
        errors = {"coordinates": float(r.position_error.max()), "velocities": float(r.velocity_error.max())}
        data.append({"run": name, **errors, "lean": f"{r.lean[-1]:.9f}", "steer": f"{r.steer[-1]:.9f}"})
    columns = ["run", "coordinates", "velocities", "lean at the end", "steer at the end"]
    rows = [list(row.values()) for row in data]
    show(data, columns, rows, as_json=as_json, title=f"M2, RK4, step {step:g} s")
    _draw(figure, lambda plots: plots.drift_figure(runs["with projection"], runs["without projection"]))
