"""Shares from several kinds of reports: of one question, of a checklist's labels, of two crossed questions."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import scipy

from deniable.arrays import Indices, Sparse, Vector
from deniable.estimation.cross import CrossTable
from deniable.estimation.estimate import Estimate
from deniable.estimation.evidence import Evidence
from deniable.estimation.joint_source import source_of
from deniable.estimation.lists_evidence import CutEvidence
from deniable.estimation.sources import CombinedEvidence, Source, weighed
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.reports.tally import Tally
from deniable.surveys.arms import Part
from deniable.surveys.part_errors import item_variance, len_of, stated_share, unit_variance

Answers: TypeAlias = Sequence[Hashable]


@dataclass(frozen=True, slots=True)
class PartReports:
    """What the people of one or more arms with the same part reported of it."""

    part: Part
    tally: Tally

    @property
    def n(self) -> int:
        """How many people reported."""
        return self.tally.n

    @property
    def evidence(self) -> Evidence:
        """What the reports say of the part's own labels; nothing was cut where the question allows no longer lists."""
        found, question = self.part.mechanism.law.evidence(self.n, self.tally.counts), self.part.questions[0]
        if isinstance(found, CutEvidence) and isinstance(question, AnyOf) and (question.most or math.inf) <= found.most:
            return found.held
        return found

    @property
    def source(self) -> Source:
        """The shares of the part's own labels."""
        return source_of(self.evidence)

    def alone(self, decoder: str, candidates: Iterable[str] | None = None) -> Estimate:
        """The estimate from these reports by themselves."""
        return self.part.mechanism.estimate(self.tally, decoder, candidates)


def margin_of(question: OneOf, reports: list[PartReports], answers: Answers = ()) -> CombinedEvidence:
    """A question's shares from reports about it alone and about pairs with others (numbers.md 4)."""
    sources = [each.source for each in reports]
    maps = [to_margin(question, each.part, answers) for each in reports]
    omegas = [np.full(len(answers or question.labels), _omega(question, each)) for each in reports]
    return weighed(sources, omegas, maps)


def _omega(question: OneOf, reports: PartReports) -> float:
    """The precision of a contrast of the question's labels: n d/(D V(D)) where each is so many of D labels.

    Where a label is told by more or fewer labels of the part than others, that of the label told least well.
    """
    size, d, counts = len_of(reports.part), len(question.labels), to_margin(question, reports.part).sum(axis=1)
    return reports.n * (1 - 1 / d) / (unit_variance(reports.part) * float((counts * (1 - counts / size)).max()))


def to_margin(question: Question, part: Part, answers: Answers = ()) -> Sparse:
    """The matrix that adds up a part's labels to those of the question, or to these ``answers``."""
    if len(part.questions) == 1:
        return scipy.sparse.eye_array(len(question.choices), format="csr")
    places = {answer: place for place, answer in enumerate(answers or question.choices)}
    labels = [part.encoder.answers_in(part.questions, way)[question.name] for way in part.mechanism.domain.every()]
    entries = [(places[label], column) for column, label in enumerate(labels) if label in places]
    return scipy.sparse.csr_array((np.ones(len(entries)), np.array(entries).T), shape=(len(places), len(labels)))


def items_of(question: AnyOf, reports: list[PartReports]) -> CombinedEvidence:
    """The shares of a checklist's labels from reports of whole lists and of single labels, as yes or no."""
    d, share = len(question.labels), stated_share(question)
    sources, precisions, maps = [], [], []
    for each in reports:
        label = each.part.encoder.single
        if label is not None:
            asked = np.eye(d)[question.labels.index(label)]
            maps.append(scipy.sparse.csr_array(np.outer(asked, [1.0, 0.0])))  # its yes and its no
        else:
            asked = np.ones(d)
            maps.append(scipy.sparse.eye_array(d, format="csr"))
        sources.append(each.source)
        precisions.append(asked * each.n / item_variance(each.part, share))
    if not np.all(sum(precisions)):
        raise TallyError(f"every label of {question.name!r} must have been asked, got some that nobody was asked")
    return weighed(sources, precisions, maps)


