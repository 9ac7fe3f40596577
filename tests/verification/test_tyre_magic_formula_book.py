"""The Magic Formula against a second program of it: plain numpy over arrays, written from the equations of the book."""

from pathlib import Path

import numpy as np
import pytest
import tyre_samples as samples

from centrode.parts.tyres.magic_formula import TyreMagicFormula
from centrode.parts.tyres.tir import parse_tir

STATES = 400
RNG = np.random.default_rng(20121)
LOAD = RNG.uniform(300.0, 9000.0, STATES)
ANGLE = RNG.uniform(-0.6, 0.6, STATES)
SLIP = RNG.uniform(-0.9, 0.9, STATES)
CAMBER = RNG.uniform(-0.2, 0.2, STATES)


def sine(B, C, D, E, x):
    return D * np.sin(C * np.arctan(B * x - E * (B * x - np.arctan(B * x))))


def cosine(B, C, E, x):
    return np.cos(C * np.arctan(B * x - E * (B * x - np.arctan(B * x))))


def share(B, C, E, x, offset):
    """Weighting function of combined slip; the book holds it above zero."""
    return np.maximum(cosine(B, C, E, x + offset) / cosine(B, C, E, offset), 0.0)


class Coefficients(dict):
    """By name; scale factors are 1 and all others 0 when a file leaves them out."""

    def __missing__(self, name):
        return 1.0 if name.startswith("L") else 0.0


