r"""Carriage: wheels of a road vehicle with suspensions, tyres, steering, drive and brakes, on any body and any road.

Frames and signs as in :mod:`centrode.parts.suspensions.wheel_slip` and :mod:`centrode.parts.tyres.contract`. For each
wheel q with assembly point p_q the road is asked for its surface point p_r and normal n:

    Delta = (p_q - p_r) . n,   Delta' = v_q . n                                                             (1)
    F_z = spring(Delta) + stop(Delta) + bar (Delta_partner - Delta) - D Delta',  lifted where F_z <= 0      (2)
    or Delta >= rest length (a wheel in the air hangs at it)

The force acts where the wheel stands, p_q - Delta n (``ground``; the load transfer m a h / L follows), or at p_q as
in the MEDUSA report (``assembly``); v is the velocity of the chassis there, so a sliding tyre always takes energy out.
With e_x the wheel heading, v_x = v . e_x, v_y = v . e_left, rim speed R w and relaxation lengths s:

    s_y u_y' = v_y - V u_y,    s_x u_x' = (R w - v_x) - V u_x,    V = max(|v_x|, |slide| / bound)           (3)
    (F_x, F_y, M_z) = mu tyre(F_z, atan(u_y + f T v_y / s_y), u_x + f T (R w - v_x) / s_x)                  (4)

(Pacejka, Tire and Vehicle Dynamics, 3rd ed., sections 7.2 and 8.6). At rest (3) makes the tyre a spring, which holds
a car on a slope without creep; f fades from 1 at rest to 0 at ``low_speed``, T is the retardation time of the carcass.
``bound`` is the slip at which the tyre saturates plus 10 (v/v_low)^2, so that a wheel that slid to a stop is not left
wound up. Spinning wheels:

    J w' = T_drive - T_brake - R F_x - c_r R F_z sign(w)                                                    (5)
    T_brake = B clip((z + T_b w) / z_0),    z' = w_c - |w_c| z / z_0,   w_c = w within +-5 rad/s             (6)

(6) is Dahl's friction: it slides at B and sticks elastically, so that a braked wheel locks and stays locked. Rolling
wheels (``wheels: rolling``) have no spin: a torque becomes the force T / R, cut at the tyre's largest; the side force
shrinks with the ellipse of both. Ackermann steering, with t = tan(steer) and x from the rear axle:
tan(steer_q) = x_q t / (L - y_q t).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault
from centrode.jit import step_kernel
from centrode.parts.affine import affine_clear, affine_inverse, affine_markers, affine_place, affine_push
from centrode.parts.forces.carriage_wheels import read_road, relaxed_rate, spring_store, tyre_forces, wheel_load
from centrode.parts.forces.force import Force
from centrode.parts.hooks import Moment
from centrode.parts.kernel_types import (
    ENERGY_SIGNATURE,
    EVENT_SIGNATURE,
    FORCE_SIGNATURE,
    LINK_DATA,
    LINK_INPUT,
    LINK_MARKERS,
    LINK_STATE,
)
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene
from centrode.parts.roads.contract import COLUMNS
from centrode.parts.signals.signal import signal_at
from centrode.parts.suspensions.wheel_record import (
    BAR,
    BRAKE_SHARE,
    CONTACT,
    DEFLECTION,
    DRIVE_SHARE,
    FORCE_AHEAD,
    FORCE_SIDE,
    FRICTION,
    LOAD,
    NORMAL,
    PARTNER,
    PLACE_X,
    PLACE_Y,
    PLACE_Z,
    RADIUS,
    RELAX_AHEAD,
    RELAX_SIDE,
    SATURATION_AHEAD,
    SATURATION_SIDE,
    SCRATCH_WIDTH,
    SPIN_INERTIA,
    STATUS,
    STEERED,
    WHEEL_WIDTH,
    pack_wheels,
)
from centrode.parts.suspensions.wheel_slip import wheel_heading

# Parameters of a row.
COUNT, GROUND, SPINNING, ACKERMANN, WHEELBASE, REAR = 0, 1, 2, 3, 4, 5
DRIVE_TORQUE, POWER, BRAKE_TORQUE, ROLLING, RETARDATION, LOW_SPEED, STEER_LIMIT = 6, 7, 8, 9, 10, 11, 12
# The carriage's own data: relative offsets of signals, wheels, scratch; absolute offset of the shared road table.
STEER_SIGNAL, DRIVE_SIGNAL, BRAKE_SIGNAL, WHEELS, SCRATCH, ROAD, ROAD_ROWS, HEAD = 0, 1, 2, 3, 4, 5, 6, 7
# Internal states of a spinning wheel; a rolling one has the first only.
SIDE, AHEAD, SPIN, ANGLE, GRIP = 0, 1, 2, 3, 4
SPINNING_STATES, ROLLING_STATES = 5, 1
# Memory: road parameter, wheels that are lifted (bits), off the road, what the next event changes (bits).
HINT, LIFTED, OFF, PENDING = 0, 1, 2, 3
GRIP_ANGLE, GRIP_RATE, GRIP_TIME = 0.02, 5.0, 0.005
TOUCH_DOWN = 1.0  # [N] a lifted wheel counts as down again above this
ROLL_EPS = 0.1  # [rad/s] rolling resistance fades below this spin
CREEP = 0.05  # [m/s] the same for rolling wheels, and for their brakes


@step_kernel
def steer_of(par, i, steer, x, y):
    """Angle of one steered wheel [rad]."""
    if par[i, ACKERMANN] == 0.0 or steer == 0.0:
        return steer
    t = math.tan(steer)
    return math.atan((x - par[i, REAR]) * t / (par[i, WHEELBASE] - y * t))


@step_kernel
def commanded(data, pool, signal, time, value, low, high):
    """Input plus signal, within limits."""
    extra, _, _ = signal_at(data, pool + int(data[pool + signal]), time)
    return min(max(value + extra, low), high)


@step_kernel(signature=FORCE_SIGNATURE)
def carriage_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Suspension and tyre forces of every wheel of every carriage, (1) to (6)."""
    for i in range(first, first + count):
        o = link[i, LINK_MARKERS]
        a = link[i, LINK_MARKERS + 1]
        b = link[i, LINK_MARKERS + 2]
        c = link[i, LINK_MARKERS + 3]
        pool = link[i, LINK_DATA]
        u = link[i, LINK_INPUT]
        affine_clear(wrench, o, a, b, c)
        wheels = pool + int(data[pool + WHEELS])
        scratch = pool + int(data[pool + SCRATCH])
        at = int(data[pool + ROAD])
        road = data[at : at + int(data[pool + ROAD_ROWS]) * COLUMNS].reshape((int(data[pool + ROAD_ROWS]), COLUMNS))
        n = int(par[i, COUNT])
        memory[i, HINT] = read_road(road, memory[i, HINT], n, data, wheels, scratch, markers, o, a, b, c)
        limit = par[i, STEER_LIMIT]
        steer = commanded(data, pool, STEER_SIGNAL, time, inputs[u], -limit, limit)
        drive = commanded(data, pool, DRIVE_SIGNAL, time, inputs[u + 1], -1.0, 1.0)
        brake = commanded(data, pool, BRAKE_SIGNAL, time, inputs[u + 2], 0.0, 1.0)
        spinning = par[i, SPINNING] != 0.0
        low = par[i, LOW_SPEED]
        inverse = affine_inverse(markers, o, a, b, c)
        dx, dy, dz = (
            markers[a, 0] - markers[o, 0],
            markers[a, 1] - markers[o, 1],
            markers[a, 2] - markers[o, 2],
        )
        for q in range(n):
            wheel = wheels + q * WHEEL_WIDTH
            row = scratch + q * SCRATCH_WIDTH
            own = link[i, LINK_STATE] + q * (SPINNING_STATES if spinning else ROLLING_STATES)
            load = max(wheel_load(data, pool, wheels, scratch, q), 0.0)
            nx, ny, nz = data[row + NORMAL], data[row + NORMAL + 1], data[row + NORMAL + 2]
            x, y, z = data[wheel + PLACE_X], data[wheel + PLACE_Y], data[wheel + PLACE_Z]
            if par[i, GROUND] != 0.0:
                d = data[row + DEFLECTION]
                x -= d * (inverse[0] * nx + inverse[1] * ny + inverse[2] * nz)
                y -= d * (inverse[3] * nx + inverse[4] * ny + inverse[5] * nz)
                z -= d * (inverse[6] * nx + inverse[7] * ny + inverse[8] * nz)
            vx, vy, vz = affine_place(markers, o, a, b, c, x, y, z, 3)
            angle = 0.0
            if data[wheel + STEERED] != 0.0:
                angle = data[wheel + STEERED] * steer_of(par, i, steer, data[wheel + PLACE_X], data[wheel + PLACE_Y])
            ex, ey, ez, lx, ly, lz = wheel_heading(dx, dy, dz, nx, ny, nz, angle)
            ahead = vx * ex + vy * ey + vz * ez
            left = vx * lx + vy * ly + vz * lz
            radius = data[wheel + RADIUS]
            torque = drive * par[i, DRIVE_TORQUE] * data[wheel + DRIVE_SHARE]
            hold = brake * par[i, BRAKE_TORQUE] * data[wheel + BRAKE_SHARE]
            spin = states[own + SPIN] if spinning else ahead / radius
            most = par[i, POWER] * data[wheel + DRIVE_SHARE]
            if abs(torque * spin) > most:
                torque = math.copysign(most / abs(spin), torque)
            slide = radius * spin - ahead
            side = states[own + SIDE]
            fx = fy = moment = 0.0
            total = math.sqrt(slide * slide + left * left + ahead * ahead)
            if load > 0.0:
                rates[own + SIDE] = relaxed_rate(
                    side, left, ahead, total, data[wheel + RELAX_SIDE], data[wheel + SATURATION_SIDE], low
                )
                fx, fy, moment = tyre_forces(
                    data,
                    pool,
                    wheel,
                    load,
                    data[row + FRICTION],
                    side,
                    states[own + AHEAD] if spinning else 0.0,
                    left,
                    slide,
                    ahead,
                    low,
                    par[i, RETARDATION],
                )
            else:
                rates[own + SIDE] = -max(abs(ahead), 1.0) * side / data[wheel + RELAX_SIDE]
            if spinning:
                slip = states[own + AHEAD]
                rates[own + AHEAD] = -max(abs(ahead), 1.0) * slip / data[wheel + RELAX_AHEAD]
                if load > 0.0:
                    rates[own + AHEAD] = relaxed_rate(
                        slip, slide, ahead, total, data[wheel + RELAX_AHEAD], data[wheel + SATURATION_AHEAD], low
                    )
                slow = min(max(spin, -GRIP_RATE), GRIP_RATE)
                grip = (states[own + GRIP] + GRIP_TIME * spin) / GRIP_ANGLE
                rates[own + GRIP] = slow - abs(slow) * states[own + GRIP] / GRIP_ANGLE  # (6)
                torque -= hold * min(max(grip, -1.0), 1.0)
                torque -= par[i, ROLLING] * radius * load * min(max(spin / ROLL_EPS, -1.0), 1.0)
                rates[own + SPIN] = (torque - radius * fx) / data[wheel + SPIN_INERTIA]  # (5)
                rates[own + ANGLE] = spin
            elif load > 0.0:
                against = min(max(ahead / CREEP, -1.0), 1.0)
                fx = (torque - hold * against) / radius - par[i, ROLLING] * load * against
                most, _, _ = tyre_forces(
                    data,
                    pool,
                    wheel,
                    load,
                    data[row + FRICTION],
                    0.0,
                    math.copysign(1.0, fx),
                    0.0,
                    0.0,
                    ahead,
                    low,
                    0.0,
                )
                most = abs(most)
                fx = min(max(fx, -most), most)
                if fx != 0.0:
                    fy *= math.sqrt(max(1.0 - fx * fx / (most * most), 0.0))
            data[row + LOAD] = load
            data[row + FORCE_AHEAD] = fx
            data[row + FORCE_SIDE] = fy
            data[row + CONTACT] = x
            data[row + CONTACT + 1] = y
            data[row + CONTACT + 2] = z
            if load > 0.0:
                affine_push(
                    wrench,
                    o,
                    a,
                    b,
                    c,
                    x,
                    y,
                    z,
                    fx * ex + fy * lx + load * nx,
                    fx * ey + fy * ly + load * ny,
                    fx * ez + fy * lz + load * nz,
                )
                if moment != 0.0:  # a couple: f = M n x d_1 at X + e_1/2, -f at X - e_1/2
                    gx, gy, gz = (
                        moment * (ny * dz - nz * dy),
                        moment * (nz * dx - nx * dz),
                        moment * (nx * dy - ny * dx),
                    )
                    affine_push(wrench, o, a, b, c, x + 0.5, y, z, gx, gy, gz)
                    affine_push(wrench, o, a, b, c, x - 0.5, y, z, -gx, -gy, -gz)


