"""Several scales below one heading, as an author writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from deniable.protocol.checks import shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.scale import Scale


@dataclass(frozen=True)
class Grid:
    """Scales with one ``heading`` and the same ``labels``: ``rows`` has the wording of each by its name.

    People see a table, or one card after another on a phone. Each row is a question of its own in every other way.

    >>> import deniable as dn
    >>> agree = Grid("Do you agree?", {"fair": "My pay is fair", "calm": "My days are calm"}, ["no", "partly", "yes"])
    >>> list(agree)
    [Scale('fair', 3 labels), Scale('calm', 3 labels)]
    >>> list(dn.Survey.plan("work", [agree, dn.OneOf("late", ["yes", "no"])], 2.0, 3000).by_name)
    ['fair', 'calm', 'late']
    """

    heading: str
    rows: Mapping[str, str]
    labels: Any
    only_if: Any = None

    def __post_init__(self) -> None:
        _check(self.heading, self.rows)

    def __iter__(self) -> Iterator[Scale]:
        for name, wording in self.rows.items():
            yield Scale(name, self.labels, wording, self.only_if, self.heading)


def _check(heading: Any, rows: Any) -> None:
    if not isinstance(rows, Mapping) or not rows:
        got = "none" if isinstance(rows, Mapping) else type(rows).__name__
        raise ParameterError(f"rows must hold a wording or more, each by the name of its question, got {got}")
    if not isinstance(heading, str) or not heading:
        raise ParameterError(f"heading must be a text that all rows share, got {shown(heading)}")


def one_by_one(questions: Iterable[Question | Grid]) -> list[Question]:
    """The questions, those of a grid in its place."""
    return [one for each in questions for one in (each if isinstance(each, Grid) else (each,))]
