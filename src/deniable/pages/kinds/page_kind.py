"""The companion of a kind of question on pages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from deniable.protocol.questions.question import Question

Q = TypeVar("Q", bound=Question)
CROWD: Final = 100
"""How many made-up people there are; they are repeated as often as is needed."""
EACH: Final = (np.arange(CROWD) + 0.5) / CROWD
"""Each of them as a place between 0 and 1."""


class PageKind(ABC, Generic[Q]):
    """What pages say and show of questions of one kind. It holds nothing: the question is always given."""

    caution: ClassVar[str] = ""
    """What readers of a result must know of the kind."""

    @abstractmethod
    def example(self, question: Q) -> Any:
        """An answer as a program would give it."""

    @abstractmethod
    def made_up(self, question: Q, first: float, rng: np.random.Generator) -> Sequence[Any]:
        """A hundred people's answers: the first as frequent as asked, of the others the earlier more frequent."""

    def compares_with(self, question: Q, other: Question) -> bool:
        """Whether results of another question, of the same kind, can be set beside those of this one."""
        return False


def spread(share: float) -> NDArray[np.bool_]:
    """Who of a hundred people holds an answer of this share."""
    return share > EACH
