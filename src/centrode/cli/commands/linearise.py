"""``centrode linearise``: eigenvalues and modes of a scenario about its state."""

from __future__ import annotations

import heapq
from pathlib import Path

import click

import centrode
from centrode.cli.options import JSON
from centrode.cli.output import remark, show
from centrode.errors import InputError


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path))
@click.option("--coordinate", "-c", "coordinates", multiple=True, help="Independent coordinate, such as hinge.angle.")
@click.option("--cyclic", multiple=True, help="Coordinate of which only the rate matters, such as hub.angle.")
@click.option("--at", "time", type=float, default=0.0, show_default=True, help="Run to this time first [s].")
@click.option("--step", type=float, help="Step of the differences of coordinates and internal states [default: 0.04].")
@click.option("--speed-step", type=float, help="Step of the differences of speeds [default: 0.04].")
@click.option("--open-loop", is_flag=True, help="Hold the commands of controllers; otherwise their loops are closed.")
@JSON
def command(
    scenario: Path,
    coordinates: tuple[str, ...],
    cyclic: tuple[str, ...],
    time: float,
    step: float | None,
    speed_step: float | None,
    open_loop: bool,
    as_json: bool,
) -> None:
    """Linearise a scenario about its state: eigenvalues, modes, matrices.

    Without coordinates all displacements that the joints allow are used. Joints may be nonholonomic.
    """
    import numpy as np

    from centrode.methods.method import Outcome

    loaded = centrode.load(scenario)
    with loaded.located():
        session = centrode.Session(loaded.system, loaded.settings)
    if time < session.run.time:
        expected = f"at least {session.run.time:g} s"
        raise InputError("before the start of the run", path="--at", got=time, expected=expected)
    while session.run.time < time:  # from stop to stop: changes and controllers act on the way
        _, outcome = session.advance_to_stop(np.array([time]))
        if outcome is not Outcome.FRAMES_DONE:
            raise InputError("the run does not reach this time", path="--at", got=time)
    session.act()
    steps = {"step": step, "speed_step": speed_step}
    for name, value in steps.items():
        if value is not None and not value > 0.0:
            raise InputError("a step is positive", path=f"--{name.replace('_', '-')}", got=value)
    given = {name: value for name, value in steps.items() if value is not None}
    found = centrode.linearise(session, list(coordinates) or None, list(cyclic), controllers=not open_loop, **given)
    matrices = {"a": found.a, "b": found.b, "mass": found.mass, "damping": found.damping, "stiffness": found.stiffness}
    errors = {"a_error": found.a_error, "b_error": found.b_error, "eigenvalue_errors": found.eigenvalue_errors}
    said = {"names": found.names, "inputs": found.inputs, **matrices, "eigenvalues": found.eigenvalues, **errors}
    worst = float(found.eigenvalue_errors.max(initial=0.0))
    certain = f"within {worst:.1g} 1/s" if np.isfinite(worst) else "some are double, and their error is not known"
    show(
        {**said, "unsteadiness": found.unsteadiness, "notes": found.notes},
        {
            "real [1/s]": lambda mode: f"{mode.value.real:.9g}",
            "imaginary [1/s]": lambda mode: f"{mode.value.imag:.9g}",
            "frequency [Hz]": lambda mode: f"{mode.frequency:.6g}" if mode.oscillates else None,
            "damping ratio": lambda mode: f"{mode.damping_ratio:.4g}",
            "moves most": lambda mode: ", ".join(heapq.nlargest(3, share := mode.participation(), share.__getitem__)),
        },
        found.modes(),
        as_json=as_json,
        caption=f"eigenvalues: {certain}",
        title=f"{len(found.coordinates)} coordinates, {len(found.speeds)} speeds, {len(found.states)} internal states",
    )
    for note in () if as_json else found.notes:
        remark(f"note: {note}")
