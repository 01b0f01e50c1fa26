"""Random mechanisms, values and words: the kernels and the client make the same bytes of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.clients.python.test_draws import values_of
from tests.lengths import by_length
from tests.wire.generate.draws import twin_of
from tests.wire.generate.tape import Tape
from tests.wire.test_vectors import Taped

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol import read_stored_spec
from deniable.protocol.errors import DenialError
from deniable.protocol.testing import privatize_from

Source = random.Random


def labels(source: Source) -> int:
    """How many: often few, sometimes more than a word or a group of coins has bits."""
    return source.choice((2, 3, 5, 8, 40, 64, 65, 130, 300))


def blocks(source: Source) -> list[list[int]]:
    """The numbers below d in random blocks."""
    d = labels(source)
    order = source.sample(range(d), d)
    cuts = sorted(source.sample(range(1, d), min(source.randrange(4), d - 1)))
    return [order[a:b] for a, b in zip([0, *cuts], [*cuts, d], strict=True)]


def sensitive(source: Source) -> tuple[int, list[int]]:
    """A number of labels, and some of them."""
    d = labels(source)
    return d, source.sample(range(d), source.randint(1, d))


def hashed(source: Source) -> dict[str, Any]:
    """A random shape of cohorts, with and without a domain."""
    shape = {"symbols": source.choice((2, 3, 17, 300)), "cohorts": source.choice((1, 2, 300))}
    return {**shape, "domain": source.choice((None, labels(source))), "key": source.choice(("", "märz", "k" * 70))}


def permanent(source: Source) -> Mechanism:
    """A mechanism whose reports can be sent again."""
    kinds: list[Any] = [dn.RandomizedResponse, dn.Rappor, dn.OptimizedUnary, dn.Subset, dn.Hadamard, dn.Cyclic]
    found: Mechanism = source.choice(kinds)(labels(source), epsilon(source))
    return found


def epsilon(source: Source) -> float:
    """A level, from nearly nothing to far too much."""
    return source.choice((0.01, 0.3, 1.0, 2.5, 6.0, 12.0)) * (1 + source.random() / 10)


MAKERS: dict[str, Callable[[Source], Mechanism]] = {
    "RandomizedResponse": lambda s: dn.RandomizedResponse(labels(s), epsilon(s)),
    "Rappor": lambda s: dn.Rappor(labels(s), epsilon(s)),
    "OptimizedUnary": lambda s: dn.OptimizedUnary(labels(s), epsilon(s)),
    "Subset": lambda s: dn.Subset(d := labels(s), epsilon(s), s.randint(1, d - 1)),
    "Hadamard": lambda s: dn.Hadamard(labels(s), epsilon(s)),
    "Cyclic": lambda s: dn.Cyclic(labels(s), epsilon(s)),
    "BinaryResponse": lambda s: dn.BinaryResponse(2, epsilon(s), epsilon(s)),
    "HighLowHadamard": lambda s: dn.HighLowHadamard(*sensitive(s), epsilon(s)),
    "HighLowResponse": lambda s: dn.HighLowResponse(*sensitive(s), epsilon(s)),
    "HighLowRappor": lambda s: dn.HighLowRappor(*sensitive(s), epsilon(s)),
    "HighLowSubset": lambda s: dn.HighLowSubset(*sensitive(s), epsilon(s)),
    "HighLowCyclic": lambda s: dn.HighLowCyclic(*sensitive(s), epsilon(s)),
    "BlockHadamard": lambda s: dn.BlockHadamard(b := blocks(s), epsilon(s), sum(map(len, b))),
    "BlockSubset": lambda s: dn.BlockSubset(b := blocks(s), epsilon(s), sum(map(len, b))),
    "BlockCyclic": lambda s: dn.BlockCyclic(b := blocks(s), epsilon(s), sum(map(len, b))),
    "Geometric": lambda s: dn.Geometric(low := s.randint(-5, 5), low + s.choice((1, 2, 7, 60)), epsilon(s)),
    "HashedResponse": lambda s: dn.HashedResponse(epsilon(s), **hashed(s)),
    "HashedRappor": lambda s: dn.HashedRappor(epsilon(s), hashes=s.randint(1, 5), **hashed(s)),
    "AskedItems": lambda s: dn.AskedItems(labels(s), epsilon(s)),
    "PrivateSet": lambda s: dn.PrivateSet(d := s.choice((2, 5, 40)), epsilon(s), s.randint(1, d)),
    "ItemResponse": lambda s: dn.ItemResponse(labels(s), epsilon(s), s.random() < 0.5),
    "Channel": lambda s: dn.optimal_channel(dn.LDP(epsilon(s)), s.choice((2, 3))),
    "InformedResponse": lambda s: dn.InformedResponse(3, [0.5, 0.3, 0.2], s.choice((0.5, 1.0))),
    "Remembered": lambda s: dn.Remembered(m := permanent(s), m.guarantee.claimed * s.random()),
}


def some_value(m: Mechanism, source: Source) -> Any:
    """A value of the mechanism; of any text a random one."""
    if m.domain.size is None:
        return "".join(source.choice("abé日\U0001f642 ") for _ in range(source.randrange(12)))
    return values_of(m, source)


@pytest.mark.soak
@pytest.mark.parametrize("name", MAKERS)
def test_random_mechanisms_draw_the_same(name: str) -> None:
    source, made = random.Random(name), 0
    while made < by_length(12, 120):
        try:
            m = MAKERS[name](source)
        except DenialError:  # odds that do not fit, a level that leaves nothing to keep
            continue
        made += 1
        assert read_stored_spec(m.spec_bytes).to_json() == m.spec_bytes.decode()
        for _ in range(4):
            value, tape = some_value(m, source), Tape(source.getrandbits(32))
            report = privatize_from(twin_of(m), value, tape)
            left = Taped([[str(word) for word in part] for part in tape.parts], source.getrandbits(64))
            assert m.privatize(value, left) == report
            assert left.parts == []
