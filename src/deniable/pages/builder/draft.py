"""What an author has typed so far, letter by letter: whether it can stand is asked when it is read."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import itertools
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final
from zoneinfo import ZoneInfo

from deniable.pages.builder.branches import with_parent_names
from deniable.pages.builder.notation import USUAL, moment_of, number_of, whole_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import COMPANIONS, kind_of
from deniable.pages.zones import zone_named
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.advising.ranking import least_of
from deniable.surveys.authoring import unstated
from deniable.surveys.planning import minimum_for

FORMAT: Final = 1
"""Which fields a draft has. One of another format cannot be read."""
PROTECTED: Final = ("everybody", "some", "blocks")
"""Who may be protected: everybody, whoever gives some answers, or each within a group of answers."""
STEPS: Final = {
    "questions": Statement("questions_heading"), "learn": Statement("what_you_will_learn"),
    "check": Statement("check_and_open"),
}  # fmt: skip
MOST_PEOPLE: Final = 10**9
LEVELS: Final = (0.01, 15.0)
"""The least and the greatest protection, as epsilon."""
MOST_QUESTIONS: Final = 20
MOST_ANSWERS: Final = 5000
"""The most answers that all questions may have together."""
MOST_BYTES: Final = 1 << 17
"""How long a draft may be."""


@dataclass(frozen=True)
class Draft:
    """A survey as it was typed."""

    title: str = ""
    name: str = ""
    purpose: str = ""
    owner: str = ""
    contact: str = ""
    questions: tuple[DraftQuestion, ...] = (DraftQuestion(),)
    language: str = ""
    """The tag of the language of these texts; empty if it is not said."""
    translations: dict[str, dict[str, str]] = field(default_factory=dict)
    """By the tag of another language, by each text, what it is called there."""
    people: str = ""
    census: bool = False
    """Whether the people who are expected to answer are all of them, so that the survey is about nobody else."""
    epsilon: str = "1"
    minimum: str = ""
    """Empty unless it was typed: it follows the people then."""
    opens: str = ""
    closes: str = ""
    kiosk: bool = False
    """Whether people may answer one after another on one device."""
    lan: bool = False
    """Whether phones in one room may answer over plain HTTP."""
    questionnaire: bool = False
    """Whether it is asked in a questionnaire that its author has, whose field holds the report."""
    mixed: bool = False
    """Whether answers go through a mixer."""
    operator: str = ""
    """Who runs it."""
    mixer: str = ""
    """Its address."""
    batch: str = ""
    """For how many answers it waits; empty unless it was typed: it follows the people then."""
    responsible: dict[str, str] = field(default_factory=dict)
    """Who answers for the survey before the law, by what a document may state of it."""
    knows_unstated: bool = False
    """Whether its author knows that the label will not say all that it should of who is responsible."""
    zone: str = ""
    """The time zone of ``opens`` and ``closes``, such as Europe/Berlin; empty until a browser or its author says it."""
    knows: bool = False
    """Whether its author knows that it tells nothing of some question."""
    applied: str = ""
    """What was advised and applied, in words."""
    original: str = ""
    """The draft, as JSON, before advice was applied, which can be taken back; empty if none was."""
    step: str = "questions"
    """How far its author has come."""
    beside: str = ""
    """The draft beside which this one is kept, as both were changed at once; empty if there is none."""

    def to_json(self) -> str:
        """The draft as it is kept, and as a file."""
        return json.dumps({"format": FORMAT, **dataclasses.asdict(self)}, ensure_ascii=False)

    @classmethod
    def from_json(cls, written: str) -> Draft:
        """A draft that was kept, or one of a file or a form, which anybody may have changed."""
        wanted = f"a draft must be one that these pages wrote, of format {FORMAT}"
        try:
            fields = json.loads(written)
        except (ValueError, RecursionError):
            raise ParameterError(f"{wanted}, got a text that is no JSON") from None
        try:
            if fields.pop("format") != FORMAT:
                raise KeyError("format")
            questions = tuple(_checked(DraftQuestion, each) for each in fields["questions"])
            draft: Draft = _checked(cls, {**fields, "questions": questions})
            size = len(draft.to_json().encode())  # half of a pair of surrogates cannot be sent
        except (ValueError, TypeError, KeyError, AttributeError):
            raise ParameterError(f"{wanted}, got JSON with other fields") from None
        if size > MOST_BYTES or not _is_within_limits(draft):
            raise ParameterError(
                f"a draft must have at most {MOST_QUESTIONS} questions, {MOST_ANSWERS:,} answers and "
                f"{MOST_BYTES >> 10} KiB, got more"
            )
        return draft

    @cached_property
    def slug(self) -> str:
        """The survey's name in addresses: as typed, or from its title, of which another script leaves only a hash."""
        return self.name or slug_of(self.title) or f"survey-{hashlib.sha256(self.title.encode()).hexdigest()[:8]}"

    @property
    def heading(self) -> Phrase:
        """What pages call it."""
        return self.title.strip() or Statement("new_survey")

    @property
    def expected_people(self) -> int | None:
        """How many people are expected to answer."""
        return whole_of(self.people, (1, MOST_PEOPLE))

    @property
    def level(self) -> float | None:
        """How weak the protection may be, as epsilon."""
        return number_of(self.epsilon, LEVELS)

    @property
    def least(self) -> int | None:
        """From how many answers on a result is shown."""
        if not self.minimum.strip():
            return max(minimum_for(self.expected_people or MOST_PEOPLE), 2)
        return whole_of(self.minimum, (2, MOST_PEOPLE))

    @property
    def crowd(self) -> int | None:
        """For how many answers a mixer waits; none where too few people are expected."""
        if not self.batch.strip():
            return least_of(self.expected_people or 0) or None
        return whole_of(self.batch, (2, self.expected_people or MOST_PEOPLE))

    @property
    def clock(self) -> ZoneInfo | None:
        """The time zone by whose clocks it opens and closes; the usual one if none is named."""
        return zone_named(self.zone or USUAL)

    @property
    def opening(self) -> datetime.datetime | None:
        """When it opens."""
        return moment_of(self.opens, self.clock)

    @property
    def closing(self) -> datetime.datetime | None:
        """When it closes."""
        return moment_of(self.closes, self.clock)

    @cached_property
    def asked(self) -> tuple[tuple[int, DraftQuestion], ...]:
        """The questions that are not left empty, with their places; the first one if all are."""
        written = tuple((place, each) for place, each in enumerate(self.questions) if not each.is_blank)
        return written or ((0, self.questions[0]),)

    @property
    def lines(self) -> list[tuple[int, DraftQuestion]]:
        """The questions that are not left empty, with their places; each line of a table of scales by itself."""
        return [(place, line) for place, asked in self.asked for line in asked.lines]

    @property
    def unstated(self) -> tuple[str, ...]:
        """What the label should say of who is responsible, and cannot."""
        return unstated(self.contact, self.responsible)

    def to_questions(self) -> list[Question]:
        """The questions, with names from their wordings; refused with the reason if one is none."""
        names = [*self.names()]
        drafts = with_parent_names(self.lines, names)
        return [kind_of(draft).to_question(draft, name) for draft, name in zip(drafts, names, strict=True)]

    def names(self) -> Iterator[str]:
        """A name for each question that is not left empty."""
        taken: list[str] = []
        for number, (_, asked) in enumerate(self.lines, 1):
            taken.append(_question_name(asked.wording, number, taken))
            yield taken[-1]


