"""How a guarantee is said to the person asked: what is promised, how far a belief can move, what stays open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ..privacy.context import Blocks, HighLow, Pairwise
from ..privacy.distance import Distance
from ..privacy.each_item import EachItem
from ..privacy.guarantees import Guarantee
from ..privacy.informed import InformationPrivacy, UnderPrior
from .promise import up as rounded_up

BELIEFS = (0.01, 0.1, 0.5)
"""What somebody may have believed of an answer before, for which the label says what they may believe after."""
READABLE = 14.0
"""Beyond e^14, 1.2 million, the factor is written as a power: its digits say nothing to anybody."""
HUGE = "So large a factor is no protection to rely on."
FAR = 10
"""Of answers in an order the label also says how well one so many places away is protected."""
SEEN = "after seeing what you send"
TAKING_PART = "That you took part, and when, is not hidden by the randomness."


def beliefs(level: float) -> list[tuple[float, float, float]]:
    """How far one answer can move a belief: before, at least and at most after; by Bayes, at a level of plain LDP.

    >>> beliefs(0.0)[1]
    (0.1, 0.1, 0.1)
    """
    if level == math.inf:
        return []
    odds = math.exp(min(level, 700.0))
    return [(b, b / (b + (1 - b) * odds), b * odds / (b * odds + 1 - b)) for b in BELIEFS]


@dataclass(frozen=True)
class Said:
    """A promise in words, and by how much it lets somebody's belief move; infinitely where no belief is bound."""

    promise: str
    level: float
    about: str
    holder: str = "Somebody who"
    seen: str = SEEN

    @property
    def sentences(self) -> tuple[str, ...]:
        """The promise, then a sentence on each belief, rounded outwards; of a huge factor that it is of no use."""
        if READABLE < self.level < math.inf:
            return (self.promise, HUGE)
        return (self.promise, *(self._moved(*belief) for belief in beliefs(self.level)))

    def _moved(self, before: float, least: float, most: float) -> str:
        up, down = math.ceil(most * 1000) / 1000, math.floor(least * 1000) / 1000
        return (
            f"{self.holder} was {before:.0%} sure {self.about} will be between {down:.1%} and {up:.1%} sure "
            f"{self.seen}."
        )


def factor(level: float) -> str:
    """How many times likelier, rounded up; as a power where the digits would say nothing.

    >>> factor(1.0), factor(6.0), factor(40.0)
    ('2.72', '404', 'e^40')
    """
    return rounded_up(math.exp(level)) if level <= READABLE else f"e^{level:g}"


def promised(guarantee: Guarantee) -> str:
    """What a guarantee promises about one report."""
    if isinstance(guarantee, HighLow):
        found = f"at most {factor(guarantee.epsilon)} times likelier from a protected answer than from any other"
        return f"What is sent is {found}."
    if isinstance(guarantee, Blocks):
        found = f"at most {factor(guarantee.epsilon)} times likelier from one answer of a group than from another"
        return f"What is sent is {found} of it."
    if isinstance(guarantee, EachItem):
        other = "" if guarantee.one_sided else ", and the other way round"
        found = f"at most {factor(guarantee.epsilon)} times likelier from a list with a certain label"
        return f"What is sent is {found} than from the same list without it{other}."
    if isinstance(guarantee, Distance):
        return _by_distance(guarantee)
    if guarantee.plain < math.inf:
        return f"{_prior(guarantee)}{plain(guarantee.plain, 'your answer')}"
    return _in_part(guarantee)


def plain(level: float, answers: str) -> str:
    """A level of plain LDP in words."""
    return f"What is sent is at most {factor(level)} times likelier from {answers} than from any other."


def left_open(guarantee: Guarantee, of: str) -> Iterator[str]:
    """What a guarantee does not cover; ``of`` names the question."""
    if isinstance(guarantee, HighLow):
        kept = len(guarantee.places)
        others = len(guarantee.domain) - kept
        which = "1 answer is protected" if kept == 1 else f"{kept} answers are protected"
        rest = "the other answer" if others == 1 else f"one of the other {others}"
        yield f"Of {of} only {which}; that you gave {rest}, and so none that is protected, may show."
    elif isinstance(guarantee, Blocks):
        yield f"Of {of} it is not hidden in which of {len(guarantee.places)} groups of answers yours is."
    elif isinstance(guarantee, EachItem):
        yield _items_open(guarantee, of)
    elif isinstance(guarantee, Distance):
        yield (
            f"Of {of} near answers are hidden among each other well, far ones less: the first and the last are "
            f"protected from each other only up to a factor of {factor(guarantee.plain)}."
        )
    elif isinstance(guarantee, UnderPrior):
        yield f"The promise about {of} is relative to how people were known to answer before."
    elif guarantee.plain == math.inf:
        yield f"Of {of} some pairs of answers can be told apart with certainty."


def _by_distance(guarantee: Distance) -> str:
    near = f"at most {factor(guarantee.epsilon)} times likelier from your answer than from the next one"
    away = min(FAR, len(guarantee.domain) - 1)
    if away == 1:
        return f"What is sent is {near}."
    far = factor(guarantee.pair_level(0, away))
    return f"What is sent is {near}, and at most {far} times likelier than from one {away} steps away."


def _items_open(guarantee: EachItem, of: str) -> str:
    if guarantee.one_sided:
        return f"Of {of} it may show that a label is not on your list."
    return (
        f"Of {of} each label is protected by itself; lists that differ in all {len(guarantee.labels)} labels are "
        f"protected only up to a factor of {factor(guarantee.plain)}."
    )


def _prior(guarantee: Guarantee) -> str:
    """What information privacy says of people who answer as was known before."""
    if not isinstance(guarantee, InformationPrivacy):
        return ""
    times = factor(guarantee.epsilon)
    return (
        f"If people answer as was known before, what is sent makes no answer more than {times} times as likely as it "
        f"was, and none less likely than it was divided by {times}. "
    )


def _in_part(guarantee: Guarantee) -> str:
    """Of a guarantee that binds some pairs of answers, or averages, alone."""
    if isinstance(guarantee, Pairwise):
        pairs = [level for x, row in enumerate(guarantee.matrix) for z, level in enumerate(row) if x != z]
        if min(pairs) == math.inf:
            return "No answer is protected from another."
        return (
            f"Where an answer is protected from another, what is sent is at most {factor(guarantee.charge)} times "
            "likelier from the one than from the other."
        )
    return f"No level holds for every report; what is promised is {guarantee}."
