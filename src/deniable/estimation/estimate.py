"""The estimate: how people are distributed, with what is known of its error."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from deniable.errors import ParameterError
from deniable.estimation.evidence import Evidence, Target
from deniable.estimation.table import as_text
from deniable.theory.arguments import check_distribution, check_int

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Vector: TypeAlias = npt.NDArray[np.float64]


class Share(NamedTuple):
    """One label of an estimate with its interval."""

    label: Hashable
    frequency: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Shares of people, in the order of the labels.

    ``frequencies`` are the decoder's, ``unbiased`` those it started from, which may be negative; errors and intervals
    belong to the unbiased ones and do not depend on the decoder.

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

    @property
    def n(self) -> int:
        """How many reports were counted."""
        return self.evidence.n

    @property
    def stderr(self) -> Vector:
        """The standard error of each unbiased share, against the population."""
        return self.evidence.stderr()

    @property
    def counts(self) -> Vector:
        """Estimated people: shares times reports."""
        return self.frequencies * self.n

    @property
    def unlisted(self) -> None:
        """What lies outside the labels: nothing, over a closed domain."""
        return None

    def interval(self, level: float = 0.95, simultaneous: bool = False, target: Target = "population") -> Vector:
        """Bounds [d, 2] on each share that hold with probability at least ``level`` for any truth and any n.

        Simultaneous bounds hold for all labels at once (Bonferroni) and are tightened by the fact that shares add
        up to 1. ``target`` "sample" bounds the shares among the people who answered, "population" those among the
        people they were drawn from.
        """
        if isinstance(level, bool | str) or not 0 < level < 1:
            raise ParameterError(f"level must be between 0 and 1, got level={level!r}")
        if target not in ("population", "sample"):
            raise ParameterError(f'target must be "population" or "sample", got target={target!r}')
        alpha = (1 - level) / (len(self.labels) if simultaneous else 1)
        bounds = np.clip(self.evidence.interval(alpha, target), 0, 1)
        return _tighten(bounds) if simultaneous else bounds

    def top(self, k: int, level: float = 0.95) -> list[Share]:
        """The ``k`` most frequent labels with marginal intervals."""
        order = np.argsort(-self.frequencies, kind="stable")[: check_int("k", k, 1)]
        bounds = self.interval(level)
        return [
            Share(self.labels[j], float(self.frequencies[j]), float(bounds[j, 0]), float(bounds[j, 1])) for j in order
        ]

    def plot(self, truth: Iterable[float] | None = None) -> Figure:
        """A picture of the shares with 95% intervals, and of the truth beside them where it is known."""
        from deniable.estimation.picture import draw

        return draw(self, None if truth is None else check_distribution("truth", truth, len(self.labels)))

    def _columns(self, level: float = 0.95) -> dict[str, list[Any]]:
        bounds = self.interval(level)
        return {
            "label": list(self.labels),
            "frequency": self.frequencies.tolist(),
            "count": self.counts.tolist(),
            "unbiased": self.unbiased.tolist(),
            "stderr": self.stderr.tolist(),
            "low": bounds[:, 0].tolist(),
            "high": bounds[:, 1].tolist(),
        }

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything as plain values; ``low`` and ``high`` are marginal intervals."""
        head = {"mechanism": repr(self.mechanism), "decoder": self.decoder, "n": self.n, "level": level}
        return {**head, **self._columns(level)}

    def to_arrow(self, level: float = 0.95) -> pa.Table:
        """One row a label; labels that Arrow cannot hold in one column become text."""
        columns: dict[str, Any] = self._columns(level)
        try:
            columns["label"] = pa.array(columns["label"])
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            columns["label"] = pa.array([str(label) for label in columns["label"]])
        return pa.table(columns)

    def to_csv(self, path: str | Path | None = None, level: float = 0.95) -> str:
        """One row a label as CSV text, written to ``path`` if given."""
        sink = pa.BufferOutputStream()
        csv.write_csv(self.to_arrow(level), sink)
        text = sink.getvalue().to_pybytes().decode()
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def to_json(self, level: float = 0.95) -> str:
        """``to_dict`` as JSON; labels that JSON does not know become text."""
        return json.dumps(self.to_dict(level), ensure_ascii=False, default=str)

    def __str__(self) -> str:
        return as_text(self.top(20), self)


def _tighten(bounds: Vector) -> Vector:
    """No share exceeds what the lower bounds of the others leave, nor falls short of what their upper bounds demand."""
    low, high = bounds[:, 0], bounds[:, 1]
    most = 1 - (low.sum() - low)
    least = 1 - (high.sum() - high)
    tight = np.stack((np.maximum(low, least), np.minimum(high, most)), axis=1)
    return np.where((tight[:, 0] <= tight[:, 1])[:, None], tight, bounds)
