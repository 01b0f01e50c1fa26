"""How many answers it takes until something can be said, from results that say nothing."""

from __future__ import annotations

import pytest
from tests.pages.results.worlds import CARS

import deniable as dn
from deniable.estimation.saying import NOTHING, sentence
from deniable.pages.results.enough import enough


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("people", [5, 10, 20])
def test_so_many_answers_say_something(epsilon: float, people: int) -> None:
    mechanism = dn.RandomizedResponse(list(CARS), epsilon)
    few = dn.simulate(mechanism, list(CARS.values()), users=people, seed=2)
    needed = enough(few)
    assert sentence(few).startswith(NOTHING)
    assert needed is not None
    assert needed > people
    assert not sentence(dn.simulate(mechanism, list(CARS.values()), users=needed, seed=3)).startswith(NOTHING)


def test_where_something_is_said_no_more_are_needed() -> None:
    assert enough(dn.simulate(dn.RandomizedResponse(list(CARS), 2.0), list(CARS.values()), users=900, seed=1)) is None