def book_52(c, Fz, a, k, g):
    """MF-Tyre 5.2 with the pressure terms of PAC2002: (Fx, Fy, Mz)."""
    F0, R0 = c["FNOMIN"] * c["LFZO"], c["UNLOADED_RADIUS"]
    df = Fz / F0 - 1.0
    dp = c["INFLPRES"] / c["NOMPRES"] - 1.0 if c["NOMPRES"] else 0.0
    gx, gy, gz = g * c["LGAX"], g * c["LGAY"], g * c["LGAZ"]
    kx = k + (c["PHX1"] + c["PHX2"] * df) * c["LHX"]
    mux = (c["PDX1"] + c["PDX2"] * df) * (1 + c["PPX3"] * dp + c["PPX4"] * dp**2) * (1 - c["PDX3"] * gx**2) * c["LMUX"]
    Ex = (c["PEX1"] + c["PEX2"] * df + c["PEX3"] * df**2) * (1 - c["PEX4"] * np.sign(kx)) * c["LEX"]
    Kx = (
        Fz * (c["PKX1"] + c["PKX2"] * df) * np.exp(c["PKX3"] * df) * (1 + c["PPX1"] * dp + c["PPX2"] * dp**2) * c["LKX"]
    )
    Svx = Fz * (c["PVX1"] + c["PVX2"] * df) * c["LVX"] * c["LMUX"]
    Cx = c["PCX1"] * c["LCX"]
    Fx0 = sine(Kx / (Cx * mux * Fz), Cx, mux * Fz, np.minimum(Ex, 1), kx) + Svx

    muy = (c["PDY1"] + c["PDY2"] * df) * (1 + c["PPY3"] * dp + c["PPY4"] * dp**2) * (1 - c["PDY3"] * gy**2) * c["LMUY"]
    Ky0 = c["PKY1"] * F0 * (1 + c["PPY1"] * dp) * np.sin(2 * np.arctan(Fz / (c["PKY2"] * F0 * (1 + c["PPY2"] * dp))))
    Ky = Ky0 * c["LKY"] * (1 - c["PKY3"] * np.abs(gy))
    Shy = (c["PHY1"] + c["PHY2"] * df) * c["LHY"] + c["PHY3"] * gy
    Svy = Fz * ((c["PVY1"] + c["PVY2"] * df) * c["LVY"] + (c["PVY3"] + c["PVY4"] * df) * gy) * c["LMUY"]
    ay = a + Shy
    Ey = (c["PEY1"] + c["PEY2"] * df) * (1 - (c["PEY3"] + c["PEY4"] * gy) * np.sign(ay)) * c["LEY"]
    Cy = c["PCY1"] * c["LCY"]
    By = Ky / (Cy * muy * Fz)
    Fy0 = sine(By, Cy, muy * Fz, np.minimum(Ey, 1), ay) + Svy

    Bxa = c["RBX1"] * np.cos(np.arctan(c["RBX2"] * k)) * c["LXAL"]
    Exa = np.minimum(c["REX1"] + c["REX2"] * df, 1)
    Fx = Fx0 * share(Bxa, c["RCX1"], Exa, a, c["RHX1"])
    Byk = c["RBY1"] * np.cos(np.arctan(c["RBY2"] * (a - c["RBY3"]))) * c["LYKA"]
    Eyk = np.minimum(c["REY1"] + c["REY2"] * df, 1)
    Shyk = c["RHY1"] + c["RHY2"] * df
    Gyk = share(Byk, c["RCY1"], Eyk, k, Shyk)
    Dvyk = muy * Fz * (c["RVY1"] + c["RVY2"] * df + c["RVY3"] * g) * np.cos(np.arctan(c["RVY4"] * a))
    Fy = Gyk * Fy0 + Dvyk * np.sin(c["RVY5"] * np.arctan(c["RVY6"] * k)) * c["LVYKA"]

    Bt = (c["QBZ1"] + c["QBZ2"] * df + c["QBZ3"] * df**2) * (1 + c["QBZ4"] * gz + c["QBZ5"] * np.abs(gz))
    Bt = Bt * c["LKY"] / c["LMUY"]
    at = a + c["QHZ1"] + c["QHZ2"] * df + (c["QHZ3"] + c["QHZ4"] * df) * gz
    Et = c["QEZ1"] + c["QEZ2"] * df + c["QEZ3"] * df**2
    Et = np.minimum(Et * (1 + (c["QEZ4"] + c["QEZ5"] * gz) * 2 / np.pi * np.arctan(Bt * c["QCZ1"] * at)), 1)
    Dt = Fz * (c["QDZ1"] + c["QDZ2"] * df) * (1 + c["QDZ3"] * gz + c["QDZ4"] * gz**2) * R0 / F0 * c["LTR"]
    Dt = Dt * (1 - c["QPZ1"] * dp)
    ar = a + Shy + Svy / Ky
    ateq = np.arctan(np.sqrt(np.tan(at) ** 2 + (Kx / Ky * k) ** 2)) * np.sign(at)
    areq = np.arctan(np.sqrt(np.tan(ar) ** 2 + (Kx / Ky * k) ** 2)) * np.sign(ar)
    Dr = (c["QDZ6"] + c["QDZ7"] * df) * c["LRES"] + (c["QDZ8"] + c["QDZ9"] * df) * (1 + c["QPZ2"] * dp) * gz
    Br = c["QBZ9"] * c["LKY"] / c["LMUY"] + c["QBZ10"] * By * Cy
    Mzr = Fz * R0 * Dr * c["LMUY"] * np.cos(np.arctan(Br * areq)) * np.cos(a)
    s = R0 * (c["SSZ1"] + c["SSZ2"] * Fy / F0 + (c["SSZ3"] + c["SSZ4"] * df) * g) * c["LS"]
    return Fx, Fy, -Dt * cosine(Bt, c["QCZ1"], Et, ateq) * np.cos(a) * Gyk * Fy0 + Mzr + s * Fx


