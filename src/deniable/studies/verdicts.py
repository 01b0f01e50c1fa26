"""A value of a paper beside ours: whether they agree, by which rule, and whether the rule could have told.

Power is the chance that a check says "differs" where ours really is a quarter off, or twice the tolerance where that
is more. Where nothing differs and the power is too low, the verdict is "cannot tell", not "agrees".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scipy.special import ndtr

from deniable.studies.sources import Source

MATTERS = 0.25
"""How far off ours must be, relatively, to matter; at least twice what is tolerated."""
ENOUGH = 0.9
"""The power from which a check can say that nothing differs."""


class Verdict(StrEnum):
    """What a check says."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNCLEAR = "cannot tell"


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison of ours with a reference. ``error`` is the standard error of ours, 0 where ours is exact."""

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
        """Whether the verdict is that they agree."""
        return self.verdict is Verdict.AGREES


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether a sentence holds in one cell of a grid, as far as our surveys can tell."""

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
    """Within a share of the reference plus so many standard errors of ours.

    >>> from deniable.studies.sources import printed
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
    """Equal when ours, which is exact, is rounded to the digits after the point that the reference has.

    >>> from deniable.studies.sources import printed
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
    """Within so many standard errors of the difference.

    >>> from deniable.studies.sources import printed
    >>> scored("k-RR", "d = 2", printed("Table 1"), reference=0.5, ours=0.6, error=0.01).verdict.value
    'differs'
    """
    rule, power = f"{limit:g} standard errors", _power(MATTERS * abs(reference), limit * error, error)
    verdict = _within(ours - reference, limit * error, power)
    return Check(group, what, source, reference, ours, error, rule, verdict, power, note)


def at_most(
    group: str, what: str, source: Source, reference: float, ours: float, error: float = 0.0, errors: float = 3.5
) -> Check:
    """Not above the reference by more than so many standard errors of ours.

    >>> from deniable.studies.sources import printed
    >>> at_most("ratio", "d = 410", printed("prop. III.5"), reference=0.5, ours=0.46).verdict.value
    'agrees'
    """
    rule = f"at most it + {errors:g} standard errors" if error else "at most it"
    power = _power(MATTERS * abs(reference), errors * error, error)
    verdict = _within(max(ours - reference, 0.0), errors * error, power)
    return Check(group, what, source, reference, ours, error, rule, verdict, power)


def in_every_cell(group: str, what: str, source: Source, cells: Sequence[Cell]) -> Check:
    """A sentence, held against every cell of a grid: it differs where it fails in one.

    >>> from deniable.studies.sources import sentence
    >>> said, open_cell = sentence("sect. 5"), Cell(Verdict.UNCLEAR, 0.2)
    >>> in_every_cell("said", "more is better", said, [Cell(Verdict.AGREES), open_cell]).note
    'holds in 1 of 2 cells; 1 cannot be told'
    """
    found = [cell.verdict for cell in cells]
    held, unclear = found.count(Verdict.AGREES), found.count(Verdict.UNCLEAR)
    verdict = Verdict.DIFFERS if Verdict.DIFFERS in found else Verdict.UNCLEAR if unclear else Verdict.AGREES
    note = f"holds in {held} of {len(cells)} cells" + (f"; {unclear} cannot be told" if unclear else "")
    power = min(cell.power for cell in cells)
    return Check(group, what, source, 1.0, held / len(cells), 0.0, "in every cell", verdict, power, note)


def no_more(excess: float, error: float, slack: float, matters: float, errors: float = 4.0) -> Cell:
    """A cell of "this is not more than that": fails where the excess is beyond the slack and beyond the errors.

    ``matters`` is an excess that must be seen to call it absent, or be more than so many errors away from ours.

    >>> [no_more(x, 0.01, slack=0.01, matters=0.1).verdict.value for x in (0.0, 0.09)]
    ['agrees', 'differs']
    """
    allowed = max(slack, errors * error)
    power = _power(matters, allowed, error)
    if excess + errors * error <= matters:
        power = max(power, _power(matters, excess, error))
    return Cell(_within(max(excess, 0.0), allowed, power), power)


def more(excess: float, error: float, slack: float, matters: float, errors: float = 4.0) -> Cell:
    """A cell of "this is more than that": holds where that is seen; fails where it would be seen, and is not.

    Where it holds, the power is the chance that it would not have been said if there were no excess.

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
    """The chance of a normal estimate that lies so far from the reference to come out beyond what is allowed."""
    return float(ndtr((apart - allowed) / error)) if error > 0 else float(apart >= allowed)


def _within(apart: float, allowed: float, power: float = 1.0) -> Verdict:
    if not abs(apart) <= allowed:  # so that NaN differs
        return Verdict.DIFFERS
    return Verdict.AGREES if power >= ENOUGH else Verdict.UNCLEAR
