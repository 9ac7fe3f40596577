"""Pressure that differs over a patch of contact: where a body goes down faster, a damper presses harder.

A law knows one depth D and its rate. A body that rocks on a flat side hardly changes D, so a law of D' alone lets it
rock for ever, the longer the stronger its damper is: it is then guided round the edge as on a rail. The law is asked at
the points that stand for the patch (equal weights 1 / n, the patch's second moments), each with the rate at which it
goes down itself,

    D'_i = D' + w_i,     w_i = n . (u(centre) - u(centre + rho_i)),     sum_i w_i = 0,                        (1)

u the velocity of B over A, n from A to B. With f_i = f(D, D'_i) and f their mean, f goes along the slopes of D as ever
and (f_i - f) / n, which have no sum, at the points. Their power is -sum_i f_i D'_i / n, and f_i D'_i is what the law
says of store and heat at that rate: as the store depends on D alone, energy is booked to round-off. An elastic law has
equal f_i: nothing is added.
"""

from __future__ import annotations

from centrode.dynamics.contact.forces import add_force, material_point, relative_velocity
from centrode.dynamics.contact.laws import evaluate_law
from centrode.dynamics.contact.tables import borrow_contacts
from centrode.jit import step_kernel
from centrode.math.vector import dot, minus, plus, times, vector
from centrode.parts.outlines.outline import frame_at


@step_kernel
def press_patch(contacts, pair, seen):
    """Mean of (1) of the pair that was just measured, its differences pushed already.

    Returns:
        Force along the slopes of the depth [N], friction coefficient [1], stored energy [J], dissipated power [W].
    """
    t = borrow_contacts(contacts)
    memory, law, kernels = t.head[0].scratch[:], t.laws[pair.law], t.law_kernels[pair.law]
    f, friction, held, heat = evaluate_law(kernels, law, memory, seen.depth, pair.rate, pair.slip)
    pair.closing = pair.rate
    if seen.points < 2 or heat == 0.0 and evaluate_law(kernels, law, memory, seen.depth, 1.0, pair.slip)[3] == 0.0:
        return f, friction, held, heat
    i, j = t.outlines[pair.a].body, t.outlines[pair.b].body
    frame_a, rates_a = frame_at(t.frames[i]), frame_at(t.rates[i])
    frame_b, rates_b = frame_at(t.frames[j]), frame_at(t.rates[j])
    n, centre = vector(seen.normal, 0), vector(seen.centre, 0)
    pairs = seen.points // 2
    weight = 0.5 / pairs
    mean, heat = 0.0, 0.0
    for k in range(pairs):
        radius = vector(seen.radii[k], 0)
        one, two = plus(centre, radius), minus(centre, radius)
        u_one = dot(relative_velocity(frame_a, rates_a, frame_b, rates_b, one), n)
        u_two = dot(relative_velocity(frame_a, rates_a, frame_b, rates_b, two), n)
        w = 0.5 * (u_two - u_one)
        f_one, _, _, heat_one = evaluate_law(kernels, law, memory, seen.depth, pair.rate + w, pair.slip)
        f_two, _, _, heat_two = evaluate_law(kernels, law, memory, seen.depth, pair.rate - w, pair.slip)
        mean += weight * (f_one + f_two)
        heat += weight * (heat_one + heat_two)
        pair.closing = max(pair.closing, pair.rate + abs(w))
        # Of each two points the difference to their own mean is a couple; what two means differ by has no lever.
        push = times(0.5 * weight * (f_one - f_two), n)
        back = times(-1.0, push)
        add_force(t.push[j], material_point(frame_b, one), push)
        add_force(t.push[i], material_point(frame_a, one), back)
        add_force(t.push[j], material_point(frame_b, two), back)
        add_force(t.push[i], material_point(frame_a, two), push)
    return mean, friction, held, heat
