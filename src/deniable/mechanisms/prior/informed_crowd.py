"""People with their own priors: each answers by the best channel for their prior."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices, Matrix, Vector
from deniable.mechanisms.mechanism import Mechanism, draw_column
from deniable.mechanisms.prior.curator import Curator
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.privacy.entropy import Entropy, entropy_of
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon, check_int
from deniable.protocol.errors import LabelError, ParameterError, ReportError, TallyError
from deniable.reports.index_blocks import grouped
from deniable.reports.spec import digest
from deniable.reports.tally import Tally
from deniable.values.columns import Labels
from deniable.values.domain import Domain, DomainLike

Reports = npt.NDArray[np.int64]


class InformedCrowd(Curator):
    """One row of ``priors`` per person, known to the curator. People with equal rows and levels share a channel.

    ``epsilon`` is one level for all, or a list with one for each person. The goal, its values and ``one_sided`` are as
    for InformedResponse.

    >>> crowd = InformedCrowd(["yes", "no"], [[0.2, 0.8], [0.5, 0.5], [0.2, 0.8]], [1.0, 1.0, 0.5])
    >>> len(crowd), len(crowd.channels), crowd.channel_of(2).epsilon
    (3, 3, 0.5)
    """

    def __init__(
        self,
        domain: DomainLike,
        priors: Any,
        epsilon: Any,
        goal: str = "histogram",
        values: Iterable[float] | None = None,
        one_sided: bool = False,
    ) -> None:
        self.domain = Domain.of(domain)
        rows = _read_priors(priors, len(self.domain))
        levels = _read_levels(epsilon, len(rows))
        distinct, kinds = np.unique(np.column_stack([rows, levels]), axis=0, return_inverse=True)
        self.kinds: Indices = kinds.reshape(-1).astype(np.int64)
        """Which channel each person has."""
        known = list(values) if isinstance(values, Iterator) else values
        self.channels = [
            InformedResponse(self.domain, row[:-1], float(row[-1]), goal, known, one_sided) for row in distinct
        ]
        self.values = self.channels[0].values

    def __len__(self) -> int:
        return len(self.kinds)

    @cached_property
    def _people(self) -> list[Indices]:
        """Of each channel the people who have it."""
        return [places for _, places in grouped(self.kinds)]

    def channel_of(self, person: int) -> InformedResponse:
        """The mechanism of one person, by their place in ``priors``."""
        return self.channels[int(self.kinds[check_int("person", person, 0, len(self) - 1)])]

    def spec(self, person: int) -> Spec:
        """The spec of one person's channel, for their device and for reading their report."""
        return self.channel_of(person).spec()

    def digest(self, person: int) -> str:
        """SHA-256 of a person's spec: people with the same digest share a channel and a tally."""
        return digest(self.spec(person))

    def privatize(self, person: int, label: Any, entropy: Entropy | None = None) -> int:
        """One report of one person, drawn by their own channel."""
        return int(self.channel_of(person).privatize(label, entropy))

    def tally(self, reports: Any) -> list[Tally]:
        """A tally for each of ``channels``, in their order; ``survey``, ``total`` and ``histogram`` take such a list.

        Tallies of one channel add. Answers from a list are about the people in it only.
        """
        column = self._checked(reports)
        return [channel.tally(column[people]) for channel, people in zip(self.channels, self._people, strict=True)]

    def privatize_many(self, labels: Labels, seed: int | None = None) -> Reports:
        """One report for each person, in their order. A seed is for simulation only."""
        values = self.domain.indices(labels)
        if len(values) != len(self):
            raise LabelError(f"labels must be one for each of {len(self)} people, got {len(values)}")
        entropy = entropy_of(seed)
        reports = np.empty(len(self), np.int64)
        for kind, (channel, people) in enumerate(zip(self.channels, self._people, strict=True)):
            reports[people] = draw_column(channel, values[people], entropy.part(kind))
        return reports

    def _checked(self, reports: Any) -> Reports:
        """The reports as a column of integers, one for each person."""
        try:
            column = np.asarray(reports)
        except ValueError:  # a ragged list
            column = np.empty(0)
        if column.shape != (len(self),) or column.dtype.kind not in "iu":
            got = f"{column.dtype} of shape {column.shape}"
            raise ReportError(f"reports must be one integer for each of {len(self)} people, got {got}")
        return column.astype(np.int64)

    def each(self, reports: Any, goals: Matrix) -> Matrix:
        column, means = self._checked(reports), np.empty((len(self), goals.shape[1]))
        for channel, people in zip(self.channels, self._people, strict=True):
            means[people] = channel.curator.each(column[people], goals)
        return means

    def sums(self, reports: Any, goals: Matrix) -> tuple[Vector, Vector]:
        """The sums over all people and their squared errors, for each goal, by channels; empty tallies are skipped."""
        if isinstance(reports, Tally):
            return self.sums([reports], goals)
        if not isinstance(reports, list | tuple) or not any(isinstance(part, Tally) for part in reports):
            return CombinedCurator(self.channels).sums(self.tally(reports), goals)
        tallies = [part for part in reports if not (isinstance(part, Tally) and part.n == 0)]
        if not tallies:
            raise TallyError("the tallies must hold at least one report, got empty ones")
        return CombinedCurator([self._channel(part) for part in tallies]).sums(tallies, goals)

    def _channel(self, tally: Any) -> InformedResponse:
        """The channel that a tally belongs to."""
        channel = self._by_spec.get(tally.spec_bytes) if isinstance(tally, Tally) else None
        if channel is None:
            got = f"one of digest {tally.digest[:12]}" if isinstance(tally, Tally) else type(tally).__name__
            raise TallyError(f"the tallies must be of the crowd's own channels, got {got}")
        return channel

    @cached_property
    def _by_spec(self) -> dict[bytes, InformedResponse]:
        return {channel.spec_bytes: channel for channel in self.channels}

    def mean_losses(self, goals: Matrix) -> Vector:
        """Each goal's squared error per person, averaged over the people."""
        losses = [channel.curator.mean_losses(goals) for channel in self.channels]
        return np.asarray(np.bincount(self.kinds, minlength=len(losses)) @ np.array(losses) / len(self))

    def person_losses(self, reports: Any, goals: Matrix) -> Matrix:
        return np.array([channel.curator.mean_losses(goals) for channel in self.channels])[self.kinds]


