"""``centrode linearise``: eigenvalues and modes of a scenario about its state."""

from __future__ import annotations

import heapq
from pathlib import Path

import click

import centrode
from centrode.classes import dataclass
from centrode.cli.options import ASSIGNMENTS, JSON, PLUGINS, flag, option, takes
from centrode.cli.output import remark, show
from centrode.errors import InputError


@dataclass(frozen=True)
class LineariseOptions:
    """Where, and in which coordinates."""

    coordinates: tuple[str, ...] = option("-c --coordinate", "Independent coordinate, such as hinge.angle.", ())
    cyclic: tuple[str, ...] = option("--cyclic", "Coordinate of which only the rate matters, such as hub.angle.", ())
    time: float = option("--at", "Run to this time first [s].", 0.0)
    step: float | None = option("--step", "Step of the differences of coordinates and internal states [default: 0.04].")
    speed_step: float | None = option("--speed-step", "Step of the differences of speeds [default: 0.04].")
    open_loop: bool = flag("--open-loop", "Hold the commands of controllers; otherwise their loops are closed.")


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path))
@takes(LineariseOptions)
@PLUGINS
@ASSIGNMENTS
@JSON
def command(
    scenario: Path, options: LineariseOptions, plugins: tuple[str, ...], assignments: tuple[str, ...], as_json: bool
) -> None:
    """Linearise a scenario about its state: eigenvalues, modes, matrices.

    Without coordinates all displacements that the joints allow are used. Joints may be nonholonomic.
    """
    import numpy as np

    from centrode.methods.method import Outcome
    from centrode.scenario.edits import parse_edits

    time = options.time
    loaded = centrode.load(scenario, edits=parse_edits(assignments), plugins=plugins)
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
    steps = {"step": options.step, "speed_step": options.speed_step}
    for name, value in steps.items():
        if value is not None and not value > 0.0:
            raise InputError("a step is positive", path=f"--{name.replace('_', '-')}", got=value)
    given = {name: value for name, value in steps.items() if value is not None}
    chosen, cyclic = list(options.coordinates) or None, list(options.cyclic)
    found = centrode.linearise(session, chosen, cyclic, controllers=not options.open_loop, **given)
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
