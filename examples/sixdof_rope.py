"""The 6-DOF lecture's rope: slack, jerk, swing; writes out/sixdof_rope.png with the path and the tension."""

import numpy as np

import centrode as ct

run = ct.simulate(ct.lecture_rope(), duration=2.5, frames=0.01, tolerance=1e-13)
taut = run.events[0]
print(f"rope taut at {taut.time:.12f} s, impulse {taut.values['impulse']:.9f} N s")
print(f"part of the kinetic energy kept: {taut.values['kinetic_ratio']:.9f}")

figure, [[path, pull]] = ct.new_figure(1, 2, width=10.0, height=4.5)
x, z = run["mass.position"][:, 0], run["mass.position"][:, 2]
path.plot(x, z, color="#0072b2")
path.plot(0.5, 0.0, "o", color="#d55e00", label="pivot")
path.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="Path of the mass")
path.legend(frameon=False)
pull.plot(run.time, np.linalg.norm(run["rope.force"], axis=1), color="#0072b2")
pull.axvline(taut.time, color="0.6", lw=1, ls="--")
pull.set(xlabel="time [s]", ylabel="tension [N]", title="Tension")
ct.save_figure(figure, "out/sixdof_rope.png")

assert abs(taut.time - ct.taut_moment()[0]) < 1e-11
assert abs(x[200] + 0.0908644148) < 1e-9 and abs(z[200] + 0.8067708741) < 1e-9
