"""Every error that deniable raises on purpose, on devices and elsewhere, drawn as a tree.

    DenialError
    ├── ParameterError    an argument of the wrong type, shape or range
    │   └── DomainError   labels that cannot be a domain: a single one, duplicates, or types that cannot be stored
    ├── LabelError        values that are not labels of the domain, or no answers; counted, never shown
    ├── ReportError       malformed reports; the whole batch is refused
    ├── BudgetError       one more answer or survey than a topic's or a ledger's cap allows
    ├── TallyError        tallies that do not belong together, or too many users for 64 bits
    ├── FormatError       bytes, texts or files that are truncated, altered or of another kind
    ├── CapacityError     something too large to compute or to store, or beyond 64 bits
    ├── ConsentError      an answer before consent
    └── StoreError        a device's or a collector's storage that is damaged, of another kind or version, or in use

A message says what is wanted, then what came: ``epsilon must be a finite number above 0, got epsilon=-1``.
A respondent's value is never part of one.
"""

from __future__ import annotations

from .say import Phrase, english


class DenialError(Exception):
    """The base class of every error that deniable raises on purpose.

    A message that authors of surveys may read is a statement, which each reads in their own language.
    """

    def __init__(self, message: Phrase) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return english(self.message)


class ParameterError(DenialError, ValueError):
    """An argument has the wrong type, shape or range."""


class DomainError(ParameterError):
    """A set of labels cannot serve as a domain."""


class LabelError(DenialError, ValueError):
    """Some values are not labels of the domain, or no answers. The message counts them and never shows them."""

    def __init__(self, message: Phrase, first: int | None = None) -> None:
        """``first`` is the position, from 0, at which the message says that the first of them stands."""
        super().__init__(message)
        self.first = first

    def within(self, place: str) -> LabelError:
        """The same of a named part of the answers."""
        return LabelError(f"{place}: {self}", self.first)

    def placed(self, words: str) -> str:
        """The message with other words for where the first of them stands, such as "is row 7".

        >>> LabelError("got 1 of 9 that are not (the first at position 6)", 6).placed("is row 7")
        'got 1 of 9 that are not (the first is row 7)'
        """
        return str(self).replace(f"the first at position {self.first}", f"the first {words}")


class ReportError(DenialError, ValueError):
    """Reports are malformed; nothing of the batch was counted."""


class BudgetError(DenialError, ValueError):
    """One more answer or survey would exceed a cap; nothing was drawn or recorded."""


class TallyError(DenialError, ValueError):
    """Tallies do not belong together, or hold too many users."""


class FormatError(DenialError, ValueError):
    """Bytes, a text or a file are truncated, altered, or not in deniable's format."""


class CapacityError(DenialError, ValueError):
    """Something is too large to compute or to store, or needs more than 64 bits."""


class ConsentError(DenialError, RuntimeError):
    """Nothing may be answered, because nobody has agreed."""


class StoreError(DenialError, RuntimeError):
    """A storage is damaged, of another kind or version, or in use."""
