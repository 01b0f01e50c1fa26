"""Many small cases in one test: to set up and tell of a test takes longer than hundreds of them take to run."""

from __future__ import annotations

import functools
import inspect
import reprlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def each(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], object] = reprlib.repr
) -> Callable[[Test], Test]:
    """As ``parametrize``, but all cases are tried in one test, and those that fail are told of together, by name."""
    arguments: list[str] = [names] if isinstance(names, str) else list(names)
    several, listed = not isinstance(names, str), list(cases)
    assert listed, "a test of no case proves nothing"

    def decorated(test: Test) -> Test:
        @functools.wraps(test)
        def tried(**fixtures: Any) -> None:
            failures: list[BaseException] = []
            for case in listed:
                values = case if several else (case,)
                try:
                    test(**dict(zip(arguments, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # no case is left out alone
                    error.add_note(f"case: {'-'.join(str(ids(value)) for value in values)}")
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(listed)} cases failed", failures)

        left = [each for each in inspect.signature(test).parameters.values() if each.name not in arguments]
        vars(tried)["__signature__"] = inspect.Signature(left)
        return tried

    return decorated
