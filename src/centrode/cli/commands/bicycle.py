"""``centrode bicycle``: linear theory, steady turns, manoeuvres and drawings of single-track machines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from centrode.cli.options import JSON, named_numbers, option, takes

if TYPE_CHECKING:
    from centrode.vehicles.bicycle.parameters import BicycleParameters

_FIGURE = click.option("--figure", type=click.Path(dir_okay=False, path_type=Path), help="Also draw (PNG, SVG, PDF).")


@dataclass(frozen=True)
class MachineOptions:
    """Which machine."""

    machine: str = option(
        "--machine -m", default="benchmark", show_default=True, help="See 'centrode bicycle machines'."
    )
    changes: tuple[str, ...] = option(
        "--set", default=(), multiple=True, metavar="NAME=VALUE", help="Another value, such as trail=0.06."
    )

    def parameters(self) -> BicycleParameters:
        """The machine with its values."""
        from centrode.vehicles.bicycle.library import machine as find

        return find(self.machine).edited(named_numbers(self.changes, "such as trail=0.06")).checked()


@click.group()
def command() -> None:
    """Bicycle: eigenvalues, matrices, steady turns, manoeuvres, drawing."""


@command.command()
@JSON
def machines(as_json: bool) -> None:
    """List the machines of the library."""
    from centrode.cli.output import show
    from centrode.vehicles.bicycle.library import MACHINES

    show(MACHINES, ["name", "machine"], list(MACHINES.items()), as_json=as_json)


@command.command()
@JSON
def count(as_json: bool) -> None:
    """Count coordinates, constraints and degrees of freedom."""
    from centrode.cli.output import show
    from centrode.dynamics.assembly import assemble_start
    from centrode.vehicles.bicycle.lecture import count as by_notes
    from centrode.vehicles.bicycle.parameters import BicycleParameters
    from centrode.vehicles.bicycle.state import bicycle_workspace

    workspace = bicycle_workspace(BicycleParameters())
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
    rows = [(what, number, engine.get(what)) for what, number in by_notes()]
    show(
        [{"what": what, "lecture_notes": a, "engine": b} for what, a, b in rows],
        ["count", "lecture notes", "engine"],
        rows,
        as_json=as_json,
        caption="engine: velocities of all bodies, rows of all joints, rank of their matrix at the start",
    )


@command.command()
@takes(MachineOptions)
@click.option("--derivatives", default="auto", show_default=True, help="complex-step, engine or auto.")
@JSON
def matrices(options: MachineOptions, derivatives: str, as_json: bool) -> None:
    """M, C1, K0, K2 of the linear equations, identified from the nonlinear model."""
    from centrode.cli.output import emit_json
    from centrode.vehicles.bicycle.linear import linear_bicycle

    linear = linear_bicycle(options.parameters(), derivatives=derivatives)
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
    from centrode.cli.output import emit_json, print_table
    from centrode.errors import InputError
    from centrode.vehicles.bicycle.linear import linear_bicycle

    if not (step > 0.0 and high >= low and (high - low) / step < 1e5):
        raise InputError(
            "no range of speeds", path="--to", got=(low, high, step), expected="--from below --to, --by above 0"
        )
    linear = linear_bicycle(options.parameters())
    speeds = [low + n * step for n in range(int((high - low) / step + 1e-9) + 1)]
    named = [linear.named(v) for v in speeds]
    critical = linear.critical_speeds()
    if as_json:
        emit_json(
            {
                "critical": critical,
                "stable": critical.stable_range,
                "eigenvalues": [{"speed": v, **n} for v, n in zip(speeds, named, strict=True)],
            }
        )
    else:
        rows = []
        for v, modes in zip(speeds, named, strict=True):
            weave = modes["weave"]
            pair = isinstance(weave, tuple)
            rows.append(
                [
                    v,
                    _decimals(modes.get("capsize")),
                    f"{weave[0]:.12f} and {weave[1]:.12f}" if pair else f"{weave.real:.12f}",
                    "" if pair else f"{weave.imag:.12f}",
                    _decimals(modes.get("castering")),
                ]
            )
        print_table(["speed [m/s]", "capsize [1/s]", "weave, real", "weave, imaginary", "castering"], rows)
        for text, value in (
            ("double root", critical.double_root),
            ("weave stable above", critical.weave),
            ("capsize unstable above", critical.capsize),
        ):
            click.echo(f"{text:>24s}: " + (f"{value:.12f} m/s" if value is not None else "none"))
    if figure is not None:
        from centrode.plots.bicycle import eigenvalue_figure
        from centrode.plots.figure import save_figure

        save_figure(eigenvalue_figure(linear, max(high, 1.0), f"Eigenvalues against speed: {options.machine}"), figure)
        click.echo(str(figure), err=True)


def _decimals(value: complex | None) -> str:
    return "" if value is None else f"{value.real:.12f}"


@command.command("steady-turns")
@takes(MachineOptions)
@click.option("--steer-deg", "steers", type=float, multiple=True, help="Steer angle [deg]; may be given several times.")
@_FIGURE
@JSON
def steady_turns(options: MachineOptions, steers: tuple[float, ...], figure: Path | None, as_json: bool) -> None:
    """Hands-free circular motions, from the capsize speed to standing still."""
    from centrode.cli.output import emit_json, print_table, progress
    from centrode.errors import RunError
    from centrode.vehicles.bicycle.turns import TurnSolver

    wanted = sorted(steers) or [0.1, 1.0, 2.0, 5.0, 10.0, 12.5, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0]
    solver = TurnSolver(options.parameters())
    with progress("turning", quiet=as_json):
        turns = solver.family([math.radians(s) for s in wanted])
        try:
            end = solver.standing()
        except RunError:
            end = None
    if as_json:
        emit_json({"turns": turns, "standing": end})
    else:
        print_table(
            [
                "steer [deg]",
                "lean [deg]",
                "pitch [deg]",
                "yaw rate [rad/s]",
                "speed [m/s]",
                "radius [m]",
                "rear [N]",
                "front [N]",
            ],
            [
                [
                    f"{math.degrees(t.steer):.7g}",
                    f"{math.degrees(t.lean):.8f}",
                    f"{math.degrees(t.pitch):.8f}",
                    f"{t.yaw_rate:.8f}",
                    f"{t.speed:.10f}",
                    f"{t.radius:.7f}",
                    f"{t.rear_load:.3f}",
                    f"{t.front_load:.3f}",
                ]
                for t in [*turns, *([end] if end is not None else [])]
            ],
            caption="begins at the capsize speed with steer 0; the last row stands still, upright",
        )
    if figure is not None:
        from centrode.plots.bicycle import turns_figure
        from centrode.plots.figure import save_figure

        save_figure(turns_figure(turns, end), figure)


@command.command()
@takes(MachineOptions)
@click.option("--rows", type=click.IntRange(2, 1000), default=8, show_default=True, help="Motions shown per family.")
@_FIGURE
@JSON
def circles(options: MachineOptions, rows: int, figure: Path | None, as_json: bool) -> None:
    """All families of hands-free circular motions, handlebar forward and reversed, with their ends."""
    from centrode.cli.output import emit_json, print_table, progress
    from centrode.vehicles.bicycle.circles import families

    with progress("circling", quiet=as_json):
        found = families(options.parameters())
    if as_json:
        emit_json(found)
    else:
        for family in found:
            last = len(family.motions) - 1
            shown = sorted({round(k * last / (rows - 1)) for k in range(rows)})
            print_table(
                ["lean [deg]", "steer [deg]", "pitch [deg]", "yaw rate [rad/s]", "speed [m/s]", "radius [m]"],
                [
                    [
                        *(f"{math.degrees(x):.6f}" for x in (m.lean, m.steer, m.pitch)),
                        f"{m.yaw_rate:.6f}",
                        f"{m.speed:.6f}",
                        f"{m.radius:.6f}",
                    ]
                    for m in (family.motions[k] for k in shown)
                ],
                title=f"{family.name}: from {family.begins} to {family.ends}",
            )
    if figure is not None:
        from centrode.plots.bicycle import circles_figure
        from centrode.plots.figure import save_figure

        save_figure(circles_figure(found), figure)
        click.echo(str(figure), err=True)


@command.command()
@click.argument("manoeuvre", default="M2")
@takes(MachineOptions)
@click.option("--duration", type=float, default=5.0, show_default=True, help="[s].")
@click.option("--method", default="dop853", show_default=True, help="Method of the engine, or 'lecture'.")
@click.option("--step", type=float, help="Step of fixed-step methods [s].  [default: 0.01]")
@click.option("--out", "-o", type=click.Path(file_okay=False, path_type=Path), help="Folder for the figures.")
@JSON
def run(
    manoeuvre: str,
    options: MachineOptions,
    duration: float,
    method: str,
    step: float | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run an uncontrolled manoeuvre: M1 (4 m/s, 0.05 rad/s), M2 (4.6, 0.5) or M3 (8, 0.05)."""
    import dataclasses

    import numpy as np

    from centrode.cli.output import emit_json, print_table, progress
    from centrode.errors import InputError, nearest_name
    from centrode.vehicles.bicycle.published import MANOEUVRES

    name = manoeuvre.upper()
    if name not in MANOEUVRES:
        raise InputError(
            "unknown manoeuvre", got=manoeuvre, expected="M1, M2 or M3", nearest=nearest_name(name, list(MANOEUVRES))
        )
    if not duration > 0.0:
        raise InputError("must be positive", path="--duration", got=duration)
    speed, rate = MANOEUVRES[name]
    p = options.parameters()
    history: dict[str, Any]
    with progress(f"running {name}", quiet=as_json):
        if method == "lecture":
            from centrode.vehicles.bicycle.lecture import simulate_lecture

            done = simulate_lecture(p, speed, rate, duration, step or 0.01)
            history = {"time": done.time, "lean": done.lean, "lean_rate": done.lean_rate, "steer": done.steer}
            history |= {"steer_rate": done.steer_rate, "speed": done.speed}
            energy, residual = done.energy, float(done.position_error.max())
        else:
            from centrode.running import require_completed, simulate
            from centrode.vehicles.bicycle.model import bicycle_system
            from centrode.vehicles.bicycle.reading import bicycle_history

            system = bicycle_system(parameters=dataclasses.asdict(p), speed=speed, lean_rate=rate)
            settings = {"step": step or 0.01} if method.startswith("rk4") else {"tolerance": 1e-11, "step": step}
            recorded = require_completed(simulate(system, duration=duration, method=method, frames=0.01, **settings))
            history = bicycle_history(recorded, "bike", p)
            energy, residual = recorded["energy.total"], float(recorded["constraint.residual"].max())
    spread = float((energy.max() - energy.min()) / energy[0])
    chosen = [0.5 * n for n in range(int(2 * duration) + 1)]
    rows = []
    for t in chosen:
        n = int(np.argmin(np.abs(history["time"] - t)))
        rows.append(
            [float(history["time"][n])]
            + [float(history[k][n]) for k in ("lean", "lean_rate", "steer", "steer_rate", "speed")]
        )
    if as_json:
        emit_json(
            {
                "manoeuvre": name,
                "energy": float(energy[0]),
                "energy_spread": spread,
                "residual": residual,
                "history": dict(history),
            }
        )
    else:
        print_table(
            ["time [s]", "lean [rad]", "lean rate", "steer [rad]", "steer rate", "speed [m/s]"],
            [[f"{r[0]:g}", *(f"{x:.9f}" for x in r[1:])] for r in rows],
            title=f"{name}: {speed:g} m/s, {rate:g} rad/s, {method}",
            caption=f"energy {energy[0]:.9f} J, spread {spread:.2g} of it; largest constraint error {residual:.2g}",
        )
    if out is not None:
        from centrode.plots import bicycle as plots
        from centrode.plots.figure import save_figure

        history.setdefault("yaw_rate", np.full(len(history["time"]), math.nan))
        files = [save_figure(plots.history_figure(history, f"{name} ({method})"), out / f"{name.lower()}_history.png")]
        if "rear_track" in history:
            files.append(save_figure(plots.track_figure(history), out / f"{name.lower()}_tracks.png"))
            files.append(save_figure(plots.contact_force_figure(history), out / f"{name.lower()}_forces.png"))
        for file in files:
            click.echo(str(file), err=True)


