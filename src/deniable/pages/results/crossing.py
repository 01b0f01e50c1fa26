"""Two questions that were crossed: each pair of answers with its interval, and whether they go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from deniable.estimation.cross import CrossTable
from deniable.estimation.saying import LEVEL, RARE, go_together
from deniable.estimation.table import printable
from deniable.estimation.words import how_often, points, share_in_words
from deniable.pages.results.paging import AT_ONCE
from deniable.pages.results.period_view import PeriodView
from deniable.protocol.questions.question import Question
from deniable.surveys.document import Document
from deniable.surveys.results import Results

MOST_COLUMNS: Final = 20
MOST_CELLS: Final = 300
"""So many pairs are shown on a page, or one row."""


@dataclass(frozen=True)
class Cell:
    """A pair of answers: its share with its standard error and interval, and the same in words."""

    value: float
    stderr: float
    low: float
    high: float

    @property
    def estimate(self) -> str:
        """The share, in points."""
        return points(self.value)

    @property
    def take(self) -> str:
        """Give or take so many points."""
        return points(1.96 * self.stderr)

    @property
    def words(self) -> str:
        """What the interval says."""
        return share_in_words(self.low, self.high)


@dataclass(frozen=True)
class CrossView:
    """A table of pairs in plain values, with what can be said of it."""

    sentence: str
    test: str
    chance: float
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]

    @property
    def at_once(self) -> int:
        """So many rows are shown on a page."""
        return max(1, min(AT_ONCE, MOST_CELLS // max(len(self.columns), 1)))

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        rows = [{"label": label, "cells": [vars(cell) for cell in cells]} for label, cells in self.rows]
        return {"sentence": self.sentence, "p_value": self.chance, "columns": list(self.columns), "rows": rows}


def crossed_pairs(found: PeriodView) -> list[tuple[str, str]]:
    """The pairs of questions that were asked together."""
    pairs = [part.names for arm in found.survey.arms for part in arm.parts if len(part.names) == 2]
    return list(dict.fromkeys((first, second) for first, second in pairs))


def long_one_down(document: Document, names: tuple[str, str]) -> tuple[str, str]:
    """The pair so that a long list of answers makes the rows, which can go on from page to page."""
    rows, columns = (_length(document.question(name)) for name in names)
    return (names[1], names[0]) if columns > max(rows, MOST_COLUMNS) else names


def _length(question: Question) -> int:
    return len(question.choices)


def asked_in_words(document: Document, name: str) -> str:
    """A question as it stands in a sentence: its wording, or its name if it has none."""
    wording = document.question(name).wording
    return f"“{wording}”" if wording else name


def crossed(results: Results, first: str, second: str) -> CrossView:
    """What the table of two questions says."""
    table = results.cross(first, second)
    values = zip(table.shares.tolist(), table.stderr.tolist(), table.interval(LEVEL).tolist(), strict=True)
    rows = [tuple(Cell(share, error, *span) for share, error, span in zip(*each, strict=True)) for each in values]
    names = (asked_in_words(results.document, first), asked_in_words(results.document, second))
    said, chance = go_together(names, table.test.p_value), table.test.p_value
    labels, columns = map(printable, table.rows), tuple(map(printable, table.columns))
    return CrossView(said, _tested(table), chance, columns, tuple(zip(labels, rows, strict=True)))


def _tested(table: CrossTable) -> str:
    """How the chance in the sentence was found; and what it is, where the sentence does not say."""
    test = table.test
    degrees = f", with {test.df} {'degree' if test.df == 1 else 'degrees'} of freedom" if test.df else ""
    how = f"by comparison with {test.method}{degrees}"
    if test.p_value < RARE:
        return f"The chance is found {how}."
    return (
        f"Were there no connection, chance alone would make a table this uneven {how_often(test.p_value)}, found {how}."
    )
