"""Numba's extension points, as far as the kernels use them."""

from collections.abc import Callable
from typing import Any

def intrinsic(emitter: Callable[..., Any]) -> Callable[..., Any]: ...
