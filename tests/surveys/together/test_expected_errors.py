"""What a plan states, what surveys drawn at random err by, and how wide their own intervals are: one story.

Each kind of question is planned at levels from 0.5 to 4 for 100 to 20,000 people, who are drawn anew for each survey
from the truth that ``expected`` names. Squared errors over the stated variance add up to about a chi-square of as many
degrees of freedom as there are surveys, times those of a survey, of which a number is given that is none too many.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Matrix, Vector
from deniable.estimation.numbers.distribution import Distribution
from deniable.protocol.questions.pair import Pair, pairs_of
from deniable.surveys.part_errors import item_variance
from deniable.surveys.questions.kind import Expected
from deniable.surveys.questions.number_errors import mean_error
from deniable.theory.numbers.points import worth_of
from deniable.theory.numbers.reports import PointReport

pytestmark = pytest.mark.soak
SURVEYS = by_length(100, 1000)
LEAST_KNOWN = 20
"""How many ends of intervals there must be that were not cut off."""
LEVELS, PEOPLE = (0.5, 1.0, 2.0, 4.0), (100, 1000, 20_000)
BLACK = [(level, people) for row, level in enumerate(LEVELS) for people in PEOPLE[(row + 1) % 2 :: 2]]
"""Every other field of a board of levels by people: each level and each number of people is among them."""
ALPHA = 1e-9
"""How often chance makes one of the comparisons fail, at most; there are fewer than two hundred."""
WIDER = 0.25
"""By how much of the stated give or take an interval's own may differ from it."""
Z = 1.959964


Read = Callable[[dn.Estimate], tuple[Vector, Vector, Matrix]]
"""Unbiased estimates, the truth, and intervals at 95%, infinite where they were cut off."""


@dataclass(frozen=True)
class Told:
    """What is stated of a question and told of it."""

    name: str
    stated: Callable[[Expected], float | None]
    read: Read
    freedom: int
    """No more degrees of freedom than the errors of one survey have."""


@dataclass(frozen=True)
class World:
    """A survey, the rows of answers that are equally frequent, and what is told of them."""

    questions: list[Any]
    rows: dict[str, list[Any]]
    told: tuple[Told, ...]
    cross: tuple[tuple[str, str], ...] = ()

    def survey(self, level: float, people: int) -> dn.Survey:
        """The survey that is planned."""
        return dn.Survey.plan("s", self.questions, level, people, self.cross)


def shares(truth: float) -> Read:
    """What is read of shares that are all as large."""
    return lambda found: (found.unbiased, np.full(len(found.labels), truth), found.evidence.interval(0.05))


def mean(found: dn.Estimate) -> tuple[Vector, Vector, Matrix]:
    """What is read of the mean of numbers that are all equally frequent, as a part of the range."""
    assert isinstance(found, Distribution)
    ends = np.array([found.mean.interval(0.95)]) / found.scale.steps
    return np.array([found.mean.value / found.scale.steps]), np.array([0.5]), within(ends)


def below(found: dn.Estimate) -> tuple[Vector, Vector, Matrix]:
    """What is read of the shares below every cell."""
    assert isinstance(found, Distribution)
    ranges = found.reports.ranges
    assert ranges is not None
    bounds = np.stack(ranges.pointwise(0.95), axis=1)[1:-1]
    return ranges.shares[1:-1], np.arange(1, ranges.cells) / ranges.cells, within(bounds)


def within(bounds: Matrix) -> Matrix:
    """Bounds, infinite where they are those of everything there is."""
    return np.where((bounds > 0) & (bounds < 1), bounds, np.inf)


def share(truth: float, freedom: int, name: str = "q") -> Told:
    """Shares that are all as large."""
    return Told(name, lambda row: row.error, shares(truth), freedom)


