"""People with priors of their own: errors as predicted, shared channels, and what is no crowd.

Errors are compared at a false-alarm rate of 1e-9 each, ten of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import deniable as dn

FALSE_ALARM = 1e-9
KINDS = np.array([[0.2, 0.3, 0.5], [0.9, 0.05, 0.05], [1 / 3, 1 / 3, 1 / 3], [0.0, 0.25, 0.75]])
PEOPLE, CROWDS = 400, 300


def crowd(goal: str = "histogram") -> dn.InformedCrowd:
    """Four kinds of people, mixed."""
    return dn.InformedCrowd(3, KINDS[np.arange(PEOPLE) * 7 % 4], 1.0, goal)


def refuted(errors: Any, predicted: Any) -> bool:
    scaled = np.array(errors) / np.array(predicted)
    square, law = float(scaled @ scaled), stats.chi2(len(scaled))
    drift = stats.norm.sf(abs(scaled.sum()) / len(scaled) ** 0.5)
    return bool(4 * min(law.cdf(square), law.sf(square), drift) < FALSE_ALARM)


@pytest.mark.parametrize("goal", ["histogram", "sum"])
def test_answers_err_as_predicted(goal: str) -> None:
    """With a prior for each person; a prediction a third off is refuted."""
    people, rng, weights = crowd(goal), np.random.default_rng(1), np.linspace(0, 2, PEOPLE)
    ends = KINDS[np.arange(PEOPLE) * 7 % 4].cumsum(axis=1)
    found: dict[str, list[tuple[float, float]]] = {"survey": [], "total": [], "weighted": [], "each": []}
    for seed in range(CROWDS):
        values = (rng.random(PEOPLE)[:, None] > ends[:, :2]).sum(axis=1)
        reports = people.privatize_many(values, seed=seed)
        survey, total = people.survey(reports, 1), people.total(reports)
        weighted = people.weighted_total(reports, weights, -weights)
        histogram = people.histogram(reports)
        assert survey.value == pytest.approx(histogram.value[1])
        found["survey"].append((survey.value - (values == 1).sum(), survey.error))
        found["total"].append((total.value - values.sum(), total.error))
        found["weighted"].append((weighted.value - weights @ (values - 1), weighted.error))
        found["each"].append(
            (float(((histogram.value - np.bincount(values, minlength=3)) ** 2).sum()), histogram.error)
        )
    squared, predicted = zip(*found.pop("each"), strict=True)
    assert stats.ttest_1samp(squared, predicted[0] ** 2).pvalue > FALSE_ALARM
    assert stats.ttest_1samp(squared, 2 * predicted[0] ** 2).pvalue < FALSE_ALARM
    for pairs in found.values():
        errors, expected = (np.array(side) for side in zip(*pairs, strict=True))
        assert not refuted(errors, expected)
        assert refuted(errors, 1.5 * expected)
        assert refuted(errors, 0.7 * expected)


def test_equal_rows_share_a_channel() -> None:
    people = crowd()
    assert len(people) == PEOPLE
    assert len(people.channels) == 4
    for person in (0, 1, 57, 399):
        assert people.channels[people.kinds[person]].prior.tolist() == KINDS[person * 7 % 4].tolist()
    assert all(dn.audit(channel).holds for channel in people.channels)


def test_one_prior_for_all_is_one_mechanism() -> None:
    people = dn.InformedCrowd(["a", "b", "c"], [[0.5, 0.3, 0.2]] * 50, 1.0)
    m = dn.InformedResponse(["a", "b", "c"], [0.5, 0.3, 0.2], 1.0)
    assert people.channels == [m]
    reports = people.privatize_many(["a", "b", "c", "a", "a"] * 10, seed=3)
    assert people.survey(reports, "b") == pytest.approx(m.curator.survey(reports, "b"))
    assert np.allclose(people.histogram(reports).value, m.histogram(reports).value)
    assert people.weighted_total(reports, 2.0, values=[1, 2, 3]) == pytest.approx(
        m.weighted_total(reports, 2.0, values=[1, 2, 3])
    )


def test_people_keep_their_order() -> None:
    """A person of a certain prior is known whatever they send; beside the others, in their own place."""
    people = dn.InformedCrowd(2, [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]], 1.0)
    reports = people.privatize_many([0, 0, 1, 1], seed=5)
    believed = people.each(reports, np.eye(2))
    assert believed[1].tolist() == [1.0, 0.0]
    assert believed[2].tolist() == [0.0, 1.0]
    assert 0 < believed[0, 0] < 1
    assert people.person_losses(reports, np.eye(2))[1].max() == 0.0
    assert np.array_equal(reports, people.privatize_many([0, 0, 1, 1], seed=5))


@pytest.mark.parametrize(
    "priors",
    [
        [],
        [[]],
        [0.5, 0.5],
        [[0.5, 0.5]] * 2,
        [[[0.2, 0.3, 0.5]]],
        None,
        "abc",
        [[1], [2, 3]],
        [["0.2", "0.3", "0.5"]],
        [[True, False, False]],
        [[10**400, 0, 0]],
        np.ma.array([[0.2, 0.3, 0.5]]),
    ],
)
def test_what_are_no_priors(priors: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^priors must be a row of 3"):
        dn.InformedCrowd(3, priors, 1.0)


@pytest.mark.parametrize("row", [[0.5, 0.5, 0.5], [-0.5, 1.0, 0.5], [np.nan, 0.5, 0.5]])
def test_a_row_that_is_no_prior(row: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^prior must"):
        dn.InformedCrowd(3, [[0.2, 0.3, 0.5], row], 1.0)


def test_as_many_as_there_are_people() -> None:
    people = dn.InformedCrowd(3, KINDS, 1.0)
    with pytest.raises(dn.LabelError, match="one for each of 4 people, got 3"):
        people.privatize_many([0, 1, 2])
    for reports in ([0, 0, 0], [0.0, 0.0, 0.0, 0.0], [[0, 0, 0, 0]], "abcd"):
        with pytest.raises(dn.ReportError, match="one integer for each of 4 people"):
            people.histogram(reports)
    with pytest.raises(dn.ReportError):
        people.histogram([0, 0, 0, 99])
    with pytest.raises(dn.ReportError):
        people.survey([0, 0, 0, -1], 0)


@pytest.mark.parametrize("epsilon", [0, -1, 33, "1", None, float("nan")])
def test_bad_levels(epsilon: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^epsilon must"):
        dn.InformedCrowd(3, KINDS, epsilon)


# --- a level for each, devices one by one, and tallies ----------------------------------------------------------------

LEVELS = [0.5, 2.0, 0.5, 1.0, 0.5, 2.0, 0.5, 1.0]


def uneven(goal: str = "histogram", values: Any = None) -> dn.InformedCrowd:
    return dn.InformedCrowd(["a", "b", "c"], np.tile(KINDS, (2, 1)), LEVELS, goal, values)


def test_each_person_has_their_own_level() -> None:
    people = uneven()
    assert [people.channel_of(person).epsilon for person in range(8)] == LEVELS
    assert [people.channel_of(person).prior.tolist() for person in range(8)] == np.tile(KINDS, (2, 1)).tolist()
    assert len(people.channels) == 4  # as the pairs repeat
    assert len(dn.InformedCrowd(3, KINDS[[0, 0, 0]], [0.5, 1.0, 0.5]).channels) == 2
    same = dn.InformedCrowd(3, np.tile(KINDS, (2, 1)), np.ones(8))
    assert same.channels == dn.InformedCrowd(3, np.tile(KINDS, (2, 1)), 1.0).channels
    assert dn.InformedCrowd(3, KINDS, np.array(1.0)).channels == dn.InformedCrowd(3, KINDS, 1).channels


def test_errors_of_uneven_levels_are_as_predicted() -> None:
    """1,000 crowds: the squared error of a weighted sum is that of each person at their own level."""
    people, weights = uneven(), np.linspace(-1, 3, 8)
    rng = np.random.default_rng(9)
    values = np.array([rng.choice(3, 1000, p=p) for p in np.tile(KINDS, (2, 1))]).T
    goal, errors, predicted = [0.0, 1.0, 5.0], [], list[float]()
    for seed, held in enumerate(values):
        answer = people.weighted_total(
            people.privatize_many([("a", "b", "c")[v] for v in held], seed), weights, 0, goal
        )
        errors.append((answer.value - float(weights @ np.array(goal)[held])) / answer.error)
        predicted.append(answer.error)
    losses = [people.channel_of(j).curator.mean_losses(np.array(goal)[:, None])[0] for j in range(8)]
    assert predicted == pytest.approx([(weights**2 @ losses) ** 0.5] * 1000)
    assert stats.ttest_1samp(errors, 0).pvalue > FALSE_ALARM
    assert stats.ttest_1samp(np.square(errors), 1).pvalue > FALSE_ALARM
    assert stats.ttest_1samp(np.square(errors), 1.6).pvalue < FALSE_ALARM


@pytest.mark.parametrize("levels", [[], [1.0], [1.0] * 5, [1.0, 1.0, 1.0, -1.0], [1.0, 1.0, 1.0, "1"], "1.01", {1.0}])
def test_what_are_no_levels(levels: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^epsilon must"):
        dn.InformedCrowd(3, KINDS, levels)


def test_a_device_needs_its_persons_spec() -> None:
    """The spec and its digest make the same mechanism elsewhere, and its report is read in the person's place."""
    people = uneven()
    for person in range(8):
        device = dn.from_spec(people.spec(person))
        assert device == people.channel_of(person)
        assert people.digest(person) == device.tally([]).digest
        sent = [people.privatize(person, "b", dn.SeededEntropy(4)) for _ in range(2)]
        assert sent == [device.privatize("b", dn.SeededEntropy(4))] * 2
    assert len({people.digest(person) for person in range(8)}) == 4
    with pytest.raises(dn.LabelError):
        people.privatize(0, "z")
    nobody: tuple[Any, ...] = (-1, 8, 1.5, None, True)
    for person in nobody:
        with pytest.raises(dn.ParameterError, match=r"^person must"):
            people.privatize(person, "a")


