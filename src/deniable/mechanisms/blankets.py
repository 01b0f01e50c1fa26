"""What hides a mechanism's reports in a crowd: from its law where that tells, else from its channel or its promise."""

from __future__ import annotations

from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.theory.crowd.blanket import Blanket, exact_odds
from deniable.theory.crowd.channels import of_channel

MOST_LEVEL = 600.0
"""The largest level whose odds are a float."""


def blankets_of(mechanism: Mechanism, what: str = "mechanism") -> tuple[Blanket, ...]:
    """The blankets of a mechanism's reports: of the worst pair of values, or of all pairs where that is not known.

    A mechanism of which a crowd hides nothing is refused, as ``what``, with what would do instead.
    """
    if isinstance(mechanism, Remembered):
        raise _refused(what, mechanism, 'fresh reports, with repeat="fresh"')
    if mechanism.law.instead is not None:
        raise _refused(what, mechanism, mechanism.law.instead)
    known = mechanism.law.blanket()
    if known is not None:
        return (known,)
    try:
        blankets = of_channel(mechanism.channel().rows.listed())
    except CapacityError:  # too large to be written out
        return (_promised(mechanism, what),)
    if not blankets:
        raise _refused(what, mechanism, "one in which every value may send every report")
    return blankets


def _promised(mechanism: Mechanism, what: str) -> Blanket:
    """The largest blanket at the level of any two values."""
    level = mechanism.guarantee.plain
    if level > MOST_LEVEL:
        raise _refused(what, mechanism, "one that promises a level for any two values")
    return Blanket.generic(exact_odds(level))


def _refused(what: str, mechanism: Mechanism, instead: str) -> ParameterError:
    return ParameterError(f"{what} must have reports that a crowd hides, got {mechanism.name}; take {instead}")
