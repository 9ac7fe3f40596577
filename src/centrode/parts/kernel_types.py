"""What a part's kernel sees and writes: the columns of the shared tables and the fixed signatures.

Joints and forces never see a body. They see *markers*: points with a frame on some body, whose motion the engine
tabulates before any part is asked. Each part owns its markers, so a force *assigns* the wrench at its markers
(nobody else writes there) and a joint *assigns* its rows. This is what makes every joint and force work on every
kind of body, and what makes power and reaction of every part computable without asking the part.

Marker state, one row per marker (world frame):

=========  =============================================================================================
columns    content
=========  =============================================================================================
0:3        position [m]
3:6        velocity [m/s]
6:9        angular velocity [rad/s]
9:12       convective acceleration [m/s2]: acceleration of the point when all body accelerations are zero
12:21      rotation world from marker, row-major (columns of the matrix are the marker's x, y, z axes)
21:24      convective angular acceleration [rad/s2] (zero on rigid bodies)
=========  =============================================================================================

Joint rows. With v_s, w_s the velocity and angular velocity of marker s (0 is a, 1 is b, 2 the carrier), row r says

    sum_s ( J[s, r, 0:3] . v_s + J[s, r, 3:6] . w_s ) + nu = 0           velocity level
    sum_s ( J[s, r, 0:3] . a_s + J[s, r, 3:6] . alpha_s ) + gamma = 0    acceleration level

and ``terms[j, r] = (phi, nu, gamma)`` with the position residual phi (0 for nonholonomic rows), nu = d phi / d t
at fixed coordinates, and gamma everything of the second derivative that holds no acceleration. The engine adds
the convective accelerations of the markers itself, so a ball joint has gamma = 0.
"""

from __future__ import annotations

from centrode.jit import types

POSITION, VELOCITY, OMEGA, CONVECTIVE, FRAME, ANGULAR_CONVECTIVE = 0, 3, 6, 9, 12, 21
MARKER_WIDTH = 24

# Columns of a force's link row (integers); the marker ids follow from LINK_MARKERS on.
LINK_MARKER_COUNT, LINK_STATE, LINK_DATA, LINK_INPUT, LINK_MARKERS = 0, 1, 2, 3, 4

# Columns of a joint's link row; the last says whether its rows are of points (``Joint.joins_points``).
JOINT_MARKER_A, JOINT_MARKER_B, JOINT_MARKER_C = range(3)
JOINT_BODY_A, _, JOINT_BODY_C = range(3, 6)  # C is the ground where a joint has two bodies
JOINT_DATA, JOINT_INPUT, JOINT_ROWS, JOINT_COMPLIANT, JOINT_POINTS = range(6, 11)
MEMORY_WIDTH = 4

_f = types.float64
_i = types.int64
_floats1 = types.Array(_f, 1)
_floats2 = types.Array(_f, 2)
_floats3 = types.Array(_f, 3)
_floats4 = types.Array(_f, 4)
_ints2 = types.Array(_i, 2)

FORCE_SIGNATURE = types.void(
    _f,  # time [s]
    _i,  # first element of this kind
    _i,  # number of elements
    _floats2,  # par: parameters, one row per element
    _ints2,  # link: marker count, state offset, data offset, input offset, marker ids
    _floats1,  # data: shared pool of tables and signals
    _floats1,  # inputs: what controllers set
    _floats2,  # memory: unwrapped angles and the like, one row per element
    _floats2,  # markers: state table above
    _floats1,  # states: internal states of forces (lags, spins)
    _floats2,  # wrench: force and torque at each marker, world frame [N, N m]; assign at own markers
    _floats1,  # rates: d states / d t; assign at own offset
)
"""Signature of every force kernel."""

ENERGY_SIGNATURE = types.void(_f, _i, _i, _floats2, _ints2, _floats1, _floats1, _floats2, _floats2, _floats1, _floats1)
"""Energy kernel of a force: as above up to states, then energy[element] [J] to assign."""

JOINT_SIGNATURE = types.void(
    _f,  # time [s]
    _i,  # first joint of this kind
    _i,  # number of joints
    _floats2,  # par
    _ints2,  # link
    _floats1,  # data
    _floats1,  # inputs
    _floats2,  # memory
    _floats2,  # markers
    _floats4,  # jacobian [joint, side, row, 6]
    _floats3,  # terms [joint, row, 3]: phi, nu, gamma
)
"""Signature of every joint kernel."""

EVENT_SIGNATURE = types.void(
    _f, _i, _i, _floats2, _ints2, _floats1, _floats1, _floats2, _floats2, _floats1, _floats2, _floats1
)
"""Event kernel of a joint or force: as force up to states, then multipliers [joint, row], values[element]."""
