"""Context-aware guarantees (acharya2019), which state what is sensitive: a level for every ordered pair of values."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices
from deniable.privacy.guarantees import Guarantee, OneLevel, Verdict, exact_rows, level, within
from deniable.privacy.matrix import Ratio, Rows
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import LARGEST
from deniable.protocol.python_values import is_ordered
from deniable.values.domain import Domain, DomainLike

Levels = npt.NDArray[np.float64]
NEAR = 1e-9
"""Pairs within so many nats of their level are judged in exact arithmetic; floats are right to 1e-14."""
FAINT = 1e-290
"""Probabilities below this lose digits when they are converted to floats."""


@dataclass(frozen=True)
class Pairwise(Guarantee):
    """E-LDP: a report is at most e^E[x, x'] times likelier from x than from x'; 0 and infinity are levels too.

    >>> known = Pairwise(["yes", "no"], [[0, 1.0], [float("inf"), 0]])
    >>> known.holds([[0.7, 0.3], [0.3, 0.7]]), known.holds([[1, 0], [0.5, 0.5]])
    (True, True)
    """

    domain: Domain
    matrix: tuple[tuple[float, ...], ...]

    def __init__(self, domain: DomainLike, matrix: Any) -> None:
        labels = Domain.of(domain)
        object.__setattr__(self, "domain", labels)
        object.__setattr__(self, "matrix", tuple(map(tuple, _read_levels(matrix, len(labels)).tolist())))

    @cached_property
    def levels(self) -> Levels:
        """The levels [value, other] as a new array with zeros on its diagonal."""
        array = np.array(self.matrix)
        array.flags.writeable = False
        return array

    @property
    def claimed(self) -> float:
        """The largest level of any pair, infinity included."""
        return float(self.levels.max())

    def pair_level(self, value: int, other: int) -> float:
        """The entry E[value, other] of the matrix."""
        return self.matrix[value][other]

    def allows(self, ratio: Ratio) -> bool:
        """Whether the ratio is allowed for every pair, also for the one with the lowest level."""
        beside = ~np.eye(len(self.domain), dtype=bool)
        return within(ratio, float(self.levels[beside].min()))

    def judge(self, rows: Rows) -> Verdict:
        """Judge every pair in floats, and those near or beyond their level, or nearest to it, in exact arithmetic."""
        check_inputs(rows, self.domain)
        bound = np.isfinite(self.levels) & ~np.eye(len(self.domain), dtype=bool)
        excess = np.full(bound.shape, -math.inf)
        np.subtract(_log_ratios(rows), self.levels, out=excess, where=bound)
        if excess.max() == -math.inf:  # no pair has a finite level
            return Verdict(math.inf, rows.worst_ratio(), holds=True)
        nearest = divmod(int(excess.argmax()), len(excess))
        close = {nearest, *zip(*(place.tolist() for place in np.nonzero(excess > -NEAR)), strict=True)}
        ratios = {(x, z): rows.worst_ratio([x], [z]) for x, z in close}
        if excess.max() == math.inf:  # floats cannot decide
            nearest = max(sorted(close), key=lambda pair: level(ratios[pair]) - self.pair_level(*pair))
        holds = all(within(ratio, self.pair_level(*pair)) for pair, ratio in ratios.items())
        return Verdict(self.pair_level(*nearest), ratios[nearest], holds)

    def tightest(self, channel: Any) -> Levels:
        """The smallest matrix of levels that a channel, or a matrix of probabilities, is proven to keep."""
        rows = check_inputs(exact_rows(channel, self.domain), self.domain)
        each = range(len(self.domain))
        return np.array([[level(rows.worst_ratio([x], [z])) for z in each] for x in each])

    def __str__(self) -> str:
        beside = self.levels[~np.eye(len(self.domain), dtype=bool)]
        return f"pairwise LDP over {len(self.domain)} labels, levels {beside.min():g} to {beside.max():g}"


@dataclass(frozen=True)
class HighLow(OneLevel):
    """High-low LDP: people with a sensitive label are indistinguishable from everybody else, up to epsilon.

    People with another label may be identified: that they hold no sensitive label is not protected.

    >>> secret = HighLow(["ill", "well", "away"], ["ill"], 1.0)
    >>> secret.holds([[1, 0, 0], [0.4, 0.6, 0], [0.4, 0, 0.6]])
    True
    """

    domain: Domain
    sensitive: tuple[Hashable, ...]
    epsilon: float

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        labels = Domain.of(domain)
        object.__setattr__(self, "domain", labels)
        object.__setattr__(self, "sensitive", _read_sensitive(labels, sensitive))
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @cached_property
    def places(self) -> Indices:
        """The indices of the sensitive labels in the domain, ascending."""
        return np.array([self.domain.index(label) for label in self.sensitive], np.int64)

    @cached_property
    def _is_sensitive(self) -> npt.NDArray[np.bool_]:
        return np.isin(np.arange(len(self.domain)), self.places)

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio of a sensitive label's probability of a report to any other label's."""
        return check_inputs(rows, self.domain).worst_ratio(above=self.places)

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon if ``value`` is sensitive, otherwise infinity."""
        return self.epsilon if self._is_sensitive[value] else math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP for {len(self.sensitive)} sensitive of {len(self.domain)} labels"


@dataclass(frozen=True)
class Blocks(OneLevel):
    """Block-structured LDP: labels of one block are indistinguishable up to epsilon; the block is not protected.

    The domain consists of the labels of the blocks one after another, unless it is given.

    >>> cities = Blocks([["Rome", "Milan"], ["Lyon", "Paris", "Nice"]], 1.0)
    >>> len(cities.domain), str(cities)
    (5, '1-LDP within 2 blocks of 5 labels')
    """

    domain: Domain
    blocks: tuple[tuple[Hashable, ...], ...]
    epsilon: float
    places: tuple[Indices, ...] = field(init=False, repr=False, compare=False)
    """The indices in the domain of each block's labels."""

    def __init__(self, blocks: Iterable[Iterable[Hashable]], epsilon: float, domain: DomainLike | None = None) -> None:
        read = _read_blocks(blocks)
        labels = Domain.of(_union(read) if domain is None else domain)
        places = _partition(labels, read)
        object.__setattr__(self, "domain", labels)
        object.__setattr__(self, "blocks", tuple(tuple(labels[i] for i in block.tolist()) for block in places))
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @cached_property
    def _block_of(self) -> Indices:
        found = np.empty(len(self.domain), np.int64)
        for number, places in enumerate(self.places):
            found[places] = number
        return found

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio between two labels of one block, over all blocks."""
        check_inputs(rows, self.domain)
        return max(rows.worst_ratio(places, places) for places in self.places)

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon for two labels of one block, otherwise infinity."""
        return self.epsilon if self._block_of[value] == self._block_of[other] else math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP within {len(self.blocks)} blocks of {len(self.domain)} labels"


def check_inputs(rows: Rows, domain: Domain) -> Rows:
    """The rows, if there are as many as labels in the domain."""
    if len(rows.weights) != len(domain):
        raise ParameterError(f"matrix must have {len(domain)} rows, one per label, got {len(rows.weights)}")
    return rows


def _log_ratios(rows: Rows) -> Levels:
    """The logarithm of max_y Q[x, y]/Q[x', y] for every pair, as floats; infinity where floats cannot decide."""
    chances, seen = rows.floats(), rows.weights > 0
    faint = seen & (chances < FAINT)
    found = np.empty((len(chances), len(chances)))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for x, row in enumerate(chances):
            ratios = np.where(seen[x] & ~seen, math.inf, np.where(row > 0, row / chances, 0))
            ratios[:, faint.any(axis=0)] = math.inf
            found[x] = np.log(ratios.max(axis=1))
    return found


def _read_levels(matrix: Any, d: int) -> Levels:
    try:
        levels = np.array([[float(entry) for entry in row] for row in matrix])
        numeric = not any(isinstance(entry, str | bool) for row in matrix for entry in row)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"matrix must be {d} rows of {d} levels, got something else") from None
    if not numeric:
        raise ParameterError(f"matrix must be {d} rows of {d} levels, got an entry that is no number")
    if levels.shape != (d, d):
        raise ParameterError(f"matrix must be {d} rows of {d} levels, got an array of shape {levels.shape}")
    np.fill_diagonal(levels, 0)
    if not ((levels >= 0) & ((levels <= LARGEST) | (levels == math.inf))).all():
        raise ParameterError(f"each level must be from 0 to {LARGEST}, or infinity, got one that is not")
    return levels + 0.0