# --- crossing -------------------------------------------------------------------------------------------------------


def sides_of(question: OneOf) -> Answers:
    """What a table tells of a question: its labels, and None of those who are not asked it."""
    return question.labels if question.only_if is None else (*question.labels, None)


def crossed(first: OneOf, second: OneOf, of_first: list[PartReports], of_second: list[PartReports]) -> CrossTable:
    """numbers.md 4: the mean of the blocks' tables, moved to the margins that everybody's reports give."""
    if first.name == second.name:
        raise ParameterError(f"a question must be crossed with another one, got {first.name!r} twice")
    reports = of_first + [each for each in of_second if first.name not in each.part.estimable]
    cells = [_cells(first, second, each.part) for each in reports]
    if all(places is None for places in cells):
        raise ParameterError(f"{first.name!r} and {second.name!r} must be crossed in the survey, got no arm with both")
    evidence = CombinedEvidence(tuple(each.source for each in reports), tuple(_cell_weights(first, second, reports)))
    sides = sides_of(first), sides_of(second)
    margins = margin_of(first, of_first, sides[0]), margin_of(second, of_second, sides[1])
    return CrossTable((first.name, second.name), *sides, evidence, margins, tuple(cells))


def _cell_weights(first: OneOf, second: OneOf, reports: list[PartReports]) -> list[Sparse]:
    """What each source's shares add to each cell: t + (p_i - t_i.)/d_j + (p_j - t_.j)/d_i."""
    portions = zip(reports, *_portions(first, second, reports), strict=True)
    return [_part_weights(first, second, each.part, *own_portions) for each, *own_portions in portions]


def _part_weights(first: OneOf, second: OneOf, part: Part, table: float, row: float, column: float) -> Sparse:
    """What a part's shares add to each cell, by its portion of the table and of the margins of rows and of columns."""
    (d, e), kron = (len(sides_of(first)), len(sides_of(second))), scipy.sparse.kron
    places = _cells(first, second, part)
    if places is None:
        if first.name in part.estimable:
            return kron(to_margin(first, part, sides_of(first)), np.full((e, 1), row / e), format="csr")
        return kron(np.full((d, 1), column / d), to_margin(second, part, sides_of(second)), format="csr")
    cells = scipy.sparse.eye_array(d * e, format="csr") * table
    if row != table:  # else nothing but zeros, of which there may be millions
        cells = cells + kron(scipy.sparse.eye_array(d), np.full((e, e), (row - table) / e), format="csr")
    if column != table:
        cells = cells + kron(np.full((d, d), (column - table) / d), scipy.sparse.eye_array(e), format="csr")
    return cells[:, places]


def _portions(first: OneOf, second: OneOf, reports: list[PartReports]) -> tuple[Vector, Vector, Vector]:
    """How much each source counts in the table, in the margin of the rows and in that of the columns."""
    of_rows: Vector = np.array([_omega(first, each) if first.name in each.part.estimable else 0.0 for each in reports])
    of_columns = np.array([_omega(second, each) if second.name in each.part.estimable else 0.0 for each in reports])
    of_cells: Vector = np.where(of_columns > 0, of_rows, 0.0)
    return of_cells / of_cells.sum(), of_rows / of_rows.sum(), of_columns / of_columns.sum()


def _cells(first: OneOf, second: OneOf, part: Part) -> Indices | None:
    """The cell of each of a part's labels, row after row of the first question; None where it does not tell both."""
    if not {first.name, second.name} <= set(part.estimable):
        return None
    row, column = (to_margin(each, part, sides_of(each)).tocsc().indices for each in (first, second))
    return np.asarray(row * len(sides_of(second)) + column, np.int64)