@step_kernel(signature=ENERGY_SIGNATURE)
def carriage_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Springs, stops and bars, and the spin of the wheels [J]."""
    for i in range(first, first + count):
        o = link[i, LINK_MARKERS]
        a = link[i, LINK_MARKERS + 1]
        b = link[i, LINK_MARKERS + 2]
        c = link[i, LINK_MARKERS + 3]
        pool = link[i, LINK_DATA]
        wheels = pool + int(data[pool + WHEELS])
        scratch = pool + int(data[pool + SCRATCH])
        at = int(data[pool + ROAD])
        road = data[at : at + int(data[pool + ROAD_ROWS]) * COLUMNS].reshape((int(data[pool + ROAD_ROWS]), COLUMNS))
        n = int(par[i, COUNT])
        read_road(road, memory[i, HINT], n, data, wheels, scratch, markers, o, a, b, c)
        energy[i] = 0.0
        for q in range(n):
            wheel = wheels + q * WHEEL_WIDTH
            row = scratch + q * SCRATCH_WIDTH
            energy[i] += spring_store(data, pool, wheel, data[row + DEFLECTION])
            partner = int(data[wheel + PARTNER])
            if partner > q:
                twist = data[scratch + partner * SCRATCH_WIDTH + DEFLECTION] - data[row + DEFLECTION]
                energy[i] += 0.5 * data[wheel + BAR] * twist * twist
            if par[i, SPINNING] != 0.0:
                spin = states[link[i, LINK_STATE] + q * SPINNING_STATES + SPIN]
                energy[i] += 0.5 * data[wheel + SPIN_INERTIA] * spin * spin


@step_kernel(signature=EVENT_SIGNATURE)
def carriage_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """Least of: load of the standing wheels, TOUCH_DOWN minus push of the lifted ones, +1 / -1 for the road's edge.

    The wheels and the edge that the event concerns are kept as bits, for what happens next.
    """
    for i in range(first, first + count):
        pool = link[i, LINK_DATA]
        wheels = pool + int(data[pool + WHEELS])
        scratch = pool + int(data[pool + SCRATCH])
        n = int(par[i, COUNT])
        lifted = int(memory[i, LIFTED])
        least = 1e30
        off = 0.0
        pending = 0
        for q in range(n):
            push = wheel_load(data, pool, wheels, scratch, q)
            value = TOUCH_DOWN - push if (lifted >> q) & 1 else push
            if value <= 1e-6:
                pending |= 1 << q
            least = min(least, value)
            if data[scratch + q * SCRATCH_WIDTH + STATUS] != 0.0:
                off = 1.0
        if off != memory[i, OFF]:
            pending |= 1 << n
            least = min(least, -1.0)
        memory[i, PENDING] = float(pending)
        values[i] = least


WHEEL_NAMES = ("left_front", "right_front", "left_rear", "right_rear")


@dataclass(frozen=True)
class Carriage(Force):
    """Wheels with suspensions and tyres on a body."""

    kind: ClassVar[str] = "carriage"
    force_kernel: ClassVar[Any] = carriage_force
    energy_kernel: ClassVar[Any] = carriage_energy
    event_kernel: ClassVar[Any] = carriage_event
    events_optional: ClassVar[bool] = True
    works_in_plane: ClassVar[bool] = False
    external: ClassVar[bool] = True
    active: ClassVar[bool] = True
    world_direction: ClassVar[bool] = True
    input_names: ClassVar[tuple[str, ...]] = ("steer", "drive", "brake")

    body: Any = quantity("", "chassis", refers_to="body")
    road: Any = quantity("", "road", refers_to="road")
    tyres: Any = quantity("", "tyre of all wheels, of each axle, or of each wheel", refers_to="tyre")
    suspensions: Any = quantity("", "suspension of all wheels, of each axle, or of each wheel", refers_to="suspension")
    places: Any = quantity("m", "assembly points, body frame; four: left and right front, left and right rear")
    radius: float = quantity("m", "rolling radius", 0.3, positive=True)
    spin_inertia: float = quantity("kg*m2", "moment of inertia of one wheel about its axle", 1.0, positive=True)
    wheels: str = quantity("", "with spin, or rolling without mass", "spin", choices=("spin", "rolling"))
    force_point: str = quantity("", "where tyre forces act", "ground", choices=("ground", "assembly"))
    relaxation: tuple[float, float] = quantity("m", "relaxation lengths across and ahead", (0.3, 0.15), positive=True)
    retardation: float = quantity("s", "damping of the carcass at walking pace", 0.03, minimum=0.0)
    low_speed: float = quantity("m/s", "speed at which that damping has faded out", 2.0, positive=True)
    steered: Any = quantity("1", "share of the steering at each wheel; empty: the front axle", ())
    ackermann: bool = quantity("", "each steered wheel stands square to the turning circle", True)
    steer_limit: float = quantity("rad", "largest steering angle", 0.6, positive=True, maximum=1.4)
    driven: str = quantity("", "driven wheels", "front", choices=("front", "rear", "all"))
    drive_torque: float = quantity("N*m", "largest drive torque, all wheels together", 3000.0, minimum=0.0)
    power: float = quantity("W", "largest power of the drive", 100e3, positive=True)
    brake_torque: float = quantity("N*m", "largest brake torque, all wheels together", 8000.0, minimum=0.0)
    brake_front: float = quantity("1", "share of the front axle in braking", 0.6, minimum=0.0, maximum=1.0)
    rolling_resistance: float = quantity("1", "rolling resistance per load", 0.0, minimum=0.0)
    anti_roll: tuple[float, float] = quantity("N/m", "anti-roll bars, front and rear", (0.0, 0.0), minimum=0.0)
    steer: Any = quantity("rad", "steering angle, left positive: number or signal", 0.0)
    drive: Any = quantity("1", "share of the drive torque, -1 to 1: number or signal", 0.0)
    brake: Any = quantity("1", "share of the brake torque, 0 to 1: number or signal", 0.0)
    speed: float = quantity("m/s", "speed for which the wheels turn at the start", 0.0)
    slips: Any = quantity("1", "relaxed slips across and ahead and grip of the brake of each wheel at the start", ())

    def faults(self) -> list[Fault]:
        found = super().faults()
        for field in ("steer", "drive", "brake"):
            found += self.signal_faults(field)
        if not found and len(self.places) < 3:
            found.append(Fault("a carriage needs three wheels at least", f"{self.name}.places", got=len(self.places)))
        for field in ("tyres", "suspensions"):
            given = getattr(self, field)
            count = len(given) if isinstance(given, list | tuple) else 1
            if count not in (1, 2, len(self.places)):
                found.append(Fault("one for all, one per axle or one per wheel", f"{self.name}.{field}", got=count))
        return found

    def input_range(self, name: str) -> tuple[float, float]:
        return {"steer": (-self.steer_limit, self.steer_limit), "drive": (-1.0, 1.0), "brake": (0.0, 1.0)}[name]

    def front_wheels(self) -> list[bool]:
        """Which wheels stand ahead of the middle."""
        x = [float(place[0]) for place in self.places]
        middle = 0.5 * (max(x) + min(x))
        return [value > middle for value in x]

    def wheel_names(self) -> tuple[str, ...]:
        """Names of the wheels for channels."""
        return WHEEL_NAMES if len(self.places) == 4 else tuple(f"wheel{q}" for q in range(len(self.places)))

    def place(self, scene: Scene) -> Placement:
        count, front = len(self.places), self.front_wheels()
        road = scene.find(self.road)
        table = road.shared_table()
        data = [0.0] * HEAD
        inputs = []
        for slot, value in ((STEER_SIGNAL, self.steer), (DRIVE_SIGNAL, self.drive), (BRAKE_SIGNAL, self.brake)):
            plain = isinstance(value, int | float)
            inputs.append(float(value) if plain else 0.0)
            data[slot] = float(len(data))
            data += scene.pack_signal(0.0 if plain else value)
        data[SCRATCH], data[ROAD_ROWS] = float(len(data)), float(table.shape[0])
        data += [0.0] * (count * SCRATCH_WIDTH)
        data[WHEELS] = float(len(data))
        load = scene.body_mass(self.body) * float(np.linalg.norm(scene.gravity)) / count
        data += pack_wheels(
            self.places,
            [scene.find(name) for name in spread(self.suspensions, front)],
            [scene.find(name) for name in spread(self.tyres, front)],
            self._columns(front),
            load if load > 0.0 else 3000.0,
            len(data),
        )
        position, rotation = scene.pose(self.body)
        suspensions = [scene.find(name) for name in spread(self.suspensions, front)]
        lifted, off = 0, 0.0
        for q, suspension in enumerate(suspensions):
            at = position + rotation @ np.asarray(self.places[q], dtype=float)
            under = road.point(*at)
            off = 1.0 if under.status else off
            if (at - under.position) @ under.normal >= suspension.rest_length:
                lifted |= 1 << q
        x = [float(p[0]) for p in self.places]
        spinning = self.wheels == "spin"
        states, names = self._states(spinning)
        return Placement(
            affine_markers(self.body),
            par=[
                float(count),
                float(self.force_point == "ground"),
                float(spinning),
                float(self.ackermann),
                max(x) - min(x),
                min(x),
                self.drive_torque,
                self.power,
                self.brake_torque,
                self.rolling_resistance,
                self.retardation,
                self.low_speed,
                self.steer_limit,
            ],
            data=data,
            states=states,
            state_names=names,
            inputs=inputs,
            memory=[road.point(*position).s, float(lifted), off],
            shared={ROAD: table},
        )

    def _columns(self, front: list[bool]) -> dict[int, Sequence[float]]:
        count = len(front)
        steered = list(self.steered) or [float(ahead) for ahead in front]
        driven = [self.driven == "all" or ahead == (self.driven == "front") for ahead in front]
        fronts, rears = max(sum(front), 1), max(count - sum(front), 1)
        return {
            RADIUS: [self.radius] * count,
            SPIN_INERTIA: [self.spin_inertia] * count,
            RELAX_SIDE: [self.relaxation[0]] * count,
            RELAX_AHEAD: [self.relaxation[1]] * count,
            STEERED: steered,
            DRIVE_SHARE: [float(flag) / max(sum(driven), 1) for flag in driven],
            BRAKE_SHARE: [self.brake_front / fronts if ahead else (1.0 - self.brake_front) / rears for ahead in front],
            PARTNER: [_partner(self.places, q) if self._bar(front[q]) > 0.0 else -1.0 for q in range(count)],
            BAR: [self._bar(ahead) for ahead in front],
        }

    def _bar(self, ahead: bool) -> float:
        return float(self.anti_roll[0] if ahead else self.anti_roll[1])

    def _states(self, spinning: bool) -> tuple[list[float], list[tuple[str, str]]]:
        states: list[float] = []
        names: list[tuple[str, str]] = []
        for q, name in enumerate(self.wheel_names()):
            given = [float(v) for v in self.slips[q]] if len(self.slips) else []
            across, ahead, grip = (*given, 0.0, 0.0, 0.0)[:3]
            states.append(across)
            names.append((f"{name}.slip_side", "1"))
            if spinning:
                states += [ahead, self.speed / self.radius, 0.0, grip]
                names += [
                    (f"{name}.slip_ahead", "1"),
                    (f"{name}.spin", "rad/s"),
                    (f"{name}.angle", "rad"),
                    (f"{name}.brake_grip", "rad"),
                ]
        return states, names

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]]:
        """Note which wheels are lifted and whether the road is left, and say what happened."""
        memory = moment.memory
        pending, count = int(memory[PENDING]), len(self.places)
        if (pending >> count) & 1:
            memory[OFF] = 1.0 - memory[OFF]
            return ("road left" if memory[OFF] else "back on the road"), {}
        wheels = [q for q in range(count) if (pending >> q) & 1]
        before = int(memory[LIFTED])
        for q in wheels:
            memory[LIFTED] = float(int(memory[LIFTED]) ^ (1 << q))
        risen = bool(wheels) and not (before >> wheels[0]) & 1
        return ("wheel lift" if risen else "wheel down"), {"wheel": float(wheels[0]) if wheels else -1.0}


def spread(given: Any, front: list[bool]) -> list[Any]:
    """One name for all wheels, one per axle (front, rear), or one per wheel, as a list with one per wheel."""
    names = list(given) if isinstance(given, list | tuple) else [given]
    if len(names) == len(front) and len(names) != 2:
        return names
    return [names[0] if ahead or len(names) == 1 else names[1] for ahead in front]


def _partner(places: Any, q: int) -> float:
    """Wheel at the other end of the same axle; -1 when there is none."""
    for other, place in enumerate(places):
        if other != q and abs(place[0] - places[q][0]) < 1e-9:
            return float(other)
    return -1.0
