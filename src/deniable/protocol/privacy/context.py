"""Context-aware guarantees (acharya2019), which state what is sensitive: a level for every ordered pair of values."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from ..checks import check_epsilon, is_number
from ..errors import ParameterError
from ..labels import write_label
from ..odds import LARGEST
from ..python_values import checked_list, is_ordered, python_value
from ..say import Statement
from ..values import Domain
from .guarantees import Guarantee, OneLevel, Verdict, check_inputs, exact_rows
from .levels import closed, in_json, off_diagonal
from .rows import Ratio, Rows, level, within

Levels: TypeAlias = tuple[tuple[float, ...], ...]
NEAR = 1e-9
"""Pairs within so many nats of their level are judged in exact arithmetic; floats are right to 1e-14."""


@dataclass(frozen=True)
class Pairwise(Guarantee):
    """E-LDP: a report is at most e^E[x, x'] times likelier from x than from x'; 0 and infinity are levels too.

    >>> known = Pairwise(["yes", "no"], [[0, 1.0], [float("inf"), 0]])
    >>> known.pair_level(0, 1), known.pair_level(1, 0), known.plain
    (1.0, inf, inf)
    """

    domain: Domain
    matrix: Levels

    def __init__(self, domain: Any, matrix: Any) -> None:
        labels = Domain.of(domain)
        object.__setattr__(self, "domain", labels)
        object.__setattr__(self, "matrix", _read_levels(matrix, len(labels)))

    @property
    def claimed(self) -> float:
        return max(map(max, self.matrix))

    @property
    def enough(self) -> float:
        return min(off_diagonal(self.matrix))

    @cached_property
    def plain(self) -> float:
        """The largest level, by way of third labels where that is shorter."""
        return max(map(max, closed(self.matrix)))

    @property
    def charge(self) -> float:
        """The largest finite level; 0 where no label is protected from another."""
        return max(level for row in self.matrix for level in row if level < math.inf)

    def pair_level(self, value: int, other: int) -> float:
        return self.matrix[value][other]

    def implied_pairs(self, size: int) -> list[list[float]]:
        rows = zip(self.matrix, closed(self.matrix), strict=True)
        return [list(map(min, levels, by_third)) for levels, by_third in rows]

    def allows(self, ratio: Ratio) -> bool:
        return within(ratio, min(off_diagonal(self.matrix)))

    def judge(self, rows: Rows) -> Verdict:
        """Judge every pair in floats, and those near or beyond their level, or nearest to it, in exact arithmetic."""
        logs = check_inputs(rows, self.domain).log_ratios()
        excess = {
            (x, z): logs[x][z] - bound
            for x, row in enumerate(self.matrix)
            for z, bound in enumerate(row)
            if x != z and bound < math.inf
        }
        if not excess:  # no pair has a finite level
            return Verdict(math.inf, rows.worst_ratio(), holds=True)
        nearest = max(excess, key=excess.__getitem__)
        close = {nearest, *(pair for pair, far in excess.items() if far > -NEAR)}
        ratios = {(x, z): rows.worst_ratio([x], [z]) for x, z in close}
        if excess[nearest] == math.inf:  # floats cannot decide
            nearest = max(sorted(close), key=lambda pair: level(ratios[pair]) - self.pair_level(*pair))
        holds = all(within(ratio, self.pair_level(*pair)) for pair, ratio in ratios.items())
        return Verdict(self.pair_level(*nearest), ratios[nearest], holds)

    def tightest(self, channel: Any) -> Any:
        """The smallest matrix of levels that a channel, or a matrix of probabilities, is proven to keep."""
        rows = check_inputs(exact_rows(channel, self.domain), self.domain)
        each = range(len(self.domain))
        return rows.square([[level(rows.worst_ratio([x], [z])) for z in each] for x in each])

    def to_dict(self) -> dict[str, Any]:
        return {"domain": self.domain.to_json(), "matrix": [[in_json(level) for level in row] for row in self.matrix]}

    @property
    def called(self) -> Statement:
        least, most = min(off_diagonal(self.matrix)), max(off_diagonal(self.matrix))
        return Statement("ldp_pairs", count=len(self.domain), least=least, most=most)

    @property
    def promised(self) -> Statement:
        if self.plain < math.inf:
            return super().promised
        if min(off_diagonal(self.matrix)) == math.inf:
            return Statement("no_pair")
        return Statement("some_pairs", level=self.charge)

    @property
    def hides_every(self) -> bool:
        each = range(len(self.domain))
        bound = ((min(self.pair_level(x, z), self.pair_level(z, x)) for z in each if z != x) for x in each)
        return all(min(levels) < math.inf for levels in bound)

    def __str__(self) -> str:
        lowest, highest = min(off_diagonal(self.matrix)), max(off_diagonal(self.matrix))
        return f"pairwise LDP over {len(self.domain)} labels, levels {lowest:g} to {highest:g}"


@dataclass(frozen=True)
class HighLow(OneLevel):
    """High-low LDP: people with a sensitive label are indistinguishable from everybody else, up to epsilon.

    People with another label may be identified: that they hold no sensitive label is not protected.

    >>> secret = HighLow(["ill", "well", "away"], ["ill"], 1.0)
    >>> secret.pair_level(0, 1), secret.pair_level(1, 0)
    (1.0, inf)
    """

    domain: Domain
    sensitive: tuple[Hashable, ...]
    epsilon: float

    def __init__(self, domain: Any, sensitive: Any, epsilon: float) -> None:
        labels = Domain.of(domain)
        object.__setattr__(self, "domain", labels)
        object.__setattr__(self, "sensitive", labels.checked_subset("sensitive", sensitive))
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The indices of the sensitive labels in the domain, ascending."""
        return tuple(map(self.domain.index, self.sensitive))

    @cached_property
    def _held(self) -> frozenset[int]:
        return frozenset(self.places)

    @property
    def plain(self) -> float:
        return self.epsilon if len(self.sensitive) == len(self.domain) else math.inf

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio of a sensitive label's probability of a report to any other label's."""
        return check_inputs(rows, self.domain).worst_ratio(above=self.places)

    def pair_level(self, value: int, other: int) -> float:
        return self.epsilon if value in self._held else math.inf

    def protects(self, wanted: Guarantee) -> bool:
        return self._held >= wanted._held if isinstance(wanted, HighLow) else super().protects(wanted)

    @property
    def fields(self) -> dict[str, Any]:
        return {"sensitive": list(map(write_label, self.sensitive))}

    @property
    def called(self) -> Statement:
        return Statement("ldp_sensitive", level=self.epsilon, count=len(self.places), labels=len(self.domain))

    @property
    def promised(self) -> Statement:
        return Statement("protected", level=self.epsilon) if self.plain == math.inf else super().promised

    @property
    def belief(self) -> tuple[str, float]:
        return ("belief_protected", self.epsilon) if self.plain == math.inf else super().belief

    @property
    def hides_every(self) -> bool:
        """True: whoever reports as others do may hold a sensitive label."""
        return True

    def left_open(self, of: Statement) -> Iterator[Statement]:
        kept = len(self.places)
        if others := len(self.domain) - kept:
            both = {"kept": Statement("kept", count=kept), "rest": Statement("rest", count=others)}
            yield Statement("open_labels", of=of, **both)

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

    def __init__(self, blocks: Any, epsilon: float, domain: Any = None) -> None:
        read = _read_blocks(blocks)
        labels = Domain.of(_union(read) if domain is None else domain)
        _check_partition(labels, read)
        object.__setattr__(self, "domain", labels)
        object.__setattr__(self, "blocks", tuple(map(tuple, read)))
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The indices in the domain of each block's labels."""
        return tuple(tuple(map(self.domain.index, block)) for block in self.blocks)

    @cached_property
    def _block_of(self) -> dict[int, int]:
        return {place: number for number, block in enumerate(self.places) for place in block}

    @property
    def plain(self) -> float:
        return self.epsilon if len(self.blocks) == 1 else math.inf

    def worst(self, rows: Rows) -> Ratio:
        check_inputs(rows, self.domain)
        return max(rows.worst_ratio(places, places) for places in self.places)

    def pair_level(self, value: int, other: int) -> float:
        return self.epsilon if self._block_of[value] == self._block_of[other] else math.inf

    def protects(self, wanted: Guarantee) -> bool:
        if not isinstance(wanted, Blocks):
            return super().protects(wanted)
        return all(any(set(block) <= set(own) for own in self.places) for block in wanted.places)

    @property
    def fields(self) -> dict[str, Any]:
        return {"blocks": [list(map(write_label, block)) for block in self.blocks]}

    @property
    def called(self) -> Statement:
        return Statement("ldp_blocks", level=self.epsilon, count=len(self.places), labels=len(self.domain))

    @property
    def promised(self) -> Statement:
        """That answers are hidden in their group, if any is no group of its own."""
        if self.plain < math.inf:
            return super().promised
        return Statement("no_pair") if self._is_split else Statement("grouped", level=self.epsilon)

    @property
    def belief(self) -> tuple[str, float]:
        if self.plain < math.inf or self._is_split:
            return super().belief
        return "belief_grouped", self.epsilon

    @property
    def hides_every(self) -> bool:
        """Whether each block has labels enough to hide among."""
        return min(map(len, self.places)) > 1

    def left_open(self, of: Statement) -> Iterator[Statement]:
        if len(self.places) > 1:
            yield Statement("open_group", of=of, count=len(self.places))

    @property
    def _is_split(self) -> bool:
        """Whether each group is one answer, so that whoever knows the group knows it."""
        return max(map(len, self.places)) == 1

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP within {len(self.blocks)} blocks of {len(self.domain)} labels"


def _read_levels(matrix: Any, d: int) -> Levels:
    """The levels that an author gives as d rows of d numbers; the diagonal is 0 whatever stands there."""
    wanted = f"matrix must be {d} rows of {d} levels, got"
    try:
        rows = [[python_value(entry) for entry in row] for row in matrix]
    except TypeError:
        raise ParameterError(f"{wanted} something else") from None
    if not all(is_number(entry) for row in rows for entry in row):
        raise ParameterError(f"{wanted} an entry that is no number")
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise ParameterError(f"{wanted} something else")
    if (len(rows), *widths) != (d, d):
        raise ParameterError(f"{wanted} an array of shape ({len(rows)}, {widths.pop()})")
    return tuple(tuple(0.0 if x == z else _level(entry) for z, entry in enumerate(row)) for x, row in enumerate(rows))


def _level(entry: Any) -> float:
    if not (0 <= entry <= LARGEST or entry == math.inf):
        raise ParameterError(f"each level must be from 0 to {LARGEST}, or infinity, got one that is not")
    return float(entry) + 0.0  # 0.0 has no sign


def _read_blocks(blocks: Any) -> list[list[Any]]:
    """The labels of each block as an author gives them: lists of one label or more."""
    if not is_ordered(blocks):
        raise ParameterError(f"blocks must be lists of labels, got {type(blocks).__name__}")
    listed = list(blocks)
    if strange := [type(each).__name__ for each in listed if not is_ordered(each)]:
        raise ParameterError(f"blocks must be lists of labels, got {strange[0]} in the place of a list")
    read = [checked_list("blocks", block, "lists of labels") for block in listed]
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


def _check_partition(domain: Domain, blocks: list[list[Any]]) -> None:
    """Every label must be in exactly one block."""
    places = [domain.find(label) for block in blocks for label in block]
    if outside := places.count(None):
        raise ParameterError(f"blocks must hold labels of the domain, got {outside} that are not")
    if shared := len(places) - len(set(places)):
        raise ParameterError(f"blocks must not share a label, got {shared} that are in more than one place")
    if missing := len(domain) - len(places):
        raise ParameterError(f"blocks must hold every label of the domain, got {missing} that are in none")
