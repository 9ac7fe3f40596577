"""Centrode: an open laboratory for the motion of vehicles and mechanisms.

>>> import centrode as ct

offers every kind of part by its name (``ct.Revolute``, ``ct.Car``, ``ct.TyreCalspan``) and all that is needed to build,
run, look at and study systems. A name is imported when it is first used, so ``import centrode`` stays quick and a
command that only prints its help does not wait for a compiler.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from centrode.recording.derived import Derived, supply

__version__ = "0.1.0"

# Public names, one line each: read by type checkers, and by _homes() for the import on first use.
if TYPE_CHECKING:
    from centrode.crash.tyre_marks import tyre_marks as tyre_marks
    from centrode.dynamics.contract import check_part as check_part
    from centrode.dynamics.contract import failures as failures
    from centrode.dynamics.linearise import linearise as linearise
    from centrode.errors import CentrodeError as CentrodeError
    from centrode.errors import InputError as InputError
    from centrode.errors import RunError as RunError
    from centrode.math.ici_plane import advance_plane_exact as advance_plane_exact
    from centrode.math.ici_space import advance_space_exact as advance_space_exact
    from centrode.math.ici_space import helix_of_twist as helix_of_twist
    from centrode.parts.bodies.full_mass import FullMassBody as FullMassBody
    from centrode.parts.bodies.planar import PlanarBody as PlanarBody
    from centrode.parts.bodies.pseudo_rigid import PseudoRigidBody as PseudoRigidBody
    from centrode.parts.bodies.rigid import RigidBody as RigidBody
    from centrode.parts.contact_laws.crush import Crush as Crush
    from centrode.parts.contact_laws.hard import HardContact as HardContact
    from centrode.parts.contact_laws.hunt_crossley import HuntCrossley as HuntCrossley
    from centrode.parts.contact_laws.linear import LinearContact as LinearContact
    from centrode.parts.contact_laws.measured import MeasuredRestitution as MeasuredRestitution
    from centrode.parts.contact_laws.report_multiplier import ReportMultiplier as ReportMultiplier
    from centrode.parts.contact_laws.restitution import Restitution as Restitution
    from centrode.parts.controllers.autopilot import Autopilot as Autopilot
    from centrode.parts.controllers.bang_bang import BangBang as BangBang
    from centrode.parts.controllers.car_following import CarFollowing as CarFollowing
    from centrode.parts.controllers.emergency_brake import EmergencyBrake as EmergencyBrake
    from centrode.parts.controllers.lane_keeping import LaneKeeping as LaneKeeping
    from centrode.parts.controllers.line_of_sight import LineOfSight as LineOfSight
    from centrode.parts.controllers.pid import Pid as Pid
    from centrode.parts.controllers.platoon import PlatoonControl as PlatoonControl
    from centrode.parts.controllers.python import PythonController as PythonController
    from centrode.parts.controllers.speed import SpeedControl as SpeedControl
    from centrode.parts.controllers.state_feedback import StateFeedback as StateFeedback
    from centrode.parts.driving import DriveInput as DriveInput
    from centrode.parts.forces.actuator import Actuator as Actuator
    from centrode.parts.forces.box_contact import BoxContact as BoxContact
    from centrode.parts.forces.bushing import Bushing as Bushing
    from centrode.parts.forces.carriage import Carriage as Carriage
    from centrode.parts.forces.carriage_medusa import CarriageMedusa as CarriageMedusa
    from centrode.parts.forces.central_gravity import CentralGravity as CentralGravity
    from centrode.parts.forces.collisions import Collisions as Collisions
    from centrode.parts.forces.drag import Drag as Drag
    from centrode.parts.forces.fin import Fin as Fin
    from centrode.parts.forces.friction import Friction as Friction
    from centrode.parts.forces.hydrodynamics import Hydrodynamics as Hydrodynamics
    from centrode.parts.forces.motor import Motor as Motor
    from centrode.parts.forces.path_spring import PathSpring as PathSpring
    from centrode.parts.forces.point_force import PointForce as PointForce
    from centrode.parts.forces.propeller import Propeller as Propeller
    from centrode.parts.forces.rotational_spring import RotationalSpring as RotationalSpring
    from centrode.parts.forces.sphere_contact import SphereContact as SphereContact
    from centrode.parts.forces.spring import Spring as Spring
    from centrode.parts.forces.stop import Stop as Stop
    from centrode.parts.forces.thruster import Thruster as Thruster
    from centrode.parts.forces.torque import Torque as Torque
    from centrode.parts.forces.weight import Weight as Weight
    from centrode.parts.imports import Import as Import
    from centrode.parts.joints.ball import Ball as Ball
    from centrode.parts.joints.cylindrical import Cylindrical as Cylindrical
    from centrode.parts.joints.fixed import Fixed as Fixed
    from centrode.parts.joints.gear import Gear as Gear
    from centrode.parts.joints.knife_edge import KnifeEdge as KnifeEdge
    from centrode.parts.joints.motion import Motion as Motion
    from centrode.parts.joints.planar import Planar as Planar
    from centrode.parts.joints.point_on_line import PointOnLine as PointOnLine
    from centrode.parts.joints.point_on_plane import PointOnPlane as PointOnPlane
    from centrode.parts.joints.prismatic import Prismatic as Prismatic
    from centrode.parts.joints.rack_and_pinion import RackAndPinion as RackAndPinion
    from centrode.parts.joints.revolute import Revolute as Revolute
    from centrode.parts.joints.rod import Rod as Rod
    from centrode.parts.joints.rolling_disc import RollingDisc as RollingDisc
    from centrode.parts.joints.rolling_wheel import RollingWheel as RollingWheel
    from centrode.parts.joints.rope import Rope as Rope
    from centrode.parts.joints.screw import Screw as Screw
    from centrode.parts.joints.universal import Universal as Universal
    from centrode.parts.outlines.box import OutlineBox as OutlineBox
    from centrode.parts.outlines.capsule import OutlineCapsule as OutlineCapsule
    from centrode.parts.outlines.ellipsoid import OutlineEllipsoid as OutlineEllipsoid
    from centrode.parts.outlines.plane import OutlinePlane as OutlinePlane
    from centrode.parts.outlines.polyhedron import OutlinePolyhedron as OutlinePolyhedron
    from centrode.parts.outlines.sphere import OutlineSphere as OutlineSphere
    from centrode.parts.outlines.superellipsoid import OutlineSuperellipsoid as OutlineSuperellipsoid
    from centrode.parts.points.point import Point as Point
    from centrode.parts.registry import kinds as kinds
    from centrode.parts.roads.contract import FrictionPatch as FrictionPatch
    from centrode.parts.roads.medusa4 import RoadMedusa4 as RoadMedusa4
    from centrode.parts.roads.opendrive import RoadOpenDrive as RoadOpenDrive
    from centrode.parts.roads.plane import RoadPlane as RoadPlane
    from centrode.parts.roads.spline import RoadSpline as RoadSpline
    from centrode.parts.signals.signal import SignalConstant as SignalConstant
    from centrode.parts.signals.signal import SignalExpression as SignalExpression
    from centrode.parts.signals.signal import SignalHarmonic as SignalHarmonic
    from centrode.parts.signals.signal import SignalPolynomial as SignalPolynomial
    from centrode.parts.signals.signal import SignalRamp as SignalRamp
    from centrode.parts.signals.signal import SignalSmoothStep as SignalSmoothStep
    from centrode.parts.signals.signal import SignalStaircase as SignalStaircase
    from centrode.parts.signals.signal import SignalSum as SignalSum
    from centrode.parts.signals.signal import SignalTable as SignalTable
    from centrode.parts.suspensions.strut import SuspensionStrut as SuspensionStrut
    from centrode.parts.suspensions.strut import SuspensionTable as SuspensionTable
    from centrode.parts.tyres.brush import TyreBrush as TyreBrush
    from centrode.parts.tyres.calspan import TyreCalspan as TyreCalspan
    from centrode.parts.tyres.linear import TyreLinear as TyreLinear
    from centrode.parts.tyres.magic_formula import TyreMagicFormula as TyreMagicFormula
    from centrode.parts.visual import VisualBox as VisualBox
    from centrode.parts.visual import VisualCapsule as VisualCapsule
    from centrode.parts.visual import VisualCarBody as VisualCarBody
    from centrode.parts.visual import VisualCylinder as VisualCylinder
    from centrode.parts.visual import VisualEllipsoid as VisualEllipsoid
    from centrode.parts.visual import VisualEye as VisualEye
    from centrode.parts.visual import VisualFin as VisualFin
    from centrode.parts.visual import VisualLine as VisualLine
    from centrode.parts.visual import VisualLink as VisualLink
    from centrode.parts.visual import VisualMesh as VisualMesh
    from centrode.parts.visual import VisualPropeller as VisualPropeller
    from centrode.parts.visual import VisualRibbon as VisualRibbon
    from centrode.parts.visual import VisualSphere as VisualSphere
    from centrode.parts.visual import VisualSuperellipsoid as VisualSuperellipsoid
    from centrode.parts.visual import VisualWheel as VisualWheel
    from centrode.plots.attitude import figure_comparison as figure_comparison
    from centrode.plots.channels import figure_channels as figure_channels
    from centrode.plots.convergence import figure_convergence as figure_convergence
    from centrode.plots.eigenvalues import figure_eigenvalues as figure_eigenvalues
    from centrode.plots.energy import figure_energy as figure_energy
    from centrode.plots.figure import new_figure as new_figure
    from centrode.plots.figure import save_figure as save_figure
    from centrode.plots.ici import figure_run as figure_run
    from centrode.plots.kinds import PlotChannels as PlotChannels
    from centrode.plots.kinds import PlotConvergence as PlotConvergence
    from centrode.plots.kinds import PlotEigenvalues as PlotEigenvalues
    from centrode.plots.kinds import PlotEnergy as PlotEnergy
    from centrode.plots.kinds import PlotPhase as PlotPhase
    from centrode.plots.kinds import PlotTracks as PlotTracks
    from centrode.plots.kinds import PlotTyreUse as PlotTyreUse
    from centrode.plots.phase import figure_phase as figure_phase
    from centrode.plots.tracks import figure_tracks as figure_tracks
    from centrode.plots.tyre_use import figure_tyre_use as figure_tyre_use
    from centrode.recording.recording import Recording as Recording
    from centrode.running import Session as Session
    from centrode.running import simulate as simulate
    from centrode.scenario.document import Scenario as Scenario
    from centrode.scenario.loader import load as load
    from centrode.scenario.loader import loads as loads
    from centrode.scenario.writing import dump as dump
    from centrode.studies.attitude.comparison import AttitudeCase as AttitudeCase
    from centrode.studies.attitude.comparison import compare_attitudes as compare_attitudes
    from centrode.studies.ici.errors import direct_errors as direct_errors
    from centrode.studies.ici.fleet import advance_fleet as advance_fleet
    from centrode.studies.ici.path import IciPath as IciPath
    from centrode.studies.ici.path import integrate as integrate
    from centrode.studies.ici.rates import RatesConstant as RatesConstant
    from centrode.studies.ici.rates import RatesFunction as RatesFunction
    from centrode.studies.ici.rates import RatesTable as RatesTable
    from centrode.studies.ici.rates import read_rates_csv as read_rates_csv
    from centrode.studies.ici.scenario import IciScenario as IciScenario
    from centrode.studies.ici.scenario import baseline as baseline
    from centrode.studies.ici.space import integrate_space as integrate_space
    from centrode.studies.ici.stability import growth_factor as growth_factor
    from centrode.studies.manoeuvres_road import lane_change as lane_change
    from centrode.studies.sensitivity import Sensitivity as Sensitivity
    from centrode.studies.sensitivity import collision_sensitivity as collision_sensitivity
    from centrode.system.builder import System as System
    from centrode.vehicles.auv import Auv as Auv
    from centrode.vehicles.auv_remus import AuvRemus as AuvRemus
    from centrode.vehicles.bicycle.fall import FallWatch as FallWatch
    from centrode.vehicles.bicycle.library import MACHINES as MACHINES
    from centrode.vehicles.bicycle.library import machine as machine
    from centrode.vehicles.bicycle.linear import linear_bicycle as linear_bicycle
    from centrode.vehicles.bicycle.model import Bicycle as Bicycle
    from centrode.vehicles.bicycle.model import bicycle_system as bicycle_system
    from centrode.vehicles.bicycle.parameters import BicycleParameters as BicycleParameters
    from centrode.vehicles.bicycle.parameters import from_z_down as from_z_down
    from centrode.vehicles.bicycle.reading import bicycle_history as bicycle_history
    from centrode.vehicles.bicycle.reading import fall_time as fall_time
    from centrode.vehicles.bicycle.rider import BicycleRider as BicycleRider
    from centrode.vehicles.bicycle.turns import SteadyTurn as SteadyTurn
    from centrode.vehicles.bicycle.turns import TurnSolver as TurnSolver
    from centrode.vehicles.bicycle.upper_body import BicycleUpperBody as BicycleUpperBody
    from centrode.vehicles.brick import Brick as Brick
    from centrode.vehicles.car.car import Car as Car
    from centrode.vehicles.car.medusa import CarMedusa as CarMedusa
    from centrode.vehicles.imports.medusa import ImportMedusa as ImportMedusa
    from centrode.vehicles.imports.urdf import ImportUrdf as ImportUrdf
    from centrode.vehicles.mechanisms import build_mechanism as build_mechanism
    from centrode.vehicles.mechanisms.bricard import bricard as bricard
    from centrode.vehicles.mechanisms.chain import chain as chain
    from centrode.vehicles.mechanisms.double_wishbone import double_wishbone as double_wishbone
    from centrode.vehicles.mechanisms.four_bars import four_bars as four_bars
    from centrode.vehicles.mechanisms.four_bars import reduced_stiffness as reduced_stiffness
    from centrode.vehicles.mechanisms.governor import governor as governor
    from centrode.vehicles.mechanisms.newtons_cradle import newtons_cradle as newtons_cradle
    from centrode.vehicles.mechanisms.pendulum import double_pendulum as double_pendulum
    from centrode.vehicles.mechanisms.pendulum import pendulum as pendulum
    from centrode.vehicles.mechanisms.slider_crank import slider_crank as slider_crank
    from centrode.vehicles.mechanisms.squeezer import squeezer as squeezer
    from centrode.vehicles.mechanisms.stewart_platform import leg_geometry as leg_geometry
    from centrode.vehicles.mechanisms.stewart_platform import stewart_platform as stewart_platform
    from centrode.vehicles.mechanisms.tippe_top import tippe_top as tippe_top
    from centrode.vehicles.mechanisms.top import free_body as free_body
    from centrode.vehicles.mechanisms.top import heavy_top as heavy_top
    from centrode.vehicles.mechanisms.top import precession as precession
    from centrode.vehicles.sixdof.rope import lecture_rope as lecture_rope
    from centrode.vehicles.sixdof.rope import taut_moment as taut_moment


@functools.cache
def _homes() -> dict[str, str]:
    """Public name -> module that defines it, as the block above says."""
    import ast
    import pkgutil

    tree = ast.parse(pkgutil.get_data(__name__, "__init__.py") or b"")
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    lines = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {item.name: node.module or "" for node in lines for item in node.names}


def _derived() -> Derived:
    from centrode import derived

    return derived


supply(_derived)


def __getattr__(name: str) -> Any:
    homes = {} if name.startswith("_") else _homes()
    if name not in homes:
        from centrode.errors import nearest_name

        nearest = nearest_name(name, list(homes))
        meant = f"; did you mean '{nearest}'?" if nearest else ""
        raise AttributeError(f"module 'centrode' has no attribute '{name}'{meant}", name=name, obj=None)
    value = getattr(__import__(homes[name], fromlist=[name]), name)
    globals()[name] = value  # the next use is a plain look-up
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
