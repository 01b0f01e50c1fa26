"""Two ways from an unbiased estimate to a distribution; each is biased for something."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.kernels.decode import project_simplex

Vector: TypeAlias = npt.NDArray[np.float64]


def normalize(v: Vector) -> Vector:
    """Clip at 0 and rescale; uniform if nothing is left.

    Biased for rare labels, whose positive noise stays and whose negative noise goes, against common ones.
    """
    clipped = np.maximum(v, 0)
    total = clipped.sum()
    return clipped / total if total > 0 else np.full(len(v), 1 / len(v))


def project(v: Vector) -> Vector:
    """The nearest distribution in squared error (Wang and Carreira-Perpinan 2013).

    Never further from the truth than ``v`` is. Biased for zero: the excess is taken evenly from all labels that
    keep something, so rare labels drop to exactly 0.

    >>> project(np.array([0.9, 0.3, -0.2])).round(6).tolist()
    [0.8, 0.2, 0.0]
    """
    return project_simplex(v)
