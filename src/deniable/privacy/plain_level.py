"""Which level of plain local differential privacy keeps another guarantee."""

from __future__ import annotations

from deniable.privacy.averaged import MutualInformationPrivacy
from deniable.privacy.beliefs import level_for
from deniable.protocol.checks import LARGEST_EPSILON, SMALLEST_EPSILON
from deniable.protocol.privacy.composition import as_pairwise
from deniable.protocol.privacy.guarantees import Guarantee, OneLevel
from deniable.protocol.privacy.levels import beside
from deniable.values.domain import Domain


def plain_level(guarantee: Guarantee, domain: Domain) -> float | None:
    """The largest epsilon of plain LDP that implies the guarantee; None where a pair must not be told apart at all."""
    if isinstance(guarantee, OneLevel):
        return one_level(guarantee)
    least = min(*beside(as_pairwise(guarantee, domain).matrix), LARGEST_EPSILON)
    return least if least >= SMALLEST_EPSILON else None


def one_level(guarantee: OneLevel) -> float:
    """Its epsilon; of a bound on the mean the level that leaves no more to be learnt."""
    mean = isinstance(guarantee, MutualInformationPrivacy)
    return level_for(guarantee.epsilon, LARGEST_EPSILON) if mean else guarantee.epsilon
