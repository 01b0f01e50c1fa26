"""What is true in the places of a statement, and whether what is said there is more than that, or needlessly weak."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from deniable.protocol.privacy.rows import Ratio, level_sum, within_sum
from deniable.protocol.say import GRAINS, Statement

CLOSE = 1e-6
"""How much weaker than what is realised a level may be: odds are fractions of whole numbers below it."""
PERCENT = Fraction(1, 100)
"""Beliefs are said of so many percent."""
Truth: TypeAlias = Mapping[str, Any]
"""By its name, what is true in each place of a statement: a ``Bounded`` level, a ``BeliefBound``, the truth of a
statement that stands there (None if it is not true), or the very value. Places that are a matter of choice are left
out."""
C = TypeVar("C")
Judge: TypeAlias = "Callable[[C, Mapping[str, Any]], Truth | None]"
"""Finds the truth of a statement with these values from exact channels alone; None if the statement is not true."""


class StatementVerdict(NamedTuple):
    """Whether what is said is true, and whether it could say more."""

    holds: bool
    weak: bool = False


FALSE = StatementVerdict(False)


@runtime_checkable
class Limit(Protocol):
    """What bounds a number that is stated."""

    def judged(self, stated: float) -> StatementVerdict:
        """Whether the number is true, and whether it could say more."""
        ...


class Bounded(NamedTuple):
    """A level, within which a ratio is proven to be."""

    ratio: Ratio

    @property
    def level(self) -> float:
        """The least level that is proven."""
        return level_sum(self.ratio)

    def judged(self, stated: float) -> StatementVerdict:
        """Whether the ratio is within a stated level, and whether a smaller level could be stated."""
        return StatementVerdict(within_sum(self.ratio, stated), stated > self.level * (1 + CLOSE))


class BeliefBound(NamedTuple):
    """What a belief can become at most, or at least: the ``share`` of guesses that are right, by the realised ratio.

    ``loosest`` follows from the highest level that may be stated of that ratio: what is beyond says less than it could.
    """

    share: Fraction
    loosest: Fraction
    is_most: bool

    def judged(self, stated: float) -> StatementVerdict:
        """Whether a stated share is beyond the true one, rounded outwards, and whether it is beyond any need."""
        exact, sign = Fraction(repr(stated)), 1 if self.is_most else -1
        beyond, needless = (sign * (exact - self._outwards(share)) for share in (self.share, self.loosest))
        return StatementVerdict(beyond >= 0 and self._outwards(exact) == exact, needless > 0)

    def _outwards(self, share: Fraction) -> Fraction:
        """The next share in hundredths, or in finer parts where these would say 0 or 1; exactly."""
        towards = math.ceil if self.is_most else math.floor
        wholes = ((towards(share * grain), grain) for grain in GRAINS)
        return next((Fraction(whole, grain) for whole, grain in wholes if 0 < whole < grain), share)


def judge_belief(worst: Ratio | None, values: Mapping[str, Any], falls: bool = True) -> Truth | None:
    """The truth of a statement on a belief, whose odds the ``worst`` ratio multiplies or divides; None if unbounded.

    Without ``falls`` the belief may fall to 0. What was believed before is printed as a whole percentage: a statement
    on any other is not true as it is printed.
    """
    before = Fraction(repr(values["before"]))
    if worst is None or worst == math.inf or before % PERCENT != 0:
        return None
    realised = Fraction(worst)
    stated = realised * Fraction(math.exp(CLOSE * level_sum(realised)))
    most = BeliefBound(_believed(before, realised), _believed(before, stated), is_most=True)
    fallen = BeliefBound(_believed(before, 1 / realised), _believed(before, 1 / stated), is_most=False)
    return {"least": fallen if falls else BeliefBound(Fraction(0), Fraction(0), is_most=False), "most": most}


def _believed(before: Fraction, odds: Fraction) -> Fraction:
    """The belief after its odds are multiplied."""
    return before * odds / (before * odds + 1 - before)


def bounded(**worst: Ratio | None) -> Truth | None:
    """The truth of levels, by place; None if one of them bounds no pair."""
    ratios = {place: ratio for place, ratio in worst.items() if ratio is not None}
    return {place: Bounded(ratio) for place, ratio in ratios.items()} if len(ratios) == len(worst) else None


def true_if(is_true: bool) -> Truth | None:
    """The truth of a statement without places to judge."""
    return {} if is_true else None


def unjudged(*_: Any) -> Truth:
    """The truth of a statement that promises nothing: no report can show it to be false."""
    return {}


UNJUDGED: Mapping[str, Judge[Any]] = {"huge": unjudged, "taking_part": unjudged}
"""Warnings, of which nothing is looked at: that a level is no protection, which is judged where it is said, and that
taking part shows, of which no report tells."""


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement: whether it ``holds``, and whether it is ``weak``, so that it could say more and still hold.

    ``realised`` is the level of what is sent, where the statement bounds one.
    """

    statement: Statement
    holds: bool
    weak: bool = False
    realised: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain values for JSON."""
        return {"statement": self.statement.key, "holds": self.holds}


def judged(realised: C, statements: Iterable[Statement], judges: Mapping[str, Judge[C]]) -> tuple[JudgedStatement, ...]:
    """Every statement with its verdict; one that nobody knows how to judge is no true one."""
    return tuple(_judged(realised, statement, judges.get(statement.key)) for statement in statements)


def _judged(realised: C, statement: Statement, judge: Judge[C] | None) -> JudgedStatement:
    """A statement with its verdict, by its judge; without one it is not true."""
    truth = None if judge is None else judge(realised, statement.values)
    if truth is None:
        return JudgedStatement(statement, holds=False)
    level = truth.get("level")
    verdict = compared(statement.values, truth)
    return JudgedStatement(statement, *verdict, level.level if isinstance(level, Bounded) else None)


def compared(stated: Mapping[str, Any], truth: Truth) -> StatementVerdict:
    """The verdict on what is stated in all places, each compared with what is true there."""
    verdicts = [_compared(stated[place], true) for place, true in truth.items()]
    return StatementVerdict(all(each.holds for each in verdicts), any(each.weak for each in verdicts))


def _compared(stated: Any, true: Any) -> StatementVerdict:
    """The verdict on what is stated in one place."""
    if isinstance(true, Limit):
        return true.judged(stated)
    if true is None:
        return FALSE
    if isinstance(true, Mapping):
        return compared(stated.values, true) if isinstance(stated, Statement) else FALSE
    return StatementVerdict(stated == true)


def said_of(statements: Sequence[JudgedStatement]) -> str:
    """What was found of a label, in a sentence; of no statements that there was too much to judge them by."""
    false = [each.statement.key for each in statements if not each.holds]
    if false:
        return f"Of the label's {len(statements)} statements these are false: {', '.join(false)}."
    if not statements:
        return "There are too many answers or reports to judge each statement of the label."
    return f"All {len(statements)} statements of the label are true of every pair of answers."
