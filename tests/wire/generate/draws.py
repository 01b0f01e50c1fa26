"""`draws.json`: random words, a value, and the report that the mechanism draws from them.

The reports come from deniable.protocol, which reads one word after another as a client in any language would; the tests
compare them with the library, which reads many at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from tests.wire.generate.surveys import NUMBERED
from tests.wire.generate.tape import Tape

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.draws import GROUP
from deniable.protocol.mechanisms.hashed import Hashed as HashedTwin
from deniable.protocol.mechanisms.mechanism import Mechanism as Twin
from deniable.protocol.mechanisms.registry import read_stored_spec
from deniable.protocol.words import WORD
from deniable.values.lists import Lists

Hashed: TypeAlias = dn.HashedResponse | dn.HashedRappor
MASK = (1 << 64) - 1
VALUES = 3


@lru_cache(maxsize=64)
def twin_of(m: Mechanism) -> Twin:
    """The mechanism as a device has it, which draws in readable steps."""
    return read_stored_spec(m.spec_bytes)


def draw(m: Mechanism, value: Any, tape: Tape) -> int | bytes:
    """The report of a label's index, a text or the indices of a list, read off the tape word by word."""
    return twin_of(m).draw(value, tape)


def _threshold(m: Mechanism) -> tuple[int, int] | None:
    """Below which coin the value has its way, and how many coins there are."""
    match m:
        case dn.RandomizedResponse():
            bonus = m.odds.above - m.odds.below
            return bonus, bonus + len(m.domain) * m.odds.below
        case dn.Hadamard():
            bonus = m.odds.above - m.odds.below
            return bonus, bonus + 2 * m.parts * m.odds.below
        case dn.Cyclic():
            bonus = m.design.block * (m.odds.above - m.odds.below)
            return bonus, bonus + m.design.length * m.odds.below
        case dn.Subset():
            inside = m.size * m.odds.above
            return inside, inside + (len(m.domain) - m.size) * m.odds.below
        case dn.HighLowHadamard() | dn.BlockHadamard() | dn.Geometric():
            return m.odds.above - m.odds.below * (m.name != "Geometric"), m.odds.above + m.odds.below
        case dn.HighLowResponse():
            bonus = m.odds.above - m.odds.below
            return bonus, bonus + len(m.guarantee.sensitive) * m.odds.below
        case dn.HighLowRappor():
            return m.odds.above - m.odds.below, m.odds.above
        case dn.HashedResponse():
            bonus = m.odds.above - m.odds.below
            return bonus, bonus + m.symbols * m.odds.below
        case dn.Channel() | dn.BinaryResponse() | dn.InformedResponse():
            row = m.channel().rows.weights[0].tolist()
            return row[0], sum(row)
    return None


def _keep_coin(m: dn.Remembered) -> tuple[int, int] | None:
    """Below which coin a report is kept, and how many there are; None for independent bits."""
    if isinstance(m.permanent, dn.Rappor | dn.OptimizedUnary):
        return None
    return m.spec()["u"], m.spec()["m"]


def _edges(m: Mechanism) -> Iterator[tuple[str, int]]:
    """Words that are the last coin below the threshold, and the first that is not; neither is rejected."""
    found = _keep_coin(m) if isinstance(m, dn.Remembered) else _threshold(m)
    if found is None:
        return
    bonus, total = found
    for name, coin in (("the last coin below the threshold", bonus - 1), ("the first coin above it", bonus)):
        yield name, word_of(coin, total)


