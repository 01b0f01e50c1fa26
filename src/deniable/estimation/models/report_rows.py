"""The one input of every fit: rows of open columns, what each row's report says of every label, and a weight.

That is all that regression knows of a mechanism. Rows of different arms, levels and mechanisms, and rows that were
asked openly, stand in one table, each with its own chances. Equal rows are one with a count, so that a billion reports
of a few hundred patterns cost what these cost.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from deniable.arrays import Column, Flags, Indices, Matrix, Vector
from deniable.checks import unlike
from deniable.protocol.errors import ParameterError

MOST_OUTPUTS = 1 << 12
"""Channels with more kinds of reports are not listed for the expected information."""


@dataclass(frozen=True, eq=False)
class ItemReports:
    """Reports of one item, or of several taken together, row by row."""

    labels: tuple[Hashable, ...]
    chances: Matrix
    """[different reports, labels]."""
    places: Indices
    """Which of the different reports each row has; -1 where it has none."""
    unbiased: Matrix | None
    """[different reports, labels]: numbers whose mean, whatever the label, is 1 for it and 0 for all others."""
    channels: tuple[Matrix | None, ...]
    """[possible reports, labels] of each way of asking; None where they are too many to list."""
    ways: Indices
    """In which of these ways each row was asked."""

    def __len__(self) -> int:
        return len(self.places)

    @property
    def told(self) -> Flags:
        """Which rows have a report."""
        return self.places >= 0

    def only(self, rows: Indices | Flags) -> ItemReports:
        """The reports of some rows."""
        return replace(self, places=self.places[rows], ways=self.ways[rows])

    def in_order(self, places: Sequence[int]) -> ItemReports:
        """The reports with the labels in another order."""
        order, unbiased = list(places), self.unbiased
        channels = tuple(None if each is None else each[:, order] for each in self.channels)
        return replace(
            self, labels=tuple(self.labels[place] for place in order), chances=self.chances[:, order],
            unbiased=None if unbiased is None else unbiased[:, order], channels=channels,
        )  # fmt: skip


def one_way(
    labels: Sequence[Hashable], chances: Matrix, places: Indices, unbiased: Matrix | None, channel: Matrix | None
) -> ItemReports:
    """The reports of one mechanism, in which some rows may have none."""
    listed = None if channel is None or len(channel) > MOST_OUTPUTS else merged_channel(channel)
    return ItemReports(tuple(labels), chances, places, unbiased, (listed,), np.zeros(len(places), np.int64))


def open_answers(labels: Sequence[Hashable], places: Indices) -> ItemReports:
    """Answers that were given openly."""
    same = np.eye(len(labels))
    return one_way(labels, same, places, same, same)


def merged_channel(channel: Matrix) -> Matrix:
    """The channel with reports put together that say the same of all labels.

    >>> merged_channel(np.array([[0.2, 0.1], [0.4, 0.2], [0.4, 0.7]])).round(9).tolist()
    [[0.4, 0.7], [0.6, 0.3]]
    """
    possible = channel[channel.any(axis=1)]
    ratios = np.round(possible / possible.sum(axis=1, keepdims=True), 12)
    _, where = np.unique(ratios, axis=0, return_inverse=True)
    merged = np.zeros((int(where.max()) + 1, channel.shape[1]))
    np.add.at(merged, where.ravel(), possible)
    return merged


def unbiased_by(channel: Matrix) -> Matrix | None:
    """What each report of a channel [reports, labels] counts for each label, by least squares at even shares.

    None where reports do not tell all labels apart. Warner's at odds 3:1:

    >>> found = unbiased_by(np.array([[0.75, 0.25], [0.25, 0.75]]))
    >>> None if found is None else found.round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    mean = channel.mean(axis=1)
    scaled = np.divide(channel, mean[:, None], out=np.zeros_like(channel), where=mean[:, None] > 0)
    gram = channel.T @ scaled
    if np.linalg.matrix_rank(gram, tol=1e-12) < len(gram):
        return None
    return np.asarray(scaled @ np.linalg.inv(gram), np.float64)


def together(sources: Sequence[ItemReports]) -> ItemReports:
    """Several columns of reports of the same item: a row may have one of them, or several that were drawn apart."""
    labels = sources[0].labels
    for each in sources:
        if each.labels != labels:
            difference = unlike(labels, each.labels)
            raise ParameterError(f"reports of one item must be of the same labels in the same order, got {difference}")
    return reduce(_both, sources)


