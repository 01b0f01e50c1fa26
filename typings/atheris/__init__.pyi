"""What is used of Atheris, which comes without types."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

class _Setup(Protocol):
    def __call__(
        self,
        args: list[str],
        test_one_input: Callable[[bytes], None],
        *,
        custom_mutator: Callable[[bytes, int, int], bytes] | None = None,
    ) -> list[str]: ...

def instrument_imports(
    include: Sequence[str] | None = None, exclude: Sequence[str] | None = None
) -> AbstractContextManager[None]: ...

Setup: _Setup
Mutate: Callable[[bytes, int], bytes]
Fuzz: Callable[[], None]
