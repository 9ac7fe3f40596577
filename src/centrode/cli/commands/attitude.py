"""``centrode attitude``: attitude formalisms of a free body side by side. No physics here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import click

from centrode.cli.options import JSON, flag, option, takes


@click.group()
def command() -> None:
    """Compare attitude formalisms: Euler angles, quaternions, multipliers, rotation matrices, Lie groups."""


Vector = tuple[float, float, float]
_THREE = (float, float, float)


@dataclass(frozen=True)
class CompareOptions:
    """The case, the formalisms and what to write."""

    inertia: Vector = option("--inertia", type=_THREE, default=(1.0, 2.0, 3.0), show_default=True, help="[kg m2].")
    omega: Vector = option("--omega", type=_THREE, default=(0.3, 2.0, 0.2), show_default=True, help="[rad/s], body.")
    duration: float = option("--duration", type=float, default=20.0, show_default=True, help="[s].")
    steps: tuple[float, ...] = option(
        "--step", type=float, default=(), multiple=True, help="Step [s]; several times. [default: 0.1 to 0.0125]"
    )
    torque: Vector = option("--torque", type=_THREE, default=(0.0, 0.0, 0.0), help="Constant torque [N m], body axes.")
    torque_wave: tuple[float, float, float, float] = option(
        "--torque-wave",
        type=(float, float, float, float),
        default=(0.0, 0.0, 0.0, 0.0),
        help="Amplitude [N m] about x, y, z and angular frequency [rad/s] of a sine torque.",
    )
    methods: tuple[str, ...] = option(
        "--method -m", default=(), multiple=True, help="Only this formalism; several times."
    )
    sequence: str = option("--sequence", default="zyx", show_default=True, help="Sequence of the Euler angles.")
    no_cost: bool = flag("--no-cost", "Do not measure the time per step.")
    figure: Path | None = option(
        "--figure", type=click.Path(path_type=Path), help="Draw error, cost and drift (PNG and SVG)."
    )
    as_json: bool = flag("--json", "Write JSON.")


@command.command()
@takes(CompareOptions)
def compare(options: CompareOptions) -> None:
    """Error, norm drift, order and cost of every formalism for a free body."""
    from centrode.cli.output import emit_json, print_table, progress
    from centrode.math.euler import sequence_axes

    sequence_axes(options.sequence)
    with progress("comparing", quiet=options.as_json):
        from centrode.studies.attitude.comparison import DEFAULT_STEPS, AttitudeCase, compare_attitudes

        wave = (*options.torque_wave, 0.0)
        case = AttitudeCase(options.inertia, options.omega, options.duration, options.torque, wave)
        steps, measure_cost = options.steps or DEFAULT_STEPS, not options.no_cost
        results = compare_attitudes(case, steps, options.methods, options.sequence, measure_cost=measure_cost)
    files: list[str] = []
    if options.figure is not None:
        from centrode.plots.attitude import figure_comparison
        from centrode.plots.figure import save_pair

        drawn, target = figure_comparison(results), options.figure
        files = [str(file) for file in save_pair(drawn, target.parent, target.stem)]
    if options.as_json:
        emit_json({"case": case, "sequence": options.sequence, "results": results, "figures": files})
        return

    def near(lock: float) -> str:
        return f"{options.sequence} passes {math.degrees(lock):.3g} deg off gimbal lock"

    rows = [
        [
            item.method,
            item.step,
            item.error if math.isfinite(item.error) else None,
            item.order if math.isfinite(item.order) else None,
            item.drift,
            round(item.cost) if math.isfinite(item.cost) else None,
            item.status if item.status != "done" else near(item.lock) if "angles" in item.method else "",
        ]
        for item in results
    ]
    print_table(
        ["formalism", "step [s]", "error [rad]", "order", "drift [1]", "cost [ns/step]", "remark"],
        rows,
        title=f"Attitude after {options.duration:g} s, inertia {options.inertia}, rate at the start {options.omega}",
        caption="error: angle to the true attitude; drift: of norm or orthogonality, largest of the run",
    )
    for file in files:
        click.echo(file)


@command.command()
@JSON
def methods(as_json: bool) -> None:
    """All formalisms with their expected order."""
    from centrode.cli.output import show
    from centrode.studies.attitude.methods import METHODS

    rows = [[item.name, item.order, item.label] for item in METHODS.values()]
    data = [{"name": name, "order": order, "label": label} for name, order, label in rows]
    show(data, ["formalism", "order", "what it is"], rows, as_json=as_json)
