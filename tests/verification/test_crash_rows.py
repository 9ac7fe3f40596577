"""Rows of the crash tables against the recorded motion, against each other and against what the columns took up.

Random chains of two to four cars, some with trailers, run into each other; what is asked holds for any crash and is
formed here from channels, events and the memory of the run, not by the code that makes the tables.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

import centrode as ct
from centrode.crash.consistent import contradictions
from centrode.crash.coupled import bonds_of, overlapping
from centrode.crash.report import crash_data
from centrode.crash.sections import summary_sentences
from centrode.dynamics.contact.strip_tables import COLUMN, COLUMN_WIDTH

pytestmark = pytest.mark.compiled
KINDS = ("compact-car", "midsize-car", "small-car", "suv", "van", "large-car")
MU, G = 0.7, 9.80665
FRAMES = 0.01


def crash(vehicles, duration=3.0, friction=MU):
    """A run of vehicles on a plane."""
    scene = {
        "centrode": 1,
        "roads": {"road": {"kind": "plane", "friction": friction}},
        "vehicles": vehicles,
        "contact_laws": {"cars": {"kind": "crush", "friction": 0.4}},
        "run": {"duration": duration, "until": "rest", "method": "rk4-projected", "step": 5e-4, "frames": FRAMES},
    }
    return ct.simulate(ct.loads(json.dumps(scene)))


def chain(seed):
    """Cars behind each other, the last one fast, some across, some with a trailer."""
    draw = random.Random(seed)
    count, place, vehicles = draw.randint(2, 4), 0.0, {}
    for k in range(count):
        kind = draw.choice(KINDS)
        speed = 0.0 if k == 0 else draw.uniform(6.0, 22.0) if k == count - 1 else draw.uniform(0.0, 10.0)
        towing = kind in ("suv", "large-car") and draw.random() < 0.6
        across = k == 0 and not towing and draw.random() < 0.3
        heading = draw.choice([0.5, -0.5]) * math.pi if across else draw.uniform(-0.1, 0.1)
        start = {"position": [place, draw.uniform(-0.5, 0.5)], "heading": heading, "speed": speed}
        vehicles[f"car{k}"] = {"kind": kind, "road": "road", "brake": draw.choice([0.0, 0.4, 0.8]), **start}
        if towing:
            vehicles[f"trailer{k}"] = {"kind": "trailer", "towed_by": f"car{k}"}
        place -= draw.uniform(5.8, 8.0) + 6.0 * towing + 2.0 * (k == count - 2)
    return vehicles


def columns_of(run):
    """Columns at the end of a run."""
    session = ct.Session(run.scenario())
    count = int(session.workspace.contacts.tables.head[0].columns)
    memory = np.ascontiguousarray(run.final_state["contact_memory"]).reshape(-1)
    columns = memory[memory.size - count * COLUMN_WIDTH :].view(COLUMN)
    return columns[columns["code"] > 0]


@pytest.mark.parametrize("seed", range(12))
def test_rows_of_a_chain_agree_with_each_other_and_with_the_motion(seed):
    run = crash(chain(seed))
    columns = columns_of(run)
    held = float((columns["area"] * (columns["spent"] + (1.0 - columns["recovered"]) * columns["work"])).sum())
    rows = [*run.collisions, *run.collisions.touches]
    booked = sum(vehicle.crush_energy for item in rows for vehicle in item.vehicles)
    # What is not listed changed the velocity of a car by less than 0.01 m/s: of 3 t, with 3 m/s, under 100 J each.
    assert booked == pytest.approx(held, rel=1e-9, abs=100.0)
    damage = run.collisions.damage
    for item in run.collisions:
        for vehicle in item.vehicles:
            if vehicle.mass == 0.0:
                continue
            # The parabola through the highest force is exact to the fourth order in a step, 1/20 of the shortest hit.
            assert vehicle.mean_acceleration <= 1.01 * vehicle.peak_acceleration
            told = damage.get((item.number, vehicle.name))
            if told is not None:
                assert max(vehicle.profile) <= told.residual + 1e-12
                assert told.residual <= vehicle.crush + 1e-12
                assert vehicle.crush_energy > 0.0
            check_motion(run, item, vehicle)
        if any(vehicle.crush_energy > 0.0 for vehicle in item.vehicles):
            # Heat is integrated by the method, the work of columns from state to state: first order in a step over the
            # 10 ms in which the force of a hit changes, 5 %, and a little for gentle pushes.
            taken = sum(vehicle.crush_energy for vehicle in item.vehicles)
            assert taken == pytest.approx(item.law_energy, rel=0.05, abs=200.0)
    assert not contradictions(run, run.collisions)


def check_motion(run, item, vehicle):
    """Delta-V is the change of the recorded velocity, but for tyres, where nothing else touched the vehicle."""
    name = f"{vehicle.name}.body"
    time, velocity = np.asarray(run.time), run[f"{name}.velocity"]
    first = max(np.searchsorted(time, item.begin, side="right") - 1, 0)
    last = min(np.searchsorted(time, item.end), len(time) - 1)
    whole = combination(run, name)
    touched = [
        event
        for event in run.events.of("collision")
        if whole & set(event.subject.split(" - "))
        and event.values["begin"] < time[last]
        and event.values["end"] > time[first]
    ]
    if len(touched) > 1:
        return
    beside = np.linalg.norm((velocity[last] - velocity[first] - vehicle.delta_v)[:2])
    # Peak friction is 1.18 of 0.7; struts press harder by half while a car pitches; a coupled unit's frames reach one
    # spacing over begin and end, where the force has only begun or ended: a hundredth of the delta-V.
    assert beside <= 1.5 * 1.18 * MU * G * (time[last] - time[first]) + 0.02 + 0.02 * vehicle.delta_v_size


def combination(run, body):
    """Bodies that a body is coupled with, itself included."""
    parts = run.scenario().system.parts.values()
    for part in parts:
        if getattr(part, "towed_by", None):
            pair = {f"{part.name}.body", f"{part.towed_by}.body"}
            if body in pair:
                return pair
    return {body}


@pytest.fixture(scope="module")
def struck_trailer():
    """A car with a trailer at 5 m/s, struck from behind at 20 m/s."""
    road = {"road": "road"}
    vehicles = {
        "towing": {"kind": "suv", "position": [0, 0], "speed": 5.0, **road},
        "trailer": {"kind": "trailer", "towed_by": "towing"},
        "hitter": {"kind": "midsize-car", "position": [-14, 0.3], "speed": 20.0, **road},
    }
    return crash(vehicles, 0.6)


def test_a_struck_trailer_has_the_change_of_its_own_velocity(struck_trailer):
    """Impulse over its 1.2 t was 16.4 m/s of a hit at 15 m/s: the coupling passed most of it on."""
    (hit,) = struck_trailer.collisions
    for name in ("trailer", "towing"):
        unit = hit.vehicle(name)
        velocity = struck_trailer[f"{name}.body.velocity"]
        before, after = (
            [np.interp(t, struck_trailer.time, column) for column in velocity.T] for t in (hit.begin, hit.end)
        )
        # The force begins with the onset of a structure, 100 kN at most: between frames 3.6 t gain 0.3 m/s.
        assert list(unit.delta_v) == pytest.approx(list(np.subtract(after, before)), abs=0.15)
        assert unit.mean_acceleration <= unit.peak_acceleration
        assert unit.delta_v_size < hit.closing_speed
    # Both together have what the contact gave, but for what the tyres took.
    both = sum(hit.vehicle(name).mass * hit.vehicle(name).delta_v[0] for name in ("trailer", "towing"))
    weight = sum(hit.vehicle(name).mass for name in ("trailer", "towing")) * G
    assert both == pytest.approx(-hit.vehicle("hitter").mass * hit.vehicle("hitter").delta_v[0], abs=0.1 * MU * weight)


def test_the_check_of_the_product_tells_an_impulse_over_the_mass_of_one_unit(struck_trailer):
    (hit,) = struck_trailer.collisions
    trailer = hit.vehicle("trailer")
    wrong = tuple(np.array(hit.impulse) * (-1.0 if hit.names[0] == "trailer" else 1.0) / trailer.mass)
    size = float(np.linalg.norm(wrong))
    of_impulse = replace(trailer, delta_v=wrong, delta_v_size=size, peak_acceleration=300.0)
    sides = tuple(of_impulse if item.name == "trailer" else item for item in hit.vehicles)
    (text,) = contradictions(struck_trailer, [replace(hit, vehicles=sides)])
    assert text.startswith(f"collision 1, trailer: delta-V {size:.2f} m/s; recorded velocity changed by 5.")
    assert not struck_trailer.collisions.cautions


def test_hits_of_coupled_vehicles_that_overlap_are_named(struck_trailer):
    (hit,) = struck_trailer.collisions
    bonds = bonds_of(struck_trailer)
    later = replace(hit, number=3, begin=hit.end, end=hit.end + 0.1)
    assert overlapping([hit, replace(hit, number=2), later], bonds) == [(1, 2)]


def test_who_tows_a_struck_trailer_stands_everywhere(struck_trailer):
    hits = struck_trailer.collisions
    assert hits.rest.keys() == {"trailer", "hitter", "towing"}
    assert {pulse.vehicle for pulse in hits.pulses} == {"trailer", "hitter", "towing"}
    assert [row["side"] for row in hits.rows()] == ["rear", "front", "coupling"]
    assert [row["against"] for row in hits.rows()] == ["hitter", "trailer", "hitter"]
    told = " ".join(summary_sentences(struck_trailer, hits.custom))
    assert "towing (mass 2355 kg) was not touched; trailer, to which it is coupled, met hitter" in told
    assert "moved by it, not touched" in hits.table()
    assert hits[0].names == ("trailer", "hitter")
    assert [item.number for item in hits.of("towing")] == [1]


def test_a_car_pushed_into_the_next_has_the_damage_of_each_hit_on_its_own_side():
    """The rear, still pressed, had grown most while the front met the next car: 12B, Cmax above the crush under load;
    the energy of the second push stood in the row of the first."""
    road = {"road": "road"}
    vehicles = {
        "front": {"kind": "compact-car", "position": [12, 0.2], "brake": 0.3, **road},
        "middle": {"kind": "midsize-car", "position": [6.3, -0.1], "brake": 0.3, **road},
        "rear": {"kind": "suv", "position": [-4, 0.3], "speed": 17.0, **road},
    }
    run = crash(vehicles, 1.5, friction=1.0)
    damage = run.collisions.damage
    seen = {"front": 0, "rear": 0}
    for item in run.collisions:
        if "middle" in item.names and (item.number, "middle") in damage:
            partner = next(name for name in item.names if name != "middle")
            seen[partner] += 1
            code = damage[item.number, "middle"].code
            assert code[2] == {"front": "F", "rear": "B"}[partner]
            assert int(code[:2]) in {"front": (11, 12, 1), "rear": (5, 6, 7)}[partner]
    assert min(seen.values()) >= 1 and sum(seen.values()) >= 3
    for one, two in itertools.pairwise([item for item in run.collisions if item.names == ("middle", "rear")]):
        assert two.vehicle("middle").crush_energy > 0.5 * two.law_energy - 200.0 > 0.0, (one.number, two.number)


def test_a_door_struck_squarely_has_code_profile_and_width_of_one_side():
    """CDC and Cmax were of the front, which a corner had been pushed into, C1 to C6 and width of the left side."""
    road = {"road": "road"}
    vehicles = {
        "striking": {"kind": "midsize-car", "position": [-12, 0], "speed": 14.0, **road},
        "struck": {"kind": "compact-car", "position": [1, -11.5], "heading": 0.5 * math.pi, "speed": 14.0, **road},
    }
    run = crash(vehicles, 2.5)
    hit = run.collisions[0]
    damage = run.collisions.damage[1, "struck"]
    struck = hit.vehicle("struck")
    assert damage.side == "left" and damage.code[2] == "L"
    assert max(struck.profile) <= damage.residual <= struck.crush
    # C1 to C6 are a fifth of the width apart: the deepest place between two of them is not much deeper, here a third.
    assert damage.residual < 1.34 * max(struck.profile)
    again = [item for item in run.collisions[1:] if item.law_energy > 1e3]
    assert again and all(sum(v.crush_energy for v in item.vehicles) > 0.9 * item.law_energy for item in again)


@pytest.fixture(scope="module")
def struck_walker():
    vehicles = {
        "car": {"kind": "compact-car", "road": "road", "position": [-3.2, 0], "speed": 11.1, "brake": 1.0},
        "walker": {"kind": "pedestrian", "position": [0, 0], "heading": 0.5 * math.pi, "speed": 1.4},
    }
    return crash(vehicles, 1.2)


def test_rows_of_limbs_have_no_mean_above_their_peak(struck_walker):
    """A foot on the ground, struck by a car meanwhile, had 15.6 m/s by the ground: 52 g in the mean, 7 g at most."""
    for item, vehicle in struck_walker.collisions.sides():
        assert vehicle.mean_acceleration <= 1.01 * vehicle.peak_acceleration, (item.number, vehicle.name)
    standing = [item for item in struck_walker.collisions if item.begin < 0.05 and "ground" in item.names]
    assert standing
    for item in standing:
        limb = next(vehicle for vehicle in item.vehicles if vehicle.mass > 0.0)
        assert limb.delta_v_size <= item.impulse_size / limb.mass + 1e-9


def test_persons_stand_first_and_their_limbs_are_gathered(struck_walker):
    hits = struck_walker.collisions
    lines = hits.table().splitlines()
    assert lines[0].startswith("Persons as a whole")
    assert len(lines) < 60
    pairs = [tuple(line.split()[:2]) for line in lines if line.startswith("walker.")]
    assert len(pairs) == len(set(pairs)) > 5
    assert sum(line.startswith("walker ") for line in lines) == 2  # struck, and at the end of the run
    (person,) = hits.persons
    assert person.vehicle_delta_v == pytest.approx(person.delta_v_size * person.mass / hits_mass(hits, "car"))
    told = summary_sentences(struck_walker, hits.custom)
    assert [text.split()[0] for text in told] == ["walker", "car"]


def hits_mass(hits, name):
    return next(vehicle.mass for _, vehicle in hits.sides() if vehicle.name == name)


def test_all_limbs_count_their_way_from_the_first_touch_of_the_person(struck_walker):
    """The pelvis had travelled 4 m and the feet 12: each counted from its own first contact."""
    run = struck_walker
    begin = min(item.begin for item in run.collisions if any(n.startswith("walker.") for n in item.names))
    first = np.searchsorted(run.time, begin, side="right") - 1
    for name, place in run.collisions.rest.items():
        if name.startswith("walker."):
            way = np.linalg.norm(np.diff(run[f"{name}.position"][first:], axis=0), axis=1).sum()
            assert place.travelled == pytest.approx(way, rel=1e-12)


def test_poles_have_no_direction_of_force():
    """They had a PDOF and a clock, in axes of the scene."""
    vehicles = {
        "car": {"kind": "small-car", "road": "road", "position": [-3, 0], "speed": 12.0},
        "pole": {"kind": "pole", "position": [0.5, 0.1]},
    }
    run = crash(vehicles, 0.4)
    (told,) = crash_data(run)["collisions"]
    by_name = {vehicle["name"]: vehicle for vehicle in told["vehicles"]}
    assert by_name["pole"]["pdof_deg"] is None and by_name["pole"]["clock"] is None
    assert by_name["car"]["clock"] == 12
    assert json.dumps(told, allow_nan=False)
