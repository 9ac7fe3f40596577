"""Figures of a row that cannot be true beside each other are told above the tables."""

from __future__ import annotations

from dataclasses import replace

import pytest
from unit.test_crash_damage import recording
from unit.test_crash_figures import event

from centrode.crash.collisions import collision_from, collisions_of
from centrode.crash.consistent import contradictions, energy_doubts, row_doubts
from centrode.dynamics.contact.collision import collision_from_values

DENTED = {
    "by_columns": 1.0,
    "heat_law": 60e3,
    "taken_up_a": 40e3,
    "taken_up_b": 20e3,
    "own_crush_a": 0.5,
    "residual_a": 0.35,
    "dent_side_a": 1.0,
    "profile_3_a": 0.3,
}


def hit(**values):
    told = event()
    return replace(told, values={**told.values, **DENTED, **values})


def test_a_whole_row_contradicts_nothing():
    item = collision_from(hit(), 1)
    assert item.vehicles[0].dented == "front"
    assert not [text for vehicle in item.vehicles for text in row_doubts(vehicle)] + energy_doubts(item)
    found = collisions_of(recording(hit()))
    assert not found.cautions


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"peak_force": 10e3}, "mean acceleration 15.0 m/s2 above its peak 10.0 m/s2"),  # 1.5 m/s in 0.1 s
        ({"profile_5_a": 0.4}, "C1 to C6 up to 0.400 m, deeper than Cmax 0.350 m"),
        ({"own_crush_a": 0.3}, "Cmax 0.350 m above the crush under load 0.300 m"),
        ({"taken_up_a": 0.0, "heat_law": 20e3}, "a dent without energy"),
        ({"heat_law": 65e3}, "structures took up 60000 J, crush lost 65000 J"),
    ],
)
def test_each_contradiction_is_told_above_all_figures(values, said):
    run = recording(hit(**values))
    assert any(said in text for text in contradictions(run, collisions_of(run)))
    assert any(text.startswith("DO NOT USE collision 1") and said in text for text in collisions_of(run).cautions)


def scraping(up, change):
    """A car of 1500 kg scrapes the ground for 0.1 s: impulse up [N s], and what its velocity up changed by [m/s]."""
    ground = event(impulse=(0.0, 0.0, up), masses=(0.0, 1500.0), speeds=(0.0, 0.0), after=(0.0, 0.0))
    told = replace(ground, values={**ground.values, "velocity_z_after_b": change})
    return collision_from(told, 1, collision_from_values(told.values)).vehicles[1].delta_v[2]


def test_ground_below_a_car_on_its_wheels_is_not_charged_with_its_weight():
    """A floor that scraped for 67 ms with 0.2 m/s of impulse had a delta-V of 0.45 m/s downwards, the weight's."""
    assert scraping(300.0, 0.1) == pytest.approx(0.1)  # wheels bore most of the weight
    assert scraping(300.0, 0.6) == pytest.approx(0.2)  # and pushed: no more than the impulse over the mass
    assert scraping(6000.0, 4.0 - 0.980665) == pytest.approx(4.0 - 0.980665)  # it bore the car alone
    assert scraping(300.0, -3.0) == pytest.approx(0.2 - 0.980665)  # it fell with nothing else below
