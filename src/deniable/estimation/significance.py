"""The result of a test: a statistic, and how often chance alone would make it as large."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.estimation.table import Table
from deniable.protocol.say import Phrase, english


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
