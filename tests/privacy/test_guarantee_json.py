"""Guarantees as plain values: JSON round trips of every kind and label, and files that are refused."""

from __future__ import annotations

import datetime
import json
import math
from typing import Any

import pytest
from tests.cases import each

import deniable as dn
from deniable.privacy.guarantee_json import from_dict, to_dict
from deniable.protocol.privacy.guarantees import Guarantee

INF = math.inf
LABELS = ["é", "日本", "", ("a", 1), ("a", (b"\x00", 1.5)), b"\xff", datetime.date(2024, 2, 29), 7, 7.5, True]
GUARANTEES: list[Guarantee] = [
    dn.LDP(0.1),
    dn.Pairwise(["ja", "nein"], [[0, INF], [0.0, 0]]),
    dn.Pairwise(3, [[0, 1, 2], [INF, 0, 64], [0.1, 0.3, 0]]),
    dn.HighLow(4, [2, 0], 1.0),
    dn.HighLow(LABELS, LABELS[::2], 0.5),
    dn.HighLow(LABELS, LABELS, 0.5),
    dn.Blocks([[0, 1], [2]], 1.0),
    dn.Blocks([LABELS[:4], LABELS[4:5], LABELS[5:]], 2.0),
    dn.Blocks([[2, 0], [1]], 1.0, domain=3),
    dn.InformationPrivacy(LABELS, [0.1] * 10, 3.0),
    dn.InformationPrivacy(2, [1.0, 0.0], 3.0),
    dn.OneSidedInformationPrivacy(LABELS, [0.1] * 10, 3.0),
    dn.MutualInformationPrivacy(2, [1.0, 0.0], 3.0),
    dn.CentralInformationPrivacy(2, [0.75, 0.25], 3.0, 1000),
]


@each("guarantee", GUARANTEES, ids=str)
def test_round_trip(guarantee: Guarantee) -> None:
    text = json.dumps(to_dict(guarantee), allow_nan=False)
    again = from_dict(json.loads(text))
    assert again == guarantee
    assert hash(again) == hash(guarantee)
    assert type(again) is type(guarantee)
    assert to_dict(again) == to_dict(guarantee)


@each("level", [0.0, 1e-9, 33.0, 96.0, INF])
def test_computed_levels_are_read_where_they_may_be(level: float) -> None:
    plain = (dn.LDP(1.0), dn.HighLow(2, [0], 1.0), dn.InformationPrivacy(2, [0.5, 0.5], 1.0))
    for guarantee in (*plain, dn.CentralInformationPrivacy(2, [0.5, 0.5], 1.0, 3)):
        written = json.loads(json.dumps(to_dict(guarantee.at(level)), allow_nan=False))
        assert from_dict(written, computed=True) == guarantee.at(level)
        with pytest.raises(dn.ParameterError, match="epsilon must"):
            from_dict(written)


def test_the_domain_may_come_from_elsewhere() -> None:
    assert from_dict({"sensitive": ["b"], "epsilon": 1.0}, ["a", "b"]) == dn.HighLow(["a", "b"], ["b"], 1.0)
    assert from_dict({"blocks": [["a"], ["b"]], "epsilon": 1}) == dn.Blocks([["a"], ["b"]], 1.0)
    assert from_dict({"blocks": [["b"], ["a"]], "epsilon": 1}, ["a", "b"]).pair_level(0, 1) == INF
    assert from_dict({"matrix": [[0, "inf"], [1, 0]]}, 2) == dn.Pairwise(2, [[0, INF], [1, 0]])
    assert from_dict({"matrix": [[0, INF], [1, 0]]}, 2) == dn.Pairwise(2, [[0, INF], [1, 0]])
    assert from_dict({"domain": ["a", "b"], "epsilon": 1.0}) == dn.LDP(1.0)


@each("guarantee", GUARANTEES, ids=str)
def test_a_channel_writes_its_guarantee(guarantee: Guarantee) -> None:
    """Into its spec, which is canonical JSON."""
    domain = guarantee.order or dn.Domain.of(2)
    m = dn.Channel(domain, [[0.5, 0.5]] * len(domain), guarantee)
    assert dn.from_spec(json.loads(m.spec_bytes)) == m
    assert dn.from_spec(json.loads(m.spec_bytes)).guarantee == guarantee


