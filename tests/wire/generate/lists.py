"""Draws of lists of labels for `draws.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.wire.generate.draws import MASK, case, word_of
from tests.wire.generate.surveys import NUMBERED
from tests.wire.generate.tape import Tape

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.draws import GROUP
from deniable.values.lists import Lists


def _cases(m: Mechanism, seed: int) -> Iterator[dict[str, Any]]:
    d = m.law.labels
    few = d > 64  # these reports need many words
    for i, value in enumerate(([], [0, d - 1]) if few else ([], [0], [0, d - 1], list(range(d)))):
        yield case(m, frozenset(value), "words of chance", Tape(seed + i))
    yield case(m, frozenset([d - 1]), "words of zeros, which uniform integers reject", Tape(seed + 10, [0, 0]))
    yield case(m, frozenset([d - 1]), "words of ones", Tape(seed + 11, [MASK] * 2))
    if isinstance(m, dn.ItemResponse) and d < 8:
        lanes = [MASK if m.odds.below >> bit & 1 else 0 for bit in range(63, -1, -1) for _ in range(GROUP)]
        yield case(m, frozenset([0]), "coins that all 64 bits must settle", Tape(seed + 12, lanes))
    if isinstance(m, dn.AskedItems):
        total = m.odds.above + (2**m.together - 1) * m.odds.below
        for name, coin in (("the last coin below the threshold", -1), ("the first coin above it", 0)):
            window = word_of(0, 1 if m.together == d else d)
            yield case(m, frozenset([0]), name, Tape(seed + 20, [window, word_of(m.odds.above + coin, total)]))


def draws_of_lists() -> list[dict[str, Any]]:
    """The vectors of every sample whose values are lists."""
    of_lists = [(number, m) for number, m in NUMBERED if isinstance(m.domain, Lists)]
    return [case for number, m in of_lists for case in _cases(m, 1000 * number)]