@command.command()
@takes(MachineOptions)
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path), default="bicycle.png", show_default=True)
def draw(options: MachineOptions, out: Path) -> None:
    """Draw the machine with its bodies, frames, steer axis and trail."""
    from centrode.plots.bicycle import drawing
    from centrode.plots.figure import save_figure
    from centrode.vehicles.bicycle.library import MACHINES

    click.echo(str(save_figure(drawing(options.parameters(), title=MACHINES[options.machine]), out)))


@command.command()
@click.option("--duration", type=float, default=5.0, show_default=True, help="[s].")
@click.option("--step", type=float, default=0.01, show_default=True, help="[s].")
@_FIGURE
@JSON
def drift(duration: float, step: float, figure: Path | None, as_json: bool) -> None:
    """Constraint errors of the lecture notes' method with and without its projections, and the printed terms."""
    from centrode.cli.output import emit_json, print_table
    from centrode.errors import InputError
    from centrode.vehicles.bicycle.lecture import simulate_lecture
    from centrode.vehicles.bicycle.parameters import BicycleParameters

    if not (0.0 < step <= duration):
        raise InputError("no run", path="--step", got=step, expected="above 0 and at most the duration")
    p = BicycleParameters()
    runs = {
        "with projection": simulate_lecture(p, duration=duration, step=step),
        "without projection": simulate_lecture(p, duration=duration, step=step, project=False),
        "convective terms as printed": simulate_lecture(p, duration=duration, step=step, printed=True),
    }
    rows = [
        [name, float(r.position_error.max()), float(r.velocity_error.max()), f"{r.lean[-1]:.9f}", f"{r.steer[-1]:.9f}"]
        for name, r in runs.items()
    ]
    if as_json:
        emit_json([dict(zip(("run", "coordinates", "velocities", "lean", "steer"), row, strict=True)) for row in rows])
    else:
        print_table(
            ["run", "coordinates", "velocities", "lean at the end", "steer at the end"],
            rows,
            title=f"M2, RK4, step {step:g} s",
        )
    if figure is not None:
        from centrode.plots.bicycle import drift_figure
        from centrode.plots.figure import save_figure

        save_figure(drift_figure(runs["with projection"], runs["without projection"]), figure)
