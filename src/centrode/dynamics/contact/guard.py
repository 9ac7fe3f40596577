"""Guard against outlines that pass through each other within a step, unseen or seen too late.

A contact is seen when some accepted state has an overlap. Between two settled states outlines i and j move relative to
each other by D; with half-widths t_i, t_j (the thinnest ones) nothing gets near the middle of the other while

    |D| <= (t_i + t_j) / 2,                                                                               (1)

so a step that keeps (1) for all pairs is safe: it costs one pass over the outlines. Where (1) fails and the swept
spheres meet, the run loop looks closer (:func:`find_passing`): the frames of both states are joined by straight
lines and the pair is searched at points less than (t_i + t_j) / 4 apart. A pair that was apart has passed

- when it overlaps on the way but not at the end, or is at the end pushed out on the other side than where it came in;
- when it is first seen deeper than (t_i + t_j) / 4: not passed yet, but too late for a force that knows the side;

and a pair in contact when its normal turned by more than 120 degrees in one step, or its depth exceeds t_i + t_j (no
least translation is longer): pushed through the middle. A contact
that begins and lasts less than about two steps, h sqrt(k / m) > 1.5, may be over before any state shows it, and
creates energy in all explicit methods; it is treated in the same way.

The loop then goes back and takes steps of (t_i + t_j) / (8 speed), and not more than 1/64 of the time that the contact
lasts, pi sqrt(m / k) with the stiffness of its law at touch. When that does not help, or would be too many, the run
stops and says what happened (:meth:`centrode.running.Session.advance`). Half-spaces cannot be passed: what is inside
one is seen at any depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from centrode.dynamics.contact.codes import WORK, WORK_INT
from centrode.dynamics.contact.narrow import closest
from centrode.dynamics.contact.pool import (
    BEFORE,
    BEFORE_TIME,
    BODIES,
    CORNERS,
    EXCLUDED,
    FLIPPED,
    GROUND_OUTLINES,
    LAST_TIME,
    NEAR,
    OUTLINE_A,
    OUTLINE_B,
    PLACED,
    RATES,
    ROWS,
    STIFF_CODE,
    STIFFEST,
    SUSPECT,
    read_table,
    table,
)
from centrode.errors import RunStop
from centrode.jit import step_kernel
from centrode.parts.contact_laws.contact_law import MEMORY
from centrode.parts.outlines.outline import BODY, RADIUS_BOUND, THICKNESS, largest_stretch

STEPS_PER_THICKNESS = 8.0
"""Steps in which a pair that would pass crosses half of its thickness when the loop goes back."""
STEPS_PER_CONTACT = 64.0
"""Steps in the time that its contact lasts."""
LATE = 0.25
"""Depth, in parts of the thickness, at which a contact that was apart is seen too late."""
STIFF = 1.5
"""Step times frequency of a contact beyond which it counts as not resolved; explicit methods are unstable at 2."""
OVERLAP = 0.02
"""Overlap on the way, in parts of the thickness, that counts: a graze shallower than that is not a passage."""


@step_kernel
def may_have_passed(pool, data, duration):
    """Whether some pair may have passed since the last settled state; then that state is kept, to be looked at."""
    rows = table(data, pool, ROWS)
    placed = table(data, pool, PLACED)
    before = table(data, pool, BEFORE)
    suspect = data[pool + FLIPPED] != 0.0 or data[pool + STIFFEST] * duration * duration > STIFF * STIFF
    if not suspect:
        data[pool + STIFFEST] = 0.0
    if duration > 0.0 and not suspect:
        m0, m1, m2 = 0.0, 0.0, 0.0
        moving = 0.0
        thinnest = math.inf
        for i in range(rows.shape[0]):
            thinnest = min(thinnest, rows[i, THICKNESS])
            if rows[i, BODY] > 0.0:
                moving += 1.0
                m0 += placed[i, 0] - before[i, 0]
                m1 += placed[i, 1] - before[i, 1]
                m2 += placed[i, 2] - before[i, 2]
        if data[pool + GROUND_OUTLINES] > 0.0 or moving == 0.0:
            m0, m1, m2 = 0.0, 0.0, 0.0
        else:  # only motion of the bodies against each other counts
            m0, m1, m2 = m0 / moving, m1 / moving, m2 / moving
        for i in range(rows.shape[0]):
            d0 = placed[i, 0] - before[i, 0] - m0
            d1 = placed[i, 1] - before[i, 1] - m1
            d2 = placed[i, 2] - before[i, 2] - m2
            # Of a pair that breaks (1) at least one has moved by half of it.
            reach = 0.25 * (rows[i, THICKNESS] + thinnest)
            if rows[i, BODY] > 0.0 and not d0 * d0 + d1 * d1 + d2 * d2 <= reach * reach:
                for j in range(rows.shape[0]):
                    if rows[j, BODY] != rows[i, BODY] and sweeps(
                        rows[i], before[i], placed[i], rows[j], before[j], placed[j]
                    ):
                        suspect = True
    if suspect:
        data[pool + SUSPECT] = 1.0
        return 1
    speeds = table(data, pool, RATES)
    for i in range(rows.shape[0]):
        for c in range(12):
            before[i, c] = placed[i, c]
        for c in range(3):
            before[i, 12 + c] = speeds[int(rows[i, BODY]), c]
    return 0


@step_kernel
def sweeps(row_a, from_a, to_a, row_b, from_b, to_b):
    """Whether a pair breaks (1) and its bounding spheres meet on the straight way between the two states."""
    c0, c1, c2 = from_b[0] - from_a[0], from_b[1] - from_a[1], from_b[2] - from_a[2]
    d0, d1, d2 = to_b[0] - to_a[0] - c0, to_b[1] - to_a[1] - c1, to_b[2] - to_a[2] - c2
    moved = d0 * d0 + d1 * d1 + d2 * d2
    thick = 0.5 * (row_a[THICKNESS] + row_b[THICKNESS])
    if moved <= thick * thick:
        return False
    share = min(max(-(c0 * d0 + c1 * d1 + c2 * d2) / moved, 0.0), 1.0)
    c0 += share * d0
    c1 += share * d1
    c2 += share * d2
    reach = row_a[RADIUS_BOUND] * largest_stretch(to_a) + row_b[RADIUS_BOUND] * largest_stretch(to_b)
    return c0 * c0 + c1 * c1 + c2 * c2 <= reach * reach


@dataclass(frozen=True)
class Passing:
    """A pair that passed through each other.

    Attributes:
        outlines: numbers of the two outlines.
        begin, end: times of the states before and after [s].
        speed: relative speed of their centres [m/s].
        step: step that sees them [s].
        how: "missed", "pushed" through while in contact, or "stiff": the contact is too short for the step.
    """

    outlines: tuple[int, int]
    begin: float
    end: float
    speed: float
    step: float
    how: str


def find_passing(data: np.ndarray, pool: int) -> Passing | None:
    """The pair that passed in the step that was just settled, or None: then the state is taken as seen."""
    if data[pool + SUSPECT] == 0.0:
        return None
    rows, placed, before = (read_table(data, pool, which) for which in (ROWS, PLACED, BEFORE))
    begin, end = float(data[pool + BEFORE_TIME]), float(data[pool + LAST_TIME])
    flipped = int(data[pool + FLIPPED])
    stiff = data[pool + STIFFEST] * (end - begin) ** 2 > STIFF * STIFF
    data[pool + FLIPPED] = data[pool + SUSPECT] = data[pool + STIFFEST] = 0.0
    pairs = [(i, j) for i in range(len(rows)) for j in range(i) if rows[i, BODY] != rows[j, BODY]]
    if flipped:
        near = read_table(data, pool, NEAR)[flipped - 1]
        pairs = [(int(near[OUTLINE_A]), int(near[OUTLINE_B]))]
    elif stiff:
        pairs = [divmod(int(data[pool + STIFF_CODE]), len(rows))]
    known = bool(flipped) or stiff
    bodies = len(read_table(data, pool, BODIES))
    excluded = set(read_table(data, pool, EXCLUDED)[:, 0].astype(int))
    found = None
    for a, b in pairs:
        one, two = sorted((int(rows[a, BODY]), int(rows[b, BODY])))
        if one * bodies + two in excluded:
            continue
        if not known and not sweeps(rows[a], before[a], placed[a], rows[b], before[b], placed[b]):
            continue
        if known or passes(rows, before, placed, read_table(data, pool, CORNERS), a, b):
            speed = float(np.linalg.norm(before[b, 12:] - before[a, 12:]))
            if speed == 0.0:  # it was at rest: what force did in the step is all there is
                speed = float(np.linalg.norm(way(before, placed, a, b))) / max(end - begin, 1e-300)
            thick = float(rows[a, THICKNESS] + rows[b, THICKNESS])
            step = min(thick / (STEPS_PER_THICKNESS * max(speed, 1e-300)), 0.5 * (end - begin))
            found = Passing((a, b), begin, end, speed, step, "pushed" if flipped else "stiff" if stiff else "missed")
            break
    before[:, :12] = placed
    before[:, 12:] = read_table(data, pool, RATES)[rows[:, BODY].astype(int), :3]
    return found


def passes(rows: np.ndarray, before: np.ndarray, placed: np.ndarray, corners: np.ndarray, a: int, b: int) -> bool:
    """Whether two outlines, apart before, overlap on the straight way and come out on the other side, or missed."""
    work, iwork, cold = np.zeros(WORK), np.zeros(WORK_INT, dtype=np.int64), np.zeros(3)
    thick = float(rows[a, THICKNESS] + rows[b, THICKNESS])

    def look(share: float) -> Any:
        frames = [before[k, :12] + share * (placed[k] - before[k, :12]) for k in (a, b)]
        return closest(rows[a], frames[0], rows[b], frames[1], corners, cold, work, iwork)

    if look(0.0)[0] < 0.0:
        return False  # in contact already: its normal is watched
    moved = float(np.linalg.norm(way(before, placed, a, b)))
    count = min(int(math.ceil(4.0 * moved / thick)), 4096)
    last = look(1.0)
    if last[0] < -LATE * thick:
        return True
    for k in range(1, count):
        seen = look(k / count)
        if seen[0] < -OVERLAP * thick:
            same_side = seen[1] * last[1] + seen[2] * last[2] + seen[3] * last[3]
            return bool(last[0] >= 0.0 or same_side < 0.0)
    return False


def way(before: np.ndarray, placed: np.ndarray, a: int, b: int) -> np.ndarray:
    """Motion of outline b relative to a between the two states [m]."""
    return np.asarray(placed[b, :3] - placed[a, :3] - before[b, :3] + before[a, :3])


def contact_time(law: Any, speed: float, mass: float, depth: float) -> float:
    """Time that a contact with a law lasts, pi sqrt(m/k), k from the force at a small depth [s]."""
    par, memory = law.pack(), np.zeros(MEMORY)
    begin, force, _ = type(law).kernels()
    begin(par, memory, speed, mass, 1.0, 1.0)
    push = float(force(par, memory, depth, 0.0, 0.0)[0])
    return math.pi * math.sqrt(mass * depth / push) if push > 0.0 else math.inf


def stop_at(passing: Passing, pair: str, reason: str) -> RunStop:
    """Why a run stopped at a passage, in words."""
    how = {
        "missed": "pass through each other, or are seen too late,",
        "pushed": "are pushed through each other",
        "stiff": "touch for less than two steps",
    }[passing.how]
    advice = f"a step of {passing.step:.3g} s or less would see it"
    if passing.how == "pushed":
        advice += "; a contact law that holds this speed is stiffer, an outline that lasts is thicker"
    return RunStop(
        reason,
        passing.begin,
        f"{pair} {how} between {passing.begin:.9g} s and {passing.end:.9g} s at {passing.speed:.4g} m/s",
        advice,
        {"speed": passing.speed, "step": passing.step},
    )
