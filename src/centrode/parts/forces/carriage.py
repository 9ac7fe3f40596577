r"""Carriage: wheels of a road vehicle with suspensions, tyres, steering, drive and brakes, on any body and any road.

Signs as in :mod:`centrode.parts.suspensions.contract` and :mod:`centrode.parts.tyres.contract`. Wheels have no mass of
their own but their spin. For each wheel q with assembly point p_q the road is asked for its surface point p_r and
normal n; the wheel's heading e_x is the chassis' x axis laid into the road plane and turned by the steering, and
e_left = n x e_x. The strut stands along the chassis' own axis e_z, c = e_z . n, and meets the road at x:

    Delta = (p_q - p_r) . n / c,   x = p_q - Delta e_z,   Delta' = v_x . n / c                              (1)
    S = suspension(Delta, Delta') + bar (Delta_partner - Delta),   F_z = S / c                              (2)
    lifted where S <= 0, Delta >= rest length (a wheel in the air hangs at it) or c < 0.17 (it lies on its side)

Delta' is what keeps x on the road, (v_x - Delta' e_z) . n = 0, so F_z n at x does the work S Delta' of the strut: on a
road without friction springs keep their energy at any lean. The force acts where the wheel stands, x (``ground``; the
load transfer m a h / L follows), or at p_q along n, c = 1, as in the MEDUSA report (``assembly``); v is the velocity of
the chassis there, so a sliding tyre takes energy out.
With v_x = v . e_x, v_y = v . e_left, rim speed R w and relaxation lengths s:

    s_y u_y' = v_y - V_y u_y,    s_x u_x' = (R w - v_x) - V_x u_x                                           (3)
    (F_x, F_y, M_z) = mu tyre(F_z, atan z_y, z_x),    z_y = u_y + f T_y v_y / s_y,   z_x = ... (R w - v_x) / s_x   (4)

(Pacejka, Tire and Vehicle Dynamics, 3rd ed., sections 7.2 and 8.6). V = |v_x| for a wheel that rolls. At rest (3)
makes the tyre a spring, which holds a car on a slope without creep, and V keeps (z_x, z_y) within the circle B of what
friction holds of this load on this ground. The lengths s are those given while a wheel moves and shrink at rest, so
that a wheel that slid to a stop springs back by 0.3 mm (:mod:`centrode.parts.tyres.slip` derives V, B and s). f fades
from 1 at rest to 0 at ``low_speed``, T are the retardation times of the carcass, over the lengths given. Spinning
wheels:

    J w' = T_drive - T - R F_x,    T: brake, c_r R F_z and T_drag, Dahl's friction of :mod:`carriage_torques`   (5), (6)

A braked wheel locks and stays locked; its torque is less under anti-lock brakes (:mod:`anti_lock`) and more in a jam of
a damaged wheel (:mod:`wheel_damage`). T_drag is the drag of the engine on the driven wheels. Rolling wheels
(``wheels: rolling``) have no spin (:mod:`carriage_rolling`). Ackermann steering, with x from the rear axle:
steer_q = atan2(x_q sin steer, L cos steer - y_q sin steer).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import NO_GROUND, Fault
from centrode.jit import step_kernel
from centrode.math.sincos import sine_cosine
from centrode.math.vector import ZERO, cross, dot, plus, plus_times, times, vector
from centrode.parts.affine import affine_force, affine_markers, affine_motion, affine_velocity
from centrode.parts.forces.carriage_record import (
    CARRIAGE,
    CARRIAGE_WIDTH,
    FOUND_WIDTH,
    ROAD,
    ROLLING_STATES,
    SPINNING_STATES,
    WHEEL,
    open_rolling,
    open_spinning,
    opened,
    pack_wheels,
)
from centrode.parts.forces.carriage_rolling import lock_share, rolling_forces
from centrode.parts.forces.carriage_torques import holding_torque, spin_rates
from centrode.parts.forces.carriage_wheels import (
    LEAST_UPRIGHT,
    bar_twist,
    carcass_energy,
    held_slips,
    read_road,
    tyre_forces,
    wheel_axes,
    wheel_push,
)
from centrode.parts.forces.force import Force
from centrode.parts.forces.rollover import NEXT_QUARTER, UPRIGHT, quarter_off, side_at_start
from centrode.parts.forces.wheel_damage import WheelDamage, wheel_faults
from centrode.parts.hooks import Moment
from centrode.parts.kernel_notes import kernel_handle
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
from centrode.parts.roads.road_point import bare_point
from centrode.parts.signals.signal import signal_at, varying
from centrode.parts.tyres.grip import share_of_ground
from centrode.parts.tyres.slip import (
    STUCK,
    angle_of,
    carcass_length,
    carcass_share,
    circle_state,
    relaxed_rate,
    share_rate,
    wear_speed,
)
from centrode.parts.visual import Layer, Visual, VisualScene, VisualWheel
from centrode.parts.visual import vector as vector_of

# Memory: road parameter, wheels that are lifted (bits), off the road + 2 x quarter turns, what the next event changes
# (bits: wheels, edge of the road, a quarter turn to the right, to the left).
HINT, LIFTED, LIES, PENDING = 0, 1, 2, 3
SLACK = 2.0  # B - b at low_speed (3)
TOUCH_DOWN = 1.0  # [N] a lifted wheel counts as down again above this


@step_kernel
def ackermann_angle(carriage, steer, turned, place):
    """Angle of a steered wheel at a place of the chassis [rad]; ``turned``: sine and cosine of the steering angle."""
    if carriage.ackermann == 0.0 or steer == 0.0:
        return steer
    sine, cosine = turned
    return angle_of((place[0] - carriage.rear) * sine, carriage.wheelbase * cosine - place[1] * sine)


@step_kernel
def commanded(data, signal, time, value, low, high):
    """Input plus signal, within limits."""
    extra, _, _ = signal_at(data, signal, time)
    return min(max(value + extra, low), high)


@step_kernel
def slip_rate(state, slide, ahead, wear, length, load):
    """Rate of a relaxed slip (3); in the air it fades with the way, at 1 m/s at least."""
    if load <= 0.0:
        return -max(abs(ahead), 1.0) * state / length
    return relaxed_rate(state, slide, wear, length)


@step_kernel
def seen_slips(wheel, share, side, slip, aside, slide):
    """z across and ahead (4): deflection and damping of the carcass."""
    return (
        side + share * wheel.retard_side * aside / wheel.relax_side,
        slip + share * wheel.retard_ahead * slide / wheel.relax_ahead,
    )


@step_kernel
def wear_speeds(held, seen, aside, ahead, slide, lengths, low, locked):
    """V of (3) across and ahead [m/s], at steady lengths.

    Args:
        held, seen: B and z, across and ahead.
        locked: as far as the wheel is, both deflections share one circle; a wheel with spin has no other [1].
    """
    across, along = seen[0] / held[0], seen[1] / held[1]
    back = circle_state(across, locked * along, aside, locked * slide)
    wear_side = wear_speed(ahead, back, held[0], lengths[0], low)
    if locked < 1.0:
        back = circle_state(locked * across, along, locked * aside, slide)
    return wear_side, wear_speed(ahead, back, held[1], lengths[1], low)


@step_kernel
def lengths_of(wheel, share):
    """Relaxation lengths across and ahead [m] at a share c of them."""
    return (
        carcass_length(share, wheel.relax_side, wheel.least_side),
        carcass_length(share, wheel.relax_ahead, wheel.least_ahead),
    )


@step_kernel(signature=FORCE_SIGNATURE)
def carriage_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """Suspension and tyre forces of every wheel of every carriage, (1) to (6)."""
    for i in range(first, first + count):
        pool, u = link[i, LINK_DATA], link[i, LINK_INPUT]
        carriage, wheels, found, road = opened(data, pool)
        n = wheels.size
        chassis = affine_motion(markers, link[i, LINK_MARKERS:])
        memory[i, HINT] = read_road(time, road, memory[i, HINT], chassis, wheels, found, carriage.ground != 0.0)
        limit = carriage.steer_limit
        steer = commanded(data, pool + int(carriage.steer_signal), time, inputs[u], -limit, limit)
        drive = commanded(data, pool + int(carriage.drive_signal), time, inputs[u + 1], -1.0, 1.0)
        brake = commanded(data, pool + int(carriage.brake_signal), time, inputs[u + 2], 0.0, 1.0)
        turned = sine_cosine(steer)
        low, spinning = carriage.low_speed, carriage.spinning != 0.0
        stride = SPINNING_STATES if spinning else ROLLING_STATES
        sum_f, sum_x, sum_y, sum_z = ZERO, ZERO, ZERO, ZERO
        for q in range(n):
            wheel, under = wheels[q], found[q]
            push, _, toe, camber = wheel_push(par[i], data, pool, wheels, found, q)
            load = max(push, 0.0) / under.upright
            under.friction = share_of_ground(under.friction, wheel, load)
            normal = vector(under.normal, 0)
            at = vector(under.contact, 0)
            angle = -wheel.hand * toe
            if wheel.steered != 0.0:
                angle += wheel.steered * ackermann_angle(carriage, steer, turned, at)
            v = affine_velocity(chassis, at)
            heading, left = wheel_axes(chassis.directors[0], normal, angle)
            ahead, aside = dot(v, heading), dot(v, left)
            own = link[i, LINK_STATE] + q * stride
            shaped = open_rolling(states, own)
            side, slip, share = shaped.side, shaped.ahead, shaped.share
            rim = 0.0
            if spinning:
                state = open_spinning(states, own)
                rim = wheel.radius * state.spin
            slide = rim - ahead
            rubs = slide if spinning else 0.0
            commands = (steer, drive, holding_torque(carriage, wheel, time, brake, ahead, rubs))
            square = ahead * ahead + aside * aside + rubs * rubs
            slack = SLACK * square / (low * low)
            seen, held = (side, slip), (slack, slack)
            wear = wear_side = abs(ahead)
            lengths, change = lengths_of(wheel, share), share_rate(share, square, low)
            law, row = int(par[i, n + q]), data[pool + int(wheel.tyre_first) : pool + int(wheel.tyre_end)]
            # Of a wheel that rolls, with slips well within the slack, (3) and (4) say just this.
            if not (spinning and square >= low * low and side * side + slip * slip < (STUCK * slack) ** 2):
                speed = math.sqrt(square)
                seen = seen_slips(wheel, carcass_share(speed, low), side, slip, aside, slide)
                held = held_slips(wheel, under.friction, load, slack)
                locked = 1.0
                if not spinning:
                    locked = lock_share(law, row, carriage, wheel, under.friction, load, ahead, speed, commands)
                wear_side, wear = wear_speeds(held, seen, aside, ahead, slide, lengths, low, locked)
            shaping = open_rolling(rates, own)
            grows = max(change, 0.0)
            wear_side += grows * (wheel.relax_side - wheel.least_side)
            wear += grows * (wheel.relax_ahead - wheel.least_ahead)
            shaping.side = slip_rate(side, aside, ahead, wear_side, lengths[0], load)
            shaping.ahead = slip_rate(slip, slide, ahead, wear, lengths[1], load)
            shaping.share = change
            fx, fy, moment = ZERO
            if load > 0.0:
                lean = -wheel.hand * camber
                pure = seen if spinning else (seen[0], 0.0)
                fx, fy, moment = tyre_forces(law, row, under.friction, load, lean, pure, ahead, low)
            if spinning:
                spin_rates(carriage, wheel, load, commands, fx, state, open_spinning(rates, own))
            elif load > 0.0:
                fx, fy = rolling_forces(
                    law, row, carriage, wheel, under.friction, load, ahead, seen, held[1], commands, fy
                )
            under.load, under.force_ahead, under.force_side = load, fx, fy
            if load > 0.0:
                force = plus_times(plus_times(times(fx, heading), fy, left), load, normal)
                sum_f = plus(sum_f, force)
                # The moment is a couple: M n x d_1 at X + e_1/2, its negative at X - e_1/2.
                sum_x = plus_times(plus_times(sum_x, at[0], force), moment, cross(normal, chassis.directors[0]))
                sum_y = plus_times(sum_y, at[1], force)
                sum_z = plus_times(sum_z, at[2], force)
        affine_force(wrench, link[i, LINK_MARKERS:], sum_f, (sum_x, sum_y, sum_z))


@step_kernel(signature=ENERGY_SIGNATURE)
def carriage_energy(time, first, count, par, link, data, inputs, memory, markers, states, energy):
    """Suspensions and bars, carcasses, and the spin of the wheels [J]."""
    for i in range(first, first + count):
        pool = link[i, LINK_DATA]
        carriage, wheels, found, road = opened(data, pool)
        n = wheels.size
        chassis = affine_motion(markers, link[i, LINK_MARKERS:])
        read_road(time, road, memory[i, HINT], chassis, wheels, found, carriage.ground != 0.0)
        energy[i] = 0.0
        for q in range(n):
            wheel = wheels[q]
            push, stored, _, _ = wheel_push(par[i], data, pool, wheels, found, q)
            energy[i] += stored
            own = link[i, LINK_STATE] + q * (SPINNING_STATES if carriage.spinning != 0.0 else ROLLING_STATES)
            shaped = open_rolling(states, own)
            slip = shaped.ahead if carriage.spinning != 0.0 else 0.0
            row = data[pool + int(wheel.tyre_first) : pool + int(wheel.tyre_end)]
            slips, lengths = (shaped.side, slip), lengths_of(wheel, shaped.share)
            load = push / found[q].upright
            friction, low = share_of_ground(found[q].friction, wheel, load), carriage.low_speed
            energy[i] += carcass_energy(int(par[i, n + q]), row, wheel, friction, load, slips, lengths, low)
            if int(wheel.partner) > q:
                twist = bar_twist(wheels, found, q)
                energy[i] += 0.5 * wheel.bar * twist * twist
            if carriage.spinning != 0.0:
                spin = open_spinning(states, own).spin
                energy[i] += 0.5 * wheel.spin_inertia * spin * spin


@step_kernel(signature=EVENT_SIGNATURE)
def carriage_event(time, first, count, par, link, data, inputs, memory, markers, states, multipliers, values):
    """Least of: load of the standing wheels, TOUCH_DOWN minus push of the lifted ones, +1 / -1 for the road's edge,
    what is left to the next quarter turn [rad].

    The wheels and the edge that the event concerns are kept as bits, for what happens next.
    """
    for i in range(first, first + count):
        pool = link[i, LINK_DATA]
        _, wheels, found, road = opened(data, pool)
        n = wheels.size
        lifted = int(memory[i, LIFTED])
        least = 1e30
        off = 0.0
        pending = 0
        for q in range(n):
            push, _, _, _ = wheel_push(par[i], data, pool, wheels, found, q)
            value = TOUCH_DOWN - push if (lifted >> q) & 1 else push
            if value <= 1e-6:
                pending |= 1 << q
            least = min(least, value)
            if found[q].status != 0.0:
                off = 1.0
        lies = math.floor(memory[i, LIES] / 2.0)
        if off != memory[i, LIES] - 2.0 * lies:
            pending |= 1 << n
            least = min(least, -1.0)
        chassis = affine_motion(markers, link[i, LINK_MARKERS:])
        turned = 0.0
        if lies != 0.0 or chassis.directors[2][2] < UPRIGHT:
            x, y, z = chassis.centre
            foot = bare_point(road, memory[i, HINT], x, y, z)
            turned = quarter_off(chassis.directors, (foot[8], foot[9], foot[10]), lies)
        if NEXT_QUARTER - abs(turned) <= 1e-6:
            pending |= 1 << (n + 1 if turned > 0.0 else n + 2)
        least = min(least, NEXT_QUARTER - abs(turned))
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
    example: ClassVar[dict[str, Any] | None] = {
        "body": "a",
        "road": "road",
        "tyres": "tyre",
        "suspensions": "suspension",
        "places": ((1.2, 0.7, 0.1), (1.2, -0.7, 0.1), (-1.3, 0.7, 0.1), (-1.3, -0.7, 0.1)),
    }

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
    retardation: tuple[float, float] = quantity(
        "s", "damping of the carcass at walking pace, across and ahead", (0.3, 0.03), minimum=0.0
    )
    low_speed: float = quantity("m/s", "speed at which that damping has faded out", 2.0, positive=True)
    steered: Any = quantity("1", "share of the steering at each wheel; empty: the front axle", ())
    ackermann: bool = quantity("", "each steered wheel stands square to the turning circle", True)
    steer_limit: float = quantity("rad", "largest steering angle", 0.6, positive=True, maximum=1.4)
    driven: str = quantity("", "driven wheels", "front", choices=("front", "rear", "all"))
    drive_torque: float = quantity("N*m", "largest drive torque, all wheels together", 3000.0, minimum=0.0)
    power: float = quantity("W", "largest power of the drive", 100e3, positive=True)
    brake_torque: float = quantity("N*m", "largest brake torque, all wheels together", 8000.0, minimum=0.0)
    brake_front: float = quantity("1", "share of the front axle in braking", 0.6, minimum=0.0, maximum=1.0)
    brake_shares: tuple[float, ...] = quantity(
        "1", "share of each wheel in the brake torque; by brake_front when left out", (), minimum=0.0
    )
    anti_lock: float = quantity("1", "slip that anti-lock brakes hold; 0: none", 0.0, minimum=0.0, maximum=0.5)
    engine_drag: float = quantity("N*m", "drag of the engine without drive, all driven wheels", 0.0, minimum=0.0)
    damage: tuple[WheelDamage, ...] = quantity("", "wheels that are jammed or torn off from a time on", ())
    rolling_resistance: float = quantity("1", "rolling resistance per load", 0.0, minimum=0.0)
    anti_roll: tuple[float, float] = quantity("N/m", "anti-roll bars, front and rear", (0.0, 0.0), minimum=0.0)
    steer: Any = varying("rad", "steering angle, left positive: number or signal", 0.0)
    drive: Any = varying("1", "share of the drive torque, -1 to 1: number or signal", 0.0)
    brake: Any = varying("1", "share of the brake torque, 0 to 1: number or signal", 0.0)
    speed: float = quantity("m/s", "speed for which the wheels turn at the start", 0.0)
    spins: Any = quantity("rad/s", "spin of each wheel at the start; for that speed when left out", ())
    slips: Any = quantity("1", "relaxed slips across and ahead and grip of the brake of each wheel at the start", ())

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not found and len(self.places) < 2:
            found.append(Fault("a carriage needs two wheels at least", f"{self.name}.places", got=len(self.places)))
        for field in ("tyres", "suspensions"):
            given = getattr(self, field)
            count = len(given) if isinstance(given, list | tuple) else 1
            if count not in (1, 2, len(self.places)):
                found.append(Fault("one for all, one per axle or one per wheel", f"{self.name}.{field}", got=count))
        return found + wheel_faults(self, self.wheel_names())

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
        suspensions = [scene.find(name) for name in spread(self.suspensions, front)]
        tyres = [scene.find(name) for name in spread(self.tyres, front)]
        laws = [float(kernel_handle(part, "law")) for part in (*suspensions, *tyres)]
        own = self._own(count, road.shared_table().shape[0])
        signals: list[float] = []
        inputs = []
        for field in ("steer", "drive", "brake"):
            value = getattr(self, field)
            plain = isinstance(value, int | float)
            inputs.append(float(value) if plain else 0.0)
            own[f"{field}_signal"] = CARRIAGE_WIDTH + len(signals)
            signals += scene.pack_signal(0.0 if plain else value)
        own.found = CARRIAGE_WIDTH + len(signals)
        own.wheels = own.found + count * FOUND_WIDTH
        load = self.static_load(scene)
        wheels = pack_wheels(self._wheels(front), suspensions, tyres, road, load, int(own.wheels))
        position, rotation = scene.pose(self.body)
        lifted, off = 0, 0.0
        for q, suspension in enumerate(suspensions):
            at = position + rotation @ np.asarray(self.places[q], dtype=float)
            under = road.point(*at)
            off = 1.0 if under.status else off
            upright = float(rotation[:, 2] @ under.normal) if self.force_point == "ground" else 1.0
            if upright < LEAST_UPRIGHT or (at - under.position) @ under.normal >= upright * suspension.rest_length:
                lifted |= 1 << q
        states, names = self._states(self.wheels == "spin")
        lies = side_at_start(rotation, road.point(*position).normal)
        return Placement(
            affine_markers(self.body),
            par=laws,
            data=[*np.atleast_1d(own).view(np.float64).tolist(), *signals, *[0.0] * (count * FOUND_WIDTH), *wheels],
            states=states,
            state_names=names,
            inputs=inputs,
            memory=[road.point(*position).s, float(lifted), off + 2.0 * lies],
            shared={ROAD: road.shared_table()},
        )

    def static_load(self, scene: Scene) -> float:
        """Load of a wheel at rest [N], all alike."""
        load = scene.body_mass(self.body) * float(np.linalg.norm(scene.gravity)) / len(self.places)
        return load if load > 0.0 else 3000.0

    def _own(self, count: int, road_rows: int) -> Any:
        """The CARRIAGE record, without the places of its data."""
        own = np.zeros(1, CARRIAGE)[0]
        x = [float(p[0]) for p in self.places]
        own.count, own.road_rows = count, road_rows
        own.ground, own.spinning = self.force_point == "ground", self.wheels == "spin"
        own.wheelbase, own.rear = max(x) - min(x), min(x)
        own.rolling = self.rolling_resistance
        for field in (
            *("ackermann", "drive_torque", "power", "brake_torque", "low_speed", "steer_limit"),
            *("engine_drag", "anti_lock"),
        ):
            own[field] = getattr(self, field)
        return own

    def _wheels(self, front: list[bool]) -> np.ndarray:
        """WHEEL records of what the carriage itself knows: places, shares, bars."""
        count = len(front)
        steered = list(self.steered) or [float(ahead) for ahead in front]
        driven = [self.driven == "all" or ahead == (self.driven == "front") for ahead in front]
        fronts, rears = max(sum(front), 1), max(count - sum(front), 1)
        wheels = np.zeros(count, WHEEL)
        for q, (wheel, ahead) in enumerate(zip(wheels, front, strict=True)):
            wheel.place[:] = self.places[q]
            wheel.radius, wheel.spin_inertia = self.radius, self.spin_inertia
            wheel.relax_side, wheel.relax_ahead = self.relaxation
            wheel.retard_side, wheel.retard_ahead = self.retardation
            wheel.steered = steered[q]
            wheel.drive_share = float(driven[q]) / max(sum(driven), 1)
            wheel.brake_share = self.brake_front / fronts if ahead else (1.0 - self.brake_front) / rears
            if self.brake_shares:
                wheel.brake_share = self.brake_shares[q]
            harm = [item for item in self.damage if item.wheel == self.wheel_names()[q]]
            wheel.jammed_from = min((item.jammed_from for item in harm), default=math.inf)
            wheel.lost_from = min((item.lost_from for item in harm), default=math.inf)
            wheel.partner = partner_of(self.places, q)
            wheel.bar = self.anti_roll[0] if ahead else self.anti_roll[1]
        return wheels

    def _states(self, spinning: bool) -> tuple[list[float], list[tuple[str, str]]]:
        states: list[float] = []
        names: list[tuple[str, str]] = []
        for q, name in enumerate(self.wheel_names()):
            given = [float(v) for v in self.slips[q]] if len(self.slips) else []
            across, ahead, grip = (*given, 0.0, 0.0, 0.0)[:3]
            states += [across, ahead, 1.0]
            # The slip of a rolling wheel is the one that it would have if it were locked.
            along = "slip_ahead" if spinning else "slip_locked"
            names += [(f"{name}.slip_side", "1"), (f"{name}.{along}", "1"), (f"{name}.relaxation", "1")]
            if spinning:
                spin = float(self.spins[q]) if len(self.spins) else self.speed / self.radius
                states += [spin, 0.0, grip]
                names += [(f"{name}.spin", "rad/s"), (f"{name}.angle", "rad"), (f"{name}.brake_grip", "rad")]
        return states, names

    def visuals(self, scene: VisualScene) -> list[Visual]:
        """Wheels that hang at their relaxed suspensions; a vehicle that built the carriage draws its own."""
        found: list[Visual] = []
        spinning, front = self.wheels == "spin", self.front_wheels()
        steered = list(self.steered) or front
        suspensions = [scene.find(name) for name in spread(self.suspensions, front)]
        for q, name in enumerate(self.wheel_names()):
            place = vector_of(self.places[q])
            hub = (place[0], place[1], place[2] - suspensions[q].rest_length + self.radius)
            wheel = VisualWheel(
                self.body,
                position=hub,
                radius=self.radius,
                width=0.6 * self.radius,
                spin_channel=f"{self.name}.{name}.angle" if spinning else "",
                steer_channel=f"{self.name}.steer" if steered[q] else "",
                rolls=not spinning,
                layer=Layer.DETAIL,
            )
            found += [wheel, *suspensions[q].drawn(self.body, place, hub)]
        return found

    def on_event(self, moment: Moment) -> tuple[str, dict[str, float]]:
        """Note which wheels are lifted and whether the road is left, and say what happened."""
        memory = moment.memory
        pending, count = int(memory[PENDING]), len(self.places)
        if pending >> (count + 1):
            return self._quarter_turn(moment, 1 if (pending >> (count + 1)) & 1 else -1)
        if (pending >> count) & 1:
            left = memory[LIES] % 2.0 == 0.0
            memory[LIES] += 1.0 if left else -1.0
            return ("road left" if left else "back on the road"), {}
        wheels = [q for q in range(count) if (pending >> q) & 1]
        before = int(memory[LIFTED])
        for q in wheels:
            memory[LIFTED] = float(int(memory[LIFTED]) ^ (1 << q))
        risen = bool(wheels) and not (before >> wheels[0]) & 1
        figures = {"wheel": float(wheels[0]) if wheels else -1.0}
        every, upright = (1 << count) - 1, memory[LIES] // 2.0 == 0.0
        if upright and int(memory[LIFTED]) == every:
            return "airborne", figures
        if upright and before == every and not risen:
            return "landed", figures
        return ("wheel lift" if risen else "wheel down"), figures

    def _quarter_turn(self, moment: Moment, by: int) -> tuple[str, dict[str, float]]:
        """The vehicle lies on its next side, to the right (1) or to the left (-1)."""
        before = int(moment.memory[LIES] // 2.0)
        moment.memory[LIES] += 2.0 * by
        if moment.workspace.model.contacts is None:
            return NO_GROUND, {}
        kind = "rolled over" if abs(before + by) > abs(before) else "rolled back"
        return kind, {"quarter_turns": float(before + by)}


def spread(given: Any, front: list[bool]) -> list[Any]:
    """One name for all wheels, one per axle (front, rear), or one per wheel, as a list with one per wheel."""
    names = list(given) if isinstance(given, list | tuple) else [given]
    if len(names) == len(front) and len(names) != 2:
        return names
    return [names[0] if ahead or len(names) == 1 else names[1] for ahead in front]


def partner_of(places: Any, q: int) -> int:
    """Wheel at the other end of the same axle; the wheel itself when there is none."""
    for other, place in enumerate(places):
        if other != q and abs(place[0] - places[q][0]) < 1e-9:
            return other
    return q
