"""A question with an ordered list of answers, from one end to the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..canonical import Spec
from ..errors import ParameterError
from ..fields import check_words
from ..say import Statement
from ..values import Domain
from .one_of import OneOf
from .only_if import branch_from_json
from .question import Question, QuestionWords, about

MOST_PLACES = 32


@dataclass(frozen=True, init=False, repr=False)
class Scale(OneOf):
    """A question with one answer among ``labels`` in their order, such as from "strongly disagree" to "strongly agree".

    There are 2 to 32 of them, all protected alike. Beside their shares the result tells the mean of their places, which
    are counted from 1. Scales in a row with one ``heading`` and the same labels are shown as a table below it.

    >>> Scale("pay", ["far too low", "too low", "fair"], wording="What do you think of your pay?")
    Scale('pay', 3 labels)
    """

    kind: ClassVar[str] = "scale"
    heading: str

    def __init__(self, name: str, labels: Any, wording: str = "", only_if: Any = None, heading: str = "") -> None:
        super().__init__(name, labels, wording=wording, only_if=only_if)
        with about(self.name):
            self._settle(heading=check_words("heading", heading))
            if len(self.labels) > MOST_PLACES:
                raise ParameterError(Statement("labels_of_a_scale_at_most", most=MOST_PLACES, got=len(self.labels)))

    def to_json(self) -> Spec:
        heading = {"heading": self.heading} if self.heading else {}
        return {**Question.to_json(self), "labels": self.labels.to_json(), **heading}

    @property
    def words(self) -> QuestionWords:
        return super().words._replace(heading=self.heading)

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> Scale:
        labels, heading = Domain.from_json(written["labels"]), written.get("heading", "")
        return cls(written["name"], labels, written["wording"], branch_from_json(written), heading)

    def __repr__(self) -> str:
        return f"Scale({self.name!r}, {self.labels!r})"
