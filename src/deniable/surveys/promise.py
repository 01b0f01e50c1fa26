"""What a survey promises about a person's whole answer, as a table for people who read it in a notebook."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.estimation.table import Table
from deniable.protocol.surveys import promise


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
