"""The mechanisms that the vectors are of: small ones, every family, both sides of each change of layout."""

from __future__ import annotations

import math
from fractions import Fraction

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism

THIRD = Fraction(1, 3)
INFORMED = {
    "version": 1,
    "mechanism": "InformedResponse",
    "domain": ["ill", "well", "away"],
    "prior": [0.5, 0.3, 0.2],
    "epsilon": 1.0,
    "goal": "histogram",
    "columns": [
        [50695365541731240, 1, 11426718858142218, 2],
        [13409672439234744, 1, 7129235253174722, 1, 52678319122825440, 1],
        [7952551761992975, 1, 53501635631642504, 1, 7952551761992975, 1],
        [4294968977, 1, 4294968492, 1, 4294967303, 1],
    ],
}
"""Written out, for an optimizer's last digits are its machine's."""

SURVEYS: tuple[Mechanism, ...] = (
    dn.RandomizedResponse(["yes", "no"], 1.0),
    dn.RandomizedResponse(["never", "once", "often"], 0.5),
    dn.RandomizedResponse(300, 2.0),  # two bytes per report
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
    dn.BinaryResponse(["yes", "no"], 0.7, 1.4),
    dn.BinaryResponse(["yes", "no"], math.inf, 1.0),
    dn.HighLowHadamard(10, [4, 1, 3], 1.0),
    dn.HighLowHadamard(["well", "ill", "away"], ["ill"], 3.0),
    dn.HighLowResponse(10, [7, 2, 4], 1.0),
    dn.HighLowResponse(["well", "ill", "away"], ["ill"], 2.0),  # one sensitive label hides in others' lies
    dn.HighLowRappor(11, [0, 3, 4, 9], 1.0),
    dn.HighLowRappor(20, [*range(9), 15], 3.0),  # the first other label's bit shares a byte with sensitive ones
    dn.BlockHadamard([["Rom", "Milano", "Napoli"], ["Wien"], ["Lyon", "Paris", "Nice", "Metz", "Brest"]], 1.0),
    dn.from_spec(INFORMED),
    dn.Channel(
        ["sick", "well"],
        [[THIRD, THIRD * 2], [0, 1]],
        dn.HighLow(["sick", "well"], ["well"], 0.5),
    ),
    dn.HashedResponse(1.0, 3, 5, ["rain", "sun", "snow", "fog", "hail", "wind", "dust"]),
    dn.HashedResponse(3.0, 8, 4, 6, "march"),  # more symbols than labels
    dn.HashedRappor(2.0, 8, 3, 1, 12, "märz"),  # no pad bits
    dn.HashedRappor(3.0, 5, 4, 2, 7),  # two hashes, which often agree
    dn.HashedRappor(1.0, 2, 300, 1, 3),  # cohorts need both of their bytes
)
