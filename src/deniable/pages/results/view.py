"""A question's result as its page shows it, in plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from deniable.estimation.error_sources import ErrorSources
from deniable.estimation.estimate import ALONE, Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.people_needed import people_to_say
from deniable.estimation.saying import LEVEL, headline, says_nothing, share_sentence, takes
from deniable.estimation.scales.scale_estimate import ScaleEstimate
from deniable.estimation.scales.scale_reading import mean_beside
from deniable.estimation.table import printable
from deniable.estimation.words import share_in_words, with_unit
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.crossing import crossed_pairs
from deniable.pages.results.numbers import NumbersView, numbers_view
from deniable.pages.results.paging import AT_ONCE, Paging
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.reported import Reported, reported
from deniable.pages.results.rows import HUNDRED, Axis, Chart, Row, axis_of, chart, drawn_bounds
from deniable.pages.results.selection import Selection, is_cut, is_sorted, places, unshown
from deniable.pages.results.share_line import share_line
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement

MOST_CHOICES = 200
"""Of more labels no lists to choose from are made: they would outweigh the page."""


@dataclass(frozen=True)
class QuestionView:
    """All that is shown of a question; ``missing`` says why there is nothing else."""

    name: str
    wording: str
    kind: Statement | None
    """What readers must know of its kind; mostly nothing."""
    missing: str
    sentence: Phrase = ""
    """What it found, in full."""
    title: Phrase = ""
    """The same in a line, or how many answers lie above a line that a reader drew."""
    told: Phrase = ""
    """What is told beneath the title."""
    reported: Reported | None = None
    needed: Phrase = ""
    """About how many answers it takes until anything can be said, where nothing can."""
    chart: Chart | None = None
    noise: ErrorSources | None = None
    notes: Sequence[Phrase] = ()
    labels: Sequence[str] = ()
    """To choose two from."""
    more: Phrase = ""
    """What its kind has to say beside its finding, such as the mean of a scale."""
    numbers: NumbersView | None = None
    unit: str = ""
    beside: Sequence[tuple[str, str, str]] = ()
    """Questions that it was crossed with: in words, and the pair's names."""

    @property
    def is_of_line(self) -> bool:
        """Whether it is about a line that a reader drew."""
        return self.chart is not None and self.chart.line is not None and self.chart.line.is_drawn


Head: TypeAlias = "tuple[str, str, Statement | None]"
"""A question's name, its wording, and what readers must know of its kind."""


def view(
    found: PeriodView,
    question: Question,
    wanted: Selection,
    asked: tuple[str, str] | None = None,
    axis: Axis = HUNDRED,
) -> QuestionView:
    """What is shown of a question; ``asked`` is a range of numbers that a reader typed, ``axis`` that of shares."""
    assert found.results is not None
    alone = len(found.questions) == 1
    head = (question.name, question.wording or (found.title if alone else question.name), page_kind(question).caution)
    told = found.results.shown(question.name)
    if isinstance(told, str):
        return QuestionView(*head, told.removeprefix("no result: "))
    estimate = found.results[question.name]
    if isinstance(estimate, Distribution):
        shown = _of_numbers(found, estimate, head, asked)
    else:
        shown = _of_shares(found, estimate, head, wanted, axis)
    title, more = headline(finding_of(estimate, found.is_open))
    if shown.is_of_line and shown.chart is not None and shown.chart.line is not None:
        title, more = shown.chart.line.sentence, shown.chart.line.rest
    return replace(shown, title=title, told=more, beside=_beside(found, question.name))


def axis_of_shares(found: PeriodView, questions: Iterable[Question], wanted: Selection) -> Axis:
    """The axis of all shares of a page: from 0 to 100, or as far as any of them reaches if a reader wants that."""
    if not wanted.zoomed or found.results is None:
        return HUNDRED
    told = {each.name for each in questions if page_kind(each).has_shares}
    read = [found.results[name] for name in told if not isinstance(found.results.shown(name), str)]
    bounds = [drawn_bounds(each, LEVEL, is_sorted(each, wanted))[list(places(each, wanted))] for each in read]
    return axis_of(np.concatenate([np.zeros((1, 2)), *bounds]))


def finding_of(estimate: Estimate, is_open: bool) -> Statement:
    """What a question found, as its page, its pictures and its JSON say it; the mean of a scale is said beside it."""
    return estimate.statement(is_open) if isinstance(estimate, Distribution) else share_sentence(estimate, is_open)


