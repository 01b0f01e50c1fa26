"""How results of a kind of question are shown, compared and followed over time: each kind's companion has one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from deniable.estimation.error_sources import ErrorSources
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.quantity import Quantity
from deniable.pages.results.comparison import Comparison
from deniable.pages.results.histogram import NumbersView
from deniable.pages.results.rows import Axis, Chart, Span
from deniable.pages.results.selection import Selection
from deniable.protocol.say import Phrase, Statement

E = TypeVar("E", bound=Estimate)


@dataclass(frozen=True)
class Section:
    """What is drawn of a question, and said beside its finding; ``noise`` is where its error comes from."""

    chart: Chart | None = None
    needed: Phrase = ""
    """About how many answers it takes until anything can be said, where nothing can."""
    noise: ErrorSources | None = None
    notes: Sequence[Phrase] = ()
    labels: Sequence[str] = ()
    """Those from which a reader can choose two to compare; none of very many."""
    more: Phrase = ""
    """What its kind has to say beside its finding, such as the mean of a scale."""
    numbers: NumbersView | None = None
    unit: str = ""
    among: Phrase = ""
    """Of whom the shares are, where not everybody was asked."""
    of_all: Chart | None = None
    """The shares of all people, where those of some are drawn in ``chart``."""
    whole: Phrase = ""
    """Of whom the shares in ``of_all`` are."""


@dataclass(frozen=True)
class Measurement:
    """A share, or a number in its units, with its 95% interval, and in words what is known, or why nothing is."""

    value: float | None
    low: float | None
    high: float | None
    words: Statement | str
    estimate: Phrase = ""
    """The value as it is written out."""

    @classmethod
    def nothing(cls, why: Statement) -> Measurement:
        """That nothing is known, and why."""
        return cls(None, None, None, why)

    def to_dict(self) -> dict[str, Any]:
        """The value, its interval and its words for programs."""
        return {"value": self.value, "low": self.low, "high": self.high, "words": self.words}


def known_bounds(tables: Iterable[Mapping[Hashable, Measurement]]) -> list[tuple[float, float]]:
    """All intervals of measurements, of those of which something is known."""
    measurements = [each for table in tables for each in table.values()]
    return [(each.low, each.high) for each in measurements if each.low is not None and each.high is not None]


class ResultKind(ABC, Generic[E]):
    """How pages show results of one kind of question. It holds nothing: the estimate is always given."""

    @abstractmethod
    def finding(self, estimate: E, is_open: bool) -> Statement:
        """What a question found, as its page, its pictures and its JSON say it."""

    @abstractmethod
    def section(self, estimate: E, wanted: Selection, typed: tuple[str, str] | None, axis: Axis) -> Section:
        """What is drawn of it; ``typed`` is a range of numbers that a reader typed, ``axis`` that of shares."""

    @abstractmethod
    def rehearsal(self, estimate: E, most: int) -> Section:
        """What is drawn of the answers of made-up people, of so many labels at most."""

    @abstractmethod
    def headline(self, estimate: E) -> tuple[tuple[Span, ...], float | None]:
        """The bands and the dot of the share that the finding is about, in the list of surveys; none of a number."""

    @abstractmethod
    def half_width(self, estimate: E) -> Phrase:
        """How far its widest interval reaches from the estimate: beside it stands what made-up answers can do."""

    def mean(self, estimate: E) -> Quantity | None:
        """The mean place of a scale; of other kinds, and where too few were asked, none."""
        return None

    # --- two results ------------------------------------------------------------------------------------------------

    @abstractmethod
    def comparison(self, first: E, second: E, titles: tuple[str, str], are_weeks: bool = False) -> Comparison:
        """The second result minus the first. Intervals hold for all rows at once: nobody chose one beforehand."""

    @abstractmethod
    def sure_difference(self, first: E, second: E, titles: tuple[str, str], chance: float) -> Statement | None:
        """What the second surely has more or less of, a sentence that is wrong by a chance at most; None if nothing."""

    @abstractmethod
    def change(self, first: E, second: E) -> dict[str, Any]:
        """The second minus the first in plain values, with the interval of each row by itself."""

    # --- period after period ----------------------------------------------------------------------------------------

    @abstractmethod
    def followed(self, estimate: E) -> Sequence[Hashable]:
        """What is followed over time: the answers, or what is told of a number."""

    @abstractmethod
    def name(self, label: Hashable) -> Phrase:
        """An answer, or what is told of a number, as pages name it."""

    @abstractmethod
    def measurements(self, estimate: E, labels: Sequence[Hashable]) -> Mapping[Hashable, Measurement]:
        """Each of these that the estimate knows: words that are discovered are others in each period."""

    @abstractmethod
    def axis(self, estimate: E, bounds: Sequence[tuple[float, float]]) -> Axis:
        """An axis for them with room for all bounds."""

    @abstractmethod
    def unit(self, estimate: E) -> Phrase:
        """What that axis counts."""

    @abstractmethod
    def give_or_take(self, estimate: E, half: float) -> Phrase:
        """Half of an interval in words, rounded up."""
