"""Questions answered by a number or a date."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from deniable.pages.kinds.page_kind import CROWD, PageKind
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.question import Question


class NumberPage(PageKind[Number]):
    """A place on a scale is the answer."""

    def example(self, question: Number) -> str | float:
        """A number, or a date, in the middle of the scale."""
        shown = question.scale.shown(question.scale.steps // 2)
        return shown if question.scale.dated else json.loads(shown)

    def made_up(self, question: Number, first: float, rng: np.random.Generator) -> Sequence[str | float]:
        """Numbers, or dates, of which more lie below the middle than above it."""
        scale = question.scale
        places = np.rint(rng.beta(2, 3, CROWD) * scale.steps).astype(int).tolist()
        return [scale.shown(place) if scale.dated else float(scale.value(place)) for place in places]

    def compares_with(self, question: Number, other: Question) -> bool:
        """The scale and the unit are the same."""
        return other.values == question.scale and getattr(other, "unit", None) == question.unit
