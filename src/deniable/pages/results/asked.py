"""The result of a question that only some are asked: pages draw the shares of these, and beside them those of all."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from deniable.estimation.asked import AskedShares, anyone_asked
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import alternatives
from deniable.estimation.table import printable
from deniable.estimation.words import quoted
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.comparison import Comparison
from deniable.pages.results.result_kind import Measurement, ResultKind, Section
from deniable.pages.results.rows import Axis, Span
from deniable.pages.results.selection import Selection
from deniable.pages.results.shares import ShareResult, selected_chart
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.document import Document

SAID_ABOVE = ("asked_about", "asked_cannot_be_told")
"""Notes that say how many were asked, which stands above the picture."""
TOO_FEW = Statement("note", note=Statement("of_those_asked", said=Statement("too_few_to_say")))


def result_kind_of(document: Document, question: Question) -> ResultKind[Any]:
    """How the result of a question is shown."""
    kind = page_kind(question).result
    return kind if question.only_if is None else AskedResult(kind, document, question)


def main_shares(estimate: Estimate) -> Estimate:
    """What is drawn of a question: where only some were asked, and enough of them, the shares of these."""
    return estimate.of_asked() if anyone_asked(estimate) else estimate


class AskedResult(ResultKind[Estimate]):
    """How the result of a question that only some are asked is shown: as its kind does it, of those who were asked."""

    def __init__(self, kind: ResultKind[Any], document: Document, question: Question) -> None:
        self._kind, self._document, self._question = kind, document, question

    def finding(self, estimate: Estimate, is_open: bool) -> Statement:
        """Which answers are the most frequent among those asked; nothing where these are too few."""
        if not anyone_asked(estimate):
            return TOO_FEW
        return Statement("of_those_asked", said=self._kind.finding(main_shares(estimate), is_open))

    def section(self, estimate: Estimate, wanted: Selection, typed: tuple[str, str] | None, axis: Axis) -> Section:
        """The shares of those asked and the shares of all; where too few were asked, those of all alone."""
        asked = main_shares(estimate)
        section = (ShareResult() if asked is estimate else self._kind).section(asked, wanted, typed, axis)
        notes = [note for note in section.notes if _key(note) not in SAID_ABOVE]
        of_all = Statement("of_all_who_reported", count=estimate.n)
        if asked is estimate:
            return replace(section, needed="", noise=None, notes=notes, labels=(), among=of_all)
        chart = selected_chart(estimate, wanted, axis)
        return replace(section, notes=notes, among=self._among(asked), of_all=chart, whole=of_all)

    def _among(self, estimate: Estimate) -> Statement:
        """After which answers to which question people are asked this one, and about how many were."""
        only_if = self._question.only_if
        assert only_if is not None
        parent = self._document.question(only_if.question)
        shares = cast("AskedShares", estimate.evidence)
        return Statement(
            "of_those_who_answered",
            answers=alternatives([quoted(printable(label)) for label in only_if.labels]),
            question=quoted(parent.wording or parent.name), asked=round(shares.people_asked), people=estimate.n,
        )  # fmt: skip

    def rehearsal(self, estimate: Estimate, most: int) -> Section:
        return self._kind.rehearsal(main_shares(estimate), most)

    def headline(self, estimate: Estimate) -> tuple[tuple[Span, ...], float | None]:
        return self._kind.headline(main_shares(estimate)) if anyone_asked(estimate) else ((), None)

    def half_width(self, estimate: Estimate) -> Phrase:
        """Of the shares of all, as made-up answers are."""
        return self._kind.half_width(estimate)

    def mean(self, estimate: Estimate) -> Quantity | None:
        return self._kind.mean(main_shares(estimate)) if anyone_asked(estimate) else None

    # --- two results ------------------------------------------------------------------------------------------------

    def comparison(
        self, first: Estimate, second: Estimate, titles: tuple[str, str], are_weeks: bool = False
    ) -> Comparison:
        comparison = self._kind.comparison(*_comparable(first, second), titles, are_weeks)
        return replace(comparison, finding=self._of_whom(comparison.finding, first, second))

    def sure_difference(
        self, first: Estimate, second: Estimate, titles: tuple[str, str], chance: float
    ) -> Statement | None:
        statement = self._kind.sure_difference(*_comparable(first, second), titles, chance)
        return None if statement is None else self._of_whom(statement, first, second)

    def _of_whom(self, statement: Statement, *compared: Estimate) -> Statement:
        """A finding with the words that say whether it is of those asked or of everybody."""
        return Statement("of_those_asked" if all(map(anyone_asked, compared)) else "of_everybody", said=statement)

    def change(self, first: Estimate, second: Estimate) -> dict[str, Any]:
        of = "asked" if anyone_asked(first) and anyone_asked(second) else "all"
        return {"shares_of": of, **self._kind.change(*_comparable(first, second))}

    # --- period after period ----------------------------------------------------------------------------------------

    def followed(self, estimate: Estimate) -> Sequence[Hashable]:
        return self._kind.followed(estimate)

    def name(self, label: Hashable) -> Phrase:
        return self._kind.name(label)

    def measurements(self, estimate: Estimate, labels: Sequence[Hashable]) -> Mapping[Hashable, Measurement]:
        """Nothing of a period in which too few were asked."""
        if not anyone_asked(estimate):
            return dict.fromkeys(labels, Measurement.nothing(Statement("too_few_to_say")))
        return self._kind.measurements(main_shares(estimate), labels)

    def axis(self, estimate: Estimate, bounds: Sequence[tuple[float, float]]) -> Axis:
        return self._kind.axis(estimate, bounds)

    def unit(self, estimate: Estimate) -> Phrase:
        """People of a hundred who were asked."""
        return Statement("of_100_asked")

    def give_or_take(self, estimate: Estimate, half: float) -> Phrase:
        return self._kind.give_or_take(estimate, half)


def _comparable(first: Estimate, second: Estimate) -> tuple[Estimate, Estimate]:
    """Two results as they are compared: of those asked where both tell of them, else of all."""
    if anyone_asked(first) and anyone_asked(second):
        return main_shares(first), main_shares(second)
    return first, second


def _key(note: Phrase) -> str:
    """The key of what a note says; empty of words without one."""
    words = note.values.get("note", note) if isinstance(note, Statement) else note
    return words.key if isinstance(words, Statement) else ""
