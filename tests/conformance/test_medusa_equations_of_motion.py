"""The single car of the MEDUSA report on the engine: equations of motion (1.7) to (1.30), total energy (1.33), (1.34).

40 states of the 1999 program with 28 derivatives each, model 1 of appendix C, g = 9.81. Tolerance 1e-8 max(|ref|, 1):
the elastic forces cancel from 1e8 N to some kN, which costs 5e-10 in the accelerations.
"""

from pathlib import Path

import numpy as np
import pytest

import centrode as ct
from centrode.jit import address_of, call_by_address, kernel
from centrode.parts.forces.carriage_medusa import CARRIAGE_MEDUSA, WIDTH
from centrode.parts.kernel_types import LINK_DATA
from centrode.parts.roads.contract import ROAD_SIGNATURE
from centrode.parts.roads.road_point import road_point
from centrode.parts.tyres.calspan import TyreCalspan, tyre_calspan
from centrode.parts.tyres.contract import TYRE_SIGNATURE
from centrode.running import Session
from centrode.scenario.medusa.reader import read_road
from centrode.system.settings import RunSettings
from centrode.vehicles.car.medusa import CarMedusa
from centrode.vehicles.platoon import vehicle_energies

DATA = Path(__file__).parent / "data"


def test_equations_of_motion_through_the_engine():
    """40 states with 28 rates each; 1e-8 max(|ref|, 1): elastic cancellation alone gives 5e-10."""
    rows = np.genfromtxt(DATA / "medusa_equations_of_motion.csv", delimiter=",", skip_header=1)
    assert len(rows) == 40
    for index, row in enumerate(rows):
        steer, driven, rim = row[0], row[1], row[2] if row[1] else 0.0
        system = ct.System()
        system.add(CarMedusa("car", steer=float(steer), rim_speed=float(rim), equilibrium="listed", lag_turn="program"))
        # A driven wheel may stand still: the flag, not the speed, says that it is driven.
        session = Session(system, RunSettings(duration=1.0, method="predictor-corrector", audit=False))
        w = session.workspace
        first = int(session.model.force_link[0, LINK_DATA])
        w["data"][first : first + WIDTH].view(CARRIAGE_MEDUSA)[0].driven = float(driven)
        w["pose"][0] = row[3:15]
        w["velocity"][0] = row[15:27]
        w["states"][:] = row[27:31]
        w.evaluate(0.0)
        got = np.concatenate([w["pose_rate"][0], w["acceleration"][0], w["state_rate"]])
        error = np.abs(got - row[31:59]) / np.maximum(np.abs(row[31:59]), 1.0)
        assert error.max() < 1e-8, f"row {index + 1}, rate {error.argmax() + 1}"


@pytest.mark.parametrize(
    ("turn", "lagged", "way"), [("short", 0.01, -0.03), ("program", np.pi - 0.01, 0.03 - 2 * np.pi)]
)
def test_lag_in_reverse_goes_the_short_way_unless_the_program_is_repeated(turn, lagged, way):
    """(1.27) at alpha = -pi + 0.02 behind a lagged angle of pi - 0.01: 0.03 the short way round, -0.03 from 0.01 with
    both folded as the force law folds them."""
    system = ct.System()
    system.add(CarMedusa("car", lag_turn=turn))
    session = Session(system, RunSettings(duration=1.0, method="predictor-corrector", audit=False))
    w = session.workspace
    w["velocity"][0, :2] = -10.0 * np.cos(0.02), 10.0 * np.sin(0.02)  # to the left: negative in the report
    w["states"][:] = lagged
    w.evaluate(0.0)
    assert w["state_rate"] == pytest.approx([way / 0.0016] * 4, rel=1e-9)


def test_total_energy_of_the_banked_run():
    """(1.33) and (1.34) for every row: kinetic, elastic, springs along E3, weight; the engine's energy is the same.

    All is printed to 12 digits: half a unit of the energy (1e5 J) is 5e-7 J, of the speed it gives m v 5e-12 = 1e-7 J,
    and of a director, times the elastic force (below 1e6 N in the listed state), 5e-7 J.
    """
    rows = np.genfromtxt(DATA / "medusa_run_banked.csv", delimiter=",", skip_header=1)
    system = ct.System()
    system.add(CarMedusa("car", speed=15.0, steer=0.02))  # on a level road: the program measures its springs along E3
    assert vehicle_energies(system, rows[:, None, 2:30])[:, 0] == pytest.approx(rows[:, 30], abs=2e-6)
    run = ct.simulate(system, duration=0.02, frames=0.01)
    columns = (run["car.body.directors"], run["car.body.director_rates"])
    directors, rates = (np.swapaxes(value, 1, 2).reshape(-1, 9) for value in columns)
    pose, motion = (run["car.body.position"], directors), (run["car.body.velocity"], rates)
    states = np.hstack([*pose, *motion, np.zeros((len(rates), 4))])
    assert run["energy.total"] == pytest.approx(vehicle_energies(system, states[:, None])[:, 0], rel=1e-12)


def test_tyre_and_road_kernels_are_reached_by_address():
    """The run loop knows kinds only by address; the answers are the same as by name."""
    tyre, road = TyreCalspan("goodyear"), read_road(DATA / "medusa_inputs" / "banked" / "road.dat").part()
    call_tyre, call_road = call_by_address(TYRE_SIGNATURE), call_by_address(ROAD_SIGNATURE)

    @kernel
    def through(tyre_at, row, road_at, table):
        forces = call_tyre(tyre_at, (row, 3000.0, 0.05, -0.1, 0.0, 20.0))
        point = call_road(road_at, (table, 0.0, 12.0, 1.0, 0.5))
        return forces, point

    forces, point = through(address_of(tyre_calspan), tyre.pack(), address_of(road_point), road.table())
    assert forces == tyre.forces(3000.0, 0.05, -0.1, 0.0, 20.0)
    assert point == road_point(road.table(), 0.0, 12.0, 1.0, 0.5)
