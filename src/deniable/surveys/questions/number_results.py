"""The distribution of a number, from all parts that asked about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from deniable.arrays import Counts
from deniable.estimation.census import Census, size_of
from deniable.estimation.decoders import Decoded
from deniable.estimation.estimate import Origin
from deniable.estimation.numbers.cumulative import Blocks, Cumulative
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.mean import MeanEvidence
from deniable.estimation.numbers.told import NoBins, NumberReports
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.number import Block, Number, Point
from deniable.surveys.combining import PartReports
from deniable.surveys.document import Document
from deniable.surveys.part_errors import unit_variance
from deniable.surveys.questions.number_errors import cell_width, cuts_of
from deniable.theory.numbers.points import worth_of


class Points(NamedTuple):
    """Parts that draw the same points, at different levels."""

    spec: bytes
    points: int
    levels: int
    about: int | None


def distribution_of(
    question: Number, told: Sequence[PartReports], document: Document, decoder: str, census: Census | None = None
) -> Distribution:
    """What people told of a number; parts that pair it with another question are no part of it."""
    if not any(isinstance(each.part.encoder, Block | Point) for each in told):
        raise TallyError(f"the number {question.name!r} must be asked for by itself, got it in pairs alone; see cross")
    means = _by_points(told)
    blocks = [each for each in told if isinstance(each.part.encoder, Block)]
    mean = _evidence(means, None)
    about = next((key.about for key in means if key.about is not None), None)
    squares = None if about is None else _evidence(means, about)
    width = cell_width(each.part for each in blocks)
    ranges = _ranges(question, blocks, width, mean is not None, size_of(census)) if blocks else None
    known = NumberReports(mean, squares, about or 0, ranges, width, question.scale.size)
    nothing = Decoded(np.zeros(0), np.zeros(0), decoder, NoBins())
    origin = Origin(document.document, f"{question.name} in {document.name}")
    found = Distribution((), nothing, origin, census, scale=question.scale, unit=question.unit, told=known)
    return found if ranges is None else found.histogram()


def _by_points(told: Iterable[PartReports]) -> Mapping[Points, list[PartReports]]:
    found: dict[Points, list[PartReports]] = {}
    for each in told:
        encoder = each.part.encoder
        if isinstance(encoder, Point):
            key = Points(each.part.mechanism.spec_bytes, encoder.points, encoder.levels, encoder.about)
            found.setdefault(key, []).append(each)
    return found


def _evidence(means: Mapping[Points, list[PartReports]], about: int | None) -> MeanEvidence | None:
    """The evidence of a mean: of numbers, or of squares about a place; there is one design of points for each."""
    own = [key for key in means if key.about == about]
    if len(own) > 1:
        raise ParameterError("a mean must be asked for by points of one kind, got several")
    if not own:
        return None
    told, first = means[own[0]], means[own[0]][0].part.mechanism
    counts: Counts = np.zeros((own[0].levels, len(told[0].tally.counts)), np.int64)
    for each in told:
        encoder = each.part.encoder
        assert isinstance(encoder, Point)
        counts[encoder.level] += each.tally.counts
    return MeanEvidence(counts, worth_of(first.channel().probabilities))


def _ranges(
    question: Number, blocks: Sequence[PartReports], width: int, has_mean: bool, size: float
) -> Cumulative | None:
    """The shares of ranges; none where so few reported that only the mean is known."""
    cells = question.scale.steps // width + 1
    parts = [_blocks(each, width, cells) for each in blocks]
    if has_mean and not any(len(part.cuts) == cells + 1 for part in parts):
        return None
    return Cumulative.of(cells, parts, size)


def _blocks(told: PartReports, width: int, cells: int) -> Blocks:
    encoder = told.part.encoder
    assert isinstance(encoder, Block)
    cuts = cuts_of(encoder, width, cells)
    return Blocks(cuts, told.source, told.n / unit_variance(told.part))
