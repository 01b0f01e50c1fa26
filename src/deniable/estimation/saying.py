"""What a result says, in one to three sentences that can be pasted into a report."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np

from deniable.arrays import Matrix
from deniable.estimation.label_contrast import contrast
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import (
    NOTHING_KNOWN,
    base_of,
    how_often,
    listed,
    outward,
    people,
    points,
    quoted,
    share_in_words,
    signed,
)
from deniable.sentence import Sentence, joined, opening, sentence

LEVEL: Final = 0.95
RARE: Final = 0.05
"""How often chance alone may make a difference, or a connection, that is called one."""
USELESS: Final = 0.5
"""If every interval is wider than this, nothing can be said."""
MOST_NAMED: Final = 4
MOST_RIVALS: Final = 3
"""So many answers are named at most of which none can be told to be the first."""
LONGEST_NAMES: Final = 80
"""So long may their names be together: a title can be quoted."""
WIDE: Final = 0.3
"""If those that may be the first lie so far apart, one of them alone says more than the range of all."""
MENTIONED: Final = 0.01
"""The least share that is worth to be said of an answer by itself."""
MOST: Final = 0.51
"""From so large a share on "most people" is said: beyond a half, also as it is rounded."""
SHARES_UNKNOWN: Final = sentence(
    "Nothing can be said yet: with so few answers every interval is wider than 50 in 100 people."
)
MEAN_UNKNOWN: Final = sentence("Nothing can be said yet: with so few answers the mean may be almost anywhere.")
ALIKE: Final = sentence("No difference can be seen. There may be one that is too small for this many people.")


def share_sentence(estimate: Estimated, is_open: bool = False) -> Sentence:
    """What can be said. Of a period that is open nothing is compared: who looks until it pleases is misled."""
    bounds = estimate.interval(LEVEL, simultaneous=True)
    shares = np.where(np.isfinite(estimate.unbiased), estimate.unbiased, -np.inf)
    leader = int(np.argmax(shares))
    if (bounds[:, 1] - bounds[:, 0]).min() > USELESS:
        return SHARES_UNKNOWN
    if len(estimate.labels) == 2 and estimate.adds_up and estimate.unlisted is None:
        return _of_two(estimate, is_open)
    if is_open:
        said = share_in_words(*bounds[leader].tolist())  # chosen for its value, so its own interval would be too short
        return sentence(
            "So far {answer} has the largest estimate: {share} people.", answer=_answer(estimate, leader), share=said
        )
    return _of_many(estimate, leader)


def _of_two(estimate: Estimated, is_open: bool) -> Sentence:
    """Of two answers the share of the first says all."""
    low, high = estimate.interval(LEVEL)[0].tolist()
    said, answer = share_in_words(low, high), _answer(estimate, 0)
    if is_open:
        return sentence("So far {share} people answer {answer}.", share=said, answer=answer)
    if low > 0.5:
        return sentence("{share} people answer {answer}: more than half.", share=opening(said), answer=answer)
    if high < 0.5:
        return sentence("{share} people answer {answer}: fewer than half.", share=opening(said), answer=answer)
    return sentence(
        "{share} people answer {answer}: whether that is a majority is open.", share=opening(said), answer=answer
    )


def _of_many(estimate: Estimated, leader: int) -> Sentence:
    """The largest answer, if it can be told, or what is known of those that may be it.

    Its intervals hold all at once, so that any of them may be picked for a sentence. Of texts only those are compared
    that were looked for.
    """
    bounds = estimate.interval(LEVEL, simultaneous=True)
    low, high = bounds.T
    rivals = [j for j in range(len(low)) if j != leader and high[j] >= low[leader]]
    kind = sentence("answer") if estimate.unlisted is None else sentence("answer of those looked for")
    if rivals:
        return _of_rivals(estimate, bounds, [leader, *rivals], kind)
    told = _first(estimate, bounds, leader, kind)
    second = _second(estimate, bounds, leader)
    return told if second is None else joined([told, second])


def _of_rivals(estimate: Estimated, bounds: Matrix, first: list[int], kind: Sentence) -> Sentence:
    """What can be quoted of several answers of which each may be the first; the largest estimate is named first."""
    span = float(bounds[first, 0].min()), float(bounds[first, 1].max())
    if span[1] - span[0] > WIDE and (known := _surest(bounds, first)) is not None:
        return _in_doubt(_answer(estimate, known), share_in_words(*bounds[known].tolist()), kind, known == first[0])
    share = share_in_words(*span)
    named = listed([_answer(estimate, j) for j in first[:MOST_RIVALS]])
    if len(first) <= MOST_RIVALS and len(named) <= LONGEST_NAMES:
        if share == NOTHING_KNOWN:
            return sentence("Too close to call between {answers}.", answers=named)
        return sentence("Too close to call between {answers}: each {share} people.", answers=named, share=share)
    if len(first) == len(bounds):
        if share == NOTHING_KNOWN:
            return sentence("No {kind} is clearly ahead.", kind=kind)
        return sentence(
            "No {kind} is clearly ahead: each of the {all} is given by {share} people.",
            kind=kind, all=len(bounds), share=share,
        )  # fmt: skip
    if share == NOTHING_KNOWN:
        return sentence(
            "No {kind} is clearly ahead: {some} of {all} may be first.", kind=kind, some=len(first), all=len(bounds)
        )
    return sentence(
        "No {kind} is clearly ahead: {some} of {all} may be first, each given by {share} people.",
        kind=kind, some=len(first), all=len(bounds), share=share,
    )  # fmt: skip


def _in_doubt(answer: Sentence, share: Sentence, kind: Sentence, leads: bool) -> Sentence:
    """The share of an answer, and that it is open whether it is the first or which one is."""
    if leads:
        return sentence(
            "{share} people answer {answer}: whether that is the most frequent {kind} is open.",
            share=opening(share), answer=answer, kind=kind,
        )  # fmt: skip
    return sentence(
        "{share} people answer {answer}: which {kind} comes first is open.",
        share=opening(share), answer=answer, kind=kind,
    )  # fmt: skip


def _surest(bounds: Matrix, first: list[int]) -> int | None:
    """The answer of which most can be said: the largest, or else, where few may be the first, the narrowest."""
    low, wide = bounds[:, 0], bounds[:, 1] - bounds[:, 0]
    if low[first[0]] >= MENTIONED and wide[first[0]] <= USELESS:
        return first[0]
    return int(np.argmin(wide)) if len(first) <= MOST_RIVALS else None


def _first(estimate: Estimated, bounds: Matrix, leader: int, kind: Sentence) -> Sentence:
    """The most frequent answer, and by how much it exceeds the others, if there are any."""
    said, others = share_in_words(*bounds[leader].tolist()), np.delete(bounds[:, 1], leader)
    answer = _answer(estimate, leader)
    if not len(others):
        return sentence("{share} people answer {answer}.", share=opening(said), answer=answer)
    gap = math.floor(round(100 * (bounds[leader, 0] - others.max()), 9))
    more = sentence("at least {gap} in 100 more than any other", gap=gap) if gap else sentence("more than any other")
    if bounds[leader, 0] >= MOST:
        return sentence("Most people answer {answer}: {share}, {more}.", answer=answer, share=said, more=more)
    return sentence(
        "{answer} is the most frequent {kind}: {share} people, {more}.",
        answer=answer, kind=kind, share=said, more=more,
    )  # fmt: skip


def _second(estimate: Estimated, bounds: Matrix, leader: int) -> Sentence | None:
    """That two answers come next and cannot be told apart, if so."""
    low, high = bounds.T
    order = [place for place in np.argsort(-estimate.unbiased).tolist() if place != leader]
    next_ones = [place for place in order if high[place] >= low[order[0]]]
    if len(next_ones) != 2 or len(order) == 2:
        return None
    told = contrast(estimate, next_ones[0], next_ones[1], LEVEL)
    return told.sentence if told.low <= 0 <= told.high else None


def _answer(estimate: Estimated, place: int) -> Sentence:
    """A label as it stands in a sentence."""
    return quoted(printable(estimate.labels[place]))


def held(people_asked: int, said: str, more: Sentence | None = None) -> str:
    """What is said of so many people, and how often such words are right; of nothing, how many people it takes."""
    whole = f"{people(people_asked)} answered. {said}"
    if not says_nothing(said):
        return f"{whole} A statement like this is right in 19 of 20 surveys."
    return whole if more is None else f"{whole} {more}"


def says_nothing(said: str) -> bool:
    """Whether it is said that nothing can be said yet."""
    return said in (SHARES_UNKNOWN, MEAN_UNKNOWN)


def takes(needed: int, size: float) -> Sentence:
    """How many answers are needed; of more than there are people, what else would help.

    >>> takes(80, 120), takes(80, 20)[:32]
    ('It takes about 80 answers to say something.', 'Even if all 20 people answer, to')
    """
    if needed > size:
        return sentence(
            "Even if all {people} people answer, too little is told to say something: weaker protection, fewer "
            "questions or fewer answers to choose from would help.",
            people=round(size),
        )  # fmt: skip
    return sentence("It takes about {needed} answers to say something.", needed=needed)


def differ(chance: float) -> Sentence:
    """Whether two results differ, by the chance of a difference as clear."""
    if chance >= RARE:
        return ALIKE
    return sentence(
        "The two differ. Were they alike, chance alone would make a difference this clear {often}.",
        often=how_often(chance),
    )


def clearest(changes: Iterable[tuple[str, float, float]]) -> str:
    """The first changes whose interval leaves no doubt that there is one.

    >>> clearest([("bus", 0.012, 0.05), ("car", -0.02, 0.01), ("bike", -0.05, -0.012)])
    '“bus”: more, by 1.2 to 5.0 points. “bike”: fewer, by 1.2 to 5.0 points.'
    """
    sure = [(label, low, high) for label, low, high in changes if low > 0 or high < 0]
    return " ".join(f"“{label}”: {change_in_words(low, high)}." for label, low, high in sure[:MOST_NAMED])


def change_in_words(low: float, high: float) -> Sentence:
    """What an interval of a difference says.

    >>> change_in_words(0.012, 0.05), change_in_words(-0.05, -0.012)
    ('more, by 1.2 to 5.0 points', 'fewer, by 1.2 to 5.0 points')
    """
    if low > 0:
        return sentence("more, by {least} to {most} points", least=points(low), most=points(high))
    if high < 0:
        return sentence("fewer, by {least} to {most} points", least=points(-high), most=points(-low))
    return sentence("cannot be told apart ({low} to {high} points)", low=signed(low), high=signed(high))


def moved(low: float, high: float) -> Sentence:
    r"""What an interval of a change over time says, rounded outward; in so many people as shares are.

    >>> moved(-0.166, -0.041), moved(0.0042, 0.0113), moved(0.0042, 0.15)
    ('fell by 4 to 17 in 100', 'rose by 4 to 12 in 1,000', 'rose by up to 15 in 100')
    >>> moved(-0.055, 0.148).replace("\N{MINUS SIGN}", "-")
    'no change seen (-6 to +15)'
    """
    if low <= 0 <= high:
        digits = 0 if high - low >= 0.02 else 1
        least, most = outward(low, high, 10 ** (2 + digits))
        return sentence("no change seen ({low} to {high})", low=signed(least, digits), high=signed(most, digits))
    by = reach(low, high)
    return sentence("rose by {reach}", reach=by) if low > 0 else sentence("fell by {reach}", reach=by)


def reach(low: float, high: float) -> Sentence:
    """How large a change is whose interval leaves no doubt that there is one, either way.

    >>> reach(-0.166, -0.041), reach(0.0042, 0.15)
    ('4 to 17 in 100', 'up to 15 in 100')
    """
    near, far = (low, high) if low > 0 else (-high, -low)
    base = base_of(far)
    least, most = (round(base * end) for end in outward(near, far, base))
    if not least:
        return sentence("up to {most} in {base}", most=most, base=base)
    return sentence("{least} to {most} in {base}", least=least, most=most, base=base)


def go_together(names: tuple[str, str], chance: float) -> str:
    """Whether the answers to two questions do, by the chance of a table as uneven."""
    return " ".join(connection(names, chance))


def connection(names: tuple[str, str], chance: float) -> tuple[Sentence, Sentence]:
    """The same as a verdict and what it rests on."""
    first, second = names
    if chance >= RARE:
        return (
            sentence("No connection between {first} and {second} can be seen.", first=first, second=second),
            sentence("There may be one that is too weak for this many."),
        )
    return (
        sentence("The answers to {first} and {second} go together.", first=first, second=second),
        sentence(
            "Were there no connection, chance alone would make a table this uneven {often}.", often=how_often(chance)
        ),
    )