@each(
    "written",
    [
        None,
        7,
        "epsilon",
        [],
        {},
        {"Epsilon": 1.0},
        {"epsilon": 1.0, "delta": 0.1},
        {"epsilon": 1.0, 7: 1},
        {"sensitive": ["a"]},
        {"sensitive": ["a"], "blocks": [["a"]], "epsilon": 1.0},
        {"sensitive": ["a"], "epsilon": 1.0},
        {"matrix": [[0, 1], [1, 0]]},
        {"prior": [0.5, 0.5], "epsilon": 1.0},
        {"domain": 2, "one_sided": True, "epsilon": 1.0},
        {"domain": 2, "one_sided": False, "prior": [0.5, 0.5], "epsilon": 1.0},
        {"domain": 2, "mutual_information": 1, "prior": [0.5, 0.5], "epsilon": 1.0},
        {"domain": 2, "mutual_information": True, "people": 3, "prior": [0.5, 0.5], "epsilon": 1.0},
        {"domain": 2, "people": 3, "epsilon": 1.0},
        {"domain": "ab", "sensitive": ["a"], "epsilon": 1.0},
        {"domain": None, "blocks": [["a"], ["b"]], "epsilon": 1.0},
        {"domain": ["a", "b"], "matrix": 3},
        {"domain": ["a", "b"], "matrix": [1, 2]},
        {"domain": ["a", "b"], "matrix": [[0, 1], [1, 0]], "epsilon": 1.0},
        {"domain": ["a", {"colour": "red"}], "sensitive": ["a"], "epsilon": 1.0},
        {"domain": ["a", "b"], "sensitive": [{"bytes": "f"}], "epsilon": 1.0},
        {"domain": ["a", "b"], "sensitive": [{"tuple": 7}], "epsilon": 1.0},
        {"blocks": [["a", {"date": "2023-02-29"}], ["b"]], "epsilon": 1.0},
    ],
)
def test_what_is_no_guarantee(written: Any) -> None:
    with pytest.raises(dn.FormatError, match=r"^a (guarantee|spec|label)"):
        from_dict(written)


@each(
    "written",
    [
        {"epsilon": 0},
        {"epsilon": "1"},
        {"epsilon": "inf"},
        {"domain": ["a", "b"], "sensitive": "a", "epsilon": 1.0},
        {"domain": ["a", "b"], "sensitive": ["c"], "epsilon": 1.0},
        {"domain": ["a", "b"], "blocks": [["a"]], "epsilon": 1.0},
        {"domain": ["a", "b"], "blocks": 7, "epsilon": 1.0},
        {"domain": ["a", "b"], "prior": [0.5, 0.6], "epsilon": 1.0},
        {"domain": ["a", "b"], "prior": 3, "epsilon": 1.0},
        {"domain": ["a", "b"], "prior": [0.5, 0.5], "people": 0, "epsilon": 1.0},
        {"domain": ["a", "b"], "prior": [0.5, 0.5], "people": "3", "epsilon": 1.0},
        {"domain": ["a", "b"], "matrix": [[0, -1], [1, 0]]},
        {"domain": ["a", "b"], "matrix": [[0, "Inf"], [1, 0]]},
        {"domain": ["a", "b"], "matrix": ["ab", "cd"]},
        {"domain": ["a", "a"], "sensitive": ["a"], "epsilon": 1.0},
        {"domain": 1, "sensitive": [0], "epsilon": 1.0},
    ],
)
def test_guarantees_that_are_refused_for_what_they_say(written: Any) -> None:
    with pytest.raises((dn.ParameterError, dn.DomainError)):
        from_dict(written)


def test_a_guarantee_of_ones_own_is_not_written() -> None:
    class Own(dn.LDP):
        """No kind of deniable's."""

    assert to_dict(Own(1.0)) == {"epsilon": 1.0}
    other: Any = object()
    with pytest.raises(dn.FormatError, match="one of deniable's"):
        to_dict(other)


HUGE = 10**400
WRONG_NUMBERS: list[Any] = [HUGE, -HUGE, math.nan, -math.inf, -1, True, False, None, "1", "NaN", [], [1.0], {}]


@each("wrong", WRONG_NUMBERS, ids=lambda wrong: str(wrong)[:10])
@each("computed", [False, True])
def test_numbers_that_are_no_levels(wrong: Any, computed: bool) -> None:
    """Whatever a file may hold in the place of a number is refused with one of our errors, wherever it stands."""
    pages: list[dict[str, Any]] = [
        {"epsilon": wrong},
        {"domain": 2, "sensitive": [1], "epsilon": wrong},
        {"blocks": [["a", "b"], ["c"]], "epsilon": wrong},
        {"domain": 2, "prior": [0.5, 0.5], "epsilon": wrong},
        {"domain": 2, "prior": [0.5, wrong], "epsilon": 1.0},
        {"domain": 2, "matrix": [[0, wrong], [1.0, 0]]},
        {"domain": wrong, "prior": [0.5, 0.5], "epsilon": 1.0},
    ]
    for page in pages:
        with pytest.raises(dn.DenialError):
            from_dict(page, computed=computed)


@each("wrong", WRONG_NUMBERS[:-5], ids=lambda wrong: str(wrong)[:10])
def test_ledgers_of_wrong_numbers(wrong: Any) -> None:
    page = {"version": 1, "cap": {"epsilon": 1.0}, "entries": [{"survey": "one", "guarantee": {"epsilon": 0.5}}]}
    assert dn.Ledger.from_json(json.dumps(page)).spent == dn.LDP(0.5)
    for changed in ({"cap": {"epsilon": wrong}}, {"entries": [{"survey": "one", "guarantee": {"epsilon": wrong}}]}):
        with pytest.raises(dn.FormatError, match=r"^a ledger must"):
            dn.Ledger.from_json(json.dumps({**page, **changed}))
    with pytest.raises(dn.FormatError, match=r"^a ledger must"):
        dn.Ledger.from_json(json.dumps({**page, "version": wrong}))
