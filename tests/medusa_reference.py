"""The equations of the MEDUSA report (1999) without contact, written once more for comparison, in numpy alone.

All vehicles of all decks advance at once: every array has the vehicles along its first axis. Equation numbers are the
report's; its misprints are read as the rebuilt program has them: lag (1.27), square of K'_c s in (1.23), alpha over the
full turn, slips beyond 1 become -1, lifted wheels have no force and no lag rate. Nothing of Centrode is imported.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

GRAVITY = 9.81
B1, B4 = -1.14e-4 / 4.48, -1.062e-9 / 4.48**2  # rounded in print


@dataclass
class Vehicle:
    """One vehicle of a deck: its model by the keywords of model.dat, its start, its road.

    ``steering`` is a list of (from this time on, angle [deg]); ``points`` rows x, y, z, bank [deg]; ``directors`` and
    ``height`` replace the listed start.
    """

    model: dict[str, float]
    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    speed: float = 0.0
    tire_speed: float = 0.0
    steering: tuple[tuple[float, float], ...] = ((0.0, 0.0),)
    points: tuple[tuple[float, ...], ...] = ((-100, 0, 0, 0), (100, 0, 0, 0), (500, 0, 0, 0), (1000, 0, 0, 0))


def listed_state(vehicle: Vehicle) -> np.ndarray:
    """(1.32) at the start: the listed EQUILIBRIUM turned about E3, SPEED along the heading, the rest zero."""
    m, angle = vehicle.model, math.radians(vehicle.heading)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    directors = [turn @ [m[f"D{i}1"], m[f"D{i}2"], m[f"D{i}3"]] for i in (1, 2, 3)]
    place, velocity = [vehicle.x, vehicle.y, m["R3"]], [vehicle.speed * c, vehicle.speed * s, 0.0]
    return np.concatenate([place, *directors, velocity, np.zeros(13)])


def road_coefficients(points: np.ndarray) -> np.ndarray:
    """(1.35), (1.36): powers of s in [0, 1] of every segment, shape (segments, 4, 3); the first three are one cubic."""
    found = np.zeros((len(points) - 1, 4, 3))
    d1, d2 = np.diff(points[:4], axis=0), np.diff(points[:4], 2, axis=0)
    d3 = np.diff(points[:4], 3, axis=0)[0]
    for k in range(3):  # Newton's forward differences about point k of the common cubic
        slope = d1[0] + (2 * k - 1) / 2 * d2[0] + (3 * k * k - 6 * k + 2) / 6 * d3
        found[k] = [points[k], slope, (d2[0] + (k - 1) * d3) / 2, d3 / 6]
    for k in range(3, len(found)):
        before = found[k - 1]
        slope, bend = before[1] + 2 * before[2] + 3 * before[3], before[2] + 3 * before[3]
        found[k] = [points[k], slope, bend, points[k + 1] - points[k] - slope - bend]
    return found


class Platoon:
    """Vehicles ready to run; ``state`` has shape (vehicles, 28)."""

    def __init__(self, vehicles: list[Vehicle]) -> None:
        self.vehicles = vehicles
        self.state = np.array([listed_state(v) for v in vehicles])

        def of(*names: str) -> np.ndarray:
            return np.array([[v.model[name] for name in names] for v in vehicles])

        l1, l2, b, h1, h2 = of("L1", "L2", "B", "H1", "H2").T
        self.corners = np.stack(  # (1.11)
            [np.column_stack([x, side * b / 2, -h]) for x, h in ((l1, h1), (-l2, h2)) for side in (1, -1)],
            axis=1,
        )
        self.mass, self.lag = of("MASS")[:, 0], of("TIRE")
        moments = of("IX", "IY", "IZ")
        self.inertias = 0.5 * moments.sum(axis=1, keepdims=True) - moments  # (1.9) solved
        e, nu = of("E", "NU").T
        self.lam = e * nu / ((1 + nu) * (1 - 2 * nu))  # (1.13)
        self.mu, self.volume = e / (2 * (1 + nu)), of("VOLUME")[:, 0]
        self.springs, self.dampers = of("C1", "C1", "C2", "C2"), of("D1", "D1", "D2", "D2")
        self.rest = of("SPRING_REF")
        self.rim = np.array([[v.tire_speed, v.tire_speed, 0.0, 0.0] for v in vehicles])
        most = max(len(v.points) for v in vehicles)
        self.segments = np.zeros((len(vehicles), most - 1, 4, 3))
        self.banks = np.zeros((len(vehicles), most))
        self.last = np.array([len(v.points) - 1 for v in vehicles])
        for k, v in enumerate(vehicles):
            points = np.array(v.points, dtype=float)
            self.segments[k, : len(points) - 1] = road_coefficients(points[:, :3])
            self.banks[k, : len(points)] = np.radians(points[:, 3])
        first, chord = self.segments[:, 0, 1], self.segments[:, 0].sum(axis=1) - self.segments[:, 0, 0]
        # The virtual segment: straight along the first tangent and as long as the first segment.
        self.ahead = first * (np.linalg.norm(chord, axis=1) / np.linalg.norm(first, axis=1))[:, None]
        self.rows = np.arange(len(vehicles))
        self.place = self._nearest()
        below = self.state[:, :3].copy()  # R3 counts from the line of the road beside the place straight below
        for _ in range(60):
            foot, e3 = self.road(below)
            below[:, 2] -= np.sum((below - foot) * e3, axis=1) / e3[:, 2]
        self.state[:, 2] += foot[:, 2]

    def _nearest(self) -> np.ndarray:
        """Where on its road each vehicle starts: segment and parameter as one number, below 0 on the virtual one."""
        parts = np.linspace(0.0, 1.0, 2001)
        grid = parts[:, None] * (self.last + 1.0) - 1.0
        gaps = np.array([np.sum((self._curve(u)[0] - self.state[:, :3]) ** 2, axis=1) for u in grid])
        return grid[np.argmin(gaps, axis=0), self.rows]

    def _curve(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Road line at u and two derivatives by u."""
        k = np.clip(np.floor(u).astype(int), 0, self.last - 1)
        s = (u - k)[:, None]
        a, b, d, e = np.moveaxis(self.segments[self.rows, k], 1, 0)
        virtual = (u < 0)[:, None]
        r = np.where(virtual, self.segments[:, 0, 0] + u[:, None] * self.ahead, a + s * (b + s * (d + s * e)))
        r1 = np.where(virtual, self.ahead, b + s * (2 * d + s * 3 * e))
        return r, r1, np.where(virtual, 0.0, 2 * d + 6 * s * e)

    def road(self, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Nearest point of the road line, and e_3 there (section 1.3.2)."""
        for _ in range(4):
            line, r1, r2 = self._curve(self.place)
            gap = line - r
            step = np.sum(gap * r1, axis=1) / (np.sum(r1 * r1, axis=1) + np.sum(gap * r2, axis=1))
            self.place = self.place - step
            if np.abs(step).max() < 1e-13:
                break
        line, r1, _ = self._curve(self.place)
        k = np.clip(np.floor(self.place).astype(int), 0, self.last - 1)
        s = np.clip(self.place - k, 0.0, 1.0)
        bank = (1 - s) * self.banks[self.rows, k] + s * self.banks[self.rows, k + 1]
        tangent = r1 / np.linalg.norm(r1, axis=1, keepdims=True)
        left = np.column_stack([-tangent[:, 1], tangent[:, 0], np.zeros(len(r))])
        left /= np.linalg.norm(left, axis=1, keepdims=True)
        up = np.cross(tangent, left)
        return line, np.cos(bank)[:, None] * up - np.sin(bank)[:, None] * left

    def rates(self, z1: np.ndarray, z2: np.ndarray, lags: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations (vehicles, 12) and lag rates (vehicles, 4) of (1.30)."""
        r, d, v, w = z1[:, :3], z1[:, 3:].reshape(-1, 3, 3), z2[:, :3], z2[:, 3:].reshape(-1, 3, 3)
        foot, e3 = self.road(r)
        rear = d[:, 0] - np.sum(d[:, 0] * e3, axis=1)[:, None] * e3  # (1.14)
        rear /= np.linalg.norm(rear, axis=1, keepdims=True)
        left = np.cross(e3, rear)
        steer = np.radians([[angle for at, angle in car.steering if at <= time][-1] for car in self.vehicles])[:, None]
        front = np.cos(steer) * rear + np.sin(steer) * left  # (1.15)
        ex = np.stack([front, front, rear, rear], axis=1)
        ey = np.cross(ex, e3[:, None])  # to the right
        points = (r - foot)[:, None] + self.corners @ d
        flow = v[:, None] + self.corners @ w  # (1.18)
        height, rise = (np.einsum("vqx,vx->vq", a, e3) for a in (points, flow))
        load = -(self.springs * (height - self.rest) + self.dampers * rise)  # (1.17)
        onward, aside = np.sum(flow * ex, axis=2), np.sum(flow * ey, axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            slip = np.where(self.rim != 0.0, 1.0 - self.rim / onward, 0.0)  # (1.19)
            slip = np.where(np.abs(slip) > 1.0, -1.0, slip)  # remark 3
            fx, fy = tyre(load, lags, slip)
        forces = fx[..., None] * ex - fy[..., None] * ey + load[..., None] * e3[:, None]  # (1.16)
        forces = np.where((load > 0.0)[..., None], forces, 0.0)
        gram = np.einsum("vix,vjx->vij", d, d) - np.eye(3)
        trace = np.trace(gram, axis1=1, axis2=2)[:, None, None]
        inner = (
            0.5
            * self.volume[:, None, None]
            * (self.lam[:, None, None] * trace * d + 2 * self.mu[:, None, None] * gram @ d)
        )  # (1.12)
        linear = forces.sum(axis=1) / self.mass[:, None] - [0.0, 0.0, GRAVITY]
        directors = (np.swapaxes(self.corners, 1, 2) @ forces - inner) / self.inertias[..., None]  # (1.7), (1.10)
        lag_rates = np.where(load > 0.0, (np.arctan2(aside, onward) - lags) / self.lag, 0.0)  # (1.27)
        return np.hstack([linear, directors.reshape(-1, 9)]), lag_rates

    def run(self, end: float, step: float, save: float) -> np.ndarray:
        """States (frames, vehicles, 28) of (1.52)."""
        frames = [self.state.copy()]
        per_frame, number = round(save / step), round(end / save)
        for n in range(per_frame * number):
            z = self.state
            z[:, :12] += step * z[:, 12:24]
            acceleration, lag_rates = self.rates(z[:, :12], z[:, 12:24], z[:, 24:], n * step)
            z[:, 12:24] += step * acceleration
            z[:, 24:] += step * lag_rates
            if (n + 1) % per_frame == 0:
                frames.append(z.copy())
        return np.array(frames)


def tyre(load: np.ndarray, alpha: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """F_x, F_y of (1.20) to (1.26); zero at no slip."""
    alpha = np.where(np.abs(alpha) > np.pi / 2, np.pi - alpha, alpha)  # remark 2
    patch = (0.0768 * np.sqrt(np.abs(load) * 1160.0) / (5.0 * (28.0 + 5.0))) ** 2
    ks = 2.0 / patch * (7092.7808 + 11.94 * load - 11.94 / 13571.0848 * load**2)
    kc = 2.0 / patch * load * 18.0
    peak = B1 * load + 1.007 + B4 * load**2
    size = np.sqrt(np.sin(alpha) ** 2 + (s * np.cos(alpha)) ** 2)
    mixed, friction = kc + (ks - kc) * size, peak * (1.0 - 0.2 * size)
    lateral = ks * np.tan(alpha)
    sigma = np.pi * patch / (8.0 * peak * load) * np.hypot(lateral, kc * s / (1.0 - s))
    cube, square = 0.535 * sigma**3, sigma**2
    f = (cube + 1.05 * square + 4 / np.pi * sigma) / (cube + 1.15 * square + 0.8 * sigma + 1.0)
    below = np.hypot(lateral, mixed * s)
    scale = np.where(below > 0.0, friction * load * f / np.where(below > 0.0, below, 1.0), 0.0)
    return -scale * mixed * s, scale * lateral
