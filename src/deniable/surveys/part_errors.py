"""How far one report of a part errs, wherever people are asked about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from deniable.estimation.census import variance_among
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.number import Block, Point
from deniable.surveys.arms import Part

AskedParts: TypeAlias = Sequence[tuple[Part, float]]
"""Parts of a survey that ask about a question, each with how many people report it."""


def points_of(part: Part) -> Point | None:
    """The points of a number that a part draws; None if it does not."""
    return part.encoder if isinstance(part.encoder, Point) else None


def mean_points(part: Part) -> Point | None:
    """The points that tell of a number's mean, and not of its spread."""
    points = points_of(part)
    return points if points is not None and points.about is None else None


def blocks_of(part: Part) -> Block | None:
    """The blocks of a number's scale that a part tells apart; None if it does not."""
    return part.encoder if isinstance(part.encoder, Block) else None


def len_of(part: Part) -> int:
    """How many labels a part reports on."""
    return part.mechanism.law.labels


def unit_variance(part: Part) -> float:
    """The variance of one report about a contrast of the part's labels, at the uniform truth (numbers.md)."""
    d = len_of(part)
    return part.mechanism.risk(1, "l2", np.full(d, 1 / d)) / (d - 1)


def labels_error(asked: AskedParts, labels: int) -> float:
    """The error of one of so many labels, equally frequent, from reports on them alone and on pairs with others."""
    return math.sqrt((1 - 1 / labels) / math.fsum(_precision(part, n, labels) for part, n in asked))


def _precision(part: Part, n: float, labels: int) -> float:
    """One over the variance of a contrast of so many labels, from reports of a part."""
    return n * labels / (len_of(part) * unit_variance(part))


def worst_error(asked: AskedParts, labels: int) -> float:
    """The error of the label that errs most: where labels are protected unlike, by far not all err alike.

    In reports on pairs with other questions all labels err alike.
    """
    precisions = [_precision(part, n, labels) for part, n in asked]
    worst = [
        float(part.mechanism.law.label_variances().max()) / n if len_of(part) == labels else (1 - 1 / labels) / each
        for (part, n), each in zip(asked, precisions, strict=True)
    ]
    squares = math.fsum(each**2 * variance for each, variance in zip(precisions, worst, strict=True))
    return math.sqrt(squares) / math.fsum(precisions)


def error_among(error: float, share: float, population: float) -> float:
    """The error of this share of a population of so many people, from that of people without end."""
    return math.sqrt(variance_among(error**2, share * (1 - share), population))


def stated_share(question: AnyOf) -> float:
    """The share of a checklist's labels of which errors are stated: half, or what the longest lists have on average."""
    return 0.5 if question.most is None else min(question.most / len(question.labels), 0.5)


def item_variance(part: Part, share: float) -> float:
    """The variance of one report about one label of a checklist that such a share of all people hold."""
    law = part.mechanism.law
    held = np.full(law.labels, share) if part.encoder.single is None else np.array([share, 1 - share])
    return law.risk(1, "l2", held, "population") / law.labels
