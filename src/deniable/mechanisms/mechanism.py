"""The mechanism: a layout, a law, a guarantee and a way to draw, and the methods that users call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self, TypeVar

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.checks import check_people
from deniable.estimation.estimate import Estimate, Origin
from deniable.estimation.evidence import Evidence
from deniable.estimation.laws.law import Law
from deniable.estimation.table import Table
from deniable.kernels.contiguous import integers
from deniable.kernels.threads import share
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.shared.candidates import check_none
from deniable.mechanisms.shared.rounds import Rounds
from deniable.privacy.entropy import Entropy, checked_entropy, entropy_of
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import Rows
from deniable.protocol.canonical import Spec
from deniable.protocol.errors import CapacityError, LabelError, ParameterError, TallyError
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.values import Domain as PlainDomain
from deniable.reports.layout import Layout
from deniable.reports.spec import VERSION, canonical
from deniable.reports.tally import Tally
from deniable.theory.risk.variance import Loss, Target
from deniable.values.columns import Labels
from deniable.values.domain import Domain
from deniable.values.values import Values

CELLS = 1 << 18
"""The largest channel, inputs times outputs, that is computed in Fractions."""
BLOCK_BYTES = 1 << 22
"""A column is drawn in blocks of about this many bytes, each from its own part of the entropy, so that threads
can share the work and the result does not depend on their number."""


class Mechanism(ABC):
    """A way to randomize one value so that its report is deniable and the sum of reports is not.

    A family sets its domain, its guarantee and its parameters once, in the order in which its spec holds them. It
    says how it draws, and composes the rest from a layout and a law. A mechanism is a value: it cannot be changed.

    >>> import deniable as dn
    >>> m = dn.Subset(16, epsilon=1.0)
    >>> isinstance(m, dn.Mechanism), str(m.guarantee), m.report_bits
    (True, '1-LDP', 16)
    """

    domain: Values
    """The values that people may hold."""
    guarantee: Guarantee
    """What is promised to each person."""

    def __init__(
        self,
        domain: Values | PlainDomain,
        guarantee: Guarantee,
        derived: Mapping[str, Any] = MappingProxyType({}),
        **parameters: Any,
    ) -> None:
        """Set all fields, once: the parameters, which the spec holds too, and what is ``derived`` from them."""
        values = Domain.of(domain) if isinstance(domain, PlainDomain) else domain
        vars(self).update(domain=values, guarantee=guarantee, _parameters=parameters, **parameters, **derived)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a mechanism cannot be changed, got a new {name}; make another one")

    # --- what a family says of itself -------------------------------------------------------------------------

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """How reports are stored, checked and counted."""

    @property
    @abstractmethod
    def law(self) -> Law:
        """What can be concluded from counts: estimates with errors, risks, leverage, likelihood."""

    @property
    @abstractmethod
    def cost(self) -> Cost:
        """The cost of drawing: random words per report, binomial draws in aggregate."""

    @abstractmethod
    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One report per index; indices must be valid, which is not checked here."""

    @abstractmethod
    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports from ``people`` of each label, from their exact distribution, without any reports."""

    def _spec_parameters(self) -> Spec:
        """The spec's parameters besides name and domain: the resolved arguments, in a form that JSON can hold."""
        return dict(vars(self)["_parameters"])

    @property
    def _rounds(self) -> Rounds | None:
        """How a report is sent again in round after round; None if this family's cannot be."""
        return None

    def _over(self, candidates: Iterable[Any] | None) -> Self:
        """The same mechanism with candidate texts, for an open alphabet."""
        check_none(candidates)
        return self

    @property
    def _labels(self) -> Sequence[Hashable]:
        """The labels of the estimate, or the candidates of an open alphabet."""
        return self.domain.labels

    @property
    def _values(self) -> int:
        """How many values people may hold, or how many candidates are looked for."""
        return len(self._labels) if self.domain.size is None else len(self.domain.every())

    # --- what all share ---------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name by which specs and the registry know the family."""
        return type(self).__name__

    @property
    def report_bits(self) -> int:
        """The information of one report in bits; stored reports may be padded to bytes."""
        return self.layout.report_bits

    def spec(self) -> Spec:
        """A dictionary with everything needed to draw, count and decode reports; see ``from_spec``."""
        return {"version": VERSION, "mechanism": self.name, "domain": self.domain.to_json(), **self._spec_parameters()}

    @cached_property
    def spec_bytes(self) -> bytes:
        """The spec as canonical JSON bytes."""
        return canonical(self.spec())

    @cached_property
    def _origin(self) -> Origin:
        """What estimates say of the mechanism."""
        return Origin(self.spec_bytes, repr(self), self.law.adds_up)

    def __eq__(self, other: object) -> bool:
        return self.spec_bytes == other.spec_bytes if isinstance(other, Mechanism) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.spec_bytes)

    def __repr__(self) -> str:
        shown = {name: value for name, value in self._spec_parameters().items() if not isinstance(value, list)}
        return f"{self.name}({', '.join([repr(self.domain), *(f'{k}={v!r}' for k, v in shown.items())])})"

    def _repr_html_(self) -> str:
        promise = ("promised", f"{self.guarantee!r}: {self.guarantee}")
        rows = [("values", repr(self.domain)), promise, ("bits of a report", f"{self.report_bits:,}")]
        return Table(repr(self), ("one report", ""), rows)._repr_html_()

    def privatize(self, label: Any, entropy: Entropy | None = None) -> int | bytes:
        """One report for one value, from the operating system's entropy unless told otherwise."""
        source = checked_entropy(entropy)
        return self.layout.single(self.draw(self.domain.one(label), source))

    def privatize_many(self, labels: Labels, seed: int | None = None) -> Column:
        """A column of reports, one per label. A seed makes it repeatable, for simulation only: not on devices."""
        entropy = entropy_of(seed)
        values = self.domain.column(labels)
        try:
            return draw_column(self, values, entropy)
        except LabelError:
            self.domain.indices(labels)  # which knows the values, and says in what they differ
            raise

    def tally(self, reports: Any) -> Tally:
        """Count reports. If any is malformed, the whole batch is refused, with the number and the reason.

        The tally of an empty list changes nothing when it is added.
        """
        return Tally.counted(*self.layout.tally(reports), self.spec_bytes)

    def draw_tally(self, people: Any, generator: np.random.Generator, candidates: Iterable[Any] | None = None) -> Tally:
        """A tally of ``people`` of each label or list, drawn at once from its exact distribution: for simulation only.

        >>> import deniable as dn
        >>> dn.Subset(4, 1.0).draw_tally([10**9, 0, 5, 7], np.random.default_rng(1)).n
        1000000012
        """
        m = self._over(candidates)
        held = check_people(people, m._values)
        return Tally(int(held.sum()), m.draw_counts(held, generator), self.spec_bytes)

    def estimate(
        self,
        tally: Tally | Any,
        decoder: str = "projected",
        candidates: Iterable[Any] | None = None,
        prior: Iterable[float] | None = None,
        weights: Any = None,
        strata: Any = None,
        clusters: Any = None,
    ) -> Estimate:
        """The estimated shares of the labels, with error bars.

        ``tally`` may also be the reports themselves: the decoders "likelihood" and "posterior" then use whole reports,
        while a tally of packed bits only holds the count of each bit. An open alphabet needs the
        ``candidates`` to look for. With ``weights``, one for each report, people count by these; see ``dn.raked``.
        ``strata`` and ``clusters``, columns too, say how people were drawn.
        """
        m = self._over(candidates)
        if any(column is not None for column in (weights, strata, clusters)):
            return m._weighted(tally, decoder, prior, (weights, strata, clusters))
        checked = m.law.check_decoder(decoder, prior)
        reports = None if isinstance(tally, Tally) else self.layout.check(tally)
        summed = check_tally(self, tally if reports is None else self.tally(reports))
        return Estimate(m._labels, m.law.decoded(decoder, checked, summed.n, summed.counts, reports), self._origin)

    def _weighted(self, reports: Any, decoder: str, prior: object, drawn: tuple[Any, Any, Any]) -> Estimate:
        """The estimate from reports with weights, strata and clusters (``drawn``), which no tally holds."""
        if isinstance(reports, Tally) or prior is not None or self.domain.size is None:
            got = "a tally" if isinstance(reports, Tally) else "a prior" if prior is not None else "an open alphabet"
            raise ParameterError(
                f"weights, strata and clusters must go with reports themselves, over a list of labels, got {got}"
            )
        from deniable.estimation.weighted import DrawnRows  # tallies need none of it
        from deniable.mechanisms.weighted_reports import decoded_weighted, weighted_evidence

        column = self.layout.check(reports)
        evidence = weighted_evidence(self.law, self.layout, column, DrawnRows.of(*drawn, len(column)), self.channel)
        return Estimate(self._labels, decoded_weighted(evidence, decoder, self.law.adds_up), self._origin)

    def channel(self) -> ExactChannel:
        """The realised channel with its exact probabilities; refused if it is too large."""
        return self._channel

    @cached_property
    def _channel(self) -> ExactChannel:
        if self.domain.size is None:
            raise CapacityError("a channel must be of a closed domain to be written out, got any text")
        if self.domain.size * self.layout.outputs > CELLS:
            raise CapacityError(
                f"a channel must have at most {CELLS} cells to be written out, "
                f"got {self.domain!r} and {self.report_bits} bits per report"
            )
        return ExactChannel(self.domain.every(), Rows.read(self.law.chances(self.layout.every_report())))

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The expected error of the unbiased decoder: squared ("l2") or absolute ("l1"), summed over the labels.

        "linf" is the largest absolute error among the labels (wang2016), in the limit of many people. With two or three
        labels whose estimates add up to 1 it is half of l1; otherwise it is an upper bound from the labels' variances
        (Sidak's inequality), at most a few percent above the limit if reports treat all labels alike. Without a truth
        it is the risk at the worst one; for linf at the worst that a search finds.

        >>> import deniable as dn
        >>> round(dn.Subset(16, 1.0).risk(10_000, "linf", [1 / 16] * 16, target="sample"), 5)
        0.03708
        """
        return self.law.risk(n, loss, truth, target)

    def mutual_information(self) -> float:
        """The mutual information of a uniform value and its report, in nats."""
        return self.law.mutual_information()


def draw_column(mechanism: Mechanism, values: Indices, entropy: Entropy) -> Column:
    """Check indices and draw their reports, block by block, on all processors."""
    layout, check, values = mechanism.layout, mechanism.domain.check, integers(values)
    size = max(1, BLOCK_BYTES * 8 // max(64, layout.report_bits))
    column = layout.empty(len(values))

    def draw(index: int) -> None:
        place = slice(index * size, (index + 1) * size)
        check(values[place])  # before a kernel trusts them
        column[place] = mechanism.draw(values[place], entropy.part(index))

    try:
        share(draw, range(max(1, -(-len(values) // size))))
    except LabelError:  # raised for a block: count over the whole column
        check(values)
        raise
    return column


def check_tally(mechanism: Mechanism, tally: Tally) -> Tally:
    """Refuse a tally that is empty, of another mechanism, or whose counts cannot come from so many reports."""
    layout = mechanism.layout
    if tally.spec_bytes != mechanism.spec_bytes or len(tally.counts) != layout.cells:
        raise TallyError(f"the tally must be of {mechanism!r}, got one of digest {tally.digest[:12]}")
    if tally.n == 0:
        raise TallyError("the tally must hold at least one report, got an empty one")
    each = layout.counts_per_report
    total = int(tally.counts.sum())
    if each is not None and (total - each * tally.n) % 2**64:
        raise TallyError(f"the tally's counts must add up to {each} a report, got {total} of {tally.n}")
    if fault := layout.fault(tally.n, tally.counts):
        raise TallyError(f"the tally must {fault}")
    return tally


M = TypeVar("M", bound=Mechanism)


def listed(mechanism: M, candidates: Iterable[Any] | None) -> M:
    """The mechanism with candidate texts, if it has an open alphabet; otherwise the mechanism itself."""
    return mechanism._over(candidates)


def evidence_of(mechanism: Mechanism, tally: Tally, candidates: Iterable[Any] | None = None) -> Evidence:
    """The evidence of a tally about each label or candidate: unbiased shares, their errors and intervals."""
    return listed(mechanism, candidates).law.evidence(tally.n, tally.counts)
