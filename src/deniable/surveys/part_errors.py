"""How far one report of a part errs, wherever people are asked about it."""

from __future__ import annotations

import numpy as np

from deniable.protocol.surveys.questions import AnyOf
from deniable.surveys.arms import Part
from deniable.surveys.encoders import Has


def len_of(part: Part) -> int:
    """How many labels a part reports on."""
    return part.mechanism.law.labels


def unit_variance(part: Part) -> float:
    """The variance of one report about a contrast of the part's labels, at the uniform truth (numbers.md)."""
    d = len_of(part)
    return part.mechanism.risk(1, "l2", np.full(d, 1 / d)) / (d - 1)


def stated_share(question: AnyOf) -> float:
    """The share of a checklist's labels of which errors are stated: half, or what the longest lists have on average."""
    return 0.5 if question.most is None else min(question.most / len(question.labels), 0.5)


def item_variance(part: Part, share: float) -> float:
    """The variance of one report about one label of a checklist that such a share of all people hold."""
    law = part.mechanism.law
    held = np.array([share, 1 - share]) if isinstance(part.encoder, Has) else np.full(law.labels, share)
    return law.risk(1, "l2", held, "population") / law.labels
