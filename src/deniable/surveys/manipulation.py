"""What made-up answers can do to the results of a survey: how far they move a share or a mean at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deniable.checks import check_shares
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table, Tabled
from deniable.estimation.words import rounded
from deniable.surveys.document import Document
from deniable.surveys.question_shift import QuestionShift
from deniable.surveys.questions.kinds import companion

MADE_UP: Final = 0.01
"""The share of made-up answers of which it is said what they could do."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Manipulation(Frame, Tabled):
    """What happens to each question if a ``share`` of all answers is made up, all alike, by who knows the survey.

    >>> import deniable as dn
    >>> way = dn.OneOf("way", ["car", "bus"])
    >>> survey = dn.Survey("commute", [way], [dn.Arm([dn.Part([way], dn.RandomizedResponse(["car", "bus"], 1.0))])])
    >>> print(survey.manipulation(0.01)["way"].words)
    a share moves by up to 1.6 points
    """

    share: float
    shifts: Mapping[str, QuestionShift]
    """By the name of the question."""

    def __getitem__(self, name: str) -> QuestionShift:
        return self.shifts[name]

    @property
    def about(self) -> dict[str, Any]:
        return {"made_up": self.share}

    @property
    def columns(self) -> dict[str, list[Any]]:
        shifts = self.shifts.values()
        return {
            "question": [each.name for each in shifts],
            "shift": [each.shift for each in shifts],
            "words": [each.words for each in shifts],
        }

    @property
    def named(self) -> Sequence[str]:
        return ("question",)

    def table(self) -> Table:
        rows = [(each.name, each.words) for each in self.shifts.values()]
        return Table(
            f"if {rounded(100 * self.share)} in 100 answers are made up, all alike", ("question", "result"), rows
        )

    def __repr__(self) -> str:
        return f"Manipulation(share={self.share:g}, {len(self.shifts)} questions)"


def manipulation(survey: Document, share: float) -> Manipulation:
    """How far results move at most; whoever makes answers up chooses the arm too."""
    checked = float(check_shares("share", [share], 1)[0])
    return Manipulation(checked, {each.name: companion(each).shift(each, survey, checked) for each in survey.questions})