def word_of(coin: int, total: int) -> int:
    """The least word that is this coin of so many; it is not rejected."""
    word = -(-coin * WORD // total)
    while word * total % WORD < WORD % total:
        word += 1
    if word * total // WORD != coin:
        raise ArithmeticError(f"a coin must have a word that is not rejected, got {coin} of {total}")
    return word


def case(m: Mechanism, value: int | str | frozenset[int], name: str, tape: Tape) -> dict[str, Any]:
    """One vector, of a label's index, a text or the indices of a list."""
    report = draw(m, value, tape)
    return {
        "spec": m.spec_bytes.decode(),
        "name": name,
        "text" if isinstance(value, str) else "value": sorted(value) if isinstance(value, frozenset) else value,
        "words": [[str(word) for word in part] for part in tape.parts],
        "report": report.hex() if isinstance(report, bytes) else report,
    }


def _planted(m: Mechanism) -> Iterator[tuple[str, list[int]]]:
    """Words that chance would hardly bring."""
    yield "words of zeros, which uniform integers reject", [0, 0]
    yield "words of ones", [MASK] * 2
    if isinstance(m, dn.Cyclic):
        yield "halves of zeros, which shifts reject", [MASK, 0]
    if isinstance(m, dn.Geometric):
        both, above, below = m.odds.above + m.odds.below, m.odds.above, m.odds.below
        last, first = word_of(below - 1, above), word_of(below, above)
        yield "the last coin that goes on, and the first that does not", [word_of(above - 1, both), last, first]
        yield "down, past the end", [word_of(above, both)] + [last] * (m.law.labels - 1)
    if isinstance(m, dn.Rappor | dn.OptimizedUnary | dn.HighLowRappor):
        lanes = [MASK if m.odds.below >> bit & 1 else 0 for bit in range(63, -1, -1) for _ in range(GROUP)]
        yield "coins that all 64 bits must settle", [1] * (not isinstance(m, dn.Rappor)) + lanes


def _cases(m: Mechanism, seed: int) -> Iterator[dict[str, Any]]:
    d = m.law.labels
    few = isinstance(m, dn.HashedRappor)  # its reports need many words
    for i, value in enumerate(sorted({0, d // 2} if few else {0, d // 2, d - 1})):
        for again in range(1 if few else 2):
            yield case(m, value, "words of chance", Tape(seed + 2 * i + again))
    for i, (name, words) in enumerate(_planted(m)):
        yield case(m, d - 1, name, Tape(seed + 10 + i, words))
    if isinstance(m, dn.HashedResponse | dn.HashedRappor):
        yield from hashed_cases(m, d - 1, seed + 30)
        return
    written_out = isinstance(m, dn.Channel | dn.BinaryResponse | dn.InformedResponse)
    chosen = 0 if written_out else d - 1  # of a channel the first row's first column
    for name, word in _edges(m):
        yield case(m, chosen, name, Tape(seed + 20, [*_before_the_coin(m, chosen, seed + 20), word]))


def symbols_of(m: Hashed, value: int | str, cohort: int) -> list[int]:
    """The symbols of a label's index or a text in one cohort, one a hash."""
    twin = twin_of(m)
    if not isinstance(twin, HashedTwin):
        raise TypeError(f"a mechanism must hash its values here, got {m!r}")
    return twin.symbols_of(value, cohort)


def hashed_cases(m: Hashed, value: int | str, seed: int) -> Iterator[dict[str, Any]]:
    """Both sides of a coin, and a cohort where two hashes agree."""
    own = [symbols_of(m, value, cohort) for cohort in range(m.cohorts)]
    agreed = [cohort for cohort, symbols in enumerate(own) if len(set(symbols)) < len(symbols)]
    if agreed:
        yield case(m, value, "two hashes that agree", Tape(seed, [word_of(agreed[0], m.cohorts)]))
    other = next(cohort for cohort, symbols in enumerate(own) if symbols[0])  # the first coin above is the symbol 0
    for name, word in _edges(m):
        yield case(m, value, name, Tape(seed + 1, [word_of(other, m.cohorts), word]))


def _before_the_coin(m: Mechanism, value: int, seed: int) -> list[int]:
    """The words that are read before the coin: the last word of a subset, the first of a round, and of others."""
    if not isinstance(m, dn.Subset | dn.Remembered):
        return []
    trial = Tape(seed)
    draw(m if isinstance(m, dn.Subset) else m.permanent, value, trial)
    return [word for part in trial.parts for word in part][: -1 if isinstance(m, dn.Subset) else None]


def draws() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    single = [(number, m) for number, m in NUMBERED if not isinstance(m.domain, Lists)]
    return {"good": [case for number, m in single for case in _cases(m, 1000 * number)]}
