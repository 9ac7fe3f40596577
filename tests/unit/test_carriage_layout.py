"""Which wheels of a carriage stand in front: those ahead of the middle between the first and the last axle."""

from __future__ import annotations

import dataclasses

import centrode as ct


def test_wheels_ahead_of_the_middle_are_front_wheels() -> None:
    system = ct.System()
    system.add(ct.Car("car", chassis="rigid"))
    carriage = system.parts["car.carriage"]
    assert isinstance(carriage, ct.Carriage)
    assert carriage.front_wheels() == [True, True, False, False]
    assert carriage.wheel_names() == ("left_front", "right_front", "left_rear", "right_rear")
    # Middle of 2 m and -1 m: 0.5 m ahead of the origin.
    moved = tuple((x, place[1], place[2]) for x, place in zip((2.0, 0.6, 0.4, -1.0), carriage.places, strict=True))
    assert dataclasses.replace(carriage, places=moved).front_wheels() == [True, True, False, False]
    back = tuple(reversed(moved))
    assert dataclasses.replace(carriage, places=back).front_wheels() == [False, False, True, True]
