"""A ledger: the privacy that one person has spent on one value across surveys, with a cap that is never exceeded."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self, TypeAlias

from deniable.checks import odd_one
from deniable.privacy.guarantee_json import from_dict, to_dict
from deniable.protocol.checks import shown
from deniable.protocol.errors import BudgetError, DenialError, FormatError, ParameterError
from deniable.protocol.privacy.composition import as_pairwise, composed, implies
from deniable.protocol.privacy.context import Blocks, HighLow, Pairwise
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.informed import InformationPrivacy
from deniable.protocol.privacy.levels import provable
from deniable.protocol.values import Domain

VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One survey that was answered: its name and its guarantee."""

    survey: str
    guarantee: Guarantee


@dataclass(init=False, repr=False, slots=True)
class Ledger:
    """The surveys that a person has answered about one value, or about values that reveal each other.

    All of them together are proven to keep the ``cap``, which may be any guarantee; a survey that would exceed it is
    refused, and nothing is recorded. Levels add as the decimals that people write.

    >>> from deniable.protocol.privacy.guarantees import LDP
    >>> ledger = Ledger(LDP(1.0))
    >>> ledger.spend(LDP(0.7), "March"); ledger.spend(LDP(0.3), "June"); str(ledger.spent)
    '1-LDP'
    """

    _cap: Guarantee
    _entries: list[Entry]
    _running: RunningComposition = field(compare=False)

    def __init__(self, cap: Guarantee, entries: list[Entry] | None = None) -> None:
        if not isinstance(cap, Guarantee):
            raise ParameterError(f"cap must be a guarantee such as LDP(1.0), got {type(cap).__name__}")
        listed: Any = [] if entries is None else entries
        if not isinstance(listed, list) or any(not isinstance(entry, Entry) for entry in listed):
            raise ParameterError(f"entries must be a list of entries, got {odd_one(listed, Entry)}")
        self._cap = cap
        self._entries = []
        self._running = RunningComposition()
        for entry in listed:
            self.spend(entry.guarantee, entry.survey)

    @property
    def cap(self) -> Guarantee:
        """The guarantee that all surveys together must keep."""
        return self._cap

    @property
    def entries(self) -> list[Entry]:
        """The surveys so far, as a copy: only ``spend`` adds one."""
        return list(self._entries)

    def __repr__(self) -> str:
        return f"Ledger(cap={self._cap!r}, entries={self._entries!r})"

    def __copy__(self) -> Ledger:
        return Ledger(self._cap, self._entries)

    @property
    def spent(self) -> Guarantee | None:
        """The guarantee that all surveys so far keep together; None before the first."""
        return self._running.spent

    def allows(self, guarantee: Guarantee) -> bool:
        """Whether one more survey with this guarantee would stay within the cap; records nothing."""
        if not isinstance(guarantee, Guarantee):
            raise ParameterError(f"guarantee must be one such as LDP(1.0), got {type(guarantee).__name__}")
        return implies(self._running.plus(guarantee), self._cap)

    def spend(self, guarantee: Guarantee, survey: Any = "") -> None:
        """Record a survey before it is answered; if it would exceed the cap, raise BudgetError and record nothing."""
        if not isinstance(survey, str):
            raise ParameterError(f"survey must be text, got {type(survey).__name__}")
        if not self.allows(guarantee):
            spent = "nothing" if self.spent is None else self.spent
            raise BudgetError(f"the ledger must stay within {self.cap}, got {guarantee} on top of {spent}")
        self._running.add(guarantee)
        self._entries.append(Entry(survey, guarantee))

    def to_json(self) -> str:
        """The ledger as JSON text: version, cap and entries, for ``from_json``."""
        entries = [{"survey": entry.survey, "guarantee": to_dict(entry.guarantee)} for entry in self._entries]
        return json.dumps({"version": VERSION, "cap": to_dict(self.cap), "entries": entries}, ensure_ascii=False)

    @classmethod
    def from_json(cls, written: str) -> Ledger:
        """The ledger that ``to_json`` wrote; entries that exceed the cap are refused."""
        try:
            fields: Any = json.loads(written)
            if fields["version"] != VERSION or fields["version"] is True:
                raise FormatError(
                    f"a ledger must have version {VERSION}, got {shown(fields['version'])}; a newer release reads it"
                )
            ledger = cls(from_dict(fields["cap"], computed=True))
            for entry in fields["entries"]:
                ledger.spend(from_dict(entry["guarantee"], computed=True), entry["survey"])
        except DenialError as error:
            raise FormatError(f"a ledger must hold surveys within its cap, got one that does not: {error}") from error
        except (TypeError, ValueError, KeyError, RecursionError):
            raise FormatError("a ledger must be the JSON that to_json writes, got text without its fields") from None
        return ledger


# --- a composition that grows -----------------------------------------------------------------------------------------

Decimal: TypeAlias = Fraction | float
"""An exact sum of decimals, or infinity."""


