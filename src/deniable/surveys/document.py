"""The document of a survey as the library holds it: its parts draw columns, and its promise is also a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from deniable.estimation.table import Table
from deniable.mechanisms.registry import from_spec
from deniable.protocol.errors import FormatError
from deniable.protocol.questions.question import Encoder, Question
from deniable.protocol.surveys import document, promise
from deniable.reports.spec import parse
from deniable.surveys.arms import Arm, Part


@dataclass(frozen=True)
class Promise(promise.Promise):
    """The promise of a survey, whichever arm a device draws: that of the dearest.

    >>> import deniable as dn
    >>> late = dn.OneOf("late", ["yes", "no"])
    >>> survey = dn.Survey("commute", [late], [dn.Arm(dn.Part(late, dn.RandomizedResponse(["yes", "no"], 1.0)))])
    >>> print(survey.promise)
    Whatever is sent is at most 2.72 times likelier from one person than from another (1-LDP).
    """

    def table(self) -> Table:
        """A row for each question."""
        rows = [(name, " and ".join(map(str, self.about(name)))) for name in self.questions]
        return Table("Promise", ("question", "promised about it alone"), rows, [str(self)])

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


class Document(document.Document[Part]):
    """A survey's name, questions, arms and terms. It cannot be changed: a changed document is another survey."""

    arms: tuple[Arm, ...]
    _arm = Arm

    @classmethod
    def _part(cls, questions: Sequence[Question], encoder: Encoder, spec: Any) -> Part:
        return Part(questions, from_spec(spec), encoder)

    @cached_property
    def promise(self) -> Promise:
        """What the survey promises to each person, which follows from the arms."""
        return Promise.of(self.by_name, self.arms, self.repeat == document.REMEMBERED)

    @property
    def document(self) -> bytes:
        """The document as canonical JSON bytes."""
        return self.to_json().encode()

    @classmethod
    def from_stored(cls, stored: bytes) -> Self:
        """The survey of a stored document, which is canonical to the byte."""
        survey = cls.from_json(parse(stored))
        if survey.document != stored:
            raise FormatError("a survey must be in canonical form where it is stored, got it written in another way")
        return survey
