"""`draws.json`: random words, a value, and the report that the mechanism draws from them.

The reports come from the readable twins of the kernels, which read one word after another as a client in another
language would; the tests compare them with the library, which reads many at once.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from tests.kernels import twins
from tests.wire.generate.rounds import keep_coin, sent
from tests.wire.generate.surveys import NUMBERED
from tests.wire.generate.tape import GROUP, WORD, Tape, any_set, noise, packed

import deniable as dn
from deniable.arrays import Words
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.sets import SPARSE
from deniable.theory.singer import positions
from deniable.values.lists import Lists

Hashed: TypeAlias = dn.HashedResponse | dn.HashedRappor
HighLow: TypeAlias = dn.HighLowHadamard | dn.HighLowResponse | dn.HighLowRappor | dn.HighLowSubset | dn.HighLowCyclic
Explicit: TypeAlias = dn.Channel | dn.BinaryResponse | dn.InformedResponse
MASK = (1 << 64) - 1
VALUES = 3


def base(key: str, text: str) -> int:
    """Of one text under a key, by the standard library."""
    return int.from_bytes(hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()[:8], "little")


def symbols_of(m: Hashed, value: int | str, cohort: int) -> list[int]:
    """The symbols of a label's index or a text in one cohort, one a hash."""
    places = range(cohort * hashes_of(m), (cohort + 1) * hashes_of(m))
    if isinstance(value, str):
        return [twins.hash_symbol(base(key_of(m), value), place, m.symbols) for place in places]
    return [twins.dealt(base(key_of(m), ""), m.law.labels, place, m.symbols)[value] for place in places]


def key_of(m: Hashed) -> str:
    """The key of a survey's hashes."""
    return str(m.spec()["key"])


def hashes_of(m: Hashed) -> int:
    """How many hashes a value has in each cohort."""
    return int(m.spec().get("hashes", 1))


def rank_of(m: HighLow, value: int) -> int:
    """A label's number with the sensitive labels first, both in the order of the domain."""
    places = m.guarantee.places.tolist()
    others = [place for place in range(len(m.domain)) if place not in places]
    return [*places, *others].index(value)


def draw_hashed(m: Mechanism, value: int | str, tape: Tape) -> int | bytes:
    """The report of a label's index or a text: a part for the cohort, and one for the coin or the bits."""
    if not isinstance(m, dn.HashedResponse | dn.HashedRappor):
        raise TypeError(f"a mechanism must hash its values here, got {m!r}")
    cohort = twins.uniform(tape.part(), m.cohorts)
    own = symbols_of(m, value, cohort)
    if isinstance(m, dn.HashedResponse):
        return cohort * m.symbols + twins.response(tape.part(), own[0], m.symbols, m.odds.above, m.odds.below)
    held = noise(tape.part(), m.odds.below, m.symbols) ^ set(own)
    return cohort.to_bytes(2, "little") + packed(held, m.symbols)


def draw(m: Mechanism, value: int, tape: Tape) -> int | bytes:
    """The report of one value, read off the tape word by word."""
    if isinstance(m, dn.Remembered):
        return sent(m, _once(m.permanent, value, tape), tape)
    return _once(m, value, tape)


def _once(m: Mechanism, value: int, tape: Tape) -> int | bytes:
    """A report that is no round's."""
    match m:
        case dn.HashedResponse() | dn.HashedRappor():
            return draw_hashed(m, value, tape)
        case dn.RandomizedResponse():
            return twins.response(tape.part(), value, len(m.domain), m.odds.above, m.odds.below)
        case dn.Hadamard():
            return twins.hadamard(tape.part(), value, m.size, m.parts, m.odds.above, m.odds.below)
        case dn.Cyclic():
            return _residue(m, value, tape)
        case dn.Channel() | dn.BinaryResponse() | dn.InformedResponse():
            return twins.table(tape.part(), m.channel().rows.weights[value].tolist())
        case dn.HighLowHadamard() | dn.BlockHadamard():
            return twins.hadamard_row(tape.part(), *_ranges(m, value), m.odds.above, m.odds.below)
        case dn.HighLowResponse():
            return twins.response(
                tape.part(), rank_of(m, value), len(m.guarantee.sensitive), m.odds.above, m.odds.below
            )
        case dn.BlockSubset() | dn.BlockCyclic() | dn.HighLowSubset() | dn.HighLowCyclic():
            return _by_sets(m, value, tape)
        case dn.HighLowRappor() | dn.Rappor() | dn.OptimizedUnary() | dn.Subset():
            return packed(_held(m, value, tape), len(m.domain))
    return m.privatize(m.domain.labels[value], Recorded(tape))


