"""Numbers in surveys: drawn as they are told, the same in every mechanism's law, covered by their intervals."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deniable as dn
from deniable.estimation.numbers.distribution import Distribution
from deniable.protocol.errors import FormatError, LabelError, ParameterError, TallyError
from deniable.protocol.questions.number import Block, Point
from deniable.protocol.questions.pair import Pair
from deniable.surveys.choosing import FreshChoice
from deniable.surveys.encoded_columns import encoded
from deniable.surveys.questions.number import cells_for, number_allocation
from deniable.surveys.sharing import Lot, drawn_by_weight, in_equal_shares, side_by_side

MINUTES = dn.Number("minutes", 0, 120, unit="min")
ALPHA = 1e-6
"""How often a statistical test fails by chance."""


def told(survey: dn.Survey, columns: dict[str, Any], seed: int = 1, name: str = "minutes") -> Distribution:
    found = survey.estimate(survey.tally(survey.answer_many(columns, seed=seed)))[name]
    assert isinstance(found, Distribution)
    return found


# --- what is drawn --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("points", [2, 3, 5])
@pytest.mark.parametrize("about", [None, 0, 4, 10])
def test_points_are_drawn_so_that_their_mean_is_the_number(points: int, about: int | None) -> None:
    """Exactly, over the levels that everybody may know and the rest of the threshold that nobody does."""
    question, levels = dn.Number("x", 0, 10), 4
    for place in range(11):
        number, reach = (place, 10) if about is None else ((place - about) ** 2, max(about, 10 - about) ** 2)
        mean = Fraction(0)
        for level in range(levels):
            drawn = Point(points, levels, level, about).chances([question], [place])
            assert sum(chance for _, chance in drawn) == 1
            mean += sum(value * chance for value, chance in drawn) / Fraction(levels)
        assert mean == Fraction(number * (points - 1), reach)


def test_blocks_cover_the_scale_in_order() -> None:
    for size, offset in ((1, 0), (4, 0), (4, 3), (7, 2)):
        block = Block(size, offset)
        held = [block.of([place]) for place in range(121)]
        assert held == sorted(held)
        assert set(held) == set(range(block.blocks(120)))


def test_columns_are_drawn_by_the_exact_chances() -> None:
    """Chi-square of 2^16 draws at each of 11 places; and a point drawn without its level is caught."""
    question, point = dn.Number("x", 0, 10), Point(3, 4, 1)
    entropy, n = dn.SeededEntropy(5), 1 << 16
    for place in range(11):
        drawn = encoded(point, [question], [np.full(n, place)], dn.RandomizedResponse(3, 1.0).domain, entropy)
        counts = np.bincount(drawn, minlength=3)
        fair = _expected(point.chances([question], [place]), n)
        assert _fits(counts, fair)
        other = _expected(Point(3, 4, 2).chances([question], [place]), n)
        assert np.array_equal(other, fair) or not _fits(counts, other)


def _expected(chances: Any, n: int) -> np.ndarray:
    found = np.zeros(3)
    for value, chance in chances:
        found[value] = float(chance) * n
    return found


def _fits(counts: np.ndarray, expected: np.ndarray) -> bool:
    possible = expected > 0
    if counts[~possible].any():
        return False
    statistic = float(((counts - expected)[possible] ** 2 / expected[possible]).sum())
    return bool(possible.sum() == 1 or statistic < stats.chi2.isf(ALPHA / 11, possible.sum() - 1))


def test_simulation_in_aggregate_has_the_law_of_answers() -> None:
    """Two tallies of the same answers, one drawn person by person: every count within 6 standard errors."""
    way = dn.OneOf("way", ["car", "bus"])
    survey = dn.Survey.plan("c", [MINUTES, way], 1.0, 5000, cross=[("way", "minutes")])
    rows = {"minutes": [5, 30, 119], "way": ["car", "bus", "bus"]}
    people = np.array([40_000, 100_000, 20_000])
    drawn = survey.draw_tally(rows, people, np.random.default_rng(1))
    many = {name: np.repeat(np.array(column), people) for name, column in rows.items()}
    answered = survey.tally(survey.answer_many(many, seed=2))
    for one, other in zip(drawn.arms, answered.arms, strict=True):
        for a, b in zip(one, other, strict=True):
            first, second = a.counts / a.n, b.counts / b.n
            error = np.sqrt((first + second) / 2 * (1 / a.n + 1 / b.n))
            assert (np.abs(first - second) < 6 * error + 1e-12).all()


# --- what is told ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0])
def test_everything_is_near_the_truth(epsilon: float) -> None:
    """Within five of its own standard errors; of quantiles within the outer bounds at 99.9999%."""
    n = 200_000
    people = np.random.default_rng(3).gamma(4, 9, n).round().clip(0, 120)
    survey = dn.Survey.plan("c", [dn.Number("minutes", 0, 120, want=("mean", "quantiles", "spread"))], epsilon, n)
    found = told(survey, {"minutes": people})
    assert found.n == n
    assert abs(found.mean.value - people.mean()) < 5 * found.mean.stderr
    assert abs(found.spread.value - people.std()) < 5 * found.spread.stderr
    for low, high in ((10, 30), (0, 0), (50, 120), (200, 300)):
        share = found.share(low, high)
        truth = np.mean((people >= low) & (people <= high))
        assert abs(share.value - truth) <= 5 * share.stderr + 1e-9
    assert found.cdf(120).value == pytest.approx(1)
    for tau in (0.1, 0.5, 0.9):
        least, most = found.quantile(tau).interval(1 - ALPHA)
        assert least <= np.quantile(people, tau, method="inverted_cdf") <= most
    assert found.value.sum() == pytest.approx(1)


def test_intervals_of_mean_median_and_shares_cover_the_truth() -> None:
    """200 surveys of 500 people each: at least 94.5% of intervals at 95%, but for chance once in 10^6 times."""
    people = np.arange(500) % 101
    survey = dn.Survey.plan("c", [dn.Number("x", 0, 100, want=("mean", "quantiles"))], 2.0, 500)
    hits = {"mean": 0, "median": 0, "share": 0, "planted": 0}
    for seed in range(200):
        tally = survey.draw_tally({"x": np.arange(101)}, np.bincount(people), np.random.default_rng(seed))
        found = survey.estimate(tally)["x"]
        assert isinstance(found, Distribution)
        hits["mean"] += _covers(found.mean, float(people.mean()))
        hits["median"] += _covers(found.median, float(np.quantile(people, 0.5, method="inverted_cdf")))
        hits["share"] += _covers(found.share(0, 24), float(np.mean(people <= 24)))
        hits["planted"] += _covers(found.mean, people.mean() + 15)
    least = stats.binom.ppf(ALPHA, 200, 0.945)
    assert min(hits["mean"], hits["median"], hits["share"]) >= least
    assert hits["planted"] < least


def _covers(quantity: Any, truth: float) -> bool:
    low, high = quantity.interval(0.95)
    return bool(low <= truth <= high)


def test_the_expected_errors_are_those_that_come() -> None:
    """The errors of 120 surveys' means and shares, as a ratio to what the plan expects; within 20%, at the uniform."""
    people = np.full(121, 40)
    survey = dn.Survey.plan("c", [MINUTES], 1.0, int(people.sum()))
    expected = survey.expected(int(people.sum()))["minutes"]
    means, shares = [], []
    for seed in range(120):
        found = survey.estimate(survey.draw_tally({"minutes": np.arange(121)}, people, np.random.default_rng(seed)))
        minutes = found["minutes"]
        assert isinstance(minutes, Distribution)
        means.append((minutes.mean.value - 60) / 120)
        shares.append([minutes.cdf(edge).value - (edge + 1) / 121 for edge in range(9, 120, 10)])
    errors = np.sqrt(np.mean(np.square(means))), np.sqrt(np.mean(np.square(shares)))
    assert 0.8 < np.sqrt(np.mean(np.square(errors))) / expected.error < 1.2


