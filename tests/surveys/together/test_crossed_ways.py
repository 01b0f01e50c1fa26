"""A question that only some are asked, crossed with another: what its table says, by exact channels and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length
from tests.surveys.branched_surveys import Ways, crossed

import deniable as dn
from deniable.arrays import Matrix, Vector
from deniable.protocol.errors import DenialError
from deniable.surveys.arms import Part
from deniable.surveys.expectation import expected

SURVEYS = by_length(20, 200)
FALSE_ALARM = 1e-9
"""How often a test of many draws may fail by chance alone."""
USED = dn.OneOf("used", ["yes", "no"])
KIND = dn.OneOf("kind", ["a", "b", "c"], only_if=("used", ["yes"]))
BUS = dn.OneOf("bus", ["y", "n"])
GIVEN = {"used": ["yes", "no"] * 2000, "kind": ["a", None, "b", None] * 1000, "bus": ["y", "n", "n", "n"] * 1000}


def told(ways: Ways, survey: dn.Survey, name: str) -> Matrix:
    """The share [rows, columns] of each pair of answers, of those who were not asked too."""
    rows, columns = (*survey.question(name).choices, None), survey.question("beside").choices
    found = np.zeros((len(rows), len(columns)))
    for answer, other, share in zip(ways.table[name], ways.table["beside"], ways.shares, strict=True):
        found[rows.index(answer), columns.index(other)] += share
    return found


def labels_of(part: Part, ways: Ways) -> Vector:
    """The share of each label of a part."""
    given = zip(*(ways.table[name] for name in part.names), strict=True)
    places = [part.mechanism.domain.index(part.encoder.of(answers)) for answers in given]
    return np.asarray(np.bincount(places, ways.shares, part.mechanism.domain.size or 0), np.float64)


def drawn(survey: dn.Survey, ways: Ways, people: int, generator: np.random.Generator) -> dn.surveys.results.Results:
    held = generator.multinomial(people, ways.shares)
    return survey.estimate(survey.draw_tally(ways.table, held, generator))


def unconnected(survey: dn.Survey, generator: np.random.Generator) -> Ways:
    """Ways of which some are rare, and beside each the same answers to the other question."""
    tree = Ways.of(survey.questions[:-1], lambda ways: generator.dirichlet(np.full(ways, 0.5)))
    beside = generator.dirichlet(np.ones(len(survey.questions[-1].choices)))
    return Ways(Ways.of(survey.questions).table, np.outer(tree.shares, beside).ravel())


def test_every_promise_holds() -> None:
    for seed in range(SURVEYS):
        survey, _ = crossed(seed)
        assert survey.audit().holds, survey.to_json()
        assert dn.Survey.from_json(survey.to_json()) == survey


@pytest.mark.parametrize("seed", range(SURVEYS))
def test_tables_are_unbiased_whatever_ways_people_go(seed: int) -> None:
    """Exactly: the shares of every source's own labels, weighed, make the table; and so its margins."""
    survey, name = crossed(seed)
    generator = np.random.default_rng(seed)
    ways = Ways.of(survey.questions, lambda ways: generator.dirichlet(np.ones(ways)))
    table, truth = drawn(survey, ways, 900, generator).cross(name, "beside"), told(ways, survey, name)
    parts = [part for arm in survey.arms for part in arm.parts]
    of_row, of_column = ([part for part in parts if each in part.estimable] for each in (name, "beside"))
    every = [*of_row, *(part for part in of_column if name not in part.estimable)]
    for evidence, asked, wanted in (
        (table.evidence, every, truth.ravel()),
        (table.margins[0], of_row, truth.sum(axis=1)),
        (table.margins[1], of_column, truth.sum(axis=0)),
    ):
        told_of = zip(evidence.weights, asked, strict=True)
        assert sum(weights @ labels_of(part, ways) for weights, part in told_of) == pytest.approx(wanted)
    assert table.rows[-1] is None


