"""Every error that deniable raises on purpose, drawn as a tree.

    DenialError
    ├── ParameterError    an argument of the wrong type, shape or range
    ├── DomainError       labels that cannot be a domain: a single one, duplicates, or types that cannot be stored
    ├── LabelError        values that are not labels of the domain; counted, never shown
    ├── ReportError       malformed reports; the whole batch is refused
    ├── BudgetError       a survey that would exceed the cap of a person's ledger
    ├── TallyError        tallies that do not belong together, or too many users for 64 bits
    ├── FormatError       bytes or files that are truncated, altered or of another kind
    ├── CapacityError     an exact answer that is too large to compute or to store
    └── StoreError        a collector's storage that cannot be read or written, or is another one

A message says what is wanted, then what came: ``epsilon must be a finite number above 0, got epsilon=-1``.
A respondent's value is never part of one.
"""


class DenialError(Exception):
    """The base class of every error that deniable raises on purpose."""


class ParameterError(DenialError, ValueError):
    """An argument has the wrong type, shape or range."""


class DomainError(DenialError, ValueError):
    """A set of labels cannot serve as a domain."""


class LabelError(DenialError, ValueError):
    """Some values are not labels of the domain. The message counts them and never shows them."""


class ReportError(DenialError, ValueError):
    """Reports are malformed; nothing of the batch was counted."""


class BudgetError(DenialError, ValueError):
    """One more survey would exceed the ledger's cap; nothing was recorded."""


class TallyError(DenialError, ValueError):
    """Tallies do not belong together, or hold too many users."""


class FormatError(DenialError, ValueError):
    """Bytes or a file are truncated, altered, or not in deniable's format."""


class CapacityError(DenialError, ValueError):
    """An exact answer is too large to compute or to store."""


class StoreError(DenialError):
    """A collector's storage cannot be read or written, or is of another kind or version."""
