"""Informed response: never above its level by the exact audit, the optimum's loss, the curator's errors, wrong priors.

Errors of simulated crowds are compared at a false-alarm rate of 1e-9 each, fewer than 50 of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Column, Indices
from deniable.privacy.entropy import Entropy
from deniable.theory.informed.baselines import channel_loss, misjudged
from deniable.theory.informed.optimum import optimal

Vector = npt.NDArray[np.float64]
FALSE_ALARM = 1e-9
CROWDS, PEOPLE = 400, 500
PRIORS = {
    "even": [0.25, 0.25, 0.25, 0.25],
    "skewed": [0.6, 0.25, 0.1, 0.05],
    "steep": [0.9, 0.06, 0.03, 0.01],
    "zero": [0.5, 0.0, 0.3, 0.2],
}
GOLDEN = [
    ((0.5, 0.3, 0.2), 1.0, 0.41323418, 0.38674417),
    ((0.7, 0.2, 0.1), 1.0, 0.32876117, 0.29046954),
    ((0.1, 0.2, 0.3, 0.4), 0.5, 0.63498105, 0.87953511),
]


@st.composite
def priors(draw: st.DrawFn) -> Vector:
    """From even to steep, two to twelve labels, zeros among them."""
    d = draw(st.integers(2, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    p = rng.dirichlet(np.full(d, draw(st.sampled_from([0.1, 0.5, 1.0, 20.0]))))
    p[rng.random(d) < draw(st.sampled_from([0.0, 0.3]))] = 0
    p[rng.integers(d)] += 1e-3
    return np.asarray(p / p.sum())


def alone(m: dn.InformedResponse) -> float:
    """What a curator loses who has the prior alone."""
    return channel_loss(m.prior, np.ones((len(m.prior), 1)), m.values)


@pytest.mark.soak
@settings(max_examples=by_length(25, 250))
@given(priors(), st.sampled_from([0.05, 0.3, 1.0, 2.0, 5.0]), st.sampled_from(["histogram", "sum"]))
def test_never_above_its_level(prior: Vector, epsilon: float, goal: str) -> None:
    """By the exact audit, whose level is the prior's own; and what it says of itself is what theory says."""
    m = dn.InformedResponse(len(prior), prior, epsilon, goal)
    found = dn.audit(m)
    assert found.holds
    assert found.listed
    assert found.epsilon <= epsilon
    hair = 1e-6 if m.curator.method in {"vertices", "closed form"} else 1e-4  # a search ends near the optimum
    assert abs(m.curator.loss - optimal(prior, epsilon, m.values).loss) <= hair * alone(m)
    assert m.curator.bound <= m.curator.loss * (1 + 1e-12) + 1e-12
    assert m.guarantee.mutual_information(m) <= epsilon


@st.composite
def extreme_priors(draw: st.DrawFn) -> Vector:
    """Two to six labels, some rarer than any channel can tell, some rarer than 64-bit floats can add to the others."""
    d, rarest = draw(st.integers(2, 6)), draw(st.sampled_from([3.0, 10.0, 18.0, 300.0]))
    p = 10.0 ** -np.random.default_rng(draw(st.integers(0, 2**32))).uniform(0, rarest, d)
    return np.asarray(p / p.sum())


@pytest.mark.soak
@settings(max_examples=by_length(40, 400))
@given(
    extreme_priors(), st.sampled_from([1e-6, 1.0, 16.5, 17.0, 20.0, 24.0, 32.0]), st.sampled_from(["histogram", "sum"])
)
@example(np.array([1e-17, 1e-9, 1 - 1e-9]), 20.0, "histogram")
@example(np.array([0.405, 0.595 - 8.2e-8, 8.2e-8]), 17.0, "histogram")
def test_extreme_priors_and_levels(prior: Vector, epsilon: float, goal: str) -> None:
    """Every level that may be asked for is kept by a channel whose rows add up, whatever the prior."""
    m = dn.InformedResponse(len(prior), prior, epsilon, goal)
    assert {sum(row) for row in m.channel().rows.weights.tolist()} == {m.channel().rows.total}
    assert dn.audit(m).holds
    assert m.curator.loss <= alone(m) * (1 + 1e-9)
    assert dn.from_spec(m.spec()) == m


