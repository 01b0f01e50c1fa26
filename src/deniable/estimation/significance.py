"""The result of a test: a statistic, and how often chance alone would make it as large."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Significance:
    """A test of ``hypothesis``: a small ``p_value`` speaks against it."""

    hypothesis: str
    method: str
    p_value: float
    statistic: float | None = None
    df: int | None = None

    def __str__(self) -> str:
        degrees = "degree" if self.df == 1 else "degrees"
        how = (
            self.method if self.df is None else f"{self.method}, {self.statistic:.3g} on {self.df} {degrees} of freedom"
        )
        return f"{self.hypothesis}: p = {self.p_value:.3g} ({how})"
