"""How the answers to a question changed from some periods to later ones, with intervals that hold for all at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from deniable.checks import check_level
from deniable.estimation.bars import Bar
from deniable.estimation.difference import SHARES, AnswerChange, Difference
from deniable.estimation.frame import Rows, TabledFrame
from deniable.estimation.numbers.number_difference import IN_SENTENCES
from deniable.estimation.saying import LEVEL, MOST_NAMED, size_of_change
from deniable.estimation.share import digits_of
from deniable.estimation.table import Table, printable
from deniable.estimation.words import answers, listed, points, quoted, signed
from deniable.protocol.say import Statement, english

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINKED: Final = Statement("the_reports_are_remembered")


class PeriodSpan(NamedTuple):
    """Periods in a row, taken together."""

    statement: Statement
    """Such as: the first four weeks."""
    periods: tuple[str, ...]
    """Those that have results."""
    left_out: tuple[str, ...] = ()
    """Those that have none: withheld, or answered by nobody."""

    @property
    def words(self) -> str:
        """The statement in English."""
        return english(self.statement)

    @property
    def note(self) -> Statement | None:
        """What was left out, in words; mostly nothing."""
        if not self.left_out:
            return None
        return Statement("of_there_is_no_result_of", span=self.statement, periods=listed(self.left_out))


@dataclass(frozen=True, eq=False, repr=False)
class QuestionChange(TabledFrame):
    """What changed of a question from the first span to the last: the last minus the first.

    All intervals hold at once, in 95 of 100 such comparisons unless another level is asked for. A span's share is that
    of all its answers together, so each period counts by how many answered in it.
    """

    difference: Difference
    first: PeriodSpan
    last: PeriodSpan
    linked: bool = False
    """Whether reports of several periods may have been made from the same permanent ones."""

    @property
    def labels(self) -> Sequence[Hashable]:
        """The answers; of a number its mean, and quantiles where they were asked for."""
        return self.difference.compared

    @property
    def n(self) -> tuple[int, int]:
        """How many people told of the question in each span."""
        return self.difference.first.n, self.difference.second.n

    @property
    def unit(self) -> str:
        """What the change is counted in: share, or the unit of a number, which may have none."""
        return self.difference.unit

    @property
    def answered(self) -> Statement:
        """How many answers each span has."""
        before, after = map(answers, self.n)
        first, last = self.first.statement, self.last.statement
        return Statement("in_in", before=before, first=first, after=after, last=last)

    @property
    def spans(self) -> Statement:
        """What is compared with what."""
        return Statement("against_first_last", first=self.first.statement, last=self.last.statement)

    def rows(self, level: float = LEVEL) -> list[AnswerChange]:
        """The change of each answer, in the question's order."""
        return self.difference.changes(check_level(level))

    @cached_property
    def changed(self) -> list[AnswerChange]:
        """What surely rose or fell: of a number the mean first, else the clearest.

        Of two answers that mirror each other the first says all.
        """
        mirrored = self.unit == SHARES and len(self.labels) == 2 and self.difference.looked_at == 1
        rows = [row for row in self.rows()[: 1 if mirrored else None] if row.way]
        if self.unit != SHARES:
            return rows
        return sorted(rows, key=lambda row: (row.high - row.low) / abs(row.value))

    @property
    def sentence(self) -> str:
        """What changed, in a sentence.

        >>> import deniable as dn
        >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bike"])], 3.0, 900, period="week")
        >>> given = [{"way": ["car"] * cars + ["bike"] * (900 - cars)} for cars in (500, 510, 700)]
        >>> weeks = [survey.estimate(survey.tally(survey.answer_many(each, seed=1))) for each in given]
        >>> dn.change(weeks, first=2, last=1)["way"].sentence
        'More answer “car” than in the first two weeks: by 16 to 25 in 100.'
        """
        return english(self.statement)

    @property
    def statement(self) -> Statement:
        """The sentence as a statement, for any language."""
        named, unnamed = self.changed[:MOST_NAMED], len(self.changed) - MOST_NAMED
        spans = {"first": self.first.statement, "last": self.last.statement}
        if not named:
            return Statement("no_change_can_be_seen", **spans)
        if self.unit != SHARES:
            what, changed = IN_SENTENCES[str(named[0].label)], named[0].statement
            return Statement("from_to_what_changed_first_last", what=what, changed=changed, **spans)
        if len(named) == 1:
            return self._of_one(named[0])
        said = [Statement("what_changed", what=_answer(row), changed=row.statement) for row in named]
        said += [Statement("more_changed", count=unnamed)] if unnamed > 0 else []
        return Statement("from_to", changes=listed(said), **spans)

    def _of_one(self, row: AnswerChange) -> Statement:
        """By how much more or fewer people give the one answer that changed."""
        answer, first, by = _answer(row), self.first.statement, size_of_change(row.low, row.high)
        if row.way > 0:
            return Statement("more_answer_than_in_by", answer=answer, first=first, by=by)
        return Statement("fewer_answer_than_in_by", answer=answer, first=first, by=by)

    @property
    def notes(self) -> list[str]:
        """What to know of the spans and the intervals."""
        return list(map(english, self.remarks))

    @property
    def remarks(self) -> list[Statement]:
        """The notes as statements, for any language."""
        notes = (self.difference.remark_statement, self.first.note, self.last.note, LINKED if self.linked else None)
        return [note for note in notes if note is not None]

    def summary(self) -> str:
        """What changed, and what to know of it."""
        return " ".join([self.sentence, *self.notes])

    def table(self, level: float = LEVEL) -> Table:
        rows = self.rows(level)
        title = f"{english(self._minus)}; the {100 * level:.10g}% intervals hold for all rows at once"
        if self.unit != SHARES:
            changes = [(printable(row.label), f"{row.value:+.4g} {self.unit}".rstrip(), row.words) for row in rows]
            return Table(title, ("", "change", "in words"), changes, [self.sentence, *self.notes])
        digits = digits_of(self.difference.stderr)
        cells = [
            (
                printable(row.label), points(row.first, digits), points(row.last, digits), signed(row.value, digits),
                f"{signed(row.low, digits)} to {signed(row.high, digits)}", row.words,
            )
            for row in rows
        ]  # fmt: skip
        bars = [Bar(row.value, row.low, row.high) for row in rows]
        headings = ("answer", "first, in 100", "last, in 100", "change", "interval", "in words")
        return Table(title, headings, cells, [self.sentence, *self.notes], bars)

    @property
    def _minus(self) -> Statement:
        """What is taken from what, with how many answers each has."""
        before, after = map(answers, self.n)
        return Statement("minus", last=self.last.statement, after=after, first=self.first.statement, before=before)

    def plot(self, level: float = LEVEL) -> Figure:
        """A picture of the differences, each with an interval of its own."""
        return self.difference.plot(level)

    def _frame(self, level: float) -> Rows:
        rows = self.rows(level)
        about = {
            "n": [*self.n], "level": level, "simultaneous": True, "unit": self.unit, "sentence": self.sentence,
            **{
                name: {"periods": [*span.periods], "left_out": [*span.left_out]}
                for name, span in (("first", self.first), ("last", self.last))
            },
            "notes": self.notes,
        }  # fmt: skip
        columns: dict[str, list[Any]] = {
            "label": [row.label for row in rows], "before": [row.first for row in rows],
            "after": [row.last for row in rows], "value": [row.value for row in rows],
            "low": [row.low for row in rows], "high": [row.high for row in rows],
            "words": [row.words for row in rows],
        }  # fmt: skip
        return Rows(about, columns)

    def __repr__(self) -> str:
        return f"QuestionChange({len(self.labels)} rows, n={self.n[0]} and {self.n[1]})"


def _answer(row: AnswerChange) -> Statement:
    """A label as it stands in a sentence."""
    return quoted(printable(row.label))
