"""Hashed mechanisms: hashes to the byte, draws against their twins and their law, and what is refused."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import deniable as dn
from deniable.arrays import Words
from deniable.kernels.hashing import hash_table, permuted_table
from deniable.mechanisms.mechanism import Mechanism, check_tally
from deniable.protocol import draws, hashes
from deniable.values.texts import Texts

FALSE_ALARM = 1e-9
TEXTS = ["", "a", "café", "cafe\u0301", "日本語", "🙂", "x" * 1_000_000, "a\x00b"]


def base(text: str, key: str = "") -> int:
    """The definition of the docs, by the standard library."""
    return int.from_bytes(hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()[:8], "little")


@pytest.mark.parametrize("key", ["", "march", "ключ", "k" * 65])
def test_bases_are_the_first_bytes_of_hmac(key: str) -> None:
    strings = Texts(key)
    assert [strings.base(text) for text in TEXTS] == [base(text, key) for text in TEXTS]
    assert strings.indices(TEXTS).view(np.uint64).tolist() == [base(text, key) for text in TEXTS]
    many = ["é日\0🙂a"[place % 5] * place for place in range(200)]
    assert strings.indices(many).view(np.uint64).tolist() == [base(text, key) for text in many]
    assert len({base(text, key) for text in TEXTS}) == len(TEXTS)


def test_columns_of_any_kind_hash_alike() -> None:
    strings, texts = Texts(""), ["b", "a", "b"]
    columns: list[Any] = [texts, np.array(texts), np.array(texts, object), pa.array(texts), pa.chunked_array([texts])]
    columns.append(pa.array(texts).dictionary_encode())
    for column in columns:
        assert strings.indices(column).tolist() == [strings.index(text) for text in texts]


def test_hash_tables_equal_their_twin() -> None:
    bases = np.array([base(text) for text in TEXTS], np.uint64)
    table = hash_table(bases, 5, 3, 37)
    for s, b in enumerate(bases.tolist()):
        assert table[s].tolist() == [[hashes.hash_symbol(b, 3 * c + j, 37) for j in range(3)] for c in range(5)]


@pytest.mark.parametrize(("labels", "symbols"), [(2, 2), (7, 3), (16, 4), (5, 8)])
def test_permutations_equal_their_twin(labels: int, symbols: int) -> None:
    table = permuted_table(np.uint64(99), labels, 6, symbols)[:, :, 0]
    assert table.T.tolist() == [hashes.dealt(99, labels, c, symbols) for c in range(6)]


class Tape:
    """Entropy of fixed parts, one for each feed; what a part lacks are words that no twin reads."""

    def __init__(self, parts: list[list[int]]) -> None:
        self.parts = parts

    def words(self, count: int) -> Words:
        part = self.parts.pop(0)
        assert len(part) <= count
        return np.array(part + [0x123456789ABCDEF] * (count - len(part)), np.uint64)

    def part(self, index: int) -> Tape:
        return self


def test_response_draws_equal_their_twin() -> None:
    m = dn.HashedResponse(2.0, symbols=10, cohorts=12, key="k")
    words = dn.SeededEntropy(3).words(200).tolist()
    for text in TEXTS[:6]:
        cohort_words, coin_words = [words.pop() for _ in range(3)], [words.pop() for _ in range(3)]
        cohort = draws.uniform(iter(cohort_words), 12)
        own = hashes.hash_symbol(base(text, "k"), cohort, 10)
        told = draws.response(iter(coin_words), own, 10, m.odds.above, m.odds.below)
        assert m.privatize(text, Tape([cohort_words, coin_words])) == 10 * cohort + told


def test_filter_draws_equal_their_twin() -> None:
    m = dn.HashedRappor(2.0, symbols=20, cohorts=12, hashes=3)
    words: Iterator[int] = iter(dn.SeededEntropy(4).words(40_000).tolist())
    for text in TEXTS[:6]:
        cohort_words, noise_words = [next(words) for _ in range(3)], [next(words) for _ in range(600)]
        cohort = draws.uniform(iter(cohort_words), 12)
        own = {hashes.hash_symbol(base(text), 3 * cohort + j, 20) for j in range(3)}
        bits = draws.coins(iter(noise_words), m.odds.below, 20) ^ sum(1 << symbol for symbol in own)
        report = m.privatize(text, Tape([cohort_words, noise_words[:64], noise_words[64:]]))
        assert report == cohort.to_bytes(2, "little") + bits.to_bytes(3, "little")


def test_open_reports_follow_their_law() -> None:
    """Chi-square of one text's reports over all cohorts and symbols, false alarm 1e-9; off by a hundredth is seen."""
    m, n = dn.HashedResponse(1.0, symbols=6, cohorts=8), 400_000
    counts = m.tally(m.privatize_many(["日本"] * n, seed=2)).counts.reshape(8, 6)
    g, h = (weight / (m.odds.above + 5 * m.odds.below) for weight in (m.odds.above, m.odds.below))
    law = np.full((8, 6), h / 8)
    law[np.arange(8), [hashes.hash_symbol(base("日本"), c, 6) for c in range(8)]] = g / 8
    assert stats.chisquare(counts.ravel(), n * law.ravel()).pvalue > FALSE_ALARM
    tilted = law.copy()
    tilted[0] *= 1.01
    tilted[1:] *= (1 - tilted[0].sum()) / tilted[1:].sum()
    tilted[0] *= 1.05
    assert stats.chisquare(counts.ravel(), n * (tilted / tilted.sum()).ravel()).pvalue < FALSE_ALARM


