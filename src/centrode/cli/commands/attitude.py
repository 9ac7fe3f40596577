"""``centrode attitude``: attitude formalisms of a free body side by side. No physics here."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def command() -> None:
    """Compare attitude formalisms: Euler angles, quaternions, multipliers, rotation matrices, Lie groups."""


@command.command()
@click.option("--inertia", type=(float, float, float), default=(1.0, 2.0, 3.0), show_default=True, help="[kg m2].")
@click.option("--omega", type=(float, float, float), default=(0.3, 2.0, 0.2), show_default=True, help="[rad/s], body.")
@click.option("--duration", type=float, default=20.0, show_default=True, help="[s].")
@click.option("--step", "steps", type=float, multiple=True, help="Step [s]; several times. [default: 0.1 to 0.0125]")
@click.option("--torque", type=(float, float, float), default=(0.0, 0.0, 0.0), help="Constant torque [N m], body axes.")
@click.option(
    "--torque-wave",
    type=(float, float, float, float),
    default=(0.0, 0.0, 0.0, 0.0),
    help="Amplitude [N m] about x, y, z and angular frequency [rad/s] of a sine torque.",
)
@click.option("--method", "-m", "methods", multiple=True, help="Only this formalism; several times.")
@click.option("--sequence", default="zyx", show_default=True, help="Sequence of the Euler angles.")
@click.option("--no-cost", is_flag=True, help="Do not measure the time per step.")
@click.option("--figure", type=click.Path(path_type=Path), help="Draw error, cost and drift (PNG and SVG).")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def compare(
    inertia: tuple[float, float, float],
    omega: tuple[float, float, float],
    duration: float,
    steps: tuple[float, ...],
    torque: tuple[float, float, float],
    torque_wave: tuple[float, float, float, float],
    methods: tuple[str, ...],
    sequence: str,
    no_cost: bool,
    figure: Path | None,
    as_json: bool,
) -> None:
    """Error, norm drift, order and cost of every formalism for a free body."""
    import math

    from centrode.cli.output import emit_json, print_table, progress
    from centrode.math.euler import sequence_axes

    sequence_axes(sequence)
    with progress("comparing", quiet=as_json):
        from centrode.studies.attitude.comparison import DEFAULT_STEPS, AttitudeCase, compare_attitudes

        case = AttitudeCase(inertia, omega, duration, torque, (*torque_wave, 0.0))
        results = compare_attitudes(case, steps or DEFAULT_STEPS, methods, sequence, measure_cost=not no_cost)
    files: list[str] = []
    if figure is not None:
        from centrode.plots.attitude import figure_comparison
        from centrode.plots.figure import save_pair

        files = [str(file) for file in save_pair(figure_comparison(results), figure.parent, figure.stem)]
    if as_json:
        emit_json({"case": case, "sequence": sequence, "results": results, "figures": files})
        return
    rows = [
        [
            item.method,
            item.step,
            item.error if math.isfinite(item.error) else None,
            item.order if math.isfinite(item.order) else None,
            item.drift,
            round(item.cost) if math.isfinite(item.cost) else None,
            item.status if item.status != "done" else _near(item.lock, sequence) if "angles" in item.method else "",
        ]
        for item in results
    ]
    print_table(
        ["formalism", "step [s]", "error [rad]", "order", "drift [1]", "cost [ns/step]", "remark"],
        rows,
        title=f"Attitude after {duration:g} s, inertia {inertia}, rate at the start {omega}",
        caption="error: angle to the true attitude; drift: of norm or orthogonality, largest of the run",
    )
    for file in files:
        click.echo(file)


def _near(lock: float, sequence: str) -> str:
    import math

    return f"{sequence} passes {math.degrees(lock):.3g} deg off gimbal lock"


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def methods(as_json: bool) -> None:
    """All formalisms with their expected order."""
    from centrode.cli.output import emit_json, print_table
    from centrode.studies.attitude.methods import METHODS

    rows = [[item.name, item.order, item.label] for item in METHODS.values()]
    if as_json:
        emit_json([{"name": name, "order": order, "label": label} for name, order, label in rows])
        return
    print_table(["formalism", "order", "what it is"], rows)
