"""Exudyn on the benchmark mechanisms: a worker for the peers' environment.

Absolute coordinates and implicit integration, as its own examples use them: plane bodies with plane hinges, spatial
bodies with generic joints, trapezoidal rule or generalised alpha. The times are process CPU seconds of
``SolveDynamic`` alone.
"""

from __future__ import annotations

import itertools
import json
import math
import time

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (
    LoadForceVector,
    LoadTorqueVector,
    MarkerBodyPosition,
    MarkerBodyRigid,
    NodePoint2D,
    NodeRigidBody2D,
    ObjectConnectorDistance,
    ObjectConnectorSpringDamper,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectJointSpherical,
    ObjectMassPoint2D,
    ObjectRigidBody2D,
)
from exudyn.rigidBodyUtilities import RigidBodyInertia
from harness import serve


def solve(mbs, duration: float, steps: int, solver: str = "trapezoidal", tolerance: float = 1e-9) -> float:
    """CPU seconds of one run."""
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = duration
    settings.timeIntegration.verboseMode = 0
    settings.displayComputationTime = False
    settings.displayStatistics = False
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = duration
    sparse = mbs.systemData.NumberOfObjects() > 15
    settings.linearSolverType = exu.LinearSolverType.EigenSparse if sparse else exu.LinearSolverType.EXUdense
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = tolerance
    settings.timeIntegration.newton.absoluteTolerance = tolerance
    types = exu.DynamicSolverType
    kind = {"trapezoidal": types.TrapezoidalIndex2, "alpha": types.GeneralizedAlpha, "rk4": types.RK44}[solver]
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0 if solver == "trapezoidal" else 0.9
    settings.parallel.numberOfThreads = 1
    start = time.process_time()
    mbs.SolveDynamic(settings, solverType=kind)
    return time.process_time() - start


def fresh():
    container = exu.SystemContainer()
    return container, container.AddSystem()


def plane_body(mbs, mass, inertia, position, velocity=(0.0, 0.0), omega=0.0, gravity=-9.81):
    """Node and body of a plane rigid body; gravity along y."""
    node = mbs.AddNode(
        NodeRigidBody2D(
            referenceCoordinates=[position[0], position[1], 0.0],
            initialVelocities=[velocity[0], velocity[1], omega],
        )
    )
    body = mbs.AddObject(ObjectRigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node))
    if gravity:
        centre = mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 0]))
        mbs.AddLoad(LoadForceVector(markerNumber=centre, loadVector=[0.0, mass * gravity, 0.0]))
    return node, body


def plane_hinge(mbs, a, b, local_a, local_b):
    markers = [
        mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[float(local[0]), float(local[1]), 0.0]))
        for body, local in ((a, local_a), (b, local_b))
    ]
    mbs.AddObject(ObjectJointRevolute2D(markerNumbers=markers))


def a01(steps: int, reference) -> tuple[float, float]:
    container, mbs = fresh()
    ground = mbs.AddObject(ObjectGround(referencePosition=[0, 0, 0]))
    node = mbs.AddNode(NodePoint2D(referenceCoordinates=[-1.0, 0.0]))
    bob = mbs.AddObject(ObjectMassPoint2D(physicsMass=1.0, nodeNumber=node))
    marker = mbs.AddMarker(MarkerBodyPosition(bodyNumber=bob))
    fixed = mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground))
    mbs.AddLoad(LoadForceVector(markerNumber=marker, loadVector=[0.0, -9.81, 0.0]))
    mbs.AddObject(ObjectConnectorDistance(markerNumbers=[fixed, marker], distance=1.0))
    spent = solve(mbs, 10.0, steps)
    place = mbs.GetNodeOutput(node, exu.OutputVariableType.Position)
    return spent, float(np.abs(place[:2] - reference).max())


