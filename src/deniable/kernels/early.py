"""A kernel's first calls: small ones run as plain Python, so that a first report need not wait for the compiler.

The text is the same, and so are the integers (see ``compiled.py``). A kernel is compiled once a call is large, or once
its calls have taken as long in Python as compiling might; code that was kept from before is used at once. While one
kernel runs as Python, so do those that it calls: values of both kinds are never mixed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np
from numba.core.registry import cpu_target
from numba.core.types.functions import Dispatcher
from numba.extending import intrinsic

SPARSE, SMALL, TINY = 1 << 15, 1 << 13, 1 << 11
"""The most numbers in the arrays of a call that plain Python takes: where many are never looked at, where each is a few
times, and where more often."""
PATIENCE = 0.25
"""Seconds in plain Python after which a kernel is compiled."""


class _Here(threading.local):
    """Whether this thread is within a kernel that runs as Python."""

    is_plain = False


class _All:
    """Of all threads: whether kernels may run as Python at all, and how many threads are within one that does.

    Almost always none is, and then a compiled kernel need not ask for its own thread, which takes longer.
    """

    is_early = True
    plain = 0


_HERE, _ALL, _COUNTING = _Here(), _All(), threading.Lock()


class Kernel:
    """A kernel as its callers see it, in Python and in other kernels."""

    def __init__(self, function: Callable[..., Any], dispatcher: Any, plain: Callable[..., Any], early: int) -> None:
        self.dispatcher, self._function, self._plain = dispatcher, function, plain
        self._left, self._early_size = PATIENCE, early
        self._is_compiled = False
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__wrapped__ = function

    @property
    def _numba_type_(self) -> Any:
        """What the compiler takes it for where another kernel calls it."""
        return Dispatcher(self.dispatcher)

    def __call__(self, *arguments: Any) -> Any:
        if self._is_compiled and not _ALL.plain:
            return self.dispatcher(*arguments)
        if _HERE.is_plain:
            return self._function(*arguments)
        if self._is_compiled or not self._serves(arguments):
            self._is_compiled = True
            return self.dispatcher(*arguments)
        return self._early(arguments)

    def _serves(self, arguments: tuple[Any, ...]) -> bool:
        """Whether plain Python will do for this call."""
        may = is_early() and self._early_size > 0 and self._left > 0
        if not may or self.dispatcher.overloads or _is_kept(self.dispatcher):
            return False
        return sum(each.size for each in arguments if isinstance(each, np.ndarray)) <= self._early_size

    def _early(self, arguments: tuple[Any, ...]) -> Any:
        begun = perf_counter()
        try:
            with _plainly():
                return self._plain(*arguments)
        finally:
            self._left -= perf_counter() - begun


class Instruction:
    """Machine instructions within compiled kernels, and a plain function within those that run as Python."""

    def __init__(self, emitting: Callable[..., Any], plain: Callable[..., Any]) -> None:
        self._emitted, self._plain = intrinsic(emitting), plain

    @property
    def _numba_type_(self) -> Any:
        """What the compiler takes it for: its own intrinsic."""
        return cpu_target.typing_context.resolve_value_type(self._emitted)

    def __call__(self, *arguments: Any) -> Any:
        return self._plain(*arguments)


def is_early() -> bool:
    """Whether small calls need not be compiled."""
    return _ALL.is_early


@contextmanager
def _plainly() -> Iterator[None]:
    """Within it this thread's kernels run as Python."""
    with _COUNTING:
        _ALL.plain += 1
    _HERE.is_plain = True
    try:
        yield
    finally:
        _HERE.is_plain = False
        with _COUNTING:
            _ALL.plain -= 1


@contextmanager
def compiling_at_once() -> Iterator[None]:
    """Within it every kernel is compiled when it is first called."""
    before, _ALL.is_early = _ALL.is_early, False
    try:
        yield
    finally:
        _ALL.is_early = before


def _is_kept(dispatcher: Any) -> bool:
    """Whether code of this kernel was kept by an earlier process."""
    file = getattr(dispatcher._cache, "_cache_file", None)
    return file is not None and bool(file._load_index())
