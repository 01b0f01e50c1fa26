"""Correlations with a set of points on a circle, by real FFT; support counts are exact and prove it.

Error bound. A transform of N = 2^a 3^b 5^c points is a run of butterflies of radix 2 to 5. With u = 2^-53, radix r
multiplies by a twiddle (sqrt(5) u, and u for the table) and adds r terms, so an output is off by at most c_r u times
the sum of its inputs' moduli; c_r sqrt(r) / log2(r) is 6, 9, 5.3 and 8.9 for r = 2, 3, 4, 5. Carried through two
forward transforms, the product and one inverse (as Percival 2003 does for radix 2), that is

    max |computed - exact| <= 3 * 10 * u * log2(N) * ||values||_2 * ||indicator||_2,

and 40 stands here for 30, room for the product and a real-to-complex pass. The bound needs lengths without large
primes, so a circle is unrolled to a line of the next such length; Bluestein's method on the circle itself is slower
too (docs/decisions/0004-singer-tables.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Counts, Positions, Vector
from deniable.protocol.errors import CapacityError

if TYPE_CHECKING:
    from collections.abc import Iterator

Spectrum: TypeAlias = npt.NDArray[np.complex128]

STAGE_ERROR = 40 * 2.0**-53
ROUNDING_LIMIT = 0.25  # half of what would round to a wrong integer


@dataclass(frozen=True, slots=True, eq=False)
class CyclicTransform:
    """A set D on the circle of ``length`` points, with its transform, for sums that concern the first ``size`` points.

    Example:
        >>> around = CyclicTransform.of(7, np.array([1, 2, 4], np.int32), 5)
        >>> around.gather(np.array([1.0, 0, 0, 0, 0, 0, 2])).round(9)
        array([0., 0., 2., 1., 2.])
    """

    length: int
    size: int
    padded: int
    positions: Positions
    spectrum: Spectrum
    covered: Counts
    """How many of the first ``size`` points each message supports, counted without the transform, for a checksum."""

    @classmethod
    def of(cls, length: int, positions: Positions, size: int) -> CyclicTransform:
        """Prepare the transform of the indicator of ``positions``."""
        padded = int(scipy.fft.next_fast_len(length + size - 1, real=True))
        indicator = np.zeros(padded)
        indicator[positions] = 1.0
        covered = _covered(length, positions, size)
        return cls(length, size, padded, positions, scipy.fft.rfft(indicator, overwrite_x=True), covered)

    def spread(self, values: Vector) -> Vector:
        """Push mass from points to messages: out[y] = sum over delta in D of values[y - delta], y < length."""
        product = scipy.fft.rfft(values, self.padded)
        product *= self.spectrum
        line: Vector = scipy.fft.irfft(product, self.padded, overwrite_x=True)
        circle = line[: self.length].copy()
        circle[: self.size - 1] += line[self.length : self.length + self.size - 1]
        return circle

    def gather(self, values: Vector) -> Vector:
        """Pull from messages to points, the transpose of spread: out[x] = sum of values[x + delta], x < size."""
        product = scipy.fft.rfft(self._unroll(values), overwrite_x=True)
        np.conj(product, out=product)  # in place, twice: large fresh arrays cost as much as arithmetic
        product *= self.spectrum
        np.conj(product, out=product)
        line: Vector = scipy.fft.irfft(product, self.padded, overwrite_x=True)
        return line[: self.size].copy()

    def support_counts(self, counts: Counts) -> Counts:
        """How many of ``counts``, a number for each message y, support each point x: those with y - x in the set.

        As ``gather``, but exact or refused: errors are bounded, residues and the sum are checked after.
        """
        total = np.zeros(self.size, np.int64)
        for shift, digit in self._digits(counts):
            total += self._rounded(digit) << shift
        if _wrapped_sum(total) != _wrapped_sum(counts * self.covered):
            raise CapacityError("support counts must add up to their checksum, but they do not: the transform failed")
        return total

    def _unroll(self, values: Vector) -> Vector:
        """Continue the circle on a line that is long enough for no sum to wrap around."""
        line = np.zeros(self.padded)
        line[: self.length] = values
        line[self.length : self.length + self.size - 1] = values[: self.size - 1]
        return line

    def _digits(self, counts: Counts) -> Iterator[tuple[int, Vector]]:
        """Split counts into pieces (shift, digits) small enough for the error bound; most often one piece."""
        unit = STAGE_ERROR * math.log2(self.padded) * math.sqrt(2 * len(self.positions))
        values = counts.astype(np.float64)
        if unit * math.sqrt(float(values @ values)) < ROUNDING_LIMIT:
            yield 0, values
            return
        width = math.floor(math.log2(ROUNDING_LIMIT / (unit * math.sqrt(np.count_nonzero(counts)))))
        if width < 1:
            raise CapacityError(f"a circle must be short enough to decode exactly, got length={self.length}")
        for shift in range(0, int(counts.max()).bit_length(), width):
            yield shift, ((counts >> shift) & ((1 << width) - 1)).astype(np.float64)

    def _rounded(self, digit: Vector) -> Counts:
        """Gather and round; a residue beyond the bound (or NaN) means that the bound was broken."""
        values = self.gather(digit)
        whole = np.rint(values)
        residue = float(np.max(np.abs(values - whole)))
        if not residue < ROUNDING_LIMIT:
            raise CapacityError(
                f"support counts must be within {ROUNDING_LIMIT} of integers, got residue={residue:.3g}"
            )
        return whole.astype(np.int64)


def support_counts(counts: Counts, positions: Positions, size: int) -> Counts:
    """Exact f[x] = sum over delta in D of counts[(x + delta) mod K] for x < size; K = len(counts).

    Example:
        >>> support_counts(np.array([1, 0, 0, 0, 0, 0, 2]), np.array([1, 2, 4], np.int32), 5)
        array([0, 0, 2, 1, 2])
    """
    return CyclicTransform.of(len(counts), positions, size).support_counts(counts)


def _covered(length: int, positions: Positions, size: int) -> Counts:
    """For each message y, how many x < ``size`` have y - x in the set, by running sums."""
    below = np.zeros(length, np.int64)
    below[positions] = 1
    np.cumsum(below, out=below)
    covered = below - np.roll(below, size)
    covered[:size] += len(positions)
    return covered


def _wrapped_sum(values: Counts) -> int:
    """The sum modulo 2^64: good for a checksum of any size, since both sides wrap in the same way."""
    return int(values.view(np.uint64).sum(dtype=np.uint64))
