"""A survey's results by weights: shares, checklists, scales, numbers and crosses; alike people change nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.estimation.sources import CombinedEvidence
from deniable.protocol.errors import ParameterError, ReportError
from deniable.protocol.say import language

N = 1500
RNG = np.random.default_rng(4)
WAY, PACE, OWNS = dn.OneOf("way", ["bus", "car"]), dn.Scale("pace", ["1", "2", "3"]), dn.AnyOf("owns", ["bike", "car"])
AGE = dn.Number("age", 0, 80, want=["mean", "spread", "quantiles"])
YEARS = dn.Number("age", 0, 80, want="mean")
SURVEY = dn.Survey.plan("trip", [WAY, PACE, OWNS, AGE], 4.0, N, cross=[("way", "pace")], population=50_000)
HELD = {
    "way": RNG.choice(["bus", "car"], N, p=[0.3, 0.7]).tolist(),
    "pace": RNG.choice(["1", "2", "3"], N).tolist(),
    "owns": [["bike"] if person % 3 else ["bike", "car"] for person in range(N)],
    "age": RNG.integers(0, 81, N).tolist(),
}
ROWS = [{name: column[row] for name, column in HELD.items()} for row in range(N)]
ANSWERS = [SURVEY.answer(row, dn.SeededEntropy(at)) for at, row in enumerate(ROWS)]


@pytest.fixture(scope="module")
def alike() -> Any:
    return SURVEY.estimate(ANSWERS, weights=np.full(N, 7.0))


@pytest.fixture(scope="module")
def plain() -> Any:
    return SURVEY.estimate(SURVEY.tally(ANSWERS))


def test_people_who_count_alike_have_the_figures_of_the_tally(alike: Any, plain: Any) -> None:
    for name in ("way", "pace"):
        assert alike[name].unbiased == pytest.approx(plain[name].unbiased, abs=1e-9)
        assert alike[name].stderr == pytest.approx(plain[name].evidence.plain.stderr(), rel=0.03)
    assert alike["pace"].mean.value == pytest.approx(plain["pace"].mean.value)
    assert alike["age"].mean.value == pytest.approx(plain["age"].mean.value, abs=2)
    assert alike["age"].spread.value == pytest.approx(plain["age"].spread.value, abs=10)
    assert alike["age"].quantile(0.5).value == pytest.approx(plain["age"].quantile(0.5).value, abs=3)
    assert alike["owns"].unbiased == pytest.approx([1, 1 / 3], abs=0.2)
    one, other = alike.cross("way", "pace"), plain.cross("way", "pace")
    assert one.shares == pytest.approx(other.shares, abs=1e-9)
    assert one.stderr == pytest.approx(other.stderr, rel=0.05)
    assert 0 <= one.test.p_value <= 1
    assert alike.n == plain.n == N


def test_errors_are_not_those_of_a_census(alike: Any) -> None:
    """How many people there are says nothing of how weighted ones were drawn."""
    assert alike.census is None
    assert alike["way"].population is None


def test_weights_that_matter_move_shares_and_say_what_they_cost() -> None:
    """People in cars count four times: .7 of them become .9."""
    weights = [4.0 if way == "car" else 1.0 for way in HELD["way"]]
    found = SURVEY.estimate(ANSWERS, weights=weights)
    assert found["way"].unbiased[1] == pytest.approx(2.8 / 3.1, abs=4 * found["way"].stderr[1])
    assert "design effect 1." in str(found["way"])
    assert "Designeffekt" in in_german(found["way"])


def in_german(estimate: Any) -> str:
    return " ".join(language("de").text(note) for note in estimate.remarks)


def test_rows_without_an_answer_have_no_part_in_it(alike: Any) -> None:
    answers, weights = [*ANSWERS, None, None], [*np.full(N, 7.0), np.nan, 0.0]
    assert SURVEY.estimate(answers, weights=weights)["way"].unbiased == pytest.approx(alike["way"].unbiased, abs=1e-12)


def test_what_has_no_order_or_is_a_text_is_refused() -> None:
    with pytest.raises(ParameterError, match="sorted by arm"):
        SURVEY.estimate(SURVEY.answer_many(HELD, seed=1), weights=np.ones(N))
    with pytest.raises(ParameterError, match="one for each row, got 3"):
        SURVEY.estimate(ANSWERS, weights=[1, 2, 3])
    with pytest.raises(ReportError):
        SURVEY.estimate([b"\xff" * 9], weights=[1.0])
    words = dn.Survey.plan("inbox", [dn.Text("word", longest=4)], epsilon=4.0, people=1000)
    rows = [words.answer({"word": "news"}, dn.SeededEntropy(at)) for at in range(50)]
    with pytest.raises(ParameterError, match="must be of questions with labels or numbers"):
        words.estimate(rows, weights=np.ones(50))["word"]
    with pytest.raises(ParameterError, match="candidates must be left out with weights"):
        words.estimate(rows, candidates={"word": ["news"]}, weights=np.ones(50))


VILLAGES = RNG.integers(0, 12, N)


FARE = dn.OneOf("fare", ["full", "half"])
CROSSED = dn.Survey.plan("fares", [WAY, PACE, OWNS, YEARS, FARE], 4.0, N, cross=[("way", "pace"), ("way", "fare")])
CROSSED_ANSWERS = [
    CROSSED.answer({**row, "fare": FARE.labels[row["age"] % 2]}, dn.SeededEntropy(at)) for at, row in enumerate(ROWS)
]


def test_errors_of_clusters_are_those_by_differences() -> None:
    """How far each cluster moves a figure, as its weights grow a little: for shares and means of several arms."""
    weights, regions, step = RNG.uniform(0.5, 2, N), VILLAGES % 2, 1e-6

    def results(own: Any, **drawn: Any) -> Any:
        return CROSSED.estimate(CROSSED_ANSWERS, "unbiased", weights=own, **drawn)

    def figures(found: Any, what: str, of_mean: str) -> Any:
        shares = [getattr(found[name], what) for name in ("way", "pace", "fare")]
        means = [getattr(each.mean, of_mean) for each in (found["pace"], found["age"])]
        return np.concatenate([*shares, getattr(found["owns"], what)[1:], means])

    grown = [1 + step * (village == VILLAGES) for village in range(12)]
    ends = [[figures(results(own), "unbiased", "value") for own in (weights * each, weights / each)] for each in grown]
    moved = np.array([(high - low) / (2 * step) for high, low in ends])
    variances = sum(6 / 5 * ((own - own.mean(axis=0)) ** 2).sum(axis=0) for own in (moved[::2], moved[1::2]))
    found = results(weights, strata=regions, clusters=VILLAGES)
    plain = CROSSED.estimate(CROSSED_ANSWERS, weights=weights)["way"].evidence
    assert isinstance(plain, CombinedEvidence)
    assert len(plain.sources) == 2
    assert figures(found, "stderr", "stderr") ** 2 == pytest.approx(variances, rel=1e-4)
    assert "(clusters: 12; strata: 2)" in str(found["way"])
    assert "Klumpen: 12" in in_german(found["way"])


def test_figures_of_several_arms_whose_errors_go_together_are_refused() -> None:
    with pytest.raises(ParameterError, match="strata and clusters must be of shares and means, got 'age'"):
        SURVEY.estimate(ANSWERS, clusters=VILLAGES)["age"]
    found = CROSSED.estimate(CROSSED_ANSWERS, clusters=VILLAGES)
    with pytest.raises(ParameterError, match="crosses of one kind of reports, got 'way' and 'pace'"):
        found.cross("way", "pace")
