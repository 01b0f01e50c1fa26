"""The optimum of two labels: golden values, Warner and Mangat as its ends, and levels that are refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.arrays import Column, Indices
from deniable.privacy.entropy import Entropy
from deniable.theory.best_channel.optimal import optimal_matrix

INF = math.inf
LEVELS = [(0.7, 1.4), (1.4, 0.7), (1.0, 1.0), (0.01, 3.0), (5.0, 0.5), (1.0, INF), (INF, 1.0), (10.0, 10.0)]


def test_golden() -> None:
    m = dn.BinaryResponse(2, 0.7, 1.4)
    assert m.probabilities[:, 0].round(6).tolist() == [0.858536, 0.426337]
    assert m.law.variances.variances(np.array([0.2, 0.8])).round(6).tolist() == [1.33748, 1.33748]
    assert m.risk(1, "l2", [0.2, 0.8]) == pytest.approx(2 * 1.337480, abs=1e-6)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 10.0, 32.0])
def test_equal_levels_are_warners_coin(epsilon: float) -> None:
    m = dn.BinaryResponse(2, epsilon, epsilon)
    keep = 1 / (1 + math.exp(-epsilon))
    assert np.allclose(m.probabilities, [[keep, 1 - keep], [1 - keep, keep]], rtol=1e-12)
    assert dn.LDP(epsilon).holds(m)
    assert m.mutual_information() == pytest.approx(dn.RandomizedResponse(2, epsilon).mutual_information(), rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
def test_an_infinite_level_is_mangats_coin(epsilon: float) -> None:
    """The label that may be found out never sends the other's report, or always its own."""
    found_out, hidden = dn.BinaryResponse(2, INF, epsilon), dn.BinaryResponse(2, epsilon, INF)
    assert found_out.exact[1, 0] == 0
    assert float(found_out.exact[0, 1]) == pytest.approx(math.exp(-epsilon), rel=1e-12)
    assert hidden.exact[0, 1] == 0
    assert np.array_equal(found_out.exact, hidden.exact[::-1, ::-1])


@pytest.mark.parametrize(("first", "second"), LEVELS)
def test_kept_and_tight(first: float, second: float) -> None:
    m = dn.BinaryResponse(["yes", "no"], first, second)
    assert m.guarantee == dn.Pairwise(["yes", "no"], [[0, first], [second, 0]])
    assert dn.audit(m).holds
    least = m.guarantee.tightest(m)
    for wanted, got in ((first, least[0, 1]), (second, least[1, 0])):
        assert got <= wanted
        assert got == INF or got > wanted - 1e-6
    for less in ((first - 1e-6, second), (first, second - 1e-6)):
        if less != (first, second):
            assert not dn.Pairwise(["yes", "no"], [[0, less[0]], [less[1], 0]]).holds(m)


@pytest.mark.parametrize(("first", "second"), LEVELS)
def test_no_channel_tells_more(first: float, second: float) -> None:
    """For any prior: the optimum of two labels does not depend on it."""
    m = dn.BinaryResponse(2, first, second)
    for prior in ([0.5, 0.5], [0.9, 0.1], [0.02, 0.98]):
        best = optimal_matrix([[0, first], [second, 0]], prior)
        p, rows = np.array(prior), m.probabilities
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.where(rows > 0, p[:, None] * rows * np.log(rows / (p @ rows)), 0).sum()
        assert told == pytest.approx(best.value, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(("first", "second"), [(0.7, 1.4), (INF, 1.0)])
def test_error_region(first: float, second: float) -> None:
    """acharya2019's corner: false alarms and misses of telling the labels apart."""
    m = dn.BinaryResponse(2, first, second)
    if second < INF and first < INF:
        both = math.expm1(first + second)
        assert float(m.exact[1, 0]) == pytest.approx(math.expm1(second) / both, rel=1e-12)
        assert float(m.exact[0, 1]) == pytest.approx(math.expm1(first) / both, rel=1e-12)
    truth = np.array([0.2, 0.8])
    seen, gap = truth @ m.probabilities[:, 0], m.probabilities[0, 0] - m.probabilities[1, 0]
    assert m.risk(7, "l2", truth) == pytest.approx(2 * seen * (1 - seen) / gap**2 / 7, rel=1e-9)


@pytest.mark.parametrize("levels", [(1e-6, 1e-6), (1e-6, 1.0), (1e-6, INF), (32.0, INF), (32.0, 32.0), (32.0, 1.0)])
def test_extreme_levels_that_there_is_room_for(levels: tuple[float, float]) -> None:
    m = dn.BinaryResponse(2, *levels)
    assert dn.audit(m).holds
    least = m.guarantee.tightest(m)
    assert least[0, 1] == INF or least[0, 1] >= levels[0] * (1 - 1e-6)
    assert least[1, 0] == INF or least[1, 0] >= levels[1] * (1 - 1e-6)
    assert dn.from_spec(m.spec()) == m


@pytest.mark.parametrize("levels", [(1e-6, 32.0), (32.0, 1e-6)])
def test_extreme_levels_that_there_is_no_room_for(levels: tuple[float, float]) -> None:
    """The level of 32 would be reached by an entry far below 2^-63."""
    with pytest.raises(dn.CapacityError, match=r"must leave room for both in 64 bits, got (1e-06 and 32|32 and 1e-06)"):
        dn.BinaryResponse(2, *levels)


@pytest.mark.parametrize("wrong", [0, 0.0, math.nan, -1, 33, 1e-7, "inf", True, None, -INF, [1.0]])
def test_levels_that_are_refused(wrong: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^epsilon_first must"):
        dn.BinaryResponse(2, wrong, 1.0)
    with pytest.raises(dn.ParameterError, match=r"^epsilon_second must"):
        dn.BinaryResponse(2, 1.0, wrong)


def test_no_privacy_is_refused() -> None:
    with pytest.raises(dn.ParameterError, match="not both be infinite"):
        dn.BinaryResponse(2, INF, INF)


@pytest.mark.parametrize("domain", [3, ["a", "b", "c"]])
def test_two_labels_only(domain: Any) -> None:
    with pytest.raises(dn.ParameterError, match="two labels"):
        dn.BinaryResponse(domain, 1.0, 1.0)


@pytest.mark.parametrize("change", [{"epsilon_first": "Inf"}, {"epsilon_first": INF}, {"epsilon_first": 0}, {"a": 1}])
def test_tampered_specs(change: dict[str, Any]) -> None:
    spec = dn.BinaryResponse(["é", "日本"], INF, 1.0).spec()
    assert spec["epsilon_first"] == "inf"
    assert dn.from_spec(spec) == dn.BinaryResponse(["é", "日本"], INF, 1.0)
    with pytest.raises(dn.FormatError):
        dn.from_spec({**spec, **change})


class Turned(dn.BinaryResponse):
    """Draws what the other label would."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        return super().draw(1 - values, entropy)


@pytest.mark.parametrize(("first", "second"), [(0.7, 1.4), (INF, 1.0)])
def test_samples_follow_the_channel(first: float, second: float) -> None:
    """At 1e-6; a coin that is turned round is caught, and provably leaks, for the levels have a direction."""
    assert dn.audit_sampling(dn.BinaryResponse(2, first, second), 40_000, seed=3).holds
    found = dn.audit_sampling(Turned(2, first, second), 40_000, seed=3)
    assert not found.holds
    assert found.p_value < 1e-6
    assert found.epsilon_lower > found.claimed
