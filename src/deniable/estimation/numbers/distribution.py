"""How numbers are distributed: their mean and spread, the share of any range, quantiles, a histogram, a density.

It is an estimate too: of the shares of the histogram's bins.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.checks import check_accuracy, check_level
from deniable.estimation.census import FEW, size_if_many
from deniable.estimation.decoders import LINEAR, Decoded
from deniable.estimation.difference import Difference
from deniable.estimation.error_sources import ErrorSources, split
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.cumulative import quantile_cuts
from deniable.estimation.numbers.number_difference import NumberDifference
from deniable.estimation.numbers.number_reading import NumberReading, draw_distribution
from deniable.estimation.numbers.number_reports import NOTHING, CumulativeBand, NumberReports, PlotCurve
from deniable.estimation.numbers.number_saying import is_unknown, number_sentence
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.numbers.ranges import RangeEvidence
from deniable.estimation.numbers.spread import NumberVariance
from deniable.estimation.people_needed import PeopleNeeded, people_for
from deniable.estimation.reading import Reading, Truth
from deniable.estimation.saying import LEVEL, summary_of
from deniable.estimation.words import decimals, with_unit
from deniable.protocol.checks import check_int, shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.number_scale import NumberScale
from deniable.protocol.say import Phrase, Statement, english
from deniable.theory.risk.variance import Target

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNIT_GRID = NumberScale.of(0, 1)
BINS = 16
"""The most bins of a histogram, unless told otherwise."""
POINTS = 256
"""At how many places curves are given."""
ONE_ERROR = math.erf(math.sqrt(0.5))
"""How often a normal error is at most one standard error."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution(Estimate):
    """Numbers between two bounds; beyond them people's answers count as the bound.

    Values and errors are in the scale's own units; of dates they are days, counted from the first of January 1.
    """

    scale: NumberScale = UNIT_GRID
    unit: str = ""
    reports: NumberReports = NOTHING

    @property
    def n(self) -> int:
        reports = self.reports
        return sum(each.n for each in (reports.mean, reports.squares, reports.ranges) if each is not None)

    @property
    def _keeps_sample_error(self) -> bool:
        parts = (self.reports.mean, self.reports.ranges)
        return self.size < math.inf and any(part is not None and part.n < FEW for part in parts)

    # --- one number -------------------------------------------------------------------------------------------------

    @property
    def mean(self) -> Quantity:
        """The mean: from points if these were asked for, else from shares of ranges, whose error is 2 to 4 times that.

        From ranges it is exact if each cell is one step; else people count as in the middle of their cell. Of a census
        the error is about the mean of its people, as far as it is known how their numbers spread.
        """
        evidence = self.reports.mean
        if evidence is None:
            return self._mean_of_ranges
        half = self.scale.steps / 2
        mean = Quantity(evidence.value, evidence.stderr, evidence.interval)
        people_spread = self._people_spread / half**2
        size = size_if_many(evidence.n, self.size)

        def spread(means: Matrix) -> Matrix:
            """As far as it is known, and no farther than people with such a mean can spread."""
            return np.minimum(people_spread, 1 - np.clip(means, -1, 1) ** 2)

        return self._in_units(mean.among(size, spread, math.sqrt(evidence.least_variance)).scaled(half, half))

    @property
    def _people_spread(self) -> float:
        """The variance of people's numbers, in squares of places; 0 where nothing was asked that tells of it."""
        reports = self.reports
        if reports.ranges is not None:
            weights = self._mean_weights
            return float(reports.ranges.spread(weights)(weights @ reports.ranges.shares[:, None])[0, 0])
        if reports.mean is None or reports.squares is None:
            return 0.0
        variance = NumberVariance(reports.mean, reports.squares, self.scale.steps, reports.about).deviation ** 2
        return min(variance, self.scale.steps**2 / 4) if math.isfinite(variance) else 0.0

    @property
    def spread(self) -> Quantity:
        """The standard deviation; its error and bounds follow from those of the variance."""
        mean, squares = self.reports.mean, self.reports.squares
        if mean is None or squares is None:
            raise ParameterError('the spread must have been asked for, got a question without want "spread"')
        variance, step = NumberVariance(mean, squares, self.scale.steps, self.reports.about), float(self.scale.step)

        def bounds(level: float) -> tuple[float, float]:
            low, high = map(math.sqrt, variance.interval(level))
            return step * low, step * high

        error = variance.stderr / (2 * variance.deviation) if variance.deviation else math.inf
        return Quantity(step * variance.deviation, step * error, bounds)

    def cdf(self, value: Any) -> Quantity:
        """The share of people whose number is at most this one."""
        return self._share(0.0, math.floor(self.scale.place_of(value)) + 1)

    def share(self, low: Any, high: Any) -> Quantity:
        """The share of people whose number is from ``low`` to ``high``, both included.

        Within a cell people count as evenly spread; the bounds hold wherever they are.
        """
        first, last = self.scale.place_of(low), self.scale.place_of(high)
        if last < first:
            raise ParameterError("high must be at least low, got less")
        return self._share(math.ceil(first), math.floor(last) + 1)

    def quantile(self, share: float, simultaneous: bool = False) -> Quantity:
        """The number that this share of people do not exceed; bounds are outer edges of cells.

        Simultaneous bounds hold for all quantiles at once.
        """
        ranges, width = self.reports.known, self.reports.width
        if not 0 < share < 1:
            raise ParameterError(f"share must be above 0 and below 1, got {share}")

        def bounds(level: float) -> tuple[float, float]:
            limits = ranges.band(level) if simultaneous else ranges.pointwise(level)
            first, last = quantile_cuts(limits, share)
            return self.scale.value(first * width), self.scale.value(min(last * width - 1, self.scale.steps))

        low, high = bounds(ONE_ERROR)
        return Quantity(self.scale.value(self._place_of(share)), (high - low) / 2, bounds, on_scale=True)

    @property
    def median(self) -> Quantity:
        """The number that half of the people do not exceed."""
        return self.quantile(0.5)

    # --- curves -----------------------------------------------------------------------------------------------------

    def histogram(self, bins: int | Iterable[Any] | None = None) -> Distribution:
        """The distribution with other bins: about so many of equal width, or those between the numbers of a list.

        Its labels are the bins, ``value``, ``stderr`` and ``interval`` their shares.
        """
        evidence, labels = self._binned(self._edges(bins))
        unbiased = evidence.unbiased()
        shares = LINEAR[self.decoder](unbiased) if self.decoder in LINEAR else unbiased
        return replace(self, labels=labels, decoded=Decoded(shares, unbiased, self.decoder, evidence))

    @property
    def value(self) -> Vector:
        """The unbiased shares of the bins."""
        return self.unbiased

    @property
    def edges(self) -> Vector:
        """Where the bins begin and end, in the units of the scale: half a step before their first number."""
        evidence = self.evidence
        cells = evidence.edges if isinstance(evidence, RangeEvidence) else np.zeros(1)
        return self._values(np.rint(self.reports.places_at(cells)) - 0.5)

    def density(self) -> PlotCurve:
        """A smooth curve of the share per unit: how smooth follows from its 16 cells."""
        places = np.linspace(0, self.reports.ends[-1], POINTS)
        return PlotCurve(self._values(places), self.reports.density.at(places) / float(self.scale.step))

    def band(self, level: float = 0.95) -> CumulativeBand:
        """The share up to each cell's end, rising, and limits that hold for all of them at once."""
        limits = self.reports.known.band(check_level(level))
        return CumulativeBand(self._values(self.reports.ends - 1), self.reports.rising, limits.lower, limits.upper)

    # --- reading ----------------------------------------------------------------------------------------------------

    def summary(self) -> str:
        return summary_of(self.n, self.statement(), useless=is_unknown(self))

    def statement(self, is_open: bool = False) -> Statement:
        return number_sentence(self, is_open)

    def reading(
        self, level: float = 0.95, simultaneous: bool = False, target: Target = "population", truth: Truth | None = None
    ) -> Reading:
        """The mean, the spread and quantiles, and the histogram: to print or to export."""
        return NumberReading(self, level, simultaneous, target, truth)

    def difference(self, other: Estimate, stayed: float | None = None) -> Difference:
        """The mean, quantiles and bins of other people, minus these."""
        if stayed is not None:
            return Estimate.difference(self, other, stayed)
        if not isinstance(other, Distribution) or (other.scale, other.unit) != (self.scale, self.unit):
            given = shown(getattr(other, "scale", other))
            raise ParameterError(f"other must be of numbers on the same scale and in the same unit, got {given}")
        return NumberDifference(self, other)

    def error_sources(self, label: Any = None, simultaneous: bool = False) -> ErrorSources | None:
        """Where the error of the mean comes from, if the spread was asked for too; or that of a bin's share."""
        if label is not None:
            return Estimate.error_sources(self, label, simultaneous)
        (low, high), mean, evidence = self.mean.interval(LEVEL), self.mean, self.reports.mean
        n = self.n if evidence is None else evidence.n
        whole = max(high - mean.value, mean.value - low)
        return split(None, n, self.spread.value**2, mean.stderr, whole, unit=english(self.counted_in), size=self.size)

    def people_needed(self, margin: float, label: Any = None) -> PeopleNeeded:
        """About how many people must be asked until the mean, or a bin's share, is right within a margin."""
        if label is not None:
            return Estimate.people_needed(self, margin, label)
        low, high = self.mean.interval(LEVEL)
        people = people_for(self.n, (high - low) / 2, check_accuracy(margin, "margin"), self.size)
        return PeopleNeeded(None, margin, self.n, people, english(self.counted_in), self.population)

    def plot(
        self, truth: Truth | None = None, level: float = 0.95, simultaneous: bool = False, target: Target = "population"
    ) -> Figure:
        """The histogram with its intervals above the share up to each number with its band."""
        return draw_distribution(NumberReading(self, level))

    def shown(self, value: float, error: float = 0.0) -> Phrase:
        """A number of the scale with its unit, and decimals by its standard error; without one as it stands there."""
        return with_unit(self.written(value, error), self.unit)

    def written(self, value: float, error: float = 0.0) -> str:
        """A number of the scale as ``shown``, without its unit."""
        place = (value - float(self.scale.low)) / float(self.scale.step)
        digits = decimals(error) if 0 < error < math.inf else None
        return self.scale.shown(place, digits)

    @property
    def counted_in(self) -> Phrase:
        """The unit of differences and errors: of dates days."""
        return Statement("days_word") if self.scale.dated else self.unit

    # --- inner ------------------------------------------------------------------------------------------------------

    @property
    def _mean_of_ranges(self) -> Quantity:
        """Of m steps the mean is m less the shares below each; within a cell people count as evenly spread."""
        known, weights = self.reports.known, self._mean_weights
        (value,), (variance,) = known.query(weights)
        places = Quantity.of(value, math.sqrt(variance), lambda level: known.bounds(weights, 1 - level)[0])
        return self._in_units(places.within(0, self.scale.steps))

    @property
    def _mean_weights(self) -> Matrix:
        """The weights [1, cuts] of the shares below each cut that add up to the mean place."""
        ends = self.reports.ends
        middles = (ends[:-1] + ends[1:] - 1) / 2
        return np.asarray(np.append(0.0, middles) - np.append(middles, 0.0), np.float64)[None]

    def _share(self, first: float, end: float) -> Quantity:
        """The share from the place ``first`` on and before ``end``."""
        share = RangeEvidence(self.reports.known, self.reports.cells_at(np.array([first, max(end, first)])))
        quantity = Quantity.of(share.unbiased()[0], share.stderr()[0], lambda level: share.interval(1 - level)[0])
        return quantity.within(0, 1)

    def _place_of(self, share: float) -> int:
        """The first place up to which this share of people lies, evenly spread within a cell."""
        rising = self.reports.rising
        after = min(max(int(np.searchsorted(rising, share)), 1), len(rising) - 1)
        low, high = rising[after - 1], rising[after]
        inside = (share - low) / (high - low) if high > low else 1.0
        first, end = self.reports.ends[after - 1 : after + 1].tolist()
        return int(max(math.ceil(first + inside * (end - first)) - 1, first))

    def _edges(self, bins: int | Iterable[Any] | None) -> Vector:
        """The edges of bins in cells: whole ones, unless numbers are given."""
        cells = self.reports.known.cells
        if bins is None or isinstance(bins, int):
            count = BINS if bins is None else check_int("bins", bins, 1)
            each = -(-cells // min(count, cells))
            return np.append(np.arange(0, cells - each / 2, each), cells).astype(np.float64)
        places = np.array([self.scale.place_of(edge) for edge in bins])
        if len(places) < 2 or (np.diff(places) <= 0).any():
            raise ParameterError(f"bins must be a number of bins or two or more rising edges, got {shown(bins)}")
        first = np.append(np.ceil(places[:-1]), np.floor(places[-1]) + 1)  # the last edge is within its bin
        return self.reports.cells_at(first)

    def _binned(self, edges: Vector) -> tuple[RangeEvidence, Sequence[str]]:
        """The shares of the bins between these edges, and the bins' labels."""
        places = np.rint(self.reports.places_at(edges)).astype(np.int64).tolist()
        labels = [self._span(first, end - 1) for first, end in itertools.pairwise(places)]
        return RangeEvidence(self.reports.known, edges), tuple(labels)

    def _span(self, first: int, last: int) -> str:
        low, high = self.scale.shown(first), self.scale.shown(last)
        return low if first == last else f"{low} to {high}"

    def _values(self, places: Vector) -> Vector:
        return np.asarray(float(self.scale.low) + places * float(self.scale.step), np.float64)

    def _in_units(self, places: Quantity) -> Quantity:
        return places.scaled(float(self.scale.low), float(self.scale.step))