class Recorded:
    """Entropy that reads a tape, for families that have no readable twin here: the library's own draw is kept."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape

    def words(self, count: int) -> Words:
        """The next words, in a part of their own."""
        self.tape.part()
        return np.array([next(self.tape) for _ in range(count)], np.uint64)

    def part(self, index: int) -> Recorded:
        """One report is drawn from one source."""
        return self


def _held(m: dn.HighLowRappor | dn.Rappor | dn.OptimizedUnary | dn.Subset, value: int, tape: Tape) -> set[int]:
    """The symbols whose bits a report sets."""
    match m:
        case dn.HighLowRappor():
            return _high_low(m, rank_of(m, value), tape)
        case dn.Rappor():
            return noise(tape.part(), m.odds.below, len(m.domain)) ^ {value}
        case dn.OptimizedUnary():
            own = {value} if next(tape.part()) & 1 else set()
            return noise(tape.part(), m.odds.below, len(m.domain)) - {value} | own
        case dn.Subset():
            return _subset(m, value, tape)


def _ranges(m: dn.HighLowHadamard | dn.BlockHadamard, value: int) -> tuple[range, range, int]:
    """Outputs of noise, a value's own outputs, and the row whose + half they are."""
    if isinstance(m, dn.HighLowHadamard):
        rank, hidden, other = rank_of(m, value), range(m.size), m.size - len(m.guarantee.sensitive)
        if other + rank < m.size:
            return hidden, hidden, rank + 1
        return hidden, range(other + rank, other + rank + 1), 0
    first, start = value, 0
    for size in m.sizes:
        width = 1 << size.bit_length()
        if first < size:
            return range(start, start + width), range(start, start + width), first + 1
        first, start = first - size, start + width
    raise IndexError(f"a value must be in a block, got {value}")


def _high_low(m: dn.HighLowRappor, rank: int, tape: Tape) -> set[int]:
    """The coin is drawn for everybody, so that time tells nothing; sensitive values leave it."""
    own = twins.coin(tape.part(), m.odds.above - m.odds.below, m.odds.above)
    held = noise(tape.part(), m.odds.below, len(m.guarantee.sensitive))
    return held ^ {rank} if rank < len(m.guarantee.sensitive) or own else held


def _by_sets(
    m: dn.BlockSubset | dn.BlockCyclic | dn.HighLowSubset | dn.HighLowCyclic, value: int, tape: Tape
) -> int | bytes:
    if isinstance(m, dn.BlockSubset | dn.BlockCyclic):
        return _in_block(m, value, tape)
    return _among_sensitive(m, value, tape)


def _in_block(m: dn.BlockSubset | dn.BlockCyclic, value: int, tape: Tape) -> int | bytes:
    """The report of the label's number in its block; a block of one label needs no words."""
    places = [block.tolist() for block in m.guarantee.places]
    block = next(number for number, labels in enumerate(places) if value in labels)
    number, size = places[block].index(value), len(places[block])
    if isinstance(m, dn.BlockCyclic):
        start = sum(design.length for design in m.designs[:block])
        return start + (_residue(dn.Cyclic(size, m.epsilon, design=m.designs[block]), number, tape) if size > 1 else 0)
    held = _subset(dn.Subset(size, m.epsilon, m.weights[block]), number, tape) if size > 1 else {0}
    return block.to_bytes(2, "little") + packed(held, max(map(len, places)))


