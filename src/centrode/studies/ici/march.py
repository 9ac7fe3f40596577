"""The compiled loops of the planar study: many steps of one vehicle, and one step of many vehicles.

``march_plane`` chooses the method once per step by number (centrode.studies.ici.methods); a predictable branch costs
less than a nanosecond. The fleet loops run over vehicles inside and over steps outside, so that the compiler handles
several vehicles at once and the state stays in the processor's cache.
"""

from __future__ import annotations

from centrode.jit import kernel, types
from centrode.math.ici_plane import (
    advance_plane_exact,
    advance_plane_exact_vector,
    advance_plane_first,
    advance_plane_magnus4,
    advance_plane_rk4,
    advance_plane_second,
    normalise_heading,
)

MARCH_SIGNATURE = types.int64(
    types.int64,
    types.boolean,
    types.floats1,
    types.floats3,
    types.float64,
    *(types.int64,) * 3,
    types.floats2,
    types.int64,
)
FLEET_SIGNATURE = types.void(*(types.floats1,) * 4, *(types.floats2,) * 3, types.float64)


@kernel(signature=MARCH_SIGNATURE)
def march_plane(code, renormalise, state, samples, dt, first, keep_every, last, frames, row):
    """Advance one vehicle by samples.shape[0] steps.

    Args:
        code: method number.
        renormalise: scale the heading after every step.
        state: x, y, ux, uy; changed in place, shape (4,).
        samples: rates vx, vy, omega at the nodes of every step, shape (steps, nodes, 3).
        dt: step [s].
        first: number of the first step of this block.
        keep_every: keep every n-th frame.
        last: number of the last step of the run, always kept.
        frames: kept states, shape (kept, 4).
        row: next free row of frames.

    Returns:
        The next free row.
    """
    x, y, ux, uy = state[0], state[1], state[2], state[3]
    for step in range(samples.shape[0]):
        vx, vy, omega = samples[step, 0, 0], samples[step, 0, 1], samples[step, 0, 2]
        if code == 1:
            x, y, ux, uy = advance_plane_first(x, y, ux, uy, vx, vy, omega, dt)
        elif code == 2:
            x, y, ux, uy = advance_plane_second(x, y, ux, uy, vx, vy, omega, dt)
        elif code == 3:
            x, y, ux, uy = advance_plane_exact(x, y, ux, uy, vx, vy, omega, dt)
        elif code == 4:
            vx_middle, vy_middle, omega_middle = samples[step, 1, 0], samples[step, 1, 1], samples[step, 1, 2]
            vx_end, vy_end, omega_end = samples[step, 2, 0], samples[step, 2, 1], samples[step, 2, 2]
            x, y, ux, uy = advance_plane_rk4(
                x, y, ux, uy, vx, vy, omega, vx_middle, vy_middle, omega_middle, vx_end, vy_end, omega_end, dt
            )
        else:
            x, y, ux, uy = advance_plane_magnus4(
                x, y, ux, uy, vx, vy, omega, samples[step, 1, 0], samples[step, 1, 1], samples[step, 1, 2], dt
            )
        if renormalise:
            ux, uy = normalise_heading(ux, uy)
        number = first + step + 1
        if number % keep_every == 0 or number == last:
            frames[row, 0] = x
            frames[row, 1] = y
            frames[row, 2] = ux
            frames[row, 3] = uy
            row += 1
    state[0] = x
    state[1] = y
    state[2] = ux
    state[3] = uy
    return row


@kernel(signature=FLEET_SIGNATURE)
def march_fleet_exact(x, y, ux, uy, vx, vy, omega, dt):
    """Pseudo-exact steps of many vehicles: rates of shape (steps, vehicles), states changed in place."""
    for step in range(vx.shape[0]):
        for i in range(x.shape[0]):
            x[i], y[i], ux[i], uy[i] = advance_plane_exact_vector(
                x[i], y[i], ux[i], uy[i], vx[step, i], vy[step, i], omega[step, i], dt
            )


@kernel(signature=FLEET_SIGNATURE)
def march_fleet_exact_wide(x, y, ux, uy, vx, vy, omega, dt):
    """As :func:`march_fleet_exact` for any angle per step, with the library's sine."""
    for step in range(vx.shape[0]):
        for i in range(x.shape[0]):
            x[i], y[i], ux[i], uy[i] = advance_plane_exact(
                x[i], y[i], ux[i], uy[i], vx[step, i], vy[step, i], omega[step, i], dt
            )


@kernel(signature=FLEET_SIGNATURE)
def march_fleet_second(x, y, ux, uy, vx, vy, omega, dt):
    """Second-order steps of many vehicles."""
    for step in range(vx.shape[0]):
        for i in range(x.shape[0]):
            x[i], y[i], ux[i], uy[i] = advance_plane_second(
                x[i], y[i], ux[i], uy[i], vx[step, i], vy[step, i], omega[step, i], dt
            )


@kernel(signature=FLEET_SIGNATURE)
def march_fleet_first(x, y, ux, uy, vx, vy, omega, dt):
    """First-order steps of many vehicles."""
    for step in range(vx.shape[0]):
        for i in range(x.shape[0]):
            x[i], y[i], ux[i], uy[i] = advance_plane_first(
                x[i], y[i], ux[i], uy[i], vx[step, i], vy[step, i], omega[step, i], dt
            )
