"""The questions of a survey as its label lists them, with the answers that only some of its promise protects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deniable.estimation.table import printable
from deniable.protocol.privacy.context import Blocks, HighLow
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Language
from deniable.surveys.document import Document


class Asked(NamedTuple):
    """A question, what the label's sentences call it if that is something else, and what is said of which answers."""

    wording: str
    name: str
    parts: tuple[tuple[str, str], ...]


def asked_of(document: Document, say: Language) -> tuple[Asked, ...]:
    """All questions, in their order."""
    return tuple(_asked(document, each, say) for each in document.questions)


def _asked(document: Document, question: Question, say: Language) -> Asked:
    name, parts = question.name if question.wording else "", tuple(dict.fromkeys(_parts(document, question, say)))
    return Asked(question.wording or question.name, name, parts)


def _parts(document: Document, question: Question, say: Language) -> Iterator[tuple[str, str]]:
    """What the mechanisms leave open of a question's answers."""
    for part in (part for arm in document.arms for part in arm.parts if part.names == (question.name,)):
        guarantee = part.mechanism.guarantee
        if isinstance(guarantee, HighLow):
            yield say("only_these"), ", ".join(map(printable, guarantee.sensitive))
        elif isinstance(guarantee, Blocks):
            yield say("groups"), "; ".join(", ".join(map(printable, block)) for block in guarantee.blocks)
