"""A printed value beside ours: whether they agree, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison. ``error`` is the standard error of ours, 0 where ours is exact."""

    group: str
    what: str
    printed: float
    ours: float
    error: float
    rule: str
    agrees: bool
    note: str = ""

    @property
    def verdict(self) -> str:
        """In a word."""
        return "agrees" if self.agrees else "differs"


def near(
    group: str,
    what: str,
    printed: float,
    ours: float,
    error: float = 0.0,
    relative: float = 0.05,
    errors: float = 3.0,
    note: str = "",
) -> Check:
    """Within a share of the printed value plus so many standard errors of ours.

    >>> near("l1", "eps = 1", printed=0.942, ours=0.950, error=0.004).verdict
    'agrees'
    """
    apart = abs(ours - printed)
    rule = f"{relative:.3g} of it + {errors:g} standard errors" if error else f"{relative:.3g} of it"
    return Check(group, what, printed, ours, error, rule, apart <= relative * abs(printed) + errors * error, note)


def same(group: str, what: str, printed: float, ours: float, digits: int, note: str = "") -> Check:
    """Equal when ours, which is exact, is rounded to the digits after the point that were printed.

    >>> same("mse", "eps = 1", printed=0.3874, ours=0.38738, digits=4).verdict
    'agrees'
    """
    half = 0.5 * 10.0**-digits * (1 + 1e-9)
    rule = f"{digits} digits after the point" if digits else "equal"
    return Check(group, what, printed, ours, 0.0, rule, abs(ours - printed) <= half, note)


def scored(
    group: str, what: str, printed: float, ours: float, error: float, limit: float = 3.5, note: str = ""
) -> Check:
    """Within so many standard errors of the difference.

    >>> scored("k-RR", "d = 2", printed=0.5, ours=0.6, error=0.01).verdict
    'differs'
    """
    agrees = abs(ours - printed) <= limit * error
    return Check(group, what, printed, ours, error, f"{limit:g} standard errors", agrees, note)
