"""Answers in bulk, as uploads carry and chunks store them: of each arm its number, its answers, and their bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from deniable.arrays import Packed

HEAD = struct.Struct("<HI")
"""The number of an arm, and of its answers."""
FEW = 32
"""So many answers are sorted one by one: to make an array of them takes longer."""
WORDS = (1, 2, 4, 8)
"""The sizes of whole numbers, in bytes; up to 2 NumPy's stable sort is one by digits."""


class Section(NamedTuple):
    """The answers to one arm, one after another, without its number."""

    arm: int
    n: int
    rows: bytes


def read_sections(widths: Sequence[int], body: bytes, at: int) -> list[Section] | None:
    """The sections from a place to the end, given the length of an answer to each arm; None if these are none."""
    sections, last_arm = [], -1
    while at < len(body):
        if len(body) - at < HEAD.size:
            return None
        arm, n = HEAD.unpack_from(body, at)
        at += HEAD.size
        if not last_arm < arm < len(widths) or not 0 < n * widths[arm] <= len(body) - at:
            return None
        end = at + n * widths[arm]
        sections.append(Section(arm, n, body[at:end]))
        at, last_arm = end, arm
    return sections or None


def write_sections(sections: Iterable[Section]) -> bytes:
    """What ``read_sections`` reads."""
    return b"".join(HEAD.pack(arm, n) + rows for arm, n, rows in sections)


def merged(sections: Sequence[Section]) -> Sequence[Section]:
    """One section for each arm, its answers sorted by their bytes: their order says nothing of who sent them when."""
    if len(sections) == 1 and sections[0].n == 1:
        return sections
    by_arm: dict[int, list[Section]] = {}
    for section in sections:
        by_arm.setdefault(section.arm, []).append(section)
    return [_sorted(arm, of_arm) for arm, of_arm in sorted(by_arm.items())]


def counted(sections: Iterable[Section]) -> int:
    """How many answers some sections hold."""
    return sum(section.n for section in sections)


def _sorted(arm: int, sections: Sequence[Section]) -> Section:
    """One section with the answers of several to an arm, sorted by their bytes."""
    n = counted(sections)
    if n == len(sections) <= FEW:  # of a hundred surveys at once, most have an answer or two in a transaction
        return Section(arm, n, b"".join(sorted(section.rows for section in sections)))
    rows = b"".join(section.rows for section in sections)
    return Section(arm, n, sorted_rows(np.frombuffer(rows, np.uint8).reshape(n, -1)))


def sorted_rows(rows: Packed) -> bytes:
    """Rows of bytes in ascending order; short ones as whole numbers, which are sorted ten times as fast."""
    n, width = rows.shape
    size = next((size for size in WORDS if size >= width), 0)
    if size == 1:
        counts = np.bincount(rows[:, 0], minlength=1 << 8)
        return np.repeat(np.arange(1 << 8, dtype=np.uint8), counts).tobytes()
    if not size:
        texts = np.ascontiguousarray(rows).view(f"S{width}")[:, 0]
        return np.sort(texts).tobytes()
    padded = np.zeros((n, size), np.uint8)
    padded[:, size - width :] = rows
    words = padded.view(f">u{size}")[:, 0].astype(f"u{size}")
    words.sort(kind="stable" if size == 2 else None)
    return words.astype(f">u{size}").view(np.uint8).reshape(n, size)[:, size - width :].tobytes()
