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

    >>> import deniable as dn
    >>> try:
    ...     dn.Subset(1, epsilon=1.0)
    ... except dn.DenialError as error:
    ...     type(error).__name__
    'DomainError'
    """

    def __init__(self, message: Phrase) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return english(self.message)


class ParameterError(DenialError, ValueError):
    """An argument has the wrong type, shape or range.

    >>> import deniable as dn
    >>> dn.Subset(4, epsilon=-1.0)
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.ParameterError: epsilon must be a finite number above 0, got epsilon=-1.0
    """


class DomainError(ParameterError):
    """A set of labels cannot serve as a domain.

    >>> import deniable as dn
    >>> dn.Subset(["yes", "yes"], epsilon=1.0)
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.DomainError: domain must not repeat a label, got 1 repeated
    """


class LabelError(DenialError, ValueError):
    """Some values are not labels of the domain, or no answers. The message counts them and never shows them.

    >>> import deniable as dn
    >>> dn.Subset(["yes", "no"], epsilon=1.0).privatize("maybe")
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.LabelError: the value must be one of the domain's labels, got one that is not
    """

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
    """Reports are malformed; nothing of the batch was counted.

    >>> import deniable as dn
    >>> dn.RandomizedResponse(2, epsilon=1.0).tally([0, 7])
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.ReportError: every report must be an integer from 0 to 1, got 1 of 2 ...
    """


class BudgetError(DenialError, ValueError):
    """One more answer or survey would exceed a cap; nothing was drawn or recorded.

    >>> import deniable as dn
    >>> dn.Ledger(dn.LDP(1.0)).spend(dn.LDP(2.0), "March")
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.BudgetError: the ledger must stay within 1-LDP, got 2-LDP on top of nothing
    """


class TallyError(DenialError, ValueError):
    """Tallies do not belong together, or hold too many users.

    >>> import deniable as dn
    >>> strong, weak = dn.Subset(4, epsilon=1.0), dn.Subset(4, epsilon=2.0)
    >>> weak.tally([]) + strong.tally([])
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.TallyError: only tallies of one spec add, got digests 63dfe42ce686 and ...
    """


class FormatError(DenialError, ValueError):
    """Bytes, a text or a file are truncated, altered, or not in deniable's format.

    >>> import deniable as dn
    >>> dn.from_spec("{")
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.FormatError: a spec must be JSON without a key twice, NaN or infinity, got ...
    """


class CapacityError(DenialError, ValueError):
    """Something is too large to compute or to store, or needs more than 64 bits.

    >>> import deniable as dn
    >>> dn.Rappor(60, epsilon=1.0).channel()
    Traceback (most recent call last):
      ...
    deniable.protocol.errors.CapacityError: a channel must have at most 262144 cells to be written out, ...
    """


class ConsentError(DenialError, RuntimeError):
    """Nothing may be answered, because nobody has agreed."""


class StoreError(DenialError, RuntimeError):
    """A storage is damaged, of another kind or version, or in use.

    >>> import deniable as dn
    >>> issubclass(dn.StoreError, (dn.DenialError, RuntimeError))
    True
    """
