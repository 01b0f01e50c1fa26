"""Optimal channels: as good as the best that is known, certified, tight, and refused where the question is wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.mechanisms.examples import weaker

import deniable as dn
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.theory.informed.baselines import channel_loss

INF = math.inf
SKEWED = [0.6, 0.25, 0.1, 0.05]


def told(prior: Any, matrix: npt.NDArray[np.float64]) -> float:
    """Nats of a value drawn from the prior."""
    p = np.array(prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.where(matrix > 0, p[:, None] * matrix * np.log(matrix / (p @ matrix)), 0).sum())


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("d", range(2, 7))
def test_uniform_values_are_told_as_subsets_tell_them(d: int, epsilon: float) -> None:
    found = dn.optimal_channel(dn.LDP(epsilon), d)
    best = max(dn.Subset(d, epsilon, size=k).mutual_information() for k in range(1, d))
    assert found.mutual_information() == pytest.approx(best, rel=1e-6)
    assert found.mutual_information() <= best


@pytest.mark.parametrize("levels", [(0.7, 1.4), (1.0, 1.0), (INF, 1.0), (0.5, INF)])
@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.9, 0.1]])
def test_two_labels_have_the_binary_optimum(levels: tuple[float, float], prior: list[float]) -> None:
    m = dn.BinaryResponse(2, *levels)
    found = dn.optimal_channel(m.guarantee, prior=prior)
    assert told(prior, found.probabilities) == pytest.approx(told(prior, m.probabilities), rel=1e-6)
    large = found.probabilities[:, found.probabilities.max(axis=0) > 1e-3]
    order = np.argsort(-large[0] + large[1])
    assert np.allclose(large[:, order], m.probabilities, atol=1e-6)


def test_a_skewed_prior_is_worth_knowing() -> None:
    """Better than every mechanism of its level that does not know the prior, for each goal."""
    others = [dn.RandomizedResponse(4, 1.0), *(dn.Subset(4, 1.0, size=k) for k in (2, 3))]
    channels = [m.channel().probabilities for m in others]
    best = dn.optimal_channel(dn.LDP(1.0), 4, SKEWED)
    assert told(SKEWED, best.probabilities) > 1.05 * max(told(SKEWED, rows) for rows in channels)
    bayes = dn.optimal_channel(dn.LDP(1.0), 4, SKEWED, "bayes")
    assert channel_loss(SKEWED, bayes.probabilities) < min(channel_loss(SKEWED, rows) for rows in channels)
    success = dn.optimal_channel(dn.LDP(1.0), 4, SKEWED, "success").probabilities
    guessed = [float((np.array(SKEWED)[:, None] * rows).max(axis=0).sum()) for rows in (success, *channels)]
    assert guessed[0] >= max(guessed[1:]) * (1 - 1e-6)
    squared = dn.optimal_channel(dn.LDP(1.0), 4, SKEWED, "squared")
    assert squared.estimate(squared.privatize_many([0, 1, 2, 3] * 100, seed=1)).n == 400


def test_minimax_needs_no_prior() -> None:
    found = dn.optimal_channel(dn.LDP(1.0), 4, goal="minimax")
    assert found.risk(1) <= min(m.risk(1) for m in (dn.RandomizedResponse(4, 1.0), dn.Subset(4, 1.0))) * (1 + 1e-6)
    with pytest.raises(dn.ParameterError, match="prior must be left out"):
        dn.optimal_channel(dn.LDP(1.0), 4, SKEWED, "minimax")


def test_minimax_of_l1_keeps_its_promise_and_errs_least() -> None:
    """Against the mechanisms that are made for the guarantee, at their own worst truths."""
    promise = dn.HighLow(5, [0, 1], 1.0)
    found = dn.optimal_channel(promise, goal="minimax-l1")
    assert promise.holds(found)
    for kind in (dn.HighLowHadamard, dn.HighLowResponse, dn.HighLowRappor):
        assert found.risk(10**6, "l1") < kind(5, [0, 1], 1.0).risk(10**6, "l1") * (1 + 1e-6)
    assert found.risk(10**6, "l1") / 2 > dn.bounds.high_low_minimax(5, 2, 1.0, 10**6)


GUARANTEES: list[Guarantee] = [
    dn.LDP(1.0),
    dn.Pairwise(4, [[0, 1, INF, 2], [0.5, 0, 1, 1], [INF, INF, 0, INF], [1, 1, 2, 0]]),
    dn.Pairwise(4, [[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]),
    dn.Pairwise(4, [[0, 1, 5, 5], [1, 0, 1, 5], [5, 1, 0, 1], [5, 5, 1, 0]]),  # some follow from others
    dn.HighLow(4, [1], 1.0),
    dn.HighLow(4, [0, 2], 0.5),
    dn.Blocks([[0, 1, 2], [3]], 1.0),
    dn.Blocks([[0, 3], [1, 2]], 2.0, domain=4),
]


@pytest.mark.parametrize("goal", ["information", "bayes"])
@pytest.mark.parametrize("guarantee", GUARANTEES, ids=str)
def test_certified_and_tight(guarantee: Guarantee, goal: Any) -> None:
    found = dn.optimal_channel(guarantee, 4, SKEWED, goal)
    assert found.guarantee == guarantee
    assert guarantee.holds(found)
    assert dn.audit(found).holds
    assert not weaker(guarantee, 1 - 1e-5).holds(found)
    assert dn.from_spec(found.spec()) == found


def test_equal_labels_stay_equal() -> None:
    """A level of 0 both ways: the two rows are the same weights."""
    found = dn.optimal_channel(GUARANTEES[2], prior=SKEWED)
    assert np.array_equal(found.exact[0], found.exact[1])
    assert not np.array_equal(found.exact[0], found.exact[2])


def test_never_worse_than_what_is_known_under_context() -> None:
    uniform = [0.25] * 4
    for m in (dn.HighLowHadamard(4, [0, 2], 0.5), dn.HighLowResponse(4, [0, 2], 0.5), dn.HighLowRappor(4, [0, 2], 0.5)):
        found = dn.optimal_channel(m.guarantee)
        assert told(uniform, found.probabilities) >= told(uniform, m.channel().probabilities) * (1 - 1e-6)
    blocks = dn.BlockHadamard([[0, 1, 2], [3]], 1.0)
    found = dn.optimal_channel(blocks.guarantee)
    assert told(uniform, found.probabilities) >= told(uniform, blocks.channel().probabilities) * (1 - 1e-6)


@pytest.mark.parametrize("goal", ["luck", None, 1, "Information"])
def test_wrong_goals(goal: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^goal must be one of"):
        dn.optimal_channel(dn.LDP(1.0), 3, goal=goal)


@settings(max_examples=40)
@given(
    st.sampled_from([1e-6, 0.01, 8.0, 17.0, 24.0, 32.0]),
    st.sampled_from(["LDP", "HighLow", "Pairwise"]),
    st.lists(st.integers(-120, 0), min_size=3, max_size=3),
    st.sampled_from(["information", "success", "bayes"]),
)
def test_extreme_levels_and_priors(epsilon: float, kind: str, tens: list[int], goal: Any) -> None:
    """A channel whose rows add up and which keeps its guarantee, or a refusal, which is rare."""
    levels = [[0, epsilon, 32.0], [INF, 0, 0.0], [1e-6, epsilon, 0]]
    families = {"LDP": dn.LDP(epsilon), "HighLow": dn.HighLow(3, [1], epsilon), "Pairwise": dn.Pairwise(3, levels)}
    prior = np.power(10.0, tens)
    try:
        m = dn.optimal_channel(families[kind], 3, prior / prior.sum(), goal)
    except dn.CapacityError:
        reject()
    assert {sum(row) for row in m.channel().rows.weights.tolist()} == {m.channel().rows.total}
    assert dn.audit(m).holds


@pytest.mark.parametrize("epsilon", [1e-6, 17.0, 24.0, 32.0])
def test_plain_levels_are_never_too_extreme(epsilon: float) -> None:
    assert dn.audit(dn.optimal_channel(dn.LDP(epsilon), 4, [0.5, 0.3, 0.2 - 1e-9, 1e-9])).holds


@pytest.mark.parametrize(
    ("guarantee", "domain", "said"),
    [
        (dn.LDP(1.0), None, "domain must be given"),
        (dn.HighLow(3, [0], 1.0), 4, "domain must be the guarantee's own"),
        (dn.HighLow(3, [0], 1.0), ["a", "b", "c"], "domain must be the guarantee's own"),
        (1.0, 3, "guarantee must be one such as"),
        (None, 3, "guarantee must be one such as"),
        (dn.InformationPrivacy(2, [0.5, 0.5], 1.0), None, "InformedResponse knows priors"),
    ],
)
def test_wrong_guarantees_and_domains(guarantee: Any, domain: Any, said: str) -> None:
    with pytest.raises(dn.ParameterError, match=said):
        dn.optimal_channel(guarantee, domain)


@pytest.mark.parametrize("prior", [[0.5, 0.6], [0.5], [-1, 2], "ab"])
def test_wrong_priors(prior: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^prior must"):
        dn.optimal_channel(dn.LDP(1.0), 2, prior)


@pytest.mark.parametrize("domain", [0, 1, [], "ab"])
def test_wrong_domains(domain: Any) -> None:
    with pytest.raises(dn.DomainError):
        dn.optimal_channel(dn.LDP(1.0), domain)
