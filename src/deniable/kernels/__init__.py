"""Loops on plain arrays, written in C (``c/``); each has a slow readable twin in tests/kernels/."""

from deniable.kernels.sources import sources_digest

try:
    from deniable.kernels._kernels import SOURCES
except ModuleNotFoundError as missing:
    raise ImportError("the kernels must be compiled before use; in a checkout: pip install -e .") from missing
if sources_digest() not in {None, SOURCES}:
    raise ImportError("the compiled kernels must be of the C files beside them, but those are newer: pip install -e .")
