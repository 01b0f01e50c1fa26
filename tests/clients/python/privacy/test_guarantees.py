"""Guarantees: sums, implications, levels and judgements equal the library's, pair by pair of every kind."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest

import deniable as dn
from deniable.privacy import composition as library
from deniable.privacy.context import Pairwise
from deniable.privacy.distance import Distance
from deniable.privacy.each_item import EachItem
from deniable.privacy.guarantee_json import to_dict
from deniable.privacy.matrix import Rows as LibraryRows
from deniable.protocol import DenialError as ClientError
from deniable.protocol.errors import DenialError
from deniable.protocol.labels import write_label
from deniable.protocol.privacy import guarantees as own
from deniable.protocol.privacy.composition import composed, implies, protects
from deniable.protocol.privacy.guarantee_json import read_guarantee, write_guarantee
from deniable.protocol.privacy.guarantees import Guarantee, Provable
from deniable.protocol.privacy.rows import Rows
from deniable.protocol.values import Domain
from deniable.surveys.protection import protects as library_protects

D = 3
PRIORS = ([0.5, 0.3, 0.2], [0.25, 0.5, 0.25], [0.7, 0.3, 0.0])
LEVELS: tuple[tuple[float, ...], ...] = ((0, 1.0, 5.0), (9.0, 0, 2.0), (9.0, math.inf, 0))
GIVEN: list[Any] = [
    *(dn.LDP(level) for level in (0.1, 0.2, 1.0, 2.0, 9.0)),
    *(dn.HighLow(D, places, level) for places in ([0], [0, 1], [0, 1, 2]) for level in (0.1, 1.0)),
    *(dn.Blocks(blocks, level, D) for blocks in ([[0, 1], [2]], [[0, 1, 2]]) for level in (0.1, 1.0)),
    *(dn.InformationPrivacy(D, prior, level) for prior in PRIORS for level in (0.1, 1.0)),
    *(dn.OneSidedInformationPrivacy(D, prior, level) for prior in PRIORS for level in (0.1, 1.0)),
    Pairwise(D, LEVELS),
    Pairwise(D, [[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]),
    Pairwise(D, [[0, 30.0, math.inf], [30.0, 0, 32.0], [math.inf, 32.0, 0]]),
    Distance(D, 0.1),
    Distance(D, 32.0).at(40.0),  # what no channel can be proven to keep at both ends
]
LISTS = [EachItem(D, level, side) for side in (False, True) for level in (0.1, 1.0)] + [EachItem(4, 1.0, False)]


def twin(guarantee: Any) -> Guarantee:
    """The same guarantee as the client has it, read from its JSON."""
    if isinstance(guarantee, EachItem):
        return own.EachItem(guarantee.epsilon, Domain(len(guarantee.labels)), guarantee.one_sided)
    return read_guarantee(to_dict(guarantee), Domain(D))


def told(act: Callable[[], Any]) -> Any:
    """What comes of it: a result, or that it is refused."""
    try:
        found = act()
    except (DenialError, ClientError):
        return "refused"
    if isinstance(found, Guarantee):
        return write_guarantee(found, D)
    return to_dict(found) if isinstance(found, dn.LDP | Pairwise) or hasattr(found, "pair_level") else found


@pytest.mark.parametrize("given", GIVEN + LISTS, ids=str)
def test_a_guarantee_by_itself(given: Any) -> None:
    found = twin(given)
    assert str(found) == str(given)
    assert found.plain == library.local_level(given)
    if not isinstance(given, EachItem):
        assert write_guarantee(found, D) == to_dict(given)
    values = range(8) if isinstance(given, EachItem) else range(D)
    for value, other in product(values, repeat=2):
        if value != other:
            assert found.pair_level(value, other) == given.pair_level(value, other)


@pytest.mark.parametrize("first", GIVEN, ids=str)
def test_two_guarantees(first: Any) -> None:
    for other in GIVEN:
        pair = [first, other]
        mine = [twin(each) for each in pair]
        assert implies(*mine) == library.implies(*pair), other
        assert protects(*mine) == library_protects(*pair), other
        assert told(partial(composed, mine)) == told(partial(library.composed, pair)), other


@pytest.mark.parametrize("first", LISTS, ids=str)
def test_guarantees_about_lists(first: Any) -> None:
    for other in [*LISTS, dn.LDP(0.3), dn.LDP(3.0), dn.LDP(9.0)]:
        assert implies(twin(first), twin(other)) == library.implies(first, other), other
        assert implies(twin(other), twin(first)) == library.implies(other, first), other


def test_three_guarantees_add_as_decimals() -> None:
    source = random.Random(1)
    for _ in range(200):
        some = source.sample(GIVEN, 3)
        mine = [twin(each) for each in some]
        assert told(partial(composed, mine)) == told(partial(library.composed, some))


def test_judgements() -> None:
    """Of channels near the levels, in exact arithmetic."""
    source = random.Random(2)
    for _ in range(300):
        weights = [[source.choice((0, 1, 2, 3, 5, 8)) for _ in range(2)] for _ in range(D)]
        rows = [[*row, 20 - sum(row)] for row in weights]
        for given in GIVEN:
            own_guarantee = twin(given)
            assert isinstance(own_guarantee, Provable)
            assert own_guarantee.judge(Rows.reduced(rows)) == given.judge(LibraryRows.of(rows)).holds, (given, rows)


def test_labels_of_a_guarantee_keep_their_kinds() -> None:
    domain = Domain.from_json([1.0, 2, {"tuple": ["a", True]}])
    written = {"domain": domain.to_json(), "sensitive": [1.0, write_label(("a", True))], "epsilon": 1.0}
    assert write_guarantee(read_guarantee(written, domain), domain.to_json()) == written
    with pytest.raises(ClientError, match=r"must be labels of the domain"):
        read_guarantee({**written, "sensitive": [1]}, domain)
