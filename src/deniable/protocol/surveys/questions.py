"""What a survey asks: one label, a list of labels, an answer in one's own words, or a number."""

from __future__ import annotations

from typing import Any

from ..canonical import Spec
from ..checks import check_int, check_prior, is_unicode
from ..errors import FormatError, ParameterError
from ..labels import read_label, write_label
from ..privacy.context import Blocks, HighLow
from ..privacy.guarantees import LDP, Guarantee
from ..privacy.informed import InformationPrivacy
from ..values import Domain, Lists
from .numbers import Number
from .question import Question

MOST_LABELS = 1 << 16
LONGEST = 1024
"""The most characters of a text that can be found."""
END = "\uffff"
"""Marks the end of a text that is shorter than the prefix asked for; no text may hold it."""


class OneOf(Question):
    """A question with one answer among labels, of which some may need more protection than others."""

    kind = "one_of"

    def __init__(self, written: Spec) -> None:
        super().__init__(written)
        self.labels = _labels(written["labels"])
        given = [written[field] for field in ("sensitive", "blocks", "prior")]
        if sum(field is not None for field in given) > 1:
            raise ParameterError("at most one of sensitive, blocks and prior must be given, got more")
        sensitive, blocks, prior = given
        self.sensitive = None if sensitive is None else HighLow(self.labels, _listed(sensitive), 1.0).sensitive
        self.blocks = None if blocks is None else Blocks([_listed(block) for block in blocks], 1.0, self.labels).blocks
        self.prior = None if prior is None else check_prior(prior, len(self.labels))
        self._read_silence(written["no_answer"])

    def _read_silence(self, written: Any) -> None:
        """Not to answer is a label, and as sensitive as any."""
        if written is None:
            return
        self.skipped = read_label(written)
        if self.skipped not in self.labels or (self.sensitive is not None and self.skipped not in self.sensitive):
            raise ParameterError(
                "no_answer must be one of the labels, and of sensitive ones where some are, got another"
            )

    def check(self, answer: Any) -> None:
        """One of the labels."""
        if answer not in self.labels:
            raise self._refuse("one of its labels")

    def guarantee(self) -> Guarantee:
        """HighLow, Blocks or InformationPrivacy where the author asks for it, otherwise LDP."""
        if self.sensitive is not None:
            return HighLow(self.labels, self.sensitive, 1.0)
        if self.blocks is not None:
            return Blocks(self.blocks, 1.0, self.labels)
        return LDP(1.0) if self.prior is None else InformationPrivacy(self.labels, self.prior, 1.0)

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {
            **super().to_json(),
            "labels": self.labels.to_json(),
            "sensitive": None if self.sensitive is None else self._written(self.sensitive),
            "blocks": None if self.blocks is None else [self._written(block) for block in self.blocks],
            "prior": None if self.prior is None else list(self.prior),
            "no_answer": None if self.skipped is None else write_label(self.skipped),
        }

    def _written(self, labels: tuple[Any, ...]) -> list[Any]:
        return list(map(write_label, labels))


class AnyOf(Question):
    """A checklist: the answer is a list of some, all or none of the labels, of at most ``most``."""

    kind = "any_of"

    def __init__(self, written: Spec) -> None:
        super().__init__(written)
        self.labels = _labels(written["labels"])
        self.lists = Lists(self.labels)
        most = written["most"]
        self.most: int | None = None if most is None else check_int("most", most, 1, len(self.labels))

    def check(self, answer: Any) -> None:
        """A list of distinct labels."""
        if answer not in self.lists:
            raise self._refuse("a list of distinct labels of its own")
        if self.most is not None and len(answer) > self.most:
            raise self._refuse(f"a list of at most {self.most} labels")

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {**super().to_json(), "labels": self.labels.to_json(), "most": self.most}


class Text(Question):
    """A question answered in one's own words; frequent answers of up to ``longest`` characters are discovered."""

    kind = "text"

    def __init__(self, written: Spec) -> None:
        super().__init__(written)
        longest = written["longest"]
        self.longest: int | None = None if longest is None else check_int("longest", longest, 1, LONGEST)

    def check(self, answer: Any) -> None:
        """Text in Unicode without the mark of an end."""
        if not isinstance(answer, str) or END in answer or not is_unicode(answer):
            raise self._refuse("text in Unicode without U+FFFF")

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {**super().to_json(), "longest": self.longest}


KINDS: dict[str, type[Question]] = {kind.kind: kind for kind in (OneOf, AnyOf, Text, Number)}


def read_question(written: Any) -> Question:
    """The question that a document holds."""
    kind = KINDS.get(str(written.get("kind"))) if isinstance(written, dict) else None
    if kind is None:
        raise FormatError(f"a question must be of kind {', '.join(KINDS)}, got another")
    return kind(written)


def _listed(written: Any) -> list[Any]:
    return list(map(read_label, written))


def _labels(written: Any) -> Domain:
    labels = Domain.from_json(written)
    if len(labels) > MOST_LABELS:
        raise ParameterError(f"labels must be at most {MOST_LABELS}, got {len(labels)}")
    return labels