def _both(first: ItemReports, second: ItemReports) -> ItemReports:
    """Both reports of each row as one, where one or both may be missing."""
    many = len(second.chances) + 1
    pairs = (first.places + 1) * many + second.places + 1
    distinct, places = np.unique(pairs, return_inverse=True)
    one, other = np.divmod(distinct, many)
    chances = _padded(first.chances)[one] * _padded(second.chances)[other]
    asked = first.ways * len(second.channels) + second.ways
    ways = asked * 3 + np.where(second.told, np.where(first.told, 2, 1), 0)
    distinct_ways, ways = np.unique(ways, return_inverse=True)
    channels = tuple(_channel_of(first, second, int(way)) for way in distinct_ways)
    unbiased = _unbiased_both(first, second, one, other)
    return ItemReports(first.labels, chances, np.where(pairs == 0, -1, places), unbiased, channels, ways)


def _padded(chances: Matrix) -> Matrix:
    """Chances with those of no report first."""
    return np.vstack([np.ones((1, chances.shape[1])), chances])


def _unbiased_both(first: ItemReports, second: ItemReports, one: Indices, other: Indices) -> Matrix | None:
    """The mean of what both say; what a single one says where there is one."""
    if first.unbiased is None or second.unbiased is None:
        return None
    none = np.zeros((1, len(first.labels)))
    total = np.vstack([none, first.unbiased])[one] + np.vstack([none, second.unbiased])[other]
    number = np.maximum((one > 0).astype(np.int64) + (other > 0), 1)
    return np.asarray(total / number[:, None], np.float64)


def _channel_of(first: ItemReports, second: ItemReports, way: int) -> Matrix | None:
    """The channel of rows with the first report (``way`` modulo 3 is 0), the second (1), or both (2)."""
    asked, kind = divmod(way, 3)
    one, other = (first.channels[asked // len(second.channels)], second.channels[asked % len(second.channels)])
    if kind == 0:
        return one
    if kind == 1 or one is None or other is None:
        return other if kind == 1 else None
    twice = (one[:, None, :] * other[None, :, :]).reshape(-1, one.shape[1])
    return merged_channel(twice) if len(twice) <= MOST_OUTPUTS else None


def crossed(first: ItemReports, second: ItemReports) -> ItemReports:
    """Two items of each person as one of pairs of labels, where their reports were drawn apart."""
    return together([in_pairs(first, second.labels, True), in_pairs(second, first.labels, False)])


def in_pairs(item: ItemReports, others: Sequence[Hashable], is_first: bool) -> ItemReports:
    """Reports of one item as reports of pairs, with a label of a second item of which they say nothing."""
    size, other = len(item.labels), len(others)
    places = np.repeat(np.arange(size), other) if is_first else np.tile(np.arange(size), other)
    pairs = [(a, b) for a in item.labels for b in others] if is_first else [(b, a) for b in others for a in item.labels]
    return ItemReports(
        tuple(pairs), item.chances[:, places], item.places, None, (None,), np.zeros(len(item.places), np.int64)
    )


WORTH = 0.5
"""Rows are merged where at most such a part of them differ."""


@dataclass(frozen=True, eq=False)
class PatternRows:
    """Rows of ``x`` [rows, columns] with reports, and an open outcome where there is one."""

    x: Matrix
    reports: ItemReports
    outcome: Vector | None
    weights: Vector
    """How many people each row stands for, or what a person counts."""
    origin: Indices
    """Which row each given one is in."""

    def __len__(self) -> int:
        return len(self.x)


def merged(x: Matrix, reports: ItemReports, outcome: Vector | None, people: Vector | None = None) -> PatternRows:
    """Equal rows as one, with a count each; given rows may stand for many ``people`` already."""
    keys = [x, reports.places, reports.ways, *([] if outcome is None else [outcome])]
    first, where = _distinct(keys)
    if len(first) > WORTH * len(x):
        return PatternRows(x, reports, outcome, np.ones(len(x)) if people is None else people, np.arange(len(x)))
    total = np.bincount(where, people, len(first)).astype(np.float64)
    outcomes = None if outcome is None else outcome[first]
    return PatternRows(np.ascontiguousarray(x[first]), reports.only(first), outcomes, total, where)


def _distinct(keys: Sequence[Column]) -> tuple[Indices, Indices]:
    """The first of each kind of equal rows, and of which kind each is: by random sums of them, which are checked."""
    generator = np.random.default_rng(1)
    sums = np.zeros(len(keys[0]))
    for key in keys:
        sums += key @ generator.standard_normal(key.shape[1]) if key.ndim == 2 else key * generator.standard_normal()
    _, first, where = np.unique(sums, return_index=True, return_inverse=True)
    few = len(first) <= WORTH * len(sums)
    if few and not all(np.array_equal(key[first][where], key) for key in keys):
        _, first, where = np.unique(np.column_stack(list(keys)), axis=0, return_index=True, return_inverse=True)
    return first, where.ravel()


def small_patterns(x: Matrix, few: int, people: Vector | None = None) -> int:
    """How many different rows of covariates fewer than ``few`` people have."""
    _, where = _distinct([x])
    return int((np.bincount(where, people) < few).sum())
