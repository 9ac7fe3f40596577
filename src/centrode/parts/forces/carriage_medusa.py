"""Carriage of the MEDUSA report (1999): four massless wheels on struts, exactly as its program reads the road.

Per car one road query at the centre of mass; per wheel the strut (1.17) along the road normal, the slip angle over the
full turn with the lag (1.27), slip on the two front wheels when driven, and all forces at the assembly point. A lifted
wheel has no force and no lag rate. Signs and clamps as the program has them (tyre option ``original``); the carriage
for daily use is :mod:`centrode.parts.forces.carriage`.

One thing is not as in the program unless asked for (``lag_turn: program``): the lagged angle follows alpha the short
way round the circle. The program takes alpha = atan2(...) as a plain number, which jumps from pi to -pi at a wheel that
rolls straight back, and the lag then leads the force through every direction in between. A car rolling backwards
settles exactly on that jump, where the equations have no solution: fixed steps chatter, adaptive ones come to a halt.

    Delta_q = (x_q - x_road) . e_3,   F_z = -(C (Delta_q - Delta) + D Delta_q')                     (1.17)
    F = F_x e_x + F_y e_left + F_z e_3                                                              (1.16)
    tau alpha_lag' + alpha_lag = alpha                                                              (1.27)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from centrode.errors import Fault
from centrode.jit import call_by_address, handle_of, step_kernel
from centrode.parts.affine import affine_markers, affine_place
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
from centrode.parts.suspensions.wheel_slip import wheel_heading, wheel_slip_original
from centrode.parts.tyres.contract import TYRE_SIGNATURE
from centrode.parts.tyres.slip import lag_rate, nearest_turn

call_tyre = call_by_address(TYRE_SIGNATURE)

# Parameters of a row.
C_FRONT, C_REAR, D_FRONT, D_REAR, REST, LAG, DRIVEN, TYRE, HAS_SIGNAL, CORNERS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
PLAIN_LAG = CORNERS + 12
# Its own data: offsets of steering signal and tyre row, place of the shared road table, then signal and tyre.
STEERING, TYRE_ROW, TYRE_LENGTH, ROAD, ROAD_ROWS, RIM, DATA_HEAD = 0, 1, 2, 3, 4, 5, 6


@step_kernel(signature=FORCE_SIGNATURE)
def carriage_medusa_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Struts and tyres of every car; forces are summed in registers and spread over the four markers at the end."""
    for i in range(first, first + count):
        o = link[i, LINK_MARKERS]
        a = link[i, LINK_MARKERS + 1]
        b = link[i, LINK_MARKERS + 2]
        c = link[i, LINK_MARKERS + 3]
        pool = link[i, LINK_DATA]
        state = link[i, LINK_STATE]
        at = int(data[pool + ROAD])
        rows = int(data[pool + ROAD_ROWS])
        road = data[at : at + rows * COLUMNS].reshape((rows, COLUMNS))
        tyre_at = pool + int(data[pool + TYRE_ROW])
        tyre = data[tyre_at : tyre_at + int(data[pool + TYRE_LENGTH])]
        found = road_point(road, memory[i, 0], markers[o, 0], markers[o, 1], markers[o, 2])
        memory[i, 0] = found[0]
        nx, ny, nz = found[8], found[9], found[10]
        steer = inputs[link[i, LINK_INPUT]]
        if par[i, HAS_SIGNAL] != 0.0:
            extra, _, _ = signal_at(data, pool + int(data[pool + STEERING]), time)
            steer += extra
        rim = inputs[link[i, LINK_INPUT] + 1]
        if par[i, HAS_SIGNAL] != 0.0:
            extra, _, _ = signal_at(data, pool + int(data[pool + RIM]), time)
            rim += extra
        ox, oy, oz = markers[o, 0], markers[o, 1], markers[o, 2]
        ax, ay, az = markers[a, 0] - ox, markers[a, 1] - oy, markers[a, 2] - oz
        bx, by, bz = markers[b, 0] - ox, markers[b, 1] - oy, markers[b, 2] - oz
        cx, cy, cz = markers[c, 0] - ox, markers[c, 1] - oy, markers[c, 2] - oz
        ux, uy, uz = markers[o, 3], markers[o, 4], markers[o, 5]
        avx, avy, avz = markers[a, 3] - ux, markers[a, 4] - uy, markers[a, 5] - uz
        bvx, bvy, bvz = markers[b, 3] - ux, markers[b, 4] - uy, markers[b, 5] - uz
        cvx, cvy, cvz = markers[c, 3] - ux, markers[c, 4] - uy, markers[c, 5] - uz
        # Distances from the road are linear in the material point: four dot products serve all wheels.
        height = (ox - found[2]) * nx + (oy - found[3]) * ny + (oz - found[4]) * nz
        rise_a, rise_b, rise_c = ax * nx + ay * ny + az * nz, bx * nx + by * ny + bz * nz, cx * nx + cy * ny + cz * nz
        climb = ux * nx + uy * ny + uz * nz
        climb_a = avx * nx + avy * ny + avz * nz
        climb_b = bvx * nx + bvy * ny + bvz * nz
        climb_c = cvx * nx + cvy * ny + cvz * nz
        hx, hy, hz, mx, my, mz = wheel_heading(ax, ay, az, nx, ny, nz, 0.0)
        cosine, sine = 1.0, 0.0
        if steer != 0.0:
            cosine, sine = math.cos(steer), math.sin(steer)
        # Speeds in the road plane are linear in the material point too; of the centre and of the three directors.
        fo, lo = ux * hx + uy * hy + uz * hz, ux * mx + uy * my + uz * mz
        fa, la = avx * hx + avy * hy + avz * hz, avx * mx + avy * my + avz * mz
        fb, lb = bvx * hx + bvy * hy + bvz * hz, bvx * mx + bvy * my + bvz * mz
        fc, lc = cvx * hx + cvy * hy + cvz * hz, cvx * mx + cvy * my + cvz * mz
        # Sums of the forces ahead, left and up, alone and times the material coordinates.
        s0 = s1 = s2 = 0.0
        p0 = p1 = p2 = 0.0
        q0 = q1 = q2 = 0.0
        r0 = r1 = r2 = 0.0
        for q in range(4):
            front = q < 2
            x = par[i, CORNERS + 3 * q]
            y = par[i, CORNERS + 3 * q + 1]
            z = par[i, CORNERS + 3 * q + 2]
            load, lifted = suspension_force(
                par[i, C_FRONT] if front else par[i, C_REAR],
                par[i, D_FRONT] if front else par[i, D_REAR],
                par[i, REST],
                height + x * rise_a + y * rise_b + z * rise_c,
                climb + x * climb_a + y * climb_b + z * climb_c,
            )
            rates[state + q] = 0.0
            if lifted:
                continue
            along = fo + x * fa + y * fb + z * fc
            across = lo + x * la + y * lb + z * lc
            turn_c, turn_s = (cosine, sine) if front else (1.0, 0.0)
            ahead = turn_c * along + turn_s * across
            left = turn_c * across - turn_s * along
            alpha, s = wheel_slip_original(ahead, -left, rim, front and par[i, DRIVEN] != 0.0)
            slip = -s if ahead >= 0.0 else s
            fx, fy, _ = call_tyre(int(par[i, TYRE]), (tyre, load, -states[state + q], slip, 0.0, ahead))
            push = turn_c * fx - turn_s * fy
            side = turn_s * fx + turn_c * fy
            s0 += push
            s1 += side
            s2 += load
            p0 += x * push
            p1 += x * side
            p2 += x * load
            q0 += y * push
            q1 += y * side
            q2 += y * load
            r0 += z * push
            r1 += z * side
            r2 += z * load
            lagged = states[state + q]
            if par[i, PLAIN_LAG] == 0.0:
                alpha = nearest_turn(alpha, lagged)
            rates[state + q] = lag_rate(alpha, lagged, par[i, LAG])
        t0, t1, t2 = s0 - p0 - q0 - r0, s1 - p1 - q1 - r1, s2 - p2 - q2 - r2
        assign(wrench, o, t0 * hx + t1 * mx + t2 * nx, t0 * hy + t1 * my + t2 * ny, t0 * hz + t1 * mz + t2 * nz)
        assign(wrench, a, p0 * hx + p1 * mx + p2 * nx, p0 * hy + p1 * my + p2 * ny, p0 * hz + p1 * mz + p2 * nz)
        assign(wrench, b, q0 * hx + q1 * mx + q2 * nx, q0 * hy + q1 * my + q2 * ny, q0 * hz + q1 * mz + q2 * nz)
        assign(wrench, c, r0 * hx + r1 * mx + r2 * nx, r0 * hy + r1 * my + r2 * ny, r0 * hz + r1 * mz + r2 * nz)


