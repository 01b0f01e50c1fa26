"""Numba's settings, as far as kernels ask for them."""

CACHE_DIR: str
DISABLE_JIT: int
