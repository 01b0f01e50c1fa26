"""The document of a survey: what author, device, collector, reader and the person asked all hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.canonical import LABELS, Fields, Spec, equivalent, read_object
from deniable.protocol.checks import check_choice, check_int, check_positive
from deniable.protocol.errors import CapacityError, DenialError, FormatError, ParameterError
from deniable.protocol.surveys.fields import check_seconds, check_survey_name, check_time, check_words
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import question_from_json
from deniable.reports.spec import canonical, parse
from deniable.surveys.arms import MOST_WEIGHT, Arm, arm_from_json
from deniable.surveys.promise import Promise

VERSION = 1
MOST_ARMS, MOST_PARTS, MOST_QUESTIONS = 1 << 12, 1 << 10, 1 << 10
MOST_CELLS = 1 << 28
"""The most counts of a survey's tally: two gibibytes."""
HOUR, DAY = 3600, 86400
PERIODS = ("once", "day", "week", "month")
MODES = ("asked", "background")
REPEATS = ("once", "fresh", "remembered")
LISTS: Fields = frozenset(
    {("questions", field) for field in ("labels", "sensitive", "blocks")}
    | {("arms", "parts", "spec", *field) for field in LABELS}
)
"""The fields of a document whose lists hold labels."""
SINGLE: Fields = frozenset({("questions", "no_answer"), ("arms", "parts", "encoder", "label")})
"""The fields that hold a label."""


