"""Slider-crank in the plane: crank on the ground, connecting rod, slider on the x axis.

With crank angle t, crank r and rod l the slider stands at x = r cos t + sqrt(l^2 - r^2 sin^2 t); the centres of mass
lie in the middle of crank and rod.
"""

from __future__ import annotations

import math

from centrode.parts.bodies.planar import PlanarBody
from centrode.parts.joints.prismatic import Prismatic
from centrode.parts.joints.revolute import Revolute
from centrode.system.builder import System


def slider_crank(
    crank: float = 0.15,
    rod: float = 0.35,
    crank_mass: float = 0.38,
    rod_mass: float = 0.22,
    slider_mass: float = 0.5,
    angle: float = math.pi / 4,
    omega: float = 20.0,
) -> System:
    """Slider-crank that coasts under gravity.

    Args:
        crank, rod: lengths [m]; the rod is the longer one.
        crank_mass, rod_mass, slider_mass: [kg]; crank and rod are uniform.
        angle: of the crank at the start, counter-clockwise from +x [rad].
        omega: its rate at the start [rad/s]; the other velocities follow from the joints.
    """
    system = System("Slider-crank", plane=True)
    pin = (crank * math.cos(angle), crank * math.sin(angle))
    lean = -math.asin(crank * math.sin(angle) / rod)
    end = (pin[0] + rod * math.cos(lean), 0.0)
    # Velocities that obey the joints: pin on its circle, slider on its line.
    pin_speed = (-omega * pin[1], omega * pin[0])
    rod_omega = -omega * crank * math.cos(angle) / (rod * math.cos(lean))
    rod_speed = (
        pin_speed[0] - rod_omega * 0.5 * rod * math.sin(lean),
        pin_speed[1] + rod_omega * 0.5 * rod * math.cos(lean),
    )
    slider_speed = (pin_speed[0] - rod_omega * rod * math.sin(lean), 0.0)
    middle, speed = (0.5 * pin[0], 0.5 * pin[1]), (0.5 * pin_speed[0], 0.5 * pin_speed[1])
    rod_middle = (0.5 * (pin[0] + end[0]), 0.5 * pin[1])
    system.add(PlanarBody("crank", crank_mass, crank_mass * crank**2 / 12.0, middle, angle, speed, omega))
    system.add(PlanarBody("rod", rod_mass, rod_mass * rod**2 / 12.0, rod_middle, lean, rod_speed, rod_omega))
    system.add(PlanarBody("slider", slider_mass, 1e-4 * slider_mass, position=end, velocity=slider_speed))
    system.add(Revolute("shaft", system.ground, "crank", at=(0.0, 0.0)))
    system.add(Revolute("crank-pin", "crank", "rod", at=pin))
    system.add(Revolute("wrist-pin", "rod", "slider", at=end))
    system.add(Prismatic("guide", system.ground, "slider", at=end, axis=(1.0, 0.0)))
    return system