def a02(windows: int, steps: int, reference) -> tuple[float, float]:
    container, mbs = fresh()
    ground = mbs.AddObject(ObjectGround(referencePosition=[0, 0, 0]))
    posts, nodes, bars = [], [], []
    for i in range(windows + 1):
        node, body = plane_body(mbs, 1.0, 1.0 / 12.0, (i, 0.5), (0.5, 0.0), -1.0)
        posts.append(body)
        nodes.append(node)
        plane_hinge(mbs, ground, body, (i, 0.0), (0.0, -0.5))
    for i in range(windows):
        _, body = plane_body(mbs, 1.0, 1.0 / 12.0, (i + 0.5, 1.0), (1.0, 0.0))
        bars.append(body)
        plane_hinge(mbs, posts[i], body, (0.0, 0.5), (-0.5, 0.0))
        plane_hinge(mbs, posts[i + 1], body, (0.0, 0.5), (0.5, 0.0))
    # The trapezoidal rule fails at the singular positions, and with many windows so does a tight Newton iteration.
    spent = solve(mbs, 10.0, steps, "alpha", 1e-9 if windows < 20 else 1e-7)
    angle = mbs.GetNodeOutput(nodes[0], exu.OutputVariableType.Coordinates)[2]
    top = np.array([-math.sin(angle), math.cos(angle)])
    return spent, float(np.abs(top - reference).max())


def a03(steps: int, constants: str, reference) -> tuple[float, float]:
    c = json.loads(constants)
    points = {name: np.array(place) for name, place in c["points"].items()}
    centres = [np.array(place) for place in c["centres"]]
    container, mbs = fresh()
    bodies = {"ground": mbs.AddObject(ObjectGround(referencePosition=[0, 0, 0]))}
    origin = {"ground": np.zeros(2)}
    nodes = []
    for k in range(7):
        node, body = plane_body(mbs, c["mass"][k], c["inertia"][k], centres[k], gravity=0.0)
        nodes.append(node)
        bodies[f"body{k + 1}"], origin[f"body{k + 1}"] = body, centres[k]
    for a, b, name in c["hinges"]:
        plane_hinge(mbs, bodies[a], bodies[b], points[name] - origin[a], points[name] - origin[b])
    motor = mbs.AddMarker(MarkerBodyRigid(bodyNumber=bodies["body1"], localPosition=[0, 0, 0]))
    mbs.AddLoad(LoadTorqueVector(markerNumber=motor, loadVector=[0, 0, 0.033]))
    ends = [
        mbs.AddMarker(MarkerBodyPosition(bodyNumber=bodies["ground"], localPosition=[*points["C"], 0.0])),
        mbs.AddMarker(MarkerBodyPosition(bodyNumber=bodies["body3"], localPosition=[*(points["D"] - centres[2]), 0.0])),
    ]
    mbs.AddObject(
        ObjectConnectorSpringDamper(markerNumbers=ends, stiffness=4530.0, damping=0.0, referenceLength=0.07785)
    )
    spent = solve(mbs, 0.03, steps)
    beta = c["beta"] + mbs.GetNodeOutput(nodes[0], exu.OutputVariableType.Coordinates)[2]
    gamma = c["gamma"] + mbs.GetNodeOutput(nodes[2], exu.OutputVariableType.Coordinates)[2]
    return spent, float(max(abs(beta - reference[0]), abs(gamma - reference[1])))


def space_body(mbs, mass, inertia, position, rotation=None, velocity=(0, 0, 0), omega=(0, 0, 0), gravity=(0, 0, -9.81)):
    """Rigid body in space, Lie-group free node of Exudyn's default."""
    tensor = RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia))
    made = mbs.CreateRigidBody(
        inertia=tensor,
        referencePosition=list(position),
        referenceRotationMatrix=np.eye(3) if rotation is None else rotation,
        initialVelocity=list(velocity),
        initialAngularVelocity=list(omega),
        gravity=list(gravity),
        returnDict=True,
    )
    return made["nodeNumber"], made["bodyNumber"]


