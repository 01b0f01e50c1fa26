"""The diagonal of an inverse from its sparse factor equals that of the dense inverse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from deniable.kernels.arithmetic import inverse_diagonal


@pytest.mark.parametrize("size", [1, 2, 7, 60])
def test_it_is_the_diagonal_of_the_dense_inverse(size: int) -> None:
    """Of random matrices with few entries; their Cholesky factors fill in as any elimination does."""
    rng = np.random.default_rng(size)
    edges = np.triu(rng.random((size, size)) < 3 / size, 1) * rng.random((size, size))
    matrix = np.diag(0.1 + (edges + edges.T).sum(axis=0)) - edges - edges.T
    root = np.linalg.cholesky(matrix)
    lower = sparse.csc_array(root / np.diag(root))
    lower.sort_indices()
    found = inverse_diagonal(lower.indptr, lower.indices, lower.data, np.diag(root) ** 2)
    assert np.allclose(found, np.diag(np.linalg.inv(matrix)), rtol=1e-10)
