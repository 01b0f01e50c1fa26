"""Random mechanisms, values and words: the kernels and the client make the same bytes of them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.lengths import by_length
from tests.mechanisms.examples import values_of
from tests.wire.generate.draws import twin_of
from tests.wire.generate.tape import Tape
from tests.wire.vectors import Taped

from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol import read_stored_spec
from deniable.protocol.mechanisms.registry import MECHANISMS
from deniable.protocol.testing import privatize_from


def some_value(m: Mechanism, source: random.Random) -> Any:
    """A value of the mechanism; of any text a random one."""
    if m.domain.size is None:
        return "".join(source.choice("abé日\U0001f642 ") for _ in range(source.randrange(12)))
    return values_of(m, source)


@pytest.mark.soak
@pytest.mark.parametrize("name", MECHANISMS)
def test_random_mechanisms_draw_the_same(name: str) -> None:
    source = random.Random(name)
    for _ in range(by_length(12, 120)):
        m = FAMILIES[name].random_member(source)
        assert read_stored_spec(m.spec_bytes).to_json() == m.spec_bytes.decode()
        for _ in range(4):
            value, tape = some_value(m, source), Tape(source.getrandbits(32))
            report = privatize_from(twin_of(m), value, tape)
            left = Taped([[str(word) for word in part] for part in tape.parts], source.getrandbits(64))
            assert m.privatize(value, left) == report
            assert left.parts == []
