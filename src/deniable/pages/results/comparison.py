"""One question in two closed results: two periods, or two surveys that ask the same."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.difference import Difference
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.number_difference import NumberDifference
from deniable.estimation.saying import MOST_NAMED, RARE, change_in_words, differ, reach
from deniable.estimation.table import printable
from deniable.estimation.words import how_often, joined, listed, outward, points, quoted, signed
from deniable.pages.results.changes import Change, Comparison, than_in
from deniable.pages.results.number_change import numbers_change, numbers_compared
from deniable.pages.results.rows import UNKNOWN
from deniable.protocol.say import Statement, english

METHODS: Final = {
    "Fisher's test": Statement("by_fishers_exact_test"),
    "normal test": Statement("by_the_normal_approximation"),
}


def compared(first: Estimate, second: Estimate, titles: tuple[str, str], are_weeks: bool = False) -> Comparison:
    """The second result minus the first. The intervals hold for all labels at once: nobody chose one beforehand."""
    found = first.difference(second)
    if isinstance(found, NumberDifference):
        return numbers_compared(found, titles, than_in(titles, are_weeks))
    bounds = found.interval(1 - RARE, simultaneous=True)
    shares = zip(found.labels, first.unbiased, second.unbiased, found.values, found.stderr, bounds, strict=True)
    said = _sentence(found, titles)
    return Comparison(
        _finding(found, bounds, than_in(titles, are_weeks)) or said,
        said,
        _tested(found),
        tuple(_change(*each) for each in shares),
        titles,
    )


def change(first: Estimate, second: Estimate) -> dict[str, Any]:
    """The same in plain values, with the interval of each row by itself."""
    found = first.difference(second)
    return numbers_change(found) if isinstance(found, NumberDifference) else found.to_dict()


def _finding(found: Difference, bounds: Matrix, where: Statement) -> Statement | None:
    """Of which answers there are surely more or fewer in the second result, the clearest; None where of none."""
    sure = [
        place for place, (low, high) in enumerate(bounds[: 1 if found.looked_at == 1 else None]) if low > 0 or high < 0
    ]
    if not sure or found.test.p_value >= RARE:
        return None
    sure.sort(key=lambda place: -abs(float(found.values[place])) / float(np.ptp(bounds[place])))
    said = listed([_more_or_fewer(found.labels[place], *bounds[place].tolist()) for place in sure[:MOST_NAMED]])
    return Statement("what_where", what=said, where=where)


def _more_or_fewer(label: Hashable, low: float, high: float) -> Statement:
    answer, by = quoted(printable(label)), reach(low, high)
    if low > 0:
        return Statement("more_answer_by", answer=answer, by=by)
    return Statement("fewer_answer_by", answer=answer, by=by)


def _sentence(found: Difference, titles: tuple[str, str]) -> Statement:
    if not np.isfinite(found.stderr).any():
        return Statement("nothing_can_be_said", why=_why_nothing(found, titles))
    said = differ(found.test.p_value)
    return said if found.remark_statement is None else joined([said, found.remark_statement])


def _why_nothing(found: Difference, titles: tuple[str, str]) -> Statement:
    """Which result does not tell its answers apart: either, or each of them others."""
    first, second = (bool(np.isfinite(each.evidence.stderr()).any()) for each in (found.first, found.second))
    if first and second:
        return Statement("no_answer_is_told_apart")
    if first or second:
        return Statement("the_result_does_not_tell", title=quoted(titles[first]))
    return Statement("neither_result_tells_its_answers")


def _tested(found: Difference) -> Statement | None:
    """How the chance in the sentence was found; and what it is, where the sentence does not say."""
    if not np.isfinite(found.stderr).any():
        return None
    chance, looked_at = found.test.p_value, found.looked_at
    how = METHODS[english(found.test.method)]
    if looked_at > 1:
        how = Statement("times_for_the_answers", how=how, answers=looked_at)
    if chance < RARE:
        return Statement("the_chance_is_found", how=how)
    return Statement(
        "were_they_alike_chance",
        often=how_often(chance), how=how,
    )  # fmt: skip


def _change(label: Any, before: float, after: float, value: float, error: float, bounds: Vector) -> Change:
    if not np.isfinite([before, after, value, error, *bounds]).all():
        return Change(printable(label), "", "", "", UNKNOWN)
    words = change_in_words(*outward(*bounds.tolist()))
    return Change(printable(label), points(before), points(after), signed(value), words)
