"""How far two bodies in contact have slipped since the last accepted state, and what became of their bristle.

Both are functions of the frames then and now, not of velocities times a step. With x the centre of the patch now and y
then, material points of A: those at x now were at x_A, those at y then are at y_A now, B slipped over A by

    d = ((x_A - x_B) + (y_B - y_A)) / 2,                                                                  (1)

exactly zero for bodies that move as one, exact to the third order of a step for a centre that wanders, as when a box
rocks or a ball rolls. It lies in the plane of the mean normal, and is turned as the bristle itself is: about the normal
by the mean of what both bodies turned, and with the normal, lengths kept, so that bodies which turn together on a table
keep the force between them. Half of the turn comes before d, half after:

    s = T (T s_0 + d),      q = q_0 + (R_0 + R) / 2 * (turn of B - turn of A)                              (2)

A patch holds stretches at which no point of it slides,

    |s + (q / R) n x r_p| <= mu N / k  for all points p,                                                     (3)

a convex set. What is beyond slides to what is nearest in it: cutting every point and fitting s and q to them again is
a projection on both in turn, so that a few passes come near, and scaling the rest down ends in the set. A state in it
is left as it is: forces at the begin of a step are those at the end of the last one. (The fit alone is not: it is
beyond for some points, every step began with a jump of friction, and a box that slid and spun took 30,000 steps.)
"""

from __future__ import annotations

from centrode.dynamics.contact.forces import material_point
from centrode.dynamics.contact.laws import evaluate_law
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, cross, dot, middle, minus, norm, plus, plus_times, times, vector
from centrode.parts.contact_laws.contact_law import STICK_STIFFNESS
from centrode.parts.contact_laws.friction import cut
from centrode.parts.contact_laws.hunt_crossley import AT_REST
from centrode.parts.outlines.outline import frame_at, point_of

SHARE = 2.0 / 7.0
"""Stiffness of a bristle over that of the normal force: a ball then swings as fast along the surface, where it is
lighter by 7/2, as against it, so that friction asks for no shorter steps (Schaefer, Dippel and Wolf 1996)."""


@step_kernel
def stick_stiffness(law, kernels, memory, speed, mass, depth):
    """Stiffness of the bristle of a contact that begins [N/m]: as given, else in proportion to the normal force over
    its depth, where the motion of the two would be used up; ``depth`` [m] is where the search for that begins.
    """
    if law[STICK_STIFFNESS] >= 0.0:
        return law[STICK_STIFFNESS]
    speed = max(speed, AT_REST)
    stiffness = evaluate_law(kernels, law, memory, depth, 0.0, 0.0)[0] / depth
    for _ in range(6):  # d = v sqrt(m / k(d)), halfway each time: from 1/2 to -1/4 of the error is left, n = 1 to 4
        if stiffness > 0.0:
            depth = (depth * speed * (mass / stiffness) ** 0.5) ** 0.5
            stiffness = evaluate_law(kernels, law, memory, depth, 0.0, 0.0)[0] / depth
    return SHARE * stiffness


@step_kernel
def way_of_point(contacts, i, x, back):
    """Where the material point of outline i that is at x now was at the last accepted state, or the other way round."""
    t = borrow_contacts(contacts)
    if t.outlines[i].body == 0:  # the ground; what is laid below a body on a road moves with it, the road does not
        return x
    before, now = frame_at(t.before[i]), frame_at(t.placed[i])
    if back:
        return point_of(before, material_point(now, x))
    return point_of(now, material_point(before, x))


@step_kernel
def slipped(contacts, pair):
    """How far B slipped over A since the last accepted state (1) [m]."""
    x, y = vector(pair.point, 0), vector(pair.point_before, 0)
    back = minus(way_of_point(contacts, pair.a, x, True), way_of_point(contacts, pair.b, x, True))
    ahead = minus(way_of_point(contacts, pair.b, y, False), way_of_point(contacts, pair.a, y, False))
    return middle(back, ahead)


@step_kernel
def turned_about(contacts, i, n):
    """Sine of the turn of outline i about n since the last accepted state."""
    t = borrow_contacts(contacts)
    if t.outlines[i].body == 0:
        return 0.0
    before, now = frame_at(t.before[i]).directors, frame_at(t.placed[i]).directors
    total = 0.0
    for k in range(3):
        total += 0.5 * dot(n, cross(before[k], now[k]))
    return total


@step_kernel
def turned(s, angle, n):
    """A tangential vector turned by a small angle about n and laid into the plane of n, its length kept."""
    length = norm(s)
    s = plus_times(s, angle, cross(n, s))
    s = plus_times(s, -dot(s, n), n)
    now = norm(s)
    return times(length / now, s) if now > 0.0 else ZERO


@step_kernel
def moved_bristle(contacts, pair, s, q):
    """Stretch and twist of a bristle of the last accepted state as they are now if nothing slid (2) [m]."""
    n, m = vector(pair.normal, 0), vector(pair.last_normal, 0)
    mean = plus(n, m)
    size = norm(mean)
    mean = times(1.0 / size, mean) if size > 0.0 else n
    by_a, by_b = turned_about(contacts, pair.a, mean), turned_about(contacts, pair.b, mean)
    angle = 0.25 * (by_a + by_b)
    d = slipped(contacts, pair)
    s = plus(turned(s, angle, mean), plus_times(d, -dot(d, mean), mean))
    return turned(s, angle, n), q + 0.5 * (pair.radius_before + pair.radius) * (by_b - by_a)


@step_kernel
def offset_of(seen, p):
    """Where point p of a patch lies from its centre [m]."""
    if seen.points < 2:
        return ZERO
    return times(1.0 if p % 2 == 0 else -1.0, vector(seen.radii[p // 2], 0))


@step_kernel
def held_stretch(seen, n, radius, s, q, longest):
    """Stretch and twist that a patch can hold (3), nearest to those of a bristle that would be stretched too far."""
    if not radius > 0.0:
        return cut(plus_times(s, -dot(s, n), n), longest), 0.0
    s = plus_times(s, -dot(s, n), n)
    most = 0.0
    for sweep in range(9):  # each pass halves what is still too much or so, and the rest is scaled down
        most, mean, twist = 0.0, ZERO, 0.0
        for p in range(seen.points):
            lever = times(1.0 / radius, cross(n, offset_of(seen, p)))
            b = plus_times(s, q, lever)
            most = max(most, norm(b))
            b = cut(b, longest)
            mean, twist = plus_times(mean, 1.0 / seen.points, b), twist + dot(lever, b) / seen.points
        if most <= longest:
            return s, q
        if sweep < 8:
            s, q = mean, twist
    return times(longest / most, s), longest / most * q
