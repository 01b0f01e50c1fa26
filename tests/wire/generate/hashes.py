"""`hashes.json`: the symbols of texts and of labels in cohorts, and the reports of texts.

All of them come from deniable.protocol; the tests compare them with the library.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.wire.generate.draws import MASK, Hashed, case, hashed_cases
from tests.wire.generate.tape import Tape

import deniable as dn
from deniable.protocol.hashes import base, dealt, hash_symbol

TEXTS = ("", "a", "caf\u00e9", "cafe\u0301", "日本語", "\U0001f642", "a\0b", " a", "A", "0123456789" * 100)
KEYS = ("", "march", "märz", "k" * 64, "k" * 65)
"""Those of more than 64 bytes HMAC hashes first."""
SHAPES = ((16, 4, 1), (37, 5, 3), (65536, 3, 2), (2, 9, 1))
"""Symbols, cohorts and hashes."""
DEALT = (("", 7, 3, 6), ("march", 5, 8, 3), ("märz", 16, 4, 3), ("", 2, 2, 8), ("", 40, 37, 2))
"""A key, labels, symbols and cohorts."""
ANY_TEXT: tuple[Hashed, ...] = (
    dn.HashedResponse(2.0, 10, 12, key="märz"),
    dn.HashedRappor(2.0, 20, 300, 3, key="k" * 65),
)


def _table(key: str, text: str, symbols: int, cohorts: int, hashes: int) -> dict[str, Any]:
    found = base(key, text)
    table = [[hash_symbol(found, cohort * hashes + j, symbols) for j in range(hashes)] for cohort in range(cohorts)]
    return {
        "key": key,
        "text": text,
        "base": str(found),
        "symbols": symbols,
        "cohorts": cohorts,
        "hashes": hashes,
        "table": table,
    }


def _tables() -> Iterator[dict[str, Any]]:
    """Every text without a key, two texts under every key, and one in every shape."""
    for text in TEXTS:
        yield _table("", text, *SHAPES[0])
    for key in KEYS[1:]:
        for text in ("", "日本語"):
            yield _table(key, text, *SHAPES[1])
    for shape in SHAPES[1:]:
        yield _table("", "caf\u00e9", *shape)


def _permutation(key: str, labels: int, symbols: int, cohorts: int) -> dict[str, Any]:
    table = [dealt(base(key, ""), labels, cohort, symbols) for cohort in range(cohorts)]
    return {"key": key, "labels": labels, "symbols": symbols, "cohorts": cohorts, "table": table}


def _draws(m: Hashed, seed: int) -> Iterator[dict[str, Any]]:
    texts = ("", "caf\u00e9", "日本語") if isinstance(m, dn.HashedResponse) else ("日本語",)
    for i, text in enumerate(texts):
        yield case(m, text, "words of chance", Tape(seed + i))
    yield case(m, "\U0001f642", "words of ones, which are the last cohort", Tape(seed + 3, [MASK]))
    yield from hashed_cases(m, "a\0b", seed + 4)


def hashes() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    return {
        "good": list(_tables()),
        "permutations": [_permutation(*shape) for shape in DEALT],
        "draws": [vector for i, m in enumerate(ANY_TEXT) for vector in _draws(m, 100 * (i + 1))],
    }
