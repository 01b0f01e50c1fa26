"""Shares within the rows of a crossed table, as a page draws them: one answer to the second question at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from deniable.arrays import Matrix, Stack
from deniable.estimation.contrast import RowContrast
from deniable.estimation.cross import CrossTable
from deniable.estimation.row_shares import TOO_FEW, RowShares
from deniable.estimation.table import answer_name
from deniable.estimation.words import base_of, gap_in_words, give_or_take, outward, points, share_in_words, signed
from deniable.pages.results.rows import HUNDRED, LEVELS, Axis, Span, axis_of, beside_dot, spans
from deniable.protocol.say import Figure, Phrase, Statement

KEPT: Final = 64
"""So many differences of two rows are kept of a table."""


@dataclass(frozen=True)
class DrawnShare:
    """A row: the share of its people with one answer, drawn in per cent of the axis, and as it stands beside its dot.

    ``both`` is how many of all people gave both answers, ``of_all`` how many gave this row's.
    """

    label: Phrase
    words: Phrase
    dot: float | None
    bands: tuple[Span, ...]
    value: str
    both: Phrase
    of_all: Phrase


@dataclass(frozen=True)
class AnswerView:
    """The share of the answer at a ``place``, from 0, within each row, on one axis; ``everybody`` is all people."""

    place: int
    label: Phrase
    axis: Axis
    rows: tuple[DrawnShare, ...]
    everybody: DrawnShare


@dataclass(frozen=True)
class DrawnDifference:
    """The share of one answer in the row at the place ``first`` less that at ``second``, on an axis of its own."""

    first: int
    second: int
    labels: tuple[Phrase, Phrase]
    words: Phrase
    axis: Axis
    dot: float | None
    bands: tuple[Span, ...]
    contrast: RowContrast


@dataclass(frozen=True, eq=False)
class WithinView:
    """What a page draws of the shares within rows."""

    table: CrossTable

    @cached_property
    def shares(self) -> RowShares:
        """The shares themselves."""
        return self.table.within_rows()

    @cached_property
    def csv(self) -> str:
        """The shares as lines."""
        return self.shares.to_csv()

    @cached_property
    def clearest(self) -> RowContrast | None:
        """The two rows that surely differ most."""
        return self.shares.clearest()

    @cached_property
    def _bounds(self) -> list[Stack]:
        return [self.shares.interval(level) for level in LEVELS]

    @cached_property
    def _everybody(self) -> list[Matrix]:
        return [self.shares.everybody(level)[1] for level in LEVELS]

    @cached_property
    def places(self) -> list[int]:
        """The rows that are large enough to be compared."""
        return [int(place) for place in self.shares.places]

    @property
    def pairs(self) -> int:
        """How many pairs of rows the clearest one was picked from."""
        return len(self.places) * (len(self.places) - 1) // 2

    def column(self, asked: int | None) -> int:
        """The answer that is asked for, or that of the clearest difference, or the first."""
        if asked is not None and 0 <= asked < len(self.shares.columns):
            return asked
        return 0 if self.clearest is None else list(self.shares.columns).index(self.clearest.column)

    @cached_property
    def _pair_bounds(self) -> Stack:
        """Bounds [rows, columns, 2] of the share of all who gave both answers."""
        bounds = self.table.evidence.interval(1 - LEVELS[0])
        return np.asarray(bounds).reshape(*self.table.shares.shape, 2)

    @cached_property
    def _margins(self) -> list[Matrix]:
        """Bounds of the share of all who gave each answer, for each of the two questions."""
        return [each.interval(1 - LEVELS[0]) for each in self.table.margins]

    def answer(self, column: int, rows: Sequence[int], zoomed: bool = False) -> AnswerView:
        """The shares of one answer within some rows, from 0 to 100 or on the axis of all of them."""
        bounds, everybody = self._bounds[0][self.places, column], self._everybody[0][[column]]
        axis = axis_of(np.concatenate([bounds, everybody])) if zoomed else HUNDRED
        base = base_of(float(bounds[:, 1].max(initial=everybody[0, 1])))
        drawn = tuple(self._drawn_row(row, column, axis, base) for row in rows)
        share, bands = float(self.shares.everybody()[0][column]), [each[column] for each in self._everybody]
        both = _give_or_take(share, self._margins[1][column])
        whole = DrawnShare(Statement("everybody"), *_drawn(axis, share, bands, base), both, points(1))
        return AnswerView(column, answer_name(self.shares.columns[column]), replace(axis, mark=whole.dot), drawn, whole)

    def _drawn_row(self, row: int, column: int, axis: Axis, base: int) -> DrawnShare:
        """One answer in one row: its share within the row, and of all people."""
        share, table = float(self.shares.shares[row, column]), self.table
        both = _give_or_take(float(table.shares[row, column]), self._pair_bounds[row, column])
        of_all = _give_or_take(float(self.shares.of_all[row]), self._margins[0][row])
        drawn = _drawn(axis, share, [each[row, column] for each in self._bounds], base)
        return DrawnShare(answer_name(self.shares.rows[row]), *drawn, both, of_all)

    # --- two rows ---------------------------------------------------------------------------------------------------

    def difference(self, asked: tuple[int | None, int | None], column: int) -> DrawnDifference | None:
        """Two rows that a reader chose, or the clearest, or the first two; None if there are no two large enough."""
        first, second = self._chosen(*asked)
        if first is None or second is None:
            return None
        rows, contrasts = self.shares.rows, self._contrasts(first, second, column)
        widest = contrasts[0]
        axis = _signed(axis_of(np.array([[widest.low, widest.high]])))
        bands = spans(axis, [(each.low, each.high) for each in contrasts])
        names, words = (answer_name(rows[first]), answer_name(rows[second])), difference_in_words(widest)
        return DrawnDifference(first, second, names, words, axis, axis.place(widest.value), bands, widest)

    @cached_property
    def _contrasts(self) -> Callable[[int, int, int], list[RowContrast]]:
        """The difference of two rows in one answer at each level, which the next reader asks for again."""

        @lru_cache(KEPT)
        def contrasts(first: int, second: int, column: int) -> list[RowContrast]:
            rows, label = self.shares.rows, self.shares.columns[column]
            difference = self.shares.difference(rows[first], rows[second])
            return [difference.contrast(label, level) for level in LEVELS]

        return contrasts

    def _chosen(self, first: int | None, second: int | None) -> tuple[int | None, int | None]:
        """The two rows asked for, if both can be compared; else the clearest pair, or the first two."""
        places = self.places
        if first in places and second in places and first != second:
            return first, second
        if self.clearest is not None:
            rows = list(self.shares.rows)
            return rows.index(self.clearest.first), rows.index(self.clearest.second)
        return (places[0], places[1]) if len(places) > 1 else (None, None)

    # --- for programs -----------------------------------------------------------------------------------------------

    def row(self, place: int) -> dict[str, Any]:
        """A row's shares with their intervals, none where there are too few to say; and its own share of all."""
        shares, errors, bounds = self.shares.shares[place], self.shares.stderr[place], self._bounds[0][place]
        answers = zip(shares.tolist(), errors.tolist(), bounds.tolist(), strict=True)
        within = [{"value": value, "stderr": error, "low": low, "high": high} for value, error, (low, high) in answers]
        of_all = {"value": float(self.shares.of_all[place]), "stderr": float(self.table.margins[0].stderr()[place])}
        return {"within": within if place in self.places else None, "of_all": of_all}

    def everybody(self) -> list[dict[str, float]]:
        """Each answer's share of all people."""
        answers = zip(self.shares.everybody()[0].tolist(), self._everybody[0].tolist(), strict=True)
        return [{"value": value, "low": low, "high": high} for value, (low, high) in answers]