def _of_shares(found: PeriodView, estimate: Estimate, head: Head, wanted: Selection, axis: Axis) -> QuestionView:
    """Labels with their shares."""
    needed = people_to_say(estimate, estimate.size) if says_nothing(estimate) else None
    return QuestionView(
        *head,
        "",
        finding_of(estimate, found.is_open),
        reported=reported(found, estimate, _devices(found, head)),
        needed="" if needed is None else takes(needed, estimate.size),
        chart=drawn(estimate, wanted, axis),
        noise=noise_of(estimate, places(estimate, wanted), is_sorted(estimate, wanted)),
        notes=notes_of(estimate),
        labels=[printable(label) for label in estimate.labels] if len(estimate.labels) <= MOST_CHOICES else (),
        more=(mean_beside(estimate) or "") if isinstance(estimate, ScaleEstimate) else "",
    )


def _devices(found: PeriodView, head: Head) -> int:
    assert found.results is not None
    return found.results.devices(head[0])


def _beside(found: PeriodView, name: str) -> list[tuple[str, str, str]]:
    """The other questions of the pairs that a question is in."""
    pairs = [(names, names[names[0] == name]) for names in crossed_pairs(found) if name in names]
    return [(found.survey.question(other).wording or other, *names) for names, other in pairs]


def noise_of(estimate: Estimate, among: Sequence[int], simultaneous: bool = False) -> ErrorSources | None:
    """Where the uncertainty of the largest share comes from, among those that are shown."""
    if not among:
        return None
    largest = max(among, key=lambda place: float(estimate.frequencies[place]))
    return estimate.error_sources(estimate.labels[largest], simultaneous)


def drawn(estimate: Estimate, wanted: Selection, axis: Axis = HUNDRED) -> Chart:
    """The labels that a reader asked for, or a page of them."""
    asked = places(estimate, wanted)
    paging = Paging.of(wanted.page, len(asked)) if wanted.page and wanted.all and len(asked) > AT_ONCE else None
    shown = asked if paging is None else paging.part(asked)
    made, line = chart(estimate, shown, is_sorted(estimate, wanted), asked, axis), share_line(estimate, wanted.above)
    if line is not None and line.is_drawn:
        verdicts = [line.verdict(estimate.labels[place]) for place in shown]
        rows = tuple(replace(row, verdict=said) for row, said in zip(made.rows, verdicts, strict=True))
        made = replace(made, rows=rows)
    rest = rest_of(estimate, shown) if is_cut(estimate, wanted) else ""
    return replace(made, rest=rest, unshown=unshown(estimate, wanted), paging=paging, line=line)


def rest_of(estimate: Estimate, shown: Sequence[int]) -> Phrase:
    """What holds of each label that is left out, of all of them at once."""
    most = np.delete(estimate.interval(LEVEL, simultaneous=True)[:, 1], list(shown))
    if not len(most):
        return ""
    return Statement("the_other_each", count=len(most), share=share_in_words(0.0, float(most.max())))


def _of_numbers(found: PeriodView, estimate: Distribution, head: Head, asked: tuple[str, str] | None) -> QuestionView:
    """A number: its bins stay in the order of the scale, and are not compared two by two."""
    bins = range(len(estimate.labels))
    made = chart(estimate, bins) if bins else None
    return QuestionView(
        *head,
        "",
        finding_of(estimate, found.is_open),
        reported=reported(found, estimate, _devices(found, head)),
        chart=None if made is None else replace(made, rows=tuple(_in_units(row, estimate) for row in made.rows)),
        numbers=numbers_view(estimate, asked),
        unit=estimate.unit,
    )


def _in_units(row: Row, estimate: Distribution) -> Row:
    """A bin with the unit of its numbers."""
    return replace(row, label=with_unit(row.label, estimate.unit))


def notes_of(estimate: Estimate) -> list[Phrase]:
    """What the estimate itself says, but for what its kind says; the share of what is not listed."""
    rest = estimate.unlisted
    left = (
        []
        if rest is None
        else [Statement("other_words", share=share_in_words(*Quantity.normal(*rest, 0, 1).interval(LEVEL)))]
    )
    said = [Statement("note", note=note) for note in estimate.remarks[estimate.census is not None :] if note != ALONE]
    return [*said, *left]
