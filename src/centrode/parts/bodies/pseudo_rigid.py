r"""Pseudo-rigid body: a body that stretches and shears homogeneously (Cosserat point with three directors).

Position x and directors d_1, d_2, d_3, the columns of the deformation gradient F; velocities v and w_i = d_i'; St.
Venant-Kirchhoff elasticity (:mod:`centrode.parts.bodies.pseudo_rigid_energy`). MEDUSA report (1999), section 1.2.
A material point X, in reference principal axes from the centre of mass:

    position  x + X_i d_i,    velocity  v + X_i w_i,    no convective acceleration                        (1)

Directions that must stay a rigid triad (joint axes, wheel headings) turn with the rotation R of the polar
decomposition F = R U. With A = R^T F', A - A^T = [W]U + U[W] gives the body components W of its angular velocity:

    G W = a,   G = tr(U) I - U,   a = sum_i e_i x (R^T w_i)                                               (2)
    G W' = a' - G' W at w_i' = 0,  a' = - sum_i e_i x (W x R^T w_i),  G' = tr(U') I - U',  U' = A - [W] U  (3)

(3) is the convective angular acceleration. A torque t (world) does the work t . R W, so it acts on the directors with

    R (g x e_i),   G g = R^T t                                                                            (4)

and a force f at X acts on the centre with f and on director i with X_i f. The mass matrix is diagonal: m for v and the
director inertias m y^ii for w_i, MEDUSA report (1999), eq. (1.9).

In kernels a matrix is its rows; the directors stand one after the other in the pose, so ``directors`` is F^T, and
X_i d_i is ``combined(directors, X)``.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from centrode.classes import dataclass
from centrode.errors import Fault, InputError
from centrode.jit import step_kernel
from centrode.math.jet import Jet, dot
from centrode.math.rotation import quaternions_from_matrices
from centrode.math.vector import (
    ZERO,
    add,
    cofactors,
    combined,
    cross,
    inverse,
    matrix,
    middle,
    minus,
    plus,
    plus_times,
    product,
    put,
    put_matrix,
    quaternion,
    times,
    transposed,
    turn,
    turn_back,
    vector,
)
from centrode.math.vector import dot as vector_dot
from centrode.parts.bodies.body import Body, BodyJets, BodyRow, ChannelNote, rotation_from
from centrode.parts.bodies.pseudo_rigid_energy import (
    director_forces,
    director_inertias,
    dissipated_power,
    elastic_energy,
    lame_constants,
)
from centrode.parts.bodies.turning import SPATIAL_CHANNELS, weight_potential
from centrode.parts.kernel_types import (
    ANGULAR_CONVECTIVE,
    FRAME,
    JOINT_BODY_A,
    JOINT_MARKER_A,
    JOINT_ROWS,
    OMEGA,
    POSITION,
    VELOCITY,
)
from centrode.parts.part import quantity
from centrode.parts.placement import nearest_rotation, orientation_field
from centrode.parts.tables import BODY_SIGNATURE, Coordinates, borrow

# Numbers of a body in the data pool, from body.data on: the material (4), the director inertias, the inverses of their
# roots, and G^-1 of (2), which place_pseudo_rigid writes.
MATERIAL, DIRECTOR_INERTIA, INVERSE_ROOT, G_INVERSE = 0, 4, 7, 10
CONVERGED = 1e-9
"""Change of R in an iteration below which the next change, its square, is round-off."""


@step_kernel
def material_of(data, body):
    """Lame constants, volume and retardation time."""
    return quaternion(data, body.data + MATERIAL)


@step_kernel
def distance(a, b):
    """|a - b|, sum of the components."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])


@step_kernel
def polar_rotation(directors):
    """R^T of F = R U by Newton's iteration R <- (R + R^-T)/2, from F^T."""
    x = directors
    for _ in range(20):
        c = cofactors(x)
        s = 1.0 / vector_dot(x[0], c[0])
        new = (middle(x[0], times(s, c[0])), middle(x[1], times(s, c[1])), middle(x[2], times(s, c[2])))
        change = distance(new[0], x[0]) + distance(new[1], x[1]) + distance(new[2], x[2])
        x = new
        if not change > CONVERGED:
            break
    return x