def book_61(c, Fz, angle, k, camber):
    """Pacejka 2012, (4.E1) to (4.E78) with the pressure terms of 2010, no turn slip: (Fx, Fy, Mz)."""
    F0, R0 = c["FNOMIN"] * c["LFZO"], c["UNLOADED_RADIUS"]
    df, dp = (Fz - F0) / F0, (c["INFLPRES"] - c["NOMPRES"]) / c["NOMPRES"]
    a, g = np.tan(angle), np.sin(camber)
    slow = lambda scale: 10 * scale / (1 + 9 * scale)  # noqa: E731
    kx = k + (c["PHX1"] + c["PHX2"] * df) * c["LHX"]
    Dx = (
        Fz
        * (c["PDX1"] + c["PDX2"] * df)
        * (1 + c["PPX3"] * dp + c["PPX4"] * dp**2)
        * (1 - c["PDX3"] * g**2)
        * c["LMUX"]
    )
    Ex = np.minimum((c["PEX1"] + c["PEX2"] * df + c["PEX3"] * df**2) * (1 - c["PEX4"] * np.sign(kx)) * c["LEX"], 1)
    Kx = (
        Fz * (c["PKX1"] + c["PKX2"] * df) * np.exp(c["PKX3"] * df) * (1 + c["PPX1"] * dp + c["PPX2"] * dp**2) * c["LKX"]
    )
    Cx = c["PCX1"] * c["LCX"]
    Fx0 = sine(Kx / (Cx * Dx), Cx, Dx, Ex, kx) + Fz * (c["PVX1"] + c["PVX2"] * df) * c["LVX"] * slow(c["LMUX"])

    def lateral(g):
        mu = (
            (c["PDY1"] + c["PDY2"] * df) * (1 + c["PPY3"] * dp + c["PPY4"] * dp**2) * (1 - c["PDY3"] * g**2) * c["LMUY"]
        )
        at = np.arctan(Fz / F0 / ((c["PKY2"] + c["PKY5"] * g**2) * (1 + c["PPY2"] * dp)))
        K = c["PKY1"] * F0 * (1 + c["PPY1"] * dp) * (1 - c["PKY3"] * np.abs(g)) * np.sin(c["PKY4"] * at) * c["LKY"]
        Kg = Fz * (c["PKY6"] + c["PKY7"] * df) * (1 + c["PPY5"] * dp) * c["LKYC"]
        Svg = Fz * (c["PVY3"] + c["PVY4"] * df) * g * c["LKYC"] * slow(c["LMUY"])
        Sv = Fz * (c["PVY1"] + c["PVY2"] * df) * c["LVY"] * slow(c["LMUY"]) + Svg
        Sh = (c["PHY1"] + c["PHY2"] * df) * c["LHY"] + (Kg * g - Svg) / K
        x = a + Sh
        E = (c["PEY1"] + c["PEY2"] * df) * (1 + c["PEY5"] * g**2 - (c["PEY3"] + c["PEY4"] * g) * np.sign(x)) * c["LEY"]
        C = c["PCY1"] * c["LCY"]
        B = K / (C * mu * Fz)
        return sine(B, C, mu * Fz, np.minimum(E, 1), x) + Sv, K, Sh + Sv / K, B * C, mu

    def weighed(g):
        B = (c["RBY1"] + c["RBY4"] * g**2) * np.cos(np.arctan(c["RBY2"] * (a - c["RBY3"]))) * c["LYKA"]
        E, S = np.minimum(c["REY1"] + c["REY2"] * df, 1), c["RHY1"] + c["RHY2"] * df
        return share(B, c["RCY1"], E, k, S)

    Fy0, Ky, Shf, BC, mu = lateral(g)
    Bxa = (c["RBX1"] + c["RBX3"] * g**2) * np.cos(np.arctan(c["RBX2"] * k)) * c["LXAL"]
    Exa = np.minimum(c["REX1"] + c["REX2"] * df, 1)
    Fx = Fx0 * share(Bxa, c["RCX1"], Exa, a, c["RHX1"])
    Dvyk = mu * Fz * (c["RVY1"] + c["RVY2"] * df + c["RVY3"] * g) * np.cos(np.arctan(c["RVY4"] * a))
    Fy = weighed(g) * Fy0 + Dvyk * np.sin(c["RVY5"] * np.arctan(c["RVY6"] * k)) * c["LVYKA"]

    at = a + c["QHZ1"] + c["QHZ2"] * df + (c["QHZ3"] + c["QHZ4"] * df) * g
    Bt = (c["QBZ1"] + c["QBZ2"] * df + c["QBZ3"] * df**2) * (1 + c["QBZ4"] * g + c["QBZ5"] * np.abs(g))
    Bt = Bt * c["LKY"] / c["LMUY"]
    Et = c["QEZ1"] + c["QEZ2"] * df + c["QEZ3"] * df**2
    Et = np.minimum(Et * (1 + (c["QEZ4"] + c["QEZ5"] * g) * 2 / np.pi * np.arctan(Bt * c["QCZ1"] * at)), 1)
    Dt = Fz * R0 / F0 * (c["QDZ1"] + c["QDZ2"] * df) * (1 - c["PPZ1"] * dp) * c["LTR"]
    Dt = Dt * (1 + c["QDZ3"] * g + c["QDZ4"] * g**2)
    Dr = (c["QDZ8"] + c["QDZ9"] * df) * (1 + c["PPZ2"] * dp) + (c["QDZ10"] + c["QDZ11"] * df) * np.abs(g)
    Dr = Fz * R0 * ((c["QDZ6"] + c["QDZ7"] * df) * c["LRES"] + Dr * g * c["LKZC"]) * c["LMUY"] * np.cos(angle)
    ateq = np.sqrt(at**2 + (Kx / Ky * k) ** 2) * np.sign(at)
    areq = np.sqrt((a + Shf) ** 2 + (Kx / Ky * k) ** 2) * np.sign(a + Shf)
    t = Dt * cosine(Bt, c["QCZ1"], Et, ateq) * np.cos(angle)
    Mzr = Dr * np.cos(np.arctan((c["QBZ9"] * c["LKY"] / c["LMUY"] + c["QBZ10"] * BC) * areq))
    s = R0 * (c["SSZ1"] + c["SSZ2"] * Fy / F0 + (c["SSZ3"] + c["SSZ4"] * df) * g) * c["LS"]
    return Fx, Fy, -t * weighed(0.0) * lateral(0.0)[0] + Mzr + s * Fx


