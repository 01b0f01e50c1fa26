"""What all questions of a survey share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ..canonical import Spec
from ..errors import LabelError
from ..privacy.guarantees import LDP, Guarantee
from .fields import check_question_name, check_words


class Question(ABC):
    """A question: its name, its words for people, and which answers it takes."""

    kind: str
    skipped: Any = None
    """The answer that stands for none; None where one must answer."""

    def __init__(self, written: Spec) -> None:
        self.name = check_question_name(written["name"])
        self.wording = check_words("wording", written["wording"])

    @abstractmethod
    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question, and never the answer, if it is not one."""

    def taken(self, answer: Any) -> Any:
        """A checked answer as encoders take it."""
        return answer

    def guarantee(self) -> Guarantee:
        """What a mechanism for the answer must promise, at a level of 1."""
        return LDP(1.0)

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {"kind": self.kind, "name": self.name, "wording": self.wording}

    def _refuse(self, wanted: str) -> LabelError:
        return LabelError(f"the answer to {self.name!r} must be {wanted}, got something else")