@step_kernel(signature=BODY_SIGNATURE)
def place_pseudo_rigid(first, end, tables):
    """Positions (1); rotation, G^-1 and axes of the markers where some marker has axes."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        x, directors = vector(t.pose[b - 1], 0), matrix(t.pose[b - 1], 3)
        if body.frames_needed > 1:
            back = polar_rotation(directors)
            u = (turn(directors, back[0]), turn(directors, back[1]), turn(directors, back[2]))
            trace = u[0][0] + u[1][1] + u[2][2]
            g = (
                (trace - u[0][0], -u[0][1], -u[0][2]),
                (-u[0][1], trace - u[1][1], -u[1][2]),
                (-u[0][2], -u[1][2], trace - u[2][2]),
            )
            put_matrix(t.rotation[b], 0, transposed(back))
            put_matrix(t.data, body.data + G_INVERSE, inverse(g))
        for m in range(body.first_marker, body.end_marker):
            marker = t.marker_table[m]
            put(t.markers[m], POSITION, plus(x, combined(directors, vector(marker.position, 0))))
            if marker.with_frame != 0:
                put_matrix(t.markers[m], FRAME, product(matrix(t.rotation[b], 0), matrix(marker.frame, 0)))


@step_kernel
def axial(rows):
    """sum_i e_i x rows_i."""
    return rows[1][2] - rows[2][1], rows[2][0] - rows[0][2], rows[0][1] - rows[1][0]


@step_kernel
def turning_of(directors, rates, r, g_inverse):
    """Angular velocity (2) and its convective rate (3), in the world."""
    p = (turn_back(r, rates[0]), turn_back(r, rates[1]), turn_back(r, rates[2]))
    w = turn(g_inverse, axial(p))
    late = axial((cross(w, p[0]), cross(w, p[1]), cross(w, p[2])))
    # Columns of U' = A - [W] U.
    u = (
        minus(p[0], cross(w, turn_back(r, directors[0]))),
        minus(p[1], cross(w, turn_back(r, directors[1]))),
        minus(p[2], cross(w, turn_back(r, directors[2]))),
    )
    trace = u[0][0] + u[1][1] + u[2][2]
    g_rate_w = minus(times(trace, w), combined(u, w))
    convective = times(-1.0, turn(g_inverse, plus(late, g_rate_w)))
    return turn(r, w), turn(r, convective)


@step_kernel(signature=BODY_SIGNATURE)
def move_pseudo_rigid(first, end, tables):
    """Velocities (1); angular velocity and its convective rate where some marker has axes."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        v, rates = vector(t.velocity[b - 1], 0), matrix(t.velocity[b - 1], 3)
        w, convective = ZERO, ZERO
        if body.frames_needed > 1:
            g_inverse = matrix(t.data, body.data + G_INVERSE)
            w, convective = turning_of(matrix(t.pose[b - 1], 3), rates, matrix(t.rotation[b], 0), g_inverse)
        for m in range(body.first_marker, body.end_marker):
            row = t.markers[m]
            put(row, VELOCITY, plus(v, combined(rates, vector(t.marker_table[m].position, 0))))
            put(row, OMEGA, w)
            put(row, ANGULAR_CONVECTIVE, convective)


@step_kernel
def torque_on_directors(rotation, g_inverse, torque):
    """(4), three rows."""
    r = matrix(rotation, 0)
    x, y, z = turn(matrix(g_inverse, 0), turn_back(r, torque))
    return turn(r, (0.0, z, -y)), turn(r, (-z, 0.0, x)), turn(r, (y, -x, 0.0))


