"""A compiled function, as far as we count what was compiled of it."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

class _Stats(NamedTuple):
    cache_path: str | None
    cache_hits: Counter[Any]
    cache_misses: Counter[Any]

class Dispatcher:
    py_func: Callable[..., Any]
    stats: _Stats
