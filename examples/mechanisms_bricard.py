"""Bricard's mechanism: a loop that should not move, and its redundant row.

Run: python examples/mechanisms_bricard.py
"""

from __future__ import annotations

import numpy as np

import centrode as ct


def main() -> object:
    """Ten seconds."""
    return ct.simulate(ct.bricard(), duration=10.0, frames=0.02, tolerance=1e-10)


def draw(run) -> None:
    ct.save_figure(ct.figure_tracks(run, ["point3"], title="Path of point 3"), "out/bricard.png")


if __name__ == "__main__":
    run = main()
    draw(run)
    at = int(np.argmin(np.abs(run.time - 1.0)))
    print("point 3 after 1 s:", run["point3.position"][at])
    for event in run.events:
        print(f"t = {event.time:g} s: {event.subject}")
    assert (
        np.abs(run["point3.position"][at] - (0.5105014611877626, -1.649167599394611, 0.14012311455350823)).max() < 1e-9
    )
    assert run.statistics.more["redundant_rows"] == 1
