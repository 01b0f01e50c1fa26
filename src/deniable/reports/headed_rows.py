"""Rows of bytes that begin with a number: two bytes, little-endian, before packed bits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Indices
from deniable.kernels.counts import HEAD
from deniable.reports.packed_layout import PackedLayout


class HeadedRows(ABC):
    """What layouts share whose reports are such rows: how columns are held, read and handed on."""

    __slots__ = ()

    @property
    @abstractmethod
    def width(self) -> int:
        """Bytes per report."""

    @property
    def _rows(self) -> PackedLayout:
        """The whole report as bytes, whose bits are checked apart."""
        return PackedLayout(8 * self.width)

    @property
    def wanted(self) -> str:
        """What one report must be, for errors."""
        return self._rows.wanted

    def empty(self, n: int) -> Column:
        """Room for so many reports."""
        return self._rows.empty(n)

    @staticmethod
    def heads(reports: Column) -> Indices:
        """The number that each report begins with."""
        return reports[:, 0].astype(np.int64) | reports[:, 1].astype(np.int64) << 8

    def join(self, heads: npt.NDArray[np.integer[Any]], bits: Column) -> Column:
        """Reports from numbers and rows of packed bits; what these leave of a report's room is 0."""
        out = np.zeros((len(heads), self.width), np.uint8)
        out[:, 0], out[:, 1], out[:, HEAD : HEAD + bits.shape[1]] = heads & 0xFF, heads >> 8, bits
        return out

    def single(self, column: Column) -> bytes:
        """The one report of a column of one."""
        return self._rows.single(column)
