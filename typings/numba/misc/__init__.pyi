"""Numba's own tools, as far as kernels use them."""
