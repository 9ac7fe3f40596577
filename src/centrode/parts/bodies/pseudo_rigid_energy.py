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

In kernels ``material`` is (lambda [Pa], mu [Pa], volume [m^3], retardation time [s]); ``d`` and ``rates`` are the
directors and their rates, three rows, world frame.
"""

from __future__ import annotations

from centrode.errors import InputError
from centrode.jit import kernel, types
from centrode.math.vector import combined, dot, plus_times, times


def lame_constants(young: float, poisson: float) -> tuple[float, float]:
    """Lame constants (lambda, mu) [Pa] of Young's modulus [Pa] and Poisson's ratio [1], eq. (1.13)."""
    if not young > 0.0 or not -1.0 < poisson < 0.5:
        expected = "Young's modulus above 0 and Poisson's ratio between -1 and 0.5"
        raise InputError("no elastic material", got=(young, poisson), expected=expected)
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
            "no body has these principal moments",
            got=inertia,
            expected="each moment of inertia smaller than the sum of the other two",
            hint="a thin rod or plate needs a little thickness",
        )
    return result


@kernel(signature=types.float64(types.quaternion, types.matrix))
def elastic_energy(material, d):
    """Strain energy U [J], eq. (1.34)."""
    return 0.5 * density(material, strain(d))


@kernel
def director_forces(material, d, rates):
    """Intrinsic director forces k^i [N*m per unit director], rows, world frame, eq. (1.12), with material damping.

    They stand on the left of the balance: m y^ii dw_i/dt = l^i - k^i.
    """
    lam, mu, volume, time = material
    e, rate = strain(d), strain_rate(d, rates)
    e = (plus_times(e[0], time, rate[0]), plus_times(e[1], time, rate[1]), plus_times(e[2], time, rate[2]))
    pressure = volume * lam * (e[0][0] + e[1][1] + e[2][2])
    shear = 2.0 * volume * mu
    return (
        plus_times(times(pressure, d[0]), shear, combined(d, e[0])),
        plus_times(times(pressure, d[1]), shear, combined(d, e[1])),
        plus_times(times(pressure, d[2]), shear, combined(d, e[2])),
    )


@kernel
def dissipated_power(material, d, rates):
    """Power turned into heat by the material damping [W], never negative."""
    return material[3] * density(material, strain_rate(d, rates))


@kernel
def density(material, e):
    """V (lambda (tr e)^2 + 2 mu e:e) of a symmetric matrix."""
    trace = e[0][0] + e[1][1] + e[2][2]
    return material[2] * (
        material[0] * trace * trace + 2.0 * material[1] * (dot(e[0], e[0]) + dot(e[1], e[1]) + dot(e[2], e[2]))
    )


@kernel
def strain(d):
    """Green strain E [1], three rows."""
    e01, e02, e12 = 0.5 * dot(d[0], d[1]), 0.5 * dot(d[0], d[2]), 0.5 * dot(d[1], d[2])
    return (
        (0.5 * (dot(d[0], d[0]) - 1.0), e01, e02),
        (e01, 0.5 * (dot(d[1], d[1]) - 1.0), e12),
        (e02, e12, 0.5 * (dot(d[2], d[2]) - 1.0)),
    )


@kernel
def strain_rate(d, rates):
    """dE/dt [1/s], three rows."""
    r01 = 0.5 * (dot(d[0], rates[1]) + dot(d[1], rates[0]))
    r02 = 0.5 * (dot(d[0], rates[2]) + dot(d[2], rates[0]))
    r12 = 0.5 * (dot(d[1], rates[2]) + dot(d[2], rates[1]))
    return (
        (dot(d[0], rates[0]), r01, r02),
        (r01, dot(d[1], rates[1]), r12),
        (r02, r12, dot(d[2], rates[2])),
    )
