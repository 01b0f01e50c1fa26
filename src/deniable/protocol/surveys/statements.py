"""What a label states of a guarantee: what is promised, how far a belief can move, what stays open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..privacy.context import Blocks, HighLow, Pairwise
from ..privacy.distance import Distance
from ..privacy.each_item import EachItem
from ..privacy.guarantees import LDP, Guarantee
from ..privacy.informed import InformationPrivacy, OneSidedInformationPrivacy, UnderPrior
from ..privacy.levels import beside
from ..say import READABLE, Statement, outwards

BELIEFS = (0.01, 0.1, 0.5)
"""What somebody may have believed of an answer before, for which the label says what they may believe after."""
FAR = 10
"""Of answers in an order the label also says how well one so many places away is protected."""
RISES = frozenset({"belief_protected", "belief_item_held"})
"""Beliefs of which nothing is promised of how far they fall."""


class Belief(NamedTuple):
    """How far one answer can move a belief: from ``before`` to somewhere between ``least`` and ``most``."""

    before: float
    least: float
    most: float


def beliefs(level: float, falls: bool = True) -> tuple[Belief, ...]:
    """By Bayes: the odds of a belief are multiplied by e^level at most, and divided by it at most.

    Where nothing is promised of how far it ``falls``, it may fall to 0. None of an infinite level.

    >>> beliefs(0.0)[1], beliefs(0.0, falls=False)[1].least
    (Belief(before=0.1, least=0.1, most=0.1), 0.0)
    """
    if level == math.inf:
        return ()
    odds = math.exp(min(level, 700.0))
    return tuple(Belief(b, b / (b + (1 - b) * odds) if falls else 0.0, b * odds / (b * odds + 1 - b)) for b in BELIEFS)


def moved(key: str, level: float, **more: Any) -> Iterator[Statement]:
    """A statement on each belief, rounded outwards; of a huge factor that it is of no use."""
    if READABLE < level < math.inf:
        yield Statement("huge")
        return
    for before, least, most in beliefs(level, key not in RISES):
        shares = {"least": outwards(least, up=False), "most": outwards(most, up=True)}
        yield Statement(key, before=before, **shares, **more)


def belief_about(guarantee: Guarantee) -> tuple[str, float]:
    """The key of what is said of beliefs about one answer, and the level that bounds them; infinite if none does."""
    if isinstance(guarantee, HighLow) and guarantee.plain == math.inf:
        return "belief_protected", guarantee.epsilon
    if isinstance(guarantee, Blocks) and guarantee.plain == math.inf and not _is_split(guarantee):
        return "belief_grouped", guarantee.epsilon
    if isinstance(guarantee, EachItem):
        return "belief_item_held" if guarantee.one_sided else "belief_item", guarantee.epsilon
    if isinstance(guarantee, Distance):
        return "belief_near", guarantee.epsilon
    return "belief_answer", guarantee.plain


def hides_every(guarantee: Guarantee) -> bool:
    """Whether a guarantee hides every answer among others: no report tells for certain what was answered."""
    if isinstance(guarantee, Blocks):
        return min(map(len, guarantee.places)) > 1
    if isinstance(guarantee, Pairwise):
        each = range(len(guarantee.domain))
        bound = ((min(guarantee.pair_level(x, z), guarantee.pair_level(z, x)) for z in each if z != x) for x in each)
        return all(min(levels) < math.inf for levels in bound)
    if isinstance(guarantee, OneSidedInformationPrivacy):
        return all(guarantee.weights)  # each of them may have sent any report
    return guarantee.plain < math.inf or isinstance(guarantee, (HighLow, EachItem))


def promised(guarantee: Guarantee) -> Statement:
    """What a guarantee promises about one report."""
    if isinstance(guarantee, HighLow) and guarantee.plain == math.inf:
        return Statement("protected", level=guarantee.epsilon)
    if isinstance(guarantee, Blocks) and guarantee.plain == math.inf:
        return Statement("no_pair") if _is_split(guarantee) else Statement("grouped", level=guarantee.epsilon)
    if isinstance(guarantee, EachItem):
        return Statement("listed_held" if guarantee.one_sided else "listed", level=guarantee.epsilon)
    if isinstance(guarantee, Distance):
        return _by_distance(guarantee)
    if guarantee.plain == math.inf:
        return _in_part(guarantee)
    whole = Statement("any", level=guarantee.plain)
    if isinstance(guarantee, InformationPrivacy):
        return Statement("relative", level=guarantee.epsilon, any=whole)
    return whole


def left_open(guarantee: Guarantee, of: Statement) -> Iterator[Statement]:
    """What a guarantee does not cover; ``of`` names the question."""
    if isinstance(guarantee, HighLow):
        kept = len(guarantee.places)
        others = len(guarantee.domain) - kept
        if others:
            both = {"kept": Statement("kept", count=kept), "rest": Statement("rest", count=others)}
            yield Statement("open_labels", of=of, **both)
    elif isinstance(guarantee, Blocks):
        if len(guarantee.places) > 1:
            yield Statement("open_group", of=of, count=len(guarantee.places))
    elif isinstance(guarantee, EachItem) and guarantee.one_sided:
        yield Statement("open_absence", of=of)
    elif isinstance(guarantee, EachItem):
        yield Statement("open_lists", of=of, count=len(guarantee.labels), level=guarantee.plain)
    elif isinstance(guarantee, Distance):
        yield Statement("open_far", of=of, level=guarantee.plain)
    elif isinstance(guarantee, UnderPrior):
        yield Statement("open_prior", of=of)
    elif guarantee.plain == math.inf:
        yield Statement("open_pairs", of=of)


def _is_split(guarantee: Blocks) -> bool:
    """Whether each group is one answer, so that whoever knows the group knows it."""
    return max(map(len, guarantee.places)) == 1


def _by_distance(guarantee: Distance) -> Statement:
    away = min(FAR, len(guarantee.domain) - 1)
    if away == 1:
        return Statement("near", level=guarantee.epsilon)
    return Statement("near_far", level=guarantee.epsilon, far=guarantee.pair_level(0, away), count=away)


def _in_part(guarantee: Guarantee) -> Statement:
    """Of a guarantee that binds some pairs of answers, or averages, alone."""
    if isinstance(guarantee, LDP):
        return Statement("no_level")
    if not isinstance(guarantee, Pairwise):
        return Statement("claimed", promise=named(guarantee))
    if min(beside(guarantee.matrix)) == math.inf:
        return Statement("no_pair")
    return Statement("some_pairs", level=guarantee.charge)


def named(guarantee: Guarantee) -> Statement | str:
    """What a guarantee that is relative to a prior is called; of another kind its own text."""
    if isinstance(guarantee, (InformationPrivacy, OneSidedInformationPrivacy)):
        key = "lip" if isinstance(guarantee, InformationPrivacy) else "lip_held"
        return Statement(key, level=guarantee.epsilon, count=len(guarantee.domain))
    return str(guarantee)
