"""The pages of a result, as one line beneath its title; those that do not apply to it are left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deniable.collector.access import allows
from deniable.collector.storage.rows import Token
from deniable.pages.results.crossing import crossed_pairs
from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import Statement


class Tab(NamedTuple):
    """A page of a result: its name, and what its address ends with."""

    name: Statement
    ending: str


def tabs(found: PeriodView, token: Token | None) -> Iterator[Tab]:
    """The pages that there are of this result for whoever reads it."""
    yield Tab(Statement("result"), "")
    if found.survey.period != "once":
        yield Tab(Statement("over_time"), "/time")
    if found.results is not None:
        if crossed_pairs(found):
            yield Tab(Statement("together"), "/cross")
        if not found.is_open:
            yield Tab(Statement("compare"), "/compare")
    yield Tab(Statement("trust_heading"), "/trust")
    if token is not None and allows(token, "share", found.row):
        yield Tab(Statement("share"), "/share")
    if found.results is not None:
        yield Tab(Statement("export"), "/export")
