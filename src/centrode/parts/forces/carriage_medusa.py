"""Carriage of the MEDUSA report (1999): four massless wheels on struts, exactly as its program reads the road.

Per car one road query at the centre of mass; per wheel the strut (1.17) along the road normal, the slip angle over the
full turn with the lag (1.27), slip on the two front wheels when driven, and all forces at the assembly point. A lifted
wheel has no force and no lag rate. Signs and clamps as the program has them (tyre option ``original``); the carriage
for daily use is :mod:`centrode.parts.forces.carriage`.

One thing is not as in the program unless asked for (``lag_turn: program``). The program takes alpha = atan2(v.e_y,
v.e_x) over the full turn as a plain number, which jumps from pi to -pi at a wheel that rolls straight back, from 0 to
pi at one that comes to roll back, and over all of this at one that stands: the lag leads the force through every
direction in between, cars are pushed aside where they turn back, and parked ones chatter and creep. Here the lag
follows alpha folded as the force law folds it (remark 2: alpha and pi - alpha are one force), a, and below V_0 = 0.5
m/s it is one of the way V_0 tau instead of the time tau,

    tau alpha_lag' = c (a - alpha_lag),   c = min(V / V_0, 1),   V the speed of the wheel on the road         (1)
    alpha_seen = alpha_lag + 2 c (1 - c) (a - alpha_lag)                                                      (2)

so that a standing wheel keeps its angle and with it its side force: a spring with the bound of the tyre, which holds a
car across a slope. At a small speed v across, a = pi/2: with the stiffness C of all wheels and the mass m it has
omega^2 = pi C / (2 m V_0 tau). By (2) a swing decays at the rate tau omega^2; by itself (1.52), which takes the lag
before the step, lets it grow at h omega^2 / 2, and steps h are no longer than tau. From V_0 on all is as in the report.

Wheels that are locked (``parked``, all four; 1999 had none) or driven at a rim speed below V_0 (TIRE_SPEED 0.001 for a
brake) stop, where s = 1 - rim speed / v_x has no value: a spring that holds and a bound, ahead as well as across,

    S = (v_x - rim speed) / |v_x| within -1 and 1,    c = min(W / V_0, 1),    W^2 = v^2 + (v_x - rim speed)^2
    tau u' = c (S - u),    s = u + c (2 - c) (S - u)                                                          (3)

S is the slip of (1.19) with its clamp (remark 3) of a wheel that rolls ahead, and brakes one that rolls back.

    Delta_q = (x_q - x_road) . e_3,   F_z = -(C (Delta_q - Delta) + D Delta_q')                     (1.17)
    F = F_x e_x + F_y e_left + F_z e_3                                                              (1.16)
    tau alpha_lag' + alpha_lag = alpha                                                              (1.27)
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault
from centrode.jit import call_by_address, step_kernel
from centrode.math.record import float_record, open_table, record_opener
from centrode.math.sincos import sine_cosine
from centrode.math.vector import ZERO, dot, minus, plus, plus_times, turn, turn_back, vector
from centrode.parts.affine import affine_force, affine_markers, affine_motion, affine_place
from centrode.parts.forces.carriage_wheels import wheel_axes
from centrode.parts.forces.force import Force
from centrode.parts.kernel_notes import kernel_handle
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
from centrode.parts.signals.signal import signal_at, varying
from centrode.parts.suspensions.strut import spring_and_damper
from centrode.parts.tyres.contract import TYRE_SIGNATURE
from centrode.parts.tyres.slip import angle_of, lag_rate

call_tyre = call_by_address(TYRE_SIGNATURE)

CARRIAGE_MEDUSA = float_record(
    *("rest", "lag", "plain_lag", "driven", "parked", "holds", "has_signal", "steer_signal", "rim_signal"),
    *("tyre_first", "tyre_end", "road", "road_rows"),
    stiffness=2,
    damping=2,
    corners=12,
)
"""The carriage's own data; places of signals and tyre row count from here, the road's from the start of the pool."""
WIDTH = CARRIAGE_MEDUSA.itemsize // 8
open_car = record_opener(CARRIAGE_MEDUSA)
WHEELS = ("left_front", "right_front", "left_rear", "right_rear")
SLIP_ANGLES, SLIPS = tuple(f"slip_angle_{name}" for name in WHEELS), tuple(f"slip_{name}" for name in WHEELS)
STANDING = 0.5
"""V_0 of (1) [m/s]: chosen. A way of V_0 tau, 0.8 mm for model 1, is steps long, and below walking speed."""
ROAD = CARRIAGE_MEDUSA.names.index("road")  # type: ignore[union-attr]


@step_kernel
def folded(alpha):
    """The angle within a quarter turn that has the same side force [rad], remark 2."""
    if abs(alpha) <= 0.5 * math.pi:
        return alpha
    return math.copysign(math.pi, alpha) - alpha


@step_kernel
def slip_of_1999(forward_speed, right_speed, rim_speed, driven):
    """Slip angle and slip of the 1999 program in its own signs (right positive, braking positive), eq. (1.19).

    alpha = atan2(v.e_y, v.e_x) over the full turn; s = 1 - rim speed / (v.e_x) on driven wheels, else exactly 0. Where
    v.e_x vanishes against the rim speed a driven wheel gets s = -1, the value that the program's clamp gives there.
    """
    alpha = angle_of(right_speed, forward_speed)
    if not driven:
        return alpha, 0.0
    if abs(rim_speed) >= 1.0e6 * abs(forward_speed):
        return alpha, -1.0
    return alpha, 1.0 - rim_speed / forward_speed


@step_kernel
def holding_slip(held, ahead, aside, rim_speed, lag):
    """Slip s of a wheel that stops, braking positive, and the rate of its state u, (3)."""
    slide = ahead - rim_speed
    wanted = min(max(slide / max(abs(ahead), 1e-12), -1.0), 1.0)
    share = min(math.sqrt(ahead * ahead + aside * aside + slide * slide) / STANDING, 1.0)
    return held + share * (2.0 - share) * (wanted - held), share * lag_rate(wanted, held, lag)


@step_kernel
def in_frame(frame, m):
    """Components of three vectors (rows of m) along the three axes (rows of the frame)."""
    return turn(frame, m[0]), turn(frame, m[1]), turn(frame, m[2])


@step_kernel(signature=FORCE_SIGNATURE)
def carriage_medusa_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Struts and tyres of every car, in the axes ahead, left, up of its road.

    Distance and velocity are linear in the material point: centre and three directors serve all wheels.
    """
    for i in range(first, first + count):
        pool, state, u = link[i, LINK_DATA], link[i, LINK_STATE], link[i, LINK_INPUT]
        car = open_car(data, pool)
        road = open_table(data, int(car.road), int(car.road_rows), COLUMNS)
        tyre = data[pool + int(car.tyre_first) : pool + int(car.tyre_end)]
        chassis = affine_motion(markers, link[i, LINK_MARKERS:])
        x, y, z = chassis.centre
        foot = road_point(road, memory[i, 0], x, y, z)
        memory[i, 0] = foot[0]
        normal = (foot[8], foot[9], foot[10])
        steer, rim = inputs[u], inputs[u + 1]
        if car.has_signal != 0.0:
            extra, _, _ = signal_at(data, pool + int(car.steer_signal), time)
            steer += extra
            extra, _, _ = signal_at(data, pool + int(car.rim_signal), time)
            rim += extra
        heading, left = wheel_axes(chassis.directors[0], normal, 0.0)
        frame = (heading, left, normal)
        height = dot(minus(chassis.centre, (foot[2], foot[3], foot[4])), normal)
        rise = turn(chassis.directors, normal)
        flow, flow_x = turn(frame, chassis.velocity), in_frame(frame, chassis.director_rates)
        cosine, sine = 1.0, 0.0
        if steer != 0.0:
            sine, cosine = sine_cosine(steer)
        sum_f, sum_x, sum_y, sum_z = ZERO, ZERO, ZERO, ZERO
        for q in range(4):
            axle = q // 2
            front = axle == 0
            corner = vector(car.corners, 3 * q)
            v = plus_times(
                plus_times(plus_times(flow, corner[0], flow_x[0]), corner[1], flow_x[1]), corner[2], flow_x[2]
            )
            load, _ = spring_and_damper(
                car.stiffness[axle], car.damping[axle], car.rest, height + dot(corner, rise), v[2]
            )  # (1.17)
            rates[state + q] = 0.0
            if car.holds != 0.0:
                rates[state + 4 + q] = 0.0
            if load <= 0.0:  # lifted
                continue
            c, s = (cosine, sine) if front else (1.0, 0.0)
            ahead, aside = c * v[0] + s * v[1], c * v[1] - s * v[0]
            lagged = states[state + q]
            alpha, braking = slip_of_1999(ahead, -aside, rim, front and car.driven != 0.0)
            slip, travel = -braking if ahead >= 0.0 else braking, ahead
            if car.parked != 0.0 or (car.holds != 0.0 and front):
                braking, rates[state + 4 + q] = holding_slip(states[state + 4 + q], ahead, aside, rim, car.lag)
                slip, travel = -braking, 1.0
            follow, seen = 1.0, lagged
            if car.plain_lag == 0.0:
                alpha = folded(alpha)
                square = ahead * ahead + aside * aside
                if square < STANDING * STANDING:
                    follow = math.sqrt(square) / STANDING
                    seen += 2.0 * follow * (1.0 - follow) * (alpha - lagged)
            rates[state + q] = follow * lag_rate(alpha, lagged, car.lag)  # (1.27)
            fx, fy, _ = call_tyre(int(par[i, 0]), (tyre, load, -seen, slip, 0.0, travel))
            force = (c * fx - s * fy, s * fx + c * fy, load)  # (1.16)
            sum_f = plus(sum_f, force)
            sum_x = plus_times(sum_x, corner[0], force)
            sum_y = plus_times(sum_y, corner[1], force)
            sum_z = plus_times(sum_z, corner[2], force)
        moments = (turn_back(frame, sum_x), turn_back(frame, sum_y), turn_back(frame, sum_z))
        affine_force(wrench, link[i, LINK_MARKERS:], turn_back(frame, sum_f), moments)


