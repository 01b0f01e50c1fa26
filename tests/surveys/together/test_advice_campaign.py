"""Designs that advice proposes err as much as is said of them: random plans, simulated.

Of 200 designs (8 unless under `make soak`) each is simulated R times with made-up people of a random truth, R being
100 (25). The sum of squared errors is held against that of a normal error 1.15 times as large as stated, whose
quantile is exceeded by chance in one of ten million designs: over all, false alarms are rarer than 1 in 50,000.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length
from tests.surveys.random_plans import random_plan

import deniable as dn
from deniable.arrays import Vector
from deniable.protocol.questions.question import Question
from deniable.surveys.advising.designs import AdvisedDesign

FALSE_ALARM = 1e-7
ALLOWED = 1.15
"""How much larger than stated an error may be."""
KINDS_OF_PEOPLE = 40
DESIGNS = by_length(8, 200)


def made_up(question: Question, rng: np.random.Generator) -> list[Any]:
    """Answers of so many people of whom each stands for many; how frequent answers are is drawn, too."""
    if isinstance(question, dn.OneOf):
        labels = list(question.labels)
        return [
            labels[place] for place in rng.choice(len(labels), KINDS_OF_PEOPLE, p=rng.dirichlet([1.0] * len(labels)))
        ]
    if isinstance(question, dn.AnyOf):
        held = rng.random((KINDS_OF_PEOPLE, len(question.labels))) < rng.random(len(question.labels))
        return [[label for label, has in zip(question.labels, row, strict=True) if has] for row in held]
    assert isinstance(question, dn.Number)
    low, high = rng.uniform(0.3, 3, 2).tolist()
    places = np.rint(rng.beta(low, high, KINDS_OF_PEOPLE) * question.scale.steps).astype(int)
    return [float(question.scale.value(place)) for place in places.tolist()]


def squared_error(question: Question, found: Any, answers: list[Any], shares: Vector) -> float:
    """The squared error of a mean as a part of its range, or that of a share in the mean over the answers."""
    if isinstance(question, dn.Number):
        width = float(question.scale.steps * question.scale.step)
        return (float(found.mean.value - np.dot(shares, answers)) / width) ** 2
    listed = [each if isinstance(each, list) else [each] for each in answers]
    assert isinstance(question, dn.OneOf | dn.AnyOf)
    truth = [np.dot(shares, [label in each for each in listed]) for label in question.labels]
    return float(np.mean((found.unbiased - np.array(truth)) ** 2))


def simulated(design: AdvisedDesign, runs: int, rng: np.random.Generator) -> dict[str, float]:
    """The mean squared errors of the questions over so many surveys: of people who are drawn, or of all there are."""
    survey, people = design.survey, design.inputs.people
    table = {question.name: made_up(question, rng) for question in survey.questions}
    shares = np.full(KINDS_OF_PEOPLE, 1 / KINDS_OF_PEOPLE)
    drawn = rng.multinomial(people, shares, size=runs)
    if design.inputs.population is not None:
        drawn[:] = drawn[0]
        shares = drawn[0] / people
    sums = dict.fromkeys(table, 0.0)
    for each in drawn:
        results = survey.estimate(survey.draw_tally(table, each, rng), "unbiased")
        for question in survey.questions:
            answers = table[question.name]
            sums[question.name] += squared_error(question, results[question.name], answers, shares) / runs
    return sums


def too_large(design: AdvisedDesign, runs: int, rng: np.random.Generator, stated: float = 1.0) -> list[str]:
    """The questions that err more than may be, if ``stated`` times the stated errors were stated."""
    limit = ALLOWED**2 * float(stats.chi2.isf(FALSE_ALARM, runs)) / runs
    errors = {name: stated * error / 1.959964 for name, error in design.errors.items()}
    return [name for name, mean in simulated(design, runs, rng).items() if mean > limit * errors[name] ** 2]


@cache
def proposed() -> list[AdvisedDesign]:
    """Designs that advice on random plans proposes, one of each plan."""
    return list(itertools.islice(_proposals(10 * DESIGNS), DESIGNS))


def _proposals(most: int) -> Iterator[AdvisedDesign]:
    for seed in range(most):
        rng = np.random.default_rng([42, seed])
        options = dn.advise(**random_plan(rng)).options
        if options:
            yield options[rng.integers(len(options))]


@pytest.mark.soak
def test_designs_err_as_much_as_is_said() -> None:
    runs = by_length(25, 100)
    assert len(proposed()) == DESIGNS
    rng = np.random.default_rng(43)
    wrong = [(design.what, names) for design in proposed() if (names := too_large(design, runs, rng))]
    assert wrong == []


@pytest.mark.soak
def test_an_error_that_is_stated_too_small_is_found() -> None:
    """Two fifths of what is right, of most designs: the truth may happen to be one that errs less."""
    runs = by_length(25, 100)
    rng = np.random.default_rng(44)
    caught = [bool(too_large(design, runs, rng, stated=0.4)) for design in proposed()[: by_length(5, 40)]]
    assert math.fsum(caught) > 0.7 * len(caught)
