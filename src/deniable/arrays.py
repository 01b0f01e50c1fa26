"""The arrays that the whole package speaks of, by what they hold."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float64]
"""One number for each of something, mostly labels."""
Matrix: TypeAlias = npt.NDArray[np.float64]
"""Rows and columns of numbers, such as a channel [inputs, outputs]."""
Exact: TypeAlias = npt.NDArray[np.object_]
"""Fractions, such as an exact channel [inputs, outputs]."""
Counts: TypeAlias = npt.NDArray[np.int64]
"""How many: what a tally holds."""
Indices: TypeAlias = npt.NDArray[np.int64]
"""Which ones: places in a domain, or the bases of texts."""
Positions: TypeAlias = npt.NDArray[np.int32]
"""Points on a circle, or residues."""
Flags: TypeAlias = npt.NDArray[np.bool_]
"""Yes or no for each."""
Column: TypeAlias = npt.NDArray[Any]
"""Reports: one unsigned integer each, or rows of bytes."""
Integers: TypeAlias = npt.NDArray[np.uint8 | np.uint16 | np.uint32]
"""Reports that are one integer each."""
Packed: TypeAlias = npt.NDArray[np.uint8]
"""Rows of bytes that hold bits, the lowest first."""
Words: TypeAlias = npt.NDArray[np.uint64]
"""Unsigned 64-bit integers: randomness, bases, weights."""
Symbols: TypeAlias = npt.NDArray[np.uint16]
"""The symbols of strings in cohorts."""
