"""Eigenvalues: in the complex plane, or their parts over a parameter such as the speed of a bicycle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from centrode.errors import InputError
from centrode.plots.figure import axis_label, new_figure


def figure_eigenvalues(
    eigenvalues: Sequence[complex] | np.ndarray,
    parameter: Sequence[float] | np.ndarray | None = None,
    *,
    name: str = "parameter",
    unit: str = "1",
    title: str = "",
) -> Figure:
    """Eigenvalues [1/s].

    Args:
        eigenvalues: shape (n,) for one state, (m, n) for m values of a parameter.
        parameter: shape (m,); with it real and imaginary parts are drawn over the parameter.
        name, unit: of the parameter.
        title: above the figure.
    """
    values = np.atleast_2d(np.asarray(eigenvalues, dtype=complex))
    if parameter is None:
        figure, [[panel]] = new_figure(width=5.6, height=5.0, title=title)
        for row in values:
            panel.plot(row.real, row.imag, "o", ms=5, mfc="none")
        panel.axvline(0.0, color="black", lw=0.8)
        panel.set(xlabel="real part [1/s]", ylabel="imaginary part [rad/s]")
    else:
        at = np.asarray(parameter, dtype=float)
        if len(at) != len(values):
            what = "one row of eigenvalues per value of the parameter"
            raise InputError(what, got=len(values), expected=str(len(at)))
        figure, [[upper], [lower]] = new_figure(2, height=2.8, share_x=True, title=title)
        stable = values.real.max(axis=1) < 0
        for first, last in _stretches(stable):
            upper.axvspan(at[first], at[last], color="#009e73", alpha=0.12, lw=0)
        real = np.abs(values.imag) < 1e-9 * np.maximum(1.0, np.abs(values.real))
        for k in range(values.shape[1]):
            upper.plot(at, values[:, k].real, ".", ms=3, color="#0072b2")
            lower.plot(at, np.where(real[:, k], np.nan, np.abs(values[:, k].imag)), ".", ms=3, color="#d55e00")
        upper.axhline(0.0, color="black", lw=0.8)
        upper.set_ylabel("real part [1/s]")
        lower.set_ylabel("imaginary part [rad/s]")
        lower.set_xlabel(axis_label(name, unit))
    return figure


def _stretches(mask: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]
