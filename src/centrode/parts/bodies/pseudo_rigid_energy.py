r"""Elastic terms of a pseudo-rigid body (Cosserat point with three directors), St. Venant-Kirchhoff material.

Source: MEDUSA report (1999), eqs. (1.3), (1.9), (1.12), (1.13), (1.34); Rubin, J. Appl. Mech. 52 (1985) 368; Cohen and
Muncaster, The Theory of Pseudo-rigid Bodies (1988).

Symbols: d_i directors, the columns of the deformation gradient F (world from reference), w_i their rates; E_ij =
(d_i . d_j - delta_ij)/2 Green strain; lambda, mu Lame constants; V volume; k^i intrinsic director force; m y^ii
director inertia.

    U   = V/2 (lambda (tr E)^2 + 2 mu E:E)                                                              (1.34)
    k^i = dU/dd_i = V (lambda tr(E) d_i + 2 mu E_in d_n)                                                (1.12)
    J^11 = m y^22 + m y^33 and cyclic, hence m y^11 = (J^22 + J^33 - J^11)/2                            (1.9)

Material damping (Kelvin-Voigt, retardation time T): the stress gains T times its elastic rate, that is E -> E + T dE/dt
with dE_ij/dt = (w_i . d_j + d_i . w_j)/2, in k^i only. Its power -V T (lambda (tr dE)^2 + 2 mu dE:dE) is never positive
for -1 < nu < 1/2, and a rigid motion has none.

Directors are passed as nine scalars: d1 (3), d2 (3), d3 (3), world frame.
"""

from __future__ import annotations

from centrode.errors import Fault, InputError
from centrode.jit import kernel


def lame_constants(young: float, poisson: float) -> tuple[float, float]:
    """Lame constants (lambda, mu) [Pa] of Young's modulus [Pa] and Poisson's ratio [1], eq. (1.13)."""
    if not young > 0.0 or not -1.0 < poisson < 0.5:
        raise InputError(
            Fault(
                "no elastic material",
                got=(young, poisson),
                expected="Young's modulus above 0 and Poisson's ratio between -1 and 0.5",
            )
        )
    return young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson))


def director_inertias(inertia: tuple[float, float, float]) -> tuple[float, float, float]:
    """Director inertias (m y^11, m y^22, m y^33) [kg*m^2] from principal moments of inertia [kg*m^2], eq. (1.9).

    They are the second moments of mass along the axes, so they are positive exactly when the moments of inertia obey
    the triangle inequality strictly.
    """
    jx, jy, jz = (float(value) for value in inertia)
    half = 0.5 * (jx + jy + jz)
    result = (half - jx, half - jy, half - jz)
    if not min(result) > 0.0:
        raise InputError(
            Fault(
                "no body has these principal moments",
                got=inertia,
                expected="each moment of inertia smaller than the sum of the other two",
                hint="a thin rod or plate needs a little thickness",
            )
        )
    return result


@kernel
def elastic_energy(lam, mu, volume, ax, ay, az, bx, by, bz, cx, cy, cz):
    """Strain energy U [J] of directors a, b, c, eq. (1.34); lam, mu [Pa], volume [m^3]."""
    e11, e22, e33, e12, e13, e23 = strain(ax, ay, az, bx, by, bz, cx, cy, cz)
    trace = e11 + e22 + e33
    square = e11 * e11 + e22 * e22 + e33 * e33 + 2.0 * (e12 * e12 + e13 * e13 + e23 * e23)
    return 0.5 * volume * (lam * trace * trace + 2.0 * mu * square)


@kernel
def director_forces(lam, mu, volume, ax, ay, az, bx, by, bz, cx, cy, cz):
    """Intrinsic director forces k^1, k^2, k^3 [N*m per unit director], nine components, world frame, eq. (1.12).

    They stand on the left of the balance: m y^ii dw_i/dt = l^i - k^i.
    """
    e11, e22, e33, e12, e13, e23 = strain(ax, ay, az, bx, by, bz, cx, cy, cz)
    return stress_on_directors(lam, mu, volume, e11, e22, e33, e12, e13, e23, ax, ay, az, bx, by, bz, cx, cy, cz)


