"""The mechanisms that the vectors are of: small ones, every family, both sides of each change of layout."""

from __future__ import annotations

from fractions import Fraction

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism

THIRD = Fraction(1, 3)

SURVEYS: tuple[Mechanism, ...] = (
    dn.RandomizedResponse(["yes", "no"], 1.0),
    dn.RandomizedResponse(["never", "once", "often"], 0.5),
    dn.RandomizedResponse(300, 2.0),  # two bytes a report
    dn.Rappor(3, 1.0),
    dn.Rappor(8, 2.0),  # no pad bits
    dn.Rappor(300, 4.0),  # more coins than one group of words holds
    dn.OptimizedUnary(5, 1.0),
    dn.OptimizedUnary(16, 3.0),
    dn.Subset(10, 1.0, size=4),  # starts from random words
    dn.Subset(20, 3.0, size=1),  # starts from nothing
    dn.Subset(70, 1.0),  # more labels than a word has bits
    dn.Subset(6, 2.0, size=5),
    dn.Hadamard(10, 1.0, parts=1),
    dn.Hadamard(20, 3.0, parts=4),
    dn.Cyclic(3, 1.0),  # a point
    dn.Cyclic(10, 1.0),
    dn.Cyclic(18, 1.5, max_bits=5),  # the field of four elements
    dn.Channel(["low", "middle", "high"], [[THIRD * 2, THIRD, 0], [THIRD, THIRD, THIRD], [0, THIRD, THIRD * 2]]),
    dn.Channel(["sick", "well"], [[0.9, 0.1], [0.3, 0.7]]),
)
