"""The document of a survey as the library holds it: its parts draw columns, and its promise is also a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

from deniable.mechanisms.registry import from_spec
from deniable.protocol.errors import FormatError
from deniable.protocol.questions.question import Encoder, Question
from deniable.protocol.surveys import document
from deniable.reports.spec import parse
from deniable.surveys.arms import Arm, Part
from deniable.surveys.promise import Promise


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
        made = cls.from_json(parse(stored))
        if made.document != stored:
            raise FormatError("a survey must be in canonical form where it is stored, got another writing of it")
        return made
