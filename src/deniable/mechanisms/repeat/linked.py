"""What repeated reports cost and tell beyond one round (public as ``dn.linked``).

For surveys that collect from the same people again and again with ``dn.Remembered``: the reports that a device keeps,
what a life of answers costs, what somebody who keeps all reports of a device can tell, and the errors of trends.

>>> import deniable as dn
>>> weekly = dn.Remembered(dn.RandomizedResponse(3, epsilon=2.0), 1.0)
>>> str(dn.linked.lifetime(weekly))
'6-LDP'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import numpy as np

from deniable.arrays import Column, Indices, Matrix, Vector
from deniable.checks import as_vector, check_users
from deniable.estimation.laws.support_law import support_of
from deniable.mechanisms.repeat.remembered import MOST_ROUNDS, Remembered
from deniable.privacy.entropy import Entropy, checked_entropy
from deniable.privacy.repeated import WholeReports
from deniable.protocol.checks import check_choice, check_int
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.privacy.levels import times
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.rounds import RoundLevels
from deniable.theory.risk import linked as theory
from deniable.theory.risk.variance import Target

__all__ = [
    "changed_level",
    "contrast_variance",
    "enrol",
    "lifetime",
    "recall",
    "some_rounds_variance",
    "what_shows",
]
__dir__ = __all__.copy

MOST_CELLS = 1 << 16
"""The most permanent reports that a device is made to keep."""


def enrol(mechanism: Remembered, entropy: Entropy | None = None) -> Column:
    """The permanent reports that a device draws once and keeps: of every label, or whatever answers come down to.

    Of hashes it is every symbol of the device's cohort, of ``AskedItems`` every pattern of the labels that it is asked,
    of ``ItemResponse`` every label held and not held: the reports of the empty list and of the full one.

    All at once, because a store that held the reports of the answers given so far would name these.

    >>> import deniable as dn
    >>> len(enrol(dn.Remembered(dn.Cyclic(10, 2.0), 1.0)))
    10
    """
    rounds = _checked(mechanism)._rounds_of
    if rounds.cells > MOST_CELLS:
        raise CapacityError(f"a device must keep at most {MOST_CELLS} permanent reports, got {rounds.cells}")
    return rounds.enrol(mechanism.permanent, checked_entropy(entropy))


def recall(mechanism: Remembered, enrolled: Column, label: Any) -> int | bytes:
    """The permanent report of a label among those that ``enrol`` made; texts with one symbol share theirs.

    >>> import deniable as dn
    >>> m = dn.Remembered(dn.HashedResponse(2.0, symbols=16, cohorts=64), 1.0)
    >>> kept = enrol(m)
    >>> recall(m, kept, "a page") == recall(m, kept, "a page")
    True
    """
    layout, rounds = _checked(mechanism).layout, mechanism._rounds_of
    return layout.single(rounds.recall(mechanism.domain.one(label), layout.check(enrolled)))


def enrolled_reports(mechanism: Remembered) -> int:
    """How many reports ``enrol`` draws."""
    return mechanism._rounds_of.kept


def answers_kept(mechanism: Remembered) -> int:
    """For how many answers there is a permanent one: labels, symbols of a hash, or two for each label of a list."""
    return mechanism._rounds_of.cells


def are_of_one_device(mechanism: Remembered, enrolled: Column) -> bool:
    """Whether reports can be what ``enrol`` drew for one device."""
    return mechanism._rounds_of.is_one_device(enrolled)


def resend(mechanism: Remembered, enrolled: Column, value: Indices, entropy: Entropy) -> Column:
    """What a round sends about a value, given by its index in a column of one."""
    rounds = mechanism._rounds_of
    return rounds.again(rounds.recall(value, enrolled), mechanism._keep, entropy)


def lifetime(mechanism: Remembered, answers: int | None = None) -> LDP:
    """The exact cost of so many different answers over a life, each with its permanent report; None: of all there are.

    When the answer changed is not covered: see ``what_shows``. Charge a ``Ledger`` the whole when a device enrols:
    an answer that the ledger refused later would be known to be a new one.

    >>> import deniable as dn
    >>> m = dn.Remembered(dn.RandomizedResponse(["never", "once", "often"], 2.0), 1.0)
    >>> str(lifetime(m, 2)), str(lifetime(m))
    ('4-LDP', '6-LDP')
    """
    cells, ever = _checked(mechanism)._rounds_of.cells, mechanism.permanent.guarantee.claimed
    given = cells if answers is None else min(check_int("answers", answers, 1), cells)
    return LDP(ever).at(times(ever, given))


def levels_of_rounds(mechanism: Any) -> RoundLevels | None:
    """The levels of a mechanism's rounds; None unless its reports are remembered."""
    if not isinstance(mechanism, Remembered):
        return None
    unchanged = mechanism.permanent.guarantee.plain
    return RoundLevels(mechanism.guarantee.plain, unchanged, lifetime(mechanism).epsilon)


