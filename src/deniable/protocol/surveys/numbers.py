"""Questions answered by a number or a date between bounds that people are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ..canonical import Spec
from ..errors import ParameterError
from ..scale import Scale
from .fields import check_question_name, check_words
from .question import Question, about

WANTS: Final = ("mean", "quantiles", "histogram", "spread")
"""What may be wanted of a number: each costs people of its own, but quantiles and histogram, which share theirs."""
MOST_UNIT: Final = 40


@dataclass(frozen=True, init=False, repr=False)
class Number(Question):
    """A number, or a date, from ``low`` to ``high``; answers beyond them count as the bound, and people are told so.

    Dates may be given as texts such as "2026-08-01". Answers go to the nearest ``step``. ``want`` says what is to be
    told: the mean, quantiles (and the share of any range), a histogram, the spread about the mean.

    >>> Number("minutes", 0, 120, unit="min"), Number("weight", 40, 160, 0.5, "kg", want=("mean",))
    (Number('minutes', 0 to 120 by 1, min), Number('weight', 40 to 160 by 0.5, kg))
    """

    kind: ClassVar[str] = "number"
    name: str
    scale: Scale
    unit: str
    want: tuple[str, ...]
    wording: str

    def __init__(
        self,
        name: str,
        low: Any,
        high: Any,
        step: Any = 1,
        unit: str = "",
        want: Iterable[str] = ("mean", "quantiles", "histogram"),
        wording: str = "",
    ) -> None:
        known = check_question_name(name)
        with about(known):
            self._settle(
                name=known,
                scale=Scale.of(low, high, step),
                unit=_check_unit(unit),
                want=_check_want(want),
                wording=check_words("wording", wording),
            )

    @property
    def values(self) -> Scale:
        """The places of numbers on the scale: what encoders take."""
        return self.scale

    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question if the answer is no finite number, or no date."""
        if answer not in self.scale:
            raise self._refused(self.scale.wanted, answer)

    def taken(self, answer: Any) -> int:
        """The place of a checked answer on the scale."""
        return self.scale.index(answer)

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {**super().to_json(), **self.scale.to_json(), "unit": self.unit, "want": list(self.want)}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> Number:
        """The question that ``to_json`` wrote: bounds and step are texts, in one way only."""
        low, high, step = (written[field] for field in ("low", "high", "step"))
        if not all(isinstance(bound, str) for bound in (low, high, step)) or not isinstance(written["want"], list):
            raise ParameterError("low, high and step must be texts, and want a list, got others")
        return cls(written["name"], low, high, step, written["unit"], written["want"], written["wording"])

    def __repr__(self) -> str:
        return f"Number({self.name!r}, {self.scale!r}{f', {self.unit}' if self.unit else ''})"


def _check_unit(unit: Any) -> str:
    found = check_words("unit", unit)
    if len(found) > MOST_UNIT:
        raise ParameterError(f"unit must be at most {MOST_UNIT} characters, got {len(found)}")
    return found


def _check_want(want: Any) -> tuple[str, ...]:
    """What is wanted, each once, in the order of ``WANTS``."""
    listed = [want] if isinstance(want, str) else list(want) if isinstance(want, Iterable) else []
    if not listed or len(set(map(str, listed))) < len(listed) or not set(map(str, listed)) <= set(WANTS):
        raise ParameterError(f"want must be one or more of {', '.join(WANTS)}, each once, got others")
    return tuple(each for each in WANTS if each in listed)
