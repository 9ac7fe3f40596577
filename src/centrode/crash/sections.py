"""The parts of a crash report for reading and printing: summary, diagram, tables, pulses, inputs, definitions."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from centrode.crash.collisions import Collision, Collisions, cautions, other
from centrode.crash.damage import structures_by_body
from centrode.crash.diagram import diagram
from centrode.crash.diagram_settings import PAPERS, DiagramSettings
from centrode.crash.persons import PersonFigures
from centrode.crash.pulse import pulse_rows
from centrode.crash.rest import body_of
from centrode.crash.rollover import rollover_rows, rollovers_of
from centrode.crash.row import energy_speed
from centrode.crash.tables import crash_tables, remarks
from centrode.crash.tyre_marks import marks_table
from centrode.display import Custom
from centrode.errors import CentrodeError, InputError
from centrode.parts.part import Part
from centrode.recording.recording import Recording
from centrode.texts import html_table
from centrode.vehicles.grip import tyre_grips
from centrode.view.sections import image, preformatted, section, vector_sheet, warnings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from centrode.studies.sensitivity import Sensitivity

PASSES = -0.05
"""Restitution below which bodies still closed when they parted: not a hit as engineers mean it."""
DEFINITIONS = (
    ("collision", "all contacts of two bodies with less than 25 ms between them; brushes and vehicles that lean on "
     "each other are left out, and the end is where the force has gone"),
    ("delta-V", "impulse of the contact forces of the collision divided by the mass of the vehicle; along and across "
     "in the axes of the vehicle at first touch. On ground that carries the vehicle: change of velocity of its centre "
     "of mass until the force has fallen to its weight, so that neither weight nor time of lying counts. Of limbs, "
     "trailers and what tows them: change of their own velocity from begin to end, whatever made it: joints and "
     "couplings pass on what they are struck with. A vehicle with the side 'coupling' was not touched itself"),
    ("PDOF", "direction from which the force came, seen from the vehicle at first touch; 0 from ahead, clockwise"),
    ("clock", "the same on a clock face: 12 from ahead, 3 from the right, 6 from behind"),
    ("pulse", "delta-V as sensors add it up that turn with the vehicle and feel the tyres too, every 10 ms from first "
     "touch (49 CFR 563.7)"),
    ("peak and mean acceleration", "greatest contact force over mass, of limbs and coupled vehicles the greatest of "
     "their own motion between frames; delta-V over duration"),
    ("OLC", "occupant load criterion: even deceleration of an occupant who moves freely by 65 mm and is then held over "
     "235 mm (Euro NCAP TB 027)"),
    ("EES", "energy equivalent speed: that at which the vehicle has the energy that its structure took up in this "
     "collision from this partner"),
    ("dynamic crush (dyn.)", "deepest crush while the bodies press each other; a part of it springs back"),
    ("Cmax", "deepest residual crush of the damaged width, also between C1 to C6; the extent of the CDC is told by it"),
    ("C1 to C6", "residual crush at six places over the damaged width, the deepest at each; left to right on front and "
     "rear, behind to ahead on sides; of the side that took up most, when this collision is over, over the width in "
     "which this partner pushed it in further; older dents within that width count as deep as they are"),
    ("CDC", "collision deformation classification (SAE J224): clock, side, place, height, type, extent; place and "
     "type by direct contact; zones of the extent are those of a plain three-box car"),
    ("closing speed", "approach of the touching points along the contact normal at first touch"),
    ("restitution", "parting over closing speed along the first normal, of the rigid motion at the impulse; none where "
     "bodies slid off, where other forces changed the closing speed by more than a tenth of it, or above 1"),
    ("tyre mark", "stretch where a wheel stands on the road and slides beyond full slip, the slip of 99 % of the "
     "tyre's greatest force; its energy is friction force times sliding way"),
    ("friction, crush, vibration", "energy lost in sliding, in the contact law (crush, damping), left in the bodies"),
)  # fmt: skip


def summary_sentences(run: Recording, custom: Custom) -> list[str]:
    """What happened to each person and vehicle, in a plain sentence."""
    hits = run.collisions
    found = [person_sentence(person, custom) for person in hits.persons]
    limbs = hits.limb_names
    for name, place in hits.rest.items():
        own = [item for item in hits.of(name) if not limbs.intersection(item.names)]
        if name in limbs:
            continue
        text = hit_words(name, own, custom) if own else ""
        turned = "left" if place.turned_deg > 0 else "right"
        ends = "came to rest" if place.speed < 0.05 else f"still moved at {custom.with_unit('speed', place.speed)}"
        text += (
            f"{'It' if own else name} {ends} at ({custom.text('length', place.position[0])}, "
            f"{custom.text('length', place.position[1])}) "
            f"{custom.of('length').unit}, {custom.with_unit('length', place.travelled)} along its way from first "
            f"contact, turned by {abs(place.turned_deg):.0f} deg to the {turned}."
        )
        found.append(text)
    return found


def person_sentence(person: PersonFigures, custom: Custom) -> str:
    """What a vehicle did to a person, and the person to the vehicle."""
    ends = "came to rest" if person.speed_at_end < 0.05 else "was still moving when the run ended,"
    return (
        f"{person.name} (mass {custom.with_unit('mass', person.mass)}) was struck by {person.against} at "
        f"{person.begin:.2f} s; delta-V of the whole person {custom.with_unit('speed', person.delta_v_size)}, of "
        f"{person.against} {custom.with_unit('speed', person.vehicle_delta_v)}; the person left it at "
        f"{custom.with_unit('speed', person.speed_after)} and {ends} {custom.with_unit('length', person.thrown)} from "
        "the place of first touch."
    )


def hit_words(name: str, own: list[Collision], custom: Custom) -> str:
    """The strongest collision of a vehicle, and what its structure took up in all."""
    strongest = max(own, key=lambda item: item.vehicle(name).delta_v_size)
    vehicle = strongest.vehicle(name)
    count = "" if len(own) == 1 else f" in the strongest of {len(own)} collisions"
    partner = other(strongest, vehicle).name
    if vehicle.coupled_to:
        met = f"was not touched; {vehicle.coupled_to}, to which it is coupled, met {partner}"
    elif vehicle.side == "front":
        met = f"hit {partner} with its front"
    else:
        met = f"was hit by {partner} on its {vehicle.side}"
    direction = f"with the force from {vehicle.clock} o'clock" if vehicle.level else "with the force from below"
    text = (
        f"{name} (mass {custom.with_unit('mass', vehicle.mass)}) {met} at {strongest.begin:.2f} s, when it went at "
        f"{custom.with_unit('speed', vehicle.speed_before)}; its "
        f"delta-V{count} was {custom.with_unit('speed', vehicle.delta_v_size)}, {direction}, "
        f"at most {custom.with_unit('acceleration', vehicle.peak_acceleration)}. "
    )
    energy = sum(item.vehicle(name).crush_energy for item in own)
    if energy > 0.0:
        ees = custom.with_unit("speed", energy_speed(energy, vehicle.mass))
        text += f"Its structure took up {custom.with_unit('energy', energy)} (EES {ees}). "
    return text


def doubts(run: Recording) -> list[str]:
    """What makes figures of collisions doubtful, told by the motion before and after and not by the contact law."""
    found = cautions(run)
    for item in run.collisions:
        if item.restitution < PASSES:
            found.append(
                f"Collision {item.number} ({' - '.join(item.names)}): restitution {item.restitution:.2f}. The bodies "
                "still closed along the direction of the impulse when they parted: a sideswipe, a corner torn off or a "
                "passage. Look at the pictures before using its figures."
            )
    moving = [name for name, place in run.collisions.whole_rest.items() if place.speed >= 0.05]
    if moving:
        found.append(
            f"The run ended before {', '.join(moving)} came to rest: 'end of the run' is no rest position. Run longer, "
            "with until: rest."
        )
    return found


def crash_sections(
    run: Recording,
    custom: Custom,
    settings: DiagramSettings | None = None,
    sensitivity: Sensitivity | None = None,
    drawn: Mapping[str, bytes] | None = None,
) -> list[str]:
    """The parts of the report, in order; nothing when there was no collision, no figures where they would not hold.

    ``drawn`` are files of figures that are there already: "diagram.svg" and "pulses.png".
    """
    hits = run.collisions
    if not hits:
        return []
    if not run.status.figures_hold:
        return [section("Summary", warnings([f"No figures of collisions, they would not hold: {run.status}."]))]
    sentences = "".join(f"<p>{html.escape(text)}</p>" for text in summary_sentences(run, custom))
    told = [*doubts(run), *(sensitivity.warnings() if sensitivity is not None else ())]
    tables = "".join(
        f"<h3>{html.escape(table.title)}</h3>{html_table(table.headings(custom, hits.noun), table.cells(custom))}"
        for table in crash_tables(hits)
    )
    notes = "".join(f"<p class='note'>{html.escape(text)}</p>".replace("'", '"') for text in remarks(hits, custom))
    rolled = _table(rollover_rows(rollovers_of(run)))
    rubbed = _table(marks_table(run.tyre_marks, custom))
    return [
        section("Summary", sentences + warnings(told)),
        _diagram(run, settings, custom, drawn or {}),
        section("Figures of the collisions", tables + notes),
        section("Crash pulses", _pulses(run, custom, drawn or {})),
        section("Rollovers", rolled),
        section("Tyre marks", rubbed),
        section("Sensitivity", preformatted(sensitivity.table(100, custom)) if sensitivity is not None else ""),
        section("Assumptions and inputs", _inputs(run, custom)),
        section("Definitions", _definitions()),
    ]


def _table(rows: list[dict[str, str]]) -> str:
    return html_table(list(rows[0]), [list(row.values()) for row in rows]) if rows else ""


def _diagram(run: Recording, settings: DiagramSettings | None, custom: Custom, drawn: Mapping[str, bytes]) -> str:
    from centrode.plots.figure import file_bytes

    try:
        sheet = drawn.get("diagram.svg") or file_bytes(diagram(run, settings, custom), ".svg")
    except InputError as error:
        return section("Diagram", warnings([str(error)]))
    return vector_sheet(sheet, "Diagram", PAPERS[(settings or DiagramSettings()).paper])


def _definitions() -> str:
    return "<dl>" + "".join(f"<dt>{html.escape(a)}</dt><dd>{html.escape(b)}</dd>" for a, b in DEFINITIONS) + "</dl>"


def _pulses(run: Recording, custom: Custom, drawn: Mapping[str, bytes]) -> str:
    from centrode.plots.figure import png_bytes

    pulses = [pulse for pulse in run.collisions.pulses if pulse.collision in _shown(run.collisions)][:8]
    if not pulses:
        return ""
    unit = custom.of("speed").unit
    shown = drawn.get("pulses.png") or png_bytes(figure_pulses(run.collisions, custom))
    parts = [image(shown, "Delta-V as a recorder in the vehicle keeps it.")]
    for first, group in itertools.groupby(pulses, key=lambda item: item.collision):
        own = list(group)
        longest = max(own, key=lambda item: len(item.times))
        heads = ["time [ms]"]
        columns: list[list[str]] = [[f"{1e3 * float(t):.0f}" for t in longest.times]]
        for pulse in own:
            heads += [f"{pulse.vehicle} along [{unit}]", f"{pulse.vehicle} {custom.side} [{unit}]"]
            rows = pulse_rows(pulse, custom)
            for k in (1, 2):
                texts = [custom.text("speed", row[k] * custom.of("speed").size) for row in rows]
                columns.append(texts + [""] * (len(longest.times) - len(texts)))
        parts.append(f"<h3>Collision {first}</h3>" + html_table(heads, list(zip(*columns, strict=True))))
    return "".join(parts)


def _shown(collisions: Collisions) -> set[int]:
    """Numbers of the collisions that have pulses in the report: those of limbs where there are no others."""
    limbs = collisions.limb_names
    found = {item.number for item in collisions if not limbs.intersection(item.names)}
    return found or {item.number for item in collisions}


def figure_pulses(collisions: Collisions, custom: Custom) -> Figure:
    """Delta-V along and across over time, and the contact force, of each collision (the first four)."""
    from centrode.plots.figure import COLOURS, new_figure

    numbers = _shown(collisions)
    shown = [item for item in collisions if item.number in numbers][:4]
    figure, panels = new_figure(len(shown), 2, height=2.2)
    speed = custom.of("speed")
    for hit, (left, right) in zip(shown, panels, strict=True):
        for vehicle, colour in zip([v for v in hit.units if v.mass > 0], COLOURS, strict=False):
            pulse = collisions.pulse(hit, vehicle)
            if pulse is not None:
                left.plot(1e3 * pulse.times, pulse.along / speed.size, color=colour, label=f"{vehicle.name} along")
                across = custom.sign * pulse.left / speed.size
                left.plot(1e3 * pulse.times, across, color=colour, ls="--", label=f"{vehicle.name} {custom.side}")
        left.set_ylabel(f"delta-V [{speed.unit}]")
        if left.lines:
            left.legend(fontsize=6.5, frameon=False)
        force = custom.of("force")
        right.plot(1e3 * (hit.pulse_times - hit.begin), np.array(hit.pulse) / force.size, color="black")
        right.set_ylabel(f"contact force [{force.unit}]")
        title = f"{hit.number}: {' - '.join(hit.names)}, {hit.begin:.3f} s"
        left.set_title(title, fontsize=8, loc="left")
    for panel in panels[-1]:
        panel.set_xlabel("time since first touch [ms]")
    return figure


def _inputs(run: Recording, custom: Custom) -> str:
    """Vehicles, structures and laws with the numbers they were run with."""
    try:
        system = run.scenario().system
    except CentrodeError:
        return ""
    parts = []
    structures = structures_by_body(run)
    limbs = run.collisions.limb_names
    names = [name for name in run.collisions.rest if name not in limbs] + list(run.collisions.limbs)
    rows: dict[str, list[str]] = {}
    for name in names:
        part = system.parts.get(name) or system.parts.get(body_of(run, name))
        for field, quantity, label in _INPUTS:
            value = (
                part.values_of(field).get(field) if part is not None and field in part.__dataclass_fields__ else None
            )
            text = custom.with_unit(quantity, value) if isinstance(value, int | float) else str(value or "-")
            rows.setdefault(label, []).append(text)
        for label, text in _speeds(run, part, body_of(run, name), custom).items():
            rows.setdefault(label, []).append(text)
        structure = structures.get(body_of(run, name))
        for k, side in enumerate(("front", "rear", "sides")):
            text = "-"
            if structure is not None:
                text = f"{structure.a[k] / 1e3:.1f} kN/m, {structure.b[k] / 1e3:.0f} kN/m2 ({structure.data})"
            rows.setdefault(f"stiffness A, B of the {side}", []).append(text)
        kept = f"{structure.residual:.2f}" if structure is not None else "-"
        rows.setdefault("share of crush that stays", []).append(kept)
    parts.append(html_table(("", *names), [(label, *values) for label, values in rows.items()]))
    grips = [
        (", ".join(i.vehicles), i.road, f"{i.grip.locked:.2f}", f"{i.grip.peak:.2f}", i.given)
        for i in tyre_grips(system)
    ]
    heads = ("tyres of", "on road", "friction, locked", "friction, peak", "from")
    parts.append("<h3>Tyres on roads (at the static load)</h3>" + html_table(heads, grips) if grips else "")
    laws = [item for item in system.of_family("contact_law") if "friction" in item.__dataclass_fields__]
    texts = [(item.name, item.kind, item.values_of("friction")["friction"]) for item in laws]
    parts.append("<h3>Contact laws</h3>" + html_table(("name", "kind", "friction"), texts) if texts else "")
    made = run.provenance
    facts = [
        ("method", made.method),
        ("step [s]", made.settings.get("step")),
        ("time between frames [s]", made.settings.get("frames")),
        ("units and signs", f"{custom.units}, {custom.side} positive"),
        ("scenario, SHA-256", made.scenario_digest),
        ("Centrode", made.version),
        ("machine code for", made.processors),
    ]
    parts.append("<h3>How it was computed</h3>" + html_table((), [(a, b) for a, b in facts if b not in (None, "")]))
    return "".join(parts)


def _speeds(run: Recording, part: Part | None, body: str, custom: Custom) -> dict[str, str]:
    """Speed at the start as the run has it, and at the impact where that is what was given."""
    given = (
        part.values_of("speed", "impact_at") if part is not None and "impact_at" in part.__dataclass_fields__ else {}
    )
    at = given.get("impact_at")
    start = "-"
    if len(run.time) and f"{body}.velocity" in run:
        start = custom.with_unit("speed", float(np.linalg.norm(run[f"{body}.velocity"][0])))
    return {
        "speed at impact (given)": "-" if at is None else f"{custom.with_unit('speed', given['speed'])} at {at:g} s",
        "speed at the start": start if at is None else f"{start} (solved backwards)",
    }


_INPUTS = (
    ("kind", "", "kind"),
    ("mass", "mass", "mass"),
    ("length", "length", "length"),
    ("width", "length", "width"),
    ("inertia", "", "inertia (roll, pitch, yaw) [kg m2]"),
    ("road", "", "road"),
    ("tyre", "", "tyre"),
)
