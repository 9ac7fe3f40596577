"""The lecture's simulator structure: control at its own rate, physics at its own step, display at its own rate.

A controller in plain Python steers the AUV at 10 Hz; the physics goes in steps of 0.01 s; "display" looks every second.
"""

import math

import centrode as ct

system = ct.System("AUV under a helmsman", gravity=(0.0, 0.0, 9.81))  # +z: north-east-down
auv = system.add(ct.Auv("auv", thrust=2.0, fin_lag=0.1))


def helmsman(time, view, state):
    """Heading of 40 degrees: rudder from heading error and yaw rate; vertical fins turn against each other."""
    forward = view.rotation(auv.hull)[:, 0]
    error = math.radians(40.0) - math.atan2(forward[1], forward[0])
    rudder = max(-0.5, min(0.5, 1.0 * error - 1.0 * view.omega(auv.hull)[2]))
    return [-rudder, rudder]  # bottom, top


system.add(ct.PythonController("helm", ("auv.fin2", "auv.fin4"), period=0.1, function=helmsman))
run = ct.simulate(system, duration=60.0, method="rk4", step=0.01, frames=1.0)

for k in range(0, len(run.time), 10):
    x, y, z = run["auv.hull.position"][k]
    print(f"t = {run.time[k]:5.1f} s   north {x:7.3f}   east {y:7.3f}   down {z:7.3f} m")

vx, vy, _ = run["auv.hull.velocity"][-1]
assert abs(math.degrees(math.atan2(vy, vx)) - 40.0) < 0.5
