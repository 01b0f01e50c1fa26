"""Numba's own types, as far as the kernels name them."""

from typing import Any

uint64: Any
intp: Any
void: Any
