"""Tallies: integers that add, bytes that prove themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable as dn
from deniable.reports.spec import canonical, parse

SPEC = dn.RandomizedResponse(["ja", "nein", "ウ"], 1.0).spec()
COUNTS = st.lists(st.integers(0, 1 << 60), min_size=3, max_size=3)


@given(COUNTS, COUNTS, COUNTS)
def test_adding_is_associative_and_commutative(a: list[int], b: list[int], c: list[int]) -> None:
    x, y, z = (dn.Tally(1 << 60, np.array(counts), SPEC) for counts in (a, b, c))
    zero = dn.Tally(0, np.zeros(3, np.int64), SPEC)
    assert (x + y) + z == x + (y + z) == z + (y + x) == sum([x, y, z])
    assert x + zero == x == zero + x
    assert (x + y).counts.tolist() == [i + j for i, j in zip(a, b, strict=True)]


@given(COUNTS)
def test_bytes_round_trip(counts: list[int]) -> None:
    tally = dn.Tally(1 << 61, np.array(counts), SPEC)
    again = dn.Tally.from_bytes(tally.to_bytes())
    assert again == tally
    assert again.digest == tally.digest
    assert dn.from_spec(again.spec) == dn.RandomizedResponse(["ja", "nein", "ウ"], 1.0)


def test_every_flipped_or_missing_byte_is_one_clear_error() -> None:
    written = dn.Tally(9, np.array([1, 2, 6]), SPEC).to_bytes()
    for at in range(len(written)):
        for altered in (written[:at], written[:at] + bytes([written[at] ^ 0x10]) + written[at + 1 :]):
            with pytest.raises(dn.FormatError, match=r"^a tally must"):
                dn.Tally.from_bytes(altered)
    with pytest.raises(dn.FormatError):
        dn.Tally.from_bytes(written + b"\0")


def test_what_does_not_belong_together_is_refused() -> None:
    a = dn.Tally(3, np.array([1, 1, 1]), SPEC)
    for other in (dn.RandomizedResponse(3, 1.0), dn.RandomizedResponse(["ja", "nein", "ウ"], 1.5)):
        with pytest.raises(dn.TallyError, match=r"only tallies of one spec add"):
            a + other.tally([])
    with pytest.raises(dn.TallyError, match=r"at most 2\^63 - 1"):
        dn.Tally(1 << 62, a.counts, SPEC) + dn.Tally(1 << 62, a.counts, SPEC)
    number: Any = 1
    with pytest.raises(TypeError):
        a + number
    for n, counts in ((-1, [0]), (1 << 63, [0]), (1, [2]), (1, [-1])):
        with pytest.raises(dn.TallyError):
            dn.Tally(n, np.array(counts), SPEC)


def test_a_tally_cannot_be_changed() -> None:
    counts = np.array([1, 1, 1])
    tally = dn.Tally(3, counts, SPEC)
    counts[0] = 7
    assert tally.counts[0] == 1
    with pytest.raises(ValueError, match=r"read-only"):
        tally.counts[0] = 7
    assert "RandomizedResponse" in repr(tally)
    assert len({tally, dn.Tally(3, np.array([1, 1, 1]), SPEC)}) == 1


@pytest.mark.parametrize("written", [b"", b"[]", b'{"b":1,"a":1}', b'{"a": 1}', b"\xff", b'{"a":NaN}', b'{"a":1'])
def test_specs_have_one_writing(written: bytes) -> None:
    with pytest.raises(dn.FormatError, match=r"^a spec must"):
        parse(written)
    assert parse(canonical(SPEC)) == SPEC


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"mechanism": "Magic"},
        {"epsilon": -1.0},
        {"epsilon": "1"},
        {"domain": 1},
        {"domain": ["a", "a"]},
        {"domain": {}},
        {"domain": [{"date": "never"}, 1]},
        {"domain": [{}, 1]},
        {"extra": 1},
    ],
)
def test_bad_specs(change: dict[str, object]) -> None:
    with pytest.raises(dn.FormatError, match=r"^a spec"):
        dn.from_spec({**SPEC, **change})


@pytest.mark.parametrize(
    ("n", "counts"),
    [
        (True, [0, 0, 0]),
        (1.5, [0, 0, 0]),
        ("5", [0, 0, 0]),
        (None, [0, 0, 0]),
        (9, [1.9, 2.5, 3.0]),
        (9, ["1"]),
        (9, [True]),
        (9, [float("nan")]),
        (9, [2**70]),
        (9, "x"),
        (9, [[1], [1, 2]]),
        (9, np.array([2**64 - 1], np.uint64)),
    ],
)
def test_counts_are_whole_numbers(n: Any, counts: Any) -> None:
    with pytest.raises(dn.TallyError, match=r"^a tally"):
        dn.Tally(n, counts, SPEC)


@pytest.mark.parametrize("written", [None, 5, "text", memoryview(b"")])
def test_what_is_no_bytes_is_no_tally(written: Any) -> None:
    with pytest.raises(dn.FormatError, match=r"^a tally must be bytes"):
        dn.Tally.from_bytes(written)


def test_impossible_tallies_are_not_decoded() -> None:
    """Histograms add up to the reports, subsets to their sizes."""
    for m, counts in (
        (dn.RandomizedResponse(3, 1.0), [10, 10, 10]),
        (dn.Subset(6, 1.0), [0] * 6),
        (dn.Hadamard(3, 1.0, parts=1), [5, 0, 0, 0]),
        (dn.Cyclic(6, 1.0), None),
    ):
        given = np.full(m.layout.cells, 10) if counts is None else np.array(counts)
        with pytest.raises(dn.TallyError, match="must add up to"):
            m.estimate(dn.Tally(10, given, m.spec()))


WEIGHTS: list[Any] = [[[0, 0], [0, 0]], [[-1, 2], [1, 0]], [[10**400, 1], [1, 1]], [[1.5, 0.5], [1, 1]], 7, [[1], []]]


@pytest.mark.parametrize("spec", [None, [], "x", 5])
def test_what_is_no_spec(spec: Any) -> None:
    with pytest.raises(dn.FormatError, match=r"^a spec must"):
        dn.from_spec(spec)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_what_are_no_weights(weights: Any) -> None:
    with pytest.raises(dn.FormatError, match=r"^a spec must"):
        dn.from_spec({"version": 1, "mechanism": "Channel", "domain": 2, "weights": weights})


def test_huge_tallies_add_up() -> None:
    m = dn.Subset(8, 1.0, size=4)
    assert m.estimate(dn.Tally(1 << 62, np.full(8, 1 << 61), m.spec())).n == 1 << 62


def test_written_out_channels_are_read_back() -> None:
    channel = dn.Channel(5, dn.Rappor(5, 1.0).channel().rows)
    assert dn.from_spec(channel.spec()) == channel


@pytest.mark.parametrize("spec", [{"a": object()}, {"a": float("nan")}, {"a": {1, 2}}])
def test_specs_that_json_cannot_hold(spec: dict[str, object]) -> None:
    with pytest.raises(dn.TallyError, match="spec must be a dict that JSON can hold"):
        dn.Tally(1, [1], spec)


def test_a_mechanism_is_no_spec() -> None:
    coin: Any = dn.RandomizedResponse(2, 1.0)
    with pytest.raises(dn.TallyError, match=r"got RandomizedResponse; mechanism\.spec\(\) is one$"):
        dn.Tally(1, [0, 1], coin)
