"""Groups that are public, such as regions or age groups, weighed into one estimate of everybody (numbers.md 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy

from deniable.checks import check_distribution, odd_one, unlike
from deniable.estimation.decoders import Decoded
from deniable.estimation.estimate import Estimate
from deniable.estimation.simplex import project
from deniable.estimation.sources import CombinedEvidence, SingleSource
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement

NOTE = Statement("groups_are_weighed")


def stratified(groups: Sequence[Estimate], weights: Iterable[float]) -> Estimate:
    """The shares among everybody, from an estimate of each group and each group's share of everybody.

    The groups must be public: who belongs to which is not protected. No person may be in two groups.

    >>> import deniable as dn
    >>> m = dn.RandomizedResponse(["yes", "no"], 3.0)
    >>> north, south = (dn.simulate(m, [p, 1 - p], 4000, seed=1) for p in (0.2, 0.6))
    >>> stratified([north, south], [0.75, 0.25]).unbiased.round(1).tolist()
    [0.3, 0.7]
    """
    estimates: list[Any] = list(groups)
    if not estimates or not all(isinstance(group, Estimate) for group in estimates):
        raise ParameterError(f"groups must be estimates, one for each group, got {odd_one(estimates, Estimate)}")
    first = estimates[0]
    for group in estimates:
        if list(group.labels) != list(first.labels):
            difference = unlike(first.labels, group.labels)
            raise ParameterError(f"groups must be estimates of the same labels in the same order, got {difference}")
    shares = check_distribution("weights", weights, len(estimates))
    matrices = tuple(scipy.sparse.diags_array(np.full(len(first.labels), share), format="csr") for share in shares)
    evidence = CombinedEvidence(tuple(SingleSource(group.evidence) for group in estimates), matrices, (NOTE,))
    unbiased, title = evidence.unbiased(), f"{len(estimates)} groups weighed"
    shares = project(unbiased) if first.adds_up else np.clip(unbiased, 0, 1)
    decoded = Decoded(shares, unbiased, "projected", evidence)
    return Estimate(first.labels, decoded, first.origin._replace(title=title))
