"""``centrode attitude``: attitude formalisms of a free body side by side. No physics here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

import centrode
from centrode.cli.options import JSON, flag, option, takes
from centrode.cli.output import emit_json, print_table, progress, save_figures, show

if TYPE_CHECKING:
    from centrode.studies.attitude.comparison import AttitudeResult


@click.group()
def command() -> None:
    """Compare attitude formalisms: Euler angles, quaternions, multipliers, rotation matrices, Lie groups."""


Vector = tuple[float, float, float]


@dataclass(frozen=True)
class CompareOptions:
    """The case, the formalisms and what to write."""

    inertia: Vector = option("--inertia", "[kg m2].", (1.0, 2.0, 3.0))
    omega: Vector = option("--omega", "[rad/s], body.", (0.3, 2.0, 0.2))
    duration: float = option("--duration", "[s].", 20.0)
    steps: tuple[float, ...] = option("--step", "Step [s]; several times. [default: 0.1 to 0.0125]", ())
    torque: Vector = option("--torque", "Constant torque [N m], body axes.", (0.0, 0.0, 0.0))
    torque_wave: tuple[float, float, float, float] = option(
        "--torque-wave", "Amplitude [N m] about x, y, z and angular frequency [rad/s] of a sine torque.", (0.0,) * 4
    )
    methods: tuple[str, ...] = option("--method -m", "Only this formalism; several times.", ())
    sequence: str = option("--sequence", "Sequence of the Euler angles.", "zyx")
    no_cost: bool = flag("--no-cost", "Do not measure the time per step.")
    figure: Path | None = option("--figure", "Draw error, cost and drift (PNG and SVG).")
    as_json: bool = flag("--json", "Write JSON.")


@command.command()
@takes(CompareOptions)
def compare(options: CompareOptions) -> None:
    """Error, norm drift, order and cost of every formalism for a free body."""
    from centrode.math.euler import sequence_axes

    sequence_axes(options.sequence)
    with progress("comparing", quiet=options.as_json):
        from centrode.studies.attitude.comparison import DEFAULT_STEPS, AttitudeCase, compare_attitudes

        wave = (*options.torque_wave, 0.0)
        case = AttitudeCase(options.inertia, options.omega, options.duration, options.torque, wave)
        steps, measure_cost = options.steps or DEFAULT_STEPS, not options.no_cost
        results = compare_attitudes(case, steps, options.methods, options.sequence, measure_cost=measure_cost)
    files = save_figures(options.figure, lambda: centrode.figure_comparison(results))
    if options.as_json:
        emit_json({"case": case, "sequence": options.sequence, "results": results, "figures": files})
        return

    def remark_of(item: AttitudeResult) -> str:
        if item.status != "done" or "angles" not in item.method:
            return item.status if item.status != "done" else ""
        return f"{options.sequence} passes {math.degrees(item.lock):.3g} deg off gimbal lock"

    print_table(
        {
            "formalism": lambda item: item.method,
            "step [s]": lambda item: item.step,
            "error [rad]": lambda item: item.error if math.isfinite(item.error) else None,
            "order": lambda item: item.order if math.isfinite(item.order) else None,
            "drift [1]": lambda item: item.drift,
            "cost [ns/step]": lambda item: round(item.cost) if math.isfinite(item.cost) else None,
            "remark": remark_of,
        },
        results,
        title=f"Attitude after {options.duration:g} s, inertia {options.inertia}, rate at the start {options.omega}",
        caption="error: angle to the true attitude; drift: of norm or orthogonality, largest of the run",
    )
    for file in files:
        click.echo(file)


@command.command()
@JSON
def methods(as_json: bool) -> None:
    """All formalisms with their expected order."""
    from centrode.studies.attitude.methods import METHODS

    data = [{"name": item.name, "order": item.order, "label": item.label} for item in METHODS.values()]
    show(data, ["formalism", "order", "what it is"], [list(item.values()) for item in data], as_json=as_json)
