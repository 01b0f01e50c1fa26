"""The log-likelihood of all rows as a function of the coefficients, with its slopes and its curvature.

Rows are read in blocks that stay in a processor's cache, on all processors: one reading costs rows times columns
squared, and nothing of the size of all rows is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Matrix, Stack, Vector
from deniable.estimation.models.report_rows import PatternRows
from deniable.estimation.models.responses import LabelResponse, Response, RowTerms
from deniable.kernels.threads import processors, share

BLOCK = 2048
ALONE = 1 << 18
"""Products of so many terms at most are left to the thread that asks for them by BLAS, whose own threads would wait for
each other in every block."""


class SurfacePoint(NamedTuple):
    """The log-likelihood at some coefficients, its slopes and the information."""

    log_likelihood: float
    slopes: Vector
    information: Matrix


Piece = Callable[[slice], "tuple[float, Vector, Matrix]"]


@dataclass(frozen=True, eq=False)
class Surface:
    """The log-likelihood of ``rows`` as a function of the coefficients ``theta``.

    These are row after row of those on covariates, then unconstrained numbers for the offsets.
    """

    response: Response
    rows: PatternRows

    @cached_property
    def size(self) -> int:
        """How many coefficients there are."""
        return int(self.response.on_covariates.shape[1] * self.rows.x.shape[1] + self.response.on_offsets.shape[1])

    def part(self, every: int) -> Surface:
        """The surface of every so manieth row."""
        rows = self.rows
        places = np.arange(0, len(rows), every)
        outcome = None if rows.outcome is None else rows.outcome[places]
        part = PatternRows(rows.x[places], rows.reports.only(places), outcome, rows.weights[places], places)
        return Surface(self.response, part)

    @cached_property
    def _slices(self) -> list[list[slice]]:
        blocks = [slice(start, start + BLOCK) for start in range(0, len(self.rows), BLOCK)]
        shares = min(processors(), len(blocks))
        return [blocks[part::shares] for part in range(shares)]

    def parts(self, theta: Vector) -> tuple[Matrix, Vector]:
        """Rows of coefficients [rows, columns], and the unconstrained numbers."""
        offsets = self.response.on_offsets.shape[1]
        end = len(theta) - offsets
        rows = self.response.on_covariates.shape[1]
        return theta[:end].reshape(rows, self.rows.x.shape[1]), theta[end:]

    def predictors(self, theta: Vector, block: slice = slice(None)) -> Matrix:
        """The linear predictors of rows."""
        on_x, unconstrained = self.parts(theta)
        eta = (self.rows.x[block] @ on_x.T) @ self.response.on_covariates.T
        if len(unconstrained):
            eta = eta + self.response.on_offsets @ self.response.offsets_with_derivatives(unconstrained)[0]
        return np.asarray(eta, np.float64)

    def terms(self, theta: Vector, block: slice = slice(None)) -> RowTerms:
        """What rows say."""
        return self.response.terms(self.predictors(theta, block), *self._given(block))

    def _given(self, block: slice) -> tuple[Matrix, Vector | None]:
        """The chances of rows' reports, and their open outcomes."""
        outcome = self.rows.outcome
        return self.rows.reports.chances[self.rows.reports.places[block]], None if outcome is None else outcome[block]

    # --- sums over rows

    def slopes(self, theta: Vector) -> SurfacePoint:
        """The log-likelihood and its slopes, without the information."""

        def read(block: slice) -> tuple[float, Vector, Matrix]:
            terms = self.terms(theta, block)
            return self._log_of(terms, block), self._slopes_of(terms.slopes, block), np.zeros((0, 0))

        return self._point_in_unconstrained(theta, self._summed(read))

    def observed(self, theta: Vector) -> SurfacePoint:
        """The log-likelihood and its slopes, with the observed information."""

        def read(block: slice) -> tuple[float, Vector, Matrix]:
            terms = self.terms(theta, block)
            curvature = self._curvature(terms.information, block)
            return self._log_of(terms, block), self._slopes_of(terms.slopes, block), curvature

        return self._point_in_unconstrained(theta, self._summed(read))

    def complete(self, theta: Vector) -> Matrix:
        """The information as if labels were known."""
        return self._information(theta, lambda eta, block: self.response.complete(eta, *self._given(block)))

    @property
    def expects(self) -> bool:
        """Whether the expected information can be worked out."""
        listed = all(channel is not None for channel in self.rows.reports.channels)
        return isinstance(self.response, LabelResponse) and listed

    def expected(self, theta: Vector) -> Matrix:
        """The expected information, over the reports that could have been sent."""
        response, reports = self.response, self.rows.reports
        assert isinstance(response, LabelResponse)

        def read(eta: Matrix, block: slice) -> Stack:
            information, ways = np.zeros((len(eta), eta.shape[1], eta.shape[1])), reports.ways[block]
            for way, channel in enumerate(reports.channels):
                asked = slice(None) if len(reports.channels) == 1 else ways == way
                assert channel is not None
                information[asked] = response.expected(eta[asked], channel)
            return information

        return self._information(theta, read)

    def scores(self, theta: Vector) -> Matrix:
        """What each row adds to the slopes, for a weight of 1."""
        slopes, x, response = self.terms(theta).slopes, self.rows.x, self.response
        on_x = (slopes @ response.on_covariates)[:, :, None] * x[:, None, :]
        by_offset = slopes @ response.on_offsets @ response.offsets_with_derivatives(self.parts(theta)[1])[1]
        return np.column_stack([on_x.reshape(len(x), on_x.shape[1] * on_x.shape[2]), by_offset])

    def _information(self, theta: Vector, weigh: Callable[[Matrix, slice], Stack]) -> Matrix:
        """Information about coefficients, from what ``weigh`` gives of each row's predictors."""

        def read(block: slice) -> tuple[float, Vector, Matrix]:
            return 0.0, np.zeros(0), self._curvature(weigh(self.predictors(theta, block), block), block)

        return self._in_unconstrained(theta, self._summed(read).information)

    def _log_of(self, terms: RowTerms, block: slice) -> float:
        return float(self.rows.weights[block] @ terms.log)

    def _slopes_of(self, slopes: Matrix, block: slice) -> Vector:
        weighed = slopes * self.rows.weights[block, None]
        on_x = (weighed @ self.response.on_covariates).T @ self.rows.x[block]
        return np.append(on_x.ravel(), (weighed @ self.response.on_offsets).sum(axis=0))

    def _curvature(self, information: Stack, block: slice) -> Matrix:
        """Information about coefficients from that about predictors."""
        x, (on, offsets) = self.rows.x[block], (self.response.on_covariates, self.response.on_offsets)
        weighed = information * self.rows.weights[block, None, None]
        if self.response.predictors == 1:
            return crossed_sums(x * weighed[:, 0], x)
        p, rows, numbers = x.shape[1], on.shape[1], offsets.shape[1]
        total = np.zeros((rows * p + numbers, rows * p + numbers))
        both = np.einsum("ja,njk,kb->nab", on, weighed, on)
        for a in range(rows):
            for b in range(a, rows):
                part = crossed_sums(x * both[:, a, b, None], x)
                total[a * p : (a + 1) * p, b * p : (b + 1) * p] = part
                total[b * p : (b + 1) * p, a * p : (a + 1) * p] = part.T
        if numbers:
            beside = np.einsum("ja,njk,kb->nab", on, weighed, offsets)
            mixed = np.einsum("nab,np->apb", beside, x).reshape(rows * p, numbers)
            total[: rows * p, rows * p :], total[rows * p :, : rows * p] = mixed, mixed.T
            total[rows * p :, rows * p :] = offsets.T @ weighed.sum(axis=0) @ offsets
        return total

    def _summed(self, read: Piece) -> SurfacePoint:
        """The sums over all blocks of what is read of each, on all processors."""

        def all_of(blocks: list[slice]) -> tuple[float, Vector, Matrix]:
            log, slopes, information = read(blocks[0])
            for block in blocks[1:]:
                piece = read(block)
                log += piece[0]
                slopes += piece[1]
                information += piece[2]
            return log, slopes, information

        return SurfacePoint(*(sum(each[1:], each[0]) for each in zip(*share(all_of, self._slices), strict=True)))

    def _point_in_unconstrained(self, theta: Vector, point: SurfacePoint) -> SurfacePoint:
        """Slopes and information by the numbers that may be anything."""
        _, unconstrained = self.parts(theta)
        if not len(unconstrained):
            return point
        _, first, second = self.response.offsets_with_derivatives(unconstrained)
        end = len(theta) - len(unconstrained)
        slopes = np.append(point.slopes[:end], point.slopes[end:] @ first)
        information = self._in_unconstrained(theta, point.information)
        if information.size:
            information[end:, end:] -= np.diag(point.slopes[end:] @ second)
        return SurfacePoint(point.log_likelihood, slopes, information)

    def _in_unconstrained(self, theta: Vector, information: Matrix) -> Matrix:
        """Information by the unconstrained numbers from that by the offsets."""
        _, unconstrained = self.parts(theta)
        if not len(unconstrained) or not information.size:
            return information
        jacobian = self.jacobian(theta)
        return np.asarray(jacobian.T @ information @ jacobian, np.float64)

    def jacobian(self, theta: Vector) -> Matrix:
        """The derivatives of what is shown by the unconstrained coefficients."""
        unconstrained = self.parts(theta)[1]
        matrix, end = np.eye(len(theta)), len(theta) - len(unconstrained)
        matrix[end:, end:] = self.response.offsets_with_derivatives(unconstrained)[1]
        return matrix

    def shown(self, theta: Vector) -> Vector:
        """The coefficients as they are shown: offsets in the place of the unconstrained numbers."""
        unconstrained = self.parts(theta)[1]
        end = len(theta) - len(unconstrained)
        return np.append(theta[:end], self.response.offsets_with_derivatives(unconstrained)[0])


def crossed_sums(left: Matrix, right: Matrix) -> Matrix:
    """Sums over rows of products of their columns, of so few rows at once that BLAS starts no threads of its own."""
    columns = right.shape[1]
    step = max(ALONE // max(columns, 1) ** 2, 1)
    if step >= len(right) or step < columns:
        return np.asarray(left.T @ right, np.float64)
    whole = len(right) - len(right) % step
    parts = [each[:whole].reshape(-1, step, columns) for each in (left, right)]
    sums = np.matmul(parts[0].transpose(0, 2, 1), parts[1]).sum(axis=0)
    return np.asarray(sums + left[whole:].T @ right[whole:], np.float64)