@kernel
def director_forces_damped(
    lam, mu, volume, time, ax, ay, az, bx, by, bz, cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz
):
    """As :func:`director_forces` with retardation time [s]; u, v, w are the rates of the directors a, b, c [1/s]."""
    e11, e22, e33, e12, e13, e23 = strain(ax, ay, az, bx, by, bz, cx, cy, cz)
    r11, r22, r33, r12, r13, r23 = strain_rate(ax, ay, az, bx, by, bz, cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz)
    return stress_on_directors(
        lam,
        mu,
        volume,
        e11 + time * r11,
        e22 + time * r22,
        e33 + time * r33,
        e12 + time * r12,
        e13 + time * r13,
        e23 + time * r23,
        ax,
        ay,
        az,
        bx,
        by,
        bz,
        cx,
        cy,
        cz,
    )


@kernel
def dissipated_power(lam, mu, volume, time, ax, ay, az, bx, by, bz, cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz):
    """Power turned into heat by the material damping [W], never negative."""
    r11, r22, r33, r12, r13, r23 = strain_rate(ax, ay, az, bx, by, bz, cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz)
    trace = r11 + r22 + r33
    square = r11 * r11 + r22 * r22 + r33 * r33 + 2.0 * (r12 * r12 + r13 * r13 + r23 * r23)
    return volume * time * (lam * trace * trace + 2.0 * mu * square)


@kernel
def strain(ax, ay, az, bx, by, bz, cx, cy, cz):
    """Green strain (E11, E22, E33, E12, E13, E23) [1]."""
    return (
        0.5 * (ax * ax + ay * ay + az * az - 1.0),
        0.5 * (bx * bx + by * by + bz * bz - 1.0),
        0.5 * (cx * cx + cy * cy + cz * cz - 1.0),
        0.5 * (ax * bx + ay * by + az * bz),
        0.5 * (ax * cx + ay * cy + az * cz),
        0.5 * (bx * cx + by * cy + bz * cz),
    )


@kernel
def strain_rate(ax, ay, az, bx, by, bz, cx, cy, cz, ux, uy, uz, vx, vy, vz, wx, wy, wz):
    """Rate of the Green strain [1/s], in the order of :func:`strain`."""
    return (
        ax * ux + ay * uy + az * uz,
        bx * vx + by * vy + bz * vz,
        cx * wx + cy * wy + cz * wz,
        0.5 * (ax * vx + ay * vy + az * vz + bx * ux + by * uy + bz * uz),
        0.5 * (ax * wx + ay * wy + az * wz + cx * ux + cy * uy + cz * uz),
        0.5 * (bx * wx + by * wy + bz * wz + cx * vx + cy * vy + cz * vz),
    )


@kernel
def stress_on_directors(lam, mu, volume, e11, e22, e33, e12, e13, e23, ax, ay, az, bx, by, bz, cx, cy, cz):
    """V (lambda tr(E) d_i + 2 mu E_in d_n): nine components."""
    pressure = volume * lam * (e11 + e22 + e33)
    shear = 2.0 * volume * mu
    s11, s22, s33 = pressure + shear * e11, pressure + shear * e22, pressure + shear * e33
    s12, s13, s23 = shear * e12, shear * e13, shear * e23
    return (
        s11 * ax + s12 * bx + s13 * cx,
        s11 * ay + s12 * by + s13 * cy,
        s11 * az + s12 * bz + s13 * cz,
        s12 * ax + s22 * bx + s23 * cx,
        s12 * ay + s22 * by + s23 * cy,
        s12 * az + s22 * bz + s23 * cz,
        s13 * ax + s23 * bx + s33 * cx,
        s13 * ay + s23 * by + s33 * cy,
        s13 * az + s23 * bz + s33 * cz,
    )