def what_shows(mechanism: Remembered, answers: int) -> str:
    """What somebody who keeps all reports of a device learns of so many answers, in words for those who are asked.

    >>> import deniable as dn
    >>> first, second = what_shows(dn.Remembered(dn.Cyclic(100, 2.0), 1.0), 3).split(". ")
    >>> print(first)
    Anybody who keeps all that your device sends can tell when your answer changed, and when an old one came back
    >>> print(second[:69])
    All that your device ever sends is at most 404 times likelier from th
    """
    life = Statement("life", level=lifetime(mechanism, answers).epsilon)
    return f"{english(Statement('changes'))} {english(life)}"


def changed_level(mechanism: Remembered, before: int, after: int) -> float:
    """The logarithm of how much so many reports before and after can speak for a changed answer; it has no limit.

    >>> import deniable as dn
    >>> m = dn.Remembered(dn.RandomizedResponse(16, 2.0), 1.0)
    >>> round(changed_level(m, 2, 2), 5), round(changed_level(m, 5, 5), 5)
    (3.23848, 9.88034)
    """
    promise = _checked(mechanism)._rounds_of.promise
    if not isinstance(promise, WholeReports):
        raise ParameterError("mechanism must keep or replace whole reports for this, got one of independent bits")
    rounds = (check_int(name, given, 1, MOST_ROUNDS) for name, given in (("before", before), ("after", after)))
    return promise.changed(mechanism._keep, *rounds)


def contrast_variance(
    mechanism: Remembered,
    weights: Iterable[float],
    shares: Iterable[float],
    both: Iterable[Iterable[float]],
    stay: Iterable[Iterable[float]],
    people: int,
    target: Target = "sample",
) -> float:
    """The variance of a weighted sum of one label's estimates on several days, from the same people.

    ``weights`` -1 and 1 make the difference of two days. ``shares`` are the label's on each day; ``both`` holds, for
    each pair of days, the share of people with the label on both, ``stay`` of those with any one label on both; the
    diagonals are not used. Where these are unknown, zeros give a difference of two days no less than its variance.

    >>> import deniable as dn
    >>> m = dn.Remembered(dn.RandomizedResponse(16, 2.0), 1.0)
    >>> both, stay = [[0, 0.15], [0.15, 0]], [[0, 0.7], [0.7, 0]]
    >>> round(contrast_variance(m, [-1, 1], [0.2, 0.25], both, stay, 1), 4)
    13.6004
    """
    n = check_users(people)
    check_choice("target", target, get_args(Target))
    weighted, held = _numbers("weights", weights), _numbers("shares", shares)
    days = len(weighted)
    if days != len(held):
        raise ParameterError(f"shares must be one per weight, got {len(held)} for {days}")
    pairs = _pairs("both", both, days), _pairs("stay", stay, days)
    supports = support_of(_checked(mechanism).law), support_of(mechanism.permanent.law)
    covariances = theory.day_covariances(*supports, held, *pairs, target)
    return float(weighted @ covariances @ weighted) / n


def some_rounds_variance(
    mechanism: Any, share: float, rounds: int, asked: int, people: int, *, by_answered: bool = False
) -> float:
    """The variance of a label's share in one round, where each person answers only ``asked`` of all ``rounds``.

    Which ones is drawn before anyone looks. Each answer is a report of its own, so a person spends ``asked`` times the
    level. Those who are silent count as 0; with ``by_answered`` the sum is divided by the number of those who answered,
    which is nearly unbiased.

    >>> import deniable as dn
    >>> one, four = (some_rounds_variance(dn.RandomizedResponse(2, 8 / r), 0.5, 100, r, 10_000) for r in (1, 4))
    >>> four < one
    True
    """
    total, n = check_int("rounds", rounds, 1), check_users(people)
    some = check_int("asked", asked, 1, total)
    held = _numbers("share", [share])
    return theory.some_rounds(support_of(mechanism.law), total, some, float(held[0]), by_answered=by_answered) / n


def _checked(mechanism: Any) -> Remembered:
    if not isinstance(mechanism, Remembered):
        raise ParameterError(f"mechanism must be a Remembered one, got {type(mechanism).__name__}")
    return mechanism


def _numbers(name: str, given: Any) -> Vector:
    """A row of finite numbers; shares must be from 0 to 1."""
    row = as_vector(given)
    if row is None or row.ndim != 1 or len(row) == 0 or not np.isfinite(row).all():
        raise ParameterError(f"{name} must be finite numbers in a row, got {type(given).__name__}")
    if name != "weights" and (row.min() < 0 or row.max() > 1):
        raise ParameterError(f"{name} must be from 0 to 1, got a number beyond")
    return row


def _pairs(name: str, given: Any, days: int) -> Matrix:
    """A symmetric table of shares, a row and a column per day."""
    rows = [] if isinstance(given, str) else [_numbers(name, row) for row in given]
    if len(rows) != days or any(len(row) != days for row in rows):
        raise ParameterError(f"{name} must be a table with a row and a column per day, {days} each, got {len(rows)}")
    table: Matrix = np.array(rows)
    if not np.array_equal(table, table.T):
        raise ParameterError(f"{name} must be the same for two days in either order, got a table that is not")
    return table