LABELS, MANY = list("abcde"), list(range(12))
MEAN = dn.Number("q", 0, 60, want="mean")
WORLDS = {
    "one of": World([dn.OneOf("q", LABELS)], {"q": LABELS}, (share(1 / 5, 4),)),
    "any of": World(
        [dn.AnyOf("q", LABELS)],
        {"q": [list(held) for size in range(6) for held in itertools.combinations(LABELS, size)]},
        (share(1 / 2, 3),),
    ),
    "any of, at most 3": World(
        [dn.AnyOf("q", MANY, most=3)],
        {"q": [[place, (place + 1) % 12, (place + 5) % 12] for place in MANY]},
        (share(1 / 4, 6),),
    ),
    "mean": World([MEAN], {"q": list(range(61))}, (Told("q", lambda row: row.mean, mean, 1),)),
    "mean at the worst": World([MEAN], {"q": [0, 60]}, (Told("q", lambda row: row.mean_worst, mean, 1),)),
    "mean and below": World(
        [dn.Number("q", 0, 63)],
        {"q": list(range(64))},
        (Told("q", lambda row: row.mean, mean, 1), Told("q", lambda row: row.below, below, 2)),
    ),
    "crossed": World(
        [dn.OneOf("p", ["yes", "no"]), dn.OneOf("q", list("abc"))],
        {"p": ["yes"] * 3 + ["no"] * 3, "q": list("abcabc")},
        (share(1 / 2, 1, "p"), share(1 / 3, 2)),
        cross=(("p", "q"),),
    ),
}


@dataclass(frozen=True)
class Found:
    """What a plan stated, the mean square of the errors of surveys, and their intervals' mean give or take."""

    told: Told
    stated: float
    square: float
    reach: float

    def is_as(self, stated: float) -> bool:
        """Whether chance explains how far the errors are from a stated one."""
        freedom = SURVEYS * self.told.freedom
        low, high = (float(stats.chi2.ppf(tail, freedom)) / freedom for tail in (ALPHA / 2, 1 - ALPHA / 2))
        return bool(low <= self.square / stated**2 <= high)


def found_in(world: World, level: float, people: int) -> list[Found]:
    """What many surveys of a world tell."""
    survey, rng = world.survey(level, people), np.random.default_rng([people, int(10 * level)])
    rows = len(next(iter(world.rows.values())))
    even = np.full(rows, 1 / rows)
    drawn = [survey.draw_tally(world.rows, rng.multinomial(people, even), rng) for _ in range(SURVEYS)]
    results = [survey.estimate(tally, "unbiased") for tally in drawn]
    expected = survey.expected(people)
    return [_read(told, expected[told.name], [result[told.name] for result in results]) for told in world.told]


def _read(told: Told, row: Expected, results: list[dn.Estimate]) -> Found:
    squares, reaches, stated = [], [], told.stated(row)
    assert stated is not None
    for values, truth, bounds in map(told.read, results):
        squares.append(np.mean((values - truth) ** 2))
        reaches.append(np.abs(bounds - values[:, None])[np.isfinite(bounds)])
    known = np.concatenate(reaches)
    assert len(known) >= LEAST_KNOWN
    return Found(told, stated, float(np.mean(squares)), float(known.mean()))


EVERY = [(name, *field) for name in WORLDS for field in itertools.product(LEVELS, PEOPLE)]
SOME = [(name, *field) for place, name in enumerate(WORLDS) for field in BLACK[place % 2 :: 2]]
"""Half of those fields for each world, the other half for the next."""


@pytest.mark.parametrize(("name", "level", "people"), by_length(SOME, EVERY))
def test_plans_results_and_simulations_agree(name: str, level: float, people: int) -> None:
    for found in found_in(WORLDS[name], level, people):
        assert found.is_as(found.stated)
        assert found.reach == pytest.approx(Z * found.stated, rel=WIDER)


@pytest.mark.parametrize("name", ["one of", "any of", "crossed", "mean and below"])
def test_a_stated_error_that_is_wrong_is_caught(name: str) -> None:
    """Declared power: errors that are wrong by a factor of 1.9, or of 1.25 in a long run."""
    wrong = by_length(1.9, 1.25)
    for found in found_in(WORLDS[name], 2.0, 1000):
        assert not found.is_as(found.stated * wrong)
        assert not found.is_as(found.stated / wrong)


