"""Results: golden values of the sheet, estimates over arms, crossed tables, differences, all against simulation."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length
from tests.surveys.commute import LATE, WAY, crossed, people

import deniable as dn
from deniable.estimation.cross import CrossTable
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.pair import pairs_of
from deniable.surveys.arms import Arm, Part
from deniable.theory.risk.joint_support import JointSupport
from deniable.theory.risk.support import Support

pytestmark = pytest.mark.soak
FALSE_ALARM = 1e-9


def asked_of(count: int, labels: int) -> list[dn.OneOf]:
    return [dn.OneOf(f"q{k}", labels) for k in range(count)]


def all_pairs(questions: list[dn.OneOf], epsilon: float) -> dn.Survey:
    d = len(questions[0].labels) ** 2
    arms = [
        Arm(Part(pair, dn.Subset(pairs_of(pair), epsilon) if d > 4 else dn.RandomizedResponse(pairs_of(pair), epsilon)))
        for pair in itertools.combinations(questions, 2)
    ]  # fmt: skip
    return dn.Survey("pairs", questions, arms)


# --- golden values --------------------------------------------------------------------------------------------------


def test_covariances_of_subsets_are_those_of_the_sheet() -> None:
    """numbers.md 4: k = 2, E = 2.5, p = (.5, .2, .2, .1, 0): 3.157407 and -.829630."""
    joint = JointSupport.of(Support.subset(5, 2, math.log(2.5)), 5, closed=True)
    covariance = joint.covariance(np.array([0.5, 0.2, 0.2, 0.1, 0.0]))
    assert covariance[0, 0] == pytest.approx(3.157407, abs=1e-6)
    assert covariance[0, 1] == pytest.approx(-0.829630, abs=1e-6)
    weights = np.random.default_rng(0).normal(size=(4, 5))
    quick = joint.variances(weights, np.array([0.5, 0.2, 0.2, 0.1, 0.0]))
    assert quick == pytest.approx(np.diag(weights @ covariance @ weights.T))


@pytest.mark.parametrize("mechanism", [dn.RandomizedResponse, dn.Subset, dn.OptimizedUnary, dn.Rappor])
def test_covariances_are_those_of_the_exact_channel(mechanism: Any) -> None:
    m = mechanism(7, 1.0)
    p = np.arange(1, 8) / 28
    rows, reports = m.channel().probabilities, m.layout.every_report()
    support = m.law.support
    each = (m.law.supports(reports) - support.h) / support.gap
    seen = p @ rows
    exact = (each.T * seen) @ each - np.outer(p, p)
    found = JointSupport.of(support, 7, m.law.closed).covariance(p)
    assert found == pytest.approx(exact)


def test_margins_of_single_questions_and_pairs_err_as_in_the_sheet() -> None:
    """numbers.md 4: q = 10 yes/no, eps 1: single 11.7067, pairs 13.843705; q = 5, d = 4, pairs 25.956947."""
    single = dn.Survey("s", q := asked_of(10, 2), [Arm(Part(each, dn.RandomizedResponse(2, 1.0))) for each in q])
    for survey, golden in (
        (single, 11.7067),
        (all_pairs(asked_of(10, 2), 1.0), 13.843705),
        (all_pairs(asked_of(5, 4), 1.0), 25.956947),
    ):
        found = survey.expected(10**6)["q0"].error ** 2 * 10**6
        assert found == pytest.approx(golden, rel=1e-5)


@pytest.mark.parametrize(("count", "labels", "golden"), [(10, 2, 38.070188), (5, 4, 22.712328)])
def test_cells_of_crossed_questions_err_as_in_the_sheet(count: int, labels: int, golden: float) -> None:
    """numbers.md 4: a cell's n Var, at the uniform truth: every source's covariance taken there."""
    survey = all_pairs(asked_of(count, labels), 1.0)
    arms, cells = len(survey.arms), labels**2
    n = 10_000 * arms
    flat = np.full(cells, 10_000 // cells)
    tallies = []
    for arm in survey.arms:
        m = arm.parts[0].mechanism
        held = m.draw_tally(flat, np.random.default_rng(0))
        tallies.append((held,))
    table = survey.estimate(dn.SurveyTally(survey, tuple(tallies))).cross("q0", "q1")
    per_arm = int(flat.sum())
    variance = uniform_variance(table)
    assert variance * per_arm * arms == pytest.approx(golden, rel=2e-3)
    assert n >= per_arm


def uniform_variance(table: CrossTable) -> float:
    """The variance of the first cell if every source's labels were uniform."""
    found = 0.0
    for source, weights in zip(table.evidence.sources, table.evidence.weights, strict=True):
        d = weights.shape[1]
        first = weights[[0]].toarray()
        found += float((source.covary(first, np.full((1, d), 1 / d)) @ first.T)[0, 0])
    return found