def test_a_rare_label_is_no_other_label() -> None:
    """Of a label that reports can tell nothing of, no report is drawn that only one label sends."""
    m = dn.InformedResponse(3, [1e-17, 1e-9, 1 - 1e-9], 20.0)
    assert (m.channel().rows.weights > 0).all()
    assert m.estimate(m.privatize_many([2] * 100_000, seed=1), "unbiased").frequencies[2] == pytest.approx(1, abs=0.01)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("d", "epsilon", "goal"),
    by_length(
        [(300, 1.0, "histogram"), (1000, 5.0, "sum")], [(300, 1.0, "histogram"), (1000, 1.0, "sum"), (1000, 5.0, "sum")]
    ),
)
def test_many_labels(d: int, epsilon: float, goal: str) -> None:
    prior = np.random.default_rng(d).dirichlet(np.full(d, 0.5))
    m = dn.InformedResponse(d, prior, epsilon, goal)
    assert m.guarantee.judge(m.channel().rows).holds
    assert abs(m.curator.loss - optimal(prior, epsilon, m.values).loss) <= 1e-6 * alone(m)
    assert m.estimate(m.privatize_many(np.arange(d), seed=1)).n == d


@pytest.mark.parametrize(("prior", "epsilon", "histogram", "total"), GOLDEN)
def test_golden_losses(prior: tuple[float, ...], epsilon: float, histogram: float, total: float) -> None:
    assert dn.InformedResponse(len(prior), prior, epsilon).curator.loss == pytest.approx(histogram, abs=1e-6)
    assert dn.InformedResponse(len(prior), prior, epsilon, "sum").curator.loss == pytest.approx(total, abs=1e-6)


def test_the_level_is_used() -> None:
    for prior in PRIORS.values():
        m = dn.InformedResponse(4, prior, 1.0)
        assert not m.guarantee.at(1.0 - 1e-6).holds(m)


def test_no_better_than_the_best_of_twice_the_level() -> None:
    """LIP of eps lies between LDP of eps and of 2 eps, and so does what can be learnt."""
    for prior in PRIORS.values():
        loss = dn.InformedResponse(4, prior, 0.5).curator.loss
        response = dn.RandomizedResponse(4, 0.5).channel().probabilities
        assert loss <= channel_loss(prior, response) + 1e-9
        best = dn.optimal_channel(dn.LDP(1.0), 4, prior, "bayes").probabilities
        assert loss >= channel_loss(prior, best) - 1e-6


# --- the curator ---------------------------------------------------------------------------------------------------


def crowds(m: dn.InformedResponse, seed: int = 5) -> tuple[Indices, Column]:
    """[crowds, people]: values drawn from the prior, and their reports."""
    values = np.random.default_rng(seed).choice(len(m.domain), (CROWDS, PEOPLE), p=m.prior)
    return values, m.privatize_many(values.ravel(), seed=seed).reshape(CROWDS, PEOPLE)


def as_predicted(errors: list[float], predicted: float) -> bool:
    """Errors of sums over hundreds of people are normal, of mean 0 and the predicted root mean square."""
    scaled = np.array(errors) / predicted
    spread = stats.chi2(len(errors))
    tail = min(spread.cdf(scaled @ scaled), spread.sf(scaled @ scaled), stats.norm.sf(abs(scaled.sum()) / CROWDS**0.5))
    return bool(4 * tail >= FALSE_ALARM)


