"""Results: an estimate of every question, from all arms that asked it, and tables of questions that were crossed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, TypeVar

import numpy as np

from deniable.estimation.census import Census
from deniable.estimation.census_evidence import evidence_among
from deniable.estimation.cross import CrossTable
from deniable.estimation.decoders import LINEAR, Decoded
from deniable.estimation.estimate import Estimate, Origin
from deniable.estimation.evidence import Evidence
from deniable.estimation.export import json_text
from deniable.estimation.frame import Framed, Rows
from deniable.estimation.numbers.association import Association
from deniable.estimation.numbers.by_group import MeansByGroup
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.reading import Reading
from deniable.estimation.sources import Source
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.repeat.remembered import one_round
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.branches import chain_to
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.text import Prefix
from deniable.reports.tally import Tally
from deniable.surveys.arms import Part
from deniable.surveys.combining import PartReports, crossed
from deniable.surveys.discovery import ALPHABET, Progress, discovered
from deniable.surveys.document import Document
from deniable.surveys.questions.kinds import companion
from deniable.surveys.questions.number_results import distribution_of
from deniable.surveys.tally import SurveyTally

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class Results(Framed, Mapping[str, Estimate]):
    """An estimate of each question by its name, computed when it is first asked for.

    A question that several arms asked is estimated from all of them, each weighed by its people over the variance of
    one report, which follows from the specs and never from the counts.
    """

    document: Document
    tally: SurveyTally
    decoder: str = "projected"
    candidates: Mapping[str, Iterable[str]] = field(default_factory=dict)
    _estimates: dict[str, Estimate] = field(default_factory=dict, init=False)

    @property
    def n(self) -> int:
        """How many people answered the survey."""
        return self.tally.n

    def devices(self, name: str) -> int:
        """How many reported on a question, each once, though an estimate may rest on some of their reports alone."""
        asked = zip(self.document.arms, self.tally.arms, strict=True)
        return sum(tallies[0].n for arm, tallies in asked if any(name in part.estimable for part in arm.parts))

    def __getitem__(self, name: str) -> Estimate:
        question = self.document.question(name)
        if name not in self._estimates:
            self._estimates[name] = self._about_population(
                companion(question).estimate(question, self.reports_of(question), self)
            )
        return self._estimates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.document.by_name)

    def __len__(self) -> int:
        return len(self.document.questions)

    def __repr__(self) -> str:
        return f"Results({self.document.name!r}, n={self.n})"

    def __str__(self) -> str:
        return "\n\n".join(f"{name}\n{self.shown(name)}" for name in self)

    def _repr_html_(self) -> str:
        shown = {name: self.shown(name) for name in self}
        return "".join(
            f"<h4>{name}</h4>{f'<p>{escape(each)}</p>' if isinstance(each, str) else each._repr_html_()}"
            for name, each in shown.items()
        )

    def shown(self, name: str, level: float = 0.95) -> Reading | str:
        """The reading of a question, or why there is none: one question must not hide the others."""
        return self._unless_missing(name, lambda estimate: estimate.reading(level))

    def summary(self) -> str:
        """A line for each question."""
        return "\n".join(f"{name}: {self._unless_missing(name, lambda estimate: estimate.summary())}" for name in self)

    def _unless_missing(self, name: str, fact: Callable[[Estimate], T]) -> T | str:
        """What is told of a question's result, or why there is none."""
        try:
            return fact(self[name])
        except (ParameterError, TallyError) as error:
            return f"no result: {error}"

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        shown = {name: self.shown(name, level) for name in self}
        questions = {
            name: {"missing": each} if isinstance(each, str) else each.to_dict() for name, each in shown.items()
        }
        return {"survey": self.document.name, "digest": self.document.digest, "n": self.n, "questions": questions}

    def to_json(self, level: float = 0.95) -> str:
        return json_text(self.to_dict(level))

    def _frame(self, level: float) -> Rows:
        about = {"survey": self.document.name, "digest": self.document.digest, "n": self.n, "level": level}
        columns = self._columns(level)
        return Rows(about, columns, ("label",) if "label" in columns else ())

    def _columns(self, level: float) -> dict[str, list[Any]]:
        """A value for each label and mean of each question, by the name of the column."""
        columns: dict[str, list[Any]] = {"question": []}
        for name in self:
            reading = self.shown(name, level)
            if not isinstance(reading, str):
                listed = reading.listed
                rows = {"question": [name] * len(listed["label"]), **listed}
                before = len(columns["question"])
                for column in {**columns, **rows}:
                    values = columns.setdefault(column, [None] * before)
                    values.extend(rows.get(column, [None] * len(rows["question"])))
        return columns

    def cross(self, first: str, second: str) -> CrossTable:
        """The table of two questions that were crossed, with margins from everybody who was asked either."""
        rows, columns = self._one_of(first), self._one_of(second)
        roots = {chain_to(each, self.document.by_name)[0].name for each in (rows, columns)}
        if len(roots) == 1 and first != second:
            raise ParameterError(
                f"crossed questions must not follow from each other, nor from the same one, got {first!r} and "
                f"{second!r}; see of_asked for what those who were asked said"
            )
        return crossed(rows, columns, self.reports_of(rows), self.reports_of(columns))

    def means(self, number: str, by: str) -> MeansByGroup:
        """The mean of a number among the people who gave each answer to another question that it was crossed with."""
        groups, asked = self._one_of(by), self._number(number)
        source = self._source_of_pairs(groups, asked)
        return MeansByGroup((by, number), tuple(groups.labels), asked.scale, asked.unit, source)

    def association(self, first: str, second: str) -> Association:
        """How two numbers that were crossed go together: covariance, slope of the second on the first, correlation."""
        one, other = self._number(first), self._number(second)
        source, spreads = self._source_of_pairs(one, other), (self._spread(one), self._spread(other))
        return Association((first, second), (one.scale, other.scale), source, spreads)

    def _source_of_pairs(self, first: Question, second: Question) -> Source:
        """The shares of pairs of answers to two crossed questions, those of the first label first."""
        names = first.name, second.name
        reports = [each for each in self._reports_of_parts(first) if set(each.part.names) == set(names) and each.n]
        if not reports:
            raise ParameterError(f"{names[0]!r} and {names[1]!r} must be crossed in the survey, got no arm with both")
        if len(reports) > 1 or reports[0].part.names != names:
            raise ParameterError(f"a number must be crossed once, as the pair {names!r}, got it otherwise")
        return reports[0].source

    def _number(self, name: str) -> Number:
        question = self.document.question(name)
        if not isinstance(question, Number):
            raise ParameterError(f"the question must be a number, got {name!r}, which is of another kind")
        return question

    def _spread(self, question: Number) -> Quantity | None:
        estimate = distribution_of(question, self.reports_of(question), self.document, self.decoder)
        return estimate.spread if estimate.reports.squares is not None else None

    def discover(
        self, name: str, alphabet: str = ALPHABET, fdr: float = 0.01, progress: Progress | None = None
    ) -> Estimate | None:
        """The frequent texts among the answers in words, found by prefixes that grow; None where nothing stands out.

        On average at most a share ``fdr`` of them is held by nobody. Characters outside ``alphabet`` are not found.
        """
        question = self.document.question(name)
        reports = self._reports_of_parts(question)
        groups = {each.part.encoder.length: _hashed(each) for each in reports if isinstance(each.part.encoder, Prefix)}
        if not groups:
            raise ParameterError(f"texts can be discovered where prefixes are asked for, got {name!r}, which asks none")
        whole = [_hashed(each) for each in reports if each.part.encoder == question.plain_encoder]
        ascending = [(length, *groups[length]) for length in sorted(groups)]
        return discovered(ascending, whole, alphabet, fdr, progress)

    def reports_of(self, question: Question) -> list[PartReports]:
        """What was reported of a question, without parts that nobody reported; refused if nobody did."""
        answered = [each for each in self._reports_of_parts(question) if each.n]
        if not answered:
            raise TallyError(f"the question {question.name!r} must have been answered, got nobody who was asked it")
        return answered

    def _reports_of_parts(self, question: Question) -> Sequence[PartReports]:
        """What was reported of a question; reports of the same part in different arms are one."""
        by_key: dict[bytes, PartReports] = {}
        for arm, tallies in zip(self.document.arms, self.tally.arms, strict=True):
            for part, tally in zip(arm.parts, tallies, strict=True):
                if question.name in part.estimable:
                    key = part_key(part)
                    by_key[key] = PartReports(part, by_key[key].tally + tally if key in by_key else tally)
        return list(by_key.values())

    @property
    def census(self) -> Census | None:
        """How many people the survey is meant for and how many answered; None where it does not say."""
        size = self.document.population
        return None if size is None else Census(size, self.n)

    def _about_population(self, estimate: Estimate) -> Estimate:
        """The estimate about the people that the survey is meant for, if it says how many they are."""
        if self.census is None or estimate.census is not None:
            return estimate
        evidence = evidence_among(estimate.evidence, self.census.size)
        return replace(estimate, decoded=estimate.decoded._replace(evidence=evidence), census=self.census)

    def combined(self, question: OneOf | AnyOf, evidence: Evidence, adds_up: bool) -> Estimate:
        """The estimate of labels from several kinds of reports; ``adds_up`` says whether their shares add up to 1."""
        if self.decoder not in LINEAR:
            raise ParameterError(
                f"decoder must be one of {', '.join(LINEAR)} for a question of several kinds of reports, "
                f"got {self.decoder!r}"
            )
        unbiased = evidence.unbiased()
        shares = LINEAR[self.decoder](unbiased) if adds_up else np.clip(unbiased, 0, 1)
        title = f"{question.name} in {self.document.name}"
        decoded = Decoded(shares, unbiased, self.decoder, evidence)
        return Estimate(question.labels, decoded, Origin(self.document.document, title, adds_up))

    def _one_of(self, name: str) -> OneOf:
        question = self.document.question(name)
        if not isinstance(question, OneOf):
            raise ParameterError(
                f"a crossed question must have labels, got {name!r}, which is of another kind; "
                "of numbers see means and association"
            )
        return question


