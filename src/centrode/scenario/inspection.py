"""What a scenario consists of: parts by family, velocities, constraints, degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass, field

from centrode.parts.registry import section_of
from centrode.scenario.document import Scenario
from centrode.system.model import build_model


@dataclass
class Inspection:
    """Counts of a scenario.

    Attributes:
        title: of the scenario.
        parts: section -> count of parts; those that vehicles add are included.
        velocities: count of velocity coordinates.
        constraints: count of constraint rows of exact joints.
        freedoms: velocities minus constraints; redundant rows make the true number larger.
        digest: of the scenario.
        notes: what a user should know.
    """

    title: str
    parts: dict[str, int]
    velocities: int
    constraints: int
    freedoms: int
    digest: str
    notes: list[str] = field(default_factory=list)


def inspect(scenario: Scenario) -> Inspection:
    """Count; builds the model, so that everything that a run would refuse is refused here too.

    Raises:
        InputError: the system cannot be built.
    """
    system = scenario.system
    parts: dict[str, int] = {}
    for part in system.parts.values():
        section = section_of(part.family)
        parts[section] = parts.get(section, 0) + 1
    model = build_model(system)
    velocities = model.body_count * model.velocity_width
    constraints = int(model.joint_rows[model.exact_joints].sum()) - len(model.removed_rows)
    notes = list(model.notes)
    if constraints > velocities:
        notes.append("more constraints than velocities: some of them say the same")
    return Inspection(system.title, parts, velocities, constraints, velocities - constraints, scenario.digest, notes)
