"""Crashes as a reconstructionist, a safety engineer and an insurance analyst set them up, from file to table."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import centrode as ct
from centrode.crash.diagram import greatest_crush, strongest_of
from centrode.crash.plan import plans_of
from centrode.crash.plausible import doubts, fullness

pytestmark = pytest.mark.compiled


def crash(vehicles, road="{kind: plane}", **settings):
    """A run of vehicles with the law of crush."""
    run = {"duration": "8 s", "until": "rest", "method": "rk4-projected", "step": "0.5 ms", "frames": "10 ms"}
    said = ", ".join(f"{key}: {value}" for key, value in (run | settings).items())
    lines = "\n".join(f"  {name}: {{{fields}}}" for name, fields in vehicles.items())
    text = (
        f"centrode: 1\ntitle: A case\nroads:\n  road: {road}\nvehicles:\n{lines}\n"
        f"contact_laws:\n  metal: {{kind: crush}}\nrun: {{{said}}}\n"
    )
    return ct.simulate(ct.loads(text))


@pytest.fixture(scope="module")
def small_overlap():
    car = "kind: midsize-car, road: road, position: [-4, 0], speed: 64 km/h"
    vehicles = {"car": car, "barrier": "kind: barrier-small-overlap, position: [0, 0]"}
    return crash(vehicles, duration="1.5 s", frames="5 ms")


def test_a_rear_end_hit_is_one_row():
    """A car that runs into a braked one, catches up and pushes it had two or more rows; the second told 26 km/h of
    delta-V that pushing adds up over seconds."""
    run = crash(
        {
            "a": "kind: midsize-car, road: road, position: [0, 0], speed: 40 km/h",
            "b": "kind: compact-car, road: road, position: [8, 0.2], brake: 1",
        }
    )
    assert len(run.collisions.touches) >= 1
    hit, *later = run.collisions
    # The struck car brakes and is caught up with: a hit of its own when they close, never what pushing adds up. Two
    # that meet with a restitution below 1 change by less than twice their closing speed.
    for again in later:
        assert 0.1 < again.closing_speed < 1.0
        assert again.vehicle("a").delta_v_size < 2.0 * again.closing_speed
    # Momentum of two that part with e between 0.1 and 0.35, tyres beside it: delta-V (1 + e) m_b v / (m_a + m_b).
    share = hit.vehicle("b").mass / (hit.vehicle("a").mass + hit.vehicle("b").mass)
    assert 1.1 * share < hit.vehicle("a").delta_v_size / hit.closing_speed < 1.35 * share
    assert hit.duration < 0.2


def test_a_car_that_scrapes_on_along_another_is_not_stopped_as_passed_through():
    """After a corner had slid off, columns of the rear lay under the whole length of the other car with the end of an
    exponential, 3e-24 Pa; that stopped the run as "pushed through each other"."""
    run = crash(
        {
            "a": "kind: large-car, road: road, position: [-6.0659, -4.5997], speed: 24.958, heading: 26.77 deg",
            "b": "kind: car, road: road, position: [0, 0], heading: 20.84 deg",
        },
        duration="0.5 s",
        frames="5 ms",
    )
    assert run.status == "completed"
    # a went by: side by side or ahead, and faster than what it hit
    assert run["a.body.velocity"][-1, 0] > run["b.body.velocity"][-1, 0] + 5.0


def test_a_chain_of_four_tells_every_hit_from_its_side():
    """Later hits of crushed cars were told on a side, with a closing speed across: 3.4 for 12.9 km/h."""
    run = crash(
        {
            "a": "kind: suv, road: road, position: [0, 0], speed: 70 km/h",
            "b": "kind: midsize-car, road: road, position: [9, 0.3]",
            "c": "kind: compact-car, road: road, position: [14.5, -0.1], brake: 1",
            "d": "kind: small-car, road: road, position: [19.5, 0.4]",
        },
        duration="1.2 s",
    )
    pairs = [item.names for item in run.collisions]
    assert pairs[:2] == [("a", "b"), ("b", "c")] and ("c", "d") in pairs
    for item in run.collisions:
        behind, ahead = (item.vehicle(name) for name in sorted(item.names))
        assert (behind.side, ahead.side) == ("front", "rear")
        assert item.duration < 0.3  # pushing is none


def test_a_pole_off_centre_reaches_the_wheel_and_keeps_its_name():
    """The wheel turned on within the pole, unsaid; the end of the hit was one with the ground."""
    car = "kind: midsize-car, road: road, position: [-6, 0], speed: 50 km/h"
    run = crash({"car": car, "lamp": "kind: pole, position: [0, 0.75]"}, duration="0.6 s", until="duration")
    assert {name for item in run.collisions for name in item.names} == {"car", "lamp"}
    (reached,) = run.collisions.reached_wheels
    assert (reached.vehicle, reached.wheel) == ("car", "left_front")
    assert run.collisions[0].begin < reached.time < run.collisions[0].end
    assert "wheel: left_front, jammed_from: 0.3" in run.collisions.table()
    jammed = crash(
        {
            "car": f"{car}, damage: [{{wheel: left_front, jammed_from: 0.34}}]",
            "lamp": "kind: pole, position: [0, 0.75]",
        },
        duration="0.6 s",
        until="duration",
    )
    assert not jammed.collisions.reached_wheels


def test_the_outline_of_a_corner_that_was_crushed_away_has_no_horns(small_overlap):
    """A spur of 0.3 m stood out where dents of front and side met on the sheet."""
    plan = plans_of(small_overlap)["car.body"]
    crush = {side: small_overlap[f"car.body.crush_{side}"][-1] for side in ("front", "rear", "left", "right")}
    line = plan.dented(crush)
    assert crush["front"].max() > 0.5 and crush["left"].max() > 0.05
    front = plan.reach(0, 1.0)
    limit = np.interp(line[:, 1], front[:, 0], front[:, 1]) - plan.crush_at("front", crush["front"], line[:, 1])
    side = plan.reach(1, 1.0)
    beside = np.interp(line[:, 0], side[:, 0], side[:, 1]) - plan.crush_at("left", crush["left"], line[:, 0])
    # Neither ahead of the crushed front nor outside the dented side: a centimetre for the lines between stations.
    assert (line[:, 0] - limit).max() < 0.01
    assert (line[:, 1] - beside).max() < 0.01


def test_a_van_that_trips_is_shown_at_its_hit():
    """The sheet showed the moment when the van fell back on its side: impulses on the ground count the weight."""
    van = "kind: van, road: road, position: [0, 0], speed: 70 km/h, sideslip: -80 deg, yaw_rate: 20 deg/s, brake: 1"
    road = "{kind: plane, width: 9 m, friction: 0.8, kerbs: [{offset: -7 m, height: 0.15 m}]}"
    run = crash({"van": van}, road, duration="12 s", frames="20 ms", step="0.5 ms")
    assert "at rest" in str(run.status)
    up = run["van.body.orientation"][-1]
    assert abs(1.0 - 2.0 * (up[1] ** 2 + up[2] ** 2)) < 0.3  # on its side: own z is level
    strongest = strongest_of(list(run.collisions))
    assert strongest is run.collisions[0]
    assert greatest_crush(run, ["van.body"], strongest)[1] < run.collisions[0].end + 0.01
    moved = run["energy.kinetic"][0]
    assert abs(run["energy.residual"]).max() < 1e-3 * moved


def test_figures_that_cannot_be_are_marked(small_overlap):
    """Force times crush many times the energy lost: what a flush hit told when ends met it from aside."""
    assert 0.5 < fullness(small_overlap.collisions[0]) < 8.0 and not small_overlap.collisions.cautions
    made_up = dataclasses.replace(small_overlap.collisions[0], peak_force=3.5e7)
    assert "DO NOT USE" in doubts([made_up])[0] and "collision 1 (" in doubts([made_up])[0]


def flush(one, two, *, ahead, speed, heading=90.0, yaw_rate=0.0):
    """A car that slides sideways into the side of another one that stands."""
    return crash(
        {
            "a": f"kind: {one}, road: road, position: [-4, {-ahead}], heading: {heading} deg, speed: {speed}, "
            f"sideslip: {-heading} deg, yaw_rate: {yaw_rate} deg/s",
            "b": f"kind: {two}, road: road, position: [0, 0], heading: 90 deg",
        },
        duration="0.8 s",
    )


def test_a_car_that_slides_flush_into_another_is_met_by_its_side():
    """Ends that stood past each other held with their cores what came in from aside: 3.5 MN, 200 g, 1.9 m of crush.
    Sides of 30 kN/m and 400 kN/m2, in series 200, over 4.2 m that face each other: 0.5 m deep they press with 0.55 MN,
    and the energy in the centre of mass, 75 kJ, is taken up before."""
    run = flush("midsize-car", "compact-car", ahead=0.5, speed=15)
    hit = run.collisions[0]
    assert hit.peak_force < 0.55e6 and not run.collisions.cautions
    assert hit.vehicle("a").side == hit.vehicle("b").side == "side"
    assert max(run["a.body.crush_right"][-1].max(), run["b.body.crush_left"][-1].max()) < 0.4


@pytest.mark.parametrize("seed", range(6))
def test_flush_hits_of_any_two_have_forces_that_their_crush_can_take(seed):
    """Before, 35 of 60 such hits told more than 8 times the energy lost (up to 190), and most of these were marked as
    figures that cannot be; none is now."""
    random = np.random.default_rng(seed)
    kinds = ("small-car", "compact-car", "midsize-car", "large-car", "suv")
    one, two = random.choice(kinds, 2)
    run = flush(
        one,
        two,
        ahead=random.uniform(-2.5, 2.5),
        speed=random.uniform(8.0, 22.0),
        heading=90.0 + random.choice([0.0, random.uniform(-20.0, 20.0)]),
        yaw_rate=random.uniform(-30.0, 30.0),
    )
    assert run.status.completed
    hit = run.collisions[0]
    assert not run.collisions.cautions
    # No side gives more than twice its limit; ends told up to 1.9 m.
    assert max(hit.vehicle("a").crush, hit.vehicle("b").crush) < 0.7


def test_a_van_that_leans_does_not_press_the_floor_of_another():
    """Rolled by 5 degrees its side stood 0.1 m below the floor beside it and looked like a far side there: 1.6 MN
    within 2 ms, where sides had 0.15."""
    run = crash(
        {
            "a": "kind: van, road: road, position: [-6, -3.29], heading: 76.2 deg, speed: 16.9, "
            "sideslip: -62.2 deg, yaw_rate: 19 deg/s",
            "b": "kind: van, road: road, position: [0, 0], heading: 90 deg, speed: -7.1",
        },
        duration="0.33 s",
    )
    # Sides of 4.5 m at twice their limit, 170 kN/m before the core, are the most; the energy takes 0.37 m.
    assert run.collisions[0].peak_force < 0.7e6


@pytest.mark.parametrize(
    ("kind", "speed", "yaw_rate"), [("large-car", 9, 90), ("large-car", 15, 0), ("small-car", 20, 90)]
)
def test_a_car_slides_sideways_into_a_pole(kind, speed, yaw_rate):
    """Every side hit of a pole near the middle was stopped as a passage beyond 0.35 m: there the core begins to give.
    Off the middle the same hits went on to 0.5 to 0.7 m."""
    run = crash(
        {
            "car": f"kind: {kind}, road: road, position: [0, 0], heading: 90 deg, speed: {speed}, sideslip: -90 deg, "
            f"yaw_rate: {yaw_rate} deg/s",
            "tree": "kind: pole, position: [2.2, 0]",
        },
        duration="0.4 s",
    )
    assert run.status.completed
    hit = run.collisions[0].vehicle("car")
    # Slides 1.1 m with friction below 1 before: closing at most the start, at least v - g t, and rebound e to 0.2.
    assert speed - 9.81 * 1.5 / speed < hit.delta_v_size < 1.2 * speed
    assert 0.35 < hit.crush < 2.1 * 0.35


def test_a_car_goes_into_the_honeycomb_of_an_offset_barrier():
    """The barrier was thinner than car and honeycomb give together: the run stopped at 64 km/h."""
    car = "kind: midsize-car, road: road, position: [-4, 0], speed: 64 km/h"
    run = crash({"car": car, "barrier": "kind: barrier-offset, position: [0, 0]"}, duration="0.5 s", step="0.2 ms")
    assert "passed" not in str(run.status) and "cannot" not in str(run.status)
    hit = run.collisions[0].vehicle("car")
    assert 64 / 3.6 < hit.delta_v_size < 1.15 * 64 / 3.6
