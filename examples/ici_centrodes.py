"""A rolling wheel: the space centrode is the road, the body centrode is the rim.

Run: python examples/ici_centrodes.py [figure.png]
"""

from __future__ import annotations

import sys

import numpy as np

import centrode as ct

RADIUS = 0.5
SPEED = 3.0


def main() -> ct.IciPath:
    """Two seconds of a wheel that rolls to the right; rates in the axes of the wheel."""
    spin = SPEED / RADIUS
    rates = ct.RatesFunction(
        vx=lambda t: SPEED * np.cos(spin * t),
        vy=lambda t: SPEED * np.sin(spin * t),
        omega=lambda t: np.full_like(t, -spin),
    )
    wheel = ct.IciScenario(rates, position=(0.0, RADIUS), end_time=2.0, name="rolling wheel")
    return ct.integrate(wheel, "ici-magnus4", steps=2000)


if __name__ == "__main__":
    path = main()
    _, height = path.space_centrode
    rim = np.hypot(*path.body_centrode)
    print(f"space centrode: height {np.abs(height).max():.1e} m off the road")
    print(f"body centrode:  radius {rim.min():.12f} to {rim.max():.12f} m")
    assert np.abs(height).max() < 1e-9
    assert np.allclose(rim, RADIUS, rtol=1e-12)
    if len(sys.argv) > 1:
        print(f"wrote {ct.save_figure(ct.figure_run(path, 'Rolling wheel'), sys.argv[1])}")
