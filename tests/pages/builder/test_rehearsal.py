"""A rehearsal says of made-up results what a reader has to beware of, as the result page will."""

from __future__ import annotations

import deniable as dn
from deniable.estimation.estimate import ALONE
from deniable.pages.builder.rehearsal import rehearsed
from deniable.pages.results.cautions import BELOW

LABELS = [f"way {number}" for number in range(12)]


def test_shares_below_zero_are_explained() -> None:
    [faint] = rehearsed(dn.Survey.plan("commute", [dn.OneOf("way", LABELS)], 0.3, 200), 200)
    [clear] = rehearsed(dn.Survey.plan("commute", [dn.OneOf("way", LABELS[:2])], 4.0, 100_000), 100_000)
    assert list(faint.cautions) == [BELOW]
    assert (list(clear.cautions), list(clear.notes)) == ([], [])


def test_shares_that_do_not_add_up_are_explained() -> None:
    [shown] = rehearsed(dn.Survey.plan("used", [dn.AnyOf("used", LABELS[:3])], 2.0, 1000), 1000)
    assert ALONE in shown.notes