def test_the_error_of_a_mean_of_people_who_are_fixed_is_caught() -> None:
    """Planted: the noise about one given number, which leaves out who is asked."""
    [found] = found_in(WORLDS["mean"], 4.0, 1000)
    [part] = {arm.parts[0].mechanism for arm in WORLDS["mean"].survey(4.0, 1000).arms}
    rows = part.channel().probabilities
    noise = PointReport(rows, worth_of(rows), levels=9).worst
    assert not found.is_as(math.sqrt(noise / 1000) / 2)


def test_the_error_of_labels_that_half_of_all_hold_is_caught() -> None:
    """Planted: of lists of at most 3 of 12 labels nobody can hold half."""
    world = WORLDS["any of, at most 3"]
    [found] = found_in(world, 4.0, 1000)
    [part] = (arm.parts[0] for arm in world.survey(4.0, 1000).arms)
    assert found.is_as(math.sqrt(item_variance(part, 1 / 4) / 1000))
    assert not found.is_as(math.sqrt(item_variance(part, 1 / 2) / 1000) * by_length(1.3, 1))


# --- what is stated -----------------------------------------------------------------------------------------------


def test_who_tells_of_a_mean_and_the_worst_truth_are_said() -> None:
    expectation = dn.Survey.plan("s", [dn.Number("x", 0, 60, unit="min")], 3.0, 1200).expected(1200)
    row = expectation["x"]
    assert (row.people, row.mean_people) == (1200, 300)
    assert row.mean is not None
    assert row.mean_worst is not None
    assert row.error == row.below
    usual, most = (f"{60 * Z * error:.2g} min" for error in (row.mean, row.mean_worst))
    said = f"give or take {usual} if all numbers are equally frequent, at most {most}."
    assert f"300 people tell of the mean of x: {said}" in str(expectation)
    assert row.to_dict()["mean_people"] == 300
    assert "if all numbers are equally frequent" in row.note


@pytest.mark.parametrize(("level", "people"), [(1.0, 800), (3.0, 120), (4.0, 5000)])
def test_no_truth_exceeds_the_worst_error_of_a_mean(level: float, people: int) -> None:
    """Random truths, and the one that reaches it: the variance of the population in closed form."""
    question, rng = dn.Number("x", 0, 20, want="mean"), np.random.default_rng(1)
    survey = dn.Survey.plan("s", [question], level, people)
    part = survey.arms[0].parts[0]
    rows, levels = part.mechanism.channel().probabilities, len(survey.arms)
    report = PointReport(rows, worth_of(rows), levels)
    worst = survey.expected(people)["x"].mean_worst
    assert worst is not None
    truths = [*rng.dirichlet(np.full(21, 0.2), 300), *np.eye(21)]
    assert max(math.sqrt(report.population(truth) / people) / 2 for truth in truths) < worst
    ends = np.eye(21)[[0, 20]].mean(axis=0)
    assert math.sqrt(report.population(ends) / people) / 2 == pytest.approx(worst)


@pytest.mark.parametrize(("level", "most"), [(0.5, 1.01), (1.0, 1.03), (2.0, 1.05), (4.0, 1.2)])
@pytest.mark.parametrize("people", [1000, 20_000])
def test_shares_below_a_number_err_about_as_stated_for_other_people_too(level: float, most: float, people: int) -> None:
    """As docs/tutorial-numbers.md says; the exact errors at a truth are those that ten billion people's counts tell."""
    places, many = np.arange(64), 10**10
    survey = dn.Survey.plan("s", [dn.Number("q", 0, 63, want="quantiles")], level, people)
    stated, rng, ratios = survey.expected(people)["q"].below, np.random.default_rng(1), []
    for truth in (np.ones(64), places % 63 == 0, places == 20, stats.norm.pdf(places, 31.5, 9), np.exp(-places / 10)):
        found = survey.estimate(survey.draw_tally({"q": places}, np.rint(truth / truth.sum() * many).astype(int), rng))[
            "q"
        ]
        assert isinstance(found, Distribution)
        assert found.reports.ranges is not None
        assert stated is not None
        ratios.append(math.sqrt(np.mean(found.reports.ranges.stderr[1:-1] ** 2) * many / people) / stated)
    assert ratios[0] == pytest.approx(1, abs=0.015)
    assert max(ratios) < most
    assert (max(ratios) > 1.1) is (min(ratios) < 0.7) is (level == 4)


