"""The answers to a question as values of the library, which know whole columns."""

from __future__ import annotations

from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import AnyOf
from deniable.values.domain import Domain
from deniable.values.lists import Lists
from deniable.values.texts import Texts


def values_of(question: Question) -> Domain | Lists | Texts:
    """Its labels, lists of them, any text, or the places of its scale.

    >>> import deniable as dn
    >>> values_of(dn.OneOf("way", ["bus", "bike"])).indices(["bike", "bus"]).tolist()
    [1, 0]
    """
    match question:
        case OneOf():
            return Domain.of(question.labels)
        case AnyOf():
            return lists_of(question)
        case Number():
            return Domain.of(question.scale.size)
    return Texts("")


def lists_of(question: AnyOf) -> Lists:
    """The lists that answer a checklist."""
    return Lists(Domain.of(question.labels))
