"""After which answers a question is asked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ..canonical import Spec
from ..errors import ParameterError
from ..fields import check_question_name
from ..labels import check_label, label_from_json, write_label
from ..python_values import checked_list

BRANCH = 'a question and some of its labels, such as ("used", ["yes"])'


@dataclass(frozen=True)
class OnlyIf:
    """A question is asked only after one of these ``labels`` as the answer to an earlier ``question``."""

    question: str
    labels: tuple[Hashable, ...]

    @classmethod
    def of(cls, given: Any) -> OnlyIf:
        """Read what an author writes."""
        if isinstance(given, OnlyIf):
            return given
        if isinstance(given, Mapping) and given.keys() == {"question", "is"}:
            return cls.of((given["question"], given["is"]))
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise ParameterError(f"only_if must be {BRANCH}, got {type(given).__name__}")
        labels = tuple(checked_list("the labels of only_if", given[1], "a list of labels"))
        for label in labels:
            check_label(label)
        if not labels or len(set(labels)) < len(labels):
            raise ParameterError(f"only_if must be {BRANCH}, got {'none' if not labels else 'one twice'}")
        return cls(check_question_name(given[0]), labels)

    @classmethod
    def from_json(cls, written: Any) -> OnlyIf:
        """What ``to_json`` wrote."""
        if (
            not isinstance(written, Mapping)
            or written.keys() != {"question", "is"}
            or not isinstance(written["is"], list)
        ):
            got = ", ".join(map(str, written))[:80] if isinstance(written, Mapping) else type(written).__name__
            raise ParameterError(f"only_if must have question and is, a list of labels, got {got}")
        return cls.of((written["question"], list(map(label_from_json, written["is"]))))

    def to_json(self) -> Spec:
        """As a document holds it."""
        return {"question": self.question, "is": list(map(write_label, self.labels))}

    def holds(self, answers: Mapping[str, Any]) -> bool:
        """Whether it is asked, after these answers; None stands for a question that was not."""
        return self.follows(answers[self.question])

    def follows(self, answer: Any) -> bool:
        """Whether it is asked after an answer to the earlier question."""
        return answer in self.labels


def branch_from_json(written: Mapping[str, Any]) -> OnlyIf | None:
    """After which answers a question is asked that a document holds."""
    return None if "only_if" not in written else OnlyIf.from_json(written["only_if"])


def refuse_branch(only_if: Any, kind: str) -> None:
    """Refuse a branch to a question whose answers are too many to be reported with those that lead to it."""
    if only_if is not None:
        raise ParameterError(
            f"only_if must be left out of {kind}, got one; ask it of everybody, or ask a OneOf or a Scale instead"
        )
