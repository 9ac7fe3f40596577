"""Drake on the chains: a worker for the peers' environment.

A continuous multibody plant in joint coordinates (ball joints by roll, pitch and yaw, which stay far from their
singular pitch here), its Runge-Kutta methods of order 3 with equal steps and of order 5 with error control. Times are
process CPU seconds of the stepping alone.
"""

from __future__ import annotations

import math
import time

import numpy as np
from harness import serve
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RotationalInertia, SpatialInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

LENGTH, MASS, RADIUS = 0.1, 0.1, 0.02
CENTRE = np.array([0.0, 0.0, -0.5 * LENGTH])


def plant_of(links: int) -> tuple:
    """Plant, its bodies and the speed about the vertical at the start [rad/s]."""
    plant = MultibodyPlant(time_step=0.0)
    transverse, axial = MASS * (3 * RADIUS**2 + LENGTH**2) / 12, 0.5 * MASS * RADIUS**2
    about_centre = RotationalInertia(transverse, transverse, axial)
    inertia = SpatialInertia.MakeFromCentralInertia(MASS, CENTRE, about_centre)
    bodies = [plant.world_body()]
    for k in range(links):
        bodies.append(plant.AddRigidBody(f"l{k}", inertia))
        place = np.array([0.0, 0.0, 0.0 if k == 0 else -LENGTH])
        frame = plant.AddFrame(FixedOffsetFrame(f"f{k}", bodies[k].body_frame(), RigidTransform(place)))
        plant.AddJoint(BallRpyJoint(f"j{k}", frame, bodies[k + 1].body_frame()))
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -9.81])
    plant.Finalize()
    return plant, bodies[1:], 0.5 * math.sqrt(9.81 / (links * LENGTH))


def started(links: int) -> tuple:
    plant, bodies, spin = plant_of(links)
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    first = plant.GetJointByName("j0")
    plant.SetPositions(context, np.zeros(plant.num_positions()))
    first.set_angles(context, np.array([0.0, -math.pi / 4, 0.0]))
    first.set_angular_velocity(context, np.array([0.0, 0.0, spin]))
    return plant, bodies, simulator, context


def energy(plant, context) -> float:
    return plant.EvalKineticEnergy(context) + plant.EvalPotentialEnergy(context)


def chain(links: int, dt: float, steps: int) -> tuple[float, float]:
    """CPU seconds per step of order 3; error: change of energy [J]."""
    plant, _, simulator, context = started(links)
    ResetIntegratorFromFlags(simulator=simulator, scheme="runge_kutta3", max_step_size=dt)
    simulator.get_mutable_integrator().set_fixed_step_mode(True)
    simulator.Initialize()
    before = energy(plant, context)
    start = time.process_time()
    simulator.AdvanceTo(dt * steps)
    spent = time.process_time() - start
    return spent / steps, abs(energy(plant, context) - before)


def chain_place(links: int, accuracy: float, duration: float, reference) -> tuple[float, float]:
    """CPU seconds with error control; error of the centre of the last link [m]."""
    plant, bodies, simulator, context = started(links)
    ResetIntegratorFromFlags(simulator=simulator, scheme="runge_kutta5", max_step_size=0.1)
    simulator.get_mutable_integrator().set_target_accuracy(accuracy)
    simulator.Initialize()
    start = time.process_time()
    simulator.AdvanceTo(duration)
    spent = time.process_time() - start
    place = plant.EvalBodyPoseInWorld(context, bodies[-1]) @ CENTRE
    return spent, float(np.abs(place - reference).max())


if __name__ == "__main__":
    serve({"chain": chain, "chain_place": chain_place})
