"""The estimate: how people are distributed, with what is known of its error."""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import numbers
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.checks import check_distribution, check_int
from deniable.errors import ParameterError
from deniable.estimation.cohort_evidence import CohortEvidence
from deniable.estimation.evidence import Evidence
from deniable.estimation.presence import present
from deniable.estimation.table import as_text
from deniable.theory.risk.variance import Target

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.figure import Figure


class Share(NamedTuple):
    """One label of an estimate with its interval."""

    label: Hashable
    frequency: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Estimate:
    """Shares of people, in the order of the labels.

    ``frequencies`` are the decoder's, ``unbiased`` those it started from, which may be negative; errors and intervals
    belong to the unbiased ones and do not depend on the decoder. ``unlisted`` is the share of people outside the
    labels with its standard error, or None over a closed domain, where there are none.

    >>> import deniable as dn
    >>> survey = dn.simulate(dn.RandomizedResponse(["yes", "no"], 2.0), [0.3, 0.7], users=1000, seed=1)
    >>> survey.interval().shape, round(float(survey.frequencies.sum()), 9)
    ((2, 2), 1.0)
    """

    labels: Sequence[Hashable]
    frequencies: Vector
    unbiased: Vector
    decoder: str
    evidence: Evidence
    mechanism: Any
    unlisted: tuple[float, float] | None = None

    @property
    def n(self) -> int:
        """How many reports were counted."""
        return self.evidence.n

    @property
    def stderr(self) -> Vector:
        """The standard error of each unbiased share, against the population.

        Infinite for labels that reports cannot tell from others: no unbiased estimate of theirs exists (see ``notes``).
        """
        return self.evidence.stderr()

    @property
    def counts(self) -> Vector:
        """Estimated people: shares times reports."""
        return self.frequencies * self.n

    @property
    def notes(self) -> tuple[str, ...]:
        """What to beware of, in words; mostly nothing."""
        found: tuple[str, ...] = getattr(self.evidence, "notes", ())
        return found

    def present(self, fdr: float = 0.05) -> list[Hashable]:
        """Of the candidates of an open alphabet those that somebody is found to hold.

        On average at most ``fdr`` of them are held by nobody (Benjamini and Hochberg 1995; see ``presence``).
        """
        if not isinstance(self.evidence, CohortEvidence):
            raise ParameterError("present must be asked of candidates, got an estimate of a closed domain's labels")
        return [self.labels[place] for place in present(self.evidence, fdr).tolist()]

    def interval(self, level: float = 0.95, simultaneous: bool = False, target: Target = "population") -> Matrix:
        """Bounds [d, 2] on each share that hold with probability at least ``level`` for any truth and any n.

        Simultaneous bounds hold for all labels at once (Bonferroni) and are tightened by the fact that shares add
        up to 1. ``target`` "sample" bounds the shares among the people who answered, "population" those among the
        people they were drawn from.
        """
        if not _is_number(level) or not 0 < level < 1:
            raise ParameterError(f"level must be a number between 0 and 1, got level={level!r}")
        if target not in ("population", "sample"):
            raise ParameterError(f'target must be "population" or "sample", got target={target!r}')
        alpha = (1 - float(level)) / (len(self.labels) if simultaneous else 1)
        bounds = np.clip(self.evidence.interval(alpha, target), 0, 1)
        return _tighten(bounds, closed=self.unlisted is None) if simultaneous else bounds

    def top(self, k: int = 10, level: float = 0.95) -> list[Share]:
        """The ``k`` most frequent labels, each with its own interval.

        The largest of many noisy shares are partly luck: to say something of all of them at once, or of labels
        chosen because they are large, take simultaneous intervals.
        """
        order = np.argsort(-self.frequencies, kind="stable")[: check_int("k", k, 1)].tolist()
        low, high = self.interval(level)[order].T.tolist()
        rows = zip(order, self.frequencies[order].tolist(), low, high, strict=True)
        return [Share(self.labels[j], share, least, most) for j, share, least, most in rows]

    def plot(
        self,
        truth: Iterable[float] | None = None,
        level: float = 0.95,
        simultaneous: bool = False,
        target: Target = "population",
    ) -> Figure:
        """A picture of the shares with their intervals, and of the truth beside them where it is known."""
        bounds = self.interval(level, simultaneous, target)
        meaning = f"{100 * level:.4g}% interval" + (", all at once" if simultaneous else "")
        checked = None if truth is None else check_distribution("truth", truth, len(self.labels))
        from deniable.estimation.picture import draw  # loads Matplotlib, which takes a second

        return draw(self, checked, bounds, meaning)

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything as plain values; ``low`` and ``high`` are each label's own interval."""
        columns = self._columns(level)
        head = {"mechanism": str(self.mechanism), "decoder": self.decoder, "n": self.n, "level": level}
        return {**head, **self._rest(), **columns}

    def _rest(self) -> dict[str, Any]:
        """Over an open alphabet what is not listed, with its standard error, and the notes."""
        if self.unlisted is None:
            return {"notes": list(self.notes)} if self.notes else {}
        share, error = self.unlisted
        return {"unlisted": {"frequency": share, "stderr": error}, "notes": list(self.notes)}

    def _columns(self, level: float) -> dict[str, list[Any]]:
        bounds = self.interval(level)
        columns = {
            "frequency": self.frequencies,
            "count": self.counts,
            "unbiased": self.unbiased,
            "stderr": self.stderr,
            "low": bounds[:, 0],
            "high": bounds[:, 1],
        }
        return {"label": list(self.labels), **{name: values.tolist() for name, values in columns.items()}}

    def to_arrow(self, level: float = 0.95) -> pa.Table:
        """One row per label; the mechanism, the decoder, n and the level are in the schema's metadata."""
        import pyarrow as pa

        head = {name: str(value) for name, value in self.to_dict(level).items() if not isinstance(value, list)}
        columns = self._columns(level)
        return pa.table({**columns, "label": pa.array(_one_type(columns["label"]))}, metadata=head)

    def to_csv(self, path: str | Path | None = None, level: float = 0.95) -> str:
        """One row per label as CSV text, also written to ``path`` if given."""
        columns = self._columns(level)
        columns["label"] = [_writable(label) for label in columns["label"]]
        page = io.StringIO()
        writer = csv.writer(page, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        text = page.getvalue()
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def to_json(self, level: float = 0.95) -> str:
        """``to_dict`` as JSON; labels that JSON does not know become text, and infinity is the word inf."""
        plain = self.to_dict(level)
        plain["label"] = [_writable(label) for label in plain["label"]]
        plain["stderr"] = [error if math.isfinite(error) else "inf" for error in plain["stderr"]]
        return json.dumps(plain, ensure_ascii=False, allow_nan=False)

    def __str__(self) -> str:
        return as_text(self)

    def __repr__(self) -> str:
        return f"Estimate({len(self.labels)} labels, n={self.n}, decoder={self.decoder!r}, {self.mechanism})"


def _tighten(bounds: Matrix, closed: bool) -> Matrix:
    """No share exceeds what the lower bounds of the others leave, nor falls short of what their upper ones demand.

    Where the bounds contradict each other, as may happen when they miss, they are left as they are: never empty.
    """
    low, high = bounds.T
    tight_low, tight_high = low, high
    if low.sum() <= 1:
        tight_high = np.minimum(high, 1 - (low.sum() - low))
    if closed and low.sum() <= 1 <= high.sum():
        tight_low = np.maximum(low, 1 - (high.sum() - high))
    return np.stack([np.minimum(tight_low, high), np.maximum(tight_high, tight_low)], axis=1)


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _writable(label: Hashable) -> str | int | float | bool:
    """A label as JSON and CSV know it; half characters, which no file can hold, are escaped."""
    if isinstance(label, int | float):
        return label
    return str(label).encode("utf-8", "backslashreplace").decode()


def _one_type(labels: list[Any]) -> list[Any]:
    """Labels as one Arrow column: as they are where all are alike, else as text."""
    kinds = {type(label) for label in labels}
    if len(kinds) == 1 and kinds <= {bool, float, datetime.date, datetime.datetime}:
        return labels
    if kinds == {int} and all(-(2**63) <= label < 2**63 for label in labels):
        return labels
    return [str(_writable(label)) for label in labels]
