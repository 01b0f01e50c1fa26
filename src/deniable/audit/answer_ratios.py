"""Answers, and how much likelier some report is from one of them than from another: all that statements are about."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import and_
from typing import Any, NoReturn, TypeAlias

from deniable.privacy.exact_channel import ExactChannel
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.rows import Ratio, Rows, largest

Pairs: TypeAlias = Callable[[int, int], bool]
"""Which pairs of two answers are meant, given by their places."""
Prior: TypeAlias = Sequence[float]


@dataclass(frozen=True)
class AnswerRatios:
    """Answers in their order, and the worst ratio between any two of them: ``square[x][z]`` is that of x over z.

    ``rows`` are the channels of reports about these answers alone, each with a row of weights for every answer.
    ``prior`` has the shares of people who give each answer, where they are known.
    """

    answers: Sequence[Any]
    square: Sequence[Sequence[Ratio]]
    rows: Sequence[Rows]
    prior: Prior | None = None

    @classmethod
    def of(cls, channel: ExactChannel, prior: Prior | None = None) -> AnswerRatios:
        """The ratios between all values of a channel."""
        rows, each = channel.rows.check(), range(len(channel.domain))
        square = [[rows.worst_ratio([x], [z]) for z in each] for x in each]
        return cls(list(channel.domain), square, [rows], prior)

    def pairs(self, meant: Pairs = lambda x, z: True) -> list[tuple[int, int]]:
        """Two different answers each, by their places."""
        each = range(len(self.answers))
        return [(x, z) for x in each for z in each if x != z and meant(x, z)]

    def worst(self, meant: Pairs = lambda x, z: True) -> Ratio | None:
        """The largest ratio of the pairs that are meant; None if there are none."""
        return max((self.square[x][z] for x, z in self.pairs(meant)), default=None)

    @cached_property
    def hidden(self) -> frozenset[int]:
        """The answers of which no report rules another answer out."""
        return frozenset(x for x, row in enumerate(self.square) if math.inf not in row)

    @cached_property
    def groups(self) -> Sequence[frozenset[int]]:
        """The answers' places in groups within which no report tells for certain which it was."""
        groups: list[set[int]] = []
        for x in range(len(self.answers)):
            is_hidden = [max(ratio, row[x]) < math.inf for ratio, row in zip(self.square[x], self.square, strict=True)]
            group = next((group for group in groups if all(is_hidden[z] for z in group)), None)
            if group is None:
                groups.append({x})
            else:
                group.add(x)
        return tuple(map(frozenset, groups))

    def grouped(self, x: int, z: int) -> bool:
        """Whether two answers are of one group."""
        return any({x, z} <= group for group in self.groups)

    def apart(self, steps: int) -> Pairs:
        """Two answers that stand so many places apart."""
        return lambda x, z: abs(x - z) == steps

    def has_one_more(self, x: int, z: int) -> bool:
        """Whether the first of two lists is the second with one label more."""
        one, other = set(self.answers[x]), set(self.answers[z])
        return other < one and len(one) == len(other) + 1

    def differ_in_one(self, x: int, z: int) -> bool:
        """Whether two lists differ in one label."""
        return self.has_one_more(x, z) or self.has_one_more(z, x)

    def never_certain(self) -> bool:
        """Whether every answer may have sent what another one may have sent too."""
        possible = [[[weight > 0 for weight in row] for row in rows.listed()] for rows in self.rows]
        each = range(len(self.answers))
        return all(any(x != z and any(map(and_, rows[x], rows[z])) for rows in possible for z in each) for x in each)

    def against_prior(self, two_sided: bool) -> Ratio:
        """The largest ratio of a report's chance among all people and among those with one answer.

        ``two_sided`` takes the ratio the other way round too. Answers that nobody is known to give are left out.
        """
        prior = self.prior or ()
        shares = [Fraction(share) for share in prior]
        known = [x for x, share in enumerate(shares) if share]
        worst: Ratio = Fraction(1)
        for rows in self.rows:
            for column in zip(*rows.listed(known), strict=True):
                mean = sum((shares[x] * weight for x, weight in zip(known, column, strict=True)), Fraction(0))
                mean /= sum(shares)
                pairs = [(int(weight * mean.denominator), mean.numerator) for weight in column]
                worst = max(worst, largest((of_all, of_one) for of_one, of_all in pairs))
                worst = max(worst, largest(pairs)) if two_sided else worst
        return worst


class ManyAnswers(AnswerRatios):
    """Answers that are too many to be compared one with another: only the largest ratio of any two is known."""

    def __init__(self, ratio: Ratio, prior: Prior | None) -> None:
        vars(self).update(ratio=ratio, prior=prior)

    @property
    def answers(self) -> NoReturn:
        """Refused, and with it all that is asked of single answers."""
        too_many_answers()

    @property
    def square(self) -> NoReturn:
        """Refused as well."""
        too_many_answers()

    @property
    def rows(self) -> NoReturn:
        """Refused as well."""
        too_many_answers()

    def worst(self, meant: Pairs | None = None) -> Ratio | None:
        """The largest ratio of any two; of some pairs alone it is not known."""
        ratio: Ratio = vars(self)["ratio"]
        return ratio if meant is None else too_many_answers()


def too_many_answers() -> NoReturn:
    """Refuse what needs a list of all answers, or of all reports."""
    raise CapacityError("answers must be fewer to be compared with each other")
