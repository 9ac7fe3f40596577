"""Worker: the uncontrolled benchmark bicycle (manoeuvre M2) in Exudyn, four bodies with Euler parameters.

Exudyn's own recommendation for this IFToMM problem is the implicit trapezoidal rule with index-2 constraints and a
modified Newton method; that is what is used here, on one thread, nothing written to files.
"""

from __future__ import annotations

import math
import time
import warnings

import numpy as np
from harness import serve


def build(exu, eii, util):
    """The system, its sensors (lean from the rear frame's axle, steer from the axles) as a function of the state."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    tilt, wheelbase, trail = math.pi / 10.0, 1.02, 0.08
    speed, rate = 4.6, 0.5
    gravity = [0.0, 0.0, -9.81]
    ground = mbs.AddObject(eii.ObjectGround())
    parts = {
        "R": (2.0, np.diag([0.0603, 0.12, 0.0603]), [0.0, 0.0, 0.3], speed / 0.3),
        "B": (85.0, np.array([[9.2, 0, -2.4], [0, 11.0, 0], [-2.4, 0, 2.8]]), [0.3, 0.0, 0.9], 0.0),
        "H": (4.0, np.array([[0.05892, 0, 0.00756], [0, 0.06, 0], [0.00756, 0, 0.00708]]), [0.9, 0.0, 0.7], 0.0),
        "F": (3.0, np.diag([0.1405, 0.28, 0.1405]), [wheelbase, 0.0, 0.35], speed / 0.35),
    }
    bodies = {}
    for name, (mass, inertia, centre, spin) in parts.items():
        wheel = name in "RF"
        # Exudyn's rolling joint wants the wheel's axis along its local x.
        turn = util.RotationMatrixZ(0.5 * math.pi) if wheel else np.eye(3)
        bodies[name] = mbs.CreateRigidBody(
            inertia=util.RigidBodyInertia(mass=mass, inertiaTensor=turn.T @ inertia @ turn),
            nodeType=exu.NodeType.RotationEulerParameters,
            referencePosition=centre,
            referenceRotationMatrix=turn,
            initialVelocity=[speed, -rate * centre[2], 0.0],
            initialAngularVelocity=[rate, spin, 0.0],
            gravity=gravity,
        )

    def marker(name, place):
        local = np.array(place) - parts[name][2]
        return mbs.AddMarker(eii.MarkerBodyRigid(bodyNumber=bodies[name], localPosition=local.tolist()))

    rear, front = [0.0, 0.0, 0.3], [wheelbase, 0.0, 0.35]
    axis = np.array([-math.sin(tilt), 0.0, math.cos(tilt)])
    head = (np.array([wheelbase + trail, 0.0, 0.0]) + 0.9 * axis).tolist()
    wheel_turn = util.RotationMatrixZ(-0.5 * math.pi)
    for wheel, carrier, place in (("R", "B", rear), ("F", "H", front)):
        mbs.AddObject(
            eii.GenericJoint(
                markerNumbers=[marker(wheel, place), marker(carrier, place)],
                constrainedAxes=[1, 1, 1, 1, 0, 1],
                rotationMarker0=wheel_turn,
            )
        )
    lean_axis = util.RotationMatrixY(-tilt)
    mbs.AddObject(
        eii.GenericJoint(
            markerNumbers=[marker("B", head), marker("H", head)],
            constrainedAxes=[1, 1, 1, 1, 1, 0],
            rotationMarker0=lean_axis,
            rotationMarker1=lean_axis,
        )
    )
    on_ground = mbs.AddMarker(eii.MarkerBodyRigid(bodyNumber=ground, localPosition=[0.0, 0.0, 0.0]))
    for wheel, radius, place in (("R", 0.3, rear), ("F", 0.35, front)):
        mbs.AddObject(eii.ObjectJointRollingDisc(markerNumbers=[on_ground, marker(wheel, place)], discRadius=radius))
    mbs.Assemble()

    def angles():
        frame = np.array(mbs.GetObjectOutputBody(bodies["B"], exu.OutputVariableType.RotationMatrix, [0, 0, 0]))
        fork = np.array(mbs.GetObjectOutputBody(bodies["H"], exu.OutputVariableType.RotationMatrix, [0, 0, 0]))
        frame, fork = frame.reshape(3, 3), fork.reshape(3, 3)
        side = np.cross(frame @ -axis, frame[:, 1])
        return math.asin(frame[2, 1]), math.atan2(fork[:, 1] @ side, fork[:, 1] @ frame[:, 1])

    return mbs, angles


def solve(steps: int, duration: float):
    """Run; wall time [s] of the solver, and lean and steer at the end [rad]."""
    import exudyn as exu
    import exudyn.itemInterface as eii
    import exudyn.utilities as util

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that will change in later versions
        mbs, angles = build(exu, eii, util)
        settings = exu.SimulationSettings()
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = float(duration)
    settings.timeIntegration.numberOfSteps = int(steps)
    settings.timeIntegration.endTime = float(duration)
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
    settings.timeIntegration.verboseMode = 0
    settings.parallel.numberOfThreads = 1
    begin = time.perf_counter()
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.TrapezoidalIndex2)
    return time.perf_counter() - begin, angles()


_ERRORS: dict[float, float] = {}


def manoeuvre(step: float, duration: float, at: float, lean: float, steer: float):
    """Wall time [s] of a run, and the error of lean and steer at the time ``at`` with the same step [rad]."""
    if step not in _ERRORS:
        _, reached = solve(round(at / step), at)
        _ERRORS[step] = max(abs(reached[0] - lean), abs(reached[1] - steer))
    used, _ = solve(round(duration / step), duration)
    return used, _ERRORS[step]


if __name__ == "__main__":
    serve({"manoeuvre": manoeuvre})
