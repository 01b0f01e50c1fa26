"""Reports of a block and a set: both sides of every rule, and the tallies that cannot be."""

from __future__ import annotations

import numpy as np
import pytest

import deniable as dn
from deniable.reports.arrow_columns import from_arrow, to_arrow
from deniable.reports.headed_layouts import BlockLayout

LAYOUT = BlockLayout((3, 1, 10), (2, 1, 4))


def test_every_report_counts_and_finds_its_place() -> None:
    reports = LAYOUT.every_report()
    assert len(reports) == LAYOUT.outputs == 3 + 1 + 210
    assert LAYOUT.report_index(reports).tolist() == list(range(LAYOUT.outputs))
    n, counts = LAYOUT.tally(reports)
    assert (n, counts.tolist()) == (214, [2, 2, 2, 1] + [84] * 10)
    assert LAYOUT.people(counts).tolist() == [3, 1, 210]
    assert LAYOUT.fault(n, counts) is None
    assert np.array_equal(from_arrow(LAYOUT, to_arrow(reports)), reports)


def test_blocks_and_sets_come_apart_and_together() -> None:
    reports = LAYOUT.every_report()[::-1]
    again = np.empty_like(reports)
    for block, places, sets in LAYOUT.split(reports):
        again[places] = LAYOUT.join(np.full(len(places), block), sets)
    assert np.array_equal(again, reports)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (b"\x03\x00\x01\x00", "name no block"),
        (b"\x00\x01\x01\x00", "name no block"),
        (b"\x00\x00\x09\x00", "beyond the labels of their block"),
        (b"\x01\x00\x02\x00", "beyond the labels of their block"),
        (b"\x02\x00\x07\x04", "beyond the labels of their block"),
        (b"\x00\x00\x07\x00", "another number of bits"),
        (b"\x02\x00\x03\x00", "another number of bits"),
        (b"\x01\x00\x00\x00", "another number of bits"),
        (b"\x00\x00\x03", "another type or length"),
    ],
)
def test_malformed_reports_refuse_the_batch(wrong: bytes, reason: str) -> None:
    for read in (LAYOUT.check, LAYOUT.tally):
        with pytest.raises(dn.ReportError, match=reason):
            read([b"\x00\x00\x03\x00", wrong, b"\x02\x00\x0f\x00"])
    assert LAYOUT.tally([b"\x00\x00\x03\x00", b"\x02\x00\x07\x02"])[1].tolist() == [1, 1, 0, 0, 1, 1, 1, *[0] * 6, 1]


@pytest.mark.parametrize(
    "counts",
    [
        [2, 1, 0, 0] + [0] * 10,  # half a report
        [2, 2, 0, 1] + [0] * 10,  # three people
        [3, 1, 0, 0] + [0] * 10,  # a label in more reports than its block has
    ],
)
def test_counts_of_no_two_reports(counts: list[int]) -> None:
    assert LAYOUT.fault(2, np.array(counts)) is not None
    assert LAYOUT.fault(2, np.array([2, 1, 1] + [0] * 11)) is None
