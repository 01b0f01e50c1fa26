"""A plan: all suitable mechanisms, ranked by their predicted error."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from deniable.estimation.frame import Frame
from deniable.estimation.table import Table, Tabled
from deniable.estimation.words import people
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import family_of
from deniable.planning.outlook import UNSEEN, USELESS, Outlook, points_in_words
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.guarantees import LDP, Guarantee, OneLevel
from deniable.protocol.privacy.informed import InformationPrivacy
from deniable.protocol.say import english
from deniable.theory.bounds import people_for_odds_ratio

HEADINGS = ("mechanism", "error per label", "bits per report", "leverage", "random words", "steps to decode")
REMEDIES = "Ask more people, or about fewer labels, or raise epsilon."
CLOSE = 1.02
"""Errors within this factor are called close when the plan explains its first choice."""


@dataclass(frozen=True, slots=True)
class RankedMechanism:
    """One mechanism with its predicted error and its costs.

    ``error`` is the root mean squared error of one label's share, averaged over the labels: at the worst truth, or
    under the prior if the guarantee has one. ``leverage`` is for how many people one fake report may count,
    ``words_per_report`` how many random 64-bit words are needed for one, ``decode_operations`` about how many additions
    turn a tally into estimates.
    """

    mechanism: Mechanism
    error: float
    report_bits: int
    leverage: float
    words_per_report: float
    decode_operations: float
    people_a_group: int | None = None
    """Where a ratio of odds is to be seen, how many people in each of two groups that takes."""
    given_name: str | None = None
    """What a mechanism that was given itself is called."""

    @property
    def name(self) -> str:
        """The mechanism's name, with symbols and cohorts for hashed ones."""
        return self.given_name or family_of(self.mechanism).planned_name(self.mechanism)

    @property
    def plain(self) -> bool:
        """Whether the mechanism keeps plain LDP too."""
        return isinstance(self.mechanism.guarantee, LDP)

    @classmethod
    def of(cls, mechanism: Mechanism, error: float, given_name: str | None = None) -> RankedMechanism:
        """The row of a mechanism with this error; its other numbers come from the mechanism."""
        return cls(
            mechanism,
            error,
            mechanism.report_bits,
            mechanism.law.leverage,
            mechanism.cost.words_per_report,
            mechanism.law.decode_operations,
            given_name=given_name,
        )


