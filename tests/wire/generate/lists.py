"""Draws of lists of labels for `draws.json`, by readable twins that read one word after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.kernels import twins
from tests.wire.generate.draws import MASK, word_of
from tests.wire.generate.rounds import sent
from tests.wire.generate.surveys import NUMBERED
from tests.wire.generate.tape import GROUP, WORD, Tape, noise, packed

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.sets import SPARSE
from deniable.values.lists import Lists


def draw_list(m: Mechanism, held: set[int], tape: Tape) -> int | bytes:
    """The report of a list, given by the indices of its labels."""
    match m:
        case dn.Remembered():
            return sent(m, draw_list(m.permanent, held, tape), tape)
        case dn.AskedItems():
            return _asked(m, held, tape)
        case dn.PrivateSet():
            return packed(_set(m, held, tape), m.layout.symbols)
        case dn.ItemResponse():
            coins = noise(tape.part(), m.odds.below, m.layout.symbols)
            return packed(coins | held if m.one_sided else coins ^ held, m.layout.symbols)
        case _:
            raise TypeError(f"a mechanism must take lists here, got {m!r}")


def _asked(m: dn.AskedItems, held: set[int], tape: Tape) -> int:
    """The window, then a coin that tells the pattern or another one."""
    d, b = m.law.labels, m.together
    first = twins.uniform(tape.part(), 1 if b == d else d)
    coin = twins.uniform(tape.part(), m.odds.above + (2**b - 1) * m.odds.below)
    own = sum(1 << place for place in range(b) if (first + place) % d in held)
    other = own ^ 1 + (coin - m.odds.above) // m.odds.below
    return first << b | (own if coin < m.odds.above else other)


def _set(m: dn.PrivateSet, held: set[int], tape: Tape) -> set[int]:
    """Sets until one meets what is left of the list, or a coin lets it in."""
    d, places, k = m.law.labels, m.layout.symbols, m.size
    words, order = tape.part(), list(range(d))
    for place in range(d - 1):
        other = place + twins.uniform(words, d - place)
        order[place], order[other] = order[other], order[place]
    kept = [label for label in order if label in held][: m.most]
    own = {*kept, *range(d, d + m.most - len(kept))}
    while True:
        start = noise(tape.part(), k * WORD // places, places) if k * SPARSE >= places else set[int]()
        drawn = twins.subset(tape.part(), start, 0, places, k, k, places)
        let_in = twins.coin(tape.part(), m.odds.below, m.odds.above)
        if drawn & own or let_in:
            return drawn


def _case(m: Mechanism, value: list[int], name: str, tape: Tape) -> dict[str, Any]:
    report = draw_list(m, set(value), tape)
    return {
        "spec": m.spec_bytes.decode(),
        "name": name,
        "value": value,
        "words": [[str(word) for word in part] for part in tape.parts],
        "report": report.hex() if isinstance(report, bytes) else report,
    }


def _cases(m: Mechanism, seed: int) -> Iterator[dict[str, Any]]:
    d = m.law.labels
    few = d > 64  # these reports need many words
    for i, value in enumerate(([], [0, d - 1]) if few else ([], [0], [0, d - 1], list(range(d)))):
        yield _case(m, value, "words of chance", Tape(seed + i))
    yield _case(m, [d - 1], "words of zeros, which uniform integers reject", Tape(seed + 10, [0, 0]))
    yield _case(m, [d - 1], "words of ones", Tape(seed + 11, [MASK] * 2))
    if isinstance(m, dn.ItemResponse) and d < 8:
        lanes = [MASK if m.odds.below >> bit & 1 else 0 for bit in range(63, -1, -1) for _ in range(GROUP)]
        yield _case(m, [0], "coins that all 64 bits must settle", Tape(seed + 12, lanes))
    if isinstance(m, dn.AskedItems):
        total = m.odds.above + (2**m.together - 1) * m.odds.below
        for name, coin in (("the last coin below the threshold", -1), ("the first coin above it", 0)):
            window = word_of(0, 1 if m.together == d else d)
            yield _case(m, [0], name, Tape(seed + 20, [window, word_of(m.odds.above + coin, total)]))


def draws_of_lists() -> list[dict[str, Any]]:
    """The vectors of every sample whose values are lists."""
    of_lists = [(number, m) for number, m in NUMBERED if isinstance(m.domain, Lists)]
    return [case for number, m in of_lists for case in _cases(m, 1000 * number)]
