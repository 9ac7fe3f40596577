"""Two cars head-on: delta-V over the overlap, what their structures took up, and whether energy was made.

python examples/crash_overlap.py                       both at 16 m/s
python examples/crash_overlap.py 30                    both at 30 m/s
python examples/crash_overlap.py fine 8 16 30 60       in steps of 2 %, four speeds
"""

from __future__ import annotations

import sys

import numpy as np

import centrode as ct

SCENARIO = """
centrode: 1
title: Head-on
gravity: [0, 0, 0]
bodies:
  east: {{kind: rigid, mass: 1735, inertia: [750, 3560, 3747], position: [-2.6, 0, 0.55], velocity: [{speed}, 0, 0]}}
  west: {{kind: rigid, mass: 1735, inertia: [750, 3560, 3747], position: [2.6, {aside}, 0.55],
         velocity: [-{speed}, 0, 0], orientation: [0, 0, 0, 1]}}
outlines:
  east-body: {{kind: car-body, body: east, length: 5.02, width: 1.845, centre: [0, 0, 0.275]}}
  west-body: {{kind: car-body, body: west, length: 5.02, width: 1.845, centre: [0, 0, 0.275]}}
structures:
  east-structure: {{kind: crush, outline: east-body}}
  west-structure: {{kind: crush, outline: west-body}}
contact_laws:
  metal: {{kind: crush}}
run: {{duration: {duration} s, method: rk4-projected, step: 0.2 ms, frames: 2 ms}}
"""


def head_on(speed: float, overlap: float) -> tuple[ct.Recording, float, float]:
    """The run, delta-V [m/s], and the greatest rise of kinetic and stored energy over that at the start."""
    text = SCENARIO.format(speed=speed, aside=1.845 * (1.0 - overlap), duration=max(0.2, 6.0 / speed))
    run = ct.simulate(ct.loads(text))
    energy = run["energy.kinetic"] + run["energy.stored"]
    rise = (np.maximum.accumulate(energy[::-1])[::-1] - energy).max() / energy[0]
    return run, float(run["east.velocity"][0, 0] - run["east.velocity"][-1, 0]), float(rise)


def main() -> None:
    arguments = [float(item) for item in sys.argv[1:] if item != "fine"]
    overlaps = range(2, 101, 2) if "fine" in sys.argv[1:] else (2, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
    for speed in arguments or [16.0]:
        print(f"both at {speed:g} m/s")
        print("overlap [%]  delta-V [m/s]  EES [m/s]  crush [m]  restitution  rise of energy")
        before = 0.0
        for overlap in overlaps:
            run, change, rise = head_on(speed, 0.01 * overlap)
            hit = run.collisions[0]
            east = hit.vehicle("east")
            figures = f"{change:13.3f}  {east.ees:9.2f}  {east.crush:9.3f}  {hit.restitution:11.3f}  {rise:14.1e}"
            fell = "" if change > before else "  falls"
            print(f"{overlap:11d}  {figures}{fell}{'' if run.status.completed else f'  {run.status}'}", flush=True)
            before = change


if __name__ == "__main__":
    main()
