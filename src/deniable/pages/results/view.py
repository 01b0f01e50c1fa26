"""A question's result as its page shows it, in plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_saying import number_sentence
from deniable.estimation.saying import NOTHING, sentence
from deniable.estimation.table import printable
from deniable.estimation.words import people
from deniable.pages.results.cautions import Caution, cautions, number_cautions
from deniable.pages.results.enough import enough
from deniable.pages.results.found import Found
from deniable.pages.results.noise import Noise, noise
from deniable.pages.results.numbers import NumbersView, numbers_view
from deniable.pages.results.paging import AT_ONCE, Paging
from deniable.pages.results.rows import Chart, chart
from deniable.pages.results.selection import AT_ENDS, Wanted, is_cut, is_sorted, places, unshown
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import AnyOf, Text

MOST_CHOICES = 200
"""Of more labels no lists to choose from are made: they would outweigh the page."""


@dataclass(frozen=True)
class QuestionView:
    """All that is shown of a question; ``missing`` says why there is nothing else."""

    name: str
    wording: str
    kind: str
    missing: str
    sentence: str = ""
    needed: int | None = None
    """About how many answers it takes until anything can be said, where nothing can."""
    chart: Chart | None = None
    noise: Noise | None = None
    cautions: Sequence[Caution] = ()
    notes: Sequence[str] = ()
    labels: Sequence[str] = ()
    """To choose two from."""
    numbers: NumbersView | None = None


def view(found: Found, question: Question, wanted: Wanted, asked: tuple[str, str] | None = None) -> QuestionView:
    """What is shown of a question; ``asked`` is a range of numbers that a reader typed."""
    assert found.results is not None
    alone = len(found.survey.questions) == 1
    head = (question.name, question.wording or (found.title if alone else question.name), _kind(question))
    told = found.results.shown(question.name)
    if isinstance(told, str):
        return QuestionView(*head, told.removeprefix("no result: "))
    estimate = found.results[question.name]
    if isinstance(estimate, Distribution):
        return _of_numbers(found, estimate, head, asked)
    said = sentence(estimate, found.is_open)
    return QuestionView(
        *head,
        "",
        said,
        enough(estimate) if said.startswith(NOTHING) else None,
        drawn(estimate, wanted),
        noise(estimate, places(estimate, wanted), is_sorted(estimate, wanted)),
        cautions(found, question.name, estimate),
        _notes(found, estimate),
        [printable(label) for label in estimate.labels] if len(estimate.labels) <= MOST_CHOICES else (),
    )


def drawn(estimate: Estimate, wanted: Wanted) -> Chart:
    """The labels that a reader asked for, or a page of them, on the axis of all of them."""
    asked = places(estimate, wanted)
    paging = Paging.of(wanted.page, len(asked)) if wanted.page and wanted.all and len(asked) > AT_ONCE else None
    shown = asked if paging is None else paging.part(asked)
    made = chart(estimate, shown, is_sorted(estimate, wanted), asked)
    cut = AT_ENDS if is_cut(estimate, wanted) else 0
    return replace(made, cut=cut, unshown=unshown(estimate, wanted), paging=paging)


def _of_numbers(
    found: Found, estimate: Distribution, head: tuple[str, str, str], asked: tuple[str, str] | None
) -> QuestionView:
    """A number: its bins stay in the order of the scale, and are not compared two by two."""
    bins = range(len(estimate.labels))
    return QuestionView(
        *head,
        "",
        number_sentence(estimate, found.is_open),
        None,
        chart(estimate, bins) if bins else None,
        None,
        number_cautions(found, head[0], estimate),
        _asked(found, estimate),
        numbers=numbers_view(estimate, asked),
    )


def _kind(question: Question) -> str:
    if isinstance(question, AnyOf):
        return "People chose as many answers as they liked, so shares do not add up to 100."
    if isinstance(question, Text):
        return "People answered in their own words; shown are texts that stand out."
    return ""


def _notes(found: Found, estimate: Estimate) -> list[str]:
    """How many were asked, if not all; what the estimate itself says; the share of what is not listed."""
    rest = estimate.unlisted
    left = [] if rest is None else [f"not listed: {rest[0]:.1%}, standard error {rest[1]:.1%}"]
    return [*_asked(found, estimate), *estimate.notes[estimate.census is not None :], *left]


def _asked(found: Found, estimate: Estimate) -> list[str]:
    """How many told of the question: of all people, where the survey says how many there are."""
    if estimate.census is not None:
        return [estimate.census.who(estimate.n)]
    return [] if estimate.n == found.n else [f"this question was asked of {estimate.n:,} of {people(found.n)}"]
