"""Log of hard contacts: when pairs of outlines begin and cease to touch."""

from __future__ import annotations

from centrode.dynamics.hard.mobility import closing, relative_velocity
from centrode.dynamics.hard.tables import borrow_hard
from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, plus, plus_times, put, vector
from centrode.parts.outlines.outline import frame_at


@step_kernel
def note_touches(time, hard):
    """Begin and end of contact of all pairs; a pair touches in a step in which some impulse acts."""
    t = borrow_hard(hard)
    head = t.head[0]
    k = 0
    for number in range(head.pairs):
        pair = t.near[number]
        acting, first = -1, -1
        while k < head.points and t.contacts[k].pair == number:
            first = k if first < 0 else first
            if acting < 0 and t.contacts[k].impulse[0] > 0.0:
                acting = k
            k += 1
        if acting >= 0:
            point = t.contacts[acting]
            n = vector(point.normal, 0)
            put(pair.normal, 0, n)
            if pair.touching == 0:
                speed = -dot(closing(t.solids[point.a], t.solids[point.b], point)[0], n)
                log_touch(hard, 0, time, point.a, point.b, speed, touch_place(hard, point), n)
            pair.touching = 1
        elif pair.touching != 0:
            if first >= 0:
                point = t.contacts[first]
                speed = dot(relative_velocity(hard, point)[0], vector(point.normal, 0))
                n = vector(point.normal, 0)
                log_touch(hard, 1, time, point.a, point.b, speed, touch_place(hard, point), n)
            else:
                part(time, hard, pair)
            pair.touching = 0


@step_kernel
def touch_place(hard, point):
    """Where a point of contact is, world [m]."""
    t = borrow_hard(hard)
    if point.b > 0:
        return plus(vector(t.solids[point.b].position, 0), vector(point.arm_b, 0))
    return plus(vector(t.solids[point.a].position, 0), vector(point.arm_a, 0))


@step_kernel
def part(time, hard, pair):
    """Log the end of a contact of two outlines that are no longer near: as their middles move apart."""
    t = borrow_hard(hard)
    i, j = t.outlines[pair.a].body, t.outlines[pair.b].body
    n = vector(pair.normal, 0)
    speed = dot(minus(vector(t.solids[j].velocity, 0), vector(t.solids[i].velocity, 0)), n)
    frame = frame_at(t.placed[pair.b if i == 0 else pair.a])
    x = vector(pair.place[0], 0)
    place = plus_times(frame.position, x[0], frame.directors[0])
    place = plus_times(plus_times(place, x[1], frame.directors[1]), x[2], frame.directors[2])
    log_touch(hard, 1, time, i, j, speed, place, n)


@step_kernel
def log_touch(hard, ends, time, a, b, speed, place, n):
    """A line of the log."""
    t = borrow_hard(hard)
    head = t.head[0]
    if head.touch_count >= t.touches.shape[0]:
        head.lost += 1
        return
    line = t.touches[head.touch_count]
    head.touch_count += 1
    line.time, line.ends, line.speed, line.sides = time, ends, speed, 0.0
    line.bodies[0], line.bodies[1] = a, b
    put(line.point, 0, place)
    put(line.normal, 0, n)