def test_means_by_group_and_two_numbers() -> None:
    rng, n = np.random.default_rng(7), 200_000
    way = rng.choice(["car", "bus", "none"], n, p=[0.6, 0.4, 0.0])
    minutes = rng.normal(np.where(way == "car", 30, 50), 10).round().clip(0, 120)
    age = (20 + minutes / 2 + rng.normal(0, 5, n)).round().clip(18, 90)
    questions: list[dn.OneOf | dn.Number] = [
        dn.OneOf("way", ["car", "bus", "none"]),
        dn.Number("minutes", 0, 120, want=("mean", "spread")),
        dn.Number("age", 18, 90, want=("mean", "spread")),
    ]
    survey = dn.Survey.plan("c", questions, 3.0, n, cross=[("minutes", "way"), ("age", "minutes")])
    results = survey.estimate(survey.tally(survey.answer_many({"way": way, "minutes": minutes, "age": age}, seed=1)))
    means = results.means("minutes", by="way")
    for group in ("car", "bus"):
        found = means.mean(group)
        assert abs(found.value - minutes[way == group].mean()) < 5 * found.stderr
    assert np.isnan(means.mean("none").value)
    assert means.mean("none").interval() == (0.0, 120.0)
    assert "unknown" in str(means)
    assert "group,mean" in means.to_csv()
    own, clearest = means.difference("bus", "car"), means.clearest()
    assert clearest is not None
    assert (clearest.first, clearest.second) == (own.first, own.second) == ("bus", "car")
    assert clearest.low == own.low < own.value < own.high, "only two groups are large enough"
    assert own.low < minutes[way == "bus"].mean() - minutes[way == "car"].mean() < own.high
    assert own.value == pytest.approx(means.mean("bus").value - means.mean("car").value)
    assert means.summary().endswith(clearest.sentence)
    assert re.search(
        r"minutes is larger in the mean among “bus” than among “car”: by \d+\.\d\d to \d+\.\d\d\.", str(own)
    )
    assert str(means.difference("car", "bus")) == str(own)
    assert "cannot be told" in str(means.difference("car", "none"))
    both = results.association("age", "minutes")
    assert both.slope is not None
    assert both.correlation is not None
    for quantity, truth in (
        (both.covariance, np.cov(age, minutes)[0, 1]),
        (both.slope, np.polyfit(age, minutes, 1)[0]),
        (both.correlation, np.corrcoef(age, minutes)[0, 1]),
    ):
        assert abs(quantity.value - truth) < 5 * quantity.stderr
    with pytest.raises(ParameterError, match="see means and association"):
        results.cross("way", "minutes")
    with pytest.raises(ParameterError, match="must be crossed in the survey"):
        results.means("age", by="way")