@pytest.mark.parametrize("goal", ["histogram", "sum"])
@pytest.mark.parametrize("name", PRIORS)
def test_answers_err_as_predicted(name: str, goal: str) -> None:
    """Survey, total and weighted total; a prediction a third off is refuted by these crowds."""
    m = dn.InformedResponse(4, PRIORS[name], 1.0, goal)
    values, reports = crowds(m)
    weights = np.linspace(-1, 3, PEOPLE)
    questions: list[tuple[Callable[[Any], Any], Callable[[Any], float]]] = [
        (lambda r: m.curator.survey(r, 2), lambda v: float((v == 2).sum())),
        (m.curator.total, lambda v: float(v.sum())),
        (lambda r: m.curator.total(r, [3, 1, -2, 0.5]), lambda v: float(np.array([3, 1, -2, 0.5])[v].sum())),
        (lambda r: m.curator.weighted_total(r, weights, 2.0), lambda v: float(weights @ v + 2 * PEOPLE)),
    ]
    for ask, truth in questions:
        answers = [ask(row) for row in reports]
        errors = [answer.value - truth(row) for answer, row in zip(answers, values, strict=True)]
        assert as_predicted(errors, answers[0].error), (np.std(errors), answers[0].error)
        assert not as_predicted(errors, answers[0].error * 1.4)
        assert not as_predicted(errors, answers[0].error * 0.7)


@pytest.mark.parametrize("name", PRIORS)
def test_histograms_err_as_predicted(name: str) -> None:
    m = dn.InformedResponse(4, PRIORS[name], 1.0)
    values, reports = crowds(m)
    answers = [m.curator.histogram(row) for row in reports]
    squared = [
        float(((a.value - np.bincount(row, minlength=4)) ** 2).sum()) for a, row in zip(answers, values, strict=True)
    ]
    assert stats.ttest_1samp(squared, answers[0].error ** 2).pvalue > FALSE_ALARM
    assert stats.ttest_1samp(squared, 1.5 * answers[0].error ** 2).pvalue < FALSE_ALARM
    assert answers[0].error == pytest.approx((PEOPLE * m.curator.loss) ** 0.5, rel=1e-9)
    assert answers[0].value.sum() == pytest.approx(PEOPLE)


def test_tallies_are_enough_for_sums() -> None:
    m = dn.InformedResponse(["a", "b", "c"], [0.5, 0.3, 0.2], 1.0)
    reports = m.privatize_many(["a", "b", "c"] * 40, seed=1)
    assert m.curator.survey(m.tally(reports), "b") == m.curator.survey(reports, "b")
    assert np.array_equal(m.curator.histogram(m.tally(reports)).value, m.curator.histogram(reports).value)
    assert m.curator.total(reports, [1, 2, 3]) == m.curator.total(m.tally(reports), [1, 2, 3])
    assert m.curator.weighted_total(reports, 1.0, values=[1, 2, 3]).value == pytest.approx(
        m.curator.total(reports, [1, 2, 3]).value
    )


def test_questions_that_make_no_sense() -> None:
    m = dn.InformedResponse(["a", "b"], [0.5, 0.5], 1.0)
    reports = m.privatize_many(["a", "b"], seed=1)
    with pytest.raises(dn.LabelError):
        m.curator.survey(reports, "zebra")
    with pytest.raises(dn.TallyError):
        m.curator.histogram(dn.InformedResponse(["a", "b"], [0.25, 0.75], 1.0).tally([]))
    for values in (None, [1], [1, np.nan], ["1", "2"], [1, 2, 3]):
        with pytest.raises(dn.ParameterError, match="values must"):
            m.curator.total(reports, values)
    for weights in ([1.0], [1.0, np.inf], "ab", [True, False], None, [[1.0, 1.0]]):
        with pytest.raises(dn.ParameterError, match="weights must"):
            m.curator.weighted_total(reports, weights, values=[0, 1])
        with pytest.raises(dn.ParameterError, match="offsets must"):
            m.curator.weighted_total(reports, 1.0, weights, values=[0, 1])


# --- a wrong prior -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 3.0])
@pytest.mark.parametrize("name", ["even", "skewed", "steep"])
def test_twice_the_level_remains_whatever_the_truth(name: str, epsilon: float) -> None:
    m = dn.InformedResponse(4, PRIORS[name], epsilon)
    assert dn.LDP(2 * epsilon).holds(m)
    assert dn.implies(m.guarantee, dn.LDP(2 * epsilon))


def test_impossible_labels_hide_too() -> None:
    """A row of prior 0 is not bound, but sends what the prior sends."""
    m = dn.InformedResponse(4, PRIORS["zero"], 1.0)
    assert dn.LDP(2.0).holds(m)


