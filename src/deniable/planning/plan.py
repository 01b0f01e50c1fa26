"""A plan: every mechanism beside the others, by the error it is predicted to make."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from rich.console import Console
from rich.table import Table

from deniable.domain import Domain, DomainLike
from deniable.errors import CapacityError, ParameterError
from deniable.mechanisms.cyclic import Cyclic
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import PLAIN
from deniable.privacy.guarantees import LDP
from deniable.theory.arguments import (
    LARGEST_EPSILON,
    SMALLEST_EPSILON,
    check_accuracy,
    check_epsilon,
    check_int,
    check_users,
)

CLOSE = 1.02
"""Errors this near each other are called close when the plan explains its first choice."""


@dataclass(frozen=True, slots=True)
class Row:
    """One mechanism and what it is predicted to cost.

    ``error`` is the root mean squared error of one label's share, averaged over the labels at the worst truth.
    """

    mechanism: Mechanism
    error: float
    report_bits: int
    leverage: float
    words_per_report: float
    decode_operations: float

    @property
    def name(self) -> str:
        """The mechanism's name."""
        return self.mechanism.name

    @classmethod
    def of(cls, mechanism: Mechanism, users: int) -> Row:
        """Predict for so many users."""
        return cls(
            mechanism,
            math.sqrt(mechanism.risk(users) / len(mechanism.domain)),
            mechanism.report_bits,
            mechanism.leverage,
            mechanism.words_per_report,
            mechanism.decode_operations,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """Mechanisms from the least error to the most; ``best`` is the first. ``solved`` names what was asked for."""

    size: int
    epsilon: float
    users: int
    accuracy: float
    solved: str
    rows: tuple[Row, ...]

    @property
    def best(self) -> Mechanism:
        """The mechanism of least predicted error."""
        return self.rows[0].mechanism

    @property
    def reason(self) -> str:
        """Why the first is first, and what comes close for less."""
        first, last = self.rows[0], self.rows[-1]
        lines = [f"{_named(first)} is predicted to err least: {first.error:.3g} in each label's share."]
        if last.error > CLOSE * first.error:
            lines.append(f"{_named(last)} would err {last.error / first.error:.3g} times as much.")
        near = [
            row for row in self.rows[1:] if row.error <= CLOSE * first.error and row.report_bits < first.report_bits
        ]
        if near:
            row = min(near, key=lambda row: row.report_bits)
            lines.append(
                f"{row.name} errs {row.error / first.error - 1:.2%} more, in {row.report_bits} bits a report "
                f"instead of {first.report_bits}."
            )
        return " ".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the question, the answer, and each row with its mechanism's spec."""
        rows = [{"name": row.name, **_numbers(row), "parameters": row.mechanism.parameters()} for row in self.rows]
        return {
            "labels": self.size,
            "epsilon": self.epsilon,
            "users": self.users,
            "accuracy": self.accuracy,
            "solved": self.solved,
            "reason": self.reason,
            "rows": rows,
        }

    def __str__(self) -> str:
        title = f"{self.size} labels, epsilon {self.epsilon:.6g}, {self.users} users"
        table = Table(title=title, title_justify="left")
        for heading in ("mechanism", "error a label", "bits a report", "one fake counts", "words to draw", "to decode"):
            table.add_column(heading, justify="left" if heading == "mechanism" else "right")
        for row in self.rows:
            table.add_row(
                row.name,
                f"{row.error:.3g}",
                f"{row.report_bits}",
                f"{row.leverage:.3g}",
                f"{row.words_per_report:.3g}",
                f"{row.decode_operations:.2g}",
            )
        page = Console(file=io.StringIO(), width=100, record=True)
        page.print(table)
        return page.export_text() + self.reason


def _named(row: Row) -> str:
    return f"{row.name} ({row.mechanism.title})"


def _numbers(row: Row) -> dict[str, Any]:
    return {part.name: getattr(row, part.name) for part in fields(row) if part.name != "mechanism"}


def plan(
    domain: DomainLike,
    epsilon: float | None = None,
    users: int | None = None,
    guarantee: LDP | None = None,
    max_bits: int | None = None,
    accuracy: float | None = None,
) -> Plan:
    """Rank every mechanism for a survey; of epsilon, users and accuracy, what is left out is solved for.

    ``accuracy`` is the root mean squared error wanted in one label's share. ``max_bits`` leaves only the mechanisms
    whose reports fit, with Cyclic's design chosen to fit.

    >>> plan(1000, epsilon=1.0, users=100_000).best.name
    'Subset'
    >>> plan(1000, epsilon=1.0, users=100_000, max_bits=11).best.name
    'Cyclic'
    >>> plan(2, epsilon=1.0, accuracy=0.01).users
    11707
    """
    labels = Domain.of(domain)
    if guarantee is not None:
        epsilon = _level(guarantee, epsilon)
    if (epsilon is None) + (users is None) + (accuracy is None) > 1:
        raise ParameterError(
            "plan must be given two of epsilon, users and accuracy, got fewer; it solves for the third"
        )
    if epsilon is not None and users is not None and accuracy is not None:
        raise ParameterError("plan must be given two of epsilon, users and accuracy, got all three; leave one out")
    if users is None:
        level, wanted = check_epsilon(epsilon), check_accuracy(accuracy)
        return _with(labels, level, _users_for(labels, level, wanted, max_bits), max_bits, "users")
    count = check_users(users)
    if epsilon is None:
        return _with(
            labels, _epsilon_for(labels, count, check_accuracy(accuracy), max_bits), count, max_bits, "epsilon"
        )
    return _with(labels, check_epsilon(epsilon), count, max_bits, "accuracy")


def _level(guarantee: object, epsilon: float | None) -> float:
    if not isinstance(guarantee, LDP) or epsilon not in (None, guarantee.epsilon):
        raise ParameterError("guarantee must be an LDP with the plan's epsilon, got another; leave epsilon out")
    return guarantee.epsilon


def _with(domain: Domain, epsilon: float, users: int, max_bits: int | None, solved: str) -> Plan:
    rows = sorted((Row.of(m, users) for m in _candidates(domain, epsilon, max_bits)), key=_rank)
    return Plan(len(domain), epsilon, users, rows[0].error, solved, tuple(rows))


def _rank(row: Row) -> tuple[float, int, float]:
    """By error; mechanisms that are the same by another name differ in the last digits only."""
    return float(f"{row.error:.9g}"), row.report_bits, row.decode_operations


def _candidates(domain: Domain, epsilon: float, max_bits: int | None) -> list[Mechanism]:
    least = (len(domain) - 1).bit_length()
    if max_bits is not None:
        check_int("max_bits", max_bits, least)
    made = [_try(family, domain, epsilon, max_bits) for family in PLAIN.values()]
    return [m for m in made if m is not None and (max_bits is None or m.report_bits <= max_bits)]


def _try(family: Callable[..., Mechanism], domain: Domain, epsilon: float, max_bits: int | None) -> Mechanism | None:
    """The mechanism, or None where this domain and epsilon have no exact odds for it."""
    try:
        made = family(domain, epsilon, max_bits=max_bits) if family is Cyclic else family(domain, epsilon)
        made.exact_ratio()
    except CapacityError:
        return None
    return made


def _least_error(domain: Domain, epsilon: float, users: int, max_bits: int | None) -> float:
    return min(Row.of(m, users).error for m in _candidates(domain, epsilon, max_bits))


def _users_for(domain: Domain, epsilon: float, accuracy: float, max_bits: int | None) -> int:
    """The squared error falls as 1/n."""
    return math.ceil(_least_error(domain, epsilon, 1, max_bits) ** 2 / accuracy**2)


def _epsilon_for(domain: Domain, users: int, accuracy: float, max_bits: int | None) -> float:
    """Bisection between the smallest and largest epsilon; the error falls as epsilon grows."""
    low, high = SMALLEST_EPSILON, LARGEST_EPSILON
    reachable = _least_error(domain, high, users, max_bits)
    if reachable > accuracy:
        raise ParameterError(
            f"accuracy must be at least {reachable:.3g} with {users} users, got accuracy={accuracy}; ask more people"
        )
    while high / low > 1 + 1e-6:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if _least_error(domain, middle, users, max_bits) <= accuracy else (middle, high)
    return high
