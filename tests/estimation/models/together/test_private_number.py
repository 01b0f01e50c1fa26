"""A private number, also one protected by distance, as a covariate: its equations are those of the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.cases import each
from tests.lengths import by_length

import deniable as dn
from deniable.protocol.errors import ParameterError

RNG = np.random.default_rng(8)
NUMBERS = [0, 1, 2, 5]
FORMULA = ("score", ["female", "drinks"])
MECHANISMS = [
    dn.RandomizedResponse(NUMBERS, 1.5),
    dn.Hadamard(NUMBERS, 1.5),
    dn.Geometric(0, 3, 1.0),
    dn.BinaryResponse([0, 1], 1.0, 2.0),
]


@each("mechanism", MECHANISMS)
def test_every_report_by_its_chance_gives_the_fit_of_what_people_hold(mechanism: Any) -> None:
    """Exact moments: rows are all reports that each person might send, with their chances as weights."""
    labels, people = list(mechanism.domain), 60
    held = RNG.integers(0, len(labels), people)
    female, v = RNG.integers(0, 2, people), np.array(labels, float)[held]
    score = 1 + 0.5 * female + 0.7 * v + RNG.normal(size=people)
    reports, chances = mechanism.layout.every_report(), mechanism.channel().probabilities[held]
    rows, sent = np.divmod(np.arange(chances.size), len(reports))
    kept = chances.ravel() > 0
    fit = dn.regress(
        FORMULA, {"female": female[rows][kept], "score": score[rows][kept]},
        {"drinks": (mechanism, reports[sent][kept])}, model="mean", weights=chances.ravel()[kept],
    )  # fmt: skip
    known = np.linalg.lstsq(np.column_stack([np.ones(people), female, v]), score, rcond=None)[0]
    assert fit.names == ("(constant)", "female", "drinks")
    assert fit.coefficients == pytest.approx(known, abs=1e-9)


ROUNDS, PEOPLE, SLOPE, ALARM = by_length(300, 3000), 1500, 0.7, 1e-7


def fitted(generator: np.random.Generator) -> tuple[Any, float]:
    """A fit, and the slope of one that takes reports for what people hold."""
    coin = MECHANISMS[0]
    female = generator.integers(0, 2, PEOPLE)
    v = np.where(generator.random(PEOPLE) < 0.3 + 0.3 * female, 5, generator.choice(NUMBERS[:3], PEOPLE))
    score = 1 + 0.5 * female + SLOPE * v + 2 * generator.normal(size=PEOPLE)
    reports = coin.privatize_many(v.tolist(), seed=int(generator.integers(1 << 31)))
    frame = {"female": female, "score": score}
    raw = np.column_stack([np.ones(PEOPLE), female, np.array(NUMBERS)[reports]])
    naive = np.linalg.lstsq(raw, score, rcond=None)[0][2]
    return dn.regress(FORMULA, frame, {"drinks": (coin, reports)}, model="mean"), float(naive)


def test_intervals_hold_and_reports_taken_for_numbers_are_found_out() -> None:
    generator = np.random.default_rng(4)
    fits = [fitted(generator) for _ in range(ROUNDS)]
    low, high = np.array([fit.interval()[2] for fit, _ in fits]).T
    misses = int(((low > SLOPE) | (high < SLOPE)).sum())
    assert stats.binom.sf(misses - 1, ROUNDS, 0.05) > ALARM, misses
    assert stats.binom.sf(misses - 1, ROUNDS, 0.005) < ALARM  # and not by being endless
    found = np.array([(fit.coefficients[2], fit.stderr[2], naive) for fit, naive in fits])
    assert found[:, 0].std(ddof=1) == pytest.approx(np.sqrt((found[:, 1] ** 2).mean()), rel=0.25)
    assert abs(found[:, 0].mean() - SLOPE) < 6 * found[:, 0].std() / np.sqrt(ROUNDS) + 0.02
    assert found[:, 2].max() < SLOPE - 0.1  # the planted fault: slopes of a half


def test_it_says_what_one_more_goes_with() -> None:
    fit, _ = fitted(np.random.default_rng(1))
    assert "the mean of “score” is higher by" in fit.summary()
    assert "where drinks is larger by 1" in fit.summary()
    assert fit.methods == ("wald, sandwich",) * 3


def test_what_does_not_show_how_the_number_varies_is_refused() -> None:
    weak, frame = dn.RandomizedResponse(NUMBERS, 0.1), {"female": [0, 1] * 10, "score": list(range(20))}
    with pytest.raises(ParameterError, match="the private number must be seen to vary"):
        dn.regress(FORMULA, frame, {"drinks": (weak, [1] * 19 + [2])}, model="mean")
    words = dn.RandomizedResponse(["no", "yes"], 1.0)
    with pytest.raises(ParameterError, match="labels of 'drinks' must be numbers for a mean, got 'no'"):
        dn.regress(FORMULA, frame, {"drinks": (words, [0, 1] * 10)}, model="mean")
    both = {"drinks": (MECHANISMS[0], [1] * 20), "score": (words, [0, 1] * 10)}
    with pytest.raises(ParameterError, match=r"labels of .score. must be numbers for a mean, got .no"):
        dn.regress(FORMULA, {"female": frame["female"]}, both, model="mean")
    survey = dn.Survey.plan("bar", [dn.Number("drinks", 0, 20, want="mean")], 2.0, 100, carrier="field", owner="A")
    answers = [survey.answer({"drinks": row % 20}, dn.SeededEntropy(row)) for row in range(20)]
    with pytest.raises(
        ParameterError, match="must be reported by its labels to be regressed on, got 'drinks' by points"
    ):
        survey.regress(answers, FORMULA, frame, model="mean")