def test_errors_are_as_planned() -> None:
    """Of the shares of all questions, where the ways are equally frequent: over all surveys within 5%."""
    people, rounds, ratios = 20_000, by_length(30, 120), []
    for seed in range(SURVEYS):
        survey, _ = crossed(seed)
        ways, generator = Ways.of(survey.questions), np.random.default_rng(seed)
        plan = expected(survey.name, survey.questions, survey.arms, people)
        runs = [drawn(survey, ways, people, generator) for _ in range(rounds)]
        for name, question in survey.by_name.items():
            off = np.array([results[name].unbiased for results in runs]) - ways.of_all(question)
            ratios.append(float((off**2).mean() / plan[name].error ** 2))
    assert np.sqrt(np.mean(ratios)) == pytest.approx(1, abs=0.05)
    assert 0.5 < np.sqrt(min(ratios)) < np.sqrt(max(ratios)) < 1.6


def test_intervals_and_the_test_of_independence_hold() -> None:
    """Of cells, of rows and of shares within rows, at ways of which nobody may go some; where nothing is connected."""
    missed, n, rejected, runs = np.zeros(3, np.int64), np.zeros(3, np.int64), 0, by_length(3, 20)
    for seed in range(SURVEYS):
        survey, name = crossed(seed)
        generator = np.random.default_rng(seed)
        ways = unconnected(survey, generator)
        truth = told(ways, survey, name)
        for _ in range(runs):
            table = drawn(survey, ways, int(generator.choice((300, 1000, 5000))), generator).cross(name, "beside")
            row, column = (int(generator.integers(size)) for size in truth.shape)
            rejected += table.test.p_value <= 0.05
            within = truth[row, column] / max(truth[row].sum(), 1e-300)
            for place, (bounds, share) in enumerate((
                (table.interval()[row, column], truth[row, column]),
                (table.margin(0)[1][row], truth[row].sum()),
                (table.within_rows().interval()[row, column], within),
            )):  # fmt: skip
                n[place] += 1
                missed[place] += not bounds[0] - 1e-9 <= share <= bounds[1] + 1e-9
    most = stats.binom.isf(FALSE_ALARM, SURVEYS * runs, 0.05)
    assert (missed <= most).all(), missed / n
    assert rejected <= most


def test_a_connection_of_those_asked_is_found_and_told() -> None:
    survey = dn.Survey.plan("tools", [USED, KIND, BUS], 3.0, 4000, cross=[("bus", "kind")])
    [arm] = survey.arms
    assert [(part.estimable, part.crossed) for part in arm.parts] == [
        (("used", "kind", "bus"), [("used", "bus"), ("kind", "bus")])
    ]
    table = survey.estimate(survey.tally(survey.answer_many(GIVEN, seed=1))).cross("kind", "bus")
    assert table.test.p_value < 1e-6
    assert table.within_rows().difference("a", None).values == pytest.approx([1, -1], abs=0.15)
    assert "not asked" in str(table)
    assert "not asked,y," in table.to_csv()
    assert "than among “not asked”" in table.within_rows().difference("a", None).summary()


def test_many_answers_are_crossed_apart_from_what_leads_there() -> None:
    many = dn.OneOf("kind", 60, only_if=("used", ["yes"]))
    survey = dn.Survey.plan("tools", [USED, many, BUS], 2.0, 4000, cross=[("kind", "bus")])
    told_of = [part.estimable for arm in survey.arms for part in arm.parts]
    assert told_of == [("kind", "bus"), ("used",)]
    assert "with kind, bus as one label" in survey.reason
    both = dn.Survey.plan("tools", [USED, KIND, BUS], 2.0, 4000, cross=[("kind", "bus"), ("used", "bus")])
    assert [part.estimable for arm in both.arms for part in arm.parts] == [("used", "kind", "bus")], (
        "one table tells both"
    )


def test_ways_beside_an_answer_are_no_outcome_of_a_regression() -> None:
    survey = dn.Survey.plan("tools", [USED, KIND, BUS], 3.0, 4000, cross=[("bus", "kind")])
    answers = [survey.answer({"used": "no", "bus": "y"}) for _ in range(9)]
    with pytest.raises(DenialError, match="some row must have its report"):
        survey.regress(answers, ("used", ["age"]), {"age": np.arange(9.0)}, event="no")
