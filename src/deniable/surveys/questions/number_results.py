"""The distribution of a number, from all parts that asked about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from deniable.arrays import Counts
from deniable.estimation.census import Census, size_of
from deniable.estimation.decoders import Decoded
from deniable.estimation.estimate import Origin
from deniable.estimation.numbers.cumulative import Cumulative, PartShares
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.mean import Mean, MeanEvidence
from deniable.estimation.numbers.number_reports import NoBins, NumberReports
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.number import Block, Number
from deniable.surveys.combining import PartReports
from deniable.surveys.document import Document
from deniable.surveys.part_errors import blocks_of, points_of, unit_variance
from deniable.surveys.questions.number_errors import cell_width, cuts_of
from deniable.surveys.weighted_reports import WeightedReports, weighted_mean
from deniable.theory.numbers.points import worth_of


class PointDesign(NamedTuple):
    """What parts have in common that draw the same points, at different ``levels``, and report them alike.

    ``spec`` is that of their mechanism; ``about`` is the place whose squared distances are drawn, None of numbers.
    """

    spec: bytes
    points: int
    levels: int
    about: int | None


LevelReports: TypeAlias = Mapping[PointDesign, Sequence[tuple[PartReports, int]]]


def distribution_of(
    question: Number, reports: Sequence[PartReports], document: Document, decoder: str, census: Census | None = None
) -> Distribution:
    """What people told of a number; parts that pair it with another question are no part of it."""
    if all(len(each.part.questions) > 1 for each in reports):
        raise TallyError(f"the number {question.name!r} must be asked for by itself, got it in pairs alone; see cross")
    by_design = _by_point_design(reports)
    blocks = [(each, encoder) for each in reports if (encoder := blocks_of(each.part))]
    mean = _evidence(by_design, None)
    about = next((design.about for design in by_design if design.about is not None), None)
    squares = None if about is None else _evidence(by_design, about)
    width = cell_width(encoder for _, encoder in blocks)
    ranges = _ranges(question, blocks, width, mean is not None, size_of(census)) if blocks else None
    evidence = NumberReports(mean, squares, about or 0, ranges, width, question.scale.size)
    no_bins = Decoded(np.zeros(0), np.zeros(0), decoder, NoBins())
    origin = Origin(document.document, f"{question.name} in {document.name}")
    estimate = Distribution((), no_bins, origin, census, scale=question.scale, unit=question.unit, reports=evidence)
    return estimate if ranges is None else estimate.histogram()


def _by_point_design(reports: Iterable[PartReports]) -> LevelReports:
    """The reports of points by their design, each with the level of its thresholds."""
    by_design: dict[PointDesign, list[tuple[PartReports, int]]] = {}
    for each in reports:
        points = points_of(each.part)
        if points is not None:
            design = PointDesign(each.part.mechanism.spec_bytes, points.points, points.levels, points.about)
            by_design.setdefault(design, []).append((each, points.level))
    return by_design


def _evidence(by_design: LevelReports, about: int | None) -> Mean | None:
    """The evidence of the mean of numbers or, unless ``about`` is None, of squares about it; None without points."""
    designs = [design for design in by_design if design.about == about]
    if len(designs) > 1:
        raise ParameterError("a mean must be asked for by points of one kind, got several")
    if not designs:
        return None
    reports = by_design[designs[0]]
    weighted = [each for each, _ in reports if isinstance(each, WeightedReports)]
    if weighted:
        return weighted_mean(weighted)
    first = reports[0][0]
    counts: Counts = np.zeros((designs[0].levels, len(first.tally.counts)), np.int64)
    for each, level in reports:
        counts[level] += each.tally.counts
    return MeanEvidence(counts, worth_of(first.part.mechanism.channel().probabilities))


def _ranges(
    question: Number, blocks: Sequence[tuple[PartReports, Block]], width: int, has_mean: bool, size: float
) -> Cumulative | None:
    """The shares of ranges among ``size`` people; None where so few reported that only the mean is known."""
    cells = question.scale.steps // width + 1
    parts = [
        PartShares(cuts_of(encoder, width, cells), each.source, each.n / unit_variance(each.part))
        for each, encoder in blocks
    ]
    if has_mean and not any(len(part.cuts) == cells + 1 for part in parts):
        return None
    return Cumulative.of(cells, parts, size)
