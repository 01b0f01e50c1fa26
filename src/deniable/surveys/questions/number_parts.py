"""What is asked about a number: points for its mean and its spread, blocks of the scale for ranges and quantiles."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

from deniable.mechanisms.channels.channel import Channel
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.planning.solving import plan
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.questions.number import Block, Number, Point
from deniable.surveys.arms import Part, treats_alike
from deniable.surveys.sharing import Lot, Unit, evenly, mixed
from deniable.theory.numbers.points import best_points, levels_for, points_for
from deniable.theory.numbers.staggered import best_parts, parts, risks

WEIGHTS: Final = {"mean": 1, "ranges": 3, "spread": 1}
"""The people for each thing that is wanted, in proportion: ranges need more for errors alike."""
CELLS: Final = (16, 32, 64, 128, 256, 512, 1024)
"""Into how many cells a scale is cut, unless it has fewer places."""
BINS: Final = 32
"""Into how many where nothing is wanted but a histogram."""


def number_unit(question: Number, level: float, people: int) -> Unit:
    """The choices of reports about one number."""
    wanted: dict[str, Unit] = {}
    if "mean" in question.want:
        wanted["mean"] = mean_unit(question, level)
    if {"quantiles", "histogram"} & set(question.want):
        wanted["ranges"] = ranges_unit(question, level, people)
    if "spread" in question.want:
        wanted.setdefault("mean", mean_unit(question, level))
        wanted["spread"] = mean_unit(question, level, about=question.scale.steps // 2)
    return mixed(list(wanted.values()), [WEIGHTS[each] for each in wanted])


def mean_unit(question: Number, level: float, about: int | None = None) -> Unit:
    """Points for the mean, or for that of squared distances from ``about``: a choice for each level of thresholds."""
    coin, points = RandomizedResponse(2, level), points_for(level)
    odds = Fraction(coin.odds.above, coin.odds.below)
    mechanism = coin if points == 2 else Channel(points, best_points(odds, points).rows, LDP(level))
    levels = levels_for(odds, points)
    return evenly([Part(question, mechanism, Point(points, levels, at, about)) for at in range(levels)])


def ranges_unit(question: Number, level: float, people: int) -> Unit:
    """Blocks of the scale, staggered; of all places alike where nothing is wanted but a histogram."""
    if "quantiles" not in question.want:
        return [Lot((_block(question, level, _width(question, BINS)),), Fraction(1))]
    width = _width(question, cells_for(level, people))
    cells = question.scale.steps // width + 1
    design = best_parts(cells, level)
    total = sum(weight for _, _, weight in design)
    return [
        Lot((_block(question, level, width * size, width * offset),), Fraction(weight, total))
        for size, offset, weight in design
    ]


def cells_for(level: float, people: int) -> int:
    """As many cells as errors can tell apart: the most of which each is as large a share as a share's error, or larger.

    >>> cells_for(1.0, 10_000), cells_for(1.0, 10_000_000)
    (32, 512)
    """
    told = [cells for cells in CELLS if _error(cells, level, people) <= 1 / cells]
    return max(told, default=CELLS[0])


def _error(cells: int, level: float, people: int) -> float:
    """The standard error of the share up to a cell, in the mean over cells."""
    return math.sqrt(risks(cells, parts(cells), level).prefix / people)


def _width(question: Number, cells: int) -> int:
    """How many places a cell has, so that there are at most so many cells."""
    return -(-question.scale.size // cells)


def _block(question: Number, level: float, size: int, offset: int = 0) -> Part:
    encoder = Block(size, offset)
    return Part(question, _of_blocks(encoder, question.scale.steps, level), encoder)


@lru_cache(maxsize=1024)
def _of_blocks(encoder: Block, steps: int, level: float) -> Mechanism:
    """The best mechanism for blocks of a scale, of however many people; who compares surveys asks again."""
    rows = plan(encoder.blocks(steps), level, 1).rows
    return next(row.mechanism for row in rows if treats_alike(row.mechanism))
