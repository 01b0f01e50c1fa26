"""A question in two closed results, two periods or two surveys that ask the same: what is shown, and of shares how."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.difference import Difference
from deniable.estimation.estimate import Estimate
from deniable.estimation.saying import MOST_NAMED, RARE, change_in_words, differ, size_of_change
from deniable.estimation.table import printable
from deniable.estimation.words import how_often, joined, listed, outward, points, quoted, signed
from deniable.pages.results.rows import UNKNOWN
from deniable.protocol.say import Phrase, Statement, english

METHODS: Final = {
    "Fisher's test": Statement("by_fishers_exact_test"),
    "normal test": Statement("by_the_normal_approximation"),
}


@dataclass(frozen=True)
class Change:
    """A label with both shares and their difference in points, or a mean or quantile in its units."""

    label: str
    first: Phrase
    second: Phrase
    difference: Phrase
    words: Phrase


@dataclass(frozen=True)
class Comparison:
    """What the second result has more or less of than the first."""

    finding: Statement
    """What surely differs, named by the titles of both; or that nothing does."""
    sentence: Statement
    """What the test says, or why nothing can be said."""
    test: Statement | None
    """How that was tested; None where it was not."""
    rows: tuple[Change, ...]
    titles: tuple[str, str]
    """What the two results are called."""
    of_number: bool = False
    """Whether rows are what is told of a number, and not shares of answers."""


def than_in(titles: tuple[str, str], are_weeks: bool = False) -> Statement:
    """Where there is more or less of something, and than where.

    >>> english(than_in(("North", "South")))
    'in “South” than in “North”'
    >>> english(than_in(("week of 3 August 2026", "week of 10 August 2026"), are_weeks=True))
    'in the week of 10 August 2026 than in the week of 3 August 2026'
    """
    first, second = titles
    if are_weeks:
        return Statement("in_the_than_in_the", second=second, first=first)
    return Statement("in_than_in", second=quoted(second), first=quoted(first))


def shares_compared(first: Estimate, second: Estimate, titles: tuple[str, str], are_weeks: bool) -> Comparison:
    """The shares of the second result minus those of the first."""
    difference = first.difference(second)
    bounds = difference.interval(1 - RARE, simultaneous=True)
    shares = zip(
        difference.labels, first.unbiased, second.unbiased, difference.values, difference.stderr, bounds, strict=True
    )
    sentence, rows = _sentence(difference, titles), tuple(_change(*each) for each in shares)
    finding = _finding(difference, bounds, than_in(titles, are_weeks), RARE) or sentence
    return Comparison(finding, sentence, _test_in_words(difference), rows, titles)


def sure_difference_of_shares(
    first: Estimate, second: Estimate, titles: tuple[str, str], chance: float
) -> Statement | None:
    """What there is surely more or less of in the second result, wrong by a chance at most; None if nothing."""
    difference = first.difference(second)
    return _finding(difference, difference.interval(1 - chance, simultaneous=True), than_in(titles), chance)


def _finding(difference: Difference, bounds: Matrix, where: Statement, chance: float) -> Statement | None:
    """Of which answers there are surely more or fewer in the second result, the clearest; None where of none."""
    sure = [
        place
        for place, (low, high) in enumerate(bounds[: 1 if difference.looked_at == 1 else None])
        if low > 0 or high < 0
    ]
    if not sure or difference.test.p_value >= chance:
        return None
    widths = np.maximum(np.ptp(bounds, axis=1), 1e-12)  # none has any from nobody to everybody
    sure.sort(key=lambda place: -abs(float(difference.values[place])) / float(widths[place]))
    what = listed([_more_or_fewer(difference.labels[place], *bounds[place].tolist()) for place in sure[:MOST_NAMED]])
    return Statement("what_where", what=what, where=where)


def _more_or_fewer(label: Hashable, low: float, high: float) -> Statement:
    answer, by = quoted(printable(label)), size_of_change(low, high)
    if low > 0:
        return Statement("more_answer_by", answer=answer, by=by)
    return Statement("fewer_answer_by", answer=answer, by=by)


def _sentence(difference: Difference, titles: tuple[str, str]) -> Statement:
    """Whether the two results differ by the test, or why nothing can be said."""
    if not np.isfinite(difference.stderr).any():
        return Statement("nothing_can_be_said", why=_why_nothing(difference, titles))
    verdict = differ(difference.test.p_value)
    return verdict if difference.remark_statement is None else joined([verdict, difference.remark_statement])


def _why_nothing(difference: Difference, titles: tuple[str, str]) -> Statement:
    """Which of the two results does not tell its answers apart; or, where both tell some, that they share none."""
    first, second = (bool(np.isfinite(each.evidence.stderr()).any()) for each in (difference.first, difference.second))
    if first and second:
        return Statement("no_answer_is_told_apart")
    if first or second:
        return Statement("the_result_does_not_tell", title=quoted(titles[first]))
    return Statement("neither_result_tells_its_answers")


def _test_in_words(difference: Difference) -> Statement | None:
    """How the chance in the sentence was found; and what it is, where the sentence does not say."""
    if not np.isfinite(difference.stderr).any():
        return None
    chance, looked_at = difference.test.p_value, difference.looked_at
    how = METHODS[english(difference.test.method)]
    if looked_at > 1:
        how = Statement("times_for_the_answers", how=how, answers=looked_at)
    if chance < RARE:
        return Statement("the_chance_is_found", how=how)
    return Statement("were_they_alike_chance", often=how_often(chance), how=how)


def _change(label: Any, before: float, after: float, value: float, error: float, bounds: Vector) -> Change:
    if not np.isfinite([before, after, value, error, *bounds]).all():
        return Change(printable(label), "", "", "", UNKNOWN)
    words = change_in_words(*outward(*bounds.tolist()))
    return Change(printable(label), points(before), points(after), signed(value), words)