def test_dates_are_told_as_dates() -> None:
    survey = dn.Survey.plan("c", [dn.Number("born", "1950-01-01", "2009-12-31")], 4.0, 5000)
    found = told(survey, {"born": ["1980-06-15"] * 5000}, name="born")
    assert "1980-" in str(found.reading())
    assert found.share("1980-01-01", "1980-12-31").value == pytest.approx(1, abs=0.2)


def test_what_was_not_asked_for_is_refused_by_name() -> None:
    mean_only = told(dn.Survey.plan("c", [dn.Number("minutes", 0, 120, want="mean")], 1.0, 100), {"minutes": [5] * 100})
    assert len(mean_only.labels) == 0
    for asked in (lambda: mean_only.median, lambda: mean_only.share(1, 2), mean_only.density, mean_only.histogram):
        with pytest.raises(ParameterError, match='without want "quantiles"'):
            asked()
    with pytest.raises(ParameterError, match='without want "spread"'):
        _ = mean_only.spread
    assert "mean" in str(mean_only)
    assert mean_only.plot() is not None
    assert mean_only.to_csv().count("\n") == 2


def test_every_face_shows_the_same() -> None:
    found = told(dn.Survey.plan("c", [MINUTES], 2.0, 3000), {"minutes": list(range(120)) * 25})
    plain = found.to_dict()
    assert plain["quantities"]["mean"]["value"] == found.mean.value
    assert plain["scale"] == {"low": "0", "high": "120", "step": "1"}
    assert plain["label"][:2] == ["mean", "10% are at most"]
    frame = found.to_arrow()
    assert frame["value"].to_pylist()[0] == found.mean.value
    assert "<table" in found._repr_html_()
    assert found.plot() is not None
    assert found.density().y.min() >= 0
    band = found.band()
    assert (band.low <= band.y + 1e-9).all()
    assert (np.diff(band.low) >= 0).all()


