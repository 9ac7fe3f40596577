"""Guard against outlines that pass through each other within a step, unseen or seen too late.

A contact is seen when some accepted state has an overlap. Between two settled states outlines i and j move relative to
each other by D; with half-widths t_i, t_j (the thinnest ones) nothing gets near the middle of the other while

    |D| <= (t_i + t_j) / 2,                                                                               (1)

so a step that keeps (1) for all pairs is safe: it costs one pass over the outlines. Where (1) fails and the swept
spheres meet, the run loop looks closer (:func:`find_passing`): the frames of both states are joined by straight
lines and the pair is searched at points less than (t_i + t_j) / 4 apart. A pair that was apart has passed

- when it overlaps on the way but not at the end, or is at the end pushed out on the other side than where it came in;
- when it is first seen deeper than (t_i + t_j) / 4: not passed yet, but too late for a force that knows the side;

and a pair in contact when its normal turned by more than 120 degrees in one step (deeper than a graze: a touch at the
level of round-off has any normal), or its depth exceeds t_i + t_j (no least translation is longer): pushed through the
middle. A contact that begins and lasts less than about two steps, h sqrt(k / m) > 1.5, may be over before any state
shows it, and creates energy in all explicit methods; it is treated in the same way. A method of equal steps knows no
error: with fewer than twenty steps in a contact, h sqrt(k / m) > pi / 20 at any state that touches, the loop goes back
as well, and steps stay short while that contact lasts (:mod:`resolution`).
A pair that was apart, touched on the way and is apart again has grazed (:mod:`graze`).

The loop then goes back and takes steps of (t_i + t_j) / (8 speed), and not more than 1/64 of the time that the contact
lasts, pi sqrt(m / k) with the stiffness of its law at touch. When that does not help, or would be too many, the run
stops and says what happened (:mod:`centrode.methods.advance`). Half-spaces cannot be passed: what is inside
one is seen at any depth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from centrode.classes import dataclass
from centrode.dynamics.contact.broad import mean_motion, overlapping_spheres
from centrode.dynamics.contact.graze import DEEP_ENOUGH, SHORTER, find_graze, keep_way
from centrode.dynamics.contact.narrow import find_closest
from centrode.dynamics.contact.resolution import resolving_step
from centrode.dynamics.contact.tables import ContactBlock, borrow_contacts
from centrode.errors import RunStop
from centrode.jit import plain, step_kernel, types
from centrode.math.vector import dot, minus, plus_times, vector
from centrode.parts.contact_laws.contact_law import MEMORY
from centrode.parts.outlines.outline import PLACED

STEPS_PER_THICKNESS = 8.0
"""Steps in which a pair that would pass crosses half of its thickness when the loop goes back."""
STEPS_PER_CONTACT = 64.0
"""Steps in the time that its contact lasts."""
LATE = 0.25
"""Depth, in parts of the thickness, at which a contact that was apart is seen too late."""
STIFF = 1.5
"""Step times frequency of a contact from which methods with step control are told; explicit ones are unstable at 2."""
SHORTEST_ADVICE = 1e-7
"""No step shorter than that is worth an advice [s]: the law or the outlines are the trouble."""
OVERLAP = 0.02
"""Overlap on the way, in parts of the thickness, that counts: a graze shallower than that is not a passage."""


@step_kernel
def may_have_passed(contacts, duration):
    """Whether some pair may have passed since the last settled state; then that state is kept, to be looked at."""
    t = borrow_contacts(contacts)
    head = t.head[0]
    outlines = t.outlines
    suspect = head.flipped != 0 or too_stiff(head, duration)
    if not suspect:
        head.stiffest = 0.0
    if duration > 0.0 and not suspect:
        drift = mean_motion(outlines, t.placed, t.before, head.ground_outlines > 0)
        thinnest = math.inf
        for i in range(outlines.shape[0]):
            thinnest = min(thinnest, outlines[i].thickness)
        for i in range(outlines.shape[0]):
            d = minus(minus(vector(t.placed[i].position, 0), vector(t.before[i].position, 0)), drift)
            # Of a pair that breaks (1) at least one has moved by half of it.
            reach = 0.25 * (outlines[i].thickness + thinnest)
            if outlines[i].body > 0 and not dot(d, d) <= reach * reach:
                for j in range(outlines.shape[0]):
                    if outlines[j].body != outlines[i].body and sweeps(contacts, i, j):
                        suspect = True
    if suspect:
        head.suspect = 1
        return 1
    if duration > 0.0:
        k = find_graze(contacts, duration)
        if k > 0:
            head.suspect = 1 + k  # this pair has grazed
            return 1
    keep_places(contacts)
    return 0


@step_kernel
def too_stiff(head, duration):
    """Whether a contact of the step that was just made needs shorter ones."""
    limit = head.coarse if head.coarse > 0.0 else STIFF
    return head.stiffest * duration * duration > limit * limit


@step_kernel(signature=types.void(types.int64))
def keep_places(contacts):
    """Take the present frames and speeds of all outlines as those of the last settled state."""
    t = borrow_contacts(contacts)
    for i in range(t.outlines.shape[0]):
        keep_way(contacts, i)


@step_kernel(signature=types.UniTuple(types.vector, 2)(types.int64, types.int64, types.int64))
def way(contacts, a, b):
    """Place of outline b relative to a at the last settled state, and its motion relative to a since then [m]."""
    t = borrow_contacts(contacts)
    start = minus(vector(t.before[b].position, 0), vector(t.before[a].position, 0))
    return start, minus(minus(vector(t.placed[b].position, 0), vector(t.placed[a].position, 0)), start)


@step_kernel(signature=types.boolean(types.int64, types.int64, types.int64))
def sweeps(contacts, a, b):
    """Whether a pair breaks (1) and its bounding spheres meet on the straight way between the two states."""
    t = borrow_contacts(contacts)
    start, moved = way(contacts, a, b)
    square = dot(moved, moved)
    thick = 0.5 * (t.outlines[a].thickness + t.outlines[b].thickness)
    if square <= thick * thick:
        return False
    share = min(max(-dot(start, moved) / square, 0.0), 1.0)
    nearest = plus_times(start, share, moved)
    reach = t.placed[a].reach + t.placed[b].reach
    return dot(nearest, nearest) <= reach * reach


@dataclass(frozen=True)
class Passing:
    """A pair that passed through each other.

    Attributes:
        outlines: numbers of the two outlines.
        begin, end: times of the states before and after [s].
        speed: relative speed of their centres [m/s].
        step: step that sees them [s].
        how: "missed", "pushed" through while in contact, "stiff": the contact is too short for the step, or "grazed".
        touching: pairs of outlines that were in contact before.
    """

    outlines: tuple[int, int]
    begin: float
    end: float
    speed: float
    step: float
    how: str
    touching: tuple[tuple[int, int], ...] = ()


def find_passing(contacts: ContactBlock) -> Passing | None:
    """The pair that passed in the step that was just settled, or None: then the state is taken as seen."""
    t = contacts.tables
    head, outlines = t.head[0], t.outlines
    if not head.suspect:
        return None
    begin, end = float(head.before_time), float(head.last_time)
    graze = int(head.suspect) - 1
    flipped, stiff, pace = int(head.flipped), bool(plain(too_stiff)(head, end - begin)), float(head.stiffest)
    head.flipped = head.suspect = head.stiffest = 0
    pairs: Iterable[tuple[int, int]] = ()
    if flipped:
        pairs = [(int(t.near[flipped - 1].a), int(t.near[flipped - 1].b))]
    elif stiff:
        pairs = [divmod(int(head.stiff_code), len(outlines))]
    elif not graze:
        pairs = ((i, j) for i in range(len(outlines)) for j in range(i) if outlines[i].body != outlines[j].body)
    known = bool(flipped) or stiff
    excluded = set(t.excluded.tolist())
    found = None
    for a, b in pairs:
        one, two = sorted((int(outlines[a].body), int(outlines[b].body)))
        if one * len(t.bodies) + two in excluded or not (
            known or (sweeps(contacts.address, a, b) and passes(contacts, a, b))
        ):
            continue
        speed = float(np.linalg.norm(t.before[b].velocity - t.before[a].velocity))
        if speed == 0.0:  # it was at rest: what force did in the step is all there is
            speed = float(np.linalg.norm(way(contacts.address, a, b)[1])) / max(end - begin, 1e-300)
        thick = float(outlines[a].thickness + outlines[b].thickness)
        step = min(thick / (STEPS_PER_THICKNESS * max(speed, 1e-300)), 0.5 * (end - begin))
        if stiff and not flipped:
            step = min(step, resolving_step(pace))
        how = "pushed" if flipped else "stiff" if stiff else "missed"
        found = Passing((a, b), begin, end, speed, step, how, were_touching(contacts))
        break
    if found is None and not known:
        graze = graze or find_graze(contacts.address, end - begin)
        if graze:
            a, b = int(t.near[graze - 1].a), int(t.near[graze - 1].b)
            speed = float(np.linalg.norm(t.before[b].velocity - t.before[a].velocity))
            found = Passing((a, b), begin, end, speed, (end - begin) / SHORTER, "grazed")
    keep_places(contacts.address)
    return found


def look_on_the_way(contacts: ContactBlock, a: int, b: int, share: float) -> Any:
    """Closest points of two outlines at a share of the straight way from the state before to the one now."""
    t = contacts.tables
    placed = np.zeros(2, PLACED)
    placed["reach"] = math.inf  # the whole search, whatever the bounding spheres say
    for name in ("position", "directors"):
        before, now = t.before[name][[a, b]], t.placed[name][[a, b]]
        placed[name] = before + share * (now - before)
    query = (t.outlines[a], placed[0], t.outlines[b], placed[1], t.points, t.outline_kernels, t.faces, t.room[0])
    return find_closest(*query, (0.0, 0.0, 0.0), math.inf)


def were_touching(contacts: ContactBlock) -> tuple[tuple[int, int], ...]:
    """Pairs that touched at the state before, to a millionth of the thickness: a step too long for them throws bodies
    into others that are not to blame.
    """
    t = contacts.tables
    near_enough = DEEP_ENOUGH * float(t.outlines["thickness"].min())
    placed = t.placed.copy()
    for name in ("position", "directors"):
        placed[name] = t.before[name]
    excluded, found = set(t.excluded.tolist()), []
    for a, b in overlapping_spheres(t.outlines, placed):
        one, two = t.outlines[a], t.outlines[b]
        code = int(min(one.body, two.body)) * len(t.bodies) + int(max(one.body, two.body))
        # what is laid below a body on a curved road was laid for another one
        if code not in excluded and not (one.surface or two.surface):
            if look_on_the_way(contacts, int(a), int(b), 0.0).gap <= near_enough:
                found.append((int(a), int(b)))
    return tuple(found)


def passes(contacts: ContactBlock, a: int, b: int) -> bool:
    """Whether two outlines, apart before, overlap on the straight way and come out on the other side, or missed."""
    t = contacts.tables
    thick = float(t.outlines[a].thickness + t.outlines[b].thickness)

    def look(share: float) -> Any:
        return look_on_the_way(contacts, a, b, share)

    if look(0.0).gap < 0.0:
        return False  # in contact already: its normal is watched
    moved = float(np.linalg.norm(way(contacts.address, a, b)[1]))
    count = min(math.ceil(4.0 * moved / thick), 4096)
    last = look(1.0)
    if last.gap < -LATE * thick:
        return True
    for k in range(1, count):
        seen = look(k / count)
        if seen.gap < -OVERLAP * thick:
            return bool(last.gap >= 0.0 or dot(seen.normal, last.normal) < 0.0)
    return False


def contact_time(law: Any, speed: float, mass: float, depth: float) -> float:
    """Time that a contact with a law lasts, pi sqrt(m/k), k from the force at a small depth, or where it has used up
    the motion if that is deeper [s].
    """
    par, memory = law.pack(), np.zeros(MEMORY)
    begin, force, _ = type(law).kernels()
    begin(par, memory, speed, mass, 1.0, 1.0)
    lasts = math.inf
    for _ in range(6):  # d = v sqrt(m / k(d)), halfway each time, as for bristles
        push = float(force(par, memory, depth, 0.0, 0.0)[0])
        if not push > 0.0:
            break
        swing = math.sqrt(mass * depth / push)
        lasts = min(lasts, math.pi * swing)
        depth = max(depth, math.sqrt(depth * speed * swing))
    return lasts


def stop_at(passing: Passing, pair: str, reason: str, law: str) -> RunStop:
    """Why a run stopped at a passage, in words; ``law``: its contact law and how long its contacts last, in words."""
    how = {
        "missed": "pass through each other, or are seen too late,",
        "pushed": "are pushed through each other",
        "stiff": "touch for less than two steps",
    }[passing.how]
    words = [f"a step of {passing.step:.3g} s or less would see it"] if passing.step > SHORTEST_ADVICE else []
    if passing.how == "pushed":
        words = ["a contact law that holds this speed is stiffer, an outline that lasts is thicker", *words]
    if passing.how == "stiff":
        words.append(f"{law}; those of a softer law last longer, and `moreau` needs no steps within them")
    advice = "; ".join(words or ["take a stiffer law or thicker outlines"])
    return RunStop(
        reason,
        passing.begin,
        f"{pair} {how} in the {passing.end - passing.begin:.2g} s after {passing.begin:.6g} s at "
        f"{passing.speed:.3g} m/s",
        advice,
        {"speed": passing.speed, "step": passing.step},
    )
