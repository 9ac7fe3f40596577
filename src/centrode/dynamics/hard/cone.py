r"""Products, quotients and scalings of the cone x_0 >= |(x_1, x_2)|, three numbers to a point.

The product x o y = (x . y, x_0 y_t + y_0 x_t) makes x o y = 0 of two members the complementarity of both: normal and
tangential parts at once. The scaling W of Nesterov and Todd takes a pair (x, y) of inner members to one place,

    W x = W^-1 y,     W = eta Wb(w),     eta^2 = |y| / |x|,     |x|^2 = x_0^2 - |x_t|^2                       (1)
    w = (y/|y| + J x/|x|) / (2 g),     g^2 = (1 + x . y / (|x| |y|)) / 2,     J = diag(1, -1, -1)            (2)
    Wb v = (w . v, v_t + (v_0 + w_t . v_t / (1 + w_0)) w_t),     Wb^2 = 2 w w^T - J                          (3)

(Nesterov and Todd 1997; Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010.)

A step from x along d comes to the rim where |x + alpha d|^2 = |x|^2 + 2 alpha b + alpha^2 a is zero, a = |d|^2 and
b = x_0 d_0 - x_t . d_t. Its discriminant is never negative for an x inside the cone,

    b^2 - a |x|^2 = |x_0 d_t - d_0 x_t|^2 - (x_t x d_t)^2 >= 0                                            (4)

and zero where d is along x: out through the tip, as where nothing rubs. The left side is the difference of two equal
numbers there, which rounding makes negative as if the step never left the cone; so the right one is taken.
"""

from __future__ import annotations

import math

from centrode.jit import step_kernel
from centrode.math.vector import dot, plus_times, times


@step_kernel
def size_of(x):
    """|x| of (1); a tiny number where rounding left the cone."""
    tangential = math.sqrt(x[1] * x[1] + x[2] * x[2])
    return math.sqrt(max((x[0] - tangential) * (x[0] + tangential), 1e-300))


@step_kernel
def scaling(x, y):
    """w and eta of (1), (2)."""
    a, b = size_of(x), size_of(y)
    g = math.sqrt(0.5 * (1.0 + dot(x, y) / (a * b)))
    r, s = 0.5 / (g * b), 0.5 / (g * a)
    return (r * y[0] + s * x[0], r * y[1] - s * x[1], r * y[2] - s * x[2]), math.sqrt(b / a)


@step_kernel
def scaled(w, v):
    """Wb v of (3)."""
    along = w[1] * v[1] + w[2] * v[2]
    more = v[0] + along / (1.0 + w[0])
    return w[0] * v[0] + along, v[1] + more * w[1], v[2] + more * w[2]


@step_kernel
def unscaled(w, v):
    """The inverse of (3): that of w with the tangential part turned round."""
    return scaled((w[0], -w[1], -w[2]), v)


@step_kernel
def cone_product(x, y):
    """X o y."""
    return dot(x, y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]


@step_kernel
def cone_quotient(x, r):
    """The y of x o y = r, x inside the cone."""
    size = size_of(x)
    y = (x[0] * r[0] - x[1] * r[1] - x[2] * r[2]) / (size * size)
    return y, (r[1] - y * x[1]) / x[0], (r[2] - y * x[2]) / x[0]


@step_kernel
def way_in_cone(x, d):
    """The largest alpha with x + alpha d in the cone: the least positive root of |x + alpha d|^2 = 0, (4)."""
    b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2]
    size = size_of(x)
    u, v, w = x[0] * d[1] - d[0] * x[1], x[0] * d[2] - d[0] * x[2], x[1] * d[2] - x[2] * d[1]
    below = math.sqrt(max(u * u + v * v - w * w, 0.0)) - b
    return size * size / below if below > 0.0 else math.inf


@step_kernel
def corrected(w, eta, one, centre, other):
    """What is left of the complementarity of a pair at ``one``, W x: m e - one o one - other; over one, scaled."""
    square = cone_product(one, one)
    rest = (centre - square[0] - other[0], -square[1] - other[1], -square[2] - other[2])
    return times(eta, scaled(w, cone_quotient(one, rest)))


@step_kernel
def inwards(x, d, alpha):
    """X + alpha d, not closer to the rim of the cone than rounding."""
    y = plus_times(x, alpha, d)
    tangential = math.sqrt(y[1] * y[1] + y[2] * y[2])
    return max(y[0], tangential * (1.0 + 1e-15) + 1e-300), y[1], y[2]
