"""Figures of the page on theory: how far bounds lie below the best reports, and what other block designs would gain."""

import itertools
import math
from collections.abc import Iterator, Sequence

from tests.house.house_tree import words

import deniable as dn

LEVELS, MANY = (0.3, 1, 2, 4), 10**10
PRIMES = [p for p in range(2, 1000) if all(p % f for f in range(2, p))]
POWERS = [q for q in range(2, 1000) if sum(q % p == 0 for p in PRIMES) == 1]
MOST_POINTS, MOST_BLOCKS = 4096, 1 << 13


def far(best: Sequence[float], bound: Sequence[float]) -> str:
    """The least and the largest ratio."""
    found = [a / b for a, b in zip(best, bound, strict=True)]
    return f"{min(found):.1f} to {max(found):.1f}"


def test_bounds_lie_as_far_below_the_best_reports_as_the_page_says() -> None:
    plain = list(itertools.product((4, 10, 32, 100, 500), LEVELS))
    subsets = [dn.Subset(d, e).risk(MANY, "l1") for d, e in plain]
    assert far(subsets, [dn.bounds.minimax_l1(d, e, MANY) for d, e in plain]) == "4.0 to 6.3"
    coins = [dn.RandomizedResponse(2, e) for e in LEVELS]
    least = [dn.bounds.channel_minimax(m.channel().probabilities, MANY) for m in coins]
    assert far([m.risk(MANY, "l1") / 2 for m in coins], least) == "3.2 to 3.2"
    some = list(itertools.product(((20, 5), (100, 5), (100, 30), (500, 100)), LEVELS))
    kinds = (dn.HighLowHadamard, dn.HighLowResponse, dn.HighLowRappor, dn.HighLowSubset)
    best = [min(kind(d, range(s), e).risk(MANY, "l1") for kind in kinds) / 2 for (d, s), e in some]
    assert far(best, [dn.bounds.high_low_minimax(d, s, e, MANY) for (d, s), e in some]) == "4.8 to 12.1"
    blocks = list(itertools.product((2, 5, 20), (4, 10, 50), LEVELS))
    best = [dn.BlockSubset([range(k * i, k * i + k) for i in range(b)], e).risk(MANY, "l1") / 2 for b, k, e in blocks]
    assert far(best, [dn.bounds.block_minimax([k] * b, e, MANY) for b, k, e in blocks]) == "4.1 to 6.2"
    page = words("rooms/theory.md")
    assert all(
        said in page for said in ("4 to 6 below the best subsets", "3.2 below two labels", "5 to 12, and 4 to 6,")
    )


Design = tuple[int, int, int, int, int]
"""Points, points of a block, blocks, blocks through a point, and through two."""


def lines(v: int, k: int) -> Design:
    """Every two of v points in one block of k."""
    return v, k, v * (v - 1) // (k * (k - 1)), (v - 1) // (k - 1), 1


def designs() -> Iterator[Design]:
    """Affine hyperplanes and lines, projective lines, unitals, quadratic residues, small blocks."""
    for q in POWERS:
        sizes = [(q**t - 1) // (q - 1) for t in range(1, 13)]  # points of projective spaces
        for t in range(2, 12):
            yield q**t, q ** (t - 1), q * sizes[t - 1], sizes[t - 1], sizes[t - 2]
            yield lines(q**t, q)
            yield lines(sizes[t], q + 1)
        yield lines(q**3 + 1, q + 1)
        if q % 4 == 3:
            yield q, (q - 1) // 2, q, (q - 1) // 2, (q - 3) // 4
    for k, modulus, rests in [(3, 6, (1, 3)), (4, 12, (1, 4)), (5, 20, (1, 5))]:
        yield from (lines(v, k) for v in range(k + 1, MOST_POINTS) if v % modulus in rests)


def error(d: int, epsilon: float, design: Design) -> float:
    """The limit of n times the squared error, the labels being equally frequent."""
    _, _, b, r, both = design
    total = r * math.exp(epsilon) + b - r
    g, h = r * math.exp(epsilon) / total, (both * math.exp(epsilon) + r - both) / total
    p = (g + (d - 1) * h) / d
    return d * p * (1 - p) / (g - h) ** 2


def test_other_designs_gain_as_little_as_the_page_says() -> None:
    """Of those whose reports have at most three bits more than a label, as those of Cyclic."""
    known = [found for found in designs() if found[2] <= MOST_BLOCKS]
    gains: list[float] = []
    for d in (16, 32, 57, 64, 100, 133, 200, 256, 500, 1000):
        short = 1 << (d - 1).bit_length() + 3
        fit = [each for each in known if each[0] >= d and each[2] <= short]
        gains += [
            1 - min(error(d, epsilon, each) for each in fit) / dn.Cyclic(d, epsilon).risk(1)
            for epsilon in (0.5, 1, 2, 3, 4, 5)
        ]
    page = words("rooms/theory.md")
    assert f"At {sum(gain <= 0.03 for gain in gains)} of {len(gains)} sizes" in page
    assert f"elsewhere its square falls by up to {100 * max(gains):.0f}%" in page
