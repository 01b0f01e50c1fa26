"""The mechanisms that keep a guarantee, and the predicted error of each."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from deniable.arrays import Matrix
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.mechanisms.family import Family, Maker
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.registry import FAMILIES, load
from deniable.protocol.checks import check_choice, check_int
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.privacy.composition import implies
from deniable.protocol.privacy.context import Blocks, HighLow
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.informed import UnderPrior
from deniable.theory.informed.baselines import channel_loss
from deniable.theory.lower_bounds.assouad import block_minimax_l2, high_low_minimax_l2, minimax_l2
from deniable.theory.lower_bounds.van_trees import limit_l2
from deniable.values.domain import Domain

MANY = 4096
"""The most labels for which randomized response is compared with a prior-based channel as an explicit matrix."""


@dataclass(frozen=True, slots=True)
class MechanismFilter:
    """Which mechanisms may be ranked: those whose reports fit ``max_bits``, of some families if they are named.

    ``mechanisms`` are those that were given themselves.
    """

    max_bits: int | None = None
    names: tuple[str, ...] | None = None
    mechanisms: tuple[Mechanism, ...] = ()

    @classmethod
    def read(cls, max_bits: Any, mechanisms: Iterable[Any] | None) -> MechanismFilter:
        """The wanted mechanisms from the arguments of ``plan``: families by name or as classes, and mechanisms."""
        if mechanisms is None:
            return cls(max_bits)
        if isinstance(mechanisms, str) or not isinstance(mechanisms, Iterable):
            raise ParameterError(f"mechanisms must be a list of names, got {type(mechanisms).__name__}")
        every = list(mechanisms)
        for each in every:
            if isinstance(each, str):
                load(each)  # an installed package may offer it
        known = {family.way_name.casefold(): family.way_name for family in FAMILIES.values()}
        named = [_name_of(each) for each in every if not isinstance(each, Mechanism)]
        names = tuple(known.get(name.casefold()) or check_choice("mechanisms", name, known.values()) for name in named)
        if not every:
            raise ParameterError(f"mechanisms must be among {', '.join(known.values())}, got none")
        return cls(max_bits, names, tuple(each for each in every if isinstance(each, Mechanism)))

    def families(self) -> Iterable[Family]:
        """The registry rows that may be ranked."""
        return (row for row in FAMILIES.values() if self.names is None or row.way_name in self.names)

    def fits(self, mechanism: Mechanism) -> bool:
        """Whether the reports of a mechanism have at most ``max_bits``."""
        return self.max_bits is None or mechanism.report_bits <= self.max_bits

    def was_given(self, mechanism: Mechanism) -> bool:
        """Whether the mechanism was given itself."""
        return any(mechanism is each for each in self.mechanisms)

    def reason_unfit(self, mechanism: Mechanism, guarantee: Guarantee, domain: Domain | None) -> str | None:
        """Why a mechanism that was given cannot be ranked, if it cannot; no domain stands for any text."""
        if domain is None or mechanism.domain != domain:
            return "it is for other labels"
        if not implies(mechanism.guarantee, guarantee):
            return f"{mechanism.guarantee} is not proven to keep {guarantee}"
        if not mechanism.law.told_apart:
            return "its reports do not tell all labels apart"
        return None if self.fits(mechanism) else f"its reports do not fit in {self.max_bits} bits"


def _name_of(asked: Any) -> str:
    """The name that is meant by a name or a class."""
    if isinstance(asked, str):
        return asked
    if isinstance(asked, type):
        return asked.__name__
    raise ParameterError(f"mechanisms must be names, classes or mechanisms, got {type(asked).__name__}")


def candidates(guarantee: Guarantee, domain: Domain, wanted: MechanismFilter) -> list[Mechanism]:
    """The mechanisms that keep the guarantee and have exact odds, with reports that fit."""
    if wanted.max_bits is not None:
        check_int("max_bits", wanted.max_bits, (len(domain) - 1).bit_length())
    made = [_member(family, guarantee, domain, wanted.max_bits) for family in wanted.families()]
    given = [m for m in wanted.mechanisms if wanted.reason_unfit(m, guarantee, domain) is None]
    return [*(m for m in made if m is not None and wanted.fits(m)), *given]


def ways(guarantee: Guarantee, domain: Domain) -> dict[str, Maker]:
    """For each mechanism that keeps the guarantee a function that makes it; plain ones at the level all pairs allow."""
    by_name = {family.way_name: family.keeps(guarantee, domain) for family in FAMILIES.values()}
    return {name: way for name, way in by_name.items() if way is not None}


def _member(family: Family, guarantee: Guarantee, domain: Domain, max_bits: int | None) -> Mechanism | None:
    """The family's mechanism, or None if this domain and these levels have no exact odds in 64 bits for it."""
    way = family.keeps(guarantee, domain)
    if way is None or (family.most_planned is not None and len(domain) > family.most_planned):
        return None
    if max_bits is not None and any(option.name == "max_bits" for option in family.options):
        way = partial(way, max_bits=max_bits)
    try:
        mechanism = way()
        mechanism.law.exact_ratio()
    except CapacityError:
        return None
    except ParameterError:
        if not family.may_refuse:
            raise
        return None
    return mechanism


def text_mechanisms(epsilon: float, texts: int, wanted: MechanismFilter) -> list[Mechanism]:
    """The hashed mechanisms, with numbers of symbols and cohorts that suit so many candidates."""
    rows = [family.for_texts for family in wanted.families() if family.for_texts is not None]
    return [m for for_texts in rows for m in for_texts(epsilon, texts) if wanted.fits(m)]


def noise_of(mechanism: Mechanism, texts: int) -> float:
    """The variance of estimates around the shares of the n people, summed over so many ``texts``, times n."""
    law = mechanism.law
    if not isinstance(law, CohortLaw):
        raise ParameterError(f"mechanism must be for texts, as HashedResponse is, got {mechanism.name}")
    return law.noise(texts)


def unbeatable(guarantee: Guarantee, labels: int, users: int) -> tuple[float | None, float | None]:
    """Two bounds on the squared error over all labels at the worst truth, None where none is known.

    No mechanism under the guarantee falls below the first; the second is what the least error times n tends to as n
    grows, divided by the ``users``.
    """
    match guarantee:
        case LDP():
            return minimax_l2(labels, guarantee.epsilon, users), limit_l2(labels, guarantee.epsilon) / users
        case HighLow():
            return high_low_minimax_l2(labels, len(guarantee.sensitive), guarantee.epsilon, users), None
        case Blocks():
            return block_minimax_l2([len(block) for block in guarantee.blocks], guarantee.epsilon, users), None
    return None, None


def _chances(mechanism: Mechanism) -> Matrix:
    """The channel in floats; for randomized response in closed form, which also works for many labels."""
    if isinstance(mechanism, RandomizedResponse) and len(mechanism.domain) <= MANY:
        g, h = map(float, mechanism.law.exact_support)
        return np.where(np.eye(len(mechanism.domain), dtype=bool), g, h)
    return mechanism.channel().probabilities


def predicted_error(mechanism: Mechanism, guarantee: Guarantee, users: int) -> float | None:
    """The root mean squared error of one label's share, averaged over the labels.

    At the worst truth, of the unbiased decoder; where the guarantee knows the prior, under it and of the posterior
    mean. None where the channel is too large to say.
    """
    if not isinstance(guarantee, UnderPrior):
        return math.sqrt(mechanism.risk(users) / mechanism.law.labels)
    try:
        loss = channel_loss(guarantee.prior, _chances(mechanism))
    except CapacityError:
        return None
    return math.sqrt(loss / (users * mechanism.law.labels))
