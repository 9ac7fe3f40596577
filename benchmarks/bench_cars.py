"""Speed of cars: vehicle-steps per second with the integrator of 1999, and simulated seconds per second for fleets.

The original (ANSI C, gcc -O2) makes 1.0e6 contact-free vehicle-steps per second and core on the machine on which its
runs were repeated; its figure stands in the notes, its program is not part of this repository. CPU time, one core.
"""

from __future__ import annotations

import functools
import time
from typing import Any

from harness import Case, Measurement

STEP = 5e-5
STEPS = {"rigid": 5e-3, "pseudo-rigid": 1e-3}
"""Steps of rk4 [s]: a rigid car ends within 4e-9 m of its path after 10 s; the elastic chassis limits the other."""
ORIGINAL = 1.0e6
"""Contact-free vehicle-steps per second of the program of 1999."""


@functools.cache
def _platoon(count: int) -> Any:
    """A session of legacy cars in one lane on the four-point road, past its first step."""
    import numpy as np

    from centrode.parts.roads.medusa4 import RoadMedusa4
    from centrode.running import Session
    from centrode.system.builder import System
    from centrode.system.settings import RunSettings
    from centrode.vehicles.car.medusa import CarMedusa

    system = System()
    system.add(RoadMedusa4("road", points=((-100.0, 0, 0), (1000.0, 0, 0), (5000.0, 0, 0), (10000.0, 0, 0))))
    for k in range(count):
        system.add(
            CarMedusa(f"car{k}", road="road", position=(6.0 * k, 0.0), speed=22.0, steer=0.001, equilibrium="listed")
        )
    session = Session(system, RunSettings(duration=1e3, method="predictor-corrector", step=STEP, audit=False))
    session.advance(np.array([0.01]))
    return session


def vehicle_steps(count: int, steps: int) -> Measurement:
    """Vehicle-steps per CPU second with the report's integrator at 5e-5 s."""
    import numpy as np

    session = _platoon(count)
    start = time.process_time()
    session.advance(np.array([session.run.time + steps * STEP]))
    return Measurement(count * steps / (time.process_time() - start))


@functools.cache
def _fleet(count: int, chassis: str, method: str) -> Any:
    """Cars of the default kind that turn gently on a plane, each in a place of its own."""
    import numpy as np

    from centrode.parts.roads.plane import RoadPlane
    from centrode.parts.tyres.calspan import TyreCalspan
    from centrode.running import Session
    from centrode.system.builder import System
    from centrode.system.settings import RunSettings
    from centrode.vehicles.car.car import Car

    system = System()
    system.add(RoadPlane("road"))
    system.add(TyreCalspan("tyre"))
    one = System()
    one.add(RoadPlane("road"))
    one.add(TyreCalspan("tyre"))
    one.add(Car("car", road="road", tyre="tyre", chassis=chassis, speed=20.0, steer=0.01))
    height = one.parts["car.body"].position[2]  # equilibrium found once for all
    for k in range(count):
        place = (50.0 * (k % 32), 50.0 * (k // 32))
        system.add(
            Car(
                f"car{k}",
                road="road",
                tyre="tyre",
                chassis=chassis,
                speed=20.0,
                steer=0.01,
                position=place,
                equilibrium=False,
                ride_height=height,
            )
        )
    step = STEPS[chassis]
    session = Session(system, RunSettings(duration=1e3, method=method, step=step, audit=False))
    session.advance(np.array([0.02]))
    return session


def real_time(count: int, chassis: str, method: str, seconds: float) -> Measurement:
    """Simulated seconds per CPU second of a fleet."""
    import numpy as np

    session = _fleet(count, chassis, method)
    start = time.process_time()
    session.advance(np.array([session.run.time + seconds]))
    return Measurement(seconds / (time.process_time() - start))


def cases() -> list[Case]:
    """All cases."""
    found = [
        Case(
            f"cars.vehicle_steps_{count}",
            "vehicle-steps/s",
            functools.partial(vehicle_steps, count, steps),
            larger_is_better=True,
            note=f"integrator (1.52) at 5e-5 s, {count} cars of 1999, one core; the original makes {ORIGINAL:.1e}",
        )
        for count, steps in ((1, 100000), (5, 40000), (100, 2000))
    ]
    for count, seconds in ((1, 10.0), (10, 4.0), (100, 0.5), (1000, 0.06)):
        for chassis, method in (("rigid", "rk4"), ("pseudo-rigid", "rk4")):
            found.append(
                Case(
                    f"cars.seconds_per_second_{count}_{chassis}",
                    "1",
                    functools.partial(real_time, count, chassis, method, seconds),
                    larger_is_better=True,
                    note=f"{count} {chassis} cars with spinning wheels, {method} at {1e3 * STEPS[chassis]:g} ms,"
                    " one core; real time is 1",
                    repeat=3,
                )
            )
    return found