def part_key(part: Part) -> bytes:
    """A key that parts of different arms have in common if they report alike."""
    return repr((part.names, part.encoder)).encode() + part.mechanism.spec_bytes


def discover(
    document: Document,
    tally: SurveyTally,
    question: str | None = None,
    alphabet: str = ALPHABET,
    fdr: float = 0.01,
    progress: Progress | None = None,
) -> Estimate | None:
    """The frequent texts of a survey's only question in words, or of the one that is named; see ``Results.discover``.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("inbox", [dn.Text("word", longest=4)], epsilon=4.0, people=10_000)
    >>> tally = survey.tally(survey.answer_many({"word": ["news"] * 6000 + ["mail"] * 4000}, seed=1))
    >>> sorted(discover(survey, tally).labels)
    ['mail', 'news']
    """
    texts = [each.name for each in document.questions if each.own_words]
    if question is None and len(texts) != 1:
        raise ParameterError(f"question must name one of {', '.join(texts) or 'none'}, got none of them")
    return Results(document, tally).discover(question or texts[0], alphabet, fdr, progress)


def _hashed(reports: PartReports) -> tuple[HashedResponse, Tally]:
    """The mechanism and the tally of reports that are symbols of cohorts, as discovery reads them."""
    mechanism = one_round(reports.part.mechanism)
    if not isinstance(mechanism, HashedResponse):
        raise ParameterError(f"texts can be discovered by HashedResponse, got {mechanism.name}")
    return mechanism, Tally(reports.tally.n, reports.tally.counts, mechanism.spec_bytes)
