"""Weights by which open columns have known margins (raking; Deming and Stephan 1940), in whole or nearly."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from deniable.arrays import Indices, Vector
from deniable.checks import as_vector
from deniable.estimation.finding import Finding
from deniable.estimation.weighted import check_weights
from deniable.estimation.words import precise
from deniable.protocol.checks import check_positive, shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement
from deniable.values.columns import is_column, python_values, unquoted
from deniable.values.tables import columns_of

CLOSE, ROUNDING, MOST = 1e-9, 1e-6, 1000
"""Margins are met so well, relatively; shares add up to 1 so well; so many rounds are tried."""
APART = 0.01
"""Numbers of people that differ by a larger part are not of the same people."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RakedWeights(Finding, Sequence[float]):
    """A weight for each row of a frame, 1 on average. Wherever a column of weights is taken, this is one."""

    values: Vector
    rounds: int
    """How often all margins were gone through."""
    trimmed: int
    """How many rows have the largest weight that was allowed."""

    @property
    def design_effect(self) -> float:
        """How many of these rows tell as much as one that counts as all others do."""
        return float((self.values**2).mean())

    @property
    def statement(self) -> Statement:
        low, high = (precise(end, 0.02 * end) for end in (self.values.min(), self.values.max()))
        figures = {"low": low, "high": high, "effect": precise(self.design_effect, 0.02 * self.design_effect)}
        return Statement("weights_are_raked", rows=len(self), rounds=self.rounds, trimmed=self.trimmed, **figures)

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[float]: ...
    def __getitem__(self, place: int | slice) -> float | Sequence[float]:
        weights: float | list[float] = self.values[place].tolist()
        return weights

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype)

    def __repr__(self) -> str:
        return f"RakedWeights({self.sentence!r})"


@dataclass(frozen=True, eq=False)
class Margin:
    """The level of each row in a column, and what part of all people each level has."""

    name: str
    levels: Indices
    parts: Vector
    total: float
    """How many people it is of, or 1 of shares."""

    def ratios(self, weights: Vector) -> Vector:
        """What part of all weights each level has, over what it should have: 1 where the margin is met."""
        sums = np.bincount(self.levels, weights, len(self.parts))
        return np.asarray(sums / (weights.sum() * self.parts), np.float64)


def raked(
    frame: Any, margins: Mapping[Any, Mapping[Any, float]], start: Any = None, largest: float | None = None
) -> RakedWeights:
    """Weights by which the rows of a frame have the margins that are known of everybody.

    ``margins`` gives of columns the share, or the number, of people with each level; of several columns together by a
    tuple of their names, with tuples of levels. Weights begin at ``start``, such as one over the chance to be drawn,
    and none becomes more than ``largest`` times their mean, if that is given. The columns are open; answers have no
    part in it.

    >>> frame = {"sex": ["f", "f", "f", "m"]}
    >>> weights = raked(frame, {"sex": {"f": 0.5, "m": 0.5}})
    >>> [round(weight, 3) for weight in weights], weights.rounds
    ([0.667, 0.667, 0.667, 2.0], 1)
    """
    columns = columns_of(frame)
    named: Any = margins
    if not isinstance(named, Mapping) or not named:
        raise ParameterError("margins must name columns with the shares of their levels, got none")
    targets = [_margin(columns, name, levels) for name, levels in named.items()]
    rows = len(targets[0].levels)
    if any(len(each.levels) != rows for each in targets):
        raise ParameterError("columns must be of one length, got several")
    totals = [each.total for each in targets if each.total > 1 + ROUNDING]
    if totals and max(totals) > min(totals) * (1 + APART):
        raise ParameterError(
            f"margins must be of the same people, got {min(totals):,.6g} and {max(totals):,.6g} of them"
        )
    most = np.inf if largest is None else check_positive("largest", largest)
    first = np.ones(rows) if start is None else check_weights(python_values(start), rows)
    return _trimmed(first / first.mean(), targets, most)


def _margin(known: Mapping[Any, Any], name: Any, levels: Any) -> Margin:
    """A margin whose levels are those of the rows, all of them and no others."""
    names = list(name) if isinstance(name, tuple) else [name]
    called = " and ".join(map(str, names))
    if missing := [each for each in names if each not in known]:
        raise ParameterError(f"margins must name columns of the frame, got {shown(missing[0])}")
    if not isinstance(levels, Mapping) or not levels or not all(is_column(known[each]) for each in names):
        raise ParameterError(f"the margin of {called} must give a share for each level, got {type(levels).__name__}")
    shares = as_vector(list(levels.values()))
    if shares is None or not np.isfinite(shares).all() or shares.min() <= 0:
        raise ParameterError(f"the margin of {called} must hold finite numbers above 0, got some that are not")
    columns = [python_values(known[each]) for each in names]
    values: list[Hashable] = list(zip(*columns, strict=True)) if isinstance(name, tuple) else columns[0]
    places = {level: place for place, level in enumerate(levels)}
    refusal = ParameterError(f"values of {called} must be ones that a dictionary can hold, got lists or the like")
    levels_of_rows = unquoted(lambda: np.array([places.get(value, -1) for value in values], np.int64), refusal)
    if strange := int((levels_of_rows < 0).sum()):
        raise ParameterError(f"the margin of {called} must name every level, got {strange} rows with another, or none")
    if empty := [level for place, level in enumerate(levels) if place not in set(levels_of_rows.tolist())]:
        raise ParameterError(
            f"every level of {called} must have rows, which then count for its people, got none with "
            f"{shown(empty[0])}; put it together with another level"
        )
    total = float(shares.sum())
    if shares.max() <= 1 and abs(total - 1) > ROUNDING:
        raise ParameterError(
            f"the shares of {called} must add up to 1, got {total:.6g}; numbers of people may be given"
        )
    return Margin(called, levels_of_rows, shares / total, total)


def _trimmed(weights: Vector, margins: Sequence[Margin], most: float) -> RakedWeights:
    """Raked weights of which none exceeds the most; what is cut off goes to all others, round after round."""
    rounds = 0
    while True:
        weights, added = _raked(weights, margins, most)
        rounds += added
        if weights.max() <= most * (1 + CLOSE):
            return RakedWeights(weights, rounds, int((weights >= most * (1 - CLOSE)).sum()))
        if rounds >= MOST:
            raise ParameterError(
                f"largest must leave room to meet the margins, got largest={most:g}; take a larger one"
            )
        weights = np.minimum(weights, most)


def _raked(weights: Vector, margins: Sequence[Margin], most: float) -> tuple[Vector, int]:
    """Weights, 1 on average, that meet all margins, and after how many rounds."""
    errors = np.zeros(1)
    for number, adjusted in enumerate(_rounds(weights, margins), 1):
        errors = np.array([np.abs(each.ratios(adjusted) - 1).max() for each in margins])
        if errors.max() <= CLOSE or (np.isfinite(most) and adjusted.max() > most):
            return adjusted, number
    worst = margins[int(errors.argmax())]
    raise ParameterError(
        f"margins must be ones that weights of these rows can meet together, got some that contradict each other after "
        f"{MOST} rounds: {worst.name} is off by {errors.max():.2g} of a share; put levels together, or leave a "
        "margin out"
    )


def _rounds(weights: Vector, margins: Sequence[Margin]) -> Iterator[Vector]:
    """The weights after each round, which meets the margins one after another."""
    for _ in range(MOST):
        for each in margins:
            weights = weights / each.ratios(weights)[each.levels]
        weights = weights / weights.mean()
        yield weights
