"""Stations on the sides of a body that gives way: where pictures and recordings say how far a side is pushed in."""

from __future__ import annotations

SIDE_STATIONS = {"front": 16, "rear": 16, "left": 24, "right": 24, "roof": 16}
"""Stations of each side, from right to left on front and rear, from behind to ahead on the others; the floor is not
seen. Ends are told every tenth of a metre, sides every fifth, which draws a dent and keeps a recording small."""
