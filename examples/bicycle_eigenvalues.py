"""When does a bicycle run by itself? Eigenvalues against speed, for the benchmark bicycle and a few others.

Run: python examples/bicycle_eigenvalues.py
"""

from __future__ import annotations

import centrode as ct


def main() -> dict[str, tuple[float, float] | None]:
    """Range of speeds [m/s] in which each machine is stable by itself."""
    return {name: ct.linear_bicycle(ct.machine(name)).critical_speeds().stable_range for name in ct.MACHINES}


if __name__ == "__main__":
    ranges = main()
    for name, found in ranges.items():
        text = f"{found[0]:.3f} to {found[1]:.3f} m/s" if found else "never"
        print(f"{name:10s} stable by itself: {text}")
    # Meijaard et al. 2007: weave speed and capsize speed.
    assert ranges["benchmark"] is not None
    assert abs(ranges["benchmark"][0] - 4.29238253634111) < 1e-9
    assert abs(ranges["benchmark"][1] - 6.02426201538837) < 1e-9
