"""The 6-DOF lecture's rope: slack, jerk, swing; writes out/sixdof_rope.png with the path and the tension."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import centrode as ct
from centrode.vehicles.sixdof.rope import lecture_rope, taut_moment

run = ct.simulate(lecture_rope(), duration=2.5, frames=0.01, tolerance=1e-13)
taut = run.events[0]
print(f"rope taut at {taut.time:.12f} s, impulse {taut.values['impulse']:.9f} N s")
print(f"part of the kinetic energy kept: {taut.values['kinetic_ratio']:.9f}")

figure = Figure(figsize=(10, 4.5), layout="constrained")
path, pull = figure.subplots(1, 2)
x, z = run["mass.position"][:, 0], run["mass.position"][:, 2]
path.plot(x, z, color="#0072b2")
path.plot(0.5, 0.0, "o", color="#d55e00", label="pivot")
path.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="Path of the mass")
path.legend(frameon=False)
pull.plot(run.time, np.linalg.norm(run["rope.force"], axis=1), color="#0072b2")
pull.axvline(taut.time, color="0.6", lw=1, ls="--")
pull.set(xlabel="time [s]", ylabel="tension [N]", title="Tension")
Path("out").mkdir(exist_ok=True)
figure.savefig("out/sixdof_rope.png", dpi=120)

assert abs(taut.time - taut_moment()[0]) < 1e-11
assert abs(x[200] + 0.0908644148) < 1e-9 and abs(z[200] + 0.8067708741) < 1e-9
