"""The mechanisms that keep a guarantee, and the error that each is predicted to make."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.checks import LARGEST_EPSILON, SMALLEST_EPSILON, check_int
from deniable.errors import CapacityError, ParameterError
from deniable.mechanisms.channels.optimal_channel import optimal_channel
from deniable.mechanisms.context.binary_response import BinaryResponse
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from deniable.mechanisms.context.high_low_hadamard import HighLowHadamard
from deniable.mechanisms.context.high_low_rappor import HighLowRappor
from deniable.mechanisms.context.high_low_response import HighLowResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.mechanisms.registry import PLAIN
from deniable.privacy.averaged import MutualInformationPrivacy
from deniable.privacy.beliefs import level_for
from deniable.privacy.composition import as_pairwise
from deniable.privacy.context import Blocks, HighLow, Pairwise
from deniable.privacy.guarantees import Guarantee, OneLevel
from deniable.privacy.informed import OneSidedInformationPrivacy, UnderPrior
from deniable.theory.informed.baselines import channel_loss
from deniable.values.domain import Domain
from deniable.values.values import closed_domain

FEW = 6
"""Up to so many labels the optimal channel is among the candidates; more would take minutes."""

MANY = 4096
"""Up to so many labels randomized response is written out beside a channel that knows the prior."""
OPTIMAL = "OptimalChannel"
Make: TypeAlias = partial[Any]


def candidates(guarantee: Guarantee, domain: Domain, max_bits: int | None) -> list[Mechanism]:
    """The mechanisms that keep the guarantee and have exact odds, with reports of at most ``max_bits``."""
    found = ways(guarantee, domain)
    if len(domain) > FEW:
        found.pop(OPTIMAL, None)
    if max_bits is not None:
        check_int("max_bits", max_bits, (len(domain) - 1).bit_length())
        found = {name: partial(way, max_bits=max_bits) if name == "Cyclic" else way for name, way in found.items()}
    made = [m for way in found.values() if (m := _try(way)) is not None]
    return [m for m in made if max_bits is None or m.report_bits <= max_bits]


def ways(guarantee: Guarantee, domain: Domain) -> dict[str, Make]:
    """By name, how to make each mechanism that keeps the guarantee: plain ones at the level that every pair allows."""
    families: Mapping[str, Callable[..., Mechanism]] = PLAIN
    epsilon = plain_level(guarantee, domain)
    plain = {} if epsilon is None else {name: partial(family, domain, epsilon) for name, family in families.items()}
    return {**plain, **_contextual(guarantee, domain)}


def plain_level(guarantee: Guarantee, domain: Domain) -> float | None:
    """The largest epsilon of plain LDP that implies the guarantee; None where a pair must not be told apart at all."""
    if isinstance(guarantee, OneLevel):
        return _one_level(guarantee)
    levels = as_pairwise(guarantee, domain).levels
    least = min(float(levels[~np.eye(len(domain), dtype=bool)].min()), LARGEST_EPSILON)
    return least if least >= SMALLEST_EPSILON else None


def _one_level(guarantee: OneLevel) -> float:
    """Its epsilon; of a bound on the mean the level that leaves no more to be learnt."""
    mean = isinstance(guarantee, MutualInformationPrivacy)
    return level_for(guarantee.epsilon, LARGEST_EPSILON) if mean else guarantee.epsilon


def _contextual(guarantee: Guarantee, domain: Domain) -> dict[str, Make]:
    best = {OPTIMAL: partial(optimal_channel, guarantee, domain, goal="minimax")}
    match guarantee:
        case UnderPrior():
            informed = partial(InformedResponse, domain, guarantee.prior, _one_level(guarantee))
            one_sided = isinstance(guarantee, OneSidedInformationPrivacy)
            return {"InformedResponse": partial(informed, one_sided=True) if one_sided else informed}
        case HighLow():
            families = (HighLowHadamard, HighLowResponse, HighLowRappor)
            made = {m.__name__: partial(m, domain, guarantee.sensitive, guarantee.epsilon) for m in families}
            return {**made, **best}
        case Blocks():
            return {"BlockHadamard": partial(BlockHadamard, guarantee.blocks, guarantee.epsilon, domain), **best}
        case Pairwise() if len(domain) == 2:
            levels = guarantee.pair_level(0, 1), guarantee.pair_level(1, 0)
            return {"BinaryResponse": partial(BinaryResponse, domain, *levels), **best}
        case Pairwise():
            return best
    return {}


def _try(make: Make) -> Mechanism | None:
    """The mechanism, or None where this domain and these levels have no exact odds for it."""
    try:
        made: Mechanism = make()
        made.exact_ratio()
    except CapacityError:
        return None
    except ParameterError:
        if make.func not in (BinaryResponse, optimal_channel):
            raise
        return None  # levels of 0, under which two labels cannot be told apart
    return made


def _chances(mechanism: Mechanism) -> npt.NDArray[np.float64]:
    """The channel in floats; of randomized response in its closed form, which is one for many labels too."""
    if isinstance(mechanism, RandomizedResponse) and len(mechanism.domain) <= MANY:
        g, h = map(float, mechanism.exact_support)
        return np.where(np.eye(len(mechanism.domain), dtype=bool), g, h)
    return mechanism.rows.floats()


def predicted_error(mechanism: Mechanism, guarantee: Guarantee, users: int) -> float | None:
    """The root mean squared error of one label's share, averaged over the labels.

    At the worst truth, of the unbiased decoder; where the guarantee knows the prior, under it and of the posterior
    mean. None where the channel is too large to say.
    """
    if not isinstance(guarantee, UnderPrior):
        return math.sqrt(mechanism.risk(users) / len(closed_domain(mechanism.domain)))
    try:
        loss = channel_loss(guarantee.prior, _chances(mechanism))
    except CapacityError:
        return None
    return math.sqrt(loss / (users * len(closed_domain(mechanism.domain))))