def _among_sensitive(m: dn.HighLowSubset | dn.HighLowCyclic, value: int, tape: Tape) -> int | bytes:
    """A sensitive label's report among the sensitive ones; else a coin, and the label itself or an even mixture."""
    s, rank = len(m.guarantee.sensitive), rank_of(m, value)
    points, size = (s, m.size) if isinstance(m, dn.HighLowSubset) else (m.design.length, m.design.block)
    bonus = size * (m.odds.above - m.odds.below)
    own = rank >= s and twins.coin(tape.part(), bonus, bonus + points * m.odds.below)
    if isinstance(m, dn.HighLowCyclic):
        if own:
            return points + rank - s
        if rank >= s:
            return twins.uniform(tape.part(), points)
        return _residue(dn.Cyclic(s, m.epsilon, design=m.design), rank, tape) if s > 1 else 0
    block = (rank - s + 1 if own else 0).to_bytes(2, "little")
    return block + packed({0} if own or s == 1 else _sensitive_set(m, rank, tape), s)


def _sensitive_set(m: dn.HighLowSubset, rank: int, tape: Tape) -> set[int]:
    s, k = len(m.guarantee.sensitive), m.size
    if rank < s:
        return _subset(dn.Subset(s, m.epsilon, k), rank, tape)
    return any_set(s, k, tape)


def _residue(m: dn.Cyclic, value: int, tape: Tape) -> int:
    return twins.cyclic(tape.part(), value, positions(m.design).tolist(), m.design.length, m.odds.above, m.odds.below)


def _subset(m: dn.Subset, value: int, tape: Tape) -> set[int]:
    d, k = len(m.domain), m.size
    start = noise(tape.part(), k * WORD // d, d) if k * SPARSE >= d else set()
    inside = k * m.odds.above
    return twins.subset(tape.part(), start, value, d, k, inside, inside + (d - k) * m.odds.below)


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
        case dn.HighLowHadamard() | dn.BlockHadamard():
            return m.odds.above - m.odds.below, m.odds.above + m.odds.below
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


def _edges(m: Mechanism) -> Iterator[tuple[str, int]]:
    """Words that are the last coin below the threshold, and the first that is not; neither is rejected."""
    found = keep_coin(m) if isinstance(m, dn.Remembered) else _threshold(m)
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


def case(m: Mechanism, value: int | str, name: str, tape: Tape) -> dict[str, Any]:
    """One vector, of a label's index or a text."""
    report = draw_hashed(m, value, tape) if isinstance(value, str) else draw(m, value, tape)
    return {
        "spec": m.spec_bytes.decode(),
        "name": name,
        "text" if isinstance(value, str) else "value": value,
        "words": [[str(word) for word in part] for part in tape.parts],
        "report": report.hex() if isinstance(report, bytes) else report,
    }


def _planted(m: Mechanism) -> Iterator[tuple[str, list[int]]]:
    """Words that chance would hardly bring."""
    yield "words of zeros, which uniform integers reject", [0, 0]
    yield "words of ones", [MASK] * 2
    if isinstance(m, dn.Cyclic):
        yield "halves of zeros, which shifts reject", [MASK, 0]
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


def hashed_cases(m: Hashed, value: int | str, seed: int) -> Iterator[dict[str, Any]]:
    """Both sides of a coin, and a cohort where two hashes agree."""
    agreed = [c for c in range(m.cohorts) if len(set(symbols_of(m, value, c))) < hashes_of(m)]
    if agreed:
        yield case(m, value, "two hashes that agree", Tape(seed, [word_of(agreed[0], m.cohorts)]))
    other = next(c for c in range(m.cohorts) if symbols_of(m, value, c)[0])  # the first coin above is the symbol 0
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
