"""Checklists: how many labels to ask for together, and how large a private set to draw.

Each person holds a list of labels. In all of it the odds are exactly e^epsilon; drawn ones differ in the tenth digit.

- Asking b of d labels together is randomized response over 2^b patterns, of contrast c = (E - 1)/(E + 2^b - 1). So a
  share theta has the variance V/n, V = (d/b) [(1 - c^2)/(4 c^2) + theta (1 - theta)].
- A private set (PrivSet, Wang et al. 2018) is a set of k of D = d + m places, E times likelier if it meets the m places
  that a person holds: a held place is in it with probability g, any other with h.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.theory.risk.support import Support

GUESSED = 0.1
"""The share of a label for which the number of labels to ask for is chosen."""


def contrast(together: int, epsilon: float) -> float:
    """The difference c that holding a label makes to the probability of a yes, with so many labels asked together.

    >>> round(contrast(2, 2.0), 6)
    0.614979
    """
    excess = math.expm1(epsilon)
    return excess / (excess + 2.0**together)


def asked_variance(labels: int, together: int, epsilon: float, share: float) -> float:
    """V: n times the variance of a label's estimated ``share``, with so many of the ``labels`` asked ``together``.

    >>> round(asked_variance(40, 2, 2.0, 0.1), 4)
    10.0205
    """
    c = contrast(together, epsilon)
    return labels / together * ((1 - c * c) / (4 * c * c) + share * (1 - share))


def best_together(labels: int, epsilon: float, most: int) -> int:
    """How many of the labels, up to ``most``, to ask for together: the least variance at a guessed share.

    >>> best_together(40, 1.0, 16), best_together(40, 4.0, 16)
    (1, 3)
    """
    return min(range(1, most + 1), key=lambda b: asked_variance(labels, b, epsilon, GUESSED))


def private_set(labels: int, held: int, size: int, epsilon: float) -> Support:
    """The g and h of a private set: probabilities that it holds a place that somebody holds, and one that they do not.

    Of all sets of k places T miss all held ones, and R hold one other place and miss all held ones. A set is kept with
    probability w/E, w = E - (E - 1) T; so g = (k/D) E/w and g - h = (E - 1) R/w (by counting sets).

    >>> round(private_set(40, 3, 4, 1.0).g, 6), round(private_set(40, 3, 4, 1.0).h, 7)
    (0.174892, 0.0868831)
    """
    places, i, excess = labels + held, np.arange(held), math.expm1(epsilon)
    missing = float(np.prod((places - size - i) / (places - i)))
    only = size / places * float(np.prod((places - size - i) / (places - 1 - i)))
    kept = 1 + excess * (1 - missing)
    g, gap = size / places * (excess + 1) / kept, excess * only / kept
    return Support(g, g - gap, gap)


def set_error(labels: int, held: int, size: int, epsilon: float) -> float:
    """The total squared error over all places times n, against the people's own shares, whatever they hold.

    >>> round(set_error(40, 3, 4, 1.0), 3)
    465.594
    """
    s = private_set(labels, held, size, epsilon)
    return (held * s.g * (1 - s.g) + labels * s.h * (1 - s.h)) / s.gap**2


def best_set_size(labels: int, held: int, epsilon: float) -> int:
    """The size of a private set of least total error; at a small epsilon half of the places over those held.

    >>> best_set_size(40, 3, 1.0), best_set_size(1000, 10, 1.0)
    (4, 26)
    """
    most = min(labels, (labels + held) // held + 1)
    return min(range(1, most + 1), key=lambda k: set_error(labels, held, k, epsilon))
