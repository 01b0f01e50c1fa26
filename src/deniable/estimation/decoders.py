"""The decoders by name: from evidence, and where there is one from the likelihood, to a distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices, Vector
from deniable.checks import check_distribution
from deniable.errors import CapacityError, ParameterError
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.likelihood import (
    composite_likelihood,
    maximum_likelihood,
    posterior_mean,
    response_likelihood,
)
from deniable.estimation.simplex import normalize, project
from deniable.estimation.within import BlockEvidence

LINEAR: dict[str, Callable[[Vector], Vector]] = {
    "unbiased": np.asarray,
    "normalized": normalize,
    "projected": project,
}
"""The decoders that start from the unbiased estimate alone."""
FURTHEST = 1e-6
"""Nats a report that a maximum may be proven to lack."""
DECODERS = (*LINEAR, "likelihood", "posterior")
COMPOSITE = "composite likelihood"
"""What "likelihood" is called where a tally has forgotten which bits came together: each bit's own."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The likelihood of counted reports, up to a factor for each kind of report that cancels wherever it is used.

    ``forward`` gives the probability of each kind of report under a distribution of the labels, ``backward`` sums
    weights, one for each kind, over the channel. ``response`` is A/B where the maximum has a closed form (k-RR).
    """

    counts: npt.NDArray[np.int64]
    forward: Callable[[Vector], Vector]
    backward: Callable[[Vector], Vector]
    response: float | None = None
    parts: tuple[tuple[Indices, Likelihood], ...] = ()
    """Labels of which the reports tell that one of them is held, with the likelihood of these reports among them."""


def support_likelihood(
    counts: npt.NDArray[np.int64],
    ratio: float,
    mass: Callable[[Vector], Vector],
    collect: Callable[[Vector], Vector],
    response: bool = False,
) -> Likelihood:
    """Reports whose probability is ``ratio`` times higher from the labels they support.

    ``mass`` adds up a distribution over each report's labels, ``collect`` adds up weights over each label's reports.
    """
    bonus = ratio - 1
    return Likelihood(
        counts,
        forward=lambda p: 1 + bonus * mass(p),
        backward=lambda weights: weights.sum() + bonus * collect(weights),
        response=ratio if response else None,
    )


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a decoder made of counts: shares, the unbiased ones they start from, and what both rest on."""

    frequencies: Vector
    unbiased: Vector
    decoder: str
    evidence: Evidence
    unlisted: tuple[float, float] | None = None
    """Over an open alphabet the share of people outside the labels, with its standard error."""


def check_prior(decoder: str, prior: Iterable[float] | None, d: int) -> Vector | None:
    """The prior as an array; it goes with the posterior decoder and with no other."""
    if decoder not in DECODERS:
        raise ParameterError(f"decoder must be one of {', '.join(DECODERS)}, got decoder={decoder!r}")
    if decoder == "posterior":
        return check_distribution("prior", prior, d)
    if prior is not None:
        raise ParameterError(f"prior must be left out for the {decoder} decoder, got one; posterior takes it")
    return None


def decode(evidence: Evidence, likelihood: Likelihood | None, prior: Vector | None) -> Vector:
    """The distribution that a decoder beyond the linear ones makes of the evidence."""
    return _likelihood(evidence, likelihood) if prior is None else _posterior(likelihood, prior)


def _likelihood(evidence: Evidence, likelihood: Likelihood | None) -> Vector:
    if likelihood is not None:
        return _maximum(likelihood, len(evidence.unbiased()))
    if isinstance(evidence, SupportEvidence):
        return composite_likelihood(evidence.counts, evidence.n, evidence.support)
    if isinstance(evidence, BlockEvidence):
        return evidence.composite()
    raise ParameterError("the likelihood needs the reports, got a tally; pass the reports to estimate")


def _maximum(likelihood: Likelihood, d: int) -> Vector:
    """In closed form, part by part, or by a search."""
    if likelihood.response is not None:
        return response_likelihood(likelihood.counts, likelihood.response)
    if likelihood.parts:
        point, people = np.zeros(d), int(likelihood.counts.sum())
        for places, part in likelihood.parts:
            if held := int(part.counts.sum()):
                point[places] = held / people * _maximum(part, len(places))
        return point
    found = maximum_likelihood(likelihood.counts, likelihood.forward, likelihood.backward, d)
    if found.gap > FURTHEST:
        raise CapacityError(
            f"the likelihood must come within {FURTHEST:g} nats a report of its maximum, got {found.gap:.2g}; "
            'take decoder="projected"'
        )
    return found.point


def _posterior(likelihood: Likelihood | None, prior: Vector) -> Vector:
    if likelihood is None:
        raise ParameterError(
            "the posterior needs the reports, got a tally of packed bits; pass the reports to estimate"
        )
    return posterior_mean(likelihood.counts, likelihood.forward, likelihood.backward, prior)
