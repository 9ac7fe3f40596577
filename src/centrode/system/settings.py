"""How a run is made: duration, method, step, frames, tolerance."""

from __future__ import annotations

from dataclasses import dataclass

from centrode.display import SIGNS, UNIT_SYSTEMS
from centrode.errors import Fault
from centrode.parts.part import check_value, quantity

DEFAULT_METHOD = "dop853"


@dataclass(frozen=True)
class RunSettings:
    """Settings of one run; the ``run`` section of a scenario file."""

    duration: float = quantity("s", "length of the run", 10.0, positive=True)
    until: str = quantity(
        "",
        "run to the end of the duration, or until all that drives or touches is at rest",
        "duration",
        choices=("duration", "rest"),
    )
    method: str = quantity("", "how the state advances; `centrode methods` lists them", DEFAULT_METHOD)
    step: float | None = quantity("s", "step of fixed-step methods; first step of adaptive ones", None, positive=True)
    frames: float | None = quantity(
        "s", "time between recorded frames; duration/200 when left out", None, positive=True
    )
    tolerance: float = quantity("1", "relative and absolute tolerance of adaptive methods", 1e-7, positive=True)
    start: float = quantity("s", "time at the start", 0.0)
    assemble: bool | None = quantity(
        "",
        "move bodies and change velocities at the start as the joints need it (true), or move nothing (false); when "
        "left out loops are closed, and velocities that the joints cannot have are refused",
        None,
    )
    audit: bool = quantity("", "record energies and the work of every force", True)
    seed: int = quantity("", "seed of random inputs", 0)
    units: str = quantity("", "units of tables, reports and diagrams of the run", "si", choices=UNIT_SYSTEMS)
    signs: str = quantity(
        "", "sides, PDOF and yaw there: left positive (iso) or right positive (sae)", "iso", choices=SIGNS
    )

    def faults(self) -> list[Fault]:
        """All that is wrong with the settings."""
        found: list[Fault] = []
        for name, field in self.__dataclass_fields__.items():
            found += check_value(f"run.{name}", getattr(self, name), field.metadata)
        if not found and self.frames is not None and self.frames > self.duration * (1 + 1e-12):
            found.append(Fault("frames are further apart than the run is long", "run.frames", got=self.frames))
        return found
