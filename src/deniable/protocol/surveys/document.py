"""The document of a survey: what author, device, collector, reader and the person asked all hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from ..canonical import LABELS, Fields, Spec, canonical, digest, equivalent, read_text
from ..checks import check_choice, check_int, check_positive, is_int
from ..errors import CapacityError, DenialError, FormatError, ParameterError
from ..mechanisms.registry import WRONG
from ..mechanisms.remembered import Remembered
from .arms import MOST_WEIGHT, Arm, read_arm
from .fields import check_seconds, check_survey_name, check_time, check_words
from .numbers import Number
from .periods import ONCE
from .promise import Promise
from .question import Question
from .questions import question_from_json

VERSION = 1
MOST_ARMS, MOST_PARTS, MOST_QUESTIONS = 1 << 12, 1 << 10, 1 << 10
MOST_CELLS = 1 << 28
"""The most counts of a survey's tally."""
REMEMBERED = "remembered"
PERIODS = (ONCE, "day", "week", "month")
MODES = ("asked", "background")
REPEATS = (ONCE, "fresh", REMEMBERED)
LISTS: Fields = frozenset(
    {("questions", field) for field in ("labels", "sensitive", "blocks")}
    | {("arms", "parts", "spec", *field) for field in LABELS}
)
"""The fields of a document whose lists hold labels."""
SINGLE: Fields = frozenset({("questions", "no_answer"), ("arms", "parts", "encoder", "label")})
"""The fields that hold a label."""
T = TypeVar("T", bound="Document")


class Document:
    """A survey's name, questions, arms and terms, as its text says. ``skew``, ``grace`` and ``keep`` are in seconds."""

    def __init__(self, given: Spec) -> None:
        self.name = check_survey_name("name", given["name"])
        self.title = check_words("title", given["title"])
        self.purpose = check_words("purpose", given["purpose"])
        self.owner = check_words("owner", given["owner"])
        self.contact = check_words("contact", given["contact"])
        self.topic = check_survey_name("topic", given["topic"])
        self.questions = _questions(given["questions"])
        self.by_name = {question.name: question for question in self.questions}
        self.arms = _arms(given["arms"], self.by_name)
        self.promise = Promise.of(self.by_name, self.arms)
        self.cap = self._check_cap(given["cap"])
        self.period = check_choice("period", given["period"], PERIODS)
        self.opens = check_time("opens", given["opens"])
        self.closes = check_time("closes", given["closes"])
        self.skew = check_seconds("skew", given["skew"])
        self.grace = check_seconds("grace", given["grace"])
        self.minimum = check_int("minimum", given["minimum"], 1)
        self.keep = check_seconds("keep", given["keep"])
        self.mode = check_choice("mode", given["mode"], MODES)
        self.repeat = check_choice("repeat", given["repeat"], REPEATS)
        self._check_terms()
        self.text = canonical(self.to_dict())
        """Canonical JSON."""
        self.digest = digest(self.text)
        """SHA-256 of the canonical JSON: answers of one digest belong together, and only those."""
        self.total_weight = sum(arm.weight for arm in self.arms)

    @classmethod
    def read(cls: type[T], text: str | bytes) -> T:
        """The survey of a document's text, in any writing of its JSON; an unknown or missing field is refused."""
        given = read_text(text, "a survey", LISTS, SINGLE)
        if not is_int(given.get("version")) or given["version"] != VERSION:
            raise FormatError(f"a survey must be of version {VERSION}, got another one; a newer release may read it")
        try:
            made = cls(given)
            same = equivalent(made.to_dict(), given)
        except DenialError as error:
            raise FormatError(f"a survey must be one that can be asked, got one that cannot: {error}") from error
        except WRONG:
            raise FormatError("a survey must have its own fields and values, got others") from None
        if not same:
            raise FormatError("a survey must have its own fields and values, got others")
        return made

    def to_dict(self) -> Spec:
        """The document as plain values; every field is there."""
        plain = {name: getattr(self, name) for name in TERMS}
        questions = [question.to_json() for question in self.questions]
        return {"version": VERSION, **plain, "questions": questions, "arms": [arm.to_json() for arm in self.arms]}

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, asks {', '.join(self.by_name)})"

    def _check_cap(self, cap: Any) -> float:
        level = check_positive("cap", cap)
        if level < self.promise.charge:
            raise ParameterError(
                f"cap must be at least what one answer costs, {self.promise.charge:g}, got cap={level:g}"
            )
        return level

    def _check_terms(self) -> None:
        """What several fields say together."""
        silent = [name for name in self.by_name if not any(name in p.names for arm in self.arms for p in arm.parts)]
        if silent:
            raise ParameterError(f"every question must be asked in some arm, got {silent[0]!r}, which is in none")
        if self.opens is not None and self.closes is not None and self.closes <= self.opens:
            raise ParameterError(f"closes must be after opens, got {self.closes} and {self.opens}")
        if self.repeat != ONCE and self.period == ONCE:
            raise ParameterError("a survey that is answered again must have a period of day, week or month, got once")
        kept = {isinstance(part.mechanism, Remembered) for arm in self.arms for part in arm.parts}
        if kept != {self.repeat == REMEMBERED}:
            raise ParameterError(
                'with repeat="remembered", and only then, every mechanism must be Remembered, got others'
            )
        if self.repeat == REMEMBERED and any(isinstance(question, Number) for question in self.questions):
            raise ParameterError("a survey whose answers are remembered must ask for no number, got one")


TERMS = (
    "name", "title", "purpose", "owner", "contact", "topic", "cap", "period", "opens", "closes", "skew", "grace",
    "minimum", "keep", "mode", "repeat",
)  # fmt: skip
"""All fields besides the version, questions and arms."""


def _questions(written: Any) -> tuple[Question, ...]:
    listed = tuple(map(question_from_json, _listed("questions", written, MOST_QUESTIONS)))
    if len({question.name for question in listed}) < len(listed):
        raise ParameterError("questions must have names of their own, got one twice")
    return listed


def _arms(written: Any, questions: dict[str, Question]) -> tuple[Arm, ...]:
    listed = tuple(read_arm(arm, questions) for arm in _listed("arms", written, MOST_ARMS))
    if sum(arm.weight for arm in listed) >= MOST_WEIGHT:
        raise ParameterError(f"the weights of all arms must add up to less than {MOST_WEIGHT}, got more")
    if max(len(arm.parts) for arm in listed) > MOST_PARTS:
        raise ParameterError(f"an arm must have at most {MOST_PARTS} parts, got more")
    if sum(part.mechanism.layout.cells for arm in listed for part in arm.parts) > MOST_CELLS:
        raise CapacityError(f"the counts of all parts together must be at most {MOST_CELLS}, got more")
    return listed


def _listed(field: str, given: Any, most: int) -> Sequence[Any]:
    if not isinstance(given, list) or not 1 <= len(given) <= most:
        raise ParameterError(f"{field} must be a list of 1 to {most}, got something else")
    return given
