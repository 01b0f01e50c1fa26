"""The two-sided optimum of localized information privacy: golden values, feasibility, bounds, and slow references."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize
from tests.lengths import by_length
from tests.theory.references import Array

from deniable.protocol.errors import ParameterError
from deniable.theory.informed.baselines import (
    channel_loss,
    ldp_loss,
    lip_level,
    paper_channel,
    paper_feasible,
    paper_loss,
)
from deniable.theory.informed.cells import Cells, by_mass, by_value, settled
from deniable.theory.informed.columns import mix, moment_ceiling, vertices
from deniable.theory.informed.optimum import Informed, arc, box_ceiling, optimal

GOLDEN = [  # maths sheet context.md, "Localized information privacy": golden, histogram / sum optimum
    ((0.5, 0.3, 0.2), 1.0, 0.41323418, 0.38674417),
    ((0.7, 0.2, 0.1), 1.0, 0.32876117, 0.29046954),
    ((0.1, 0.2, 0.3, 0.4), 0.5, 0.63498105, 0.87953511),
]
SHAPES: dict[str, Callable[[Array], Array]] = {
    "zipf": lambda ranks: 1 / (ranks + 1),
    "geometric .95": lambda ranks: 0.95**ranks,
    "geometric .9": lambda ranks: 0.9**ranks,
    "uniform": np.ones_like,
}


LEVELLED = [(name, epsilon) for name in SHAPES for epsilon in (0.5, 1.0, 2.0)]
SOME = list(zip(SHAPES, (0.5, 1.0, 2.0, 1.0), strict=True))
"""Every shape and every level; a search among a thousand labels takes a second and more."""


def shaped(name: str, d: int) -> Array:
    weights: Array = SHAPES[name](np.arange(float(d)))
    weights /= weights.sum()
    return weights


def base_of(prior: Array, values: Array | None) -> float:
    return float(prior @ (1 - prior) if values is None else prior @ (values - prior @ values) ** 2)


def quality(found: Informed, prior: Array, values: Array | None) -> float:
    """The gain over knowing the prior alone, as a share of the gain that the bound allows."""
    base = base_of(prior, values)
    return (base - found.loss) / (base - found.bound)


def exact_loss(prior: Array, epsilon: float, values: Array | None) -> float:
    """The optimum by a linear program over the lifts themselves: each of 1/t or t, but one to make the mean 1."""
    t, d = math.exp(epsilon), len(prior)
    columns = []
    for free in range(d):
        for others in itertools.product([1 / t, t], repeat=d - 1):
            lifts = np.insert(np.array(others), free, 0.0)
            lifts[free] = (1 - prior @ lifts) / prior[free]
            if 1 / t - 1e-12 <= lifts[free] <= t + 1e-12:
                columns.append(lifts)
    matrix = np.array(columns).T
    gains = (prior**2) @ (matrix**2 - 1) if values is None else ((prior * (values - prior @ values)) @ matrix) ** 2
    found = optimize.linprog(-gains, A_eq=matrix, b_eq=np.ones(d)).fun
    assert found is not None
    return base_of(prior, values) + found


def check_feasible(found: Informed, prior: Array, epsilon: float) -> None:
    odds = math.exp(epsilon)
    assert found.matrix.min() >= 0
    assert np.abs(found.matrix.sum(axis=1) - 1).max() < 1e-12
    assert np.abs(prior @ found.lifts - 1).max() < 1e-12
    assert abs(found.chances.sum() - 1) < 1e-12
    assert 1 / odds * (1 - 1e-15) <= found.lifts.min() <= found.lifts.max() <= odds * (1 + 1e-15)
    assert (found.lifts[prior == 0] == 1).all()
    assert lip_level(prior, found.matrix) <= epsilon + 1e-9


@pytest.mark.parametrize(("prior", "epsilon", "histogram", "mean"), GOLDEN)
def test_the_golden_optima(prior: tuple[float, ...], epsilon: float, histogram: float, mean: float) -> None:
    for values, expected in ((None, histogram), (np.arange(len(prior)), mean)):
        found = optimal(prior, epsilon, values)
        assert found.loss == pytest.approx(expected, abs=5e-9)
        assert found.bound == pytest.approx(found.loss, abs=1e-9)
        check_feasible(found, np.array(prior), epsilon)


@pytest.mark.parametrize(("p", "expected"), [(0.1, 0.2813), (0.5, 0.3874)])
def test_the_optimum_of_figure_5(p: float, expected: float) -> None:
    assert math.sqrt(optimal([1 - p, p], 1.0, [0, 1]).loss) == pytest.approx(expected, abs=5e-5)


def test_the_optimum_of_figure_8_over_uniform_priors() -> None:
    t, a = math.e, 1 / (1 + math.e)
    mean, _ = integrate.quad(lambda p: optimal([1 - p, p], 1.0, [0, 1]).loss, 0, 1, points=[a, 1 - a])
    rare = a**2 / 2 - a**3 / 3 - a**3 / 3 * (t - 1) ** 2 / t
    common = (1 / 12 - a**2 / 2 + a**3 / 3) * (2 / t - 1 / t**2)
    assert mean == pytest.approx(2 * (rare + common), rel=1e-9)
    assert math.sqrt(mean) == pytest.approx(0.3312, abs=5e-5)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 3.0])
@pytest.mark.parametrize("p", [0.001, 0.1, 0.3, 0.5, 0.8])
def test_two_labels_have_the_closed_form_and_it_is_the_linear_program(p: float, epsilon: float) -> None:
    t, rare, prior = math.exp(epsilon), min(p, 1 - p), np.array([1 - p, p])
    flips = rare * (1 + t) < 1
    expected = p * (1 - p) - rare**2 * (t - 1) ** 2 / t if flips else paper_loss(prior, epsilon, [0, 1])
    found, both = optimal(prior, epsilon, [0, 1]), optimal(prior, epsilon)
    assert (found.method, both.method) == ("closed form", "closed form")
    assert found.loss == pytest.approx(expected, rel=1e-9)
    assert found.bound == pytest.approx(found.loss, rel=1e-12)
    assert both.bound == pytest.approx(both.loss, rel=1e-12)
    assert both.loss == pytest.approx(2 * expected, rel=1e-9)
    assert exact_loss(prior, epsilon, np.array([0.0, 1.0])) == pytest.approx(expected, abs=1e-9)
    if flips:
        chances = sorted([1 / (1 + t), (1 - rare * t) / ((1 - rare) * (1 + t))])
        order = int(prior[0] > prior[1])
        assert found.matrix[order].min() == pytest.approx(chances[1], rel=1e-9)
        assert found.matrix[1 - order].min() == pytest.approx(chances[0], rel=1e-9)


@pytest.mark.parametrize(("prior", "epsilon"), [((0.5, 0.3, 0.2), 1.5), ((0.3, 0.7), 1.0), ((0.25,) * 4, 2.0)])
def test_where_the_paper_is_feasible_it_is_the_optimum_and_arc_finds_it(
    prior: tuple[float, ...], epsilon: float
) -> None:
    p, values = np.array(prior), np.arange(len(prior)) ** 2
    assert paper_feasible(p, epsilon)
    found = optimal(p, epsilon)
    assert found.matrix == pytest.approx(paper_channel(p, epsilon)[:, np.argsort(-p, kind="stable")], abs=1e-14)
    assert optimal(p, epsilon, values).loss == pytest.approx(paper_loss(p, epsilon, values), rel=1e-12)
    release = arc(p, epsilon)
    chances, lifts = settled(p, Cells(np.arange(len(p)), p), release, epsilon)
    assert len(chances) == len(p)
    assert channel_loss(p, chances * lifts) == pytest.approx(found.loss, rel=1e-12)


def test_arc_needs_no_settling() -> None:
    rng = np.random.default_rng(3)
    for d in (2, 3, 10, 200):
        for epsilon in (0.05, 1.0, 5.0):
            mass = np.sort(rng.dirichlet(np.ones(d)))[::-1]
            release = arc(mass, epsilon)
            assert release.focus @ release.chances == pytest.approx(1, abs=1e-9)
            assert mass @ release.focus == pytest.approx(1, abs=1e-9)
            assert release.focus.max() <= (1 + math.exp(epsilon)) * (1 + 1e-9)
            assert release.focus.shape[1] <= 2 * d


@pytest.mark.parametrize("d", [3, 5, 8])
def test_a_few_labels_are_solved_exactly(d: int) -> None:
    rng = np.random.default_rng(d)
    for epsilon in (0.05, 0.5, 1.0, 2.0, 4.0):
        prior = rng.dirichlet(np.ones(d))
        for values in (None, rng.normal(size=d)):
            found, exact = optimal(prior, epsilon, values), exact_loss(prior, epsilon, values)
            assert found.loss == pytest.approx(exact, abs=1e-8)
            assert found.bound == pytest.approx(found.loss, abs=1e-9)


def test_the_vertices_are_those_of_the_box() -> None:
    mass, epsilon = np.array([0.4, 0.3, 0.2, 0.1]), 0.7
    found = vertices(mass, epsilon) / (1 + math.exp(epsilon))
    partial = ((found > 1e-9) & (found < 1 - 1e-9)).sum(axis=0)
    assert mass @ found == pytest.approx(1 / (1 + math.exp(epsilon)), rel=1e-12)
    assert found.min() >= 0
    assert found.max() <= 1 + 1e-12
    assert partial.max() == 1


@pytest.mark.soak
@pytest.mark.parametrize(("name", "epsilon"), by_length(SOME, LEVELLED))
def test_a_thousand_labels_come_near_the_certified_bound(name: str, epsilon: float) -> None:
    prior = shaped(name, 1000)
    found = optimal(prior, epsilon)
    check_feasible(found, prior, epsilon)
    assert found.bound == pytest.approx(base_of(prior, None) - box_ceiling(prior, prior**2, epsilon), rel=1e-12)
    assert 0.998 < quality(found, prior, None) <= 1
    assert len(found.chances) <= 2000


@pytest.mark.soak
@pytest.mark.parametrize("name", by_length(["zipf"], list(SHAPES)))
def test_means_of_a_thousand_labels_come_near_the_certified_bound(name: str) -> None:
    prior, values = shaped(name, 1000), np.arange(1000.0)
    found = optimal(prior, 1.0, values)
    check_feasible(found, prior, 1.0)
    assert 0.96 < quality(found, prior, values) <= 1
    assert paper_loss(prior, 1.0, values) <= found.bound
    assert len(found.chances) <= 40


def test_the_bound_of_means_is_below_the_exact_optimum_of_unmerged_labels() -> None:
    """Sixty-four labels make the search merge; as eight that were split around their values they hardly change it."""
    rng = np.random.default_rng(12)
    coarse, values = rng.dirichlet(np.ones(8)), rng.normal(size=8)
    prior, near = np.repeat(coarse / 8, 8), (values[:, None] + np.linspace(-1e-6, 1e-6, 8)).ravel()
    for epsilon in (0.5, 1.0):
        found, exact = optimal(prior, epsilon, near), exact_loss(coarse, epsilon, values)
        assert found.bound <= exact + 1e-4
        assert found.loss >= exact - 1e-4
        assert found.bound >= 0.97 * exact


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.0])
def test_the_ceiling_of_means_holds_at_any_price_and_is_met_at_the_best(epsilon: float) -> None:
    rng = np.random.default_rng(6)
    prior, values = rng.dirichlet(np.ones(7)), rng.normal(size=7)
    values = (values - prior @ values) / math.sqrt(base_of(prior, values))
    focus = vertices(prior, epsilon)
    gains = ((prior * values) @ focus) ** 2
    chances, prices = mix(focus, gains)
    best = float(gains @ chances)
    assert best <= moment_ceiling(prior, values, prices / prior, epsilon) <= best * (1 + 1e-4)
    for _ in range(50):
        rates = prices / prior * (1 + 0.3 * rng.normal(size=7))
        assert moment_ceiling(prior, values, rates, epsilon) >= best * (1 - 1e-9)


@pytest.mark.soak
@pytest.mark.parametrize("name", by_length(["uniform"], ["zipf", "uniform", "geometric .9"]))
def test_cells_are_fine_where_values_are_far_apart_and_where_people_are(name: str) -> None:
    heavy = np.random.default_rng(0).standard_cauchy(1000)
    prior, values = shaped(name, 1000), heavy if name == "uniform" else np.arange(1000.0) ** 2
    assert quality(optimal(prior, 1.0, values), prior, values) > 0.97


@pytest.mark.soak
@pytest.mark.parametrize("epsilon", by_length([1.0], [0.2, 1.0, 3.0]))
def test_the_bound_holds_for_other_channels_of_the_level(epsilon: float) -> None:
    rng = np.random.default_rng(4)
    for d in (4, 13, 60):
        prior, values = rng.dirichlet(np.ones(d)), rng.normal(size=d)
        for goal in (None, values):
            bound = optimal(prior, epsilon, goal).bound
            assert paper_loss(prior, epsilon, goal) <= bound + 1e-12
            assert bound <= ldp_loss(prior, epsilon, goal)
            cells = by_mass(prior, d, 0)
            chances, lifts = settled(prior, cells, arc(cells.mass, epsilon), epsilon)
            assert bound <= channel_loss(prior, chances * lifts, goal) + 1e-12


@st.composite
def priors(draw: st.DrawFn) -> Array:
    """Skewed or even, with or without zeros, of up to a thousand labels."""
    d = draw(st.sampled_from([2, 3, 4, 7, 11, 12, 25, 100, 1000]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    prior: Array = rng.dirichlet(np.full(d, draw(st.sampled_from([0.1, 0.3, 1.0, 10.0]))))
    prior[rng.random(d) < draw(st.sampled_from([0.0, 0.3, 0.9]))] = 0
    prior[rng.integers(d)] += 1e-3
    prior /= prior.sum()
    return prior


@pytest.mark.soak
@settings(max_examples=by_length(8, 50), deadline=None, derandomize=True)
@given(prior=priors(), epsilon=st.sampled_from([1e-6, 0.05, 0.5, 1.0, 2.0, 5.0, 12.0, 32.0]), kind=st.integers(0, 3))
def test_no_channel_is_above_its_level(prior: Array, epsilon: float, kind: int) -> None:
    d = len(prior)
    values = [None, np.arange(float(d)), np.arange(float(d)) % 3, np.random.default_rng(d).standard_cauchy(d)][kind]
    found = optimal(prior, epsilon, values)
    check_feasible(found, prior, epsilon)
    base = base_of(prior, values)
    assert found.bound <= found.loss <= base * (1 + 1e-9)
    rounding = 1e-12 * max(1.0, base)
    assert found.loss == pytest.approx(channel_loss(prior, found.matrix, values), rel=1e-9, abs=rounding)
    highest = np.log(found.lifts.max(axis=0) / found.lifts.min(axis=0)).max()
    assert highest <= 2 * epsilon + 1e-9


def test_values_count_up_to_shift_and_scale_and_equal_ones_are_one() -> None:
    prior, values = np.array([0.4, 0.1, 0.2, 0.15, 0.15]), np.array([0.0, 2.0, 0.0, 5.0, 2.0])
    found = optimal(prior, 0.7, values)
    assert optimal(prior, 0.7, 1e6 + 1e-3 * values).loss == pytest.approx(1e-6 * found.loss, rel=1e-6)
    assert found.loss == pytest.approx(optimal([0.6, 0.25, 0.15], 0.7, [0, 2, 5]).loss, rel=1e-9)
    assert found.lifts[0] == pytest.approx(found.lifts[2], rel=1e-9)
    assert optimal(prior, 0.7, np.ones(5)).loss == 0


def test_one_sure_label_leaves_nothing_to_learn() -> None:
    for prior in ([1.0, 0.0, 0.0], [1 - 1e-14, 1e-14]):
        for values in (None, np.arange(len(prior))):
            found = optimal(prior, 1.0, values)
            assert found.loss == pytest.approx(0, abs=1e-13)
            assert found.matrix.tolist() == [[1.0]] * len(prior)


def test_cells_hold_what_they_should() -> None:
    prior = np.array([0.05, 0.5, 0.0, 0.25, 0.2])
    assert by_mass(prior, 5, 0).of.tolist() == [3, 0, -1, 1, 2]
    assert by_mass(prior, 2, 1).of.tolist() == [2, 0, -1, 1, 2]
    assert by_mass(prior, 2, 1).mass == pytest.approx([0.5, 0.25, 0.25])
    merged = by_value(prior, np.array([3.0, 1.0, 9.0, 1.0, 2.0]), 5)
    assert merged.of.tolist() == [2, 0, -1, 0, 1]
    assert merged.hold(prior)
    assert not by_mass(np.array([1 - 1e-13, 1e-13]), 2, 0).hold(np.array([1 - 1e-13, 1e-13]))
    assert len(by_value(np.full(100, 0.01), np.arange(100.0), 20).mass) == 20


@pytest.mark.parametrize(
    ("prior", "epsilon", "values", "message"),
    [
        ([1.5, -0.5], 1.0, None, "prior must be finite and not negative, got"),
        ([0.5, 0.4], 1.0, None, "prior must add up to 1, got 0.9"),
        ([[0.5, 0.5]], 1.0, None, "prior must be 2 probabilities, got an array of shape"),
        ("ab", 1.0, None, "prior must be 2 probabilities, got"),
        ([0.5, 0.5], -1, None, "epsilon must be a finite number above 0, got epsilon=-1"),
        ([0.5, 0.5], 33, None, "epsilon must be between 1e-06 and 32, got epsilon=33"),
        ([0.5, 0.5], 1.0, [1, 2, 3], "values must be 2 numbers, got list of shape"),
        ([0.5, 0.5], 1.0, [1, math.nan], "values must be finite, got an entry"),
    ],
)
def test_wrong_inputs_get_one_clear_error(prior: Any, epsilon: Any, values: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{message}"):
        optimal(prior, epsilon, values)
