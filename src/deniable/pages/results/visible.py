"""Results of some questions of a survey, for readers who may see no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deniable.estimation.estimate import Estimate
from deniable.protocol.errors import ParameterError
from deniable.surveys.results import Results


@dataclass(frozen=True, eq=False, repr=False)
class VisibleResults(Results):
    """The results of the questions in ``only``; the others are as if nobody had asked them."""

    only: frozenset[str] = frozenset()

    @classmethod
    def of(cls, whole: Results, only: frozenset[str]) -> VisibleResults:
        """Some questions of results, which are worked out once for all who read them."""
        made = cls(whole.document, whole.tally, whole.decoder, whole.candidates, only)
        vars(made).update(_found=whole._found)
        return made

    def __getitem__(self, name: str) -> Estimate:
        if name not in self.only:
            raise ParameterError(f"a question must be one that this reader may see, got {name!r}")
        return super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in super().__iter__() if name in self.only)

    def __len__(self) -> int:
        return sum(1 for _ in self)
