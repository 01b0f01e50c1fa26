"""Singer designs: they are difference sets, their table is primitive, and the choice among them is good."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.kernels.cyclic import support_counts
from deniable.protocol.designs import LONGEST, Design, Recurrence, recurrences
from deniable.protocol.errors import FormatError, ParameterError
from deniable.theory import singer
from deniable.theory.singer import choose, designs_for, positions, support, variance

Points = npt.NDArray[np.int32]
Matrices = npt.NDArray[np.int64]

POWERS = [(4, 3), (4, 7), (8, 3), (8, 5), (9, 3), (9, 5), (16, 3), (16, 5), (25, 4), (27, 4), (49, 4), (64, 3), (64, 4)]
PRIMES = [(2, 3), (2, 16), (3, 11), (5, 8), (7, 6), (11, 3), (31, 4), (101, 3), (997, 3), (1021, 3), (149, 4)]


def is_difference_set(points: Points, length: int, overlap: int) -> bool:
    """Whether every non-zero shift meets the set ``overlap`` times: its autocorrelation, in exact integers."""
    indicator = np.zeros(length, np.int64)
    indicator[points] = 1
    meets = support_counts(indicator, points, length)
    return int(meets[0]) == len(points) and bool((meets[1:] == overlap).all())


def prime_factors(n: int) -> list[int]:
    """By trial division."""
    found, divisor = [], 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            found.append(divisor)
        while n % divisor == 0:
            n //= divisor
        divisor += 1
    return [*found, n] if n > 1 else found


def companion(recurrence: Recurrence) -> Matrices:
    """Multiplication by x modulo the polynomial, as a matrix: no arithmetic shared with what wrote the table."""
    matrix = np.eye(recurrence.degree, k=-1, dtype=np.int64)
    tail = recurrence.coefficients
    matrix[: len(tail), -1] = [-c % recurrence.prime for c in tail]
    return matrix


def is_identity(matrix: Matrices, exponent: int, prime: int) -> bool:
    """Whether matrix^exponent is the identity modulo the prime."""
    result = np.eye(len(matrix), dtype=np.int64)
    for bit in f"{exponent:b}":
        result = result @ result % prime
        if bit == "1":
            result = result @ matrix % prime
    return np.array_equal(result, np.eye(len(matrix), dtype=np.int64))


def subset_variance(d: int, epsilon: float) -> float:
    """The optimum: k-subset with its best size for squared error, times n."""
    odds, best = math.exp(epsilon), math.inf
    for k in {min(max(math.floor(d / (1 + odds)) + j, 1), d - 1) for j in (0, 1)}:
        weight = k * odds + d - k
        g = k * odds / weight
        h = g * (k - 1) / (d - 1) + (d - k) / weight * k / (d - 1)
        gap = k * (d - k) * (odds - 1) / ((d - 1) * weight)
        best = min(best, (g * (1 - g) + (d - 1) * h * (1 - h)) / gap**2)
    return best


def test_every_polynomial_of_the_table_is_primitive() -> None:
    """The order of x is p^M - 1 and no proper divisor of it, for all 708 rows."""
    rows = {(r.prime, r.degree): r for r in recurrences().values()}
    assert len(rows) == 708
    for (prime, degree), recurrence in rows.items():
        matrix, order = companion(recurrence), prime**degree - 1
        assert is_identity(matrix, order, prime)
        assert not any(is_identity(matrix, order // factor, prime) for factor in prime_factors(order))


def test_every_prime_power_has_its_designs() -> None:
    """All (q, t) with t >= 3 and at most 2^24 points, counted from the definition."""
    wanted = {
        (q, t)
        for q in range(2, 4096)
        if len(prime_factors(q)) == 1
        for t in range(3, 25)
        if (q**t - 1) // (q - 1) <= LONGEST
    }
    assert {(design.q, design.t) for design in recurrences()} == wanted


@pytest.mark.parametrize(("q", "t"), POWERS + PRIMES)
def test_designs_are_difference_sets(q: int, t: int) -> None:
    """Prime powers and primes, up to a million points."""
    design = Design.singer(q, t)
    assert is_difference_set(positions(design), design.length, design.overlap)


def test_small_designs_are_difference_sets_by_hand() -> None:
    """Every design below 100 points, by counting differences one by one."""
    small = [design for design in recurrences() if design.length < 100]
    assert len(small) == 12
    for design in small:
        points = positions(design).tolist()
        differences = [(a - b) % design.length for a in points for b in points if a != b]
        assert np.bincount(differences, minlength=design.length)[1:].tolist() == [design.overlap] * (design.length - 1)


@pytest.mark.parametrize("longest", [2**22, 2**24])
def test_the_longest_designs_are_difference_sets(longest: int) -> None:
    """The last one below 2^22 by its autocorrelation; the last of all by the number of its points."""
    design = max((d for d in recurrences() if d.length < longest), key=lambda d: d.length)
    points = positions(design)
    assert len(points) == design.block
    assert (np.diff(points) > 0).all()
    assert longest > 2**22 or is_difference_set(points, design.length, design.overlap)


def test_one_moved_point_is_caught() -> None:
    """Planted fault: the autocorrelation sees a single element that is off."""
    design = Design.singer(9, 4)
    moved = positions(design).copy()
    moved[50] = np.setdiff1d(np.arange(design.length), moved)[0]
    assert is_difference_set(positions(design), design.length, design.overlap)
    assert not is_difference_set(moved, design.length, design.overlap)


def test_an_altered_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: x^4 + x^3 + x^2 + x + 1 is irreducible, but not primitive."""
    design = Design.singer(2, 4)
    altered = {design: Recurrence(prime=2, rows=1, degree=4, coefficients=(1, 1, 1, 1))}
    monkeypatch.setattr(singer, "recurrences", lambda: altered)
    positions.cache_clear()
    with pytest.raises(FormatError, match="q=2, t=4"):
        positions(design)