def a04(steps: int, duration: float, reference) -> tuple[float, float]:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
    axes = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))
    container, mbs = fresh()
    ground = mbs.CreateGround()
    bodies = [ground]
    for k in range(1, 6):
        along = np.abs(points[k] - points[k - 1])
        inertia = [0.01 / 6 if part > 0.5 else 1.01 / 12 for part in along]
        _, body = space_body(mbs, 1.0, inertia, 0.5 * (points[k] + points[k - 1]), gravity=(0, -9.81, 0))
        bodies.append(body)
    bodies.append(ground)
    for k in range(6):
        # The last hinge as a ball that only keeps the point (its rows for the axis would be redundant).
        if k == 5:
            mbs.CreateGenericJoint(
                itemNumbers=[bodies[k], bodies[k + 1]], position=list(points[k]), constrainedAxes=[1, 1, 1, 0, 1, 0],
                rotationMatrixAxes=np.eye(3), useGlobalFrame=True, show=False,
            )  # fmt: skip
        else:
            mbs.CreateRevoluteJoint(
                itemNumbers=[bodies[k], bodies[k + 1]], position=list(points[k]), axis=list(axes[k]),
                useGlobalFrame=True, show=False,
            )  # fmt: skip
    spent = solve(mbs, duration, steps)
    place = mbs.GetObjectOutputBody(bodies[3], exu.OutputVariableType.Position, localPosition=[0, 0, 0.5])
    return spent, float(np.abs(place - reference).max())


def a05(steps: int, reference: float) -> tuple[float, float]:
    alpha, spin = math.radians(30.0), np.array([0.0, 0.0, 2.0 * math.pi])
    container, mbs = fresh()
    ground = mbs.CreateGround()
    transverse = 0.3 * 1.0001 / 12
    _, shaft = space_body(mbs, 0.3, (transverse, transverse, 5e-6), (0, 0, 0.5), omega=spin)
    node, slider = space_body(mbs, 3.0, (0.005,) * 3, (0, 0, 0.5), omega=spin)
    mbs.CreateRevoluteJoint(
        itemNumbers=[ground, shaft], position=[0, 0, 0], axis=[0, 0, 1], useGlobalFrame=True, show=False
    )
    mbs.CreatePrismaticJoint(
        itemNumbers=[shaft, slider], position=[0, 0, 0.5], axis=[0, 0, 1], useGlobalFrame=True, show=False
    )
    mass, centre = 5.3, (0.15 + 5.0) / 5.3
    across = transverse + 0.3 * (centre - 0.5) ** 2 + 5.0 * (1 - centre) ** 2
    for side in (1.0, -1.0):
        along = np.array([side * math.cos(alpha), 0.0, -math.sin(alpha)])
        hinge = np.array([0.05 * side, 0.0, 1.0])
        y = np.array([0.0, 1.0, 0.0])
        frame = np.column_stack([np.cross(y, along), y, along])
        place = hinge + centre * along
        _, arm = space_body(mbs, mass, (across, across, 5e-6), place, frame, np.cross(spin, place), spin)
        mbs.CreateRevoluteJoint(
            itemNumbers=[shaft, arm], position=list(hinge), axis=[0, 1, 0], useGlobalFrame=True, show=False
        )
        mbs.CreateSpringDamper(
            itemNumbers=[slider, arm], localPosition0=[0.05 * side, 0, 0], localPosition1=[0, 0, 0.5 - centre],
            referenceLength=0.5, stiffness=8e5, damping=4e4, show=False,
        )  # fmt: skip
    spent = solve(mbs, 10.0, steps)
    height = mbs.GetObjectOutputBody(slider, exu.OutputVariableType.Position, localPosition=[0, 0, 0])[2]
    return spent, float(abs(height - reference))