def closed() -> list[Mechanism]:
    return [
        dn.HashedResponse(1.0, 4, 6, domain=7),
        dn.HashedResponse(1.0, 8, 3, domain=["a", "b"]),
        dn.HashedRappor(1.0, 4, 5, domain=7),
        dn.HashedRappor(1.0, 5, 3, hashes=2, domain=7),
        dn.HashedRappor(1.0, 3, 2, hashes=2, domain=20),  # filters differ in three bits, not in four
    ]


@pytest.mark.parametrize("m", closed(), ids=repr)
def test_closed_channels_are_exact_and_drawn(m: Mechanism) -> None:
    assert all(sum(row) == 1 for row in m.channel().exact)
    assert dn.audit(m).holds
    assert m.channel().rows.worst_ratio() == m.law.exact_ratio()
    assert not dn.LDP(1.0 - 1e-6).holds(m)
    assert dn.audit_sampling(m, 40_000, 3).holds
    assert dn.from_spec(m.spec()) == m


@pytest.mark.parametrize("m", [dn.HashedResponse(3.0, 16, 64), dn.HashedRappor(3.0, 16, 64, 2, key="é")], ids=repr)
def test_open_mechanisms_travel(m: Mechanism) -> None:
    again = dn.from_spec(m.spec())
    assert again == m
    family: type[Any] = type(m)
    assert again != family(3.0, 16, 32)
    reports = m.privatize_many(["a", "b", ""] * 100, seed=5)
    assert np.array_equal(reports, again.privatize_many(["a", "b", ""] * 100, seed=5))
    tally = m.tally(reports)
    assert m.tally(reports[:10]) + m.tally(reports[10:]) == tally
    assert dn.Tally.from_bytes(tally.to_bytes()) == tally
    assert m.tally([m.privatize("a"), m.privatize("b")]).n == 2
    assert dn.audit(m).holds
    assert not dn.audit(m).listed


@pytest.mark.parametrize("value", ["\ud800", None, 5, b"x", float("nan"), ["a"], True])
def test_values_that_are_no_text(value: Any) -> None:
    m = dn.HashedResponse(1.0, 4, 4)
    with pytest.raises(dn.LabelError, match="must be text in Unicode"):
        m.privatize(value)
    with pytest.raises(dn.LabelError, match="got 1 of 2"):
        m.privatize_many(["a", value])


@pytest.mark.parametrize("column", [[], "abc", {"a": 1}, None, 7])
def test_columns_that_are_none(column: Any) -> None:
    with pytest.raises(dn.LabelError, match="labels must"):
        dn.HashedResponse(1.0, 4, 4).privatize_many(column)


@pytest.mark.parametrize(
    "arguments",
    [
        {"symbols": 1},
        {"symbols": 65537},
        {"symbols": 2.5},
        {"cohorts": 0},
        {"cohorts": 65537},
        {"cohorts": True},
        {"key": b"k"},
        {"key": "\ud800"},
        {"epsilon": float("nan")},
        {"epsilon": 0},
    ],
)
@pytest.mark.parametrize("family", [dn.HashedResponse, dn.HashedRappor])
def test_bad_parameters(family: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(dn.ParameterError, match=" must be "):
        family(**{"epsilon": 1.0, "symbols": 4, "cohorts": 4, **arguments})


@pytest.mark.parametrize("family", [dn.HashedResponse, dn.HashedRappor])
def test_tallies_that_fit_no_memory_are_refused_before_they_are_made(family: Any) -> None:
    """A spec in a file may ask for 32 GiB of counts."""
    m = family(1.0, 65536, 65536)
    report = m.privatize("a")
    for batch in ([report], []):
        with pytest.raises(dn.CapacityError, match="a tally must hold at most"):
            m.tally(batch)


def test_bad_reports() -> None:
    m = dn.HashedRappor(1.0, 5, 300)
    good = m.privatize_many(["a"] * 3, seed=1)
    outside, padded = good.copy(), good.copy()
    outside[1, :2] = 44, 1
    padded[1, -1] |= 0x80
    for bad in (outside, padded, good[:, :2], [b"abc", b"ab"], good.astype(float)):
        with pytest.raises(dn.ReportError, match="every report must"):
            m.tally(bad)
    with pytest.raises(dn.ReportError, match="out of range"):
        dn.HashedResponse(1.0, 4, 4).tally([3, 16])


def test_tallies_that_cannot_be() -> None:
    m = dn.HashedRappor(1.0, 3, 2)
    for counts in ([1, 0, 1, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 1, 0, 0]):
        with pytest.raises(dn.TallyError, match="one cohort"):
            check_tally(m, dn.Tally(2, counts, m.spec()))
