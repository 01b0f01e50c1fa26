"""The estimate: how people are distributed, with what is known of its error."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.checks import check_accuracy, check_level, check_shares
from deniable.estimation import picture
from deniable.estimation.census import SAMPLE_ERROR_NOTE, Census, size_of
from deniable.estimation.census_evidence import CensusEvidence
from deniable.estimation.cohort_evidence import CohortEvidence
from deniable.estimation.contrast import LabelContrast, label_contrast
from deniable.estimation.decoders import Decoded
from deniable.estimation.difference import Difference, difference, same_people
from deniable.estimation.error_sources import ErrorSources, error_sources
from deniable.estimation.evidence import Evidence
from deniable.estimation.frame import Framed
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.people_needed import PeopleNeeded, people_needed, people_to_say
from deniable.estimation.presence import present
from deniable.estimation.rank_ranges import RankRanges
from deniable.estimation.reading import Reading, Truth
from deniable.estimation.saying import says_nothing, share_sentence, summary_of, takes
from deniable.estimation.share import Share
from deniable.protocol.checks import check_int, near
from deniable.protocol.errors import LabelError, ParameterError
from deniable.protocol.python_values import stranger
from deniable.protocol.say import Phrase, Statement, english
from deniable.theory.risk.variance import Target

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ALONE = Statement("people_may_hold_several")
FEW, MOST_KEPT = 4096, 8
"""Of so many labels, bounds that were asked for are kept, so many of them: sentences and pictures ask for the same."""


class Origin(NamedTuple):
    """What an estimate's reports came from."""

    spec_bytes: bytes
    """The mechanism's spec as canonical JSON."""
    title: str
    """The mechanism in words."""
    adds_up: bool = True
    """Whether everybody holds exactly one label."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Estimate(Framed):
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
    decoded: Decoded
    """What the decoder found, and the evidence for it."""
    origin: Origin
    """What the reports came from."""
    census: Census | None = None
    """Of how many people the survey asked how many answered it, if it said how many it is meant for."""
    _bounds: dict[tuple[float, Target], Matrix] = field(default_factory=dict, init=False)
    """Unclipped ones that were worked out lately, by alpha and target."""

    @property
    def population(self) -> int | None:
        """How many people the survey is meant for, if it says so: errors and intervals are about them."""
        return None if self.census is None else self.census.population

    @property
    def frequencies(self) -> Vector:
        """The decoder's shares."""
        return self.decoded.frequencies

    @property
    def unbiased(self) -> Vector:
        """The shares that the decoder started from; may be negative."""
        return self.decoded.unbiased

    @property
    def shares(self) -> Vector:
        """The unbiased shares, by the name that tables of several questions have for them."""
        return self.decoded.unbiased

    @property
    def decoder(self) -> str:
        """The decoder's name."""
        return self.decoded.decoder

    @property
    def evidence(self) -> Evidence:
        """What errors and intervals are worked out from."""
        return self.decoded.evidence

    @property
    def unlisted(self) -> tuple[float, float] | None:
        """The share of people outside the labels, with its standard error; None over a closed domain."""
        return self.decoded.unlisted

    @property
    def spec_bytes(self) -> bytes:
        """The mechanism's spec as canonical JSON."""
        return self.origin.spec_bytes

    @property
    def title(self) -> str:
        """The mechanism in words."""
        return self.origin.title

    @property
    def adds_up(self) -> bool:
        """Whether everybody holds exactly one label, so that shares add up to 1; of a checklist each is by itself."""
        return self.origin.adds_up

    @property
    def spec(self) -> dict[str, Any]:
        """The spec of the mechanism that the reports came from: ``from_spec`` makes it again."""
        spec: dict[str, Any] = json.loads(self.spec_bytes)
        return spec

    @property
    def n(self) -> int:
        """How many reports were counted."""
        return self.evidence.n

    @property
    def stderr(self) -> Vector:
        """The standard error of each unbiased share, against the population: of a census, its people.

        Infinite for labels that reports cannot tell from others: no unbiased estimate of theirs exists (see ``notes``).
        """
        return self.evidence.stderr()

    @property
    def counts(self) -> Vector:
        """Estimated people: shares times reports, or times those of whom they are the shares."""
        people: float = getattr(self.evidence, "people_asked", self.n)
        return self.frequencies * people

    @property
    def notes(self) -> tuple[str, ...]:
        """What to beware of, in words; mostly nothing."""
        return tuple(map(english, self.remarks))

    @property
    def remarks(self) -> tuple[Phrase, ...]:
        """The notes as statements, where they are such."""
        notes: tuple[Phrase, ...] = getattr(self.evidence, "notes", ())
        asked = () if self.census is None else (self.census.who(self.n),)
        few = (SAMPLE_ERROR_NOTE,) if self._keeps_sample_error else ()
        return tuple(dict.fromkeys((*asked, *self._sums_note, *few, *notes)))

    @property
    def _sums_note(self) -> tuple[Phrase, ...]:
        """Why shares do not add up to 1, if they do not."""
        return () if self.adds_up else (ALONE,)

    @property
    def _keeps_sample_error(self) -> bool:
        """Whether something beside the shares has the error of a sample, for few of the people told."""
        return False

    @property
    def size(self) -> float:
        """Among how many people shares are estimated: without end where that is not known."""
        return size_of(self.census)

    def __getitem__(self, label: Any) -> Quantity:
        """The share of one label: its ``value``, its ``stderr`` and ``interval(level)``.

        >>> import deniable as dn
        >>> yes = dn.simulate(dn.RandomizedResponse(["no", "yes"], 2.0), [0.3, 0.7], users=1000, seed=1)["yes"]
        >>> yes.interval(0.95)[0] < yes.value < yes.interval(0.95)[1]
        True
        """
        place = self._place(label)
        return Quantity.of(self.frequencies[place], self.stderr[place], lambda level: self.interval(level)[place])

    def __iter__(self) -> Iterator[Hashable]:
        """The labels."""
        return iter(self.labels)

    def of_asked(self) -> Estimate:
        """The shares among the people who were asked the question, which most often are all."""
        return self

    def present(self, fdr: float = 0.05) -> list[Hashable]:
        """Of the candidates of an open alphabet those that somebody is found to hold.

        On average at most ``fdr`` of them are held by nobody (Benjamini and Hochberg 1995; see ``presence``).
        """
        evidence = self.evidence.plain if isinstance(self.evidence, CensusEvidence) else self.evidence
        if not isinstance(evidence, CohortEvidence):
            raise ParameterError("present must be asked of candidates, got an estimate of a closed domain's labels")
        return [self.labels[place] for place in present(evidence.pvalues(), fdr).tolist()]

    def interval(self, level: float = 0.95, simultaneous: bool = False, target: Target = "population") -> Matrix:
        """Bounds [d, 2] on each share that hold with probability at least ``level`` for any truth and any n.

        Simultaneous bounds hold for all labels at once (Bonferroni) and are tightened by the fact that shares add
        up to 1. ``target`` "sample" bounds the shares among the people who answered, "population" those among the
        people they were drawn from, who are so many as ``population`` says or without end.
        """
        level = check_level(level)
        if target not in ("population", "sample"):
            raise ParameterError(f'target must be "population" or "sample", got target={target!r}')
        bounds = np.clip(self._unclipped(level, simultaneous, target), 0, 1)
        return _tighten(bounds, closed=self.unlisted is None) if simultaneous and self.adds_up else bounds

    def unclipped(self, level: float, simultaneous: bool) -> Matrix:
        """The bounds of ``interval`` as they are drawn: below 0 and above 1 too, where they reach there."""
        return self._unclipped(level, simultaneous, "population").copy()

    def _unclipped(self, level: float, simultaneous: bool, target: Target) -> Matrix:
        key = (1 - level) / (len(self.labels) if simultaneous else 1), target
        bounds = self._bounds.get(key)
        if bounds is None:
            bounds = np.asarray(self.evidence.interval(*key), np.float64)
            if len(self._bounds) >= MOST_KEPT:
                self._bounds.clear()
            if len(self.labels) <= FEW:
                self._bounds[key] = bounds
        return bounds

    def difference(self, other: Estimate, stayed: float | None = None) -> Difference:
        """The shares of other people, of another period or of another group, minus these, with errors and a test.

        The people must not be the same, unless their reports are remembered: what both periods' reports have in common
        can only make the error smaller. Where it is known that at least a share ``stayed`` of them gave the same answer
        in both periods, it is left out.

        >>> import deniable as dn
        >>> m = dn.RandomizedResponse(["yes", "no"], 2.0)
        >>> before, after = (dn.simulate(m, [p, 1 - p], users=5000, seed=s) for s, p in ((1, 0.3), (2, 0.4)))
        >>> found = before.difference(after)
        >>> found.values.round(2).tolist(), found.test.p_value < 1e-6
        ([0.1, -0.1], True)
        """
        if stayed is None:
            return difference(self, other)
        return same_people(difference(_of_sample(self), _of_sample(other)), stayed)

    def compare(self, first: Any, second: Any, level: float = 0.95) -> LabelContrast:
        """Whether the shares of two labels can be told apart, by an interval of their difference.

        Choose the labels before you look: of many pairs some differ by chance.

        >>> import deniable as dn
        >>> survey = dn.simulate(dn.Subset(["bus", "car", "bike"], 2.0), [0.3, 0.6, 0.1], users=9000, seed=1)
        >>> print(survey.compare("car", "bus"))
        More people answer “car” than “bus”: by 28 to 34 points.
        """
        places = self._place(first), self._place(second)
        if places[0] == places[1]:
            raise ParameterError("second must be another label than first, got the same")
        return label_contrast(self, *places, level)

    def ranks(self, level: float = 0.95) -> RankRanges:
        """Which rank each label can have among all, by intervals that hold all at once."""
        return RankRanges(self.labels, self.unbiased, self.stderr, self.interval(level, simultaneous=True), level)

    def surely_above(self, share: float, level: float = 0.95) -> list[Hashable]:
        """The labels whose shares surely exceed this one, in their order: in ``level`` of all surveys every one does.

        Never count the labels whose own intervals lie above a share: of forty of these two miss the truth.

        >>> import deniable as dn
        >>> survey = dn.simulate(dn.Subset(["bus", "car", "bike"], 2.0), [0.3, 0.6, 0.1], users=9000, seed=1)
        >>> survey.surely_above(0.2), survey.surely_below(0.2)
        (['bus', 'car'], ['bike'])
        """
        above = self.interval(level, simultaneous=True)[:, 0] > self._line(share)
        return [self.labels[place] for place in np.flatnonzero(above).tolist()]

    def surely_below(self, share: float, level: float = 0.95) -> list[Hashable]:
        """The labels whose shares surely fall short of this one; they and those ``surely_above`` hold all at once."""
        below = self.interval(level, simultaneous=True)[:, 1] < self._line(share)
        return [self.labels[place] for place in np.flatnonzero(below).tolist()]

    @staticmethod
    def _line(share: float) -> float:
        return float(check_shares("share", [share], 1)[0])

    def error_sources(self, label: Any = None, simultaneous: bool = False) -> ErrorSources | None:
        """How much of a share's uncertainty is due to asking some people only, and how much to protecting them.

        Of the largest share, unless a label is given; None where the share is too close to none or all to be split.
        """
        place = int(np.argmax(self.frequencies)) if label is None else self._place(label)
        return error_sources(self, place, simultaneous, self.size)

    def people_needed(self, margin: float, label: Any = None) -> PeopleNeeded:
        """About how many people must answer until each share, or one, is right within a margin in 19 of 20 surveys."""
        places = slice(None) if label is None else slice(place := self._place(label), place + 1)
        people = people_needed(self, places, check_accuracy(margin, "margin"), self.size)
        return PeopleNeeded(label, margin, self.n, people, population=self.population)

    def _place(self, label: Any) -> int:
        """The place of a label."""
        try:
            return self.labels.index(label)
        except (LabelError, ValueError):
            meant = near(label, self.labels) if isinstance(label, str) else ""
            message = f"label must be one of the {len(self.labels)} that were estimated, got {stranger(label)}{meant}"
            raise LabelError(message) from None

    def reading(
        self, level: float = 0.95, simultaneous: bool = False, target: Target = "population", truth: Truth | None = None
    ) -> Reading:
        """The estimate with the intervals asked for, and with the truth where it is known: to print or to export.

        Printing an estimate, and each ``to_...`` below, takes the reading with 95% intervals.
        """
        return Reading(self, level, simultaneous, target, truth)

    def top(self, k: int = 10, level: float = 0.95) -> list[Share]:
        """The ``k`` most frequent labels, each with its own interval.

        The largest of many noisy shares are partly luck: to say something of all of them at once, or of labels
        chosen because they are large, take simultaneous intervals.
        """
        reading = self.reading(level)
        return [Share(*row[:4]) for row in reading.rows(reading.largest(check_int("k", k, 1)))]

    def plot(
        self, truth: Truth | None = None, level: float = 0.95, simultaneous: bool = False, target: Target = "population"
    ) -> Figure:
        """A picture of the shares with their intervals, and of the truth beside them where it is known."""
        return picture.draw(self.reading(level, simultaneous, target, truth))

    def summary(self) -> str:
        """What can be said, in one to three sentences that can be pasted into a report.

        >>> import deniable as dn
        >>> survey = dn.simulate(dn.Subset(["bus", "car", "bike"], 2.0), [0.3, 0.6, 0.1], users=9000, seed=1)
        >>> survey.summary().split(". ")[1]
        'Most people answer “car”: between 58 and 63 in 100 people, at least 27 in 100 more than any other'
        """
        needed = people_to_say(self, self.size)
        more = None if needed is None else takes(needed, self.size)
        return summary_of(self.n, self.statement(), useless=says_nothing(self), more=more)

    def statement(self, is_open: bool = False) -> Statement:
        """What can be said of the shares. While answers still come in, nothing is compared."""
        return share_sentence(self, is_open)

    def _frame(self, level: float) -> Reading:
        return self.reading(level)

    def __str__(self) -> str:
        return str(self.reading())

    def __repr__(self) -> str:
        return f"Estimate({len(self.labels)} labels, n={self.n}, decoder={self.decoder!r}, {self.title})"

    def _repr_html_(self) -> str:
        return self.reading()._repr_html_()


def _of_sample(estimate: Estimate) -> Estimate:
    """The estimate about people without end: what two periods have in common of their people is taken off but once."""
    evidence = estimate.evidence
    if not isinstance(evidence, CensusEvidence):
        return estimate
    return replace(estimate, decoded=estimate.decoded._replace(evidence=evidence.plain))


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
