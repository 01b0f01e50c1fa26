"""Who answers, as an app or a page tells people apart: what is kept of each is apart, and a survey takes the first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import ParameterError
from .ledger import PREFIX as LEDGER
from .store import Entries, Store, StoreSection

ANSWERED = re.compile(r"((?:of/[0-9a-f]{64}/)?)answer/([0-9a-f]{64})/")


class RespondentStore:
    """The part of a store that is of one respondent, whom any text names; None where nobody is told from others.

    What was spent is of the whole store, for else an app could ask again under another name; and for that reason
    whoever comes second does not answer. Of a survey for a kiosk each respondent has a turn, with a ledger.
    """

    def __init__(self, store: Store, respondent: str | None) -> None:
        self._store = store
        self._prefix = "" if respondent is None else f"of/{hashlib.sha256(respondent.encode()).hexdigest()}/"

    @contextmanager
    def transaction(self) -> Iterator[Entries]:
        """A transaction of the whole store, of which only this part is seen."""
        with self._store.transaction() as entries:
            yield Respondent(entries, self._prefix, (LEDGER,))


def check_first(entries: Entries, survey: str) -> None:
    """Nobody answers where another respondent has."""
    if isinstance(entries, Respondent) and entries.is_taken(survey):
        raise ParameterError(
            "a device must answer a survey for one respondent, got another after the first; a survey for a kiosk asks "
            "one person after another"
        )


class Respondent(StoreSection):
    """The entries of one respondent, and the ledger of all."""

    def is_taken(self, survey: str) -> bool:
        """Whether somebody else has answered the survey of a digest."""
        answers = map(ANSWERED.match, self.entries.keys(""))
        return any(each[2] == survey and each[1] != self.prefix for each in answers if each)
