"""A number set beside another answer: its mean in each group, or how two numbers go together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from deniable.estimation.export import csv_text
from deniable.estimation.numbers.association import Association
from deniable.estimation.numbers.by_group import MeansByGroup
from deniable.estimation.numbers.number_saying import in_words
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL
from deniable.estimation.table import printable
from deniable.estimation.words import joined
from deniable.pages.results.crossing import asked_in_words, together
from deniable.pages.results.paging import AT_ONCE
from deniable.pages.results.reported import Reported
from deniable.protocol.questions.number import Number
from deniable.protocol.say import Phrase, Statement, english
from deniable.surveys.results import Results

OVERLAP: Final = Statement("the_sentence_at_the_top")


@dataclass(frozen=True)
class Line:
    """A group or a measure: its name, the estimate, and what can be said; nothing of groups that are too small."""

    name: Phrase
    estimate: Phrase
    words: Phrase
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ComparisonView:
    """A sentence, how to read it, and a row for each group or each measure."""

    finding: Phrase
    lead: Phrase
    reported: Reported
    heading: Phrase
    rows: tuple[Line, ...]
    at_once: int = AT_ONCE
    """So many rows are shown on a page."""

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        rows = [{name: value for name, value in vars(row).items() if name != "estimate"} for row in self.rows]
        return {"n": self.reported.n, "sentence": self.finding, "rows": rows}

    def to_csv(self) -> str:
        """A row for each group or measure."""
        told = [{**vars(row), "name": english(row.name), "words": english(row.words)} for row in self.rows]
        columns = {name: [row[name] for row in told] for name in ("name", "value", "low", "high", "words")}
        return csv_text(columns, ("name", "words"))


def beside(results: Results, first: str, second: str) -> ComparisonView | None:
    """What is shown of two questions of which one at least is a number; None of two others."""
    document = results.document
    pair = [name for name in (first, second) if isinstance(document.question(name), Number)]
    said = partial(asked_in_words, document)
    if len(pair) == 2:
        return _together(results.association(first, second), said, results.n)
    if len(pair) == 1:
        [number] = pair
        return _by_group(results.means(number, by=second if number == first else first), said, results.n)
    return None


def _by_group(means: MeansByGroup, said: Callable[[Phrase], Phrase], everybody: int) -> ComparisonView:
    groups, number = map(said, means.names)
    rows = tuple(_group(printable(group), means.mean(group), means.unit) for group in means.groups)
    clearest = means.clearest(LEVEL)
    if clearest is None:
        finding = Statement(
            "whether_differs_in_the_mean",
            number=number, groups=groups,
        )  # fmt: skip
    else:
        finding = replace(clearest, names=(groups, number)).statement
    lead = Statement("the_mean_of_among_the_people", number=number, groups=groups)
    return ComparisonView(finding, joined([lead, OVERLAP]), together(means.n, everybody), groups, rows)


def _group(name: str, mean: Quantity, unit: str) -> Line:
    if math.isnan(mean.value):
        return Line(name, "", Statement("too_few_people_to_say"), None, None, None)
    return _line(name, mean, unit)


def _together(found: Association, said: Callable[[Phrase], Phrase], everybody: int) -> ComparisonView:
    first, second = map(said, found.names)
    told = [
        (Statement("for_each_unit_more_of", first=first, second=second), found.slope),
        (Statement("correlation_from_minus1_to_1"), found.correlation),
        (Statement("covariance"), found.covariance),
    ]
    rows = tuple(_line(name, quantity) for name, quantity in told if quantity is not None)
    low, high = found.covariance.interval(LEVEL)
    if low > 0:
        finding = Statement("and_rise_together", first=first, second=second)
    elif high < 0:
        finding = Statement("and_go_against_each_other", first=first, second=second)
    else:
        finding = Statement("no_connection_between_and_can", first=first, second=second)
    return ComparisonView(finding, "", together(found.n, everybody), Statement("measure"), rows)


def _line(name: Phrase, found: Quantity, unit: str = "") -> Line:
    return Line(name, *in_words(found, unit), found.value, *found.interval(LEVEL))
