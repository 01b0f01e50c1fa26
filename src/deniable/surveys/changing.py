"""What changed over the periods of a survey: the last ones taken together, minus the first ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any, Final

import numpy as np

from deniable.estimation.asked import NOT_TOLD
from deniable.estimation.change import PeriodSpan, QuestionChange
from deniable.estimation.difference import Difference
from deniable.estimation.estimate import Estimate
from deniable.estimation.export import json_text
from deniable.estimation.repeated_reports import RepeatedEvidence
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.text import Text
from deniable.protocol.say import Statement
from deniable.protocol.surveys.document import REMEMBERED
from deniable.surveys.results import Results

SPAN: Final = 4
"""So many periods make a span unless another number is asked for, or half of all where these are fewer than eight."""
SMALL: Final = tuple(map(Statement, ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")))
"""The numbers from two on that are written out."""


class PooledResults(Results):
    """The results of several periods taken together.

    The people whom a survey is meant for may answer once a period, so how many answered says nothing of how many did
    not: shares are taken to be those of people without end.
    """

    @property
    def census(self) -> None:
        """Not known."""


@dataclass(frozen=True, eq=False, repr=False)
class Changes(Mapping[str, QuestionChange]):
    """What changed of each question, by its name; made by ``change``.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bike"])], 3.0, 900, period="week")
    >>> answers = [{"way": ["car"] * (900 - bikes) + ["bike"] * bikes} for bikes in (400, 100)]
    >>> weeks = [survey.estimate(survey.tally(survey.answer_many(week, seed=1))) for week in answers]
    >>> dn.change(weeks)["way"].sentence
    'More answer “car” than in the first week: by 28 to 38 in 100.'
    """

    periods: Mapping[str, Results]
    """Those of both spans that have results."""
    first: PeriodSpan
    last: PeriodSpan

    @property
    def results(self) -> Results:
        """Those of one of the periods: all have the survey and the decoder in common."""
        return next(iter(self.periods.values()))

    @cached_property
    def both(self) -> tuple[Results, Results]:
        """The results of the first span and of the last."""
        return self._pooled(self.first), self._pooled(self.last)

    def __getitem__(self, name: str) -> QuestionChange:
        return QuestionChange(self._difference(name), self.first, self.last, self._errs_alike)

    def of_asked(self, name: str) -> QuestionChange:
        """The change of a question that only some are asked, among these; refused where too few were to say."""
        if self.results.document.question(name).only_if is None:
            raise ParameterError(f"a question must be one that only some are asked, got {name!r}, which everybody is")
        difference = self._difference(name, lambda difference: difference.of_asked())
        if not np.isfinite(difference.values).all():
            raise TallyError(NOT_TOLD)
        return QuestionChange(difference, self.first, self.last, self._errs_alike)

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def _errs_alike(self) -> bool:
        """Whether the periods of a span may err alike, since devices repeat what they remember."""
        several = len(self.first.periods) > 1 or len(self.last.periods) > 1
        return several and self.results.document.repeat == REMEMBERED

    def _pooled(self, span: PeriodSpan) -> Results:
        """A span's results: those of its tallies' sum."""
        first, *others = (self.periods[name] for name in span.periods)
        if not others:
            return first
        tally = sum((each.tally for each in others), first.tally)
        return PooledResults(first.document, tally, first.decoder, first.candidates)

    def _difference(self, name: str, among: Callable[[Estimate], Estimate] = lambda every: every) -> Difference:
        """The difference of both spans' estimates, each after ``among``, which may narrow it to those asked."""
        first, last = (among(each[name]) for each in self._of_same_words(name))
        if not self._errs_alike:
            return first.difference(last)
        before, after = ([among(self.periods[each][name]) for each in span.periods] for span in (self.first, self.last))
        return Estimate.difference(self._repeated(first, before), self._repeated(last, after))

    def _of_same_words(self, name: str) -> tuple[Results, Results]:
        """Both spans' results; of words that are discovered, those that are found in both spans taken together."""
        first, last = self.both
        question = first.document.question(name)
        if not isinstance(question, Text) or name in first.candidates:
            return first, last
        tally = first.tally + last.tally
        estimate = PooledResults(first.document, tally, first.decoder)[name]
        named = {**first.candidates, name: [str(label) for label in estimate.labels]}
        first, last = (replace(each, candidates=named) for each in (first, last))
        return first, last

    def _repeated(self, pooled: Estimate, periods: Sequence[Estimate]) -> Estimate:
        """The estimate of a span whose periods may err alike, with the error that is then the largest."""
        evidence = RepeatedEvidence([each.evidence for each in periods])
        return replace(pooled, decoded=pooled.decoded._replace(evidence=evidence, unbiased=evidence.unbiased()))

    def shown(self, name: str) -> QuestionChange | str:
        """The change of a question, or why there is none: one question must not hide the others."""
        try:
            return self[name]
        except (ParameterError, TallyError) as error:
            return f"no result: {error}"

    def summary(self) -> str:
        """A line for each question."""
        lines = {name: self.shown(name) for name in self}
        return "\n".join(f"{name}: {each if isinstance(each, str) else each.summary()}" for name, each in lines.items())

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """All changes as plain values, by question."""
        document = self.results.document
        changes = {name: self.shown(name) for name in self}
        questions = {
            name: {"missing": each} if isinstance(each, str) else each.to_dict(level) for name, each in changes.items()
        }
        return {"survey": document.name, "digest": document.digest, "questions": questions}

    def to_json(self, level: float = 0.95) -> str:
        """``to_dict`` as JSON."""
        return json_text(self.to_dict(level))

    def __str__(self) -> str:
        return "\n\n".join(f"{name}\n{self.shown(name)}" for name in self)

    def _repr_html_(self) -> str:
        changes = {name: self.shown(name) for name in self}
        return "".join(
            f"<h4>{escape(name)}</h4>{f'<p>{escape(each)}</p>' if isinstance(each, str) else each._repr_html_()}"
            for name, each in changes.items()
        )

    def __repr__(self) -> str:
        return f"Changes({self.results.document.name!r}, {self.last.words} minus {self.first.words})"


