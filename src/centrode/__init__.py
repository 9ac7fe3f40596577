"""Centrode: an open laboratory for the motion of vehicles and mechanisms.

The public names live in the rooms below; each is imported when it is first used, so ``import centrode`` stays quick
and a command that only prints its help does not wait for a compiler.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from centrode.recording.derived import Derived, supply

__version__ = "0.1.0"

# Public name -> the module that defines it. A new public name is one line here and one below TYPE_CHECKING.
_HOMES: dict[str, str] = {
    "System": "centrode.system.builder",
    "simulate": "centrode.running",
    "load": "centrode.scenario.loader",
    "Recording": "centrode.recording.recording",
    "RigidBody": "centrode.parts.bodies.rigid",
    "PlanarBody": "centrode.parts.bodies.planar",
    "Revolute": "centrode.parts.joints.revolute",
    "Prismatic": "centrode.parts.joints.prismatic",
    "Ball": "centrode.parts.joints.ball",
    "Spring": "centrode.parts.forces.spring",
    "CentrodeError": "centrode.errors",
    "InputError": "centrode.errors",
    "RunError": "centrode.errors",
}

if TYPE_CHECKING:
    from centrode.errors import CentrodeError as CentrodeError
    from centrode.errors import InputError as InputError
    from centrode.errors import RunError as RunError
    from centrode.parts.bodies.planar import PlanarBody as PlanarBody
    from centrode.parts.bodies.rigid import RigidBody as RigidBody
    from centrode.parts.forces.spring import Spring as Spring
    from centrode.parts.joints.ball import Ball as Ball
    from centrode.parts.joints.prismatic import Prismatic as Prismatic
    from centrode.parts.joints.revolute import Revolute as Revolute
    from centrode.recording.recording import Recording as Recording
    from centrode.running import simulate as simulate
    from centrode.scenario.loader import load as load
    from centrode.system.builder import System as System


def _derived() -> Derived:
    from centrode import derived

    return derived


supply(_derived)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'centrode' has no attribute '{name}'")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value  # the next use is a plain look-up
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
