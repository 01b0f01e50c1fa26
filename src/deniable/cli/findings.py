"""What an estimate is asked beside its shares: labels compared, ranks, sources of error, people needed."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import typer

from deniable.estimation.estimate import Estimate
from deniable.estimation.finding import Finding
from deniable.estimation.rank_ranges import RankRanges
from deniable.protocol.errors import ParameterError

Compare: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--compare", metavar="A,B", help="Two labels: whether their shares can be told apart."),
]
Ranks: TypeAlias = Annotated[bool, typer.Option("--ranks", help="Which rank each label can have.")]
ErrorParts: TypeAlias = Annotated[
    bool,
    typer.Option("--error-sources", help="How much of the largest share's error is due to protection; or a mean's."),
]
Margin: TypeAlias = Annotated[
    float | None,
    typer.Option("--people-needed", metavar="MARGIN", help="How many people leave shares, or a mean, so sure."),
]
NOT_SPLIT = "The share is too close to none or all to say where its error comes from."


@dataclass(frozen=True, slots=True)
class FindingOptions:
    """What was asked for."""

    compare: list[str] | None = None
    ranks: bool = False
    error_sources: bool = False
    people_needed: float | None = None

    def __bool__(self) -> bool:
        return bool(self.compare or self.ranks or self.error_sources or self.people_needed is not None)

    def of(self, estimate: Estimate, level: float) -> Findings:
        """The answers, of which each has a name."""
        pairs = [_pair(estimate, text) for text in self.compare or ()]
        found: dict[str, Any] = {}
        if pairs:
            found["comparisons"] = [estimate.compare(*pair, level) for pair in pairs]
        if self.ranks:
            found["ranks"] = estimate.ranks(level)
        if self.error_sources:
            found["error_sources"] = estimate.error_sources()
        if self.people_needed is not None:
            found["people_needed"] = estimate.people_needed(self.people_needed)
        return Findings(found)


@dataclass(frozen=True, slots=True)
class Findings:
    """Answers by name: one, a list of them, or none."""

    found: dict[str, Finding | RankRanges | list[Finding] | None]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {name: _plain(each) for name, each in self.found.items()}

    @property
    def texts(self) -> list[str]:
        """All of it for people, below a blank line."""
        told = [part for each in self.found.values() for part in (each if isinstance(each, list) else [each])]
        return ["", *(NOT_SPLIT if each is None else str(each) for each in told)] if told else []


NOTHING = Findings({})


def _plain(found: Finding | RankRanges | list[Finding] | None) -> Any:
    if isinstance(found, list):
        return [each.to_dict() for each in found]
    return None if found is None else found.to_dict()


def _pair(estimate: Estimate, text: str) -> tuple[Hashable, Hashable]:
    """Two labels, as a row of CSV."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    if len(names) != 2:
        raise ParameterError("--compare must name two labels, such as --compare car,bus, got another number of them")
    first, second = (named(estimate.labels, name, "each of --compare") for name in names)
    return first, second


def named(labels: Iterable[Hashable], written: str | None, option: str) -> Any:
    """The label that is written so."""
    found = [label for label in labels if str(label) == written]
    if len(found) != 1:
        raise ParameterError(f"{option} must be one of the survey's labels, got another")
    return found[0]
