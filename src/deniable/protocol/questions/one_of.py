"""A question with one answer among labels, of which some may need more protection than others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..checks import is_int, shown
from ..errors import DomainError, ParameterError
from ..fields import check_question_name, check_words
from ..labels import label_from_json, write_label
from ..privacy.context import Blocks, HighLow
from ..privacy.guarantees import LDP, Guarantee
from ..privacy.informed import InformationPrivacy
from ..python_values import checked_list
from ..say import Statement
from ..values import LABELS, Domain
from .only_if import OnlyIf, branch_from_json
from .question import AsItIs, Question, QuestionWords, about

MOST_LABELS = 1 << 16
YES, NO = "yes", "no"


@dataclass(frozen=True, init=False, repr=False)
class OneOf(Question):
    """A question with one answer among ``labels``.

    ``sensitive`` names the labels to protect (HighLow), ``blocks`` groups within which answers must not be told apart
    (Blocks), ``prior`` is how people are known to answer (InformationPrivacy); at most one of them, and plain LDP
    without any. ``no_answer`` is the label of those who do not want to say; without one the question cannot be skipped.
    ``only_if`` names an earlier question and some of its labels: nobody else is asked.

    >>> way = OneOf("way", ["car", "bus", "bike", "foot"], wording="How do you come to work?")
    >>> way, way.guarantee(1.0)
    (OneOf('way', 4 labels), LDP(epsilon=1.0))
    """

    kind: ClassVar[str] = "one_of"
    can_branch: ClassVar[bool] = True
    name: str
    labels: Domain
    sensitive: tuple[Hashable, ...] | None
    blocks: tuple[tuple[Hashable, ...], ...] | None
    prior: tuple[float, ...] | None
    wording: str
    no_answer: Hashable
    only_if: OnlyIf | None

    def __init__(
        self,
        name: str,
        labels: Any,
        sensitive: Iterable[Hashable] | None = None,
        blocks: Iterable[Iterable[Hashable]] | None = None,
        prior: Iterable[float] | None = None,
        wording: str = "",
        no_answer: Hashable = None,
        only_if: Any = None,
    ) -> None:
        known = check_question_name(name)
        with about(known):
            domain = read_labels(labels)
            if sum(given is not None for given in (sensitive, blocks, prior)) > 1:
                raise ParameterError(Statement("one_protection"))
            if no_answer is not None and no_answer not in domain:
                raise ParameterError(f"no_answer must be one of the labels, got {shown(no_answer)}; add it to them")
            self._settle(
                name=known,
                labels=domain,
                sensitive=None if sensitive is None else _with_silence(domain, sensitive, no_answer),
                blocks=None if blocks is None else Blocks(blocks, 1.0, domain).blocks,
                prior=None if prior is None else InformationPrivacy(domain, prior, 1.0).prior,
                wording=check_words("wording", wording),
                no_answer=no_answer,
                only_if=None if only_if is None else OnlyIf.of(only_if),
            )

    @property
    def values(self) -> Domain:
        return self.labels

    @property
    def plain_encoder(self) -> Label:
        return Label()

    @property
    def words(self) -> QuestionWords:
        return QuestionWords(self.wording, tuple(self.labels))

    @property
    def choices(self) -> Domain:
        return self.labels

    @property
    def pair_labels(self) -> Domain:
        return self.labels

    @property
    def skip_answer(self) -> Hashable:
        return self.no_answer

    def check(self, answer: Any) -> None:
        if answer not in self.labels:
            raise self._refused("one of its labels", answer, self.labels.near_miss_note([answer]))

    def guarantee(self, epsilon: float) -> Guarantee:
        """HighLow, Blocks or InformationPrivacy where the author asks for it, otherwise LDP."""
        if self.sensitive is not None:
            return HighLow(self.labels, self.sensitive, epsilon)
        if self.blocks is not None:
            return Blocks(self.blocks, epsilon, self.labels)
        if self.prior is not None:
            return InformationPrivacy(self.labels, self.prior, epsilon)
        return LDP(epsilon)

    def is_kept_by(self, promised: Guarantee) -> bool:
        return promised.protects(self.guarantee(1.0))

    def to_json(self) -> dict[str, Any]:
        blocks = None if self.blocks is None else [list(map(write_label, block)) for block in self.blocks]
        return {
            **super().to_json(),
            "labels": self.labels.to_json(),
            "sensitive": None if self.sensitive is None else list(map(write_label, self.sensitive)),
            "blocks": blocks,
            "prior": None if self.prior is None else list(self.prior),
            "no_answer": None if self.no_answer is None else write_label(self.no_answer),
        }

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> OneOf:
        sensitive, blocks, no_answer = written["sensitive"], written["blocks"], written["no_answer"]
        return cls(
            written["name"],
            Domain.from_json(written["labels"]),
            None if sensitive is None else list(map(label_from_json, sensitive)),
            None if blocks is None else [list(map(label_from_json, block)) for block in blocks],
            written["prior"],
            written["wording"],
            None if no_answer is None else label_from_json(no_answer),
            branch_from_json(written),
        )

    def __repr__(self) -> str:
        return f"OneOf({self.name!r}, {self.labels!r})"


@dataclass(frozen=True)
class Label(AsItIs):
    """Reports the answer itself, one of the labels."""

    kind: ClassVar[str] = "label"

    def check(self, questions: Sequence[Question], values: Any) -> None:
        self._same(self._only(questions, OneOf).labels, values)


def read_labels(labels: Any) -> Domain:
    """The labels of a question, of which people are shown all: not too many."""
    is_known = isinstance(labels, Domain) or is_int(labels)
    domain = Domain.of(labels if is_known else checked_list("labels", labels, LABELS, DomainError))
    if len(domain) > MOST_LABELS:
        raise ParameterError(Statement("labels_at_most", most=str(MOST_LABELS), got=str(len(domain))))
    return domain


def _with_silence(labels: Domain, sensitive: Iterable[Hashable], no_answer: Hashable) -> tuple[Hashable, ...]:
    """The sensitive labels; not to answer is as sensitive as they are."""
    protected = HighLow(labels, sensitive, 1.0).sensitive
    if no_answer is None or no_answer in protected:
        return protected
    return HighLow(labels, [*protected, no_answer], 1.0).sensitive
