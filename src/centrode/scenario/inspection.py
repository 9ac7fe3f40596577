"""What a scenario consists of: parts by family, velocities, constraints, degrees of freedom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from centrode.display import Custom
from centrode.dynamics.assembly import assemble_start
from centrode.dynamics.contact.notes import chosen_words, contact_words, cost_words
from centrode.dynamics.workspace import Workspace
from centrode.errors import InputError
from centrode.methods.choice import suited_method
from centrode.methods.method import find_method
from centrode.parts.registry import section_of
from centrode.recording.starts import start_text
from centrode.scenario.document import Scenario
from centrode.system.model import build_model


@dataclass
class Inspection:
    """Counts of a scenario.

    Attributes:
        parts: section -> count of parts; those that vehicles add are included.
        velocities, constraints: count of velocity coordinates, and of constraint rows of exact joints.
        redundant: how many of the rows say what others say already.
        freedoms: independent velocities.
        notes: what the assembly did at the start, and what cannot touch.
    """

    title: str
    parts: dict[str, int]
    velocities: int
    constraints: int
    redundant: int
    freedoms: int
    digest: str
    notes: list[str] = field(default_factory=list)


def inspect(scenario: Scenario) -> Inspection:
    """Count. Builds the model and closes its joints, so that all that a run would refuse is refused here too.

    Raises:
        InputError: the system cannot be built or assembled, or its method cannot run it.
    """
    system, settings = scenario.system, scenario.settings
    parts = dict(Counter(section_of(part.family) for part in system.parts.values()))
    with scenario.located():
        name, choice = suited_method(system) if settings.method is None else (settings.method, "")
        method = find_method(name, system.plugins)
        model = build_model(system, method.hard_contacts)
        faults = method.faults(model)
        if faults:
            raise InputError(faults)
        report = assemble_start(Workspace(model), settings.start, settings.assemble)
    counts = report.coordinates, report.rows, report.rows - report.rank, report.degrees_of_freedom
    solved = system.solved_starts.items()
    notes = [start_text(name, values, Custom(settings.units, settings.signs)) for name, values in solved]
    notes += system.notes + [note for note in report.notes if note != "no exact joints"]
    notes += [choice] if choice else []
    notes += chosen_words(model.contacts, method)
    notes += contact_words(system, model.contacts) + cost_words(system, model.contacts, method, settings.duration)
    return Inspection(system.title, parts, *counts, scenario.digest, notes)
