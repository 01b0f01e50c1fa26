"""The test of independence against its formula written out in full, with whole matrices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import scipy.linalg

import deniable as dn
from deniable.estimation.cross import CrossTable
from deniable.estimation.joint_source import JointSource
from deniable.estimation.simplex import project

Matrix = npt.NDArray[np.float64]


def crossed(epsilon: float, rows: list[str], columns: list[str], pairs: tuple[str, str], people: int) -> CrossTable:
    """A table of two questions, of which the survey asks the pair in this order."""
    questions = [dn.OneOf("row", ["a", "b", "c"]), dn.OneOf("column", ["w", "x", "y", "z"])]
    survey = dn.Survey.plan("table", questions, epsilon=epsilon, people=people, cross=[pairs])
    source = np.random.default_rng(3)
    answers = {"row": source.choice(rows, people).tolist(), "column": source.choice(columns, people).tolist()}
    return survey.estimate(survey.tally(survey.answer_many(answers, seed=4))).cross("row", "column")


def written_out(table: CrossTable) -> float:
    """numbers.md 5, literally: all contrasts of all cells, and the pseudo-inverse of their covariance.

    Departures are taken at the margins as estimated, and the covariance at the nearest distributions.
    """
    r, c = table.shares.sum(axis=1), table.shares.sum(axis=0)
    row, column = project(r), project(c)
    contrasts = np.kron(scipy.linalg.helmert(len(r)), scipy.linalg.helmert(len(c)))
    left, right = (np.eye(len(m)) - np.outer(m, np.ones(len(m))) for m in (r, c))
    covariance = np.zeros((table.shares.size, table.shares.size))
    for source, weights, places in zip(table.evidence.sources, table.evidence.weights, table.places, strict=True):
        assert isinstance(source, JointSource)
        truth = project(source.evidence.unbiased()) if places is None else np.outer(row, column).ravel()[places]
        covariance += weights @ source.joint.covariance(truth) / source.evidence.n @ weights.T
    told = contrasts @ np.kron(left, right)
    found = contrasts @ (table.shares - np.outer(r, c)).ravel()
    return float(found @ np.linalg.pinv(told @ covariance @ told.T, hermitian=True) @ found)


@pytest.mark.parametrize("pairs", [("row", "column"), ("column", "row")])
@pytest.mark.parametrize("epsilon", [1.0, 6.0])
def test_the_statistic_is_the_one_written_out(epsilon: float, pairs: tuple[str, str]) -> None:
    table = crossed(epsilon, ["a", "b", "c"], ["w", "x", "y", "z"], pairs, 3000)
    assert table.test.statistic == pytest.approx(written_out(table), rel=1e-9)
    assert table.test.df == 6


@pytest.mark.parametrize("pairs", [("row", "column"), ("column", "row")])
def test_a_pair_is_told_in_the_order_that_is_asked_for(pairs: tuple[str, str]) -> None:
    """Almost without noise: everybody is (a, w) or (b, z)."""
    questions = [dn.OneOf("row", ["a", "b", "c"]), dn.OneOf("column", ["w", "x", "y", "z"])]
    survey = dn.Survey.plan("table", questions, epsilon=20.0, people=4000, cross=[pairs])
    answers = {"row": ["a"] * 1000 + ["b"] * 3000, "column": ["w"] * 1000 + ["z"] * 3000}
    table = survey.estimate(survey.tally(survey.answer_many(answers, seed=1))).cross("row", "column")
    assert np.abs(table.shares - [[0.25, 0, 0, 0], [0, 0, 0, 0.75], [0, 0, 0, 0]]).max() < 0.05


def test_cells_that_do_not_vary_are_left_out() -> None:
    """Hardly any noise, and nobody in two rows and two columns: no departure there says anything."""
    table = crossed(32.0, ["a"], ["w", "x"], ("row", "column"), 500)
    statistic = table.test.statistic
    assert statistic == pytest.approx(written_out(table), abs=1e-6)
    assert statistic is not None
    assert statistic < 1e-6
    assert table.test.p_value > 0.99


@pytest.mark.parametrize("pairs", [("row", "column"), ("column", "row")])
def test_the_test_is_the_same_whichever_question_comes_first(pairs: tuple[str, str]) -> None:
    """The truth that the covariance is taken at must be in the order in which the pair was asked."""
    questions = [dn.OneOf("row", ["a", "b", "c"]), dn.OneOf("column", ["w", "x"]), dn.OneOf("other", ["u", "v"])]
    survey = dn.Survey.plan("table", questions, epsilon=3.0, people=900, cross=[pairs, ("row", "other")])
    table = {"row": ["a", "a", "b", "c"], "column": ["w", "x", "w", "x"], "other": ["u", "v", "v", "v"]}
    results = survey.estimate(survey.draw_tally(table, [500, 150, 150, 100], np.random.default_rng(7)))
    one, other = results.cross("row", "column").test, results.cross("column", "row").test
    assert one.statistic == pytest.approx(other.statistic, rel=1e-9)
    assert one.p_value == pytest.approx(other.p_value, rel=1e-6)
    assert 0 < one.p_value < 1
