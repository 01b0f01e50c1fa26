"""The decoders by name: from evidence, and where there is one from the likelihood, to a distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
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
class Messages:
    """The likelihood of counted messages, up to a factor a message: that cancels wherever it is used.

    ``forward`` gives each message's probability under a distribution of the labels, ``backward`` sums a weight a
    message over the channel. ``response`` is A/B where the maximum has a closed form (k-RR).
    """

    counts: npt.NDArray[np.int64]
    forward: Callable[[Vector], Vector]
    backward: Callable[[Vector], Vector]
    response: float | None = None


def support_messages(
    counts: npt.NDArray[np.int64],
    ratio: float,
    mass: Callable[[Vector], Vector],
    collect: Callable[[Vector], Vector],
    response: bool = False,
) -> Messages:
    """Messages whose probability is ``ratio`` times higher from the labels they support.

    ``mass`` adds up a distribution over each message's labels, ``collect`` adds up weights over each label's messages.
    """
    bonus = ratio - 1
    return Messages(
        counts,
        forward=lambda p: 1 + bonus * mass(p),
        backward=lambda weights: weights.sum() + bonus * collect(weights),
        response=ratio if response else None,
    )


def check_prior(decoder: str, prior: Iterable[float] | None, d: int) -> Vector | None:
    """The prior as an array; it goes with the posterior decoder and with no other."""
    if decoder not in DECODERS:
        raise ParameterError(f"decoder must be one of {', '.join(DECODERS)}, got decoder={decoder!r}")
    if decoder == "posterior":
        return check_distribution("prior", prior, d)
    if prior is not None:
        raise ParameterError(f"prior must be left out for the {decoder} decoder, got one; posterior takes it")
    return None


def decode(evidence: Evidence, messages: Messages | None, prior: Vector | None) -> Vector:
    """The distribution that a decoder beyond the linear ones makes of the evidence."""
    return _likelihood(evidence, messages) if prior is None else _posterior(messages, prior)


def _likelihood(evidence: Evidence, messages: Messages | None) -> Vector:
    if messages is not None and messages.response is not None:
        return response_likelihood(messages.counts, messages.response)
    if messages is not None:
        found = maximum_likelihood(messages.counts, messages.forward, messages.backward, len(evidence.unbiased()))
        if found.gap > FURTHEST:
            raise CapacityError(
                f"the likelihood must come within {FURTHEST:g} nats a report of its maximum, got {found.gap:.2g}; "
                'take decoder="projected"'
            )
        return found.point
    if isinstance(evidence, SupportEvidence):
        return composite_likelihood(evidence.counts, evidence.n, evidence.support)
    raise ParameterError("the likelihood needs the reports, got a tally; pass the reports to estimate")


def _posterior(messages: Messages | None, prior: Vector) -> Vector:
    if messages is None:
        raise ParameterError(
            "the posterior needs the reports, got a tally of packed bits; pass the reports to estimate"
        )
    return posterior_mean(messages.counts, messages.forward, messages.backward, prior)
