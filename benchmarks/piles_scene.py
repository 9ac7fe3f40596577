"""Scenes of the pile benchmarks, the same for ours and for peers: balls and boxes poured into a bin, legged robots."""

from __future__ import annotations

import numpy as np

WIDTH, RADIUS, HALF, DENSITY, FRICTION, GRAVITY = 0.6, 0.05, 0.04, 1000.0, 0.5, 9.81
"""Half-width of the bin, radius of a ball, half length of a cube [m], density [kg/m3], friction [1], gravity [m/s2]."""


def poured(kind: str, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Places [m] and quaternions of bodies that hang over the bin in layers, none in each other, turned anyhow."""
    rng = np.random.default_rng(3)
    pitch, row = (0.115, 10) if kind == "balls" else (0.145, 8)
    found = []
    for k in range(count):
        place = np.array([k % row - 0.5 * (row - 1), k // row % row - 0.5 * (row - 1), k // row**2 + 0.8]) * pitch
        turn = rng.normal(size=4)
        shift = 0.005 if kind == "balls" else 0.002
        found.append((place + rng.uniform(-shift, shift, 3), turn / np.linalg.norm(turn)))
    return found


def limb(name: str, lengths: list[float], at: str, axis: str = "0 1 0") -> str:
    """A chain of capsules that hang down from a point, each on a hinge."""
    inner = ""
    for k in range(len(lengths) - 1, -1, -1):
        place = at if k == 0 else f"0 0 {-lengths[k - 1]}"
        shape = f'<geom type="capsule" fromto="0 0 0 0 0 {-lengths[k]}" size="0.03" density="{DENSITY}"/>'
        joint = f'<joint name="{name}{k}" type="hinge" axis="{axis}" damping="0.5"/>'
        inner = f'<body name="{name}-{k}" pos="{place}">{joint}{shape}{inner}</body>'
    return inner


def robot(kind: str) -> str:
    """Bodies of a quadruped (nine links) or of a humanoid (twelve), as MJCF; it falls and lies there."""
    if kind == "quadruped":
        corners = [(x, y) for x in (-0.25, 0.25) for y in (-0.15, 0.15)]
        limbs = "".join(limb(f"leg{k}", [0.2, 0.2], f"{x} {y} 0") for k, (x, y) in enumerate(corners))
        body = '<geom type="box" size="0.3 0.12 0.06" density="300"/>'
        height = 0.6
    else:
        limbs = "".join(limb(f"arm{k}", [0.25, 0.22], f"0 {y} 0.2") for k, y in enumerate((-0.25, 0.25)))
        limbs += "".join(limb(f"leg{k}", [0.4, 0.4, 0.1], f"0 {y} -0.3") for k, y in enumerate((-0.12, 0.12)))
        limbs += '<body name="head" pos="0 0 0.35"><joint name="neck" type="hinge" axis="0 1 0" damping="0.5"/>'
        limbs += f'<geom type="sphere" size="0.1" density="{DENSITY}"/></body>'
        body = '<geom type="box" size="0.1 0.18 0.25" density="600"/>'
        height = 1.4
    return f'<body name="trunk" pos="0 0 {height}"><freejoint/>{body}{limbs}</body>'
