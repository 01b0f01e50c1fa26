"""Draws: word for word as the vectors and the kernels, from the operating system's words, by the exact law."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from typing import Any

import pytest
from scipy import stats
from tests.cases import each
from tests.clients.python.words import SeededWords, value_of, words_of
from tests.lengths import by_length
from tests.mechanisms.examples import values_of
from tests.wire.generate.draws import twin_of
from tests.wire.generate.surveys import SURVEYS
from tests.wire.generate.tape import Tape
from tests.wire.vectors import Taped, Vector, named, vectors

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol import LabelError, read_spec
from deniable.protocol import Mechanism as Twin
from deniable.protocol.draws import coins, uniform
from deniable.protocol.testing import GivenWords, privatize_from
from deniable.protocol.words import SystemWords

pytestmark = pytest.mark.soak
DRAWN = vectors("draws.json", "good") + vectors("hashes.json", "draws")
REPORTS = by_length(1 << 12, 1 << 20)
SMALL = 300
"""Of so many reports at most every one is counted by itself."""
FALSE_ALARM = 1e-9


@each("vector", DRAWN, ids=named)
def test_draws(vector: Vector) -> None:
    m, words = read_spec(vector["spec"]), words_of(vector)
    report = privatize_from(m, vector["text"] if "text" in vector else value_of(m, vector["value"]), words)
    assert (report.hex() if isinstance(report, bytes) else report) == vector["report"]
    assert words.left == 0


@each("m", SURVEYS, ids=lambda m: f"{m.name}-{m.law.labels}")
def test_the_library_draws_the_same_from_the_same_words(m: Mechanism) -> None:
    """Whatever kernels leave over, and whatever stands where a part has no more words."""
    source, twin = random.Random(7), twin_of(m)
    for seed in range(by_length(40, 400)):
        value, tape = values_of(m, source), Tape(seed)
        report = privatize_from(twin, value, tape)
        left = Taped([[str(word) for word in part] for part in tape.parts], source.getrandbits(64))
        assert m.privatize(value, left) == report
        assert left.parts == []


def small_samples() -> list[Mechanism]:
    """The samples with few enough reports to count each."""
    return [m for m in SURVEYS if m.layout.outputs <= SMALL]


@each("m", small_samples(), ids=lambda m: f"{m.name}-{m.law.labels}")
def test_reports_follow_their_exact_probabilities(m: Mechanism) -> None:
    """Chi-square of one value's reports; of 40 samples none fails by chance in 1e-7."""
    twin, words = twin_of(m), SeededWords(5)
    value = values_of(m, random.Random(3))
    expected = {report: float(chance) for report, chance in twin.chances(value)}
    found = Counter(privatize_from(twin, value, words) for _ in range(REPORTS))
    assert set(found) <= set(expected)
    if len(expected) == 1:
        return
    assert p_value(found, expected) > FALSE_ALARM


def p_value(found: Counter[Any], expected: dict[Any, float]) -> float:
    """Of chi-square, reports that are rarely expected together."""
    common = [report for report, chance in expected.items() if chance * REPORTS >= 5]
    counts, chances = [found[report] for report in common], [expected[report] for report in common]
    rest = 1 - math.fsum(chances)
    if rest * REPORTS >= 1:
        counts, chances = [*counts, REPORTS - sum(counts)], [*chances, rest]
    shares = [chance / math.fsum(chances) for chance in chances]
    return float(stats.chisquare(counts, [sum(counts) * share for share in shares]).pvalue)


def test_a_broken_sampler_is_caught() -> None:
    """One that tells the truth too often, by some people in a hundred."""
    m = twin_of(dn.RandomizedResponse(3, 1.0))
    words, source = SeededWords(5), random.Random(1)
    found = Counter(1 if source.random() < 0.16 else privatize_from(m, 1, words) for _ in range(REPORTS))
    assert p_value(found, {report: float(chance) for report, chance in m.chances(1)}) < FALSE_ALARM


def test_words_come_from_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """And those that are left over are dropped: two reports never share what was read."""
    asked: list[int] = []

    def zeros_and_ones(count: int) -> bytes:
        asked.append(count)
        return bytes([len(asked)]) * count

    monkeypatch.setattr(os, "urandom", zeros_and_ones)
    assert next(SystemWords()) == int.from_bytes(b"\1" * 8, "little")
    assert next(SystemWords()) == int.from_bytes(b"\2" * 8, "little")
    before = len(asked)
    twin_of(dn.RandomizedResponse(3, 1.0)).privatize(1)
    assert len(asked) == before + 1


def test_uniform_integers_and_coins() -> None:
    assert [uniform(iter([0, (1 << 64) - 1]), 3) for _ in range(2)] == [2, 2]  # the word 0 is rejected
    ones = coins(SeededWords(1), 1 << 62, 4000)
    assert ones < 1 << 4000
    assert abs(ones.bit_count() - 1000) < 7 * math.sqrt(750)
    assert coins(SeededWords(1), 0, 300) == 0


def test_too_few_words_are_an_error() -> None:
    with pytest.raises(StopIteration):
        privatize_from(twin_of(dn.RandomizedResponse(3, 1.0)), 1, GivenWords([]))


@each("m", SURVEYS, ids=lambda m: f"{m.name}-{m.law.labels}")
def test_what_is_no_value_is_refused_and_never_shown(m: Mechanism) -> None:
    twin: Twin = twin_of(m)
    for secret in ("a secret", 3.25, ["a secret"], None, b"a secret", {"a secret"}, chr(0xD83D)):
        with pytest.raises(LabelError) as error:
            twin.privatize(secret)
        assert "secret" not in str(error.value)
        assert "3.25" not in str(error.value)
