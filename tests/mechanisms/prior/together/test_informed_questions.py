"""Informed response for one question, for half of the promise, and with reports that stay labels.

References: SciPy's linear program over all channels, permutations one by one, jiang2018's formulas.
"""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import linprog

import deniable as dn
from deniable.theory.informed.baselines import channel_loss, one_sided_channel, paper_loss

Vector = npt.NDArray[np.float64]
P = [0.5, 0.3, 0.15, 0.05]
LABELS = ["never", "once", "often", "daily"]


# --- one question --------------------------------------------------------------------------------------------------


def test_a_channel_for_one_question_loses_less() -> None:
    """How many never do: .171 with the channel for histograms, by enumeration; .150 with its own, of two labels."""
    histogram = dn.InformedResponse(LABELS, P, 1.0)
    never = dn.InformedResponse(LABELS, P, 1.0, "sum", values=[1, 0, 0, 0])
    joint = np.array(P)[:, None] * histogram.channel().probabilities
    listed = float((joint[0] * (1 - joint[0] / joint.sum(axis=0))).sum())
    assert histogram.curator.mean_losses(never.curator.goal_values)[0] == pytest.approx(listed, abs=1e-9)
    assert (listed, never.curator.loss) == pytest.approx((0.17059168, 0.15010590), abs=1e-6)
    assert never.curator.loss == pytest.approx(dn.InformedResponse(2, [0.5, 0.5], 1.0).curator.loss / 2, abs=1e-6)
    people = [*["never"] * 300, *["once"] * 200]
    worse = histogram.curator.survey(histogram.privatize_many(people, seed=1), "never")
    better = never.curator.survey(never.privatize_many(people, seed=1), "never")
    assert better.error**2 / 500 == pytest.approx(never.curator.loss)
    assert worse.error / better.error == pytest.approx((listed / never.curator.loss) ** 0.5, abs=1e-4)
    assert abs(better.value - 300) < 6 * better.error


def test_labels_of_one_value_send_the_same_reports() -> None:
    m = dn.InformedResponse(LABELS, P, 1.0, "sum", values=[0, 1, 12, 12])
    assert np.array_equal(m.channel().rows.weights[2], m.channel().rows.weights[3])
    merged = dn.InformedResponse([0, 1, 12], [0.5, 0.3, 0.2], 1.0, "sum")
    assert m.curator.loss == pytest.approx(merged.curator.loss, rel=1e-6)
    reports = m.privatize_many(LABELS * 50, seed=2)
    assert m.curator.total(reports) == m.curator.total(reports, [0, 1, 12, 12])
    assert m.curator.total(reports).error == pytest.approx((200 * m.curator.loss) ** 0.5)
    assert (
        abs(m.curator.total(reports).value - 50 * 25) < 20 * m.curator.total(reports).error
    )  # the truth is not the prior
    assert m.values is not None
    assert not m.values.flags.writeable


def test_values_that_are_the_labels_change_nothing() -> None:
    given = dn.InformedResponse([0, 1, 2], [0.5, 0.3, 0.2], 1.0, "sum", values=[0, 1, 2])
    own = dn.InformedResponse([0, 1, 2], [0.5, 0.3, 0.2], 1.0, "sum")
    assert np.array_equal(given.channel().rows.weights, own.channel().rows.weights)
    assert given.curator.loss == own.curator.loss
    assert given != own
    assert "values" not in own.spec()


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("values", [None, [1, 0, 0, 0.5]])
def test_the_spec_holds_the_question(values: Any, one_sided: bool) -> None:
    goal = "histogram" if values is None else "sum"
    m = dn.InformedResponse(LABELS, P, 1.0, goal, values, one_sided)
    again = dn.from_spec(json.loads(json.dumps(m.spec())))
    assert isinstance(again, dn.InformedResponse)
    assert (again, again.goal, again.guarantee, again.curator.loss) == (m, goal, m.guarantee, m.curator.loss)
    assert again.guarantee == m.guarantee
    assert again.curator.total(again.privatize_many(LABELS, seed=1), [1, 2, 3, 4]).error > 0
    assert dn.from_spec(m.curator.as_labels().spec()) == m.curator.as_labels()


QUESTION = dn.InformedResponse(LABELS, P, 1.0, "sum", [1, 0, 0, 0.5]).spec()


@pytest.mark.parametrize(
    "change",
    [
        {"values": [1.0, 0.0, 0.0, True]},
        {"values": [1.0, 0.0, 0.0]},
        {"values": [1.0, 0.0, 0.0, math.nan]},
        {"values": [1.0, 0.0, 0.0, 1e200]},
        {"values": None},
        {"values": "abcd"},
        {"goal": "histogram"},
        {"one_sided": False},
        {"one_sided": 1},
        {"one_sided": None},
    ],
)
def test_tampered_questions(change: dict[str, Any]) -> None:
    with pytest.raises(dn.FormatError):
        dn.from_spec({**QUESTION, **change})