def test_a_fine_scale_is_as_good_as_a_continuous_one() -> None:
    errors = [
        mean_error(question, [(part, 1000.0)])
        for steps in (5000, 1 << 20)
        for question in [dn.Number("x", 0, steps, want="mean")]
        for part in [dn.Survey.plan("s", [question], 2.0, 1000).arms[0].parts[0]]
    ]
    assert errors[0] is not None
    assert errors[0] == errors[1]


def test_two_means_are_asked_together_where_that_errs_less_at_the_worst() -> None:
    """At epsilon 2 apart, from epsilon 4 on together; what the plan says is what the surveys state."""
    two = [dn.Number(name, 0, 60, want="mean") for name in "xy"]
    for level, together in ((2.0, False), (4.0, True), (8.0, True)):
        survey = dn.Survey.plan("s", two, level, 1000)
        assert (len(survey.arms[0].parts) == 2) is together
        worst = survey.expected(1000)["x"].mean_worst
        assert worst is not None
        said = f"averaged over the questions, is then {100 * worst:.3g} points"
        assert f"a mean (as a part of its range, at the worst truth), {said}" in survey.reason


@pytest.mark.parametrize(("labels", "most", "share"), [(40, 3, 3 / 40), (8, 2, 1 / 4), (4, 3, 1 / 2), (6, None, 1 / 2)])
def test_labels_of_lists_are_stated_as_frequent_as_they_can_be(labels: int, most: int | None, share: float) -> None:
    question = dn.AnyOf("q", labels, most=most)
    survey = dn.Survey.plan("s", [question], 1.0, 500)
    [part] = (arm.parts[0] for arm in survey.arms)
    row = survey.expected(500)["q"]
    assert row.error == pytest.approx(math.sqrt(item_variance(part, share) / 500))
    assert ("half of all" in row.note) is (share == 1 / 2)


def test_a_number_that_is_told_by_group_alone_has_an_error_too() -> None:
    """That of the higher ends' share, among 400 people drawn 2,000 times."""
    way, x = dn.OneOf("way", ["a", "b"]), dn.Number("x", 0, 60)
    m, rng = dn.Subset(pairs_of([way, x]), 2.0), np.random.default_rng(1)
    row = dn.Survey("s", [way, x], [dn.Arm(dn.Part([way, x], m, Pair()))]).expected(400)["x"]
    drawn = (m.estimate(m.draw_tally(rng.multinomial(400, [0.25] * 4), rng), "unbiased") for _ in range(2000))
    means = [found.unbiased[[1, 3]].sum() for found in drawn]
    assert row.mean == row.error
    assert np.std(means) == pytest.approx(row.error, rel=stats.norm.isf(ALPHA) / math.sqrt(4000))
    assert "by group alone" in row.note


def test_what_is_lost_in_the_noise_is_warned_of_by_kind() -> None:
    questions: list[dn.OneOf | dn.Number] = [dn.OneOf("way", ["a", "b"]), dn.Number("x", 0, 60, want="mean")]
    ways, means = dn.Survey.plan("s", questions, 0.5, 40).expected(40).warnings
    assert "of way a share below 20%" in ways
    assert "the mean of x may be off by 20% of the range" in means
    assert dn.Survey.plan("s", questions, 4.0, 4000).expected(4000).warnings == ()
