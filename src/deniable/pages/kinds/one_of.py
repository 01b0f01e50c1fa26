"""Questions with one answer among labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from deniable.pages.kinds.page_kind import EACH, PageKind
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question


class OneOfPage(PageKind[OneOf]):
    """One label is the answer."""

    def example(self, question: OneOf) -> str:
        """The first label."""
        return str(question.labels[0])

    def made_up(self, question: OneOf, first: float, rng: np.random.Generator) -> Sequence[Hashable]:
        """One label each."""
        others = 1 / np.arange(2.0, len(question.labels) + 1)
        bounds = first + (1 - first) * np.cumsum(others) / others.sum()
        places = rng.permutation(np.searchsorted([first, *bounds[:-1]], EACH, side="right"))
        return [question.labels[place] for place in places.tolist()]

    def compares_with(self, question: OneOf, other: Question) -> bool:
        """The labels are the same."""
        return list(other.choices) == list(question.labels)
