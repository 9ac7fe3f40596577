r"""Fin: lift and drag of a foil anywhere on any body, with a deflection that is commanded.

Marker frame: x chord at rest (towards the leading edge), z outward span s, y = s x chord. With the deflection d, turned
right-handed about the outward span, and the velocity u of the pressure centre relative to the water:

    c = x cos d + y sin d,   n = s x c = y cos d - x sin d                             (1)
    v_c = u . c,   v_n = u . n,   V = sqrt(v_c^2 + v_n^2)   (the span part does nothing)   (2)
    alpha = atan2(-v_n, v_c)                                                           (3)
    F = rho/2 A V^2 (CL e_L + CD e_D),   e_D = -(v_c c + v_n n)/V,   e_L = e_D x s     (4)
      = rho/2 A V ( CL (-v_n c + v_c n) - CD (v_c c + v_n n) )                         (5)

The force acts on the stock axis, unmoved by the deflection. At rest (V = 0) it is zero. CL, CD come from
:mod:`centrode.parts.forces.foil_section`, over the full turn, so a fin that drifts backwards or stalls is right too.
The deflection follows :mod:`centrode.parts.forces.command`: limits, then a first-order lag.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from centrode.errors import Fault, InputError
from centrode.jit import step_kernel
from centrode.math.vector import ZERO, dot, minus, plus_times, times, vector
from centrode.parts.forces.command import Commanded, commanded, pack_command
from centrode.parts.forces.foil_section import finite_span_factors, flow_angle, foil_coefficients, pack_section
from centrode.parts.kernel_types import FORCE_SIGNATURE, LINK_DATA, LINK_MARKERS
from centrode.parts.markers import X, Y, axis, push, velocity
from centrode.parts.part import quantity
from centrode.parts.placement import Placement, Scene, direction_field, triple, unit_vector
from centrode.parts.signals.signal import varying

AREA, DOWNWASH, INDUCED, CURRENT, SECTION, COMMAND = 0, 1, 2, 3, 6, 7
"""Parameters: rho/2 A, induced angle and drag of finite span, current (3), place of the section's offset, command."""


@step_kernel(signature=FORCE_SIGNATURE)
def fin_force(time, first, count, par, link, data, inputs, memory, markers, states, wrench, rates):
    """(1) to (5)."""
    for i in range(first, first + count):
        m = link[i, LINK_MARKERS]
        angle = commanded(time, i, COMMAND, par, link, data, inputs, states, rates)
        chord, normal = axis(markers, m, X), axis(markers, m, Y)
        u = minus(velocity(markers, m), vector(par[i], CURRENT))
        along, across = dot(u, chord), dot(u, normal)
        square = along * along + across * across
        f = ZERO
        if square > 0.0:
            # The flow's own direction needs no turning by the deflection: (5) is the same in rest axes.
            at = int(data[link[i, LINK_DATA] + int(par[i, SECTION])])
            attack = angle - flow_angle(across, along)  # (3)
            if par[i, DOWNWASH] != 0.0:
                attack -= par[i, DOWNWASH] * math.sin(2.0 * attack)
            lift, drag = foil_coefficients(data, at, attack)
            drag += par[i, INDUCED] * lift * lift
            scale = par[i, AREA] * math.sqrt(square)
            ahead, up = scale * (-lift * across - drag * along), scale * (lift * along - drag * across)
            f = plus_times(times(ahead, chord), up, normal)
        push(wrench, m, f)


@dataclass(frozen=True)
class Fin(Commanded):
    """Fin, rudder or foil with a commanded deflection."""

    kind: ClassVar[str] = "fin"
    force_kernel: ClassVar[Any] = fin_force
    works_in_plane: ClassVar[bool] = False
    external: ClassVar[bool] = True
    example: ClassVar[dict[str, Any] | None] = {"body": "a", "area": 0.01, "point_body": (-0.3, 0.2, 0.1)}

    body: Any = quantity("", "body that carries the fin, or point on it", refers_to="body")
    area: float = quantity("m2", "reference area", positive=True)
    point_body: tuple[float, ...] | None = quantity("m", "pressure centre on the body, in its frame", None)
    span: tuple[float, ...] = direction_field("outward span axis in the body's frame", (0.0, 1.0, 0.0))
    chord: tuple[float, ...] = direction_field(
        "direction of the leading edge at rest in the body's frame, made normal to the span", (1.0, 0.0, 0.0)
    )
    command: Any = varying(
        "rad", "deflection at the start, right-handed about the outward span, or a signal added to a controller's", 0.0
    )
    lower: float | None = quantity("rad", "smallest deflection; no limit when left out", None)
    upper: float | None = quantity("rad", "largest deflection; no limit when left out", None)
    lag: float = quantity("s", "time constant of the first-order lag of the fin; 0 for none", 0.0, minimum=0.0)
    section: Any = quantity("", "foil section: naca0012 (table), naca0012-smooth", "naca0012")
    table: tuple[tuple[float, float, float], ...] | None = quantity(
        "1", "rows (alpha_deg, cl, cd) of another section, 0 to 180 or -180 to 180 degrees", None
    )
    aspect_ratio: float | None = quantity(
        "1",
        "effective aspect ratio: reduces the lift of the section (Helmbold), adds induced drag",
        None,
        positive=True,
    )
    density: float = quantity("kg/m3", "density of the water", 1000.0, positive=True)
    current: tuple[float, ...] = quantity("m/s", "velocity of the water, world frame", (0.0, 0.0, 0.0), read=triple)

    def faults(self) -> list[Fault]:
        found = super().faults()
        try:
            self.packed_section()
        except InputError as error:
            found += error.faults
        if not found and np.linalg.norm(np.cross(self._unit("span"), self._unit("chord"))) < 1e-6:
            found.append(self.fault("chord", "span and chord are parallel"))
        return found

    def packed_section(self) -> np.ndarray:
        """The section for the data pool, where fins with the same section read it from one place."""
        given, field = (self.section, "section") if self.table is None else (self.table, "table")
        return np.array(pack_section(given, f"{self.name}.{field}"))

    def frame(self) -> np.ndarray:
        """Body from fin frame at rest: columns chord, span x chord, span."""
        span, chord = self._unit("span"), self._unit("chord")
        chord = chord - (chord @ span) * span
        chord /= np.linalg.norm(chord)
        return np.column_stack([chord, np.cross(span, chord), span])

    def place(self, scene: Scene) -> Placement:
        command, extra = pack_command(self, scene, "rad")
        signal = list(extra.pop("data", []))
        downwash, induced = finite_span_factors(self.aspect_ratio)
        current = triple(self.current, f"{self.name}.current")
        par = [0.5 * self.density * self.area, downwash, induced, *current, float(len(signal)), *command]
        marker = self.end(scene, "body")[0].turned(self.frame())
        section = {len(signal): self.packed_section()}
        return Placement([marker], par=par, data=[*signal, 0.0], shared=section, **extra)

    def _unit(self, field: str) -> np.ndarray:
        return unit_vector(getattr(self, field), f"{self.name}.{field}")