# --- against simulation ---------------------------------------------------------------------------------------------


def drawn(survey: dn.Survey, n: int, seed: int) -> dn.SurveyTally:
    """A tally of n people drawn from the joint distribution of way and late, by its exact law."""
    cells = list(itertools.product(WAY.labels, LATE.labels))
    generator = np.random.default_rng(seed)
    held = generator.multinomial(n, TRUTH.ravel())
    table = {"way": [a for a, _ in cells], "late": [b for _, b in cells], "ill": ["well"] * len(cells)}
    return survey.draw_tally(table, held, generator)


TRUTH = np.array([[0.24, 0.16], [0.06, 0.24], [0.04, 0.16], [0.02, 0.08]])


@pytest.mark.parametrize("n", [300, 5000])
def test_margins_and_cells_are_covered(n: int) -> None:
    """95% intervals cover 94.5% of surveys at least, up to chance: a false alarm is rarer than 1e-6."""
    survey, rounds = crossed(), by_length(200, 1500)
    hits = np.zeros(3)
    counts = np.array([4 + 2, 8, 0])
    for seed in range(rounds):
        results = survey.estimate(drawn(survey, n, seed))
        table = results.cross("way", "late")
        for name, truth in (("way", TRUTH.sum(axis=1)), ("late", TRUTH.sum(axis=0))):
            low, high = results[name].interval().T
            hits[0] += ((low <= truth) & (truth <= high)).sum()
        bounds = table.interval().reshape(-1, 2)
        hits[1] += ((bounds[:, 0] <= TRUTH.ravel()) & (TRUTH.ravel() <= bounds[:, 1])).sum()
    share = hits[:2] / (counts[:2] * rounds)
    slack = 5 * np.sqrt(0.945 * 0.055 / (rounds * 2))
    assert (share > 0.945 - slack).all(), share
    assert (share < 0.985).all(), share


def test_estimates_are_unbiased_and_err_as_predicted() -> None:
    survey, n, rounds = crossed(), 2000, 1000
    found = np.array([survey.estimate(drawn(survey, n, seed)).cross("way", "late").shares for seed in range(rounds)])
    table = survey.estimate(drawn(survey, n, 1)).cross("way", "late")
    error = found.std(axis=0, ddof=1)
    z = (found.mean(axis=0) - TRUTH) / (error / math.sqrt(rounds))
    assert np.abs(z).max() < stats.norm.isf(FALSE_ALARM / 16)
    assert error == pytest.approx(table.stderr, rel=0.15)


def test_weights_between_arms_follow_from_the_specs_and_not_from_the_counts() -> None:
    """numbers.md and the issue: 12 arms of 40 people, a share of .10 weighed by the counts is off by 2 points."""
    arms = [Arm(Part(LATE, dn.RandomizedResponse(LATE.labels, 1.0 + k / 100))) for k in range(12)]
    survey = dn.Survey("arms", [LATE], arms)
    table = {"late": ["yes", "no"]}
    found, rounds = [], by_length(200, 1500)
    for seed in range(rounds):
        generator = np.random.default_rng(seed)
        tally = survey.draw_tally(table, [48, 432], generator)
        found.append(survey.estimate(tally, "unbiased")["late"].unbiased[0])
    assert np.mean(found) == pytest.approx(0.1, abs=5 * np.std(found) / math.sqrt(rounds))
    assert 5 * np.std(found) / math.sqrt(rounds) < 0.02


def test_equal_parts_of_several_arms_are_one_law_with_exact_intervals() -> None:
    part = Part(LATE, dn.RandomizedResponse(LATE.labels, 1.0))
    other = Part(WAY, dn.RandomizedResponse(WAY.labels, 1.0))
    survey = dn.Survey("arms", [LATE, WAY], [Arm(part), Arm([part, other])])
    tally = survey.tally(survey.answer_many({k: v for k, v in people(1000).items() if k != "ill"}, seed=1))
    alone = part.mechanism.estimate(tally.arms[0][0] + tally.arms[1][0])
    estimate = survey.estimate(tally)["late"]
    assert estimate.frequencies == pytest.approx(alone.frequencies)
    assert estimate.interval() == pytest.approx(alone.interval())
    assert not estimate.notes
    several = survey.estimate(tally)["way"]
    assert several.n == tally.arms[1][0].n


