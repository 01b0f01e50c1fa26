"""Checklists, whose answers are lists of labels."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from deniable.pages.kinds.page_kind import PageKind, spread
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.question import Question


class AnyOfPage(PageKind[AnyOf]):
    """Any number of labels is the answer."""

    caution = "People chose as many answers as they liked, so shares do not add up to 100."

    def example(self, question: AnyOf) -> list[str]:
        """The first label alone."""
        return [str(question.labels[0])]

    def made_up(self, question: AnyOf, first: float, rng: np.random.Generator) -> Sequence[list[Hashable]]:
        """A list each, which holds every label by itself as often as its share says."""
        shares = first / np.arange(1.0, len(question.labels) + 1)
        held = np.column_stack([rng.permutation(spread(share)) for share in shares])
        return [[label for label, has in zip(question.labels, row, strict=True) if has] for row in held]

    def compares_with(self, question: AnyOf, other: Question) -> bool:
        """The labels are the same."""
        return bool(other.values == question.values)
