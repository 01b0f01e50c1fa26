"""A question by groups of the people who answered it: each answer's share, or a number, in every group on one axis."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.saying import MOST_NAMED, RARE
from deniable.estimation.table import printable
from deniable.estimation.words import joined
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.asked import result_kind_of
from deniable.pages.results.result_kind import Measurement, ResultKind, known_bounds
from deniable.pages.results.rows import HUNDRED, Axis, Span, spans
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.results import Results

MOST_ANSWERS: Final = 10
"""Of so many answers groups are shown, of longer lists the largest."""
MOST_GROUPS: Final = 20
"""Of more groups no two are compared: hardly any pair of so many could be told apart."""

UNSAID: Final = Statement("group_not_said")
"""The group of those of whom the column says nothing."""


class GroupRow(NamedTuple):
    """A group: how many of it reported, and what is known of one answer, drawn in per cent of the axis."""

    label: Phrase
    n: int
    words: Phrase
    estimate: Phrase
    dot: float | None
    bands: tuple[Span, ...]


class AnswerByGroup(NamedTuple):
    """One answer, or the mean or a quantile of a number, in each group and of everybody."""

    name: Phrase
    rows: tuple[GroupRow, ...]
    everybody: GroupRow


@dataclass(frozen=True)
class GroupsView:
    """All that is shown of a question by groups."""

    wording: str
    finding: Phrase
    """Which groups surely differ."""
    axis: Axis
    unit: Phrase
    """What the axis counts."""
    answers: tuple[AnswerByGroup, ...]


def by_groups(question: Question, whole: Results, groups: Mapping[str, Results]) -> GroupsView | None:
    """A question by groups; None where nothing can be said of everybody."""
    if isinstance(whole.shown(question.name), str):
        return None
    everybody, kind = whole[question.name], result_kind_of(whole.document, question)
    estimates = {
        name: each[question.name] for name, each in groups.items() if not isinstance(each.shown(question.name), str)
    }
    labels = _answers(everybody, kind.followed(everybody))
    measured = {name: kind.measurements(each, labels) for name, each in estimates.items()}
    of_all = kind.measurements(everybody, labels)
    bounds = known_bounds([*measured.values(), of_all])
    axis = HUNDRED if page_kind(question).has_shares else kind.axis(everybody, bounds)
    answers = tuple(
        AnswerByGroup(
            kind.name(label),
            tuple(_row(named(name), each.n, measured[name].get(label), axis) for name, each in estimates.items()),
            _row(Statement("everybody"), everybody.n, of_all.get(label), axis),
        )
        for label in labels
    )
    return GroupsView(question.wording or question.name, _finding(kind, estimates), axis, kind.unit(everybody), answers)


def named(group: str) -> Phrase:
    """A group as pages name it."""
    return printable(group) if group else UNSAID


def _answers(estimate: Estimate, labels: Sequence[Hashable]) -> Sequence[Hashable]:
    """The answers that are shown: the first of two that mirror each other, of many the largest."""
    if len(labels) == 2 and estimate.adds_up and estimate.unlisted is None:
        return labels[:1]
    if len(labels) <= MOST_ANSWERS:
        return labels
    order = np.argsort(-np.nan_to_num(estimate.unbiased, nan=-np.inf), kind="stable")
    return [labels[place] for place in order[:MOST_ANSWERS].tolist()]


def _row(label: Phrase, n: int, measurement: Measurement | None, axis: Axis) -> GroupRow:
    if measurement is None or measurement.value is None or measurement.low is None or measurement.high is None:
        return GroupRow(label, n, Statement("nothing_can_be_said_word"), "", None, ())
    dot, bands = axis.place(measurement.value), spans(axis, [(measurement.low, measurement.high)])
    return GroupRow(label, n, measurement.words, measurement.estimate, dot, bands)


def _finding(kind: ResultKind[Any], estimates: Mapping[str, Estimate]) -> Phrase:
    """Which pairs of groups surely differ: looked at all at once, so that no pair is picked by chance."""
    pairs = list(combinations(filter(None, estimates), 2))
    if not pairs or len(estimates) > MOST_GROUPS:
        return ""
    chance = RARE / len(pairs)  # Bonferroni
    differences = (
        kind.sure_difference(estimates[first], estimates[second], (printable(first), printable(second)), chance)
        for first, second in pairs
    )
    sure = [each for each in differences if each is not None]
    if not sure:
        return Statement("groups_cannot_be_told_apart", count=len(pairs))
    more = [Statement("more_pairs_of_groups_differ", count=len(sure) - MOST_NAMED)] if len(sure) > MOST_NAMED else []
    return joined([*sure[:MOST_NAMED], *more])
