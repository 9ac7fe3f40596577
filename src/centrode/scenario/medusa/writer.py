"""Writing model.dat, platoon.dat and road.dat; what is written reads back to the same values, bit for bit."""

from __future__ import annotations

from centrode.scenario.medusa.records import MODEL_LAYOUT, VEHICLE_LAYOUT, LegacyModels, LegacyPlatoon, LegacyRoad


def format_models(models: LegacyModels) -> str:
    """Text of model.dat."""
    text = f"NUMBER_OF_MODELS {len(models.models)}\n"
    for number, model in enumerate(models.models, start=1):
        directors = {f"d{i}{j}": model.directors[i - 1][j - 1] for i in (1, 2, 3) for j in (1, 2, 3)}
        text += f"MODEL {number}\n" + MODEL_LAYOUT.format(**vars(model), **directors)
    return text


def format_platoon(platoon: LegacyPlatoon) -> str:
    """Text of platoon.dat."""
    text = f"NUMBER_OF_VEHICLES {len(platoon.vehicles)}\n"
    for number, vehicle in enumerate(platoon.vehicles, start=1):
        text += f"% Vehicle {number}\nVEHICLE_HAS_MODEL {vehicle.model}" + VEHICLE_LAYOUT.format(**vars(vehicle))
        if vehicle.steering_history:
            text += f"  STEERING_HISTORY {len(vehicle.steering_history)}  % time [s], steering [deg]\n"
            text += "".join(f"    {time!r} {angle!r}\n" for time, angle in vehicle.steering_history)
    return text


def format_road(road: LegacyRoad) -> str:
    """Text of road.dat."""
    lines = ["NUMBER_OF_POINTS:", str(len(road.points)), "XYZ_COORDINATES_&_ANGLE:"]
    lines += [" ".join(repr(value) for value in point) for point in road.points]
    return "\n".join([*lines, "END_OF_FILE"]) + "\n"
