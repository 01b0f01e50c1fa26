"""What error to expect of questions that follow from each other, if all ways through them are equally frequent."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.protocol.questions.question import Question
from deniable.surveys.arms import Part
from deniable.surveys.combining import to_margin
from deniable.surveys.even_ways import EvenWays
from deniable.surveys.part_errors import AskedParts, len_of
from deniable.surveys.questions.kind import Expected


def expected_on_ways(question: Question, ways: EvenWays, asked: AskedParts, people: int, size: float) -> Expected:
    """The root mean square error of a label's share of all people, and of those asked where not everybody is.

    ``asked`` are the parts that ask the question, each with how many people answer it; ``size`` is the population's.
    """
    share, within = ways.asked(question.name), ways.among_asked(question.name)
    parts = [(part, n, to_margin(question, part).toarray(), ways.of(part)) for part, n in asked]
    error = _root_mean(_variances(parts), share * within * (1 - share * within), size)
    note = "a share of all, if all ways are equally frequent"
    if question.only_if is None:
        return Expected(people, error, note)
    deviations = [(part, n, rows - within[:, None] * rows.sum(axis=0), truth) for part, n, rows, truth in parts]
    of_asked = _root_mean(_variances(deviations) / share**2, within * (1 - within) / share, size)
    return Expected(people, error, note, of_asked=of_asked, asked=round(people * share))


def _variances(parts: Sequence[tuple[Part, float, Matrix, Vector]]) -> Vector:
    """The variance of weighted sums of shares, from parts that each tell of all of them.

    Each part comes with its people, the weights of its labels in each sum, and the true shares of its labels.
    """
    each = [n / sum_variances(part, rows, truth) for part, n, rows, truth in parts]
    return np.asarray(1 / np.sum(each, axis=0), np.float64)


def sum_variances(part: Part, rows: Matrix, truth: Vector) -> Vector:
    """The variance of one report about weighted sums of a part's labels, whose protection treats all labels alike.

    What protection adds is |w|^2 - (sum of w)^2/D times the variance that it adds to a contrast of length 1.
    """
    d = len_of(part)
    added = part.mechanism.risk(1, "l2", truth, "sample") / (d - 1)
    protection = added * ((rows**2).sum(axis=1) - rows.sum(axis=1) ** 2 / d)
    return np.asarray(protection + rows**2 @ truth - (rows @ truth) ** 2, np.float64)


def _root_mean(variances: Vector, spreads: Vector, size: float) -> float:
    """The root of the mean variance about the shares of a population of this size, p(1 - p)/size smaller each."""
    return math.sqrt(float(np.maximum(variances - spreads / size, 0).mean()))
