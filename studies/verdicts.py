"""Verdicts: whether a paper's value agrees with ours, by which rule, and with what power.

Power is the probability that a check says "differs" if ours is really off by a quarter, or by twice the tolerance if
that is more. If no difference is found and the power is too low, the verdict is "cannot tell", not "agrees".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import scipy

from studies.sources import Source

MATTERS = 0.25
"""The relative difference that matters; at least twice the tolerance."""
ENOUGH = 0.9
"""The power from which a check can say that nothing differs."""
EVERY = "in every cell"
"""The rule of a check over the cells of a grid."""


class Verdict(StrEnum):
    """The outcome of a check."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNCLEAR = "cannot tell"


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison of our value with a reference; ``error`` is our standard error, 0 if ours is exact."""

    group: str
    what: str
    source: Source
    reference: float
    ours: float
    error: float
    rule: str
    verdict: Verdict
    power: float = 1.0
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the verdict is "agrees", not "differs" or "cannot tell"."""
        return self.verdict is Verdict.AGREES


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether a statement holds in one cell of a grid, as far as our surveys can tell."""

    verdict: Verdict
    power: float = 1.0


def near(
    group: str,
    what: str,
    source: Source,
    reference: float,
    ours: float,
    error: float = 0.0,
    relative: float = 0.05,
    errors: float = 3.0,
    note: str = "",
) -> Check:
    """A check that ours is within a share of the reference plus some standard errors of ours.

    >>> from studies.sources import printed
    >>> near("l1", "eps = 1", printed("Table 1"), reference=0.942, ours=0.950, error=0.004).verdict.value
    'agrees'
    """
    allowed = relative * abs(reference) + errors * error
    rule = f"{relative:.3g} of it + {errors:g} standard errors" if error else f"{relative:.3g} of it"
    power = _power(max(MATTERS, 2 * relative) * abs(reference), allowed, error)
    return Check(
        group, what, source, reference, ours, error, rule, _within(ours - reference, allowed, power), power, note
    )


def same(group: str, what: str, source: Source, reference: float, ours: float, digits: int, note: str = "") -> Check:
    """A check that our exact value, rounded to the decimals of the reference, equals it.

    >>> from studies.sources import printed
    >>> same("mse", "eps = 1", printed("Fig. 5"), reference=0.3874, ours=0.38738, digits=4).verdict.value
    'agrees'
    """
    half = 0.5 * 10.0**-digits * (1 + 1e-9)
    rule = f"{digits} digits after the point" if digits else "equal"
    return Check(group, what, source, reference, ours, 0.0, rule, _within(ours - reference, half), note=note)


def scored(
    group: str,
    what: str,
    source: Source,
    reference: float,
    ours: float,
    error: float,
    limit: float = 3.5,
    note: str = "",
) -> Check:
    """A check that the difference is within some of its standard errors.

    >>> from studies.sources import printed
    >>> scored("k-RR", "d = 2", printed("Table 1"), reference=0.5, ours=0.6, error=0.01).verdict.value
    'differs'
    """
    rule, power = f"{limit:g} standard errors", _power(MATTERS * abs(reference), limit * error, error)
    verdict = _within(ours - reference, limit * error, power)
    return Check(group, what, source, reference, ours, error, rule, verdict, power, note)


def at_most(
    group: str, what: str, source: Source, reference: float, ours: float, error: float = 0.0, errors: float = 3.5
) -> Check:
    """A check that ours exceeds the reference by at most some standard errors of ours.

    >>> from studies.sources import printed
    >>> at_most("ratio", "d = 410", printed("prop. III.5"), reference=0.5, ours=0.46).verdict.value
    'agrees'
    """
    rule = f"at most it + {errors:g} standard errors" if error else "at most it"
    power = _power(MATTERS * abs(reference), errors * error, error)
    verdict = _within(max(ours - reference, 0.0), errors * error, power)
    return Check(group, what, source, reference, ours, error, rule, verdict, power)


def in_every_cell(group: str, what: str, source: Source, cells: Sequence[Cell]) -> Check:
    """A check of a statement in every cell of a grid: it differs if it fails in any cell.

    >>> from studies.sources import sentence
    >>> said, open_cell = sentence("sect. 5"), Cell(Verdict.UNCLEAR, 0.2)
    >>> in_every_cell("said", "more is better", said, [Cell(Verdict.AGREES), open_cell]).note
    'holds in 1 of 2 cells; 1 cannot be told'
    """
    found = [cell.verdict for cell in cells]
    held, unclear = found.count(Verdict.AGREES), found.count(Verdict.UNCLEAR)
    verdict = Verdict.DIFFERS if Verdict.DIFFERS in found else Verdict.UNCLEAR if unclear else Verdict.AGREES
    note = f"holds in {held} of {len(cells)} cells" + (f"; {unclear} cannot be told" if unclear else "")
    power = min(cell.power for cell in cells)
    return Check(group, what, source, 1.0, held / len(cells), 0.0, EVERY, verdict, power, note)


def no_more(excess: float, error: float, slack: float, matters: float, errors: float = 4.0) -> Cell:
    """A cell of "this is not more than that": fails if the excess is beyond both the slack and the errors.

    ``matters`` is the excess that would have to be detected before the cell may be said to hold.

    >>> [no_more(x, 0.01, slack=0.01, matters=0.1).verdict.value for x in (0.0, 0.09)]
    ['agrees', 'differs']
    """
    allowed = max(slack, errors * error)
    power = _power(matters, allowed, error)
    if excess + errors * error <= matters:
        power = max(power, _power(matters, excess, error))
    return Cell(_within(max(excess, 0.0), allowed, power), power)


def more(excess: float, error: float, slack: float, matters: float, errors: float = 4.0) -> Cell:
    """A cell of "this is more than that": holds if an excess is found, fails if one would be found but is not.

    If it holds, the power is the probability that it would not have been said without an excess.

    >>> [more(x, e, slack=0.01, matters=0.1).verdict.value for x, e in ((0.09, 0.02), (0.0, 0.01), (0.05, 0.02))]
    ['agrees', 'differs', 'cannot tell']
    """
    allowed = max(slack, errors * error)
    if excess > allowed:
        return Cell(Verdict.AGREES, _power(allowed, 0.0, error))
    power = _power(matters, allowed, error)
    seen = power >= ENOUGH or -excess > allowed
    return Cell(Verdict.DIFFERS if seen else Verdict.UNCLEAR, power)


def _power(apart: float, allowed: float, error: float) -> float:
    """The probability that a normal estimate, so far from the reference, falls outside the allowed range."""
    return float(scipy.special.ndtr((apart - allowed) / error)) if error > 0 else float(apart >= allowed)


def _within(apart: float, allowed: float, power: float = 1.0) -> Verdict:
    if not abs(apart) <= allowed:  # so that NaN differs
        return Verdict.DIFFERS
    return Verdict.AGREES if power >= ENOUGH else Verdict.UNCLEAR
