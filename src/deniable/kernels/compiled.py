"""The decorator of every kernel: compiled by Numba without Python's lock, and kept for the next process.

Where Numba is off (``NUMBA_DISABLE_JIT=1``) the same text runs as plain Python, with the same integers and slowly.

Numba's own cache asks only whether the file of a function has changed, but kernels of other files are compiled into
it: a corrected draw would not reach the kernels that use it. Here the source of all kernel files is the cache key.
Nothing is loaded that others could have written; see cache_folder.py.

Limit: code kept for older sources is not removed; ``make clean`` does that in a checkout.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar

import numpy as np
from numba import njit
from numba.core import config, event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

from deniable.kernels.cache_folder import OURS_TO_WRITE, cache_folder, kernels_digest, private, short
from deniable.kernels.early import Instruction, Kernel
from deniable.kernels.first_use import NOTICE

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

OTHERS_READ = 0o644
event.register("numba:compile", NOTICE)


class _Place(_CacheLocator):
    """Where one kernel is kept: its files are named after its line and the digest, so that versions share no file."""

    def __init__(self, function: Callable[..., object], folder: Path, digest: str) -> None:
        self._py_file = inspect.getfile(function)
        self._line, self._folder, self._digest = function.__code__.co_firstlineno, folder, digest

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(OURS_TO_WRITE, exist_ok=True)
        if not private(self._folder):
            raise PermissionError(f"{self._folder} must be a folder that others cannot write")

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return f"{self._line}-{short(self._digest)}"


class _Results(CompileResultCacheImpl):
    """Numba's way to store compiled results, but in our folder, whatever locators Numba is configured to use."""

    def __init__(self, function: Callable[..., object], place: _Place) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = place
        name = f"{Path(inspect.getfile(function)).stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))


class _Files(IndexDataCacheFile):
    """The index and data files of one kernel; files that others could have written are never opened."""

    def _load_index(self) -> dict[Any, str]:
        index = Path(self._index_path)
        trusted = os.path.lexists(index) and private(index.parent) and private(index)
        return super()._load_index() if trusted else {}

    def _load_data(self, name: str) -> Any:
        if not private(Path(self._data_path(name))):
            raise PermissionError(f"{name} must be a file that others cannot write")  # treated as missing
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[IO[bytes]]:
        """As Numba does, under another name and then moved into place; others cannot write it, whatever the umask."""
        with super()._open_for_write(filepath) as file:
            Path(file.name).chmod(OTHERS_READ)
            yield file


class KernelCache(FunctionCache):
    """One kernel's compiled code on disk. If the disk fails, the kernel is compiled again; results never change."""

    def __init__(self, function: Callable[..., object], folder: Path, digest: str) -> None:
        self._impl_class = lambda function: _Results(function, _Place(function, folder, digest))
        super().__init__(function)
        self._cache_file = _Files(str(folder), self._impl.filename_base, digest)

    def load_overload(self, sig: object, target_context: object) -> Any:
        """The stored code for these argument types; None if there is none or it cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except OSError:
            return None

    def save_overload(self, sig: object, data: object) -> None:
        """Store the compiled code for these argument types; after a failed write, stop storing."""
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()


def _is_digested(function: Callable[..., object]) -> bool:
    """Whether the digest covers the function's text: one written elsewhere is not kept."""
    return Path(__file__).parent in Path(inspect.getfile(function)).parents


def compiled(
    *, fastmath: set[str] | None = None, early: int = 0
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """A decorator that compiles a kernel on its first call; ``fastmath`` lists the float optimizations that it permits.

    Calls with at most ``early`` numbers in their arrays run as plain Python at first; see ``early.py``.

    Example:
        >>> @compiled()
        ... def twice(number):
        ...     return 2 * number
        >>> twice(21)
        42
    """

    def decorate(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        if config.DISABLE_JIT:
            plainly: Callable[Arguments, Result] = _wrapping(function)
            return plainly
        kernel = njit(nogil=True, fastmath=fastmath or False)(function)
        folder, digest = cache_folder(), kernels_digest()
        if folder is not None and digest is not None and _is_digested(function):
            dispatcher: Any = kernel
            dispatcher._cache = KernelCache(function, folder, digest)
        seen: Any = Kernel(function, kernel, _wrapping(function), early)
        made: Callable[Arguments, Result] = seen
        return made

    return decorate


def instructions(
    plain: Callable[Arguments, Result],
) -> Callable[[Callable[..., object]], Callable[Arguments, Result]]:
    """An intrinsic of Numba, which writes machine instructions; where Numba is off, ``plain`` stands for it.

    Example:
        >>> @instructions(lambda word: word)
        ... def same(typing_context, word):
        ...     return word(word), lambda context, builder, signature, arguments: arguments[0]
        >>> compiled()(lambda word: same(word))(5)
        5
    """

    def decorate(emitting: Callable[..., object]) -> Callable[Arguments, Result]:
        written: Any = _wrapping(plain) if config.DISABLE_JIT else Instruction(emitting, _wrapping(plain))
        made: Callable[Arguments, Result] = written
        return made

    return decorate


def _wrapping(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The function as Python runs it, where words wrap at 2^64 without a warning, as the compiled ones do."""
    return np.errstate(over="ignore")(function)
