"""What error to expect of a number: of its mean, and of the share of people below any number."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from deniable.arrays import Indices
from deniable.estimation.census import variance_among
from deniable.estimation.words import counted, rounded
from deniable.protocol.number_scale import written
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.questions.number import Block, Number
from deniable.protocol.say import Figure, Phrase, Statement
from deniable.surveys.arms import Part
from deniable.surveys.part_errors import AskedParts, blocks_of, mean_points, unit_variance
from deniable.theory.numbers.network import Network
from deniable.theory.numbers.points import worth_of
from deniable.theory.numbers.reports import PointReport
from deniable.theory.numbers.staggered import network_risks, prefix_bound


class MeanError(NamedTuple):
    """The standard error of a mean as a part of the range, and how many people tell of it."""

    people: float
    even: float
    """If all numbers are equally frequent."""
    worst: float
    """Whatever people's numbers are; where few of all tell, it is reached if half of them are at either bound."""


def mean_error(question: Number, asked: AskedParts, population: float = math.inf) -> MeanError | None:
    """The error of the mean of a ``population``, of whom some tell; None where no points for it are asked for.

    At the worst truth it is between that of people without end and that of people who all tell, in proportion.
    """
    parts = [(part, points, n) for part, n in asked if (points := mean_points(part))]
    people = math.fsum(n for _, _, n in parts)
    if not people:
        return None
    part, points, _ = parts[0]
    rows = part.mechanism.channel().probabilities
    report = PointReport(rows, worth_of(rows), points.levels)
    steps, sampled = question.scale.steps, people / population
    even = variance_among(report.even(steps) / (4 * people), (steps + 2) / (12 * steps), population)
    worst = (1 - sampled) * report.extreme + sampled * report.worst
    return MeanError(people, math.sqrt(even), math.sqrt(worst / (4 * people)))


def ranges_error(question: Number, asked: AskedParts, population: float = math.inf) -> float | None:
    """The root mean square of the standard errors of the shares below all cells; None without blocks.

    If all numbers are equally frequent: of other people it may be more or less, the more so the larger epsilon is.
    """
    parts = _blocks(asked)
    if not parts:
        return None
    width = cell_width(blocks for _, blocks, _ in parts)
    cells = question.scale.steps // width + 1
    chains = [(cuts_of(blocks, width, cells), n / unit_variance(part)) for part, blocks, n in parts]
    return math.sqrt(variance_among(network_risks(Network.of(cells, chains)).prefix, _spread_below(cells), population))


def least_ranges_error(question: Number, asked: AskedParts, population: float = math.inf) -> float | None:
    """The least that ``ranges_error`` can be for any reports of the same level and people; None without one LDP."""
    parts = _blocks(asked)
    guarantees = {part.mechanism.guarantee for part, _, _ in parts}
    guarantee = guarantees.pop() if len(guarantees) == 1 else None
    if not isinstance(guarantee, LDP):
        return None
    cells = question.scale.steps // cell_width(blocks for _, blocks, _ in parts) + 1
    least = prefix_bound(cells, guarantee.epsilon) / math.fsum(n for _, _, n in parts)
    return math.sqrt(variance_among(least, _spread_below(cells), population))


def _spread_below(cells: int) -> float:
    """The mean of F(1 - F) between even cells: how far "is it below?" spreads over people."""
    return (cells + 1) / (6 * cells)


def _blocks(asked: AskedParts) -> list[tuple[Part, Block, float]]:
    return [(part, blocks, n) for part, n in asked if (blocks := blocks_of(part))]


def range_of(question: Number) -> float:
    """How far apart the bounds are."""
    return float(question.scale.steps * question.scale.step)


def amount(question: Number, number: float, digits: int = 3) -> Phrase:
    """So many of the number's units; of dates, days."""
    scale = question.scale
    exact = written(scale.step) if number == float(scale.step) else rounded(number, digits)
    if scale.dated:
        return Statement("n1_day") if exact == "1" else Statement("days_number", number=Figure(exact))
    return counted(Figure(exact), question.unit)


def cell_width(encoders: Iterable[Block]) -> int:
    """The width of a cell in places: the widest so that every block begins and ends where some cell does."""
    return math.gcd(*(number for each in encoders for number in (each.size, each.offset))) or 1


def cuts_of(encoder: Block, width: int, cells: int) -> Indices:
    """Where the blocks begin and end, in cells."""
    inner = np.arange((encoder.size - encoder.offset) // width, cells, encoder.size // width)
    return np.concatenate([[0], inner, [cells]]).astype(np.int64)
