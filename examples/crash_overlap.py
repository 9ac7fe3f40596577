"""Two cars head-on: delta-V over the overlap, what their structures took up, and whether energy was made.

python examples/crash_overlap.py            both at 16 m/s
python examples/crash_overlap.py 30         both at 30 m/s
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


def main() -> None:
    speed = float(sys.argv[1]) if len(sys.argv) > 1 else 16.0
    print("overlap [%]  delta-V [m/s]  EES [m/s]  crush [m]  rise of energy")
    before = 0.0
    for overlap in (0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        text = SCENARIO.format(speed=speed, aside=1.845 * (1.0 - overlap), duration=max(0.2, 6.0 / speed))
        run = ct.simulate(ct.loads(text))
        east = run.collisions[0].vehicle("east")
        energy = run["energy.kinetic"] + run["energy.stored"]
        rise = (np.maximum.accumulate(energy[::-1])[::-1] - energy).max() / energy[0]
        change = float(run["east.velocity"][0, 0] - run["east.velocity"][-1, 0])
        print(f"{100 * overlap:11.0f}  {change:13.2f}  {east.ees:9.2f}  {east.crush:9.3f}  {rise:14.1e}")
        assert run.status.completed
        assert change > before, "delta-V grows with the overlap"
        assert rise < 1e-4, "nothing makes energy"
        before = change


if __name__ == "__main__":
    main()