def forces_of(tyre: TyreMagicFormula) -> np.ndarray:
    row, law = tyre.pack(), type(tyre).law
    states = zip(LOAD, ANGLE, SLIP, CAMBER, strict=True)
    return np.array([law(row, fz, a, k, g, 20.0) for fz, a, k, g in states]).T


def scales(rng: np.random.Generator) -> dict[str, float]:
    names = "LFZO LCX LMUX LEX LKX LHX LVX LCY LMUY LEY LKY LHY LVY LTR LRES LXAL LYKA LVYKA LS".split()
    return {name: float(rng.uniform(0.8, 1.2)) for name in names}


@pytest.mark.parametrize("name", [name for name in samples.ALL if name != "ellipse"])
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_forces_are_those_of_the_book(name: str, seed: int, tmp_path: Path) -> None:
    """Rounding: some hundred operations, with differences of about 1e-2 of the parts: 1e-12 of the largest force.

    Seed 0 has the file as it is, others change every scale and every coefficient by some percent.
    """
    text = samples.ALL[name]
    file = tmp_path / "tyre.tir"
    file.write_text(text)
    changed: dict[str, float] = {}
    if seed:
        rng = np.random.default_rng(seed)
        groups = {**samples.LONGITUDINAL, **samples.LATERAL, **samples.ALIGNING}
        groups |= samples.PRESSURE if "PPX1" in text else {}
        groups |= samples.ONLY_6 if "PKY6" in text else {}
        groups = {key: value for key, value in groups.items() if f"\n{key} " in text}
        changed = {key: value * float(rng.uniform(0.9, 1.1)) for key, value in groups.items()} | scales(rng)
        old = {"LGAY": 0.9, "LGAZ": 1.1, "LGAX": 1.2}
        changed |= {"LKYC": 0.8, "LKZC": 1.1} if name == "mf-6.1" else old
    c = Coefficients({**parse_tir(text).numbers, **changed})
    book = book_61 if name == "mf-6.1" else book_52
    expected = np.array(book(c, LOAD, ANGLE, SLIP, CAMBER))
    got = forces_of(TyreMagicFormula("t", file=str(file), coefficients=changed, limited=False))
    for one, other in zip(got, expected, strict=True):
        assert np.max(np.abs(one - other)) < 1e-12 * np.max(np.abs(other))


