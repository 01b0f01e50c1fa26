"""All bodies that are arriving share one room: each is counted beyond the little that is free."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from deniable.intake.http.bodies import MOST_FORM, SMALL, Room
from deniable.intake.refusals import Refused

FREE = 4096
"""Bytes of a body that need no room: thousands of connections may hold so many each."""


def test_forms_fill_the_room_and_give_it_back() -> None:
    room = Room(2 * (MOST_FORM - FREE))
    with ExitStack() as arriving:
        for _ in range(2):
            arriving.enter_context(room.body(MOST_FORM)).grow(MOST_FORM)
        third = arriving.enter_context(room.body(MOST_FORM))
        third.grow(FREE)  # which needs none
        with pytest.raises(Refused) as refused:
            third.grow(1)
        assert refused.value.refusal.status == 503
        assert refused.value.refusal.retry_after
    with room.body(MOST_FORM) as later:
        later.grow(MOST_FORM)
    assert SMALL == FREE
