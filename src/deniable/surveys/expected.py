"""What to expect of one question of a survey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Expected:
    """What to expect of one question: how many of the people are asked it, and the standard error of a share.

    Of a number also that of its mean, as a part of the range, if all numbers are equally frequent and at the worst,
    and how many people tell of it; and that of the share of people below a number, if all are equally frequent, and
    the least that it could be for any reports.
    """

    people: int
    error: float
    note: str
    mean: float | None = None
    mean_worst: float | None = None
    mean_people: int | None = None
    below: float | None = None
    least_below: float | None = None
    mean_note: str = ""

    @property
    def deciding(self) -> tuple[float, ...]:
        """What a design or a number of people is chosen by: of a mean the error that no truth exceeds."""
        known = tuple(error for error in (self.mean_worst, self.below) if error is not None)
        return known or (self.error,)

    def to_dict(self) -> dict[str, Any]:
        """The people and the errors that there are."""
        names = ("mean", "mean_worst", "mean_people", "below", "least_below")
        known = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return {"people": self.people, "error": self.error, **known}