def slug_of(title: str) -> str:
    """A title as part of an address; empty if nothing of it can stand there.

    >>> slug_of("Wie kommst du zur Arbeit?"), slug_of("Größe & Maß"), slug_of("通勤")
    ('wie-kommst-du-zur-arbeit', 'grosse-mass', '')
    """
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:48].strip("-")


def _question_name(wording: str, number: int, taken: list[str]) -> str:
    """The first words of a question's wording as its name, or its number; with a count if that is taken."""
    words = slug_of(wording).split("-")
    name = "_".join(words[:4]) if words[0][:1].isalpha() else f"question_{number}"
    names = itertools.chain([name], (f"{name}_{count}" for count in itertools.count(2)))
    return next(each for each in names if each not in taken)


def _is_within_limits(draft: Draft) -> bool:
    """Whether a draft is at one of the steps, of kinds that there are, and not too long."""
    questions = draft.questions
    return (
        draft.step in STEPS
        and 1 <= len(questions) <= MOST_QUESTIONS
        and all(each.kind in COMPANIONS and each.protected in PROTECTED for each in questions)
        and sum(len(each.answers) for each in questions) <= MOST_ANSWERS
    )


def _checked(kind: Any, fields: dict[str, Any]) -> Any:
    """A dataclass of fields that anybody may have changed: each must have its default's type, lists as tuples."""
    tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    checked, default = kind(**tuples), kind()
    for each in dataclasses.fields(kind):
        value = getattr(checked, each.name)
        is_text = each.name == "questions" or _holds_texts(value, each.name == "translations")
        if type(value) is not type(getattr(default, each.name)) or not is_text:
            raise TypeError(each.name)
    return checked


def _holds_texts(value: Any, nests: bool) -> bool:
    """Whether all that a field holds is text; translations nest: texts by the texts they translate, by language."""
    if isinstance(value, dict) and nests:
        return _are_texts(value) and all(isinstance(own, dict) and _holds_texts(own, False) for own in value.values())
    return _are_texts((*value, *value.values()) if isinstance(value, dict) else value)


def _are_texts(values: Any) -> bool:
    """Whether the values of a tuple, or the keys of a dict, are texts; anything else is judged by its type alone."""
    return not isinstance(values, tuple | dict) or all(isinstance(each, str) for each in values)
