"""Questions answered by a number or a date between bounds that people are told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from deniable.protocol.errors import LabelError, ParameterError
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.python_values import stranger
from deniable.protocol.surveys.fields import check_question_name, check_words
from deniable.surveys.one_of import about
from deniable.values.scale import Scale

WANTS: Final = ("mean", "quantiles", "histogram", "spread")
"""What may be wanted of a number: each costs people of its own, but quantiles and histogram, which share theirs."""
MOST_UNIT: Final = 40


@dataclass(frozen=True, init=False, repr=False)
class Number:
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
            fields = {
                "name": known,
                "scale": Scale.of(low, high, step),
                "unit": _check_unit(unit),
                "want": _check_want(want),
                "wording": check_words("wording", wording),
            }
        for field_name, value in fields.items():
            object.__setattr__(self, field_name, value)

    @property
    def values(self) -> Scale:
        """The places of numbers on the scale: what encoders take."""
        return self.scale

    @property
    def skipped(self) -> None:
        """None: one answers with a number or does not take part."""
        return

    @property
    def limit(self) -> str:
        """Nothing: numbers beyond the bounds count as the bound."""
        return ""

    def is_beyond(self, answer: Any) -> bool:
        """Whether a value breaks the limit: never."""
        return False

    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question if the answer is no finite number, or no date."""
        if answer not in self.scale:
            wanted = "a date" if self.scale.dated else "a finite number"
            raise LabelError(f"the answer to {self.name!r} must be {wanted}, got {stranger(answer)}")

    def guarantee(self, epsilon: float) -> Guarantee:
        """LDP over all numbers."""
        return LDP(epsilon)

    def to_json(self) -> dict[str, Any]:
        """The question as a document holds it."""
        plain = {"kind": self.kind, "name": self.name, "wording": self.wording, **self.scale.to_json()}
        return {**plain, "unit": self.unit, "want": list(self.want)}

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