@dataclass(frozen=True, slots=True)
class Plan(Frame, Tabled):
    """Mechanisms for ``size`` labels, from the least error to the largest; ``best`` is the first.

    ``accuracy`` is its error, and ``solved`` names which was computed: that, epsilon or the number of users.

    >>> import deniable as dn
    >>> plan = dn.plan(16, epsilon=1.0, users=10_000)
    >>> plan.best.name, round(plan.accuracy, 4), plan.solved
    ('Subset', 0.018, 'accuracy')
    """

    guarantee: Guarantee
    size: int
    epsilon: float
    users: int
    accuracy: float
    solved: str
    rows: tuple[RankedMechanism, ...]
    left_out: tuple[str, ...] = ()
    """Of mechanisms that were named and are not ranked the reason, each as a sentence."""
    odds: tuple[float, float] | None = None
    """A ratio of odds that is to be seen, and the share of the first group."""
    least: float | None = None
    """An error that no mechanism under this guarantee falls below, if one is proven."""
    limit: float | None = None
    """``least`` as it is with very many people, scaled to this number of them, if it is proven."""

    def with_odds(self, ratio: float, share: float) -> Plan:
        """The plan with a column more: people a group until this ratio of odds is seen 4 times in 5, by a test at 5%.

        ``share`` of the first group hold the second of the two labels.

        >>> import deniable as dn
        >>> [row.people_a_group for row in dn.plan(["no", "yes"], 1.0, 5000).with_odds(2, 0.1).rows[:2]]
        [2442, 2442]
        """
        if self.size != 2 or self.texts:
            raise ParameterError(f"a ratio of odds must be of two labels, got {self.size} {self._things}")
        rows = [replace(row, people_a_group=people_for_odds_ratio(ratio, share, row.mechanism)) for row in self.rows]
        return replace(self, rows=tuple(rows), odds=(ratio, share))

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
            return f"{_name_and_title(first)} is predicted not to err, as far as floats can tell."
        error = f"{first.error:.3g}, or {points_in_words(first.error)}, in each label's share"
        lines = [f"{_name_and_title(first)} is predicted to err least: {error}."]
        if last.error > CLOSE * first.error:
            lines.append(f"{_name_and_title(last)} would err {last.error / first.error:.3g} times as much.")
        if self.texts:
            lines.append("Beside a name stand its symbols and its cohorts.")
        shorter = [
            row for row in self.rows[1:] if row.error <= CLOSE * first.error and row.report_bits < first.report_bits
        ]
        if shorter:
            row = min(shorter, key=lambda row: row.report_bits)
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

        >>> import deniable as dn
        >>> dn.plan(1000, epsilon=0.1, users=100).warnings[0].partition(":")[0]
        'Such a survey is of no use'
        """
        if self._is_useless:
            useless = f"Such a survey is of no use: calling all {self.size} equally frequent, without asking anybody, "
            return (f"{useless}errs by at most {self._error_without_asking:.3g}. {REMEDIES}",)
        if UNSEEN * self.accuracy >= USELESS:
            return (f"Beware: a share below about {UNSEEN * self.accuracy:.0%} cannot be told apart from 0%.",)
        return ()

    @property
    def _error_without_asking(self) -> float:
        """What calling all labels equally frequent errs by, at the worst truth."""
        return math.sqrt((1 - 1 / self.size) / self.size)

    @property
    def _is_useless(self) -> bool:
        return self.size > 1 and self.accuracy >= self._error_without_asking

    @property
    def outlook(self) -> Outlook | None:
        """What the least error means to people; None of a prior, whose error is not that of a share."""
        is_of_shares = not isinstance(self.guarantee, InformationPrivacy) and self.accuracy != 0
        return Outlook(self.accuracy, self.size, self.users) if is_of_shares else None

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

    @property
    def about(self) -> dict[str, Any]:
        """The question and the answer, but for the rows."""
        return {
            "guarantee": str(self.guarantee),
            "labels": self.size,
            "epsilon": self.epsilon,
            "users": self.users,
            "accuracy": self.accuracy,
            "solved": self.solved,
            "reason": self.reason,
            "outlook": None if self.outlook is None else self.outlook.to_dict(),
            "warnings": list(self.warnings),
            "left_out": list(self.left_out),
            "least": self.least,
            "limit": self.limit,
        } | ({} if self.odds is None else {"odds_ratio": self.odds[0], "share": self.odds[1]})

    @property
    def columns(self) -> dict[str, list[Any]]:
        numbers = [_numbers(row) for row in self.rows]
        return {"mechanism": [row.name for row in self.rows]} | {
            name: [each[name] for each in numbers] for name in numbers[0]
        }

    @property
    def named(self) -> tuple[str, ...]:
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values for JSON: the question, the answer, and each row with its mechanism's spec."""
        rows = [{"name": row.name, **_numbers(row), "spec": row.mechanism.spec()} for row in self.rows]
        return {**self.about, "rows": rows}

    def summary(self) -> str:
        """What to expect, in a few sentences that can be pasted into a proposal.

        >>> import deniable as dn
        >>> print(dn.plan(4, epsilon=1.0, users=10_000).summary())  # doctest: +NORMALIZE_WHITESPACE
        With 4 labels, epsilon 1, 10,000 people: RandomizedResponse errs least of 6 mechanisms. In 19 of 20 surveys a
        share is right within 2.8 points. A share below about 2.9% cannot be told apart from 0%. 10,000 people tell as
        much as 902 would who answered openly. A change of 5.7 points between two such surveys is found 4 times in 5. A
        difference of 8.1 points between two halves of the people is found 4 times in 5.
        """
        among = f"errs least of {len(self.rows)} mechanisms" if len(self.rows) > 1 else "is the mechanism for it"
        return " ".join([f"With {self._title}: {self.rows[0].name} {among}.", *self._outlooks, *self.warnings])

    @property
    def _title(self) -> str:
        promise = f"epsilon {self.epsilon:.6g}" if isinstance(self.guarantee, LDP) else str(self.guarantee)
        return f"{self.size} {self._things}, {promise}, {english(people(self.users))}"

    @property
    def _things(self) -> str:
        return "candidates" if self.texts else "labels"

    @property
    def _outlooks(self) -> tuple[str, ...]:
        """What to expect of a survey that is of some use."""
        return () if self._is_useless or self.outlook is None else self.outlook.sentences

    def table(self) -> Table:
        """A row for each mechanism, and below it the reason for the first."""
        notes = [self.reason, *self._beside_the_bound, *self._outlooks, *self.left_out, *self._about_odds]
        headings = [*HEADINGS, *([] if self.odds is None else ["people a group"])]
        return Table(self._title, headings, [_cells(row) for row in self.rows], notes)

    @property
    def _beside_the_bound(self) -> tuple[str, ...]:
        """How far the best row may be above the least error that is possible."""
        if self.least is None or self._is_useless or self.accuracy == 0:
            return ()
        times = above(self.accuracy / self.least)
        sentence = f"The first row is at most {times} what any mechanism can do with so many people"
        if self.limit is not None and self.accuracy <= self.limit * (1 + 1e-9):
            return (f"{sentence}; with ever more people, none does better (Ye and Barg, 2017).",)
        return (f"{sentence}.",)

    @property
    def _about_odds(self) -> tuple[str, ...]:
        """What the column of people a group is about, and what it would be without protection."""
        if self.odds is None:
            return ()
        ratio, share = self.odds
        sentences = (
            f"People a group: with so many in each of two groups, 4 of 5 surveys show that the odds of one are "
            f"{ratio:g} times those of the other, in which {100 * share:g} in 100 hold the second label. If everybody "
            f"answered openly, {people_for_odds_ratio(ratio, share, None):,} a group would do."
        )
        return (sentences,)


def _cells(row: RankedMechanism) -> list[str]:
    """The cells of a row in the table."""
    costs = (f"{row.leverage:.3g}", f"{row.words_per_report:.3g}", f"{float(f'{row.decode_operations:.2g}'):,.0f}")
    group = [] if row.people_a_group is None else [f"{row.people_a_group:,}"]
    return [row.name, f"{row.error:.3g}", f"{row.report_bits}", *costs, *group]


def above(times: float) -> str:
    """How far an error is above another that it is so many times.

    >>> above(1.034), above(3.5)
    ('3.4% above', '3.5 times')
    """
    return f"{100 * (times - 1):.2g}% above" if times < 2 else f"{times:.2g} times"


def _name_and_title(row: RankedMechanism) -> str:
    return row.given_name or f"{row.name} ({family_of(row.mechanism).title})"


def _numbers(row: RankedMechanism) -> dict[str, Any]:
    """The error and the costs of a row, by name, as far as they are known."""
    names = (field.name for field in fields(row) if field.name not in ("mechanism", "given_name"))
    return {name: value for name in names if (value := getattr(row, name)) is not None}
