"""Writing model.dat, platoon.dat and road.dat; what is written reads back to the same values, bit for bit."""

from __future__ import annotations

from centrode.scenario.medusa.records import LegacyModels, LegacyPlatoon, LegacyRoad


def format_models(models: LegacyModels) -> str:
    """Text of model.dat."""
    lines = [f"NUMBER_OF_MODELS {len(models.models)}"]
    for number, model in enumerate(models.models, start=1):
        lines += [
            f"MODEL {number}",
            " COSSERAT_POINT",
            f"  MASS {model.mass!r}  % [kg]",
            f"  IX {model.ix!r} IY {model.iy!r} IZ {model.iz!r}  % principal moments of inertia [kg m^2]",
            f"  E {model.young!r} NU {model.poisson!r} VOLUME {model.volume!r}  % [N/m^2], [.], [m^3]",
            " SUSPENSION",
            f"  L1 {model.l1!r} L2 {model.l2!r} B {model.b!r} H1 {model.h1!r} H2 {model.h2!r}  % [m]",
            f"  SPRING_REF {model.spring_ref!r}  % [m]",
            f"  C1 {model.c1!r} C2 {model.c2!r}  % front and rear spring [N/m]",
            f"  D1 {model.d1!r} D2 {model.d2!r}  % front and rear damper [Ns/m]",
            f" TIRE {model.tire_lag!r}  % lag [s]",
            f" CONTACT A1 {model.a1!r} A2 {model.a2!r} A3 {model.a3!r}  % length, width, height [m]",
            " EQUILIBRIUM",
            f"  R3 {model.r3!r}  % height of the centre of mass [m]",
        ]
        for i, director in enumerate(model.directors, start=1):
            lines.append("  " + " ".join(f"D{i}{j} {value!r}" for j, value in enumerate(director, start=1)))
    return "\n".join(lines) + "\n"


def format_platoon(platoon: LegacyPlatoon) -> str:
    """Text of platoon.dat."""
    lines = [f"NUMBER_OF_VEHICLES {len(platoon.vehicles)}"]
    for number, vehicle in enumerate(platoon.vehicles, start=1):
        lines += [
            f"% Vehicle {number}",
            f"VEHICLE_HAS_MODEL {vehicle.model} INITIALLY_WITH",
            f"  X {vehicle.x!r} Y {vehicle.y!r}  % centre of mass [m]",
            f"  ORIENTATION {vehicle.orientation_deg!r}  % heading [deg], left positive",
            f"  SPEED {vehicle.speed!r}  % [m/s]",
            f"  TIRE_SPEED {vehicle.tire_speed!r}  % [m/s], 0.0: free rolling",
            f"  STEERING {vehicle.steering_deg!r}  % [deg], left positive",
        ]
        if vehicle.steering_history:
            lines.append(f"  STEERING_HISTORY {len(vehicle.steering_history)}  % time [s], steering [deg]")
            lines += [f"    {time!r} {angle!r}" for time, angle in vehicle.steering_history]
    return "\n".join(lines) + "\n"


def format_road(road: LegacyRoad) -> str:
    """Text of road.dat."""
    lines = ["NUMBER_OF_POINTS:", str(len(road.points)), "XYZ_COORDINATES_&_ANGLE:"]
    lines += [" ".join(repr(value) for value in point) for point in road.points]
    return "\n".join([*lines, "END_OF_FILE"]) + "\n"