@step_kernel(signature=BODY_SIGNATURE)
def weigh_rows_pseudo_rigid(first, end, tables):
    """Y = J L^-T: twelve numbers a row."""
    t = borrow(tables)
    for n in range(first, end):
        j, side = t.sides[n, 0], t.sides[n, 1]
        b = t.joint_link[j, JOINT_BODY_A + side]
        body = t.bodies[b]
        place = t.marker_table[t.joint_link[j, JOINT_MARKER_A + side]].position
        scale = vector(t.data, body.data + INVERSE_ROOT)
        for r in range(t.joint_link[j, JOINT_ROWS]):
            force = times(t.row_active[j, r], vector(t.jacobian[j, side, r], 0))
            torque = times(t.row_active[j, r], vector(t.jacobian[j, side, r], 3))
            out = t.weighted[j, side, r]
            put(out, 0, times(body.inverse_root_mass, force))
            for i in range(3):
                put(out, 3 + 3 * i, times(place[i] * scale[i], force))
            if torque[0] != 0.0 or torque[1] != 0.0 or torque[2] != 0.0:
                acting = torque_on_directors(t.rotation[b], t.data[body.data + G_INVERSE :], torque)
                for i in range(3):
                    add(out, 3 + 3 * i, times(scale[i], acting[i]))


@step_kernel(signature=BODY_SIGNATURE)
def weigh_forces_pseudo_rigid(first, end, tables):
    """Gravity, wrenches at the markers and intrinsic director forces, weighed."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        force = times(body.weight_mass, vector(t.gravity, 0))
        k = director_forces(material_of(t.data, body), matrix(t.pose[b - 1], 3), matrix(t.velocity[b - 1], 3))
        l1, l2, l3 = times(-1.0, k[0]), times(-1.0, k[1]), times(-1.0, k[2])
        for m in range(body.first_marker, body.end_marker):
            marker = t.marker_table[m]
            if marker.carries_force != 0:
                push, torque = vector(t.wrench[m], 0), vector(t.wrench[m], 3)
                force = plus(force, push)
                l1 = plus_times(l1, marker.position[0], push)
                l2 = plus_times(l2, marker.position[1], push)
                l3 = plus_times(l3, marker.position[2], push)
                if torque[0] != 0.0 or torque[1] != 0.0 or torque[2] != 0.0:
                    acting = torque_on_directors(t.rotation[b], t.data[body.data + G_INVERSE :], torque)
                    l1, l2, l3 = plus(l1, acting[0]), plus(l2, acting[1]), plus(l3, acting[2])
        scale = vector(t.data, body.data + INVERSE_ROOT)
        put(t.weighted_force[b], 0, times(body.inverse_root_mass, force))
        put(t.weighted_force[b], 3, times(scale[0], l1))
        put(t.weighted_force[b], 6, times(scale[1], l2))
        put(t.weighted_force[b], 9, times(scale[2], l3))


@step_kernel(signature=BODY_SIGNATURE)
def unweigh_pseudo_rigid(first, end, tables):
    """L^-T of the weighed components: accelerations of centre and directors."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        put(t.acceleration[b - 1], 0, times(body.inverse_root_mass, vector(t.weighted_force[b], 0)))
        for i in range(3):
            at = 3 + 3 * i
            scale = t.data[body.data + INVERSE_ROOT + i]
            put(t.acceleration[b - 1], at, times(scale, vector(t.weighted_force[b], at)))


@step_kernel(signature=BODY_SIGNATURE)
def measure_pseudo_rigid(first, end, tables):
    """m v^2 / 2 + sum m y^ii w_i^2 / 2, the potential of gravity, and the strain energy."""
    t = borrow(tables)
    for b in range(first, end):
        body = t.bodies[b]
        motion = t.velocity[b - 1]
        for k in range(3):
            t.energy[0] += 0.5 * body.mass * motion[k] ** 2
            for i in range(3):
                t.energy[0] += 0.5 * t.data[body.data + DIRECTOR_INERTIA + i] * motion[3 + 3 * i + k] ** 2
        t.energy[1] += weight_potential(body, t.gravity, t.pose[b - 1])
        t.energy[2] += elastic_energy(material_of(t.data, body), matrix(t.pose[b - 1], 3))


@step_kernel(signature=BODY_SIGNATURE)
def dissipate_pseudo_rigid(first, end, tables):
    """Power that the material damping turns into heat [W]."""
    t = borrow(tables)
    for b in range(first, end):
        material = material_of(t.data, t.bodies[b])
        if material[3] != 0.0:
            t.energy[0] += dissipated_power(material, matrix(t.pose[b - 1], 3), matrix(t.velocity[b - 1], 3))


