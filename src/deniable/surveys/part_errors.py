"""How far one report of a part errs, wherever people are asked about it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from deniable.estimation.census import among
from deniable.protocol.questions.any_of import AnyOf, Has
from deniable.surveys.arms import Part


def len_of(part: Part) -> int:
    """How many labels a part reports on."""
    return part.mechanism.law.labels


def unit_variance(part: Part) -> float:
    """The variance of one report about a contrast of the part's labels, at the uniform truth (numbers.md)."""
    d = len_of(part)
    return part.mechanism.risk(1, "l2", np.full(d, 1 / d)) / (d - 1)


def labels_error(asked: Sequence[tuple[Part, float]], labels: int) -> float:
    """The error of one of so many labels, equally frequent, from reports on them alone and on pairs with others."""
    precision = math.fsum(n * labels / (len_of(part) * unit_variance(part)) for part, n in asked)
    return math.sqrt((1 - 1 / labels) / precision)


def error_among(error: float, share: float, size: float) -> float:
    """The error of such a share among so many people."""
    return math.sqrt(among(error**2, share * (1 - share), size))


def stated_share(question: AnyOf) -> float:
    """The share of a checklist's labels of which errors are stated: half, or what the longest lists have on average."""
    return 0.5 if question.most is None else min(question.most / len(question.labels), 0.5)


def item_variance(part: Part, share: float) -> float:
    """The variance of one report about one label of a checklist that such a share of all people hold."""
    law = part.mechanism.law
    held = np.array([share, 1 - share]) if isinstance(part.encoder, Has) else np.full(law.labels, share)
    return law.risk(1, "l2", held, "population") / law.labels
