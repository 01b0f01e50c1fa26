"""Two questions that were crossed: each pair of answers with its interval, and whether they go together."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.estimation.cross import CrossTable
from deniable.estimation.saying import LEVEL, RARE, go_together
from deniable.estimation.table import printable
from deniable.estimation.words import how_often, points, share_in_words
from deniable.pages.results.found import Found


@dataclass(frozen=True)
class Cell:
    """A pair of answers."""

    estimate: str
    take: str
    words: str


@dataclass(frozen=True)
class Crossed:
    """A table of pairs in plain values, with what can be said of it."""

    sentence: str
    test: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def crossed_pairs(found: Found) -> list[tuple[str, str]]:
    """The pairs of questions that were asked together."""
    pairs = [part.names for arm in found.survey.arms for part in arm.parts if len(part.names) == 2]
    return list(dict.fromkeys((first, second) for first, second in pairs))


def crossed(table: CrossTable) -> Crossed:
    """What a table of pairs says."""
    low, high = table.interval(LEVEL)[..., 0], table.interval(LEVEL)[..., 1]
    rows = tuple(
        (
            printable(label),
            tuple(
                Cell(points(share), points(1.96 * error), share_in_words(a, b))
                for share, error, a, b in zip(table.shares[r], table.stderr[r], low[r], high[r], strict=True)
            ),
        )
        for r, label in enumerate(table.rows)
    )
    return Crossed(
        go_together(table.names, table.test.p_value), _tested(table), tuple(map(printable, table.columns)), rows
    )


def _tested(table: CrossTable) -> str:
    """How the chance in the sentence was found; and what it is, where the sentence does not say."""
    test = table.test
    degrees = f" with {test.df} {'degree' if test.df == 1 else 'degrees'} of freedom" if test.df else ""
    how = f"by the {test.method} test{degrees}"
    if test.p_value < RARE:
        return f"The chance is found {how}."
    return (
        f"Were there no connection, chance alone would make a table this uneven {how_often(test.p_value)}, found {how}."
    )