@step_kernel(signature=BODY_SIGNATURE)
def accelerate_markers_pseudo_rigid(first, end, tables):
    """v' + X_i w_i'; of angular accelerations nothing is said."""
    t = borrow(tables)
    for b in range(first, end):
        rates = t.acceleration[b - 1]
        for m in range(t.bodies[b].first_marker, t.bodies[b].end_marker):
            moved = combined(matrix(rates, 3), vector(t.marker_table[m].position, 0))
            put(t.marker_acceleration[m], 0, plus(vector(rates, 0), moved))


@dataclass(frozen=True)
class PseudoRigidBody(Body):
    """Homogeneously deformable body."""

    kind: ClassVar[str] = "pseudo-rigid"
    coordinates: ClassVar[Coordinates] = Coordinates.VECTOR
    pose_width: ClassVar[int] = 12
    velocity_width: ClassVar[int] = 12
    place_kernel = place_pseudo_rigid
    move_kernel = move_pseudo_rigid
    weigh_rows_kernel = weigh_rows_pseudo_rigid
    weigh_forces_kernel = weigh_forces_pseudo_rigid
    unweigh_kernel = unweigh_pseudo_rigid
    measure_kernel = measure_pseudo_rigid
    dissipate_kernel = dissipate_pseudo_rigid
    accelerate_markers_kernel = accelerate_markers_pseudo_rigid

    mass: float = quantity("kg", "mass", positive=True)
    inertia: tuple[float, float, float] = quantity("kg*m2", "principal moments about the centre of mass", positive=True)
    young: float = quantity("Pa", "Young's modulus of the body as a whole", 600e6, positive=True)
    poisson: float = quantity("1", "Poisson's ratio, above -1 and below 0.5", 0.3)
    volume: float = quantity("m3", "volume of material", 0.42, positive=True)
    damping: float = quantity("s", "retardation time of the material (Kelvin-Voigt)", 0.0, minimum=0.0)
    position: tuple[float, float, float] = quantity("m", "centre of mass at the start", (0.0, 0.0, 0.0))
    orientation: Any = orientation_field("at the start: quaternion (w, x, y, z) world from body, or 3 x 3 matrix")
    stretch: Any = quantity("1", "U of the polar decomposition F = R U at the start, 3 x 3", None)
    directors: Any = quantity("1", "F itself at the start, columns d1 d2 d3; instead of orientation and stretch", None)
    velocity: tuple[float, float, float] = quantity("m/s", "velocity at the start, world frame", (0.0, 0.0, 0.0))
    omega: tuple[float, float, float] = quantity("rad/s", "angular velocity at the start, body frame", (0.0, 0.0, 0.0))

    def faults(self) -> list[Fault]:
        found = super().faults()
        if found:
            return found
        for check in (lambda: lame_constants(self.young, self.poisson), lambda: director_inertias(self.inertia)):
            try:
                check()
            except InputError as error:
                found += [
                    Fault(f.what, f"{self.name}", got=f.got, expected=f.expected, hint=f.hint) for f in error.faults
                ]
        if not found and np.linalg.det(self.deformation()) <= 0:
            found.append(Fault("the body is turned inside out", f"{self.name}.directors", got=self.directors))
        return found

    def fastest_vibration(self) -> float:
        """Largest natural frequency of the free body at rest [rad/s]: explicit methods must resolve it.

        Linear elasticity about F = I: stretches e_i have stiffness V (lambda 1 1^T + 2 mu I) and inertia diag(I_i),
        the shear of directors i and j vibrates with mu V (1/I_i + 1/I_j), I_i the director inertias.
        """
        first, second = lame_constants(self.young, self.poisson)
        inertias = np.array(director_inertias(self.inertia))
        root = 1.0 / np.sqrt(inertias)
        stiffness = self.volume * (first * np.ones((3, 3)) + 2.0 * second * np.eye(3))
        stretch = np.linalg.eigvalsh(root[:, None] * stiffness * root)[-1]
        shear = second * self.volume * float(np.sum(np.sort(1.0 / inertias)[-2:]))
        return float(np.sqrt(max(stretch, shear)))

    def deformation(self) -> np.ndarray:
        """F at the start, shape (3, 3)."""
        if self.directors is not None:
            return np.asarray(self.directors, dtype=float).reshape(3, 3)
        rotation = rotation_from(self.orientation, f"{self.name}.orientation")
        return rotation if self.stretch is None else rotation @ np.asarray(self.stretch, dtype=float).reshape(3, 3)

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Position and F: a point given in the world is found in the undeformed body through F."""
        return np.asarray(self.position, dtype=float), self.deformation()

    def elasticity(self) -> tuple[float, ...]:
        return (*lame_constants(self.young, self.poisson), self.volume, *director_inertias(self.inertia))

    def row(self) -> BodyRow:
        first, second = lame_constants(self.young, self.poisson)
        y = np.array(director_inertias(self.inertia))
        return BodyRow(
            self.mass,
            self.mass,
            np.asarray(self.inertia, dtype=float),
            np.zeros(3),
            np.eye(3),
            np.asarray(self.velocity, dtype=float),
            np.asarray(self.omega, dtype=float),
            (first, second, self.volume, self.damping, *y, *(1.0 / np.sqrt(y)), *np.zeros(9)),
        )

    def start(self, row: BodyRow) -> tuple[np.ndarray, np.ndarray]:
        position, gradient = self.pose()
        rates = np.cross(nearest_rotation(gradient) @ row.omega, gradient.T)
        return np.array([*position, *gradient.T.ravel()]), np.array([*row.velocity, *rates.ravel()])

    def channels(self) -> list[ChannelNote]:
        return [
            ("directors", "1", ("row", "column"), "world", "F, columns are the directors"),
            ("director_rates", "1/s", ("row", "column"), "world", "F', columns w1 w2 w3"),
            *SPATIAL_CHANNELS,
        ]

    def observe(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> dict[str, np.ndarray]:
        """Directors, and orientation and angular velocity by the polar decomposition."""
        directors = pose[:, 3:12].reshape(-1, 3, 3).transpose(0, 2, 1)
        rates = velocity[:, 3:12].reshape(-1, 3, 3).transpose(0, 2, 1)
        rotation, omega = turning_observed(directors, rates)
        return {
            "directors": directors,
            "director_rates": rates,
            "position": pose[:, :3],
            "orientation": quaternions_from_matrices(rotation),
            "velocity": velocity[:, :3],
            "omega": omega,
        }

    def attitude(self, row: BodyRow, pose: np.ndarray) -> np.ndarray:
        left, _, right = np.linalg.svd(pose[3:12].reshape(3, 3).T)
        return np.asarray(left @ right)

    def spin(self, row: BodyRow, pose: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        directors, rates = (q[3:12].reshape(1, 3, 3).transpose(0, 2, 1) for q in (pose, velocity))
        return turning_observed(directors, rates)[1][0]

    def jets(self, pose: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> BodyJets:
        motion = pose, velocity, acceleration
        return Jet(*(q[:3] for q in motion)), Jet(*(q[3:12].reshape(3, 3).T for q in motion))

    def displacement(self, weight: np.ndarray, start: BodyJets, now: BodyJets) -> Jet:
        (x0, r0), (x, r) = start, now
        change = Jet((r.v - r0.v).T.ravel(), r.d.T.ravel(), r.dd.T.ravel())
        return dot(Jet(weight[:3]), Jet(x.v - x0.v, x.d, x.dd)) + dot(Jet(weight[3:12]), change)


def turning_observed(directors: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R and the angular velocity (2) in body axes of many frames, from F and F', (frames, 3, 3) each."""
    left, _, right = np.linalg.svd(directors)
    rotation = left @ right
    back = rotation.transpose(0, 2, 1)
    stretch, a = back @ directors, back @ rates
    twist = np.stack([a[:, 2, 1] - a[:, 1, 2], a[:, 0, 2] - a[:, 2, 0], a[:, 1, 0] - a[:, 0, 1]], axis=1)
    g = np.trace(stretch, axis1=1, axis2=2)[:, None, None] * np.eye(3) - stretch
    return rotation, np.linalg.solve(g, twist[:, :, None])[:, :, 0]
