"""Small first calls: nothing is compiled for them, the integers are the same, and large or many calls compile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from deniable.kernels import early
from deniable.kernels.compiled import compiled
from deniable.kernels.count.popcounts import count_packed
from deniable.kernels.draw.draws import choose
from deniable.kernels.early import SMALL, compiling_at_once
from deniable.kernels.words import high_product


def made(most: int = SMALL) -> Any:
    """A kernel that nobody has compiled: it calls another one and an instruction."""

    @compiled(early=most)
    def upper(words: Any) -> Any:
        total = np.uint64(0)
        for word in words:
            total += choose(word > np.uint64(1), high_product(word, np.uint64(1 << 63)), word)
        return total

    return upper


WORDS = np.array([1, 3, 2**64 - 1], np.uint64)


def test_a_small_call_is_not_compiled_and_gives_the_same() -> None:
    kernel = made()
    found = kernel(WORDS)
    assert kernel.dispatcher.overloads == {}
    assert int(found) == 1 + 1 + 2**63 - 1
    with compiling_at_once():
        assert int(kernel(WORDS)) == int(found)
    assert len(kernel.dispatcher.overloads) == 1


@pytest.mark.parametrize(("most", "count"), [(SMALL, SMALL + 1), (0, 1), (2, 3)])
def test_a_larger_call_is_compiled(most: int, count: int) -> None:
    kernel = made(most)
    kernel(np.ones(count, np.uint64))
    assert len(kernel.dispatcher.overloads) == 1


def test_many_small_calls_are_compiled_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early, "PATIENCE", 1e-9)
    kernel = made()
    kernel(WORDS)
    assert kernel.dispatcher.overloads == {}
    kernel(WORDS)
    assert len(kernel.dispatcher.overloads) == 1


def test_an_error_leaves_the_thread_as_it_was() -> None:
    kernel = made()
    with pytest.raises(TypeError):
        kernel(None)
    assert not early._HERE.is_plain
    assert int(kernel(WORDS)) == 1 + 1 + 2**63 - 1


def test_few_packed_reports_are_counted_as_many_are() -> None:
    reports = np.random.default_rng(2).integers(0, 256, (40, 5), np.uint8)
    counts, wrong = count_packed(reports, 20)
    with compiling_at_once():
        again, also = count_packed(reports, 20)
    assert counts.tolist() == again.tolist()
    assert wrong == also > 0
