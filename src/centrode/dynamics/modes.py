"""Modes of a linear system x' = A x: eigenvalues with shapes, frequency, damping, time to double or halve."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Mode:
    """A real eigenvalue or a conjugate pair.

    Attributes:
        value: eigenvalue [1/s], the one with positive imaginary part of a pair.
        shape: eigenvector, complex, largest component 1.
        names: of the components.
    """

    value: complex
    shape: np.ndarray
    names: tuple[str, ...]

    @property
    def oscillates(self) -> bool:
        """Whether it is a pair."""
        return self.value.imag != 0.0

    @property
    def frequency(self) -> float:
        """Undamped natural frequency |value| / 2 pi [Hz]; 0 for a real eigenvalue."""
        return abs(self.value) / (2.0 * math.pi) if self.oscillates else 0.0

    @property
    def damping_ratio(self) -> float:
        """-Re(value) / |value|; 1 for a stable real eigenvalue, -1 for an unstable one."""
        return -self.value.real / abs(self.value) if self.value != 0 else 0.0

    def participation(self) -> dict[str, float]:
        """Size of each component, the largest 1."""
        return {name: float(abs(x)) for name, x in zip(self.names, self.shape, strict=True)}


def modes_of(a: np.ndarray, names: tuple[str, ...]) -> list[Mode]:
    """Modes of x' = A x, the most unstable first; one entry for a conjugate pair."""
    values, vectors = np.linalg.eig(a)
    found = []
    for i in np.lexsort((values.imag, -values.real)):
        if values[i].imag < 0.0:
            continue
        shape = vectors[:, i].astype(complex)
        found.append(Mode(complex(values[i]), shape / shape[int(np.argmax(np.abs(shape)))], tuple(names)))
    return found