def chain(links: int, dt: float, steps: int) -> tuple[float, float]:
    """CPU seconds per step; error: change of energy [J]."""
    length, mass, radius = 0.1, 0.1, 0.02
    transverse, axial = mass * (3 * radius**2 + length**2) / 12, 0.5 * mass * radius**2
    along = np.array([math.sqrt(0.5), 0.0, -math.sqrt(0.5)])
    y = np.array([0.0, 1.0, 0.0])
    frame = np.column_stack([np.cross(y, along), y, along])
    spin = np.array([0.0, 0.0, 0.5 * math.sqrt(9.81 / (links * length))])
    container, mbs = fresh()
    previous, bodies = mbs.CreateGround(), []
    for i in range(links):
        place = along * length * (i + 0.5)
        _, body = space_body(mbs, mass, (transverse, transverse, axial), place, frame, np.cross(spin, place), spin)
        local = [0, 0, 0] if i == 0 else [0, 0, 0.5 * length]
        markers = [
            mbs.AddMarker(MarkerBodyRigid(bodyNumber=previous, localPosition=local)),
            mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, -0.5 * length])),
        ]
        mbs.AddObject(ObjectJointSpherical(markerNumbers=markers))
        previous = body
        bodies.append(body)

    def energy():
        total = 0.0
        for body in bodies:
            place, speed = (
                mbs.GetObjectOutputBody(body, kind, localPosition=[0, 0, 0])
                for kind in (exu.OutputVariableType.Position, exu.OutputVariableType.Velocity)
            )
            local = mbs.GetObjectOutputBody(body, exu.OutputVariableType.AngularVelocityLocal, localPosition=[0, 0, 0])
            total += 0.5 * mass * speed @ speed + mass * 9.81 * place[2]
            total += 0.5 * (transverse * (local[0] ** 2 + local[1] ** 2) + axial * local[2] ** 2)
        return total

    mbs.Assemble()
    before = energy()
    spent = solve(mbs, dt * steps, steps)
    return spent / steps, float(abs(energy() - before))


def spin(steps: int, reference) -> tuple[float, float]:
    from exudyn.itemInterface import NodeRigidBodyRotVecLG, ObjectRigidBody

    container, mbs = fresh()
    node = mbs.AddNode(
        NodeRigidBodyRotVecLG(referenceCoordinates=[0, 0, 0, 0, 0, 0], initialVelocities=[0, 0, 0, 0.01, 5.0, 0.01])
    )
    mbs.AddObject(ObjectRigidBody(mass=1.0, inertia=[1.0, 2.0, 3.0, 0, 0, 0], nodeNumber=node))
    spent = solve(mbs, 10.0, steps, "rk4")
    rate = mbs.GetNodeOutput(node, exu.OutputVariableType.AngularVelocityLocal)
    return spent / steps, float(np.abs(rate - reference).max())


def strip(elements: int, steps: int, reference) -> tuple[float, float]:
    """Steel strip of 2 m, 20 mm x 3 mm, that falls as a cantilever for one second."""
    from exudyn.itemInterface import (
        CoordinateConstraint,
        LoadMassProportional,
        MarkerBodyMass,
        MarkerNodeCoordinate,
        NodePointGround,
        ObjectBeamGeometricallyExact2D,
    )

    container, mbs = fresh()
    young, density, length, area, second = 2.1e11, 7850.0, 2.0, 6e-5, 0.02 * 3e-3**3 / 12.0
    nodes = [
        mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[length * k / elements, 0.0, 0.0]))
        for k in range(elements + 1)
    ]
    for first, second_node in itertools.pairwise(nodes):
        beam = mbs.AddObject(
            ObjectBeamGeometricallyExact2D(
                nodeNumbers=[first, second_node],
                physicsLength=length / elements,
                physicsMassPerLength=density * area,
                physicsCrossSectionInertia=density * second,
                physicsBendingStiffness=young * second,
                physicsAxialStiffness=young * area,
                physicsShearStiffness=young / 2.6 * area * 5.0 / 6.0,
                includeReferenceRotations=False,
            )
        )
        marker = mbs.AddMarker(MarkerBodyMass(bodyNumber=beam))
        mbs.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0.0, -9.81, 0.0]))
    ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    for k in range(3):
        held = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k))
        mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, held]))
    spent = solve(mbs, 1.0, steps, "alpha", tolerance=1e-8)
    place = mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position)
    return spent, float(np.abs(place[:2] - np.asarray(reference)).max())


FUNCTIONS = {"strip": strip, "a01": a01, "a02": a02, "a03": a03, "a04": a04, "a05": a05, "chain": chain, "spin": spin}

if __name__ == "__main__":
    serve(FUNCTIONS)
