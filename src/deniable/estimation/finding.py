"""What a result says of a question that was put to it: numbers and the sentence that tells them, or a test."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any

from deniable.estimation.table import Table, paragraph_html
from deniable.protocol.say import Phrase, Statement, english


class Finding(ABC):
    """A frozen dataclass of a few numbers. Printed, and in a notebook, it is a sentence."""

    __slots__ = ()

    @property
    @abstractmethod
    def statement(self) -> Statement:
        """What the numbers say."""

    @property
    def sentence(self) -> str:
        """The statement in English."""
        return english(self.statement)

    def to_dict(self) -> dict[str, Any]:
        """The numbers by name, and the sentence, as plain values; labels are as they were given."""
        finding: Any = self
        return {**{each.name: getattr(finding, each.name) for each in fields(finding)}, "sentence": self.sentence}

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return paragraph_html(self.sentence)


@dataclass(frozen=True, slots=True)
class Significance:
    """A test of ``hypothesis``: a small ``p_value`` speaks against it."""

    hypothesis: str
    method: Phrase
    p_value: float
    statistic: float | None = None
    df: int | None = None

    @property
    def how(self) -> str:
        """How it was tested, in words."""
        method, degrees = english(self.method), "degree" if self.df == 1 else "degrees"
        return method if self.df is None else f"{method}, {self.statistic:.3g} on {self.df} {degrees} of freedom"

    def __str__(self) -> str:
        return f"test of whether {self.hypothesis}: p = {self.p_value:.3g} ({self.how})"

    def _repr_html_(self) -> str:
        row = (self.hypothesis, f"{self.p_value:.3g}", self.how)
        return Table("A test", ("test of whether", "p", "how"), [row])._repr_html_()