@step_kernel
def assign(wrench, m, fx, fy, fz):
    """A force without torque at a marker."""
    wrench[m, 0] = fx
    wrench[m, 1] = fy
    wrench[m, 2] = fz
    wrench[m, 3] = 0.0
    wrench[m, 4] = 0.0
    wrench[m, 5] = 0.0


@step_kernel(signature=ENERGY_SIGNATURE)
def carriage_medusa_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Energy of the four springs (1.34), lifted ones too."""
    for i in range(first, first + count):
        o = link[i, LINK_MARKERS]
        a = link[i, LINK_MARKERS + 1]
        b = link[i, LINK_MARKERS + 2]
        c = link[i, LINK_MARKERS + 3]
        pool = link[i, LINK_DATA]
        at = int(data[pool + ROAD])
        rows = int(data[pool + ROAD_ROWS])
        road = data[at : at + rows * COLUMNS].reshape((rows, COLUMNS))
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
    active: ClassVar[bool] = True
    world_direction: ClassVar[bool] = True
    input_names: ClassVar[tuple[str, ...]] = ("steer", "rim_speed")

    body: Any = quantity("", "chassis", refers_to="body")
    road: Any = quantity("", "road", refers_to="road")
    tyre: Any = quantity("", "tyre of all wheels", refers_to="tyre")
    corners: Any = quantity("m", "assembly points: left front, right front, left rear, right rear, body frame")
    stiffness: tuple[float, float] = quantity("N/m", "front and rear springs", positive=True)
    damping: tuple[float, float] = quantity("N*s/m", "front and rear dampers", minimum=0.0)
    rest: float = quantity("m", "distance from the road with the spring relaxed")
    lag: float = quantity("s", "lag of the slip angle", positive=True)
    lag_turn: str = quantity("", "how the lagged angle turns", "short", choices=("short", "program"))
    steer: Any = quantity("rad", "steering angle of the front wheels, left positive: number or signal", 0.0)
    rim_speed: Any = quantity("m/s", "rim speed of the driven front wheels: number or signal; 0 rolls freely", 0.0)

    def faults(self) -> list[Fault]:
        return super().faults() + self.signal_faults("steer") + self.signal_faults("rim_speed")

    def place(self, scene: Scene) -> Placement:
        road, tyre = scene.find(self.road), scene.find(self.tyre)
        plain = [isinstance(value, int | float) for value in (self.steer, self.rim_speed)]
        steer = scene.pack_signal(0.0 if plain[0] else self.steer)
        rim = scene.pack_signal(0.0 if plain[1] else self.rim_speed)
        row, table = tyre.pack(), road.shared_table()
        after = DATA_HEAD + len(steer)
        data = [DATA_HEAD, after, len(row), 0.0, table.shape[0], after + len(row), *steer, *row, *rim]
        position, _ = scene.pose(self.body)
        return Placement(
            affine_markers(self.body),
            par=[
                *self.stiffness,
                *self.damping,
                self.rest,
                self.lag,
                float(not plain[1] or self.rim_speed != 0.0),
                float(handle_of(type(tyre).law)),
                float(not all(plain)),
                *(float(x) for corner in self.corners for x in corner),
                float(self.lag_turn == "program"),
            ],
            data=data,
            states=[0.0] * 4,
            state_names=[
                (f"slip_angle_{name}", "rad") for name in ("left_front", "right_front", "left_rear", "right_rear")
            ],
            inputs=[float(self.steer) if plain[0] else 0.0, float(self.rim_speed) if plain[1] else 0.0],
            memory=[road.point(*position).s],
            shared={ROAD: table},
        )
