"""A plan: all suitable mechanisms, ranked by their predicted error."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from deniable.checks import (
    LARGEST_EPSILON,
    SMALLEST_EPSILON,
    check_accuracy,
    check_epsilon,
    check_int,
    check_users,
)
from deniable.errors import ParameterError
from deniable.estimation.table import Table
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import family_of
from deniable.planning.candidates import Wanted, candidates, noise_of, predicted_error, text_mechanisms
from deniable.privacy.composition import local_domain
from deniable.privacy.guarantees import LDP, Guarantee, OneLevel
from deniable.values.domain import Domain, DomainLike

MOST_OPEN = 12
"""How many rows a plan for an open alphabet has."""
CHANCE = 0.2
"""A plan warns if shares of this size would be lost in the noise."""
HEADINGS = ("mechanism", "error per label", "bits per report", "leverage", "words to draw", "to decode")
CLOSE = 1.02
"""Errors within this factor are called close when the plan explains its first choice."""


@dataclass(frozen=True, slots=True)
class Row:
    """One mechanism with its predicted error and its costs.

    ``error`` is the root mean squared error of one label's share, averaged over the labels: at the worst truth, or
    under the prior if the guarantee has one.
    """

    mechanism: Mechanism
    error: float
    report_bits: int
    leverage: float
    words_per_report: float
    decode_operations: float

    @property
    def name(self) -> str:
        """The mechanism's name, with symbols and cohorts for hashed ones."""
        return family_of(self.mechanism).planned_name(self.mechanism)

    @property
    def plain(self) -> bool:
        """Whether the mechanism keeps plain LDP too."""
        return isinstance(self.mechanism.guarantee, LDP)

    @classmethod
    def of(cls, mechanism: Mechanism, error: float) -> Row:
        """The row of a mechanism with this error; its other numbers come from the mechanism."""
        return cls(
            mechanism,
            error,
            mechanism.report_bits,
            mechanism.law.leverage,
            mechanism.cost.words_per_report,
            mechanism.law.decode_operations,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """Mechanisms from the least error to the largest; ``best`` is the first. ``solved`` names what was computed."""

    guarantee: Guarantee
    size: int
    epsilon: float
    users: int
    accuracy: float
    solved: str
    rows: tuple[Row, ...]

    @property
    def texts(self) -> bool:
        """Whether it is for texts that nobody listed."""
        return self.best.domain.size is None

    @property
    def best(self) -> Mechanism:
        """The mechanism with the least predicted error."""
        return self.rows[0].mechanism

    @property
    def reason(self) -> str:
        """Sentences that explain the ranking: the first row, and shorter reports with nearly the same error."""
        first, last = self.rows[0], self.rows[-1]
        if first.error == 0:  # with a prior or a level that leaves no doubt
            return f"{_named(first)} is predicted not to err, as far as floats can tell."
        lines = [f"{_named(first)} is predicted to err least: {first.error:.3g} in each label's share."]
        if last.error > CLOSE * first.error:
            lines.append(f"{_named(last)} would err {last.error / first.error:.3g} times as much.")
        if self.texts:
            lines.append("Beside a name stand its symbols and its cohorts.")
        near = [
            row for row in self.rows[1:] if row.error <= CLOSE * first.error and row.report_bits < first.report_bits
        ]
        if near:
            row = min(near, key=lambda row: row.report_bits)
            lines.append(
                f"{row.name} errs {row.error / first.error - 1:.2%} more, in {row.report_bits} bits per report "
                f"instead of {first.report_bits}."
            )
        if not isinstance(self.guarantee, LDP):
            lines.append(self._gain())
        return " ".join([*lines, *self.warnings])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on why the survey would be of little use, if it would.

        Calling all labels equally frequent without asking anyone errs by sqrt((1 - 1/d)/d) at the worst truth, so a
        survey with a larger error is useless.

        >>> plan(1000, epsilon=0.1, users=100).warnings[0].partition(":")[0]
        'Such a survey is of no use'
        """
        error, blind = self.accuracy, math.sqrt((1 - 1 / self.size) / self.size)
        if self.size > 1 and error >= blind:
            useless = f"Such a survey is of no use: calling all {self.size} equally frequent, without asking anybody, "
            return (f"{useless}errs by at most {blind:.3g}. Ask more people, or about fewer labels, or raise epsilon.",)
        if 2 * error >= CHANCE:
            return (f"Beware: a share below about {2 * error:.0%} cannot be told from none.",)
        return ()

    def _gain(self) -> str:
        """A sentence that compares the best mechanism with plain LDP at a level that keeps the guarantee too."""
        plain = next((row for row in self.rows if row.plain), None)
        if plain is None and isinstance(self.guarantee, OneLevel):
            return "What plain LDP would err was not worked out: there are too many labels."
        if plain is None:
            return "No level of plain LDP would keep this guarantee."
        times = plain.error / self.rows[0].error
        if times <= CLOSE:
            return "Plain LDP at this level does as well."
        return (
            f"Plain LDP that keeps the guarantee ({plain.name}) would err {times:.3g} times as much, "
            f"or need {times**2:.3g} times the people."
        )

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values for JSON: the question, the answer, and each row with its mechanism's spec."""
        rows = [{"name": row.name, **_numbers(row), "spec": row.mechanism.spec()} for row in self.rows]
        return {
            "guarantee": str(self.guarantee),
            "labels": self.size,
            "epsilon": self.epsilon,
            "users": self.users,
            "accuracy": self.accuracy,
            "solved": self.solved,
            "reason": self.reason,
            "warnings": list(self.warnings),
            "rows": rows,
        }

    def table(self) -> Table:
        """A row for each mechanism, and below it the reason for the first."""
        promise = f"epsilon {self.epsilon:.6g}" if isinstance(self.guarantee, LDP) else str(self.guarantee)
        things = "candidates" if self.texts else "labels"
        title = f"{self.size} {things}, {promise}, {self.users} users"
        return Table(title, HEADINGS, [_cells(row) for row in self.rows], [self.reason])

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _cells(row: Row) -> list[str]:
    """A row in words."""
    costs = (f"{row.leverage:.3g}", f"{row.words_per_report:.3g}", f"{row.decode_operations:.2g}")
    return [row.name, f"{row.error:.3g}", f"{row.report_bits}", *costs]


def _named(row: Row) -> str:
    return f"{row.name} ({family_of(row.mechanism).title})"


def _numbers(row: Row) -> dict[str, Any]:
    return {part.name: getattr(row, part.name) for part in fields(row) if part.name != "mechanism"}


def plan(
    domain: DomainLike | None = None,
    epsilon: float | None = None,
    users: int | None = None,
    guarantee: Guarantee | None = None,
    max_bits: int | None = None,
    accuracy: float | None = None,
    candidates: int | None = None,
    mechanisms: Iterable[str] | None = None,
) -> Plan:
    """Rank the mechanisms for a survey; of epsilon, users and accuracy the one left out is computed.

    ``accuracy`` is the root mean squared error wanted in one label's share. ``max_bits`` leaves only the mechanisms
    whose reports fit, with Cyclic's design chosen to fit. A ``guarantee`` stands for epsilon, and if it names its
    domain also for that; the mechanisms made for it are ranked beside plain LDP of its level. Instead of a domain,
    ``candidates`` is how many texts of an open alphabet will be looked for: hashed mechanisms, with their symbols.
    ``mechanisms`` names the families to rank; all of them unless given.

    >>> plan(1000, epsilon=1.0, users=100_000).best.name
    'Subset'
    >>> plan(1000, epsilon=1.0, users=100_000, max_bits=11).best.name
    'Cyclic'
    >>> plan(2, epsilon=1.0, accuracy=0.01).users
    11707
    """
    promise, chosen = _promise(guarantee, epsilon), Wanted.read(max_bits, mechanisms)
    if candidates is not None:
        return _open_plan(promise, domain, users, accuracy, check_int("candidates", candidates, 2), chosen)
    labels = _labels(domain, promise)
    _check_two(promise is not None, users is not None, accuracy is not None)
    if promise is not None and users is not None:
        return _with(labels, promise, check_users(users), chosen, "accuracy")
    wanted = _check_share(accuracy)
    if promise is not None:
        return _with(labels, promise, _users_for(labels, promise, wanted, chosen), chosen, "users")
    count = check_users(users)
    return _with(labels, LDP(_epsilon_for(labels, count, wanted, chosen)), count, chosen, "epsilon")


def _open_plan(
    promise: Guarantee | None,
    domain: DomainLike | None,
    users: int | None,
    accuracy: float | None,
    texts: int,
    wanted: Wanted,
) -> Plan:
    """The plan for an open alphabet: epsilon is given, and one of users and accuracy."""
    if not isinstance(promise, LDP) or domain is not None:
        raise ParameterError("candidates must go with epsilon and without a domain, got another guarantee or a domain")
    _check_two(True, users is not None, accuracy is not None)
    made = text_mechanisms(promise.epsilon, texts, wanted)
    if not made:
        raise ParameterError(
            f"max_bits must leave room for cohorts that tell {texts} candidates apart, got max_bits={wanted.max_bits}"
        )
    alone = {m: math.sqrt(noise_of(m, texts) / texts) for m in made}
    people = check_users(users) if users is not None else _people(min(alone.values()), _check_share(accuracy))
    rows = sorted((Row.of(m, error / math.sqrt(people)) for m, error in alone.items()), key=_rank)
    solved = "accuracy" if users is not None else "users"
    return Plan(promise, texts, promise.epsilon, people, rows[0].error, solved, tuple(rows[:MOST_OPEN]))


def _check_share(accuracy: Any) -> float:
    """The wanted error, checked to be a share below 1 and not a number of percentage points."""
    error = check_accuracy(accuracy)
    if error >= 1:
        meant = f"; for {error:g} percentage points give {error / 100:g}" if error < 100 else ""
        raise ParameterError(f"accuracy must be an error in a share, below 1, got accuracy={accuracy}{meant}")
    return error


def _people(error: float, accuracy: float) -> int:
    """How many people must be asked for this accuracy; at least one."""
    return max(math.ceil(error**2 / accuracy**2), 1)


def _promise(guarantee: object, epsilon: float | None) -> Guarantee | None:
    """The guarantee to keep; None if epsilon is to be solved for."""
    if guarantee is None:
        return None if epsilon is None else LDP(check_epsilon(epsilon))
    if not isinstance(guarantee, Guarantee) or epsilon not in (None, getattr(guarantee, "epsilon", None)):
        raise ParameterError("guarantee must be one with the plan's epsilon, got another; leave epsilon out")
    return guarantee


def _labels(domain: DomainLike | None, promise: Guarantee | None) -> Domain:
    own = None if promise is None else local_domain(promise)
    if domain is None:
        if own is None:
            raise ParameterError("domain must be given, or a guarantee that names its own, got neither")
        return own
    if own is None:
        return Domain.of(domain)
    if Domain.of(domain) != own:
        raise ParameterError("domain must be the guarantee's own, or left out, got another")
    return own


def _check_two(*known: bool) -> None:
    if sum(known) < 2:
        raise ParameterError(
            "plan must be given two of epsilon, users and accuracy, got fewer; it solves for the third"
        )
    if all(known):
        raise ParameterError("plan must be given two of epsilon, users and accuracy, got all three; leave one out")


def _with(domain: Domain, guarantee: Guarantee, users: int, wanted: Wanted, solved: str) -> Plan:
    found = _errors(domain, guarantee, users, wanted)
    rows = sorted((Row.of(m, error) for m, error in found), key=_rank)
    return Plan(guarantee, len(domain), guarantee.claimed, users, rows[0].error, solved, tuple(rows))


def _errors(domain: Domain, guarantee: Guarantee, users: int, wanted: Wanted) -> list[tuple[Mechanism, float]]:
    """Every mechanism that keeps the guarantee, with its predicted error; those without one are left out."""
    made = candidates(guarantee, domain, wanted)
    found = [(m, error) for m in made if (error := predicted_error(m, guarantee, users)) is not None]
    if not found:
        raise ParameterError("guarantee must leave labels that can be told apart, got one that no mechanism can serve")
    return found


def _rank(row: Row) -> tuple[float, int, float]:
    """Rows sorted by error, rounded so that equivalent mechanisms with different names tie."""
    return float(f"{row.error:.9g}"), row.report_bits, row.decode_operations


def _least_error(domain: Domain, guarantee: Guarantee, users: int, wanted: Wanted) -> float:
    return min(error for _, error in _errors(domain, guarantee, users, wanted))


def _users_for(domain: Domain, guarantee: Guarantee, accuracy: float, wanted: Wanted) -> int:
    """The number of users for this accuracy, since the squared error falls as 1/n."""
    return _people(_least_error(domain, guarantee, 1, wanted), accuracy)


def _epsilon_for(domain: Domain, users: int, accuracy: float, wanted: Wanted) -> float:
    """Bisection between the smallest and largest epsilon; the error falls as epsilon grows."""
    low, high = SMALLEST_EPSILON, LARGEST_EPSILON
    reachable = _least_error(domain, LDP(high), users, wanted)
    if reachable > accuracy:
        raise ParameterError(
            f"accuracy must be at least {reachable:.3g} with {users} users, got accuracy={accuracy}; ask more people"
        )
    while high / low > 1 + 1e-6:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if _least_error(domain, LDP(middle), users, wanted) <= accuracy else (middle, high)
    return high
