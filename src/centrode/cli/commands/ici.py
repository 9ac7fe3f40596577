"""``centrode ici``: instantaneous-centre integration on the command line. No physics here."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from pathlib import Path

import click

import centrode
from centrode.cli.options import JSON, flag, option, takes
from centrode.cli.output import emit_json, print_table, progress, save_figures, show
from centrode.errors import InputError


@dataclass(frozen=True)
class MarchOptions:
    """How steps are made, and what to write."""

    rates_at: str = option("--rates-at", "Rates at the 'start' or 'midpoint'.", "start")
    renormalise: bool = flag("--renormalise", "Scale the heading to length 1 after every step.")
    as_json: bool = flag("--json", "Write JSON.")


@dataclass(frozen=True)
class CircleOptions(MarchOptions):
    """What is integrated: a circle, or rates from a file."""

    turns: int = option("--turns", "Turns of the circle.", 5)
    speed: float = option("--speed", "[m/s].", 100.0)
    yaw_rate: float | None = option("--yaw-rate", "[rad/s], positive to the left.  [default: -10]")
    radius: float | None = option("--radius", "Instead of --yaw-rate: radius [m], positive to the left.")
    sideslip_deg: float = option("--sideslip-deg", "Heading to velocity [deg].", 0.0)
    rates: Path | None = option("--rates", "CSV with varying rates instead of a circle.")

    def scenario(self) -> centrode.IciScenario:
        """The scenario that the options describe."""
        from centrode.studies.ici.scenario import circle

        if self.rates is not None:
            table = centrode.read_rates_csv(self.rates)
            first, last = float(table.time[0]), float(table.time[-1])
            return centrode.IciScenario(table, start_time=first, end_time=last, name=self.rates.name)
        yaw_rate = -10.0 if self.yaw_rate is None else self.yaw_rate
        if self.radius is not None:
            if self.yaw_rate is not None:
                raise InputError("give either --yaw-rate or --radius", path="--radius", got=self.radius)
            if not math.isfinite(self.radius) or self.radius == 0.0:
                raise InputError("radius must be finite and not zero", path="--radius", got=self.radius)
            yaw_rate = self.speed / self.radius
        sideslip = math.radians(self.sideslip_deg)
        return circle(self.speed, yaw_rate, self.turns, sideslip=sideslip, name=f"circle, {self.turns} turns")


@dataclass(frozen=True)
class RunOptions(MarchOptions):
    """Start, steps and results of a run from a file."""

    method: str = option("--method -m", "See 'centrode ici cost'.", "ici-exact")
    dt: float | None = option("--dt", "Longest step [s]. Default: the smallest distance of two rows.")
    start: float | None = option("--start", "Start time [s]. Default: first row.")
    end: float | None = option("--end", "End time [s]. Default: last row.")
    position: tuple[float, float] = option("--position", "Start x y [m].", (0.0, 0.0))
    heading_deg: float = option("--heading-deg", "Start heading, left of x [deg].", 0.0)
    keep_every: int = option("--keep-every", "Keep every n-th frame.", 1)
    thesis_frame: bool = flag("--thesis-frame", "V_y to the right and Omega clockwise, as in the thesis.")
    out: Path = option("--out -o", "CSV.", "ici_path.csv")
    figure: Path | None = option("--figure", "Also draw path and centrodes (PNG and SVG).")


@click.group()
def command() -> None:
    """Integrate poses by instantaneous centres; error, cost and stability of every method."""


@command.command()
@click.option("--table", type=click.Choice(["1", "2", "3"]), help="Only this table.")
@click.option("--wrong", is_flag=True, help="Only cells that differ from print.")
@JSON
def tables(table: str | None, wrong: bool, as_json: bool) -> None:
    """Recompute Tables 1, 2 and 3 of the thesis, cell by cell."""
    from centrode.studies.ici import tables as study

    makers = {"1": study.table_1, "2": study.table_2, "3": study.table_3}
    made = {name: make() for name, make in makers.items() if table in (None, name)}
    totals = study.summary(tuple(cell for cells in made.values() for cell in cells))
    shown = {name: [cell for cell in cells if not (wrong and cell.equal)] for name, cells in made.items()}
    if as_json:
        emit_json({"cells": [cell for cells in shown.values() for cell in cells], "summary": totals})
        return
    columns = {
        "row": lambda cell: cell.row,
        "column": lambda cell: cell.column,
        "printed": lambda cell: cell.printed,
        "recomputed": lambda cell: _digits(cell.recomputed, cell.printed),
        "as published": lambda cell: "" if cell.as_published is None else _digits(cell.as_published, cell.printed),
        "verdict": lambda cell: "equal" if cell.equal else "printed cell wrong",
        "reason": lambda cell: cell.reason,
    }
    for name, cells in shown.items():
        print_table(columns, cells, title=f"Table {name}: {_TABLE_TITLES[name]}")
        click.echo()
    counted = ["column", "cells", "equal to printed digits", "explained", "cause found"]
    print_table(counted, [[name, *item.values()] for name, item in totals.items()], title="Summary")


_TABLE_TITLES = {
    "1": "error after each turn [%], first order (e1), second order (e2), ratio",
    "2": "step [s] for a given error after five turns",
    "3": "cost per turn; 'as published' multiplies counts by themselves, 'recomputed' uses the stated unit costs",
}


@command.command()
@click.option("--out", "-o", type=click.Path(file_okay=False, path_type=Path), default="ici_figures", show_default=True)
def figures(out: Path) -> None:
    """Draw figures 3, 4, A1, A2, error against cost, stability and centrodes (PNG and SVG)."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", path="--out", got=str(out)) from error
    with progress("drawing"):
        from centrode.plots.ici import save_thesis_figures

        files = save_thesis_figures(out)
    for file in files:
        click.echo(str(file))


