"""How results of a kind of question are shown, compared and followed over time: each kind's companion has one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
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
    """What is drawn of a question, and told beside its finding."""

    chart: Chart | None = None
    needed: Phrase = ""
    """About how many answers it takes until anything can be said, where nothing can."""
    noise: ErrorSources | None = None
    notes: Sequence[Phrase] = ()
    labels: Sequence[str] = ()
    """To choose two from."""
    more: Phrase = ""
    """What its kind has to say beside its finding, such as the mean of a scale."""
    numbers: NumbersView | None = None
    unit: str = ""
    among: Phrase = ""
    """Of whom the shares are, where not everybody was asked."""
    of_all: Chart | None = None
    """Of those the shares of all people, where these are not what is drawn."""
    whole: Phrase = ""
    """Of whom these are."""


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
        """Nothing is known."""
        return cls(None, None, None, why)

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        return {"value": self.value, "low": self.low, "high": self.high, "words": self.words}


class ResultKind(ABC, Generic[E]):
    """It holds nothing: the estimate is always given."""

    @abstractmethod
    def finding(self, estimate: E, is_open: bool) -> Statement:
        """What a question found, as its page, its pictures and its JSON say it."""

    @abstractmethod
    def section(self, estimate: E, wanted: Selection, typed: tuple[str, str] | None, axis: Axis) -> Section:
        """What is drawn of it; ``typed`` is a range of numbers that a reader typed, ``axis`` that of shares."""

    @abstractmethod
    def rehearsal(self, estimate: E, most: int) -> Section:
        """The same of people who were made up, of so many labels at most."""

    @abstractmethod
    def headline(self, estimate: E) -> tuple[tuple[Span, ...], float | None]:
        """The bands and the dot of the share that the finding is about, in the list of surveys; none of a number."""

    @abstractmethod
    def reach(self, estimate: E) -> Phrase:
        """How far its longest line reaches, as made-up answers are held against it."""

    def mean(self, estimate: E) -> Quantity | None:
        """The mean place of a scale; of other kinds, and where too few were asked, none."""
        return None

    # --- two results ------------------------------------------------------------------------------------------------

    @abstractmethod
    def compared(self, first: E, second: E, titles: tuple[str, str], are_weeks: bool = False) -> Comparison:
        """The second minus the first. Intervals hold for all rows at once: nobody chose one beforehand."""

    @abstractmethod
    def apart(self, first: E, second: E, titles: tuple[str, str], chance: float) -> Statement | None:
        """What the second surely has more or less of, a sentence that is wrong by a chance at most; None if nothing."""

    @abstractmethod
    def change(self, first: E, second: E) -> dict[str, Any]:
        """The same in plain values, with the interval of each row by itself."""

    # --- period after period ----------------------------------------------------------------------------------------

    @abstractmethod
    def followed(self, estimate: E) -> Sequence[Hashable]:
        """What is followed over time: the answers, or what is told of a number."""

    @abstractmethod
    def name(self, label: Hashable) -> Phrase:
        """One of these, as pages name it."""

    @abstractmethod
    def measured(self, estimate: E, labels: Sequence[Hashable]) -> Mapping[Hashable, Measurement]:
        """Those of these that the estimate tells: of words that are discovered each period has its own."""

    @abstractmethod
    def axis(self, estimate: E, bounds: Sequence[tuple[float, float]]) -> Axis:
        """An axis with room for all bounds."""

    @abstractmethod
    def unit(self, estimate: E) -> Phrase:
        """What that axis counts."""

    @abstractmethod
    def give_or_take(self, estimate: E, half: float) -> Phrase:
        """Half of an interval in words, rounded up."""