def change(
    periods: Mapping[str, Results | None] | Sequence[Results | None], first: int | None = None, last: int | None = None
) -> Changes:
    """What changed from the first periods to the last ones, of each question: intervals hold for all answers at once.

    ``periods`` are the results of periods in a row, in order and by name, None for one that has none because it is
    withheld. It is left out of its span, and so is one that nobody answered; ``notes`` say which. The first four are
    compared with the last four unless told, or halves where there are fewer than eight.

    All answers of a span are counted together. Where each period asks other people, or people who draw new reports,
    intervals hold as those of a difference do. If the same people answered each period, they hold for these people.
    Where reports are remembered, periods of a span may err alike: they are taken to do so, which is never too little.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bus", "bike"])], 3.0, 900, period="week")
    >>> answers = [{"way": ["car"] * 300 + ["bus"] * (600 - n) + ["bike"] * n} for n in (400, 410, 180, 170)]
    >>> weeks = [survey.estimate(survey.tally(survey.answer_many(each, seed=1))) for each in answers]
    >>> print(dn.change(weeks, first=2, last=2)["way"].sentence)
    “bike” fell by 19 to 29 in 100 and “bus” rose by 19 to 29 in 100, from the first two weeks to the last two weeks.
    """
    named = _named(periods)
    half = min(SPAN, len(named) // 2)
    spans = (
        check_int("first", half if first is None else first, 1),
        check_int("last", half if last is None else last, 1),
    )
    if sum(spans) > len(named):
        raise ParameterError(
            f"first and last must be at most {len(named)} periods together, got {spans[0]} and {spans[1]}"
        )
    names, noun = [*named], _noun(named)
    before = _span(named, names[: spans[0]], _first(spans[0], noun))
    after = _span(named, names[-spans[1] :], _last(spans[1], noun))
    with_results = {name: each for name in (*before.periods, *after.periods) if (each := named[name]) is not None}
    return Changes(with_results, before, after)


def _named(periods: Any) -> dict[str, Results | None]:
    """The results by the name of their period, or its number; refused unless they are of one survey."""
    named = dict(periods) if isinstance(periods, Mapping) else {f"{place}": it for place, it in enumerate(periods, 1)}
    if len(named) < 2:
        raise ParameterError(f"periods must be two or more, got {len(named)}")
    for each in named.values():
        if each is not None and not isinstance(each, Results):
            raise ParameterError(f"periods must be results of a survey, or None, got {type(each).__name__}")
    documents = {each.document.digest for each in named.values() if each is not None}
    if len(documents) > 1:
        raise TallyError("periods must be of one survey, got some of another; a changed document is another survey")
    return named


def _noun(named: Mapping[str, Results | None]) -> str:
    """What a period of the survey is called: a day, a week or a month."""
    period = next((each.document.period for each in named.values() if each is not None), "once")
    return "period" if period == "once" else period


def _first(number: int, noun: str) -> Statement:
    """So many periods from the first on.

    >>> english(_first(1, "week")), english(_first(4, "week")), english(_first(26, "day"))
    ('the first week', 'the first four weeks', 'the first 26 days')
    """
    return Statement(f"the_first_{noun}") if number == 1 else Statement("the_first", periods=_counted(number, noun))


def _last(number: int, noun: str) -> Statement:
    """So many periods up to the last."""
    return Statement(f"the_last_{noun}") if number == 1 else Statement("the_last", periods=_counted(number, noun))


def _counted(number: int, noun: str) -> Statement:
    """A number of days, weeks, months or periods; small numbers are written out."""
    return Statement(f"{noun}s_many", many=SMALL[number - 2] if number < len(SMALL) + 2 else number)


def _span(named: Mapping[str, Results | None], names: Sequence[str], words: Statement) -> PeriodSpan:
    """The span of the periods with these names, without those that have no result or no answers."""
    answered = [name for name in names if (each := named[name]) is not None and each.n]
    if not answered:
        raise TallyError(Statement("must_have_a_result_got", span=words))
    return PeriodSpan(words, tuple(answered), tuple(name for name in names if name not in answered))
