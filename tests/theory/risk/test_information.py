"""Mutual information: against listed channels and exact logarithms, and what no message can tell more of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special
from tests.cases import each
from tests.theory import references
from tests.theory.references import EPSILONS, Messages, error, exponential, logarithm

from deniable.theory import sizes
from deniable.theory.risk import information

LEVELS = (0.01, 0.7, 1.0, 3.0, 6.0)


def two_level(messages: Messages, epsilon: float) -> float:
    """The formula's answer for a listed channel, each message a kind of its own."""
    members = messages.held.sum(axis=1)
    log_low = np.log(messages.channel.max(axis=0)) - epsilon * (members > 0)
    return information.two_level(np.zeros(len(members)), members, log_low, epsilon, len(messages.channel))


def test_the_golden_values_of_sixteen_labels() -> None:
    """Maths sheet closed.md, "Golden values (d=16, eps=1, n=1e4)": from channels listed cell by cell."""
    assert information.subset(16, 5, 1.0) == pytest.approx(0.12288088, abs=5e-9)
    assert information.response(16, 1.0) == pytest.approx(0.05140853, abs=5e-9)
    assert information.rappor(16, 1.0) == pytest.approx(0.11446395, abs=5e-9)


@each("epsilon", LEVELS)
@each("d", range(2, 9))
def test_subsets_tell_what_their_listed_channel_tells(d: int, epsilon: float) -> None:
    for k in range(1, d):
        messages = references.subset(d, k, epsilon)
        assert information.subset(d, k, epsilon) == pytest.approx(messages.information, rel=1e-10)
        assert two_level(messages, epsilon) == pytest.approx(messages.information, rel=1e-10)
    assert information.response(d, epsilon) == information.subset(d, 1, epsilon)


@each("epsilon", LEVELS)
@each("d", range(2, 9))
def test_unary_encodings_tell_what_their_listed_channels_tell(d: int, epsilon: float) -> None:
    """Rappor's messages differ by e^(epsilon/2) twice, OUE's by its coin and one bit: e^epsilon in both."""
    rappor, unary = references.rappor(d, epsilon), references.optimized_unary(d, epsilon)
    assert information.rappor(d, epsilon) == pytest.approx(rappor.information, rel=1e-10)
    assert information.optimized_unary(d, epsilon) == pytest.approx(unary.information, rel=1e-10)
    assert two_level(rappor, epsilon) == pytest.approx(rappor.information, rel=1e-10)
    assert two_level(unary, epsilon) == pytest.approx(unary.information, rel=1e-10)


@each("epsilon", LEVELS)
@each("d", range(2, 8))
def test_designs_tell_what_their_listed_channels_tell(d: int, epsilon: float) -> None:
    """With fewer labels than the design has places, its messages hold different numbers of them."""
    for messages in [references.cyclic(d, epsilon), *(references.hadamard(d, b, epsilon) for b in (1, 2, 4, 8))]:
        assert two_level(messages, epsilon) == pytest.approx(messages.information, rel=1e-10)


def test_kinds_of_messages_stand_for_their_copies() -> None:
    """Unary reports by their number of set bits instead of one by one."""
    d, epsilon, weight = 12, 1.3, np.arange(13)
    log_copies = special.gammaln(d + 1) - special.gammaln(weight + 1) - special.gammaln(d - weight + 1)
    log_low = (d - weight - 1) * epsilon / 2 - d * math.log1p(math.exp(epsilon / 2))
    kinds = information.two_level(log_copies, weight, log_low, epsilon, d)
    assert kinds == pytest.approx(information.rappor(d, epsilon), rel=1e-12)


@each("epsilon", EPSILONS)
@each("d", [2, 3, 16, 1000, 10**6])
def test_no_digit_is_lost(d: int, epsilon: float) -> None:
    odds = exponential(epsilon)
    for k in {1, max(1, d // 3), max(1, d // 2)}:
        total = k * odds + d - k
        exact = k * odds * Fraction(epsilon) / total - logarithm(total / d)
        assert error(information.subset(d, k, epsilon), exact) < 1e-14


@each("epsilon", [1e-6, 0.5, 1.0, 4.0, 12.0])
@each("d", [2, 100, 10_000])
def test_rappor_is_wang2016s_sum(d: int, epsilon: float) -> None:
    """Eq. 8 term by term, the factorials as logarithms."""
    k = np.arange(d + 1)
    log_binomial = special.gammaln(d + 1) - special.gammaln(k + 1) - special.gammaln(d - k + 1)
    scale = (d - k - 1) * epsilon / 2 - d * np.logaddexp(0, epsilon / 2)
    weights = np.exp(log_binomial + scale) * (k * math.exp(epsilon) + d - k) / d
    total = float(weights @ information.by_share(k / d, epsilon))
    assert weights.sum() == pytest.approx(1, rel=1e-9)
    assert information.rappor(d, epsilon) == pytest.approx(total, rel=1e-9)


@each("epsilon", [1e-6, 1.0, 4.0])
def test_a_million_labels_tell_what_the_usual_share_of_set_bits_does(epsilon: float) -> None:
    """The share settles at 1/(1+S), or 1/(1+E), where the sum over 10^6 weights is cut off."""
    for told, flip in ((information.rappor, epsilon / 2), (information.optimized_unary, epsilon)):
        usual = float(information.by_share(np.array([1 / (1 + math.exp(flip))]), epsilon)[0])
        assert told(10**6, epsilon) == pytest.approx(usual, rel=1e-3)


@given(
    weights=st.lists(st.floats(0.01, 1), min_size=1, max_size=6),
    members=st.lists(st.integers(0, 9), min_size=6, max_size=6),
    epsilon=st.floats(1e-6, 32),
)
def test_no_two_level_channel_beats_the_best_subset(weights: list[float], members: list[int], epsilon: float) -> None:
    held = np.array(members[: len(weights)])
    low = np.array(weights) / (np.array(weights) @ (1 + held / 9 * math.expm1(epsilon)))
    told = information.two_level(np.zeros(len(held)), held, np.log(low), epsilon, 9)
    best = information.subset(9, sizes.best_information_size(9, epsilon), epsilon)
    assert 0 <= told <= best * (1 + 1e-12)


@each("epsilon", EPSILONS)
def test_information_rises_to_one_size_and_falls(epsilon: float) -> None:
    """wang2016 calls I_k concave; that holds up to epsilon = 1.2564 only, but one peak it always has."""
    told = information.by_share(np.arange(501) / 500, epsilon)
    steps, peak = np.diff(told), int(told.argmax())
    assert told[0] == told[-1] == 0
    assert (steps[:peak] > 0).all()
    assert (steps[peak:] < 0).all()
    assert bool((np.diff(steps) < 1e-15).all()) is (epsilon < 1.2564)


@pytest.mark.parametrize(
    "told", [information.response, information.rappor, information.optimized_unary], ids=["k-RR", "RAPPOR", "OUE"]
)
@pytest.mark.parametrize("d", [2, 16, 1000])
def test_more_epsilon_tells_more_and_never_all(told: Callable[[int, float], float], d: int) -> None:
    levels = [told(d, epsilon) for epsilon in EPSILONS]
    assert all(less < more for less, more in itertools.pairwise(levels))
    assert levels[-1] <= math.log(d)


def test_a_message_that_holds_all_or_nothing_tells_nothing() -> None:
    members, log_low = np.array([0, 4]), np.log([0.5, 0.5 / math.e])
    assert information.two_level(np.zeros(2), members, log_low, 1.0, 4) == 0