@pytest.mark.parametrize("name", PRIORS)
def test_the_bias_of_a_wrong_prior_is_predicted(name: str) -> None:
    m, truth = dn.InformedResponse(4, PRIORS[name], 1.0), np.array([0.1, 0.1, 0.2, 0.6])
    wrong, n = m.curator.misjudged(truth), 200_000
    exact = truth @ m.channel().probabilities @ m.curator.posteriors - truth
    assert np.allclose(wrong.bias, exact, atol=1e-12)
    assert np.allclose(wrong.bias, misjudged(m.prior, truth, m.channel().probabilities).bias)
    assert np.abs(wrong.bias).max() > 0.01
    values = np.random.default_rng(3).choice(4, n, p=truth)
    drift = m.curator.histogram(m.privatize_many(values, seed=3)).value / n - np.bincount(values, minlength=4) / n
    assert np.abs(drift - wrong.bias).max() < 6.5 * (wrong.mse / n) ** 0.5  # 1e-9 for four labels
    assert m.curator.misjudged(m.prior).mse == pytest.approx(m.curator.loss, rel=1e-9)
    assert np.abs(m.curator.misjudged(m.prior).bias).max() < 1e-12


# --- the estimate without the curator, the spec, faults --------------------------------------------------------------


def test_labels_that_are_not_told_apart() -> None:
    """Steep priors merge rare labels: no unbiased estimate of theirs, so nothing but 0 to 1 is certain."""
    m = dn.InformedResponse(3, [0.9, 0.05, 0.05], 1.0)
    assert m.law.labels_told_apart.tolist() == [True, False, False]
    e = m.estimate(m.privatize_many([0, 1, 2] * 2000, seed=1), "unbiased")
    assert e.interval()[1:].tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert 0 < e.interval()[0, 0] < 1 / 3 < e.interval()[0, 1] < 1
    assert e.unbiased[1] == pytest.approx(e.unbiased[2], abs=1e-3)
    with pytest.raises(dn.ParameterError, match=r"^risk must be of a channel that tells all labels apart, got 2"):
        m.risk(10)


def test_what_reports_mix_up_has_no_standard_error() -> None:
    """Everybody holds the rarest label, but three labels send the same reports: only their sum is known."""
    m = dn.InformedResponse(["a", "b", "c", "d"], [0.9, 0.05, 0.03, 0.02], 1.0)
    e = m.estimate(m.privatize_many(["d"] * 100_000, seed=1), "unbiased")
    assert abs(e.unbiased[0]) < 4 * e.stderr[0] < 0.05
    assert e.stderr[1:].tolist() == e.evidence.stderr("sample")[1:].tolist() == [np.inf] * 3
    assert e.unbiased[1:].sum() == pytest.approx(1, abs=0.05)
    assert ["reports do not tell 3 of 4 labels" in note for note in e.notes] == [True]
    assert "note: reports do not tell 3 of 4 labels" in str(e)
    assert json.loads(e.to_json())["stderr"][1:] == ["inf"] * 3
    assert e.to_dict()["stderr"][1:] == [np.inf] * 3


def test_a_label_of_prior_0_can_be_taken_for_a_mix_of_the_others() -> None:
    """It sends what all send together, so nothing is known of any label alone."""
    m = dn.InformedResponse(3, [0.5, 0.5, 0.0], 1.0)
    e = m.estimate(m.privatize_many([2] * 1000, seed=1))
    assert np.isinf(e.stderr).all()
    assert "do not tell 3 of 3" in e.notes[0]
    assert "0.0%" in str(e)
    told = dn.InformedResponse(3, [0.5, 0.3, 0.2], 1.0)
    assert told.estimate(told.privatize_many([2] * 1000, seed=1)).notes == ()


@pytest.mark.parametrize("name", PRIORS)
def test_what_is_told_apart_is_unbiased(name: str) -> None:
    m = dn.InformedResponse(4, PRIORS[name], 1.0)
    mixed = m.law.inverse @ m.channel().probabilities.T
    assert np.allclose(mixed[m.law.labels_told_apart], np.eye(4)[m.law.labels_told_apart], atol=1e-5)
    assert m.law.labels_told_apart.any() or name == "zero"
    assert np.allclose(
        m.law.inverse @ m.channel().probabilities.T @ m.prior, m.prior, atol=1e-6
    )  # the prior itself is found


