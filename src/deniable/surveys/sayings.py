"""How a guarantee is said to the person asked: what is promised, how far a belief can move, what stays open.

Surveys and single mechanisms are explained by the same sentences, and none of them says more than is proven.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from deniable.protocol.privacy.context import Blocks, HighLow, Pairwise
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.each_item import EachItem
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.privacy.informed import InformationPrivacy, UnderPrior
from deniable.protocol.surveys.promise import up

BELIEFS = (0.01, 0.1, 0.5)
"""What somebody may have believed of an answer before, for which the label says what they may believe after."""
READABLE = 14.0
"""Beyond e^14, 1.2 million, the factor is written as a power: its digits say nothing to anybody."""
HUGE = "So large a factor is no protection to rely on."
FAR = 10
"""Of answers in an order the label also says how well one so many places away is protected."""
SEEN = "after seeing what you send"
TAKING_PART = "That you took part, and when, is not hidden by the randomness."


@dataclass(frozen=True, slots=True)
class Belief:
    """How far one answer can move a belief: from ``before`` to somewhere between ``least`` and ``most``."""

    before: float
    least: float
    most: float

    @classmethod
    def at(cls, before: float, level: float, falls: bool = True) -> Belief:
        """By Bayes: the odds of a belief are multiplied by e^level at most, and divided by it at most.

        Where nothing is promised of how far it ``falls``, it may fall to 0.

        >>> Belief.at(0.1, 0.0), Belief.at(0.1, 0.0, falls=False).least
        (Belief(before=0.1, least=0.1, most=0.1), 0.0)
        """
        odds = math.exp(min(level, 700.0))
        least = before / (before + (1 - before) * odds) if falls else 0.0
        return cls(before, least, before * odds / (before * odds + 1 - before))


@dataclass(frozen=True, slots=True)
class Said:
    """A promise in words, and by how much it lets somebody's belief move.

    ``holder`` is whose belief that is, and ``about`` what it is about; ``level`` is infinite where no belief is bound.
    """

    promise: str
    level: float
    holder: str = "Somebody who"
    about: str = "of your answer"
    falls: bool = True
    seen: str = SEEN

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """What the usual beliefs can become."""
        known = self.level < math.inf
        return tuple(Belief.at(before, self.level, self.falls) for before in BELIEFS) if known else ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The promise, then a sentence on each belief, rounded outwards; of a huge factor that it is of no use."""
        useless = READABLE < self.level < math.inf
        return (self.promise, *([HUGE] if useless else map(self._moved, self.beliefs)))

    def _moved(self, belief: Belief) -> str:
        before = f"{self.holder} was {belief.before:.0%} sure {self.about}"
        most, least = math.ceil(belief.most * 1000) / 1000, math.floor(belief.least * 1000) / 1000
        after = f"between {least:.1%} and {most:.1%}" if self.falls else f"at most {most:.1%}"
        return f"{before} will be {after} sure {self.seen}."


def factor(level: float) -> str:
    """How many times likelier, rounded up; as a power where the digits would say nothing.

    >>> factor(1.0), factor(6.0), factor(40.0)
    ('2.72', '404', 'e^40')
    """
    return up(math.exp(level)) if level <= READABLE else f"e^{level:g}"


def said(guarantee: Guarantee) -> Said:
    """What a guarantee promises about one report."""
    if isinstance(guarantee, HighLow):
        found = f"at most {factor(guarantee.epsilon)} times likelier from a protected answer than from any other"
        about = "that you gave one of the protected answers"
        return Said(f"What is sent is {found}.", guarantee.epsilon, about=about, falls=False)
    if isinstance(guarantee, Blocks):
        found = f"at most {factor(guarantee.epsilon)} times likelier from one answer of a group than from another"
        return Said(f"What is sent is {found} of it.", guarantee.epsilon, "Somebody who knows your group and")
    if isinstance(guarantee, EachItem):
        return _of_items(guarantee)
    if isinstance(guarantee, Distance):
        return Said(_by_distance(guarantee), guarantee.epsilon, "Somebody who knows your answer up to one step and")
    level = guarantee.plain
    if level < math.inf:
        return Said(f"{_prior(guarantee)}{plain(level, 'your answer')}", level)
    return Said(_in_part(guarantee), math.inf)


def plain(level: float, answers: str) -> str:
    """A level of plain LDP in words."""
    return f"What is sent is at most {factor(level)} times likelier from {answers} than from any other."


def left_open(guarantee: Guarantee, of: str) -> Iterator[str]:
    """What a guarantee does not cover; ``of`` names the question."""
    if isinstance(guarantee, HighLow):
        kept = len(guarantee.sensitive)
        others = len(guarantee.domain) - kept
        which = "1 answer is protected" if kept == 1 else f"{kept} answers are protected"
        rest = "the other answer" if others == 1 else f"one of the other {others}"
        yield f"Of {of} only {which}; that you gave {rest}, and so none that is protected, may show."
    elif isinstance(guarantee, Blocks):
        yield f"Of {of} it is not hidden in which of {len(guarantee.blocks)} groups of answers yours is."
    elif isinstance(guarantee, EachItem):
        yield from _items_open(guarantee, of)
    elif isinstance(guarantee, Distance):
        yield (
            f"Of {of} near answers are hidden among each other well, far ones less: the first and the last are "
            f"protected from each other only up to a factor of {factor(guarantee.plain)}."
        )
    elif isinstance(guarantee, UnderPrior):
        yield f"The promise about {of} is relative to how people were known to answer before."
    elif guarantee.plain == math.inf:
        yield f"Of {of} some pairs of answers can be told apart with certainty."


def _of_items(guarantee: EachItem) -> Said:
    other = "" if guarantee.one_sided else ", and the other way round"
    found = f"at most {factor(guarantee.epsilon)} times likelier from a list with a certain label than from the same "
    holder, about = "Somebody who knows the rest of your list and", "that a label is on it"
    promise = f"What is sent is {found}list without it{other}."
    return Said(promise, guarantee.epsilon, holder, about, falls=not guarantee.one_sided)


def _by_distance(guarantee: Distance) -> str:
    near = f"at most {factor(guarantee.epsilon)} times likelier from your answer than from the next one"
    away = min(FAR, len(guarantee.domain) - 1)
    if away == 1:
        return f"What is sent is {near}."
    far = factor(guarantee.pair_level(0, away))
    return f"What is sent is {near}, and at most {far} times likelier than from one {away} steps away."


def _items_open(guarantee: EachItem, of: str) -> Iterator[str]:
    if guarantee.one_sided:
        yield f"Of {of} it may show that a label is not on your list."
    else:
        yield (
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
        bound = [level for level in pairs if level < math.inf]
        if not bound:
            return "No answer is protected from another."
        return (
            f"Where an answer is protected from another, what is sent is at most {factor(max(bound))} times likelier "
            "from the one than from the other."
        )
    return f"No level holds for every report; what is promised is {guarantee}."