def test_the_friction_ellipse_of_pac2002(tmp_path: Path) -> None:
    """Written with tan(beta) as the format describes it; the vertical shifts are zero, where both forms are one."""
    file = tmp_path / "tyre.tir"
    file.write_text(samples.ELLIPSE)
    none = dict.fromkeys(("PVX1", "PVX2", "PVY1", "PVY2", "PVY3", "PVY4"), 0.0)
    pure = forces_of(TyreMagicFormula("t", file=str(file), coefficients={**none, "USE_MODE": 3}))
    fx, fy, _ = forces_of(TyreMagicFormula("t", file=str(file), coefficients=none, limited=False))
    c = Coefficients({**parse_tir(samples.ELLIPSE).numbers, **none})
    df, dp = LOAD / c["FNOMIN"] - 1, 0.2
    k = SLIP + c["PHX1"] + c["PHX2"] * df
    a = np.sin(ANGLE + c["PHY1"] + c["PHY2"] * df + c["PHY3"] * CAMBER)
    tan_beta = np.tan(np.arccos(np.abs(k) / np.hypot(k, a)))
    most_x = (c["PDX1"] + c["PDX2"] * df) * (1 + c["PPX3"] * dp + c["PPX4"] * dp**2) * (1 - c["PDX3"] * CAMBER**2)
    most_y = (c["PDY1"] + c["PDY2"] * df) * (1 + c["PPY3"] * dp + c["PPY4"] * dp**2) * (1 - c["PDY3"] * CAMBER**2)
    use_x, use_y = np.abs(pure[0]) / LOAD, np.abs(pure[1]) / LOAD
    mu_x = 1 / np.sqrt(use_x**-2 + (tan_beta / most_y) ** 2)
    mu_y = tan_beta / np.sqrt(most_x**-2 + (tan_beta / use_y) ** 2)
    # tan(arccos) loses up to 1e-16 / (1 - cos)^(1/2): 1e-12 at the smallest angles of the sample
    np.testing.assert_allclose(fx, np.sign(pure[0]) * mu_x * LOAD, rtol=1e-11)
    np.testing.assert_allclose(fy, np.sign(pure[1]) * mu_y * LOAD, rtol=1e-11)
    assert np.max(np.hypot(mu_x / most_x, mu_y / most_y)) <= 1.0 + 1e-12
    assert np.max(np.hypot(use_x / most_x, use_y / most_y)) > 1.2


@pytest.mark.parametrize("name", samples.ALL)
def test_combined_forces_stay_near_the_ellipse(name: str, tmp_path: Path) -> None:
    """Without the limit, the weights of these tyres leave the ellipse of their peaks by a few percent at most."""
    file = tmp_path / "tyre.tir"
    file.write_text(samples.ALL[name])
    tyre = TyreMagicFormula("t", file=str(file), limited=False)
    row, law = tyre.pack(), type(tyre).law
    fz = 4100.0
    slips, angles = np.linspace(-1, 1, 201), np.linspace(-0.35, 0.35, 141)
    pure_x = max(abs(law(row, fz, 0.0, k, 0.0, 20.0)[0]) for k in slips)
    pure_y = max(abs(law(row, fz, a, 0.0, 0.0, 20.0)[1]) for a in angles)
    use = max(
        np.hypot(fx / pure_x, fy / pure_y)
        for k in slips[::4]
        for a in angles[::4]
        for fx, fy, _ in [law(row, fz, a, k, 0.0, 20.0)]
    )
    assert use < 1.08


@pytest.mark.parametrize("name", samples.ALL)
def test_slopes_at_the_origin_are_the_stiffnesses(name: str, tmp_path: Path) -> None:
    """No shifts: differences with h = 1e-5 give B C D within the third-order term, (B h)^2 = 1e-7."""
    file = tmp_path / "tyre.tir"
    file.write_text(samples.ALL[name])
    shifts = "PHX1 PHX2 PVX1 PVX2 PHY1 PHY2 PVY1 PVY2 RVY1 RVY2 RHX1 RHY1 RHY2 PEX4 PEY3"
    tyre = TyreMagicFormula("t", file=str(file), coefficients=dict.fromkeys(shifts.split(), 0.0))
    c = Coefficients(tyre.settled()[0])
    h, dp = 1e-5, c["INFLPRES"] / c["NOMPRES"] - 1
    for fz in (500.0, 2500.0, 4100.0, 9000.0):
        df = fz / 4100.0 - 1
        kx = fz * (23.4 + 1.7 * df) * np.exp(0.19 * df) * (1 + c["PPX1"] * dp + c["PPX2"] * dp**2)
        ky = -18.7 * 4100.0 * (1 + c["PPY1"] * dp)
        ky *= np.sin(c["PKY4"] * np.arctan(fz / 4100.0 / (1.83 * (1 + c["PPY2"] * dp))))
        assert (tyre.forces(fz, 0, h)[0] - tyre.forces(fz, 0, -h)[0]) / (2 * h) == pytest.approx(kx, rel=1e-5)
        assert (tyre.forces(fz, h)[1] - tyre.forces(fz, -h)[1]) / (2 * h) == pytest.approx(ky, rel=1e-5)
