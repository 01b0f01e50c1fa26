"""The best channel for a few labels under any pairwise guarantee, as weights that provably keep it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

import numpy as np

from deniable.checks import check_distribution
from deniable.mechanisms.channels.channel import Channel, read_channel
from deniable.mechanisms.family import Family, Maker, Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.shared.chosen import some_level
from deniable.privacy.certified import certified
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.composition import as_pairwise
from deniable.protocol.privacy.context import Blocks, HighLow, Pairwise
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.informed import UnderPrior
from deniable.theory.best_channel.optimal import Aim, optimal_matrix
from deniable.values.domain import Domain, DomainLike


def optimal_channel(
    guarantee: Guarantee,
    domain: DomainLike | None = None,
    prior: Iterable[float] | None = None,
    goal: Aim = "information",
) -> Channel:
    """The best channel for a goal, for values drawn from ``prior`` (uniform if left out).

    Maximized: "information" and "success" (the probability to guess the value). Minimized: "bayes" (the squared error
    of the posterior), "squared" (that of the unbiased estimator, at the prior), "minimax" (the same at its worst truth)
    and "minimax-l1" (its absolute error there, for many people). Exact for up to a dozen labels under plain LDP, fewer
    under uneven levels; beyond that a search that takes minutes.

    >>> from deniable.protocol.privacy.guarantees import LDP
    >>> found = optimal_channel(LDP(1.0), ["a", "b", "c"], [0.6, 0.3, 0.1])
    >>> LDP(1.0).holds(found), LDP(1.0 - 1e-6).holds(found)
    (True, False)
    """
    if not isinstance(guarantee, Guarantee):
        raise ParameterError(f"guarantee must be one such as LDP(1.0), got {type(guarantee).__name__}")
    if isinstance(guarantee, UnderPrior):
        raise ParameterError(f"guarantee must be about pairs of labels, got {guarantee}; InformedResponse knows priors")
    labels = _labels(guarantee, domain)
    levels = np.array(as_pairwise(guarantee, labels).matrix)
    known = None if prior is None else check_distribution("prior", prior, len(labels))
    rows = certified(lambda share: optimal_matrix(levels * share, known, goal).matrix, guarantee)
    return Channel(labels, rows, guarantee)


def _labels(guarantee: Guarantee, domain: DomainLike | None) -> Domain:
    """The guarantee's labels, or those of ``domain`` for a guarantee that is about any."""
    own = guarantee.domain
    if own is None:
        if domain is None:
            raise ParameterError("domain must be given with a guarantee that names none, got none")
        return Domain.of(domain)
    if domain is not None and Domain.of(domain) != own:
        raise ParameterError(f"domain must be the guarantee's own, or left out, got {Domain.of(domain)!r}")
    return Domain.of(own)


THIRD = Fraction(1, 3)
FEW = 6
"""The most labels for which a plan tries the optimal channel; more would take minutes."""


def _example(domain: Domain, epsilon: float) -> Mechanism:
    """The matrix of k-ary randomized response."""
    return Channel(domain, RandomizedResponse(domain, epsilon).channel().exact)


def _keeps(guarantee: Guarantee, domain: Domain) -> Maker | None:
    """The minimax channel under a context-aware guarantee; None for other guarantees."""
    if not isinstance(guarantee, HighLow | Blocks | Pairwise):
        return None
    return lambda: optimal_channel(guarantee, domain, goal="minimax")


def _random(source: Random) -> Channel:
    """A random channel: an optimal one, or one whose rows are the same weights in random orders."""
    if source.random() < 0.5:
        return optimal_channel(LDP(some_level(source)), source.choice((2, 3)))
    weights = [1, *(source.randrange(10) for _ in range(source.randrange(1, 5)))]
    rows = [source.sample(weights, len(weights)) for _ in range(source.choice((2, 3, 5)))]
    return Channel(len(rows), [[Fraction(weight, sum(weights)) for weight in row] for row in rows])


FAMILY = Family(
    make=Channel,
    written_out=True,
    title="any explicit matrix",
    example=_example,
    keeps=_keeps,
    read=read_channel,
    may_refuse=True,
    planned_as="OptimalChannel",
    most_planned=FEW,
    samples=(
        Sample(
            18, lambda: Channel(["low", "middle", "high"], [[2 * THIRD, THIRD, 0], [THIRD] * 3, [0, THIRD, 2 * THIRD]])
        ),
        Sample(19, lambda: Channel(["sick", "well"], [[0.9, 0.1], [0.3, 0.7]])),
        Sample(
            30,
            lambda: Channel(["sick", "well"], [[THIRD, 2 * THIRD], [0, 1]], HighLow(["sick", "well"], ["well"], 0.5)),
        ),
    ),
    random=_random,
    sizes=(16, 256),
)
"""The registry row by which a plan tries optimal channels."""
