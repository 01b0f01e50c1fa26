"""How far one report of a part errs, wherever people are asked about it."""

from __future__ import annotations

import numpy as np

from deniable.surveys.arms import Part


def len_of(part: Part) -> int:
    """How many labels a part reports on."""
    return part.mechanism.law.labels


def unit_variance(part: Part) -> float:
    """The variance of one report about a contrast of the part's labels, at the uniform truth (numbers.md)."""
    d = len_of(part)
    return part.mechanism.risk(1, "l2", np.full(d, 1 / d)) / (d - 1)


def item_variance(part: Part) -> float:
    """The variance of one report about one label of a checklist that half of all people hold."""
    law = part.mechanism.law
    return law.risk(1, "l2", np.full(law.labels, 0.5), "population") / law.labels
