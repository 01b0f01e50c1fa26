# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""Write src/deniable/protocol/primitive.csv: one primitive polynomial for every field the cyclic designs need.

    python scripts/primitive_polynomials.py > src/deniable/protocol/primitive.csv

Only the standard library, and about a minute. Each row holds a prime p, a degree M, and the coefficients, from the
constant up, of what follows x^M in the lexicographically first primitive polynomial of degree M over F_p.
The rows fix what a report means: see docs/decisions/0004-singer-tables.md before changing one.
"""

from __future__ import annotations

from functools import cache
from itertools import count, takewhile
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1 << 24
Polynomial: TypeAlias = list[int]  # coefficients below the leading x^M, from the constant up


@cache
def prime_factors(n: int) -> tuple[int, ...]:
    """The distinct primes that divide ``n``, by trial division."""
    found, divisor = [], 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            found.append(divisor)
            while n % divisor == 0:
                n //= divisor
        divisor += 1
    return (*found, n) if n > 1 else tuple(found)


def length(q: int, t: int) -> int:
    """The number of points of the projective space of dimension t - 1 over F_q."""
    return int((q**t - 1) // (q - 1))


def fields() -> list[tuple[int, int]]:
    """Every (p, M) with p^M = q^t for some prime power q, t >= 3 and length(q, t) <= LONGEST."""
    wanted: set[tuple[int, int]] = set()
    orders = takewhile(lambda q: length(q, 3) <= LONGEST, count(2))
    for q in orders:
        factors = prime_factors(q)
        if len(factors) == 1:
            power = next(m for m in count(1) if factors[0] ** m == q)
            wanted.update((factors[0], power * t) for t in range(3, 25) if length(q, t) <= LONGEST)
    return sorted(wanted)


def times(left: Polynomial, right: Polynomial, modulus: Polynomial, p: int) -> Polynomial:
    """The product of two polynomials, modulo x^M + modulus and p."""
    degree = len(modulus)
    product = [0] * (2 * degree - 1)
    for i, a in enumerate(left):
        if a:
            for j, b in enumerate(right):
                product[i + j] += a * b
    terms = [(j, c) for j, c in enumerate(modulus) if c]
    for i in range(2 * degree - 2, degree - 1, -1):
        top = product[i] % p
        for j, c in terms:
            product[i - degree + j] -= top * c
    return [c % p for c in product[:degree]]


def power_of_x(exponent: int, modulus: Polynomial, p: int) -> Polynomial:
    """x^exponent modulo x^M + modulus and p, by squaring."""
    x = [0, 1] + [0] * (len(modulus) - 2)
    result = x
    for bit in bin(exponent)[3:]:
        result = times(result, result, modulus, p)
        if bit == "1":
            result = times(result, x, modulus, p)
    return result


def is_primitive(modulus: Polynomial, p: int) -> bool:
    """Whether x has order p^M - 1: then its powers are all the non-zero residues, so they form a field."""
    degree = len(modulus)
    norm = (-1) ** degree * modulus[0] % p
    if any(pow(norm, (p - 1) // r, p) == 1 for r in prime_factors(p - 1)):
        return False  # a cheap sieve: the constant must be, up to sign, a primitive root
    order, one = p**degree - 1, [1] + [0] * (degree - 1)
    if power_of_x(order, modulus, p) != one:
        return False
    return all(power_of_x(order // r, modulus, p) != one for r in prime_factors(order))


def candidates(p: int, degree: int) -> Iterator[Polynomial]:
    """Monic polynomials with a constant term, in lexicographic order."""
    for number in count(1):
        if number % p:
            yield [number // p**j % p for j in range(degree)]


def main() -> None:
    """Print the table."""
    print("prime,degree,coefficients")
    for p, degree in fields():
        first = next(f for f in candidates(p, degree) if is_primitive(f, p))
        while first[-1] == 0:
            first.pop()
        print(f"{p},{degree},{' '.join(map(str, first))}")


if __name__ == "__main__":
    main()