def test_histograms_may_have_any_bins() -> None:
    found = told(dn.Survey.plan("c", [MINUTES], 2.0, 3000), {"minutes": list(range(120)) * 25})
    assert found.histogram([0, 20, 40, 120]).labels == ("0 to 19", "20 to 39", "40 to 120")
    assert len(found.histogram(4).labels) == 4
    assert found.histogram(1).value.tolist() == pytest.approx([1])
    assert found.histogram(10**6).value.sum() == pytest.approx(1)
    for wrong in ([5], [5, 5], [9, 1], [1, "x"], 0, -1):
        with pytest.raises(ParameterError):
            found.histogram(wrong)


# --- what is planned ------------------------------------------------------------------------------------------------


def test_cells_are_as_many_as_the_error_can_tell() -> None:
    assert [cells_for(1.0, people) for people in (100, 10_000, 10**6, 10**9)] == [16, 32, 128, 1024]


def test_units_are_mixed_and_coupled_to_the_shares_that_they_were() -> None:
    one, other = (number_allocation(dn.Number(name, 0, 50), 1.0, 5000, FreshChoice()) for name in "ab")
    both = side_by_side([one, other])
    assert len(both) < len(one) + len(other)
    assert sum(each.share for each in both) == 1
    for unit in (one, other):
        for lot in unit:
            assert sum(each.share for each in both if lot.parts[0] in each.parts) == lot.share
    half = drawn_by_weight([in_equal_shares([one[0].parts[0]]), one], [1, 3])
    assert half[0] == Lot(one[0].parts, Fraction(1, 4))
    assert sum(each.share for each in half) == 1


@pytest.mark.parametrize("scale", [(0, 1), (0, 2), (0, 3), (-5, 5), (0, 1 << 20), ("2026-01-01", "2026-01-02")])
def test_every_scale_can_be_asked_and_told(scale: tuple[Any, Any]) -> None:
    survey = dn.Survey.plan("c", [dn.Number("x", *scale, want=("mean", "quantiles", "spread"))], 3.0, 400)
    assert survey.audit().holds
    assert dn.Survey.from_json(survey.to_json()) == survey
    found = told(survey, {"x": [scale[0], scale[1]] * 200}, name="x")
    assert 0 <= found.cdf(scale[0]).interval()[0] <= found.cdf(scale[1]).interval()[1] <= 1
    assert str(found.reading())


def test_few_people_are_told_little() -> None:
    survey = dn.Survey.plan("c", [dn.Number("x", 0, 10, want=("mean",))], 1.0, 1)
    one = told(survey, {"x": [5]}, name="x")
    assert one.mean.interval() == (0.0, 10.0)
    with pytest.raises(TallyError, match="nobody who was asked"):
        survey.estimate(survey.tally())["x"]
    ranges = dn.Survey.plan("c", [dn.Number("x", 0, 10, want=("quantiles",))], 1.0, 50)
    coarse = [answer for answer in (ranges.answer({"x": 5}) for _ in range(60)) if answer[0] != 0]
    with pytest.raises(TallyError, match="single cells"):
        ranges.estimate(ranges.tally(coarse))["x"]