@command.command()
@click.argument("rates", type=click.Path(path_type=Path))
@takes(RunOptions)
def run(rates: Path, options: RunOptions) -> None:
    """Integrate the rates of a CSV file (time, vx, vy, omega) into a path with its centrodes.

    The file needs a header; units are s, m/s and rad/s; vy counts to the left and may be missing, omega counts to the
    left.
    """
    table = centrode.read_rates_csv(rates, options.thesis_frame)
    heading = math.radians(options.heading_deg)
    start = float(table.time[0]) if options.start is None else options.start
    end = float(table.time[-1]) if options.end is None else options.end
    ahead = (math.cos(heading), math.sin(heading))
    scenario = centrode.IciScenario(table, options.position, ahead, start, end, rates.stem)
    dt = min(table.longest_step, scenario.duration) if options.dt is None else options.dt
    every, at, scaled = options.keep_every, options.rates_at, options.renormalise
    path = centrode.integrate(scenario, options.method, dt=dt, keep_every=every, rates=at, renormalise=scaled)
    try:
        path.write_csv(options.out)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", path="--out", got=str(options.out)) from error
    files = [str(options.out), *save_figures(options.figure, lambda: centrode.figure_run(path, rates.name))]
    if options.as_json:
        last = {name: vars(path)[name][-1] for name in ("time", "x", "y", "ux", "uy")}
        made = {"method": path.method.name, "steps": path.steps, "dt": path.dt, "frames": int(path.time.size)}
        emit_json({**made, "end": last, "files": files})
        return
    end_deg = math.degrees(math.atan2(path.uy[-1], path.ux[-1]))
    click.echo(
        f"{path.method.title}: {path.steps} steps of {path.dt:.6g} s; at t = {path.time[-1]:.6g} s "
        f"x = {path.x[-1]:.6f} m, y = {path.y[-1]:.6f} m, heading {end_deg:.4f} deg"
    )
    for file in files:
        click.echo(f"wrote {file}")


@command.command()
@click.option("--method", "-m", "methods", multiple=True, help="May be repeated. Default: all.")
@click.option("--points", "-k", type=float, default=20.0, show_default=True, help="Points per turn of a circle.")
@click.option("--dt", type=float, help="Step [s] instead of points per turn; needed with --rates.")
@click.option("--rows", type=int, default=5, show_default=True, help="Times at which the error is shown, with --rates.")
@takes(CircleOptions)
def errors(methods: tuple[str, ...], points: float, dt: float | None, rows: int, options: CircleOptions) -> None:
    """Fix the step, measure the error after each turn (direct method)."""
    from centrode.studies.ici.methods import METHODS, method_named
    from centrode.studies.ici.scenario import step_for_points

    chosen = [method_named(name, options.rates_at, options.renormalise) for name in methods or METHODS]
    scenario = options.scenario()
    if isinstance(scenario.rates, centrode.RatesConstant):
        rows = options.turns
        dt = step_for_points(points, scenario.rates.omega) if dt is None else dt
    elif dt is None:
        raise InputError("varying rates need a step", path="--dt", expected="seconds")
    results = [centrode.direct_errors(scenario, method, dt=dt, rows=rows) for method in chosen]
    show(
        [{"method": item.method.name, "dt": item.dt, "rows": item.rows} for item in results],
        ["method", "time [s]", "error [m]", "error [%]"],
        [[item.method.title, row.time, row.error, row.percent] for item in results for row in item.rows],
        as_json=options.as_json,
        title=f"{scenario.name}, dt = {results[0].dt:.6g} s; percent of the {results[0].reference_name}",
    )


