"""Type aliases for arrays, named after what the arrays hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:  # only what weighs thousands of labels loads it
    from scipy.sparse import csr_array

Vector: TypeAlias = npt.NDArray[np.float64]
"""A row of numbers, mostly one per label."""
Matrix: TypeAlias = npt.NDArray[np.float64]
"""Rows and columns of numbers, such as a channel [inputs, outputs]."""
Sparse: TypeAlias = "csr_array[Any, tuple[int, int]]"
"""A matrix of numbers that keeps those that are not 0."""
Stack: TypeAlias = npt.NDArray[np.float64]
"""Matrices one above the other, such as a covariance for each of many simulated surveys."""
Exact: TypeAlias = npt.NDArray[np.object_]
"""Fractions, such as an exact channel [inputs, outputs]."""
Counts: TypeAlias = npt.NDArray[np.int64]
"""Whole numbers of reports or people, as in a tally."""
Indices: TypeAlias = npt.NDArray[np.int64]
"""Indices of labels in a domain, lists as rows of their bits, or 64-bit hash bases of texts."""
Positions: TypeAlias = npt.NDArray[np.int32]
"""Points on a circle, or residues."""
Flags: TypeAlias = npt.NDArray[np.bool_]
"""True or False for each entry."""
Column: TypeAlias = npt.NDArray[Any]
"""A column of reports: one unsigned integer or one row of bytes per report."""
Integers: TypeAlias = npt.NDArray[np.uint8 | np.uint16 | np.uint32]
"""Reports that are one integer each."""
Packed: TypeAlias = npt.NDArray[np.uint8]
"""Rows of bytes that hold one bit per symbol, the lowest bit first."""
Words: TypeAlias = npt.NDArray[np.uint64]
"""Unsigned 64-bit integers: random words, hash bases, weights."""
Symbols: TypeAlias = npt.NDArray[np.uint16]
"""The symbols that texts are hashed to, per cohort."""
