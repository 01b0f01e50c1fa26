"""`reports.json`: batches of reports with the counts that they make, and batches that are refused whole."""

from __future__ import annotations

from typing import Any

from tests.wire.generate.surveys import SURVEYS

import deniable as dn
from deniable.arrays import Column
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.headed_layouts import BlockLayout, CohortLayout
from deniable.reports.index_layout import IndexLayout
from deniable.reports.packed_layout import PackedLayout
from deniable.values.lists import Lists

FEW = 32
"""Message spaces up to this are listed whole."""
MANY = 512
"""Of tallies with more cells one batch is enough."""
SEED = 20240229


def stored(reports: Column) -> list[Any]:
    """Reports as JSON holds them: integers, or bytes in hexadecimal."""
    return [row.tobytes().hex() for row in reports] if reports.ndim == 2 else reports.tolist()


def _drawn(mechanism: Mechanism, n: int) -> list[int | bytes]:
    """Reports of n people, each from words of their own."""
    labels, lists = mechanism.domain.labels, isinstance(mechanism.domain, Lists)
    values = [labels[: i % 4] if lists else labels[7 * i % len(labels)] for i in range(n)]
    return [mechanism.privatize(value, dn.SeededEntropy(SEED + i)) for i, value in enumerate(values)]


def _batch(mechanism: Mechanism, reports: Any) -> dict[str, Any]:
    column = mechanism.layout.check(reports)
    return {"reports": stored(column), "counts": mechanism.tally(column).counts.tolist()}


def _good(mechanism: Mechanism) -> list[dict[str, Any]]:
    batches: list[Any] = [_drawn(mechanism, n) for n in ((0, 1, 12) if mechanism.layout.cells <= MANY else (12,))]
    if mechanism.layout.outputs <= FEW:
        batches.append(mechanism.layout.every_report())
    return [_batch(mechanism, reports) for reports in batches]


def _bad(mechanism: Mechanism) -> dict[str, Any]:
    match mechanism.layout:
        case IndexLayout() as layout:
            return _bad_indices(layout)
        case PackedLayout() as layout:
            return _bad_bits(layout, mechanism.layout.check(_drawn(mechanism, 1))[0].tobytes())
        case CohortLayout() as layout:
            return _bad_cohorts(layout, mechanism.layout.check(_drawn(mechanism, 1))[0].tobytes())
        case BlockLayout() as layout:
            return _bad_blocks(layout)
    raise TypeError(f"a layout must be of a known kind, got {mechanism.layout!r}")


def _bad_indices(layout: IndexLayout) -> dict[str, Any]:
    return {
        "just out of range": layout.outputs,
        "out of range by 2^8": 1 << 8 if layout.outputs <= 1 << 8 else layout.outputs + (1 << 8),
        "out of range by 2^32": 1 << 32,
        "out of range by 2^64": 1 << 64,
        "below 0": -1,
        "a fraction": 0.5,
        "text": "0",
        "a truth value": True,
        "null": None,
    }


def _bad_bits(layout: PackedLayout, good: bytes) -> dict[str, Any]:
    flipped = bytes([good[0] ^ 1, *good[1:]])
    bad: dict[str, Any] = {
        "a byte too short": good[:-1].hex(),
        "a byte too long": (good + b"\0").hex(),
        "no bytes": "",
        "an integer": 0,
        "null": None,
    }
    if layout.symbols % 8:
        bad["the first pad bit set"] = _with_bit(good, layout.symbols).hex()
        bad["the last pad bit set"] = _with_bit(good, 8 * layout.width - 1).hex()
    if layout.single_from is not None:
        both = range(layout.symbols)[layout.single_from :]
        bad["two bits set of which one may be"] = _with_bit(_with_bit(bytes(layout.width), both[0]), both[-1]).hex()
    if layout.weight is not None:
        bad["another number of bits set"] = flipped.hex()
        bad["no bits set"] = bytes(layout.width).hex()
    return bad


def _bad_cohorts(layout: CohortLayout, good: bytes) -> dict[str, Any]:
    head, bits = good[:2], good[2:]
    bad: dict[str, Any] = {
        "a cohort just out of range": (layout.cohorts.to_bytes(2, "little") + bits).hex(),
        "a cohort out of range by its upper byte": (head[:1] + b"\x02" + bits).hex(),
        "the last cohort of two bytes": (b"\xff\xff" + bits).hex(),
        "a byte too short": good[:-1].hex(),
        "a byte too long": (good + b"\0").hex(),
        "a cohort alone": head.hex(),
        "bits alone": bits.hex(),
    }
    if not layout.symbols % 8:
        bad |= {"no bytes": "", "an integer": 0, "null": None}  # of one layout they are enough
    else:
        bad["the first pad bit set"] = _with_bit(good, 16 + layout.symbols).hex()
        bad["the last pad bit set"] = _with_bit(good, 8 * layout.width - 1).hex()
    return bad


def _bad_blocks(layout: BlockLayout) -> dict[str, Any]:
    good = layout.every_report()[0].tobytes()
    bad: dict[str, Any] = {
        "a block just out of range": (len(layout.sizes).to_bytes(2, "little") + good[2:]).hex(),
        "the last block of two bytes": (b"\xff\xff" + good[2:]).hex(),
        "a byte too short": good[:-1].hex(),
        "a byte too long": (good + b"\0").hex(),
        "a block alone": good[:2].hex(),
        "no bits set": (good[:2] + bytes(layout.width - 2)).hex(),
        "a bit too many": _with_bit(good, 16 + layout.sizes[0] - 1).hex(),
    }
    if layout.sizes[0] < 8 * (layout.width - 2):
        moved = good[:2] + bytes([good[2] & good[2] - 1, *good[3:]])
        bad["a bit beyond the block's labels"] = _with_bit(moved, 16 + layout.sizes[0]).hex()
    if layout.weights[0] == layout.sizes[0]:
        del bad["a bit too many"]
    return bad


def _with_bit(report: bytes, bit: int) -> bytes:
    return bytes(byte | (1 << bit % 8 if at == bit // 8 else 0) for at, byte in enumerate(report))


def _refused(mechanism: Mechanism) -> list[dict[str, Any]]:
    """Each bad report among good ones: the whole batch is refused."""
    before, after = stored(mechanism.layout.check(_drawn(mechanism, 2)))
    return [{"why": why, "reports": [before, bad, after]} for why, bad in _bad(mechanism).items()]


def reports() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file."""
    return {
        "good": [{"spec": m.spec_bytes.decode(), **batch} for m in SURVEYS for batch in _good(m)],
        "bad": [{"spec": m.spec_bytes.decode(), **batch} for m in SURVEYS for batch in _refused(m)],
    }