def test_tallies_answer_as_reports_do() -> None:
    people = uneven()
    reports = people.privatize_many(["a", "b", "c", "a", "b", "c", "a", "b"], seed=1)
    tallies = people.tally(reports)
    assert [tally.n for tally in tallies] == np.bincount(people.kinds).tolist()
    assert people.survey(tallies, "b") == people.survey(reports, "b")
    assert people.total(tallies, [1, 2, 3]) == people.total(reports, [1, 2, 3])
    assert np.array_equal(people.histogram(tallies).value, people.histogram(reports).value)
    twice = [one + other for one, other in zip(tallies, tallies, strict=True)]
    assert people.survey(twice, "b").value == pytest.approx(2 * people.survey(reports, "b").value)
    assert people.survey(twice, "b").error == pytest.approx(2**0.5 * people.survey(reports, "b").error)


def test_what_is_asked_of_some_tallies_is_about_the_people_in_them() -> None:
    people = uneven()
    tallies = people.tally(people.privatize_many(["a"] * 8, seed=1))
    some = people.histogram([tallies[1], people.channels[0].tally([])])
    assert some.value.sum() == pytest.approx(tallies[1].n)
    assert some.value == pytest.approx(people.channels[1].histogram(tallies[1]).value)
    assert people.histogram(tallies[1]).error == some.error
    with pytest.raises(dn.TallyError, match="own channels"):
        people.histogram([*tallies, dn.InformedResponse(["a", "b", "c"], [0.2, 0.3, 0.5], 1.5).tally([0])])
    with pytest.raises(dn.TallyError, match="own channels"):
        people.histogram([tallies[0], 3])
    with pytest.raises(dn.TallyError, match="at least one report"):
        people.histogram([people.channels[0].tally([])])
    with pytest.raises(dn.ReportError):
        people.weighted_total(tallies, 1.0, values=[1, 2, 3])


def test_a_crowd_has_one_question() -> None:
    people = uneven("sum", [0, 0, 1])
    reports = people.privatize_many(["a", "b", "c", "a", "b", "c", "a", "b"], seed=1)
    assert people.total(reports) == people.survey(reports, "c")
    assert people.total(reports).error <= uneven().survey(reports * 0, "c").error
    half = dn.InformedCrowd(3, KINDS, 1.0, one_sided=True)
    assert all(channel.one_sided and dn.audit(channel).holds for channel in half.channels)
