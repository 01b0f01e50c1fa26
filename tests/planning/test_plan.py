"""Plans: what is ranked, what is solved, what is refused."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import deniable as dn
from deniable.mechanisms.registry import FAMILIES

PLAIN = [family.name for family in FAMILIES.values() if family.plain]


def test_rows_are_sorted_and_predicted() -> None:
    plan = dn.plan(256, 1.0, 100_000)
    errors = [row.error for row in plan.rows]
    assert errors == sorted(errors)
    assert {row.name for row in plan.rows} == set(PLAIN)
    assert plan.best is plan.rows[0].mechanism
    for row in plan.rows:
        assert row.error == pytest.approx(math.sqrt(row.mechanism.risk(100_000) / 256))
        assert row.report_bits == row.mechanism.report_bits
        assert row.leverage == row.mechanism.law.leverage
    assert plan.accuracy == plan.rows[0].error


def test_few_labels_or_much_epsilon_take_the_simplest() -> None:
    """k-RR is 1-subset: of equal errors the shorter report comes first."""
    assert dn.plan(2, 1.0, 1000).best.name == "RandomizedResponse"
    assert dn.plan(10, 5.0, 1000).best.name == "RandomizedResponse"


def test_few_bits() -> None:
    plan = dn.plan(1000, 1.0, 1000, max_bits=11)
    assert all(row.report_bits <= 11 for row in plan.rows)
    assert plan.best.name == "Cyclic"
    assert {row.name for row in dn.plan(1000, 1.0, 1000, max_bits=10).rows} >= {"RandomizedResponse", "Cyclic"}


def test_each_of_three_is_solved_from_the_others() -> None:
    asked = dn.plan(64, epsilon=1.0, users=50_000)
    users = dn.plan(64, epsilon=1.0, accuracy=asked.accuracy)
    assert users.solved == "users"
    assert 50_000 <= users.users <= 50_001
    epsilon = dn.plan(64, users=50_000, accuracy=asked.accuracy)
    assert epsilon.solved == "epsilon"
    assert epsilon.epsilon == pytest.approx(1.0, rel=1e-5)
    assert epsilon.accuracy <= asked.accuracy * (1 + 1e-12)


def test_the_guarantee_gives_epsilon() -> None:
    assert dn.plan(8, users=10, guarantee=dn.LDP(2.0)).epsilon == 2.0
    with pytest.raises(dn.ParameterError, match="guarantee"):
        dn.plan(8, 1.0, 10, guarantee=dn.LDP(2.0))


def test_it_prints_and_exports() -> None:
    plan = dn.plan(1000, 1.0, 100_000)
    page = str(plan)
    for name in PLAIN:
        assert name in page
    assert "predicted to err least" in page
    assert "Cyclic errs" in page
    assert json.loads(json.dumps(plan.to_dict()))["rows"][0]["name"] == plan.best.name


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"epsilon": 1.0},
        {"epsilon": 1.0, "users": 10, "accuracy": 0.1},
        {"epsilon": 0, "users": 10},
        {"epsilon": 1.0, "users": 0},
        {"epsilon": 1.0, "users": 2.5},
        {"epsilon": 1.0, "accuracy": 0},
        {"epsilon": 1.0, "accuracy": float("nan")},
        {"epsilon": 1.0, "users": 10, "max_bits": 2},
        {"epsilon": 1.0, "users": 10, "max_bits": True},
        {"users": 10, "accuracy": 1e-9},
    ],
)
def test_bad_questions(arguments: dict[str, Any]) -> None:
    with pytest.raises(dn.ParameterError, match="must"):
        dn.plan(8, **arguments)


def test_a_million_labels_and_extreme_levels() -> None:
    assert len(dn.plan(1_000_000, 1.0, 10**9).rows) == len(PLAIN)
    for epsilon in (1e-6, 32.0):
        assert dn.plan(1000, epsilon, 10).rows


def high_low() -> dn.HighLow:
    return dn.HighLow(100, range(30), 1.0)


@pytest.mark.parametrize(
    ("guarantee", "first", "beside"),
    [
        (high_low(), "HighLowSubset", "HighLowHadamard"),
        (dn.Blocks([range(7), [7], range(8, 72), range(72, 100)], 1.0), "BlockSubset", "BlockHadamard"),
        (dn.Pairwise(2, [[0, 1.0], [math.inf, 0]]), "BinaryResponse", "RandomizedResponse"),
        (dn.Distance(20, 0.5), "Geometric", "Subset"),
        (dn.Pairwise(3, [[0, 1.0, 2], [math.inf, 0, 1], [2, 2, 0]]), "OptimalChannel", "Subset"),
        (dn.InformationPrivacy(3, [0.7, 0.2, 0.1], 1.0), "InformedResponse", "RandomizedResponse"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_context_is_ranked_beside_plain_ldp(guarantee: Any, first: str, beside: str) -> None:
    plan = dn.plan(guarantee=guarantee, users=1000)
    assert plan.rows[0].name == first
    assert beside in {row.name for row in plan.rows}
    assert all(guarantee.holds(row.mechanism) for row in plan.rows if row.mechanism.layout.outputs <= 2048)
    assert plan.rows[0].error < min(row.error for row in plan.rows if row.plain)
    assert "Plain LDP that keeps the guarantee" in plan.reason
    assert str(guarantee) in str(plan)
    assert plan.to_dict()["guarantee"] == str(guarantee)
    users = dn.plan(guarantee=guarantee, accuracy=plan.accuracy)
    assert users.users == pytest.approx(1000, abs=1)


def test_the_optimal_channel_is_never_worse_than_what_it_competes_with() -> None:
    """At the worst truth, for a few labels, up to the estimator that it is read with."""
    plan = dn.plan(guarantee=dn.Blocks([[0, 1], [2, 3, 4]], 1.0), users=1000)
    errors = {row.name: row.error for row in plan.rows}
    assert errors["OptimalChannel"] <= min(errors.values()) * 1.02


@pytest.mark.parametrize(
    "arguments",
    [
        {"guarantee": high_low(), "epsilon": 2.0, "users": 10},
        {"guarantee": high_low(), "domain": 7, "users": 10},
        {"guarantee": high_low()},
        {"guarantee": high_low(), "users": 10, "accuracy": 0.1},
        {"guarantee": dn.Pairwise(2, [[0, 0.0], [1.0, 0]]), "users": 10},
        {"guarantee": dn.LDP(1.0), "users": 10},
        {"guarantee": "LDP", "domain": 3, "users": 10},
    ],
)
def test_bad_plans_of_guarantees(arguments: dict[str, Any]) -> None:
    with pytest.raises(dn.ParameterError):
        dn.plan(**arguments)


def test_a_prior_is_no_reason_to_forget_bits() -> None:
    plan = dn.plan(guarantee=dn.InformationPrivacy(4, [0.4, 0.3, 0.2, 0.1], 1.0), users=10, max_bits=2)
    assert all(row.report_bits <= 2 for row in plan.rows)


def test_plans_of_open_alphabets() -> None:
    plan = dn.plan(epsilon=3.0, users=100_000, candidates=1000)
    best = plan.best
    assert isinstance(best, dn.HashedResponse)
    assert (best.symbols, best.cohorts) == (16, 256)
    errors = [row.error for row in plan.rows]
    assert errors == sorted(errors)
    assert "1000 candidates" in str(plan)
    assert dn.plan(epsilon=3.0, accuracy=plan.accuracy, candidates=1000).users == pytest.approx(100_000, abs=1)
    assert all(row.report_bits <= 12 for row in dn.plan(epsilon=3.0, users=10, candidates=1000, max_bits=12).rows)
    uniform = [1 / 1000] * 1000
    assert plan.accuracy == pytest.approx(math.sqrt(best.risk(100_000, truth=uniform, target="sample") / 1000))
    bad: list[dict[str, Any]] = [
        {"epsilon": 1.0, "users": 10, "candidates": 1},
        {"epsilon": 1.0, "users": 10, "candidates": 10, "domain": 5},
        {"users": 10, "candidates": 10},
        {"epsilon": 1.0, "candidates": 10},
        {"epsilon": 1.0, "users": 10, "candidates": 1000, "max_bits": 11},  # too few to tell a thousand texts apart
        {"guarantee": high_low(), "users": 10, "candidates": 10},
    ]
    for arguments in bad:
        with pytest.raises(dn.ParameterError):
            dn.plan(**arguments)


@pytest.mark.parametrize("prior", [[1, 0, 0], [0, 0, 1.0], [0.5, 0.5, 0], [1e-300, 0.5, 0.5], [1, 0]])
@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 32.0])
def test_plans_of_priors_with_zeros(prior: list[float], epsilon: float) -> None:
    """A prior that leaves no doubt leaves no error, and somebody must still be asked."""
    guarantee = dn.InformationPrivacy(len(prior), prior, epsilon)
    for plan in (dn.plan(guarantee=guarantee, users=1000), dn.plan(guarantee=guarantee, accuracy=0.01)):
        assert plan.users >= 1
        assert plan.rows[0].error >= 0
        certain = max(prior) == 1
        assert (plan.rows[0].error == 0) >= certain
        assert ("not to err" in str(plan)) == (plan.rows[0].error == 0)
        assert plan.to_dict()["reason"] == plan.reason


def test_a_plan_says_in_a_few_sentences_what_to_expect() -> None:
    plan = dn.plan(4, epsilon=1.0, users=10_000)
    outlook = plan.outlook
    assert outlook is not None
    promise = "With 4 labels, epsilon 1, 10,000 people: RandomizedResponse errs least of 6 mechanisms."
    assert plan.summary() == " ".join([promise, *outlook.sentences])
    only = dn.plan(epsilon=3.0, users=100_000, candidates=1000, max_bits=12)
    assert only.summary().startswith("With 1000 candidates, epsilon 3, 100,000 people: ")


def test_a_plan_that_is_of_no_use_promises_nothing() -> None:
    """Of a survey that errs more than a guess, its margins are not told, only that it is of no use."""
    useless = dn.plan(1000, epsilon=0.1, users=100)
    said = useless.summary()
    assert said.endswith(useless.warnings[0])
    assert "19 of 20" not in said


def test_a_named_mechanism_that_cannot_be_ranked_is_said_to_be_left_out() -> None:
    plan = dn.plan(256, epsilon=1.0, users=10**5, mechanisms=["HashedResponse", "subset", "Geometric", "PrivateSet"])
    assert [row.name for row in plan.rows] == ["Subset"]
    reasons = {sentence.partition(" ")[0]: sentence for sentence in plan.left_out}
    assert reasons.keys() == {"HashedResponse", "Geometric", "PrivateSet"}
    assert "symbols and cohorts are yours to choose" in reasons["HashedResponse"]
    assert "for this guarantee" in reasons["Geometric"]
    assert "lists of labels" in reasons["PrivateSet"]
    assert all(sentence in str(plan) for sentence in plan.left_out)
    assert plan.to_dict()["left_out"] == list(plan.left_out)
    assert dn.plan(256, epsilon=1.0, users=10**5).left_out == ()
    texts = dn.plan(epsilon=3.0, users=10**5, candidates=100, mechanisms=["Subset", "HashedResponse"])
    assert texts.left_out == ("Subset is not ranked: it does not take texts that nobody listed.",)
    short = dn.plan(256, epsilon=1.0, users=10**5, max_bits=9, mechanisms=["Subset", "Cyclic"])
    assert "do not fit in 9 bits" in short.left_out[0]


@pytest.mark.parametrize("arguments", [{"domain": 256}, {"candidates": 100}])
def test_names_of_which_none_can_be_ranked_are_refused_with_the_reason(arguments: dict[str, Any]) -> None:
    names = ["PrivateSet"] if "domain" in arguments else ["Subset"]
    with pytest.raises(dn.ParameterError, match=f"must name one that can be ranked, got none: {names[0]} is not"):
        dn.plan(epsilon=1.0, users=1000, mechanisms=names, **arguments)


def test_mechanisms_themselves_are_ranked_beside_names_and_classes() -> None:
    """One that is for other labels, or keeps less, is said to be left out; anything else is refused."""
    fair = dn.Channel(4, [[0.4, 0.2, 0.2, 0.2], [0.2, 0.4, 0.2, 0.2], [0.2, 0.2, 0.4, 0.2], [0.2, 0.2, 0.2, 0.4]])
    asked: list[Any] = [dn.Subset, "cyclic", fair, dn.Subset(4, 2.0), dn.Subset(5, 1.0), dn.Subset(4, 1.0, size=2)]
    plan = dn.plan(4, epsilon=1.0, users=1000, mechanisms=asked)
    assert [row.name for row in plan.rows][:2] == ["Cyclic", "Subset"]
    assert {row.name for row in plan.rows[2:]} == {repr(fair), repr(asked[-1])}
    assert plan.rows[-1].error == pytest.approx(math.sqrt(fair.risk(1000) / 4), rel=1e-12)
    assert plan.left_out == (
        f"{asked[3]!r} is not ranked: 2-LDP is not proven to keep 1-LDP.",
        f"{asked[4]!r} is not ranked: it is for other labels.",
    )
    wrong: list[Any] = [3]
    with pytest.raises(dn.ParameterError, match="must be names, classes or mechanisms, got int"):
        dn.plan(4, epsilon=1.0, users=1000, mechanisms=wrong)
    with pytest.raises(dn.ParameterError, match=r"got none: .* is not ranked: it is for other labels"):
        dn.plan(4, epsilon=1.0, users=1000, mechanisms=[dn.Subset(5, 1.0)])


def test_a_mechanism_whose_odds_leave_nothing_to_tell_is_left_out_by_itself() -> None:
    """One of another family, whose whole weights are alike at a level so small, costs the others nothing."""
    alike = dn.Channel(4, [[0.25] * 4] * 4)
    plan = dn.plan(4, epsilon=1e-4, users=1000, mechanisms=[alike, "Subset"])
    assert [row.name for row in plan.rows] == ["Subset"]
    assert plan.left_out == (f"{alike!r} is not ranked: its reports do not tell all labels apart.",)


def test_a_plan_says_how_far_it_is_from_what_nobody_can_beat() -> None:
    plan = dn.plan(16, epsilon=1.0, users=10**8)
    assert plan.least == pytest.approx(math.sqrt(dn.bounds.minimax_l2(16, 1.0, 10**8) / 16), rel=1e-12)
    assert "at most 0.072% above what any mechanism can do with so many people; with ever more people" in str(plan)
    ranked = dn.plan(16, epsilon=1.0, users=10**8, mechanisms=["Hadamard"])
    assert "at most 20% above what any mechanism can do with so many people." in str(ranked)
    blocks = dn.plan(guarantee=dn.Blocks([list("abcd"), list("efg")], 1.0), users=1000)
    assert blocks.least == pytest.approx(math.sqrt(dn.bounds.minimax_l2(4, 1.0, 1000) / 7), rel=1e-12)
    levels = dn.plan(guarantee=dn.Pairwise(2, [[0, 1.0], [2.0, 0]]), users=1000)
    assert levels.least is None
    assert "any mechanism" not in str(levels)


def test_people_for_a_ratio_of_odds_are_a_column_more() -> None:
    """Each row's number is that of the bound; without it nothing of a plan changes."""
    plan = dn.plan(["no", "yes"], 1.0, 5000)
    more = plan.with_odds(2, 0.1)
    wanted = [dn.bounds.people_for_odds_ratio(2, 0.1, row.mechanism) for row in plan.rows]
    assert more.columns == {**plan.columns, "people_a_group": wanted}
    assert more.to_dict()["odds_ratio"] == 2
    assert "odds_ratio" not in plan.to_dict()
    assert str(more).splitlines()[1].split()[-3:] == ["people", "a", "group"]
    assert "283 a group would do" in str(more)
    for wrong in (dn.plan(3, 1.0, 5000), dn.plan(epsilon=1.0, users=5000, candidates=2)):
        with pytest.raises(dn.ParameterError, match="a ratio of odds must be of two labels"):
            wrong.with_odds(2, 0.1)
