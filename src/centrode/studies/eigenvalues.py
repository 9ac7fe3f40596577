"""Eigenvalues of a scenario about its start, and over a parameter of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from centrode.errors import InputError
from centrode.scenario.document import Scenario


def start_eigenvalues(scenario: Scenario, *, coordinates: Sequence[str] = (), cyclic: Sequence[str] = ()) -> np.ndarray:
    """Eigenvalues [1/s] about the start of a scenario, shape (n,), the most unstable first.

    Args:
        scenario: what is linearised.
        coordinates: independent ones; all displacements that the joints allow by default.
        cyclic: coordinates of which only the rate matters.
    """
    from centrode.dynamics.linearise import linearise
    from centrode.running import Session

    session = Session(scenario.system, scenario.settings)
    session.act()
    return np.asarray(linearise(session, list(coordinates) or None, list(cyclic)).eigenvalues)


def eigenvalues_over(
    scenario: Scenario,
    path: str,
    values: Sequence[float] | np.ndarray,
    *,
    coordinates: Sequence[str] = (),
    cyclic: Sequence[str] = (),
    progress: Callable[[float], None] | None = None,
) -> np.ndarray:
    """Eigenvalues [1/s] for every value of one entry of the scenario, shape (m, n).

    Args:
        scenario: what is linearised.
        path: dotted path of the entry ("bodies.arm.mass").
        values: (m,) what it is set to.
        coordinates, cyclic: as for :func:`start_eigenvalues`.
        progress: called with the fraction done.
    """
    found = []
    for k, value in enumerate(values):
        edited = scenario.edited({path: float(value)})
        found.append(start_eigenvalues(edited, coordinates=coordinates, cyclic=cyclic))
        if progress is not None:
            progress((k + 1) / len(values))
    if len({row.size for row in found}) != 1:
        raise InputError("the number of eigenvalues changes with the parameter", path=path)
    return np.stack(found)