class Document:
    """A survey's name, questions, arms and terms. It cannot be changed: a changed document is another survey.

    ``topic`` and ``cap`` are what a device's ledger counts answers under; without them the name and the promise.
    ``skew``, ``grace`` and ``keep`` are in seconds.
    """

    version: int
    name: str
    title: str
    purpose: str
    owner: str
    contact: str
    topic: str
    cap: float
    questions: tuple[Question, ...]
    arms: tuple[Arm, ...]
    period: str
    opens: str | None
    closes: str | None
    skew: int
    grace: int
    minimum: int
    keep: int
    mode: str
    repeat: str
    promise: Promise
    """What the survey promises to each person, which follows from the arms."""

    def __init__(
        self,
        name: str,
        questions: Iterable[Question],
        arms: Iterable[Arm],
        *,
        title: str = "",
        purpose: str = "",
        owner: str = "",
        contact: str = "",
        topic: str | None = None,
        cap: float | None = None,
        period: str = "once",
        opens: Any = None,
        closes: Any = None,
        skew: Any = HOUR,
        grace: Any = 2 * DAY,
        minimum: int = 50,
        keep: Any = 90 * DAY,
        mode: str = "asked",
        repeat: str = "once",
    ) -> None:
        known = check_survey_name("name", name)
        asked, drawn = _check_questions(questions), _check_arms(arms)
        _check_asked(asked, drawn)
        promise = Promise.of([question.name for question in asked], drawn, repeat == "remembered")
        words = {"title": title, "purpose": purpose, "owner": owner, "contact": contact}
        vars(self).update(
            version=VERSION,
            name=known,
            **{field: check_words(field, text) for field, text in words.items()},
            topic=known if topic is None else check_survey_name("topic", topic),
            cap=_check_cap(promise.charge if cap is None else cap, promise),
            questions=asked,
            arms=drawn,
            period=check_choice("period", period, PERIODS),
            opens=check_time("opens", opens),
            closes=check_time("closes", closes),
            skew=check_seconds("skew", skew),
            grace=check_seconds("grace", grace),
            minimum=check_int("minimum", minimum, 1),
            keep=check_seconds("keep", keep),
            mode=check_choice("mode", mode, MODES),
            repeat=check_choice("repeat", repeat, REPEATS),
            promise=promise,
        )
        self._check_terms()

    def _check_terms(self) -> None:
        """What several fields say together."""
        if self.opens is not None and self.closes is not None and self.closes <= self.opens:
            raise ParameterError(f"closes must be after opens, got {self.closes} and {self.opens}")
        if self.repeat != "once" and self.period == "once":
            raise ParameterError(
                f"a survey that is answered again must have a period of day, week or month, got repeat={self.repeat!r}"
            )
        if self.repeat == "remembered" and any(isinstance(question, Number) for question in self.questions):
            raise ParameterError(
                "a survey whose answers are remembered must ask for no number, got one: what is drawn anew for the "
                "same number in every period would tell it bit by bit"
            )
        kept = {isinstance(part.mechanism, Remembered) for arm in self.arms for part in arm.parts}
        if kept != {self.repeat == "remembered"}:
            raise ParameterError(
                'with repeat="remembered", and only then, every part must have a mechanism that is Remembered, '
                f"got {'some' if True in kept else 'none'} and repeat={self.repeat!r}"
            )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a survey cannot be changed, got a new {name}; make another one")

    @cached_property
    def total_weight(self) -> int:
        """The sum of the weights of all arms, below which a device draws its arm."""
        return sum(arm.weight for arm in self.arms)

    @cached_property
    def by_name(self) -> Mapping[str, Question]:
        """The questions by their names."""
        return {question.name: question for question in self.questions}

    def question(self, name: Any) -> Question:
        """The question of a name; refused if there is none."""
        return self.by_name[check_choice("question", name, self.by_name)]

    def to_dict(self) -> Spec:
        """The document as a dictionary of plain values; every field is there."""
        plain = {name: getattr(self, name) for name in FIELDS}
        questions = [question.to_json() for question in self.questions]
        return {**plain, "questions": questions, "arms": [arm.to_json() for arm in self.arms]}

    @cached_property
    def document(self) -> bytes:
        """The document as canonical JSON bytes."""
        return canonical(self.to_dict())

    def to_json(self) -> str:
        """The document as canonical JSON text: what is hashed, stored and sent."""
        return self.document.decode()

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal: answers of one digest belong together, and only those."""
        return hashlib.sha256(self.document).hexdigest()

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any]) -> Self:
        """The survey of a document, in any writing of its JSON; an unknown or missing field is refused."""
        given = read_object(text, "a survey", LISTS, SINGLE)
        if "survey" in given:
            raise FormatError(
                f"a survey must be a document of questions and arms, got the spec of a {str(given['survey'])[:40]}; "
                "plan a survey with a Text question instead"
            )
        if given.get("version") != VERSION:
            raise FormatError(f"a survey must be of version {VERSION}, got another one; a newer release may read it")
        try:
            made = cls._of(given)
            same = equivalent(made.to_dict(), given)
        except DenialError as error:
            raise FormatError(f"a survey must be one that can be asked, got one that cannot: {error}") from error
        except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError, AttributeError):
            raise FormatError("a survey must have its own fields and values, got others") from None
        if not same:
            raise FormatError("a survey must have its own fields and values, got others")
        return made

    @classmethod
    def from_stored(cls, document: bytes) -> Self:
        """The survey of a stored document, which is canonical to the byte."""
        made = cls.from_json(parse(document))
        if made.document != document:
            raise FormatError("a survey must be in canonical form where it is stored, got another writing of it")
        return made

    @classmethod
    def _of(cls, given: Spec) -> Self:
        questions = [question_from_json(written) for written in given["questions"]]
        by_name = {question.name: question for question in questions}
        arms = [arm_from_json(written, by_name) for written in given["arms"]]
        terms = {name: given[name] for name in TERMS}
        return cls(given["name"], questions, arms, **terms)

    def __eq__(self, other: object) -> bool:
        return self.document == other.document if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.document)

    def __repr__(self) -> str:
        asked = ", ".join(self.by_name)
        return f"{type(self).__name__}({self.name!r}, asks {asked}, {_many(len(self.arms), 'arm')})"


TERMS = (
    "title", "purpose", "owner", "contact", "topic", "cap", "period", "opens", "closes", "skew", "grace", "minimum",
    "keep", "mode", "repeat",
)  # fmt: skip
"""The fields of a document that its author may leave out."""
FIELDS = ("version", "name", *TERMS)
"""All fields besides questions and arms."""


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _check_questions(questions: Any) -> tuple[Question, ...]:
    listed = _listed("questions", questions, MOST_QUESTIONS)
    wrong = [type(one).__name__ for one in listed if not hasattr(one, "guarantee") or not hasattr(one, "wording")]
    if wrong:
        raise ParameterError(f"questions must be OneOf, AnyOf, Text or Number, got {wrong[0]}")
    names = [question.name for question in listed]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"questions must have names of their own, got {twice!r} twice")
    return listed


def _check_arms(arms: Any) -> tuple[Arm, ...]:
    listed = _listed("arms", arms, MOST_ARMS)
    if not all(isinstance(arm, Arm) for arm in listed):
        raise ParameterError("arms must be arms, each of one or more parts, got something else")
    if sum(arm.weight for arm in listed) >= MOST_WEIGHT:
        raise ParameterError(f"the weights of all arms must add up to less than {MOST_WEIGHT}, got more")
    if max(len(arm.parts) for arm in listed) > MOST_PARTS:
        raise ParameterError(f"an arm must have at most {MOST_PARTS} parts, got more")
    if sum(part.mechanism.layout.cells for arm in listed for part in arm.parts) > MOST_CELLS:
        raise CapacityError(f"the counts of all parts together must be at most {MOST_CELLS}, got more")
    return listed


def _check_asked(questions: Sequence[Question], arms: Sequence[Arm]) -> None:
    """Every question is asked in some arm, and no arm asks one that is not there."""
    own = {question.name: question for question in questions}
    asked = {question.name: question for arm in arms for part in arm.parts for question in part.questions}
    strange = [name for name, question in asked.items() if own.get(name) != question]
    if strange:
        raise ParameterError(f"arms must ask the survey's own questions, got {strange[0]!r}, which is none of them")
    silent = [name for name in own if name not in asked]
    if silent:
        raise ParameterError(f"every question must be asked in some arm, got {silent[0]!r}, which is in none")


def _check_cap(cap: Any, promise: Promise) -> float:
    level = check_positive("cap", cap)
    if level < promise.charge:
        raise ParameterError(f"cap must be at least what one answer costs, {promise.charge:g}, got cap={level:g}")
    return level


def _listed(field: str, given: Any, most: int) -> tuple[Any, ...]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ParameterError(f"{field} must be a list, got {type(given).__name__}")
    listed = tuple(given)
    if not 1 <= len(listed) <= most:
        raise ParameterError(f"{field} must be from 1 to {most}, got {len(listed)}")
    return listed
