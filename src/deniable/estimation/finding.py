"""What a result says of a question that was put to it: numbers, and the sentence that tells them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Any

from deniable.estimation.table import paragraph_html
from deniable.protocol.say import Statement, english


class Finding(ABC):
    """A frozen dataclass of a few numbers. Printed, and in a notebook, it is a sentence."""

    __slots__ = ()

    @property
    @abstractmethod
    def statement(self) -> Statement:
        """What the numbers say."""

    @property
    def sentence(self) -> str:
        """The same in English."""
        return english(self.statement)

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name, and the sentence, as plain values; labels are as they were given."""
        told: Any = self
        return {**{each.name: getattr(told, each.name) for each in fields(told)}, "sentence": self.sentence}

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return paragraph_html(self.sentence)