def test_the_points_of_a_design_never_change() -> None:
    """They are the meaning of stored reports: see docs/decisions/0004-singer-tables.md."""
    assert positions(Design.singer(2, 3)).tolist() == [0, 4, 5]
    assert positions(Design.singer(4, 3)).tolist() == [0, 1, 6, 8, 18]
    rows = sorted({(r.prime, r.degree, r.coefficients) for r in recurrences().values()})
    digest = hashlib.sha256(repr(rows).encode()).hexdigest()
    assert digest == "06af3b8ef21bc07ddd13c1892bc9769c3d67b0fb5deaf4e196f62858aa9389d4"


def test_points_are_read_only_and_a_point_is_a_point() -> None:
    """Callers share the array, so nobody may write to it."""
    assert positions(Design.point(12)).tolist() == [0]
    with pytest.raises(ValueError, match="read-only"):
        positions(Design.singer(3, 3))[0] = 7


@pytest.mark.parametrize("design", [Design.singer(6, 3), Design.singer(2, 25), Design(7, 3, 2, 2, 3)])
def test_designs_that_are_not_in_the_table_are_refused(design: Design) -> None:
    """Six is no prime power, 2^25 - 1 is too long, and an overlap of 2 is wrong."""
    with pytest.raises(ParameterError, match="design must be a point or a Singer design"):
        positions(design)


@pytest.mark.parametrize("odds", [Fraction(1_000_001, 1_000_000), Fraction(3, 2), Fraction(20), Fraction(2**46)])
@pytest.mark.parametrize("design", [Design.singer(2, 3), Design.singer(9, 4), Design.singer(1021, 3), Design.point(9)])
def test_the_support_law_and_its_gap(design: Design, odds: Fraction) -> None:
    """The chances from the definition in exact fractions; a report supports ``block`` points: g + (K - 1) h = block."""
    inside = odds / (odds * design.block + design.length - design.block)
    g, outside = inside * design.block, inside / odds
    h = inside * design.overlap + outside * (design.block - design.overlap)
    assert g + (design.length - 1) * h == design.block
    law = support(design, odds)
    np.testing.assert_allclose([law.g, law.h, law.gap], [float(g), float(h), float(g - h)], rtol=1e-14)
    by_float = support(design, float(odds))
    assert by_float.gap == pytest.approx(float(g - h), rel=1e-9)


