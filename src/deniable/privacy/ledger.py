"""A ledger: the privacy that one person has spent on one value across surveys, with a cap that is never exceeded."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from deniable.privacy.guarantee_json import from_dict, to_dict
from deniable.privacy.running import Running
from deniable.protocol.errors import BudgetError, DenialError, FormatError, ParameterError
from deniable.protocol.privacy.composition import implies
from deniable.protocol.privacy.guarantees import Guarantee

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
    _running: Running = field(compare=False)

    def __init__(self, cap: Guarantee, entries: list[Entry] | None = None) -> None:
        if not isinstance(cap, Guarantee):
            raise ParameterError(f"cap must be a guarantee such as LDP(1.0), got {type(cap).__name__}")
        given: Any = [] if entries is None else entries
        if not isinstance(given, list) or any(not isinstance(entry, Entry) for entry in given):
            raise ParameterError("entries must be a list of entries, got something else")
        self._cap = cap
        self._entries = []
        self._running = Running()
        for entry in given:
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
            page: Any = json.loads(written)
            if page["version"] != VERSION or page["version"] is True:
                raise FormatError(f"a ledger must have version {VERSION}, got another; a newer release reads it")
            ledger = cls(from_dict(page["cap"], computed=True))
            for entry in page["entries"]:
                ledger.spend(from_dict(entry["guarantee"], computed=True), entry["survey"])
        except DenialError as error:
            raise FormatError(f"a ledger must hold surveys within its cap, got one that does not: {error}") from error
        except (TypeError, ValueError, KeyError, RecursionError):
            raise FormatError("a ledger must be the JSON that to_json writes, got something else") from None
        return ledger
