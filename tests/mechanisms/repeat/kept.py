"""Small remembered mechanisms of every family, and their rounds written out from the definition."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np

import deniable as dn
from deniable.arrays import Exact
from deniable.mechanisms.mechanism import Mechanism

PERMANENT: dict[str, Callable[[int, float], Mechanism]] = {
    "RandomizedResponse": dn.RandomizedResponse,
    "Subset": lambda d, ever: dn.Subset(d, ever, size=max(1, d // 2)),
    "Cyclic": dn.Cyclic,
    "Cyclic of a plane": lambda d, ever: dn.from_spec(
        {"version": 1, "mechanism": "Cyclic", "domain": d, "epsilon": ever, "q": 2, "t": 3}
    ),
    "Hadamard": lambda d, ever: dn.Hadamard(d, ever, parts=1),
    "Hadamard of two parts": lambda d, ever: dn.Hadamard(d, ever, parts=2),
    "HashedResponse": lambda d, ever: dn.HashedResponse(ever, 3, 2, domain=d),
    "OptimizedUnary": dn.OptimizedUnary,
    "Rappor": dn.Rappor,
}
BITS = ("OptimizedUnary", "Rappor")


def remembered(name: str, d: int, ever: float, each: float) -> dn.Remembered:
    """A remembered mechanism of a family."""
    return dn.Remembered(PERMANENT[name](d, ever), each)


def coin(m: dn.Remembered) -> Fraction:
    """u/m, as the spec holds it."""
    return Fraction(m.spec()["u"], m.spec()["m"])


def rounds(m: dn.Remembered) -> Exact:
    """[permanent, sent]: the exact probability of each report in a round, for each permanent one."""
    reports, kept = m.layout.every_report(), coin(m)
    if isinstance(m.permanent, dn.OptimizedUnary | dn.Rappor):
        apart, d = np.bitwise_count(reports[:, None, :] ^ reports[None, :, :]).sum(axis=2), len(m.permanent.domain)
        by_number = np.array([(1 - kept) ** flipped * kept ** (d - flipped) for flipped in range(d + 1)])
        return np.asarray(by_number[apart])
    alike = np.ones((len(reports), len(reports)), bool)
    if isinstance(m.permanent, dn.HashedResponse):
        cohorts = reports // m.permanent.symbols
        alike = np.equal.outer(cohorts, cohorts)
    whole, uniform = np.eye(len(reports), dtype=np.int64), (1 - kept) / int(alike[0].sum())
    return np.asarray(kept * whole.astype(object) + uniform * alike.astype(np.int64).astype(object))


def transcripts(m: dn.Remembered, count: int) -> Exact:
    """[labels, transcripts]: the exact probability of each sequence of so many reports about one unchanged answer."""
    sent = rounds(m)
    every = list(itertools.product(range(len(sent)), repeat=count))
    together = np.array([np.prod(sent[:, list(sequence)], axis=1) for sequence in every]).T
    return np.asarray(m.permanent.channel().exact @ together)


def worst_ratio(chances: Exact) -> Fraction:
    """The largest ratio of two labels' probabilities of one column."""
    found: Fraction = max(column.max() / column.min() for column in chances.T if column.min())
    return found
