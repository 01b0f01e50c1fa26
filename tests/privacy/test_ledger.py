"""The ledger: whatever is on it keeps the cap, refusals change nothing, and it survives being written down."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable as dn
from deniable.privacy import ledger as ledger_module
from deniable.privacy.ledger import RunningComposition
from deniable.protocol.privacy import composition, each_item, guarantees, informed, levels

PRIOR = [0.5, 0.25, 0.25]
HIGH_LOW = dn.HighLow(["a", "b", "c"], ["b"], 1.0)
BLOCKS = dn.Blocks([["a", "b"], ["c"]], 1.0)
INFORMED = dn.InformationPrivacy(["a", "b", "c"], PRIOR, 1.0)
PAIRWISE = dn.Pairwise(["a", "b", "c"], [[0, 1, 2], [1, 0, math.inf], [2, 1, 0]])
CAPS = [dn.LDP(1.0), HIGH_LOW, BLOCKS, PAIRWISE, INFORMED]


def part(cap: Any, share: float) -> Any:
    if isinstance(cap, dn.Pairwise):
        return dn.Pairwise(cap.domain, np.round(np.array(cap.matrix) * share, 9))
    return cap.at(round(cap.epsilon * share, 9))


@pytest.mark.parametrize("cap", CAPS, ids=str)
def test_a_cap_of_every_kind(cap: Any) -> None:
    """LIP counts the smaller levels twice: 0.6 and twice 0.2 make 1.0."""
    shares = (0.6, 0.2) if cap is INFORMED else (0.6, 0.4)
    ledger = dn.Ledger(cap)
    for share in shares:
        ledger.spend(part(cap, share))
    assert ledger.spent == cap
    assert not ledger.allows(part(cap, 1e-6))
    before = ledger.to_json()
    with pytest.raises(dn.BudgetError, match=r"^the ledger must stay within .* got .* on top of"):
        ledger.spend(part(cap, 0.1), "one too many")
    assert ledger.to_json() == before
    assert dn.Ledger(cap).allows(cap)


def test_ten_times_a_tenth_is_one() -> None:
    ledger = dn.Ledger(dn.LDP(1.0))
    for month in range(10):
        ledger.spend(dn.LDP(0.1), f"month {month}")
    assert ledger.spent == dn.LDP(1.0)
    with pytest.raises(dn.BudgetError):
        ledger.spend(dn.LDP(1e-6))
    assert len(ledger.entries) == 10


def test_nothing_is_spent_at_first() -> None:
    ledger = dn.Ledger(HIGH_LOW)
    assert ledger.spent is None
    with pytest.raises(dn.BudgetError, match="on top of nothing"):
        ledger.spend(dn.LDP(1.5))
    assert ledger.entries == []


def test_mixed_guarantees() -> None:
    ledger = dn.Ledger(HIGH_LOW)
    ledger.spend(dn.LDP(0.25), "plain")
    ledger.spend(HIGH_LOW.at(0.5), "sensitive")
    assert not ledger.allows(BLOCKS.at(0.1))  # which tells b from c
    assert not ledger.allows(INFORMED.at(0.2))
    ledger.spend(dn.Pairwise(["a", "b", "c"], [[0, 64, 64], [0.25, 0, 0.25], [64, 64, 0]]), "pairs")
    assert not ledger.allows(dn.LDP(1e-6))
    plain = dn.Ledger(dn.LDP(2.0))
    plain.spend(INFORMED, "twice its level")
    assert not plain.allows(dn.LDP(1e-6))


def test_a_sum_beyond_proof_is_refused() -> None:
    ledger = dn.Ledger(dn.Pairwise(2, [[0, 50], [50, 0]]))
    ledger.spend(dn.LDP(32.0))
    with pytest.raises(dn.BudgetError):
        ledger.spend(dn.Pairwise(2, [[0, 50], [50, 0]]))


@pytest.mark.parametrize("cap", CAPS, ids=str)
def test_round_trip(cap: Any) -> None:
    ledger = dn.Ledger(cap)
    ledger.spend(part(cap, 0.25), "Frühling 🌷")
    ledger.spend(part(cap, 0.25), 'a "quoted"\nname')
    again = dn.Ledger.from_json(ledger.to_json())
    assert again == ledger
    assert again.to_json() == ledger.to_json()


def test_computed_levels_survive() -> None:
    """A constant channel costs 0, a sum may exceed what one may ask for, and a cap may be infinite."""
    ledger = dn.Ledger(dn.composed([dn.LDP(32.0), dn.LDP(32.0)]))
    free = dn.Channel(2, [[0.5, 0.5], [0.5, 0.5]]).guarantee
    for guarantee in (free, dn.LDP(1.0).at(40.0), dn.LDP(1.0).at(1e-9)):
        ledger.spend(guarantee)
    assert dn.Ledger.from_json(ledger.to_json()) == ledger
    endless = dn.Ledger(dn.LDP(1.0).at(math.inf))
    endless.spend(dn.Channel(2, [[1, 0], [0, 1]]).guarantee)
    assert dn.Ledger.from_json(endless.to_json()) == endless
    assert "Infinity" not in endless.to_json()


PAGE: dict[str, Any] = {
    "version": 1,
    "cap": {"epsilon": 1.0},
    "entries": [{"survey": "one", "guarantee": {"epsilon": 0.6}}],
}


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"version": None},
        {"cap": {"epsilon": 0.5}},
        {"cap": {"epsilon": -1}},
        {"cap": {"epsilon": "NaN"}},
        {"cap": {"epsilon": math.nan}},
        {"cap": {}},
        {"cap": None},
        {"cap": {"epsilon": 1.0, "sensitive": ["a"]}},
        {"entries": [{"survey": "one", "guarantee": {"epsilon": 0.6}}] * 2},
        {"entries": [{"survey": "one"}]},
        {"entries": [{"survey": 7, "guarantee": {"epsilon": 0.1}}]},
        {"entries": [{"guarantee": {"epsilon": 0.1}}]},
        {"entries": None},
        {"entries": [7]},
        {"entries": [{"survey": "one", "guarantee": {"epsilon": True}}]},
    ],
)
def test_tampered_ledgers_are_refused(change: dict[str, Any]) -> None:
    assert dn.Ledger.from_json(json.dumps(PAGE)).spent == dn.LDP(0.6)
    with pytest.raises(dn.FormatError, match=r"^a ledger must"):
        dn.Ledger.from_json(json.dumps({**PAGE, **change}))


@pytest.mark.parametrize("text", ["", "[]", "null", "7", "{}", '{"version": 1}', "[" * 100_000, '{"version":1,'])
def test_what_is_no_ledger(text: str) -> None:
    with pytest.raises(dn.FormatError, match=r"^a ledger must"):
        dn.Ledger.from_json(text)


@pytest.mark.parametrize("wrong", [1.0, None, "LDP", dn.LDP])
def test_only_guarantees_are_spent(wrong: Any) -> None:
    with pytest.raises(dn.ParameterError, match="cap must be a guarantee"):
        dn.Ledger(wrong)
    ledger = dn.Ledger(dn.LDP(1.0))
    for question in (ledger.allows, ledger.spend):
        with pytest.raises(dn.ParameterError, match="guarantee must be one"):
            question(wrong)


def test_only_spending_writes_down() -> None:
    ledger = dn.Ledger(dn.LDP(1.0))
    ledger.spend(dn.LDP(0.6), "one")
    ledger.entries.clear()
    again = copy.copy(ledger)
    again.spend(dn.LDP(0.4), "two")
    assert [entry.survey for entry in ledger.entries] == ["one"]
    assert not ledger.allows(dn.LDP(0.5))
    assert not again.allows(dn.LDP(1e-6))
    assert again == dn.Ledger(dn.LDP(1.0), again.entries) != ledger
    assert copy.deepcopy(again) == again
    with pytest.raises(TypeError):
        hash(ledger)


LEVELS = st.sampled_from([0.1, 0.3, 1.0, 1e-6, 31.9, 32.0, 64.0, 70.0, 1e-300, 0.0, math.inf])
PARTS = st.one_of(
    *(st.builds(kind.at, LEVELS) for kind in (dn.LDP(1.0), HIGH_LOW, dn.HighLow(["a", "b", "c"], ["a"], 1.0), BLOCKS)),
    st.builds(INFORMED.at, LEVELS),
    st.just(PAIRWISE),
)


@settings(max_examples=300)
@given(st.lists(PARTS, min_size=1, max_size=7))
def test_sums_as_they_come_are_those_of_all_at_once(parts: list[Any]) -> None:
    running = RunningComposition()
    for place, each in enumerate(parts):
        assert running.plus(each) == dn.composed(parts[: place + 1])
        running.add(each)
        assert running.spent == dn.composed(parts[: place + 1])


@settings(max_examples=60)
@given(st.lists(PARTS, min_size=1, max_size=4), st.sampled_from(["b", "prior", "domain"]))
def test_what_does_not_add_is_refused_as_by_composed(parts: list[Any], other: str) -> None:
    strangers = {
        "b": dn.HighLow(["x", "y"], ["x"], 1.0),
        "prior": dn.InformationPrivacy(["a", "b", "c"], [0.25, 0.5, 0.25], 1.0),
        "domain": dn.InformationPrivacy(["x", "y"], [0.5, 0.5], 1.0),
    }
    running = RunningComposition()
    for each in parts:
        running.add(each)
    try:
        wanted: Any = dn.composed([*parts, strangers[other]])
    except dn.ParameterError:
        with pytest.raises(dn.ParameterError, match="to be added"):
            running.plus(strangers[other])
    else:
        assert running.plus(strangers[other]) == wanted
    assert running.spent == dn.composed(parts)


@pytest.mark.parametrize(
    "pattern",
    [
        [dn.LDP(0.001)],
        [HIGH_LOW.at(0.001)],
        [HIGH_LOW.at(0.001), BLOCKS.at(0.001)],
        [INFORMED.at(0.001), dn.LDP(0.001)],
    ],
    ids=["plain", "high-low", "pairs", "informed"],
)
def test_surveys_cost_the_same_however_many_there_were(pattern: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in levels that are read as levels, nearly all of the work: twice the surveys, twice of them."""
    read = 0

    def counted(work: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*levels: float) -> Any:
            nonlocal read
            read += len(levels)
            return work(*levels)

        return counting

    monkeypatch.setattr(ledger_module, "decimal", counted(ledger_module.decimal))
    for adding in (composition, each_item, guarantees, informed):
        monkeypatch.setattr(adding, "added", counted(levels.added))
    pair: Any = dn.composed(pattern)
    costs, promise = [], pair.at(1000.0) if len(pattern) < 2 else dn.LDP(1.0).at(math.inf)
    for surveys in (50, 100):
        read, ledger = 0, dn.Ledger(promise)
        for number in range(surveys):
            ledger.spend(pattern[number % len(pattern)], f"{number}")
        written = ledger.to_json()
        assert read > surveys
        costs.append(read)
        assert dn.Ledger.from_json(written) == ledger
    assert costs[1] < 2.2 * costs[0]