@command.command()
@click.option("--method", "-m", "methods", multiple=True, help="May be repeated. Default: first, second, rk4.")
@click.option("--error", "-e", "wanted", type=float, default=10.0, show_default=True, help="Wanted error [%].")
@takes(CircleOptions)
def steps(methods: tuple[str, ...], wanted: float, options: CircleOptions) -> None:
    """Fix the error, find the largest step (indirect method)."""
    from centrode.studies.ici.errors import indirect_step
    from centrode.studies.ici.methods import method_named

    names = methods or ("ici-first", "ici-second", "rk4")
    chosen = [method_named(name, options.rates_at, options.renormalise) for name in names]
    scenario = options.scenario()
    results = [indirect_step(scenario, method, wanted) for method in chosen]
    columns = ["method", "steps", "dt [s]", "error reached [%]", "dt, broken steps allowed [s]"]
    rows = [[item.method.title, item.steps, item.dt, item.reached_percent, item.dt_real] for item in results]
    title = f"{scenario.name}: error within {wanted:g} % at t = {scenario.end_time:.6g} s"
    show(results, columns, rows, as_json=options.as_json, title=title)


@command.command()
@JSON
def cost(as_json: bool) -> None:
    """Cost of a step: the thesis' time units beside measured nanoseconds."""
    from centrode.studies.ici.cost import cost_table

    show(
        cost_table(),
        ["method", "+/-", "x/div", "sin/cos", "units", "units printed", "measured [ns]"],
        as_json=as_json,
        title="One step of one vehicle",
        caption="Thesis: units 1, 10 and 100 per operation. Its slips: 12 + 32 * 10 is 332, not 342; and "
        "Table 3 multiplies the counts by themselves (6 * 6 + 10 * 10 = 136, 12 * 12 + 32 * 32 = 1168).",
    )


@command.command()
@click.option("--points", "-k", "points", type=float, multiple=True, help="Points per turn; may be repeated.")
@JSON
def stability(points: tuple[float, ...], as_json: bool) -> None:
    """Growth factor of every method on a circle."""
    from centrode.studies.ici.methods import METHODS
    from centrode.studies.ici.stability import stability_row

    rows = [stability_row(name, k) for k in points or (2.0, 4.0, 20.0, 100.0, 1000.0) for name in METHODS]
    columns = ["k", "method", "growth per step", "growth per turn", "phase error per turn [rad]", "radius"]
    cells = [[row.points_per_turn, row.method, *astuple(row)[2:]] for row in rows]
    show(rows, columns, cells, as_json=as_json, title="Growth on a circle")


@command.command()
@click.option("--velocity", type=(float, float, float), default=(30.0, 0.0, 0.0), show_default=True, help="Body [m/s].")
@click.option("--omega", type=(float, float, float), default=(0.6, 0.0, 1.2), show_default=True, help="Body [rad/s].")
@click.option("--duration", type=float, default=5.0, show_default=True, help="[s].")
@click.option("--steps", "count", type=int, default=100, show_default=True, help="Steps of the coarser run.")
@JSON
def helix(velocity: tuple[float, ...], omega: tuple[float, ...], duration: float, count: int, as_json: bool) -> None:
    """Constant velocity and rotation in space: helix, split rates, error and order of every method."""
    from centrode.studies.ici.space import space_errors, twist_geometry

    rows = space_errors((*velocity, *omega), duration, count)
    geometry = twist_geometry((*velocity, *omega))
    if as_json:
        emit_json({"geometry": geometry, "methods": rows})
        return
    print_table(["quantity", "value"], list(geometry.items()), title="The path")
    click.echo()
    columns = ["method", f"error [m], {count} steps", f"error [m], {2 * count} steps", "order"]
    print_table(columns, rows, title=f"Distance from the exact end after {duration:g} s")


@command.command()
@JSON
def equations(as_json: bool) -> None:
    """Which equations of the thesis are misprinted: error ratio of one step when dt is halved."""
    from centrode.studies.ici.misprints import equation_verdicts

    columns = ["equation", "ratio as printed", "ratio corrected", "what is wrong"]
    show(equation_verdicts(), columns, as_json=as_json, title="A second-order step divides its local error by 8")


def _digits(value: float, printed: str) -> str:
    """A value with two digits more than the printed one."""
    mantissa, exponent, _ = printed.upper().partition("E")
    digits = len(mantissa.partition(".")[2]) + 2
    return f"{value:.{digits}E}" if exponent else f"{value:.{digits}f}"