@step_kernel(signature=ENERGY_SIGNATURE)
def carriage_medusa_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Energy of the four springs (1.34), lifted ones too."""
    for i in range(first, first + count):
        pool = link[i, LINK_DATA]
        car = open_car(data, pool)
        road = open_table(data, int(car.road), int(car.road_rows), COLUMNS)
        chassis = affine_motion(markers, link[i, LINK_MARKERS:])
        x, y, z = chassis.centre
        foot = road_point(road, memory[i, 0], x, y, z)
        energy[i] = 0.0
        for q in range(4):
            place = affine_place(chassis, vector(car.corners, 3 * q))
            distance = dot(minus(place, (foot[2], foot[3], foot[4])), (foot[8], foot[9], foot[10]))
            _, stored = spring_and_damper(car.stiffness[q // 2], 0.0, car.rest, distance, 0.0)
            energy[i] += stored


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
    steer: Any = varying("rad", "steering angle of the front wheels, left positive: number or signal", 0.0)
    rim_speed: Any = varying("m/s", "rim speed of the driven front wheels: number or signal; 0 rolls freely", 0.0)
    parked: bool = quantity("", "all wheels are locked; they hold the car where it stands", False)
    angles: tuple[float, float, float, float] = quantity("rad", "lagged slip angles at the start", (0.0,) * 4)
    slips: tuple[float, float, float, float] = quantity("1", "slips of wheels that hold, at the start", (0.0,) * 4)

    def faults(self) -> list[Fault]:
        """Also: parked wheels are not driven."""
        found = super().faults()
        if self.parked and not (isinstance(self.rim_speed, int | float) and self.rim_speed == 0.0):
            found.append(self.fault("rim_speed", "a parked car has no drive", got=self.rim_speed, expected="0"))
        return found

    @property
    def holds(self) -> bool:
        """Whether wheels have the states of (3)."""
        plain = isinstance(self.rim_speed, int | float)
        return self.parked or (self.lag_turn == "short" and plain and 0.0 < self.rim_speed < STANDING)

    def place(self, scene: Scene) -> Placement:
        road, tyre = scene.find(self.road), scene.find(self.tyre)
        plain = [isinstance(value, int | float) for value in (self.steer, self.rim_speed)]
        row, table = tyre.pack(), road.shared_table()
        own = np.zeros(1, CARRIAGE_MEDUSA)[0]
        own.stiffness[:], own.damping[:], own.corners[:] = self.stiffness, self.damping, np.ravel(self.corners)
        own.rest, own.lag, own.plain_lag = self.rest, self.lag, self.lag_turn == "program" and not self.parked
        own.parked, own.holds = self.parked, self.holds
        own.driven, own.has_signal = not plain[1] or self.rim_speed != 0.0, not all(plain)
        own.road_rows = table.shape[0]
        steer = scene.pack_signal(0.0 if plain[0] else self.steer)
        rim = scene.pack_signal(0.0 if plain[1] else self.rim_speed)
        own.steer_signal, own.rim_signal = WIDTH, WIDTH + len(steer)
        own.tyre_first = own.rim_signal + len(rim)
        own.tyre_end = own.tyre_first + len(row)
        position, _ = scene.pose(self.body)
        return Placement(
            affine_markers(self.body),
            par=[float(kernel_handle(tyre, "law"))],
            data=[*np.atleast_1d(own).view(np.float64).tolist(), *steer, *rim, *row],
            states=[*self.angles, *(self.slips if self.holds else ())],
            state_names=[(name, "rad") for name in SLIP_ANGLES] + [(name, "1") for name in SLIPS if self.holds],
            inputs=[float(self.steer) if plain[0] else 0.0, float(self.rim_speed) if plain[1] else 0.0],
            memory=[road.point(*position).s],
            shared={ROAD: table},
        )