def _read_priors(priors: Any, d: int) -> npt.NDArray[np.float64]:
    """One row of d numbers per person, as an array; each channel checks that its row is a prior."""
    try:
        given: npt.NDArray[Any] = np.empty(0) if isinstance(priors, np.ma.MaskedArray) else np.asarray(priors)
    except ValueError:  # rows of several lengths
        given = np.empty(0)
    rows = given.astype(np.float64) if given.dtype.kind in "iuf" else np.empty(0)
    if rows.ndim != 2 or rows.shape[1] != d or not len(rows):
        got = f"{given.dtype} of shape {given.shape}"
        raise ParameterError(f"priors must be a row of {d} probabilities for each person, got {got}")
    return rows


def _read_levels(epsilon: Any, people: int) -> npt.NDArray[np.float64]:
    """One level per person, as an array."""
    given: Any = epsilon.tolist() if isinstance(epsilon, np.ndarray) else epsilon
    if not isinstance(given, list | tuple):
        return np.full(people, check_epsilon(given))
    if len(given) != people:
        raise ParameterError(f"epsilon must be one level, or one for each of {people} people, got {len(given)}")
    return np.array([check_epsilon(level) for level in given])


class CombinedCurator(Curator):
    """The curator of several mechanisms; questions are asked of a list that holds a tally or reports for each.

    >>> well, ill = (InformedResponse(["no", "yes"], prior, 1.0) for prior in ([0.9, 0.1], [0.5, 0.5]))
    >>> parts = [well.tally([0] * 80 + [1] * 20), ill.tally([0] * 50 + [1] * 50)]
    >>> round(CombinedCurator([well, ill]).survey(parts, "yes").error, 4)
    4.7879
    """

    def __init__(self, mechanisms: Sequence[Mechanism]) -> None:
        self.mechanisms = [m for m in mechanisms if isinstance(m, InformedResponse)]
        if not mechanisms or len(self.mechanisms) < len(mechanisms):
            got = ", ".join(sorted({type(m).__name__ for m in mechanisms})) or "none"
            raise ParameterError(f"mechanisms must be InformedResponse, whose prior a curator knows, got {got}")
        self.domain = self.mechanisms[0].domain
        if any(m.domain != self.domain for m in mechanisms):
            raise ParameterError("mechanisms must be about the same labels to be asked together, got several domains")
        first = self.mechanisms[0].values
        self.values = first if all(_same(first, m.values) for m in self.mechanisms) else None

    def sums(self, reports: Any, goals: Matrix) -> tuple[Vector, Vector]:
        totals, losses = np.zeros((2, goals.shape[1]))
        for mechanism, part in self._pairs(reports):
            sums, squared = mechanism.curator.sums(part, goals)
            totals, losses = totals + sums, losses + squared
        return totals, losses

    def each(self, reports: Any, goals: Matrix) -> Matrix:
        return np.concatenate([mechanism.curator.each(part, goals) for mechanism, part in self._columns(reports)])

    def person_losses(self, reports: Any, goals: Matrix) -> Matrix:
        return np.concatenate(
            [mechanism.curator.person_losses(part, goals) for mechanism, part in self._columns(reports)]
        )

    def _pairs(self, reports: Any) -> list[tuple[InformedResponse, Any]]:
        """Each mechanism with its tally or reports."""
        if not isinstance(reports, list | tuple) or len(reports) != len(self.mechanisms):
            got = len(reports) if isinstance(reports, list | tuple) else type(reports).__name__
            raise ReportError(f"reports must be a part for each of {len(self.mechanisms)} mechanisms, got {got}")
        return list(zip(self.mechanisms, reports, strict=True))

    def _columns(self, reports: Any) -> list[tuple[InformedResponse, Any]]:
        pairs = self._pairs(reports)
        if any(isinstance(part, Tally) for _, part in pairs):
            raise ReportError("weighted_total must be asked of reports, got a tally, which forgets whose they were")
        return pairs


def _same(first: Vector | None, other: Vector | None) -> bool:
    return first is other if first is None or other is None else np.array_equal(first, other)
