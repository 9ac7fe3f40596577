"""Carriage of the MEDUSA report (1999): four massless wheels on struts, exactly as its program reads the road.

Per car one road query at the centre of mass; per wheel the strut (1.17) along the road normal, the slip angle over the
full turn with the lag (1.27), slip on the two front wheels when driven, and all forces at the assembly point. A lifted
wheel has no force and no lag rate. Signs and clamps as the program has them (tyre option ``original``); the carriage
for daily use is :mod:`centrode.parts.forces.carriage`.

    Delta_q = (x_q - x_road) . e_3,   F_z = -(C (Delta_q - Delta) + D Delta_q')                     (1.17)
    F = F_x e_x + F_y e_left + F_z e_3                                                              (1.16)
    tau alpha_lag' + alpha_lag = alpha                                                              (1.27)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.jit import call_by_address, handle_of, step_kernel
from centrode.parts.affine import affine_clear, affine_markers, affine_place, affine_push
from centrode.parts.forces.force import Force
from centrode.parts.kernel_types import (
    ENERGY_SIGNATURE,
    FORCE_SIGNATURE,
    LINK_DATA,
    LINK_INPUT,
    LINK_MARKERS,
    LINK_STATE,
)
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene
from centrode.parts.roads.contract import COLUMNS
from centrode.parts.roads.road_point import road_point
from centrode.parts.signals.signal import signal_at
from centrode.parts.suspensions.strut import spring_energy, suspension_force
from centrode.parts.suspensions.wheel_slip import wheel_force, wheel_heading, wheel_slip_original, wheel_velocity
from centrode.parts.tyres.contract import TYRE_SIGNATURE
from centrode.parts.tyres.slip import lag_rate

call_tyre = call_by_address(TYRE_SIGNATURE)

# Parameters of a row.
C_FRONT, C_REAR, D_FRONT, D_REAR, REST, LAG, DRIVEN, TYRE, CORNERS = 0, 1, 2, 3, 4, 5, 6, 7, 8
# The data pool of a carriage: offsets of steering signal, tyre row and road table, then these themselves.
STEERING, TYRE_ROW, TYRE_LENGTH, ROAD, ROAD_ROWS, DATA_HEAD = 0, 1, 2, 3, 4, 5


@step_kernel(signature=FORCE_SIGNATURE)
def carriage_medusa_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Struts and tyres of every car."""
    for i in range(first, first + count):
        o = link[i, LINK_MARKERS]
        a = link[i, LINK_MARKERS + 1]
        b = link[i, LINK_MARKERS + 2]
        c = link[i, LINK_MARKERS + 3]
        pool = link[i, LINK_DATA]
        state = link[i, LINK_STATE]
        affine_clear(wrench, o, a, b, c)
        table = data[
            int(data[pool + ROAD]) + pool : int(data[pool + ROAD]) + pool + int(data[pool + ROAD_ROWS]) * COLUMNS
        ]
        road = table.reshape((table.size // COLUMNS, COLUMNS))
        tyre = data[int(data[pool + TYRE_ROW]) + pool : int(data[pool + TYRE_ROW] + data[pool + TYRE_LENGTH]) + pool]
        found = road_point(road, memory[i, 0], markers[o, 0], markers[o, 1], markers[o, 2])
        memory[i, 0] = found[0]
        nx, ny, nz = found[8], found[9], found[10]
        extra, _, _ = signal_at(data, pool + int(data[pool + STEERING]), time)
        steer = inputs[link[i, LINK_INPUT]] + extra
        rim = inputs[link[i, LINK_INPUT] + 1]
        for q in range(4):
            front = q < 2
            x = par[i, CORNERS + 3 * q]
            y = par[i, CORNERS + 3 * q + 1]
            z = par[i, CORNERS + 3 * q + 2]
            px, py, pz = affine_place(markers, o, a, b, c, x, y, z, 0)
            vx, vy, vz = affine_place(markers, o, a, b, c, x, y, z, 3)
            distance = (px - found[2]) * nx + (py - found[3]) * ny + (pz - found[4]) * nz
            load, lifted = suspension_force(
                par[i, C_FRONT] if front else par[i, C_REAR],
                par[i, D_FRONT] if front else par[i, D_REAR],
                par[i, REST],
                distance,
                vx * nx + vy * ny + vz * nz,
            )
            rates[state + q] = 0.0
            if lifted:
                continue
            ex, ey, ez, lx, ly, lz = wheel_heading(
                markers[a, 0] - markers[o, 0],
                markers[a, 1] - markers[o, 1],
                markers[a, 2] - markers[o, 2],
                nx,
                ny,
                nz,
                steer if front else 0.0,
            )
            ahead, left = wheel_velocity(vx, vy, vz, ex, ey, ez, lx, ly, lz)
            alpha, s = wheel_slip_original(ahead, -left, rim, front and par[i, DRIVEN] != 0.0)
            slip = -s if ahead >= 0.0 else s
            forces = call_tyre(int(par[i, TYRE]), (tyre, load, -states[state + q], slip, 0.0, ahead))
            fx, fy, fz = wheel_force(forces[0], forces[1], load, ex, ey, ez, lx, ly, lz, nx, ny, nz)
            affine_push(wrench, o, a, b, c, x, y, z, fx, fy, fz)
            rates[state + q] = lag_rate(alpha, states[state + q], par[i, LAG])


@step_kernel(signature=ENERGY_SIGNATURE)
def carriage_medusa_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Energy of the four springs (1.34), lifted ones too."""
    for i in range(first, first + count):
        o = link[i, LINK_MARKERS]
        a = link[i, LINK_MARKERS + 1]
        b = link[i, LINK_MARKERS + 2]
        c = link[i, LINK_MARKERS + 3]
        pool = link[i, LINK_DATA]
        table = data[
            int(data[pool + ROAD]) + pool : int(data[pool + ROAD]) + pool + int(data[pool + ROAD_ROWS]) * COLUMNS
        ]
        road = table.reshape((table.size // COLUMNS, COLUMNS))
        found = road_point(road, memory[i, 0], markers[o, 0], markers[o, 1], markers[o, 2])
        energy[i] = 0.0
        for q in range(4):
            px, py, pz = affine_place(
                markers,
                o,
                a,
                b,
                c,
                par[i, CORNERS + 3 * q],
                par[i, CORNERS + 3 * q + 1],
                par[i, CORNERS + 3 * q + 2],
                0,
            )
            distance = (px - found[2]) * found[8] + (py - found[3]) * found[9] + (pz - found[4]) * found[10]
            energy[i] += spring_energy(par[i, C_FRONT] if q < 2 else par[i, C_REAR], par[i, REST], distance)


@dataclass(frozen=True)
class CarriageMedusa(Force):
    """Four massless wheels as in the report of 1999."""

    kind: ClassVar[str] = "carriage-medusa"
    force_kernel: ClassVar[Any] = carriage_medusa_force
    energy_kernel: ClassVar[Any] = carriage_medusa_energy
    works_in_plane: ClassVar[bool] = False
    external: ClassVar[bool] = True
    input_names: ClassVar[tuple[str, ...]] = ("steer", "rim_speed")

    body: Any = quantity("", "chassis", refers_to="body")
    road: Any = quantity("", "road", refers_to="road")
    tyre: Any = quantity("", "tyre of all wheels", refers_to="tyre")
    corners: Any = quantity("m", "assembly points: left front, right front, left rear, right rear, body frame")
    stiffness: tuple[float, float] = quantity("N/m", "front and rear springs", positive=True)
    damping: tuple[float, float] = quantity("N*s/m", "front and rear dampers", minimum=0.0)
    rest: float = quantity("m", "distance from the road with the spring relaxed")
    lag: float = quantity("s", "lag of the slip angle", positive=True)
    steer: Any = quantity("rad", "steering angle of the front wheels, left positive: number or signal", 0.0)
    rim_speed: float = quantity("m/s", "rim speed of the driven front wheels; 0 rolls freely", 0.0)

    def place(self, scene: Scene) -> Placement:
        road, tyre = scene.find(self.road), scene.find(self.tyre)
        plain = isinstance(self.steer, int | float)
        signal = scene.pack_signal(0.0 if plain else self.steer)
        row, table = tyre.pack(), road.table()
        first = DATA_HEAD + len(signal)
        data = [DATA_HEAD, first, len(row), first + len(row), table.shape[0], *signal, *row, *table.ravel()]
        position, _ = scene.pose(self.body)
        return Placement(
            affine_markers(self.body),
            par=[
                *self.stiffness,
                *self.damping,
                self.rest,
                self.lag,
                float(self.rim_speed != 0.0),
                float(handle_of(type(tyre).law)),
                *(float(x) for corner in self.corners for x in corner),
            ],
            data=data,
            states=[0.0] * 4,
            state_names=[
                (f"slip_angle_{name}", "rad") for name in ("left_front", "right_front", "left_rear", "right_rear")
            ],
            inputs=[float(self.steer) if plain else 0.0, self.rim_speed],
            memory=[road.point(*position).s],
        )
