"""The protocol that every mechanism shares: privatize, tally, estimate, and the exact channel behind them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Matrix
from deniable.checks import check_distribution, check_people, check_users
from deniable.errors import CapacityError, LabelError, ParameterError, TallyError
from deniable.estimation.decoders import COMPOSITE, LINEAR, Messages, check_prior, decode
from deniable.estimation.estimate import Estimate
from deniable.estimation.evidence import Evidence
from deniable.kernels.decode.inversion import total
from deniable.kernels.threads import share
from deniable.privacy.entropy import Entropy, checked_entropy, entropy_of
from deniable.privacy.guarantees import LDP, Guarantee
from deniable.privacy.matrix import Rows
from deniable.reports.layout import Layout
from deniable.reports.spec import VERSION, Spec, canonical
from deniable.reports.tally import Tally
from deniable.theory.risk.variance import Loss, Target
from deniable.values.columns import Labels
from deniable.values.values import Values, closed_domain

if TYPE_CHECKING:
    from deniable.mechanisms.channels.channel import Channel


BLOCK_BYTES = 1 << 22
"""A column is drawn in blocks of about this many bytes, each from its own part of the entropy, so that threads
can share the work and the result does not depend on their number."""
CELLS = 1 << 18
"""The largest channel, inputs times outputs, that is written out in Fractions."""
UNCOUNTED = 1 << 63
"""Stands for any larger number of reports."""


class Mechanism(ABC):
    """A way to randomize one value so that its report is deniable and the sum of reports is not."""

    domain: Values
    title: ClassVar[str]
    """One line for people: what the report is."""

    # --- what a family says of itself -------------------------------------------------------------------------

    @property
    @abstractmethod
    def guarantee(self) -> Guarantee:
        """What is promised to each person."""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """How reports are stored."""

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many counts a tally holds."""

    @property
    @abstractmethod
    def leverage(self) -> float:
        """How much one fake report lifts a label, in honest people: at most this many."""

    @property
    @abstractmethod
    def words_per_report(self) -> float:
        """The random 64-bit words that a report is expected to need."""

    @property
    @abstractmethod
    def decode_operations(self) -> float:
        """About how many additions turn one tally into estimates."""

    @property
    @abstractmethod
    def outputs(self) -> int:
        """How many different reports there are; 2^63 stands for more."""

    @property
    def marks(self) -> int | None:
        """How much one report adds to the counts, where that is the same for all."""
        return None

    @abstractmethod
    def parameters(self) -> Spec:
        """What the spec holds beside the name and the domain: the resolved arguments."""

    @abstractmethod
    def exact_ratio(self) -> Fraction | float:
        """The largest ratio that the guarantee is about, from the realised integers."""

    @abstractmethod
    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One report for each index."""

    @abstractmethod
    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Counts by the exact law of those of so many people of each label, without making a report."""

    @property
    @abstractmethod
    def aggregate_draws(self) -> float:
        """About how many binomial draws that takes; for one candidate over an open alphabet."""

    @abstractmethod
    def evidence(self, tally: Tally) -> Evidence:
        """What a tally says of each label, with exact error bars."""

    @abstractmethod
    def messages(self, counts: Counts) -> Messages | None:
        """The likelihood of a tally, or None where a tally does not hold it."""

    @abstractmethod
    def report_messages(self, reports: Column) -> Messages:
        """The likelihood of the reports themselves."""

    @abstractmethod
    def all_reports(self) -> Column:
        """Every report there is, in the order of the channel's columns; for small message spaces."""

    @abstractmethod
    def report_index(self, reports: Column) -> Indices:
        """The column of the channel that each report belongs to."""

    @abstractmethod
    def exact_rows(self) -> npt.NDArray[np.object_]:
        """The realised channel, inputs by outputs, in Fractions."""

    @abstractmethod
    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The expected error of the unbiased decoder: squared ("l2") or absolute ("l1"), summed over the labels.

        "linf" is the largest absolute error among the labels (wang2016): its limit for many people, from above. With
        two or three labels whose estimates add up to 1 it is half of l1; elsewhere it is a bound from the labels' own
        variances (Sidak's inequality), above the limit by a few percent at most where reports tell all labels apart
        alike. Without a truth: at the worst one; of linf the worst that a search finds.
        """

    @abstractmethod
    def mutual_information(self) -> float:
        """What a report says of a uniform value, in nats."""

    @property
    def closed(self) -> bool:
        """Whether the values are a closed set of labels; over an open alphabet they are any text."""
        return True

    # --- a mechanism is a value: it cannot be changed ------------------------------------------------------------

    def _fix(self, **fields: Any) -> None:
        """Set the fields, once, while constructing."""
        vars(self).update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a mechanism cannot be changed, got a new {name}; make another one")

    # --- what all share ---------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name by which the registry knows the mechanism."""
        return type(self).__name__

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        return self.layout.report_bits

    def spec(self) -> Spec:
        """Everything a reader needs to count and decode the reports."""
        return {"version": VERSION, "mechanism": self.name, "domain": self.domain.to_json(), **self.parameters()}

    @cached_property
    def spec_bytes(self) -> bytes:
        """The spec as canonical JSON bytes."""
        return canonical(self.spec())

    def __eq__(self, other: object) -> bool:
        return self.spec_bytes == other.spec_bytes if isinstance(other, Mechanism) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.spec_bytes)

    def __repr__(self) -> str:
        shown = {name: value for name, value in self.parameters().items() if not isinstance(value, list)}
        return f"{self.name}({', '.join([repr(self.domain), *(f'{k}={v!r}' for k, v in shown.items())])})"

    def privatize(self, label: Any, entropy: Entropy | None = None) -> int | bytes:
        """One report for one value, from the operating system's entropy unless told otherwise."""
        source = checked_entropy(entropy)
        return self.layout.single(self.draw(np.array([self.domain.index(label)], np.int64), source))

    def privatize_many(self, labels: Labels, seed: int | None = None) -> Column:
        """A column of reports. A seed makes it repeatable, for simulation only: on devices leave it out."""
        entropy = entropy_of(seed)
        return self.draw_column(self.domain.column(labels), entropy)

    def draw_column(self, values: Indices, entropy: Entropy) -> Column:
        """Check and draw block by block, on every processor."""
        size = max(1, BLOCK_BYTES * 8 // max(64, self.report_bits))
        column = self.layout.empty(len(values))

        def draw(index: int) -> None:
            place = slice(index * size, (index + 1) * size)
            self.domain.check(values[place])  # before a kernel trusts them
            column[place] = self.draw(values[place], entropy.part(index))

        try:
            share(draw, range(max(1, -(-len(values) // size))))
        except LabelError:  # of a block: say it of the whole column
            self.domain.check(values)
            raise
        return column

    def values_of(self, candidates: Iterable[Any] | None = None) -> Indices:
        """What ``draw`` takes for each label; over an open alphabet for each candidate."""
        self._check_no_candidates(candidates)
        return np.arange(len(closed_domain(self.domain)))

    def _check_no_candidates(self, candidates: object) -> None:
        if candidates is not None:
            raise ParameterError("candidates must be None for a closed domain, got some; they are for open alphabets")

    def check_decoder(self, decoder: str, prior: Iterable[float] | None = None) -> Matrix | None:
        """A decoder of this mechanism; the prior, which goes with one decoder only, as an array."""
        return check_prior(decoder, prior, len(closed_domain(self.domain)))

    def tally(self, reports: Any) -> Tally:
        """Count reports. A malformed one refuses the whole batch, with the number and the reason."""
        return Tally(*self.add_up(reports), self.spec_bytes)

    def add_up(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are and what they add up to, checked and counted in one pass.

        Added to ``onto`` if given, which is spoilt where reports are refused.
        """
        return self.layout.tally(reports, onto)

    def count(self, reports: Any) -> Counts:
        """What reports add up to."""
        return self.add_up(reports)[1]

    def draw_tally(self, people: Any, generator: np.random.Generator, candidates: Iterable[Any] | None = None) -> Tally:
        """A tally by the exact law of so many people of each label, drawn at once: for simulation only.

        >>> import deniable as dn
        >>> dn.Subset(4, 1.0).draw_tally([10**9, 0, 5, 7], np.random.default_rng(1)).n
        1000000012
        """
        self._check_no_candidates(candidates)
        held = check_people(people, len(closed_domain(self.domain)))
        return Tally(int(held.sum()), self.draw_counts(held, generator), self.spec_bytes)

    def empty_tally(self) -> Tally:
        """The tally of no reports: adding it changes nothing."""
        return Tally(0, np.zeros(self.cells, np.int64), self.spec_bytes)

    def estimate(
        self,
        tally: Tally | Any,
        decoder: str = "projected",
        candidates: Iterable[Any] | None = None,
        prior: Iterable[float] | None = None,
    ) -> Estimate:
        """How the people are distributed, with error bars.

        ``tally`` may also be the reports themselves: the decoders "likelihood" and "posterior" then use each
        report whole, where a tally of packed bits has only kept the count of each bit.
        """
        self._check_no_candidates(candidates)
        checked = self.check_decoder(decoder, prior)
        reports = None if isinstance(tally, Tally) else self.layout.check(tally)
        summed = self.check_tally(tally if reports is None else self.tally(reports))
        evidence = self.evidence(summed)
        unbiased = evidence.unbiased()
        if decoder in LINEAR:
            return Estimate(closed_domain(self.domain), LINEAR[decoder](unbiased), unbiased, decoder, evidence, self)
        messages = self.messages(summed.counts) if reports is None else self.report_messages(reports)
        decoded = decode(evidence, messages, checked)
        used = COMPOSITE if messages is None else decoder
        return Estimate(closed_domain(self.domain), decoded, unbiased, used, evidence, self)

    def check_tally(self, tally: Tally) -> Tally:
        """A tally of this mechanism with something in it."""
        if tally.spec_bytes != self.spec_bytes or len(tally.counts) != self.cells:
            raise TallyError(f"the tally must be of {self!r}, got one of digest {tally.digest[:12]}")
        if tally.n == 0:
            raise TallyError("the tally must hold at least one report, got an empty one")
        if self.marks is not None and (int(total(tally.counts)) - self.marks * tally.n) % 2**64:
            raise TallyError(f"the tally's counts must add up to {self.marks} a report, got another sum")
        return tally

    def channel(self) -> Channel:
        """The realised channel, written out exactly; only where it is small."""
        from deniable.mechanisms.channels.channel import Channel

        known = None if isinstance(self.guarantee, LDP) else self.guarantee
        return Channel(closed_domain(self.domain), self.rows, known)

    @cached_property
    def rows(self) -> Rows:
        """The realised channel as whole-number weights; only where it is small."""
        return Rows.read(self.small_rows())

    def small_rows(self) -> npt.NDArray[np.object_]:
        """The exact rows, refused where there are too many to write."""
        labels = len(closed_domain(self.domain))
        if labels * self.outputs > CELLS:
            raise CapacityError(
                f"a channel must have at most {CELLS} cells to be written out, "
                f"got {labels} labels of {self.report_bits} bits a report"
            )
        return self.exact_rows()

    def check_risk(self, n: int, loss: str, truth: Iterable[float] | None, target: str) -> Matrix | None:
        """The arguments of ``risk``, checked; the truth as an array."""
        return check_risk_arguments(n, loss, truth, target, len(closed_domain(self.domain)))


def check_risk_arguments(n: int, loss: str, truth: Iterable[float] | None, target: str, d: int) -> Matrix | None:
    """A number of people, a loss, a truth of ``d`` labels as an array, and a target."""
    check_users(n)
    if loss not in ("l2", "l1", "linf"):
        raise ParameterError(f'loss must be "l2", "l1" or "linf", got loss={loss!r}')
    if target not in ("population", "sample"):
        raise ParameterError(f'target must be "population" or "sample", got target={target!r}')
    return None if truth is None else check_distribution("truth", truth, d)