SPEC = dn.InformedResponse(["é", "日本", ""], [0.5, 0.3, 0.2], 1.0).spec()


def test_the_spec_holds_the_channel() -> None:
    again = dn.from_spec(json.loads(json.dumps(SPEC)))
    assert isinstance(again, dn.InformedResponse)
    assert again.spec() == SPEC
    assert again.curator.loss == dn.InformedResponse(["é", "日本", ""], [0.5, 0.3, 0.2], 1.0).curator.loss


def swapped(columns: list[list[int]]) -> list[list[int]]:
    """The first column's runs the other way round: the weights of other labels."""
    flat = [[w for w, n in zip(c[::2], c[1::2], strict=True) for _ in range(n)] for c in columns]
    return [[number for w in reversed(c) for number in (w, 1)] for c in flat]


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": 0.9},
        {"epsilon": 33.0},
        {"prior": [0.5, 0.4, 0.1]},
        {"prior": [0.5, 0.3]},
        {"prior": [0.5, 0.3, 0.3]},
        {"goal": "mean"},
        {"goal": None},
        {"columns": []},
        {"columns": None},
        {"columns": SPEC["columns"][:-1]},
        {"columns": [[1, 2, 0, 1], [0, 2, 1, 1]]},
        {"columns": [[2 * n if i % 2 == 0 else n for i, n in enumerate(c)] for c in SPEC["columns"]]},
        {"columns": [[-1, 3], *SPEC["columns"]]},
        {"columns": [[1.5, 3]]},
        {"columns": [[1, 2]]},
        {"columns": [[1, 1, 1, 2]]},
        {"columns": [[1 << 64, 3]]},
        {"columns": [[1, 10**12]]},
        {"columns": swapped(SPEC["columns"])},
        {"colour": "red"},
    ],
)
def test_tampered_specs(change: dict[str, Any]) -> None:
    with pytest.raises(dn.FormatError):
        dn.from_spec({**SPEC, **change})


@pytest.mark.parametrize("goal", ["mean", None, 1, "Histogram"])
def test_bad_goals(goal: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^goal must be one of histogram, sum"):
        dn.InformedResponse(2, [0.5, 0.5], 1.0, goal)


def test_words_have_no_sum() -> None:
    with pytest.raises(dn.ParameterError, match=r"^labels must be numbers"):
        dn.InformedResponse(["a", "b"], [0.5, 0.5], 1.0, "sum")


class PriorDraw(dn.InformedResponse):
    """jiang2018's closed form where it is not feasible: the truth with probability 1 - 1/t, else the prior's report."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        honest = entropy.words(len(values)) < np.uint64(int((1 - np.exp(-self.epsilon)) * 2**64))
        other = np.random.default_rng(1).choice(2, len(values), p=self.prior)
        return np.where(honest, values, other).astype(np.uint8)


def test_planted_faults_are_caught() -> None:
    assert dn.audit_sampling(dn.InformedResponse(2, [0.9, 0.1], 1.0), 20_000, seed=1).holds
    found = dn.audit_sampling(PriorDraw(2, [0.9, 0.1], 1.0), 20_000, seed=1)
    assert not found.holds
    assert found.epsilon_lower > found.claimed == 2.0  # of two labels; eps-LIP is 2 eps-LDP


def test_labels_whose_squares_are_endless_are_not_added_up() -> None:
    with pytest.raises(dn.ParameterError, match="numbers up to 1e\\+100"):
        dn.InformedResponse([1e300, -1e300], [0.5, 0.5], 1.0, goal="sum")


@pytest.mark.parametrize("goal", ["mean", np.array(["sum", "histogram"]), None, 1])
def test_what_is_no_goal(goal: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^goal must be one of histogram, sum"):
        dn.InformedResponse(2, [0.5, 0.5], 1.0, goal=goal)
    with pytest.raises(dn.ParameterError, match=r"^goal must be one of information"):
        dn.optimal_channel(dn.LDP(1.0), 2, goal=goal)