class RunningComposition:
    """A composition that grows one guarantee at a time; ``spent`` is the composition so far, None before the first.

    >>> import deniable as dn
    >>> running = RunningComposition()
    >>> for _ in range(3):
    ...     running.add(dn.LDP(0.1))
    >>> running.spent, running.plus(dn.LDP(0.7))
    (LDP(epsilon=0.3), LDP(epsilon=1.0))
    """

    def __init__(self) -> None:
        self.spent: Guarantee | None = None
        self._parts: list[Guarantee] = []
        self._sum: GuaranteeSum | None = None

    def plus(self, guarantee: Guarantee) -> Guarantee:
        """The composition of all so far and one more guarantee; changes nothing."""
        return self._composed_with(guarantee)[0]

    def add(self, guarantee: Guarantee) -> None:
        """Add a guarantee to the composition."""
        self.spent, self._sum = self._composed_with(guarantee)
        self._parts.append(guarantee)

    def _composed_with(self, guarantee: Guarantee) -> tuple[Guarantee, GuaranteeSum | None]:
        """The composition with one more guarantee, and the running sum behind it if its kind has one."""
        if self.spent is None:
            return guarantee, None
        shape = composed([self.spent, guarantee])  # refuses what does not compose, and gives the kind of the sum
        kind = SUMS.get(type(shape))
        if kind is None:
            return composed([*self._parts, guarantee]), None
        before = self._sum
        if not isinstance(before, kind):
            before = kind.empty(shape)
            for part in self._parts:
                before = before.plus(part)
        after = before.plus(guarantee)
        return after.as_guarantee(shape), after


class GuaranteeSum(ABC):
    """A running sum of levels that turns into a guarantee of the same kind as a given ``shape``.

    It is kept in the exact decimals that ``composed`` adds, so that both give the same result to the last digit, and
    one more part costs the same however many there were before.
    """

    @classmethod
    @abstractmethod
    def empty(cls, shape: Guarantee) -> Self:
        """The sum over no guarantees."""

    @abstractmethod
    def plus(self, part: Guarantee) -> Self:
        """The sum with one more guarantee."""

    @abstractmethod
    def as_guarantee(self, shape: Guarantee) -> Guarantee:
        """The guarantee with the summed level, of the kind of ``shape``."""


@dataclass(frozen=True, slots=True)
class LevelSum(GuaranteeSum):
    """The sum for guarantees that differ only in their level."""

    total: Decimal = Fraction(0)

    @classmethod
    def empty(cls, shape: Guarantee) -> Self:
        return cls()

    def plus(self, part: Guarantee) -> Self:
        return type(self)(self.total + decimal(part.claimed))

    def as_guarantee(self, shape: Guarantee) -> Guarantee:
        return shape.at(float(self.total))


@dataclass(frozen=True, slots=True)
class PairSum(GuaranteeSum):
    """The sum for pairwise guarantees, level by level."""

    domain: Domain
    totals: tuple[tuple[Decimal, ...], ...]

    @classmethod
    def empty(cls, shape: Guarantee) -> Self:
        domain = shape.order or Domain.of(2)
        return cls(domain, ((Fraction(0),) * len(domain),) * len(domain))

    def plus(self, part: Guarantee) -> Self:
        levels = as_pairwise(part, self.domain).matrix
        rows = zip(self.totals, levels, strict=True)
        return type(self)(self.domain, tuple(tuple(t + decimal(e) for t, e in zip(*row, strict=True)) for row in rows))

    def as_guarantee(self, shape: Guarantee) -> Guarantee:
        """The pairwise guarantee of the sums; those beyond the largest provable level become infinite."""
        return Pairwise(self.domain, provable(map(float, row) for row in self.totals))


@dataclass(frozen=True, slots=True)
class InformedSum(GuaranteeSum):
    """Sums of levels: of information privacy (``informed``), twice but for the ``largest``, and of plain LDP."""

    informed: Decimal = Fraction(0)
    largest: Decimal = Fraction(0)
    plain: Decimal = Fraction(0)

    @classmethod
    def empty(cls, shape: Guarantee) -> Self:
        return cls()

    def plus(self, part: Guarantee) -> Self:
        if not isinstance(part, InformationPrivacy):
            return type(self)(self.informed, self.largest, self.plain + decimal(part.plain))
        level = decimal(part.epsilon)
        return type(self)(self.informed + level, max(self.largest, level), self.plain)

    def as_guarantee(self, shape: Guarantee) -> Guarantee:
        total = math.inf if self.informed == math.inf else float(2 * self.informed - self.largest + self.plain)
        return shape.at(total)


def decimal(level: float) -> Decimal:
    """The exact value of the decimal that a level is written as.

    >>> decimal(0.1), decimal(math.inf)
    (Fraction(1, 10), inf)
    """
    return math.inf if level == math.inf else Fraction(repr(float(level)))


SUMS: Mapping[type[Guarantee], type[GuaranteeSum]] = {
    **dict.fromkeys((LDP, HighLow, Blocks, Distance), LevelSum), Pairwise: PairSum, InformationPrivacy: InformedSum,
}  # fmt: skip
"""The kind of sum of guarantees that compose to one of these; of others all are composed again."""
