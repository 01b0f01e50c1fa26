"""The document of a survey: what author, device, collector, reader and the person asked all hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, Self

from ..canonical import LABELS, WRONG, Fields, Spec, canonical, digest, equivalent, read_object
from ..checks import check_bool, check_choice, check_int, is_int, shown
from ..errors import DenialError, FormatError, ParameterError
from ..fields import check_seconds, check_survey_name, check_time, check_words
from ..questions.encoders import encoder_from_json
from ..questions.kinds import question_from_json
from ..questions.question import Encoder, Question
from .arms import Arm, P
from .carried import CARRIERS, check_carried
from .crowd import Crowd, check_mixed
from .document_checks import check_arms, check_asked, check_cap, check_questions
from .periods import ONCE
from .promise import Promise
from .responsible import read_responsible
from .rounds import RoundLevels
from .translations import SurveyWords, check_language, read_translations, words_of

VERSION = 1
HEAD = 2
"""Bytes of an answer that name the arm, where there is more than one."""
HOUR, DAY = 3600, 86400
REMEMBERED = "remembered"
PERIODS = (ONCE, "day", "week", "month")
MODES = ("asked", "background")
REPEATS = (ONCE, "fresh", REMEMBERED)
LISTS: Fields = frozenset(
    {("questions", *field.split()) for field in ("labels", "sensitive", "blocks", "exclusive", "only_if is")}
    | {("arms", "parts", "spec", *field) for field in LABELS}
)
"""The fields of a document whose lists hold labels."""
SINGLE: Fields = frozenset({("questions", "no_answer"), ("arms", "parts", "encoder", "label")})
"""The fields that hold a label."""


class Document(ABC, Generic[P]):
    """A survey's name, questions, arms and terms. It cannot be changed: a changed document is another survey.

    ``topic`` and ``cap`` are what a device's ledger counts answers under; without them the name and the promise.
    Answers are taken from ``skew`` seconds before a period, for clocks that are ahead, to ``grace`` seconds after it,
    and kept for ``keep`` seconds; of fewer than ``minimum`` nothing is shown. ``population`` is how many people the
    survey is meant for; a survey that asks all of them is a census. ``language`` is that of its words, a BCP 47 tag,
    and ``translations`` are in others. A survey with ``kiosk`` is answered by many people in turn, on one device; one
    with ``lan`` by people in one room, over plain HTTP in their own network. With "field" as its ``carrier`` the report
    is the value of a field of somebody else's form, and no collector has it. ``responsible`` states who answers for it
    before the law. Answers to one with a ``crowd`` go through a mixer, which passes on those of many people at once.
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
    arms: tuple[Arm[P], ...]
    period: str
    opens: str | None
    closes: str | None
    skew: int
    grace: int
    minimum: int
    keep: int
    mode: str
    repeat: str
    population: int | None
    language: str | None
    translations: Mapping[str, SurveyWords] | None
    kiosk: bool
    lan: bool
    carrier: str | None
    responsible: Mapping[str, str] | None
    crowd: Crowd | None
    _arm: ClassVar[type[Arm[Any]]] = Arm

    def __init__(
        self,
        name: str,
        questions: Iterable[Question],
        arms: Iterable[Arm[P]],
        *,
        title: str = "",
        purpose: str = "",
        owner: str = "",
        contact: str = "",
        topic: str | None = None,
        cap: float | None = None,
        period: str = ONCE,
        opens: Any = None,
        closes: Any = None,
        skew: Any = HOUR,
        grace: Any = 2 * DAY,
        minimum: int = 50,
        keep: Any = 90 * DAY,
        mode: str = "asked",
        repeat: str = ONCE,
        population: int | None = None,
        language: str | None = None,
        translations: Mapping[str, Any] | None = None,
        kiosk: bool = False,
        lan: bool = False,
        carrier: str | None = None,
        responsible: Mapping[str, str] | None = None,
        crowd: Crowd | Mapping[str, Any] | None = None,
    ) -> None:
        checked_name, asked, drawn = check_survey_name("name", name), check_questions(questions), check_arms(arms)
        words = {"title": title, "purpose": purpose, "owner": owner, "contact": contact}
        vars(self).update(
            version=VERSION,
            name=checked_name,
            **{field: check_words(field, text) for field, text in words.items()},
            topic=checked_name if topic is None else check_survey_name("topic", topic),
            questions=asked,
            arms=drawn,
            period=check_choice("period", period, PERIODS),
            opens=check_time("opens", opens),
            closes=check_time("closes", closes),
            **{field: check_seconds(field, each) for field, each in (("skew", skew), ("grace", grace), ("keep", keep))},
            minimum=check_int("minimum", minimum, 1),
            mode=check_choice("mode", mode, MODES),
            repeat=check_choice("repeat", repeat, REPEATS),
            population=None if population is None else check_int("population", population, 1),
            **{field: check_bool(field, each) for field, each in (("kiosk", kiosk), ("lan", lan))},
        )
        self._complete(cap, language, translations, carrier, responsible, crowd)

    def _complete(self, cap: Any, language: Any, translations: Any, carrier: Any, responsible: Any, crowd: Any) -> None:
        """Set what follows from the other fields or must fit them, and see whether all fit together."""
        check_asked(self.questions, self.arms)
        vars(self).update(
            carrier=None if carrier is None else check_choice("carrier", carrier, CARRIERS),
            crowd=None if crowd is None else Crowd.read(crowd),
        )
        self._set_words(language, translations, responsible)
        vars(self).update(cap=check_cap(self.promise.charge if cap is None else cap, self.promise))
        self._check_terms()

    def _set_words(self, language: Any, translations: Any, responsible: Any) -> None:
        """Set which language the texts are in, what they are in others, and who is responsible."""
        vars(self).update(
            language=None if language is None else check_language(language),
            responsible=None if responsible is None else read_responsible(responsible),
        )
        read = None if translations is None else read_translations(translations, self.language, self.own_words)
        vars(self).update(translations=read)

    @classmethod
    @abstractmethod
    def _part(cls, questions: Sequence[Question], encoder: Encoder, spec: Any) -> P:
        """A part of a document, with the mechanism of a spec."""

    def _check_terms(self) -> None:
        """What several fields say together."""
        if self.opens is not None and self.closes is not None and self.closes <= self.opens:
            raise ParameterError(f"closes must be after opens, got {self.closes} and {self.opens}")
        if self.repeat != ONCE and self.period == ONCE:
            raise ParameterError(
                f"a survey that is answered again must have a period of day, week or month, got repeat={self.repeat!r}"
            )
        if self.repeat == REMEMBERED and not all(question.remembers for question in self.questions):
            raise ParameterError(
                "a survey whose answers are remembered must ask for no number, got one: what is drawn anew for the "
                "same number in every period would tell it bit by bit"
            )
        if self.kiosk and (self.repeat != ONCE or self.mode != "asked"):
            raise ParameterError(
                'a survey for a kiosk must have repeat="once" and mode="asked", since nobody there is known to come '
                f"again, got repeat={self.repeat!r} and mode={self.mode!r}"
            )
        if self.lan and self.mode != "asked":
            raise ParameterError(f'a survey with lan must have mode="asked", got mode={self.mode!r}')
        if self.carrier is not None:
            check_carried(self)
        if self.crowd is not None:
            check_mixed(self, self.crowd, self.promise.level)
        remembered = {part.rounds is not None for arm in self.arms for part in arm.parts}
        if remembered != {self.repeat == REMEMBERED}:
            raise ParameterError(
                'with repeat="remembered", and only then, every part must have a mechanism that is Remembered, '
                f"got {'some' if True in remembered else 'none'} and repeat={self.repeat!r}"
            )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a survey cannot be changed, got a new {name}; make another one")

    @cached_property
    def promise(self) -> Promise:
        """What the survey promises to each person, which follows from the arms."""
        return Promise.of([question.name for question in self.questions], self.arms, self.repeat == REMEMBERED)

    @property
    def level_in_all(self) -> float:
        """The level of all that a device sends: of a survey that is answered afresh each time it is the cap."""
        return self.cap if self.repeat == "fresh" else self.promise.level

    @property
    def rounds(self) -> RoundLevels | None:
        """Where reports are remembered the levels of one round, of all of them and of a life; None elsewhere."""
        return RoundLevels.dearest(arm.rounds for arm in self.arms)

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

    @property
    def own_words(self) -> SurveyWords:
        """What people read, in the language that the survey is written in."""
        return words_of(self.title, self.purpose, self.questions)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it is asked in, its own first; none if it does not say."""
        return () if self.language is None else (self.language, *sorted(self.translations or ()))

    def texts(self, language: str | None = None) -> SurveyWords:
        """What people read in one of its languages, by its tag; unless told, in its own."""
        if language is None or language == self.language:
            return self.own_words
        if self.translations is None:
            raise ParameterError(
                f"language must be {self.language or 'left out'}, the survey's only one, got {shown(language)}"
            )
        return self.translations[check_choice("language", language, self.languages)]

    @property
    def reported_on(self) -> tuple[int, int]:
        """The least and the most questions that a device reports on."""
        sizes = [len(arm.names) for arm in self.arms]
        return min(sizes), max(sizes)

    @property
    def head_bytes(self) -> int:
        """How many bytes of an answer name its arm."""
        return HEAD if len(self.arms) > 1 else 0

    def answer_bytes(self, number: int) -> int:
        """How many bytes an answer of an arm takes."""
        return self.head_bytes + self.arms[number].width

    @property
    def sent_bytes(self) -> tuple[int, int]:
        """The least and the most bytes that an answer takes."""
        sizes = [self.answer_bytes(number) for number in range(len(self.arms))]
        return min(sizes), max(sizes)

    def to_dict(self) -> Spec:
        """The document as a dictionary of plain values; every field is there, an optional one if it is used."""
        plain = {name: getattr(self, name) for name in FIELDS}
        plain = {name: value for name, value in plain.items() if name not in OPTIONAL or value}
        if self.crowd is not None:
            plain["crowd"] = self.crowd.to_json()
        if self.translations:
            plain["translations"] = {tag: words.to_json() for tag, words in self.translations.items()}
        questions = [question.to_json() for question in self.questions]
        return {**plain, "questions": questions, "arms": [arm.to_json() for arm in self.arms]}

    @cached_property
    def _text(self) -> str:
        return canonical(self.to_dict())

    def to_json(self) -> str:
        """The document as canonical JSON text: what is hashed, stored and sent."""
        return self._text

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal: answers of one digest belong together, and only those."""
        return digest(self._text)

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, Any]) -> Self:
        """The survey of a document, in any writing of its JSON; an unknown or missing field is refused."""
        given = read_object(text, "a survey", LISTS, SINGLE)
        if "survey" in given:
            raise FormatError(
                f"a survey must be a document of questions and arms, got the spec of a {str(given['survey'])[:40]}; "
                "plan a survey with a Text question instead"
            )
        if "version" not in given:
            raise FormatError(
                f"a survey must be of version {VERSION}, got JSON without one; a draft of the pages is no document yet"
            )
        if not is_int(given.get("version")) or given["version"] != VERSION:
            raise FormatError(
                f"a survey must be of version {VERSION}, got {shown(given.get('version'))}; a newer release may read it"
            )
        try:
            made = cls._of(given)
            same = equivalent(made.to_dict(), given)
        except DenialError as error:
            raise FormatError(f"a survey must be one that can be asked, got one that cannot: {error}") from error
        except WRONG:
            raise FormatError("a survey must have its own fields and values, got some of another kind") from None
        if not same:
            raise FormatError("a survey must have its own fields and values, got some that it would not write")
        return made

    @classmethod
    def _of(cls, spec: Spec) -> Self:
        """The survey of a document's fields; what it would not write itself is refused by ``from_json``."""
        questions = [question_from_json(written) for written in spec["questions"]]
        by_name = {question.name: question for question in questions}
        arms = [
            cls._arm([cls._part_of(part, by_name) for part in written["parts"]], written["weight"])
            for written in spec["arms"]
        ]
        terms = {name: spec[name] for name in TERMS if name in spec or name not in OPTIONAL}
        return cls(spec["name"], questions, arms, **terms)

    @classmethod
    def _part_of(cls, written: Any, questions: Mapping[str, Question]) -> P:
        """The part that a document holds, about some of its ``questions``, which are given by their names."""
        names = written["questions"]
        if not isinstance(names, list) or not names:
            raise FormatError(f"a part must name its questions in a list, got {type(names).__name__}")
        if unknown := [name for name in names if not isinstance(name, str) or name not in questions]:
            raise FormatError(f"a part must be about questions of its survey, got {shown(unknown[0])}")
        return cls._part([questions[name] for name in names], encoder_from_json(written["encoder"]), written["spec"])

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        arms = f"{len(self.arms)} arm{'' if len(self.arms) == 1 else 's'}"
        return f"{type(self).__name__}({self.name!r}, asks {', '.join(self.by_name)}, {arms})"


TERMS = (
    "title", "purpose", "owner", "contact", "topic", "cap", "period", "opens", "closes", "skew", "grace", "minimum",
    "keep", "mode", "repeat", "population", "language", "translations", "kiosk",
    "lan", "carrier", "responsible", "crowd",
)  # fmt: skip
"""The fields of a document that its author may leave out."""
OPTIONAL = frozenset({"population", "language", "translations", "kiosk", "lan", "carrier", "responsible", "crowd"})
"""Those that a document has only where they are used, never as null, and never empty or false."""
FIELDS = ("version", "name", *TERMS)
"""All fields besides questions and arms."""
