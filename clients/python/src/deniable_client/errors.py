"""Every error that the client raises on purpose.

    DenialError
    ├── ParameterError    an argument of the wrong type, shape or range
    ├── LabelError        an answer that is none to its question; never shown
    ├── ReportError       bytes that no mechanism sends
    ├── FormatError       a spec or a survey that is altered or of another kind
    ├── CapacityError     something too large to compute, or beyond 64 bits
    ├── BudgetError       an answer that would exceed what its topic may cost
    ├── ConsentError      an answer before consent
    └── StoreError        a store that is damaged, of another version or in use

A message says what is wanted, then what came. A respondent's value is never part of one.
"""

from __future__ import annotations


class DenialError(Exception):
    """The base class of every error that the client raises on purpose."""


class ParameterError(DenialError, ValueError):
    """An argument has the wrong type, shape or range."""


class LabelError(DenialError, ValueError):
    """An answer is none to its question. The message never shows it."""


class ReportError(DenialError, ValueError):
    """A report or an answer is malformed."""


class FormatError(DenialError, ValueError):
    """A spec, a survey or another text is not in deniable's format."""


class CapacityError(DenialError, ValueError):
    """Something is too large to compute, or needs more than 64 bits."""


class BudgetError(DenialError, ValueError):
    """One more answer would exceed the cap of its topic; nothing was drawn or recorded."""


class ConsentError(DenialError, RuntimeError):
    """Nothing may be answered, because nobody has agreed."""


class StoreError(DenialError, RuntimeError):
    """A store is damaged, of another version or in use."""
