"""The few names of Numba that the kernels use, typed so that a compiled function keeps its signature."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import types as types

_P = ParamSpec("_P")
_R = TypeVar("_R")

__version__: str

def njit(
    *, cache: bool = ..., nogil: bool = ..., fastmath: bool | set[str] = ...
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]: ...
