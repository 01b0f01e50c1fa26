"""The decoders, a row each: from evidence, or from the likelihood if there is one, to a distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices, Vector
from deniable.checks import check_distribution
from deniable.estimation import cohort_forms
from deniable.estimation.block_evidence import BlockEvidence
from deniable.estimation.cohort_evidence import CohortEvidence
from deniable.estimation.evidence import Evidence, SupportEvidence
from deniable.estimation.likelihood import (
    composite_likelihood,
    maximum_likelihood,
    posterior_mean,
    response_likelihood,
)
from deniable.estimation.nonnegative import CohortShares
from deniable.estimation.simplex import normalize, project
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import CapacityError, ParameterError

FURTHEST = 1e-6
"""The largest proven gap to the maximum of the likelihood, in nats per report, that is accepted."""
COMPOSITE = "composite likelihood"
"""The decoder's name if a tally does not say which bits came together: the likelihood of each bit on its own."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The likelihood of counted reports, up to a factor per kind of report, which cancels wherever it is used.

    ``forward`` gives the probability of each kind of report under a distribution of the labels, ``backward`` sums
    weights, one for each kind, over the channel. ``response`` is A/B where the maximum has a closed form (k-RR).
    """

    counts: npt.NDArray[np.int64]
    forward: Callable[[Vector], Vector]
    backward: Callable[[Vector], Vector]
    response: float | None = None
    parts: tuple[tuple[Indices, Likelihood], ...] = ()
    """Labels of which the reports tell that one of them is held, with the likelihood of these reports among them."""


class Decoded(NamedTuple):
    """The result of a decoder: shares, the unbiased shares they start from, and the evidence for both."""

    frequencies: Vector
    unbiased: Vector
    decoder: str
    evidence: Evidence
    unlisted: tuple[float, float] | None = None
    """Over an open alphabet the share of people outside the labels, with its standard error."""


def _likelihood(evidence: Evidence, likelihood: Likelihood | None, prior: Vector | None) -> Vector:
    """The shares under which the reports are likeliest, or each of their bits by itself."""
    if likelihood is not None:
        return _maximum(likelihood, len(evidence.unbiased()))
    if isinstance(evidence, SupportEvidence):
        return composite_likelihood(evidence.counts, evidence.n, evidence.support)
    if isinstance(evidence, BlockEvidence):
        return evidence.composite()
    raise ParameterError("the likelihood needs the reports, got a tally; pass the reports to estimate")


def _maximum(likelihood: Likelihood, d: int) -> Vector:
    """The shares of d labels under which all reports are likeliest: in closed form, part by part, or by a search."""
    if likelihood.response is not None:
        return response_likelihood(likelihood.counts, likelihood.response)
    if likelihood.parts:
        point, people = np.zeros(d), int(likelihood.counts.sum())
        for places, part in likelihood.parts:
            if held := int(part.counts.sum()):
                point[places] = held / people * _maximum(part, len(places))
        return point
    maximum = maximum_likelihood(likelihood.counts, likelihood.forward, likelihood.backward, d)
    if maximum.gap > FURTHEST:
        raise CapacityError(
            f"the likelihood must come within {FURTHEST:g} nats per report of its maximum, got {maximum.gap:.2g}; "
            'take decoder="projected"'
        )
    return maximum.point


def _posterior(evidence: Evidence, likelihood: Likelihood | None, prior: Vector | None) -> Vector:
    """The mean of the shares after the reports, where before them shares have the prior."""
    if likelihood is None or prior is None:
        raise ParameterError(
            "the posterior needs the reports, got a tally of packed bits; pass the reports to estimate"
        )
    return posterior_mean(likelihood.counts, likelihood.forward, likelihood.backward, prior)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoder:
    """A decoder's row: what it makes of evidence of each kind, None where it makes nothing of it."""

    of_shares: Callable[[Vector], Vector] | None = None
    """Of unbiased shares that add up."""
    of_likelihood: Callable[[Evidence, Likelihood | None, Vector | None], Vector] | None = None
    """Of the likelihood, which packed bits only have themselves and not their tally, and of a prior."""
    of_lists: Callable[[Vector], Vector] | None = None
    """Of unbiased shares that are each by themselves."""
    of_cohorts: Callable[[CohortEvidence], CohortShares] | None = None
    """Of hashed reports."""
    takes_prior: bool = False


TABLE: Mapping[str, Decoder] = {
    "unbiased": Decoder(of_shares=np.asarray, of_lists=np.asarray, of_cohorts=cohort_forms.unbiased),
    "normalized": Decoder(of_shares=normalize),
    "nonnegative": Decoder(of_cohorts=cohort_forms.constrained),
    "projected": Decoder(
        of_shares=project, of_lists=lambda shares: np.clip(shares, 0, 1), of_cohorts=cohort_forms.projected
    ),
    "likelihood": Decoder(of_likelihood=_likelihood, of_cohorts=cohort_forms.likeliest),
    "posterior": Decoder(of_likelihood=_posterior, takes_prior=True),
}
"""Every decoder by its name."""
LINEAR = {name: row.of_shares for name, row in TABLE.items() if row.of_shares is not None}
"""Those that need only the unbiased shares."""
LIKELY = {name: row.of_likelihood for name, row in TABLE.items() if row.of_likelihood is not None}
LISTED = {name: row.of_lists for name, row in TABLE.items() if row.of_lists is not None}
HASHED = {name: row.of_cohorts for name, row in TABLE.items() if row.of_cohorts is not None}
DECODERS = tuple(name for name, row in TABLE.items() if name in LINEAR or name in LIKELY)
"""The names of those for labels of a closed domain, of which everybody holds one."""


def check_prior(decoder: str, prior: Iterable[float] | None, d: int) -> Vector | None:
    """The prior as an array, or None; only the posterior decoder takes one, and it needs one."""
    check_choice("decoder", decoder, DECODERS)
    if TABLE[decoder].takes_prior:
        return check_distribution("prior", prior, d)
    if prior is not None:
        raise ParameterError(f"prior must be left out for the {decoder} decoder, got one; posterior takes it")
    return None
