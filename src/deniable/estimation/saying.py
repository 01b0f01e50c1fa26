"""What a result says, in one to three sentences that can be pasted into a report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from deniable.arrays import Matrix
from deniable.estimation.contrast import label_contrast
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import (
    base_of,
    how_often,
    in_a_row,
    joined,
    listed,
    outward,
    people,
    points,
    quoted,
    says_all,
    share_in_words,
    signed,
)
from deniable.protocol.say import Phrase, Statement, english

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
LOOKED_FOR: Final = "_looked_for"
"""How keys end of what is said of texts, of which only those are compared that were looked for."""
MENTIONED: Final = 0.01
"""The least share that is worth to be said of an answer by itself."""
MOST: Final = 0.51
"""From so large a share on "most people" is said: beyond a half, also as it is rounded."""
SHARES_UNKNOWN: Final = Statement("nothing_can_be_said_yet_with")
MEAN_UNKNOWN: Final = Statement("nothing_can_be_said_yet")
ALIKE: Final = Statement("no_difference_can_be_seen")


def share_sentence(estimate: Estimated, is_open: bool = False) -> Statement:
    """What can be said. Of a period that is open nothing is compared: who looks until it pleases is misled."""
    bounds = estimate.interval(LEVEL, simultaneous=True)
    shares = np.where(np.isfinite(estimate.unbiased), estimate.unbiased, -np.inf)
    leader = int(np.argmax(shares))
    if says_nothing(estimate):
        return SHARES_UNKNOWN
    if len(estimate.labels) == 2 and estimate.adds_up and estimate.unlisted is None:
        return _of_two(estimate, is_open)
    if is_open:
        share = share_in_words(*bounds[leader].tolist())  # chosen for its value, so its own interval would be too short
        return Statement("so_far_has_the_largest", answer=_answer(estimate, leader), share=share)
    return _of_many(estimate, leader)


def _of_two(estimate: Estimated, is_open: bool) -> Statement:
    """Of two answers the share of the first says all."""
    low, high = estimate.interval(LEVEL)[0].tolist()
    share, answer = share_in_words(low, high), _answer(estimate, 0)
    if is_open:
        return Statement("so_far_people_answer", share=share, answer=answer)
    if low > 0.5:
        return Statement("people_answer_more_than_half", share=share, answer=answer)
    if high < 0.5:
        return Statement("people_answer_fewer_than_half", share=share, answer=answer)
    return Statement("people_answer_whether_that_is_a_majority", share=share, answer=answer)


def _of_many(estimate: Estimated, leader: int) -> Statement:
    """The largest answer, if it can be told, or what is known of those that may be it.

    The intervals hold all at once, so that any of them may be picked for a sentence. Of texts only those are compared
    that were looked for.
    """
    bounds = estimate.interval(LEVEL, simultaneous=True)
    low, high = bounds.T
    rivals = [j for j in range(len(low)) if j != leader and high[j] >= low[leader]]
    suffix = "" if estimate.unlisted is None else LOOKED_FOR
    if rivals:
        return _of_rivals(estimate, bounds, [leader, *rivals], suffix)
    statement = _first(estimate, bounds, leader, suffix)
    second = _second(estimate, bounds, leader)
    return statement if second is None else joined([statement, second])


def _of_rivals(estimate: Estimated, bounds: Matrix, first: list[int], suffix: str) -> Statement:
    """What can be quoted of several answers of which each may be the first; the largest estimate is named first."""
    span = float(bounds[first, 0].min()), float(bounds[first, 1].max())
    if span[1] - span[0] > WIDE and (known := _surest(bounds, first)) is not None:
        share = share_in_words(*bounds[known].tolist())
        doubt = f"whether_that_is_the_most{suffix}" if known == first[0] else f"which_comes_first{suffix}"
        what = Statement("people_answer", share=share, answer=_answer(estimate, known))
        return _with_more(what, Statement(doubt))
    named = [_answer(estimate, j) for j in first]
    if len(first) <= MOST_RIVALS and len(english(listed(named))) <= LONGEST_NAMES:
        return _too_close(named, [share_in_words(*bounds[j].tolist()) for j in first], says_all(*span))
    ahead, share = Statement(f"no_is_clearly_ahead{suffix}"), share_in_words(*span)
    if len(first) == len(bounds):
        if says_all(*span):
            return _sentence(ahead)
        return _with_more(ahead, Statement("each_of_the_is_given", all=len(bounds), share=share))
    some = Statement("some_may_be_first", some=len(first), all=len(bounds))
    return _with_more(ahead, some if says_all(*span) else Statement("each_given_by", some=some, share=share))


def _too_close(answers: list[Statement], shares: list[Statement], without_shares: bool) -> Statement:
    """Two or three answers of which none can be told to be the first, each with its share unless that says nothing."""
    title = Statement("too_close_to_call", answers=alternatives(answers))
    statements = [
        Statement("label_share", label=label, share=share) for label, share in zip(answers, shares, strict=True)
    ]
    return title if without_shares else joined([title, _sentence(in_a_row(statements))])


def alternatives(answers: Sequence[Statement]) -> Statement:
    """Answers of which one is meant, or any.

    >>> english(alternatives([quoted("a")])), english(alternatives([quoted("a"), quoted("b")]))
    ('“a”', '“a” or “b”')
    """
    if len(answers) == 1:
        return answers[0]
    return Statement("first_or_last", first=in_a_row(answers[:-1]), last=answers[-1])


def headline(said: Statement) -> tuple[Statement, Phrase]:
    """A finding as a title that is short enough for a line, and what is told beneath it, which may be nothing.

    >>> title, more = headline(joined([_with_more(Statement("half"), Statement("mean")), SHARES_UNKNOWN]))
    >>> english(title), english(more)[:23]
    ('Half.', 'Mean. Nothing can be sa')
    """
    if said.key == "sentences":
        title, more = headline(said.values["all"][0])
        return title, joined([*([more] if more else []), *said.values["all"][1:]])
    if said.key == "of_those_asked" and isinstance(said.values["said"], Statement):
        title, more = headline(said.values["said"])
        return Statement("of_those_asked", said=title), more
    if said.key == "what_and_more":
        return _sentence(said.values["what"]), _sentence(said.values["more"])
    return said, ""


def _with_more(what: Statement, more: Statement) -> Statement:
    """A finding with what is known of it."""
    return Statement("what_and_more", what=what, more=more)


def _sentence(words: Statement) -> Statement:
    """Words as a sentence of their own."""
    return Statement("note", note=words)


def _surest(bounds: Matrix, first: list[int]) -> int | None:
    """The place of the answer of which most can be said: the largest, or the narrowest of few that may be the first."""
    low, wide = bounds[:, 0], bounds[:, 1] - bounds[:, 0]
    if low[first[0]] >= MENTIONED and wide[first[0]] <= USELESS:
        return first[0]
    return int(np.argmin(wide)) if len(first) <= MOST_RIVALS else None


def _first(estimate: Estimated, bounds: Matrix, leader: int, suffix: str) -> Statement:
    """The most frequent answer, and by how much it exceeds the others, if there are any."""
    share, others = share_in_words(*bounds[leader].tolist()), np.delete(bounds[:, 1], leader)
    answer = _answer(estimate, leader)
    if not len(others):
        return _sentence(Statement("people_answer", share=share, answer=answer))
    gap = math.floor(round(100 * (bounds[leader, 0] - others.max()), 9))
    more = Statement("at_least_in_100_more_than_any", gap=gap) if gap else Statement("more_than_any_other")
    key = "most_people_answer" if bounds[leader, 0] >= MOST else f"is_the_most_frequent{suffix}"
    return _with_more(Statement(key, answer=answer), Statement("people_more", share=share, more=more))


def _second(estimate: Estimated, bounds: Matrix, leader: int) -> Statement | None:
    """That two answers come next and cannot be told apart, if so."""
    low, high = bounds.T
    order = [place for place in np.argsort(-estimate.unbiased).tolist() if place != leader]
    next_ones = [place for place in order if high[place] >= low[order[0]]]
    if len(next_ones) != 2 or len(order) == 2:
        return None
    contrast = label_contrast(estimate, next_ones[0], next_ones[1], LEVEL)
    return contrast.statement if contrast.low <= 0 <= contrast.high else None


def _answer(estimate: Estimated, place: int) -> Statement:
    """A label as it stands in a sentence."""
    return quoted(printable(estimate.labels[place]))


def summary_of(people_asked: int, said: Statement, *, useless: bool, more: Statement | None = None) -> str:
    """A result's sentences: how many answered, what that says, and how often such words are right.

    If nothing can be said (``useless``), how many people it would take, if that is known (``more``).
    """
    whole = f"{english(people(people_asked))} answered. {english(said)}"
    if not useless:
        return f"{whole} A statement like this is right in 19 of 20 surveys."
    return whole if more is None else f"{whole} {english(more)}"


def says_nothing(estimate: Estimated) -> bool:
    """Whether nothing can be said of any share yet."""
    low, high = estimate.interval(LEVEL, simultaneous=True).T
    return bool((high - low).min() > USELESS)


def takes(needed: int, size: float) -> Statement:
    """How many answers are needed; of more than there are people, what else would help.

    >>> english(takes(80, 120)), english(takes(80, 20))[:32]
    ('It takes about 80 answers to say something.', 'Even if all 20 people answer, to')
    """
    if needed > size:
        return Statement("too_little_even_of_all", people=round(size))
    return Statement("it_takes_about_answers_to_say", needed=needed)


def differ(chance: float) -> Statement:
    """Whether two results differ, by the chance of a difference as clear."""
    if chance >= RARE:
        return ALIKE
    return Statement("the_two_differ_were_they", often=how_often(chance))


def clearest(changes: Iterable[tuple[str, float, float]]) -> str:
    """The first changes whose interval leaves no doubt that there is one.

    >>> clearest([("bus", 0.012, 0.05), ("car", -0.02, 0.01), ("bike", -0.05, -0.012)])
    '“bus”: more, by 1.2 to 5.0 points. “bike”: fewer, by 1.2 to 5.0 points.'
    """
    clear = [(label, low, high) for label, low, high in changes if low > 0 or high < 0]
    return " ".join(f"“{label}”: {english(change_in_words(low, high))}." for label, low, high in clear[:MOST_NAMED])


def change_in_words(low: float, high: float) -> Statement:
    """What an interval of a difference says.

    >>> english(change_in_words(0.012, 0.05)), english(change_in_words(-0.05, -0.012))
    ('more, by 1.2 to 5.0 points', 'fewer, by 1.2 to 5.0 points')
    """
    if low > 0:
        return Statement("more_by_to_points", least=points(low), most=points(high))
    if high < 0:
        return Statement("fewer_by_to_points", least=points(-high), most=points(-low))
    return Statement("cannot_be_told_apart_to_points", low=signed(low), high=signed(high))


def change_over_time(low: float, high: float) -> Statement:
    r"""What an interval of a change over time says, rounded outward; in so many people as shares are.

    >>> [english(change_over_time(*bounds)) for bounds in ((-0.166, -0.041), (0.0042, 0.0113), (0.0042, 0.15))]
    ['fell by 4 to 17 in 100', 'rose by 4 to 12 in 1,000', 'rose, by 15 in 100 at most']
    >>> english(change_over_time(-0.055, 0.148)).replace("\N{MINUS SIGN}", "-")
    'no change seen (-6 to +15)'
    """
    if low <= 0 <= high:
        digits = 0 if high - low >= 0.02 else 1
        least, most = outward(low, high, 10 ** (2 + digits))
        return Statement("no_change_seen_to", low=signed(least, digits), high=signed(most, digits))
    by = size_of_change(low, high)
    if by.key == "in_at_most":  # "rose by up to" would be read as if it need not have
        return Statement("rose_at_most", most=by) if low > 0 else Statement("fell_at_most", most=by)
    return Statement("rose_by", reach=by) if low > 0 else Statement("fell_by", reach=by)


def size_of_change(low: float, high: float) -> Statement:
    """How large a change is whose interval leaves no doubt that there is one, either way.

    >>> english(size_of_change(-0.166, -0.041)), english(size_of_change(0.0042, 0.15))
    ('4 to 17 in 100', '15 in 100 at most')
    """
    near, far = (low, high) if low > 0 else (-high, -low)
    base = base_of(far)
    least, most = (round(base * end) for end in outward(near, far, base))
    if not least:
        return Statement("in_at_most", most=most, base=base)
    return Statement("to_in", least=least, most=most, base=base)


def go_together(names: tuple[str, str], chance: float) -> str:
    """Whether the answers to two questions go together, by the chance of a table as uneven."""
    return english(joined(connection(names, chance)))


def connection(names: tuple[Phrase, Phrase], chance: float) -> tuple[Statement, Statement]:
    """Whether the answers to two questions go together: a verdict, and the p-value ``chance`` that it rests on."""
    first, second = names
    if chance >= RARE:
        return (
            Statement("no_connection_between_and_can", first=first, second=second),
            Statement("there_may_be_one_that_is_too"),
        )
    return (
        Statement("the_answers_to_and_go", first=first, second=second),
        Statement("were_there_no_connection", often=how_often(chance)),
    )