def _read_sensitive(domain: Domain, sensitive: Any) -> tuple[Hashable, ...]:
    if not isinstance(sensitive, Set) and not is_ordered(sensitive):
        raise ParameterError(f"sensitive must be a list of labels, got {type(sensitive).__name__}")
    labels = list(sensitive)
    outside = sum(label not in domain for label in labels)
    if not labels:
        raise ParameterError("sensitive must name at least one label, got none")
    if outside:
        raise ParameterError(f"sensitive must be labels of the domain, got {outside} of {len(labels)} that are not")
    places = sorted({domain.index(label) for label in labels})
    if len(places) < len(labels):
        raise ParameterError(f"sensitive must not repeat a label, got {len(labels) - len(places)} repeated")
    return tuple(domain[place] for place in places)


def _read_blocks(blocks: Any) -> list[list[Any]]:
    if not is_ordered(blocks):
        raise ParameterError(f"blocks must be lists of labels, got {type(blocks).__name__}")
    listed = list(blocks)
    if not all(map(is_ordered, listed)):
        raise ParameterError("blocks must be lists of labels, got one that is no list")
    read = [list(block) for block in listed]
    if not read or not all(read):
        raise ParameterError("blocks must each hold at least one label, got an empty one")
    return read


def _union(blocks: list[list[Any]]) -> list[Any]:
    """The labels of the blocks one after another; a repeated label is refused."""
    members = [label for block in blocks for label in block]
    try:
        shared = len(members) - len(set(members))
    except TypeError:  # something unhashable, which a domain refuses
        return members
    if shared:
        raise ParameterError(f"blocks must not share a label, got {shared} that are in more than one place")
    return members


def _partition(domain: Domain, blocks: list[list[Any]]) -> tuple[Indices, ...]:
    """The blocks as indices in the domain; every label must be in exactly one block."""
    found = domain.column([label for block in blocks for label in block])
    outside = int(((found < 0) | (found >= len(domain))).sum())
    if outside:
        raise ParameterError(f"blocks must hold labels of the domain, got {outside} that are not")
    held = np.bincount(found, minlength=len(domain))
    shared = len(found) - int((held > 0).sum())
    if shared:
        raise ParameterError(f"blocks must not share a label, got {shared} that are in more than one place")
    if held.min() < 1:
        raise ParameterError(f"blocks must hold every label of the domain, got {(held < 1).sum()} that are in none")
    return tuple(np.split(found, np.cumsum([len(block) for block in blocks])[:-1]))
