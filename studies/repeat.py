"""Counts as if each label had its own survey, repeated, as wang2016's experiments drew them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from deniable.arrays import Counts
from deniable.engines.repeat import crowds
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.laws.support_law import support_of
from deniable.mechanisms.mechanism import Mechanism
from deniable.theory.risk.variance import Target


class LabelSurveys(NamedTuple):
    """How many people of each label answered, and counts as if each label had its own survey."""

    people: Counts
    evidence: SupportEvidence


def label_surveys(
    mechanism: Mechanism,
    truth: Iterable[float],
    users: int,
    seed: int,
    repeats: int,
    target: Target = "population",
) -> Iterator[LabelSurveys]:
    """Repeated surveys with independent counts per label: one binomial draw of its holders, one of the others.

    Each count on its own has the right distribution. But one report supports several labels, or rules others out, which
    independent counts ignore: this is not the mechanism. wang2016's experiments drew so (sect. 3.3), and compare with
    nothing else.

    >>> import deniable as dn
    >>> [s.evidence.counts.sum() == 1000 for s in label_surveys(dn.RandomizedResponse(4, 1.0), [0.25] * 4, 1000, 1, 3)]
    [np.False_, np.False_, np.False_]
    """
    support = support_of(mechanism.law)
    asked = crowds(mechanism.law.labels, truth, users, seed, repeats, target)

    def counts(people: Counts, generator: np.random.Generator) -> Counts:
        return np.asarray(generator.binomial(people, support.g) + generator.binomial(users - people, support.h))

    return (LabelSurveys(people, SupportEvidence(users, counts(people, g), support)) for people, g in asked)
