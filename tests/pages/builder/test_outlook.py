"""A rehearsal says of made-up results what a reader has to beware of, as the result page will."""

from __future__ import annotations

import numpy as np

import deniable as dn
from deniable.estimation.estimate import ALONE
from deniable.pages.builder.outlook import rehearsals
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.cautions import BELOW_ZERO
from deniable.protocol.say import Statement

LABELS = [f"way {number}" for number in range(12)]


def test_shares_below_zero_are_explained() -> None:
    [faint] = rehearsals(dn.Survey.plan("commute", [dn.OneOf("way", LABELS)], 0.3, 200), 200)
    [clear] = rehearsals(dn.Survey.plan("commute", [dn.OneOf("way", LABELS[:2])], 4.0, 100_000), 100_000)
    assert list(faint.cautions) == [BELOW_ZERO]
    assert (list(clear.cautions), list(clear.notes)) == ([], [])


def test_shares_that_do_not_add_up_are_explained() -> None:
    [shown] = rehearsals(dn.Survey.plan("used", [dn.AnyOf("used", LABELS[:3])], 2.0, 1000), 1000)
    assert Statement("note", note=ALONE) in shown.notes


def test_made_up_people_tick_no_answer_that_stands_alone_beside_others() -> None:
    asked = dn.AnyOf("used", LABELS[:4], most=2, exclusive=[LABELS[1]])
    [shown] = rehearsals(dn.Survey.plan("used", [asked], 2.0, 1000), 1000)
    assert Statement("note", note=ALONE) in shown.notes
    for crowd in (
        page_kind(asked).made_up_answers(asked, first, np.random.default_rng(3)) for first in (0.0, 0.3, 0.9)
    ):
        assert [each for each in crowd if asked.is_beyond(each)] == []