@pytest.mark.parametrize(("q", "t"), [(2, 3), (4, 3), (3, 4)])
def test_the_support_law_equals_an_enumerated_channel(q: int, t: int) -> None:
    """Pr(y supports x') from the channel itself, for every pair of symbols."""
    design, odds = Design.singer(q, t), 2.5
    inside = np.zeros((design.length, design.length))
    for x in range(design.length):
        inside[x, (x + positions(design)) % design.length] = 1.0
    channel = 1.0 + (odds - 1) * inside
    channel /= channel.sum(axis=1, keepdims=True)
    supported = channel @ inside.T
    law = support(design, odds)
    expected = np.full_like(supported, law.h) + np.eye(design.length) * law.gap
    np.testing.assert_allclose(supported, expected, rtol=1e-12)
    assert law.gap == pytest.approx(law.g - law.h, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize(
    ("d", "max_bits", "bits", "worst"),
    [(1000, None, 13, 1.015), (1000, 11, 11, 1.05), (100_000, None, 20, 1.01), (1_000_000, None, 23, 1.01)],
)
def test_cyclic_is_as_accurate_as_the_best_subset(
    d: int, max_bits: int | None, bits: int, worst: float, epsilon: float
) -> None:
    """The promise: within 1.5% at a thousand labels in 13 bits, 5% in 11 bits, 1% for large domains."""
    design = choose(d, epsilon, max_bits)
    assert design.bits <= bits
    assert 1.0 <= variance(design, d, math.exp(epsilon)) / subset_variance(d, epsilon) <= worst


@settings(deadline=None, max_examples=60)
@given(st.integers(2, LONGEST), st.floats(1e-6, 32.0), st.integers(0, 6))
def test_the_choice_is_the_shortest_of_the_best(d: int, epsilon: float, spare: int) -> None:
    """Within the bits allowed, nothing is more than 0.1% better, and nothing shorter is as good as 0.1%."""
    bits = (d - 1).bit_length() + spare
    design = choose(d, epsilon, bits)
    odds = math.exp(epsilon)
    assert d <= design.length
    assert design.bits <= bits
    fitting = [other for other in designs_for(d) if other.bits <= bits]
    least = min(variance(other, d, odds) for other in fitting)
    assert variance(design, d, odds) <= least * singer.TIE
    shorter = [other for other in fitting if other.length < design.length]
    assert all(variance(other, d, odds) > least * singer.TIE for other in shorter)


def test_the_point_wins_where_randomized_response_does() -> None:
    """Two labels, and odds far above the number of labels."""
    assert choose(2, 0.1) == Design.point(2)
    assert choose(1000, 20.0) == Design.point(1000)
    assert variance(Design.point(50), 50, math.exp(5.0)) == pytest.approx(subset_variance(50, 5.0))


def test_a_domain_as_long_as_the_table_still_has_designs() -> None:
    """The last circle has 2^24 - 1 points; beyond it only the point fits."""
    assert designs_for(2**24 - 1)[-1] == Design.singer(2, 24)
    assert designs_for(2**24) == (Design.point(2**24),)


@pytest.mark.parametrize(
    ("d", "epsilon", "max_bits", "message"),
    [
        (1000, 1.0, 9, "max_bits must be an integer of at least 10 for 1000 labels, got max_bits=9"),
        (1025, 1.0, 10, "at least 11 for 1025 labels, got max_bits=10"),
        (1000, 1.0, True, "got max_bits=True"),
        (1000, 1.0, 11.0, r"got max_bits=11\.0"),
        (1, 1.0, None, "between 2 and 16777216 labels, got d=1"),
        (2**24 + 1, 1.0, None, "got d=16777217"),
        (1000, 0.0, None, "epsilon must be a finite number above 0, got epsilon=0"),
        (1000, math.nan, None, "got epsilon=nan"),
        (1000, math.inf, None, "got epsilon=inf"),
    ],
)
def test_bad_questions_get_one_clear_answer(d: int, epsilon: float, max_bits: int | None, message: str) -> None:
    """Each names what is wanted and what came."""
    with pytest.raises(ParameterError, match=message):
        choose(d, epsilon, max_bits)
    assert choose(1024, 1.0, 10).length <= 1024
