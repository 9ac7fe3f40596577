"""How a run is made: duration, method, step, frames, tolerance."""

from __future__ import annotations

import dataclasses

from centrode.classes import dataclass
from centrode.display import SIGNS, UNIT_SYSTEMS
from centrode.errors import Fault
from centrode.parts.meant import in_si
from centrode.parts.part import check_form, check_value, quantity

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
    method: str | None = quantity(
        "",
        "how the state advances; `centrode methods` lists them; when left out dop853, or moreau for a pile of bodies",
        None,
    )
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
    signs: str = quantity("", "sides and yaw there: left positive (iso) or right positive (sae)", "iso", choices=SIGNS)

    def __post_init__(self) -> None:
        """Texts with units ("10 s") become numbers in SI, as in files; what cannot be read stays for the check."""
        for item in dataclasses.fields(self):
            unit, value = item.metadata["unit"], vars(self)[item.name]
            if unit and isinstance(value, str):
                object.__setattr__(self, item.name, in_si(value, unit))

    def faults(self) -> list[Fault]:
        """All that is wrong with the settings."""
        found: list[Fault] = []
        for item in dataclasses.fields(self):
            path, value = f"run.{item.name}", vars(self)[item.name]
            found += check_form(path, value, str(item.type)) or check_value(path, value, item.metadata)
        if not found and self.frames is not None and self.frames > self.duration * (1 + 1e-12):
            hint = (
                f"frames is the time between two of them: {self.duration / self.frames:g} s for {self.frames:g} frames"
            )
            got = self.frames
            found.append(Fault("frames are further apart than the run is long", "run.frames", got=got, hint=hint))
        return found