def difference_in_words(contrast: RowContrast) -> Statement:
    """What the interval of a difference says, rounded outward."""
    answer = answer_name(contrast.column)
    if contrast.low > 0:
        gap = gap_in_words(contrast.low, contrast.high)
        return Statement("more_in_100_answer", gap=gap, answer=answer)
    if contrast.high < 0:
        gap = gap_in_words(-contrast.high, -contrast.low)
        return Statement("fewer_in_100_answer", gap=gap, answer=answer)
    low, high = outward(contrast.low, contrast.high, 100)
    return Statement("cannot_be_told_apart_to", low=signed(low, 0), high=signed(high, 0))


def _give_or_take(share: float, bounds: Any) -> Statement:
    """A share, and how far it is read to either side."""
    return Statement("number_rest", number=points(share), rest=give_or_take(share, float(bounds[0]), float(bounds[1])))


def _drawn(
    axis: Axis, share: float, bounds: Sequence[Any], base: int
) -> tuple[Phrase, float | None, tuple[Span, ...], str]:
    """A share in words, its dot, its bands and what stands beside it; nothing of a row with too few people."""
    if not np.isfinite(share):
        return TOO_FEW, None, (), ""
    words = share_in_words(float(bounds[0][0]), float(bounds[0][1]), base)
    return words, axis.place(share), spans(axis, bounds), beside_dot(share, base)


def _signed(axis: Axis) -> Axis:
    """An axis with a sign before each number."""
    ticks = ((Figure(f"+{label}") if place > axis.zero else label, place) for label, place in axis.ticks)
    return replace(axis, ticks=tuple(ticks))
