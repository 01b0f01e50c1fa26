"""The registry row of a family whose values are lists of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from deniable.mechanisms.family import Family, Sample, keeps_none
from deniable.mechanisms.mechanism import Mechanism
from deniable.values.domain import Domain


def lists_family(
    make: type[Mechanism],
    title: str,
    example: Callable[[Domain, float], Mechanism],
    samples: Iterable[Sample],
    for_lists: Callable[[Domain, float, int | None], Iterable[Mechanism]] | None = None,
    **more: Any,
) -> Family:
    """A row without a way to keep a guarantee: planners and commands ask what suits one label per person."""
    return Family(
        make=make, title=title, example=example, keeps=keeps_none, samples=tuple(samples), lists=True,
        for_lists=for_lists, **more,
    )  # fmt: skip