def test_a_stricter_promise_is_not_in_a_half_ones_spec() -> None:
    half = dn.InformedResponse(LABELS, P, 1.0, one_sided=True).spec()
    with pytest.raises(dn.FormatError, match="keep the guarantee"):
        dn.from_spec({name: part for name, part in half.items() if name != "one_sided"})


@pytest.mark.parametrize("values", [[1, 2, 3], ["1", "2", "3", "4"], [1, 2, 3, math.inf], 7, [[1, 2, 3, 4]], "abcd"])
def test_what_are_no_values(values: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^values must"):
        dn.InformedResponse(LABELS, P, 1.0, "sum", values=values)


def test_values_go_with_a_sum() -> None:
    with pytest.raises(dn.ParameterError, match='values must go with goal="sum"'):
        dn.InformedResponse(LABELS, P, 1.0, values=[1, 0, 0, 0])
    with pytest.raises(dn.ParameterError, match=r"up to 1e\+100"):
        dn.InformedResponse(LABELS, P, 1.0, "sum", values=[1, 0, 0, 1e101])
    number: Any = 1
    with pytest.raises(dn.ParameterError, match=r"^one_sided must be True or False"):
        dn.InformedResponse(LABELS, P, 1.0, one_sided=number)


# --- one side ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("prior", [P, [0.9, 0.1], [0.97, 0.01, 0.01, 0.01], [0.5, 0.0, 0.3, 0.2]])
def test_on_one_side_the_papers_channel_is_the_optimum(prior: list[float], epsilon: float) -> None:
    """For every goal and prior the paper's loss, which no channel of the promise goes below."""
    formula = one_sided_channel(prior, epsilon)
    for goal, values in (("histogram", None), ("sum", np.arange(len(prior)) ** 2)):
        m = dn.InformedResponse(len(prior), prior, epsilon, goal, values, one_sided=True)
        assert m.curator.method == "closed form"
        assert m.curator.bound == paper_loss(prior, epsilon, values)
        assert m.curator.bound <= m.curator.loss <= m.curator.bound * (1 + 1e-6)
        assert dn.audit(m).holds
        assert not m.guarantee.at(epsilon * (1 - 1e-6)).holds(m)
        two_sided = dn.InformedResponse(len(prior), prior, epsilon, goal, values)
        assert m.curator.loss <= two_sided.curator.loss * (1 + 1e-6)
        assert np.allclose(m.channel().probabilities[:, :-1], formula[:, np.array(prior) > 0], atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_no_channel_of_one_side_beats_the_paper(seed: int) -> None:
    """Random feasible channels, mixed with the prior until they keep the promise, lose at least as much."""
    rng = np.random.default_rng(seed)
    prior, epsilon = rng.dirichlet(np.ones(3)), 1.0
    best = paper_loss(prior, epsilon)
    for _ in range(200):
        channel = rng.dirichlet(np.full(4, 0.2), 3)
        marginal = prior @ channel
        lowest = (channel / np.where(marginal > 0, marginal, 1)).min()
        share = min(1.0, (1 - math.exp(-epsilon)) / (1 - lowest))  # lifts drawn towards 1 just far enough
        mixed = share * channel + (1 - share) * marginal
        assert channel_loss(prior, mixed) >= best - 1e-12


def test_the_closed_form_is_refused_on_two_sides_and_not_on_one() -> None:
    with pytest.raises(dn.ParameterError, match=r"would leak 1\.9"):
        dn.InformedResponse(2, [0.9, 0.1], 1.0, closed_form=True)
    m = dn.InformedResponse(2, [0.9, 0.1], 1.0, one_sided=True)
    assert dn.InformationPrivacy(2, [0.9, 0.1], 1.0).tightest(m) == pytest.approx(1.900477, abs=1e-5)
    assert m.curator.loss**0.5 == pytest.approx(
        (0.09 * (1 - (1 - math.exp(-1)) ** 2) * 2) ** 0.5, rel=1e-6
    )  # Fig. 5, twice
    plan = dn.plan(guarantee=m.guarantee, users=1000)
    assert plan.best == m


# --- reports that stay labels ----------------------------------------------------------------------------------------


def least_error(prior: Vector, values: Vector, epsilon: float) -> float:
    """The least E|X - Y| of all eps-LIP channels onto the labels: a linear program over every entry."""
    d, t = len(prior), math.exp(epsilon)
    costs = (prior[:, None] * np.abs(values[:, None] - values)).ravel()
    own = np.eye(d * d)
    marginals = np.stack([np.where(np.arange(d * d) % d == y, np.repeat(prior, d), 0) for y in range(d)])
    below = [marginals[y] / t - own[x * d + y] for x in range(d) for y in range(d)]
    above = [own[x * d + y] - t * marginals[y] for x in range(d) for y in range(d)]
    sums = np.kron(np.eye(d), np.ones(d))
    solved = linprog(
        costs, np.array(below + above), np.zeros(2 * d * d), sums, np.ones(d), bounds=(0, 1), method="highs"
    )
    assert solved.fun is not None
    return solved.fun


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("share", [0.5, 0.4, 0.3])
def test_proposition_3(share: float, epsilon: float) -> None:
    """Where jiang2018's binary optimum is feasible, no LIP channel has a smaller E|X - Y| than 2 P0 P1 / t."""
    prior = np.array([1 - share, share])
    formula = 2 * share * (1 - share) / math.exp(epsilon)
    m = dn.InformedResponse([0, 1], prior, epsilon, "sum").curator.as_labels()
    if share * (1 + math.exp(epsilon)) >= 1:
        assert least_error(prior, np.arange(2.0), epsilon) == pytest.approx(formula, rel=1e-9)
        assert m.curator.mean_absolute_error == pytest.approx(formula, rel=1e-6)
        assert prior @ m.channel().probabilities == pytest.approx(prior, abs=1e-6)  # Y is distributed as X
    else:
        assert m.curator.mean_absolute_error >= least_error(prior, np.arange(2.0), epsilon) * (1 - 1e-6)


@pytest.mark.parametrize("goal", ["histogram", "sum"])
@pytest.mark.parametrize("seed", range(6))
def test_no_order_errs_less(seed: int, goal: str) -> None:
    """All orders of up to five reports, one by one."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 6))
    prior, epsilon = rng.dirichlet(np.ones(d)), float(rng.choice([0.3, 1.0, 2.0]))
    labels = rng.choice(50, d, replace=False).tolist()
    m = dn.InformedResponse(labels, prior, epsilon, goal).curator.as_labels()
    values = np.array(labels, float)
    distance = np.abs(values[:, None] - values) if goal == "sum" else 1.0 - np.eye(d)
    joint = prior[:, None] * m.channel().probabilities
    errors = [(joint * distance[:, list(order)]).sum() for order in itertools.permutations(range(d))]
    assert m.curator.mean_absolute_error == pytest.approx(min(errors), rel=1e-9)
    assert (joint * distance).sum() == pytest.approx(m.curator.mean_absolute_error, rel=1e-9)
    assert m.curator.read_as.tolist() == list(range(d))
    assert m.layout.outputs == d


@pytest.mark.parametrize(("d", "goal"), [(4, "sum"), (30, "histogram"), (600, "histogram"), (600, "sum")])
def test_reports_are_labels(d: int, goal: str) -> None:
    prior = np.random.default_rng(d).dirichlet(np.full(d, 0.5))
    m = dn.InformedResponse(d, prior, 1.0, goal)
    named = m.curator.as_labels()
    assert dn.InformationPrivacy(d, prior, 1.0).holds(named)
    assert named.layout.outputs == d
    assert np.array_equal(named.curator.read_as, np.arange(d))
    assert named.curator.as_labels() == named
    assert named.curator.mean_absolute_error == pytest.approx(m.curator.mean_absolute_error, rel=1e-9)
    assert m.curator.loss * (1 - 1e-9) <= named.curator.loss <= m.curator.loss * (1 + 1e-6)
    held = np.random.default_rng(1).choice(d, 20_000, p=prior)
    sent = named.privatize_many(held, seed=3)
    off = np.abs(held - sent.astype(np.int64)) if goal == "sum" else (held != sent)
    assert abs(off.mean() - named.curator.mean_absolute_error) < 6 * off.std() / 20_000**0.5
    assert named.curator.survey(sent, 0).value >= 0


def test_more_reports_than_labels_are_joined() -> None:
    """ARC has up to twice as many reports as labels; what is joined tells no more, and the loss may only grow."""
    prior = np.random.default_rng(5).dirichlet(np.full(160, 30.0))
    m = dn.InformedResponse(160, prior, 5.0)
    named = m.curator.as_labels()
    assert m.layout.outputs > 161 > named.layout.outputs == 160
    assert named.guarantee.holds(named)
    assert m.curator.loss <= named.curator.loss * (1 + 1e-12)
    assert named.curator.loss < 1.06 * m.curator.loss
