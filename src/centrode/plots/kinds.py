"""The plots that scenario, command line and report can ask for by name; each draws by the file of its family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import centrode
from centrode.errors import Fault, InputError
from centrode.parts.part import quantity
from centrode.parts.plots import Plot
from centrode.texts import Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from centrode.recording.recording import Recording

Names = tuple[str, ...]


@dataclass(frozen=True)
class PlotChannels(Plot):
    """Channels over time."""

    kind: ClassVar[str] = "channels"
    named: ClassVar[Names] = ("channels",)

    channels: Names = quantity("", "channels, parts or components; the first four channels when left out", ())

    def figure(self, run: Recording, progress: Progress = None) -> Figure:
        return centrode.figure_channels(run, self.channels or list(run.channels)[:4], title=self.title)


@dataclass(frozen=True)
class PlotTracks(Plot):
    """Paths of bodies, from above and from the side."""

    kind: ClassVar[str] = "tracks"
    named: ClassVar[Names] = ("bodies",)

    bodies: Names = quantity("", "bodies; all when left out", ())

    def figure(self, run: Recording, progress: Progress = None) -> Figure:
        return centrode.figure_tracks(run, self.bodies or None, title=self.title)


@dataclass(frozen=True)
class PlotPhase(Plot):
    """One channel against another."""

    kind: ClassVar[str] = "phase"
    named: ClassVar[Names] = ("across", "upward")

    across: str = quantity("", "scalar channel of the horizontal axis", "")
    upward: str = quantity("", "scalar channel of the vertical axis", "")

    def faults(self) -> list[Fault]:
        if self.across and self.upward:
            return super().faults()
        return [Fault("a phase portrait needs two channels", self.name, hint="centrode plot --list")]

    def figure(self, run: Recording, progress: Progress = None) -> Figure:
        return centrode.figure_phase(run, self.across, self.upward, title=self.title)


@dataclass(frozen=True)
class PlotEnergy(Plot):
    """Energies, work and the residual of the audit."""

    kind: ClassVar[str] = "energy"

    def figure(self, run: Recording, progress: Progress = None) -> Figure:
        return centrode.figure_energy(run, title=self.title)


@dataclass(frozen=True)
class PlotTyreUse(Plot):
    """Slips of wheels, over time and in the plane of slips."""

    kind: ClassVar[str] = "tyre-use"
    named: ClassVar[Names] = ("wheels",)

    wheels: Names = quantity("", "wheels or vehicles; the first vehicle when left out", ())

    def figure(self, run: Recording, progress: Progress = None) -> Figure:
        return centrode.figure_tyre_use(run, self.wheels or None, title=self.title)


@dataclass(frozen=True)
class PlotEigenvalues(Plot):
    """Eigenvalues of the scenario at its start, in the plane or over an entry of the scenario."""

    kind: ClassVar[str] = "eigenvalues"
    reads_scenario: ClassVar[bool] = True
    named: ClassVar[Names] = ("coordinates",)

    coordinates: Names = quantity("", "coordinates; a basis of what the joints allow when left out", ())
    cyclic: Names = quantity("", "coordinates of which only the rate matters", ())
    over: str = quantity("", "entry and range, such as bodies.arm.mass=1:5:21", "")

    def figure(self, run: Recording, progress: Progress = None) -> Figure:
        from centrode.studies.eigenvalues import eigenvalues_over, start_eigenvalues

        chosen = {"coordinates": self.coordinates, "cyclic": self.cyclic}
        if not self.over:
            return centrode.figure_eigenvalues(start_eigenvalues(run.scenario(), **chosen), title=self.title)
        path, values = _sweep(self.over)
        found = eigenvalues_over(run.scenario(), path, values, progress=progress, **chosen)
        return centrode.figure_eigenvalues(found, values, name=path, title=self.title)


@dataclass(frozen=True)
class PlotConvergence(Plot):
    """Error over step of the scenario, with the measured order of each method."""

    kind: ClassVar[str] = "convergence"
    reads_scenario: ClassVar[bool] = True
    named: ClassVar[Names] = ("channel",)

    channel: str = quantity("", "channel whose error is drawn; a position when left out", "")
    methods: Names = quantity("", "methods of fixed step; all when left out", ())
    steps: tuple[float, ...] = quantity("s", "steps; halved from the scenario's when left out", ())
    duration: float | None = quantity("s", "length of the runs; the scenario's when left out", None, positive=True)

    def figure(self, run: Recording, progress: Progress = None) -> Figure:
        from centrode.studies.convergence import step_errors

        of, length = run.scenario(), self.duration
        found = step_errors(
            of, self.channel, methods=self.methods, steps=self.steps, duration=length, progress=progress
        )
        name = f"error of {found.channel}"
        said = {"error_name": name, "error_unit": found.unit, "title": self.title}
        return centrode.figure_convergence(found.steps, found.errors, **said)


def _sweep(text: str) -> tuple[str, Any]:
    """Path and values of "path=low:high:count"."""
    import numpy as np

    path, _, span = text.partition("=")
    try:
        low, high, count = (float(item) for item in span.split(":"))
    except ValueError:
        raise InputError("not a range", path="over", got=text, expected="such as bodies.arm.mass=1:5:21") from None
    if not (2 <= count <= 1000 and count == int(count)):
        raise InputError("not a count of values", path="over", got=count, expected="2 to 1000")
    return path.strip(), np.linspace(low, high, int(count))
