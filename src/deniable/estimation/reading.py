"""A reading: an estimate with the intervals asked for, and all that must be said beside it. Every face formats one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from deniable.arrays import Flags, Indices, Matrix, Vector
from deniable.checks import check_distribution, check_shares
from deniable.estimation.bars import Bar
from deniable.estimation.frame import Frame
from deniable.estimation.share import (
    IMPOSSIBLE,
    Estimated,
    Row,
    cells,
    digits_of,
    is_impossible,
    lies_outside,
    these_outside,
    unbiased_outside,
)
from deniable.estimation.table import Table, Tabled, printable
from deniable.protocol.checks import SLACK, near
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english
from deniable.theory.risk.variance import Target

Truth: TypeAlias = Iterable[float] | Mapping[Any, float]
"""Shares in the order of the labels, or by label."""
MOST, LARGEST = 40, 20
"""Tables show so many labels in their own order; of more labels, so many with the largest shares."""
LUCK = (
    "The largest of many shares are partly luck, and each interval holds on its own; simultaneous ones allow for that."
)
NOTHING_TOLD = 0.9
"""An interval of such a width says next to nothing."""
VAGUE = "Where an interval spans nearly all from 0% to 100%, too few answered: the share says nothing there."


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Reading(Frame, Tabled):
    """An estimate as it is shown: its rows, the notes on what they mean, and warnings against misreading them.

    Printed it is a table, in a notebook HTML with the intervals drawn.

    >>> import deniable as dn
    >>> survey = dn.simulate(dn.RandomizedResponse(["yes", "no"], 2.0), [0.3, 0.7], users=1000, seed=1)
    >>> print(Reading(survey, level=0.9, truth=[0.3, 0.7]))
    RandomizedResponse(2 labels, epsilon=2.0): 1,000 people, decoder projected
     label   share     90% interval   people   truth
     ───────────────────────────────────────────────
     yes     31.1%   27.8% to 34.5%      311   30.0%
     no      68.9%   65.5% to 72.2%      689   70.0%
    """

    estimate: Estimated
    level: float
    simultaneous: bool
    target: Target
    truth: Vector | None
    bounds: Matrix

    def __init__(
        self,
        estimate: Estimated,
        level: float = 0.95,
        simultaneous: bool = False,
        target: Target = "population",
        truth: Truth | None = None,
    ) -> None:
        check = check_distribution if estimate.adds_up and estimate.unlisted is None else check_shares
        known = None if truth is None else check("truth", in_order(truth, estimate.labels), len(estimate.labels))
        bounds = estimate.interval(level, simultaneous, target)
        options = {"level": level, "simultaneous": simultaneous, "target": target}
        for name, value in {"estimate": estimate, **options, "truth": known, "bounds": bounds}.items():
            object.__setattr__(self, name, value)

    # --- what is read -------------------------------------------------------------------------------------------

    @property
    def outside(self) -> Flags:
        """Which shares lie outside their own intervals."""
        return lies_outside(self.estimate.frequencies, self.bounds)

    @property
    def interval_name(self) -> str:
        """Level and kind of the intervals."""
        whose = " of the people asked" if self.target == "sample" else ""
        return f"{100 * self.level:.10g}% interval{whose}{', all at once' if self.simultaneous else ''}"

    def largest(self, k: int) -> Indices:
        """The places of the ``k`` largest shares, the largest first."""
        return np.argsort(-self.estimate.frequencies, kind="stable")[:k]

    def places(self, most: int, largest: int) -> Indices:
        """All labels in their own order if they are at most so many, else so many with the largest shares."""
        d = len(self.estimate.labels)
        return np.arange(d) if d <= most else self.largest(largest)

    def rows(self, places: Indices | None = None) -> list[Row]:
        """The rows of these places, or of all labels."""
        e = self.estimate
        shown = np.arange(len(e.labels)) if places is None else places
        truth = [None] * len(shown) if self.truth is None else self.truth[shown].tolist()
        numbers = (e.frequencies, self.bounds[:, 0], self.bounds[:, 1], self.outside, e.counts)
        columns = zip(*(values[shown].tolist() for values in numbers), truth, strict=True)
        return [Row(e.labels[j], *row) for j, row in zip(shown.tolist(), columns, strict=True)]

    @property
    def notes(self) -> tuple[str, ...]:
        """What counts could not tell, or was approximated."""
        return self.estimate.notes

    def warnings(self, places: Indices | None = None) -> tuple[str, ...]:
        """How not to misread the rows of these places, or of all labels. The first is of shares that were moved."""
        outside = self.outside if places is None else self.outside[places]
        moved = self._moved(int(np.count_nonzero(outside)))
        luck = len(outside) < len(self.estimate.labels) and not self.simultaneous
        impossible = (f"Not possible. {english(IMPOSSIBLE)}",) if is_impossible(self.estimate) else ()
        bounds = self.bounds if places is None else self.bounds[places]
        vague = (VAGUE,) * bool((np.diff(bounds) > NOTHING_TOLD).any())
        return (*moved, *vague, *((LUCK,) if luck else ()), *impossible)

    def _moved(self, shares: int) -> tuple[str, ...]:
        """Why shares may lie outside their intervals, if some do."""
        if not shares:
            return ()
        decoder = self.estimate.decoder
        if decoder == "unbiased":
            return (unbiased_outside(shares),)
        why = f"which belongs to the unbiased share: the {decoder} decoder moved it"
        whys = f"which belong to the unbiased shares: the {decoder} decoder moved them"
        return (f"{these_outside(shares)}, {why if shares == 1 else whys}.",)

    # --- for people ---------------------------------------------------------------------------------------------

    def table(self) -> Table:
        """The labels in their own order, or the largest shares; a star marks a share outside its interval."""
        e, places = self.estimate, self.places(MOST, LARGEST)
        rows = self.rows(places)
        digits = digits_of(e.stderr)
        return Table(
            f"{e.title}: {e.n:,} {'person' if e.n == 1 else 'people'}, decoder {e.decoder}",
            ("label", "share", self.interval_name, "people", *(() if self.truth is None else ("truth",))),
            [cells(row, digits) for row in rows],
            self._below(places),
            [Bar(row.frequency, row.low, row.high, row.outside, row.truth) for row in rows],
        )

    def _below(self, places: Indices) -> list[str]:
        """The lines under a table of these places."""
        left_out, unlisted = len(self.estimate.labels) - len(places), self.estimate.unlisted
        lines = [f"... and {left_out:,} more labels with smaller shares; CSV and JSON list all"] if left_out else []
        if unlisted is not None:
            lines.append(f"not listed: {unlisted[0]:.2%}, standard error {unlisted[1]:.2%}")
        lines += [f"note: {note}" for note in self.notes]
        warnings = self.warnings(places)
        if self.outside[places].any():
            warnings = (f"* {warnings[0]}", *warnings[1:])
        return [*lines, *warnings]

    def __repr__(self) -> str:
        return f"Reading({self.estimate!r}, {self.interval_name})"

    # --- for programs -------------------------------------------------------------------------------------------

    @property
    def about(self) -> dict[str, Any]:
        e, rest = self.estimate, self.estimate.unlisted
        unlisted = {} if rest is None else {"unlisted": {"frequency": rest[0], "stderr": rest[1]}}
        options = {"level": self.level, "simultaneous": self.simultaneous, "target": self.target}
        remarks = {"notes": list(self.notes), "warnings": list(self.warnings())}
        population = {} if e.population is None else {"population": e.population}
        return {"mechanism": e.title, "decoder": e.decoder, "n": e.n, **population, **options, **unlisted, **remarks}

    @property
    def columns(self) -> dict[str, list[Any]]:
        e, (low, high) = self.estimate, self.bounds.T
        shares = {"frequency": e.frequencies, "count": e.counts, "unbiased": e.unbiased, "stderr": e.stderr}
        known = {} if self.truth is None else {"truth": self.truth}
        columns = {**shares, "low": low, "high": high, "outside": self.outside, **known}
        return {"label": list(e.labels), **{name: values.tolist() for name, values in columns.items()}}


def in_order(truth: Truth, labels: Sequence[Hashable]) -> Iterable[float]:
    """Shares in the order of the labels, where they come by label: a dictionary, or a series with labels as its index.

    A label that is not among them has none.

    >>> in_order({"no": 0.7, "yes": 0.3}, ["yes", "no", "perhaps"])
    [0.3, 0.7, 0.0]
    """
    named = _by_label(truth)
    if named is None:
        return cast("Iterable[float]", truth)
    known = set(labels)
    if strange := [label for label in named if label not in known]:
        meant = near(strange[0], labels)
        which = f"{printable(strange[0])}, which is" if len(strange) == 1 else f"{len(strange)} that are"
        raise ParameterError(f"truth must be of the {len(labels)} labels, got {which} none of them{meant}")
    return [named.get(label, 0.0) for label in labels]


def whole_truth(truth: Truth, labels: Sequence[Hashable]) -> Iterable[float]:
    """Shares as ``in_order`` has them; where labels were left out and the others do not add up to 1, one is named.

    >>> whole_truth({"no": 1}, ["yes", "no"])
    [0.0, 1]
    """
    shares, named = in_order(truth, labels), _by_label(truth)
    left_out = [] if named is None else [label for label in labels if label not in named]
    if left_out and (total := sum(shares)) < 1 - SLACK:
        raise ParameterError(
            f"truth must add up to 1 over the {len(labels)} labels, got {total:.6g} and no share for "
            f"{len(left_out)} of them, such as {printable(left_out[0])}; give each label its share"
        )
    return shares


def _by_label(truth: Any) -> Mapping[Any, float] | None:
    """The shares by label, or None if they come in order."""
    index = list(getattr(truth, "index", ())) if hasattr(truth, "iloc") else []
    if index and index != list(range(len(index))):
        return dict(zip(index, truth, strict=True))
    return truth if isinstance(truth, Mapping) else None