def test_a_mean_is_told_even_if_too_few_reported_on_ranges() -> None:
    survey = dn.Survey.plan("c", [dn.Number("x", 0, 10, want=("mean", "quantiles"))], 1.0, 50)
    answers = [survey.answer({"x": 5}) for _ in range(200)]
    encoders = [survey.arms[answer[0]].parts[0].encoder for answer in answers]
    is_kept = [isinstance(each, Point) or each == Block(4, 1) for each in encoders]
    found = survey.estimate(survey.tally(list(itertools.compress(answers, is_kept))))["x"]
    assert isinstance(found, Distribution)
    low, high = found.mean.interval()
    assert 0 <= low < high <= 10
    with pytest.raises(ParameterError, match="ranges must have been asked for and reported on"):
        found.quantile(0.5)


@pytest.mark.parametrize("wrong", [None, "5", float("nan"), float("inf"), True, [5]])
def test_what_is_no_answer_is_refused(wrong: Any) -> None:
    survey = dn.Survey.plan("c", [MINUTES], 1.0, 100)
    with pytest.raises(LabelError, match="the answer to 'minutes' must be a finite number"):
        survey.answer({"minutes": wrong})
    with pytest.raises(LabelError, match="the answers to 'minutes': every value must be a finite number, got 1 of 2"):
        survey.answer_many({"minutes": [1.0, wrong]})
    with pytest.raises(LabelError, match="must be answered"):
        survey.answer({})


def test_numbers_are_not_remembered() -> None:
    with pytest.raises(ParameterError, match="must ask for no number"):
        dn.Survey.plan("c", [MINUTES], 1.0, 100, period="week", repeat="remembered")


@pytest.mark.parametrize(
    ("want", "said"),
    [
        ((), "each once, got none or one twice"),
        ("medians", r"of mean, quantiles, histogram, spread, got want='medians'; did you mean mean\?"),
        (("mean", 5), "got want=5"),
        (("mean", "mean"), "each once, got none or one twice"),
        (5, "each once, got none or one twice"),
    ],
)
def test_wishes_are_known_ones(want: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=f"question 'x': want must be one .*{said}$"):
        dn.Number("x", 0, 1, want=want)


def test_a_pair_of_more_than_its_ends_is_refused() -> None:
    way = dn.OneOf("way", ["a", "b"])
    with pytest.raises(ParameterError, match="must have a mechanism over"):
        dn.Part([way, MINUTES], dn.RandomizedResponse([("a", 0), ("a", 1), ("b", 0), ("b", 2)], 1.0))
    with pytest.raises(ParameterError, match="one answer each, got 'c'"):
        dn.Part([way, dn.AnyOf("c", ["a", "b"])], dn.RandomizedResponse(4, 1.0), Pair())
    with pytest.raises(FormatError):
        dn.Survey.from_json(dn.Survey.plan("c", [MINUTES], 1.0, 100).to_json().replace('"120"', '"1200"'))


def test_ranges_are_set_beside_the_least_that_any_reports_could_err() -> None:
    survey = dn.Survey.plan("c", [dn.Number("minutes", 0, 1023, want=("quantiles",))], 1.0, 10**9)
    expectation = survey.expected(10**6)
    row = expectation["minutes"]
    assert row.below is not None
    assert row.least_below is not None
    assert row.least_below == pytest.approx(math.sqrt(6.090743 / math.sinh(0.5) ** 2 / 10**6), rel=1e-5)
    assert 1 < row.below / row.least_below < math.sqrt(1.19)
    assert expectation.beside_the_best == (
        "Shares of people below a number of minutes err 1.09 times as much as the best possible reports could.",
    )
    assert dn.Survey.plan("c", [dn.OneOf("way", ["a", "b"])], 1.0, 100).expected(100).beside_the_best == ()