def test_adding_a_question_to_an_arm_changes_no_other_tally() -> None:
    late = Part(LATE, dn.RandomizedResponse(LATE.labels, 1.0))
    way = Part(WAY, dn.RandomizedResponse(WAY.labels, 1.0))
    alone, both = dn.Survey("s", [LATE], [Arm(late)]), dn.Survey("s", [LATE, WAY], [Arm([late, way])])
    given = people(2000)
    one = alone.tally(alone.answer_many({"late": given["late"]}, seed=1))
    two = both.tally(both.answer_many({"late": given["late"], "way": given["way"]}, seed=1))
    assert one.arms[0][0] == two.arms[0][0]


def test_a_question_nobody_was_asked_is_said() -> None:
    survey = crossed()
    with pytest.raises(TallyError, match="must have been answered"):
        survey.estimate(survey.tally())["way"]
    with pytest.raises(ParameterError, match="must be one of way, late, ill"):
        survey.estimate(survey.tally())["weather"]
    with pytest.raises(ParameterError, match="got no arm with both"):
        survey.estimate(survey.tally(survey.answer_many(people(500), seed=1))).cross("way", "ill")


def test_a_table_moves_to_known_margins_and_reads_in_every_form() -> None:
    survey = crossed()
    results = survey.estimate(survey.tally(survey.answer_many(people(20_000), seed=1)))
    table = results.cross("way", "late")
    assert table.shares.sum() == pytest.approx(1)
    assert table.shares.sum(axis=1) == pytest.approx(results["way"].unbiased)
    assert table.shares.sum(axis=0) == pytest.approx(results["late"].unbiased)
    assert table.shares == pytest.approx(results.cross("late", "way").shares.T)
    moved = table.with_margins(rows=[0.4, 0.3, 0.2, 0.1], columns=[0.3, 0.7])
    assert moved.sum(axis=1) == pytest.approx([0.4, 0.3, 0.2, 0.1])
    assert moved.sum(axis=0) == pytest.approx([0.3, 0.7])
    assert table.test.p_value < 1e-6
    assert table.test.df == 3
    assert "the answers are independent" in str(table)
    assert table.to_csv().count("\n") == 9
    assert len(table.to_dict()["share"]) == 8
    assert "<table" in table._repr_html_()


# --- differences ----------------------------------------------------------------------------------------------------


def test_differences_of_two_groups_keep_their_level_and_find_what_the_sheet_says() -> None:
    """numbers.md 5: yes or no, eps 1, .3 against .35: 7,158 people a group find it in 80% of surveys."""
    m, rounds = dn.RandomizedResponse(["yes", "no"], 1.0), by_length(300, 1000)

    def found(p: float, q: float, n: int, seed: int) -> Any:
        generator = np.random.default_rng(seed)
        one, other = (
            m.estimate(m.draw_tally(generator.multinomial(n, [share, 1 - share]), generator), "unbiased")
            for share in (p, q)
        )
        return one.difference(other)

    level = np.mean([found(0.3, 0.3, 300, seed).test.p_value < 0.05 for seed in range(rounds)])
    assert level < 0.05 + 5 * math.sqrt(0.05 * 0.95 / rounds)
    power = np.mean([found(0.3, 0.35, 7158, seed).test.p_value < 0.05 for seed in range(rounds)])
    assert power == pytest.approx(0.8, abs=0.02 + 5 * math.sqrt(0.16 / rounds))
    for n in (50, 300):
        inside = [np.prod(found(0.1, 0.3, n, seed).interval()[0] - 0.2) <= 0 for seed in range(rounds)]
        assert np.mean(inside) > 0.95 - 5 * math.sqrt(0.95 * 0.05 / rounds)


def test_a_difference_is_of_the_same_labels_and_reads_in_every_form() -> None:
    m, other = dn.RandomizedResponse(["yes", "no"], 1.0), dn.RandomizedResponse(["a", "b"], 1.0)
    one, two = (m.estimate(m.privatize_many(["yes"] * n + ["no"] * 500, seed=n)) for n in (100, 400))
    found = one.difference(two)
    assert found.values.sum() == pytest.approx(0)
    assert found.stderr == pytest.approx(np.hypot(one.stderr, two.stderr))
    assert "Fisher's test" in str(found)
    assert found.to_csv().startswith("label,value")
    with pytest.raises(ParameterError, match="same labels"):
        one.difference(other.estimate(other.privatize_many(["a"], seed=1)))


def test_a_cell_below_zero_is_starred_as_other_unbiased_shares_are() -> None:
    survey = crossed()
    drawn_few = survey.draw_tally({"way": ["car"], "late": ["no"], "ill": ["well"]}, [400], np.random.default_rng(3))
    table = survey.estimate(drawn_few).cross("way", "late")
    below = int((table.shares < 0).sum())
    assert below
    shown = str(table)
    assert shown.count("* \N{MINUS SIGN}") == below
    assert "-" not in shown.partition("\n")[0]
    assert "own interval" in shown.splitlines()[-1]
