"""What an author has typed so far. It travels within the forms: nothing is kept here, and nothing is trusted."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import re
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.fields import MOST_WORDS
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.number import MOST_UNIT, Number
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.scale import Scale
from deniable.protocol.questions.text import Text

KINDS: Final = {
    "one_of": "One answer",
    "scale": "One answer on a scale",
    "any_of": "Any number of answers",
    "text": "Their own words",
    "number": "A number or a date",
}
LISTED: Final = ("one_of", "scale", "any_of")
"""The kinds with answers to choose from."""
WANTED: Final = {
    "mean": "The mean",
    "ranges": "Quantiles and shares of ranges, such as the median",
    "spread": "The spread about the mean",
}
"""What an author may want of a number; each costs people of its own."""
PROTECTED: Final = {"everybody": "Everybody", "some": "Some answers", "blocks": "Groups of answers"}
SOLVED: Final = ("people", "error", "epsilon")
LIMITS: Final = {
    "people": (1, 10**9),
    "error": (0.01, 1e6),
    "epsilon": (0.01, 15.0),
    "expected": (0.01, 100.0),
    "minimum": (2, 10**9),
}
"""The least and the greatest that each number may be; an error that is worked out may be absurdly large."""
MOST_QUESTIONS: Final = 20
MOST_ANSWERS: Final = 5000
"""The most answers that all questions may have together."""
LONGEST_TEXT: Final = 16
LONGEST_NUMBER: Final = 32
"""The most characters of a bound or a step as it was typed."""
NUMBER: Final = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,9})?")
SILENCE: Final = "I would rather not say"


@dataclass(frozen=True)
class DraftQuestion:
    """A question as it was typed; ``chosen`` are the sensitive answers, ``groups`` says which group each is in.

    A number has bounds, a step and a unit; ``beyond`` is how many people of a hundred its author guesses beyond them.
    """

    wording: str = ""
    kind: str = "one_of"
    answers: tuple[str, ...] = ()
    silence: bool = False
    protected: str = "everybody"
    chosen: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    step: str = "1"
    unit: str = ""
    wanted: tuple[str, ...] = ("mean", "ranges")
    beyond: float = 0.0

    @property
    def labels(self) -> tuple[str, ...]:
        """The answers to choose from, with the one of those who do not want to say."""
        return (*self.answers, SILENCE) if self.silence and SILENCE not in self.answers else self.answers

    def question(self, name: str) -> Question:
        """The question itself; refused with the reason if it is none."""
        if self.kind == "text":
            return Text(name, LONGEST_TEXT, self.wording)
        if self.kind == "scale":
            return Scale(name, self.answers, self.wording)
        if self.kind == "any_of":
            return AnyOf(name, self.labels, self.wording)
        if self.kind == "number":
            return self._number(name)
        silence = SILENCE if self.silence else None
        sensitive = self.chosen if self.protected == "some" else None
        blocks = self._blocks() if self.protected == "blocks" else None
        return OneOf(name, self.labels, sensitive, blocks, None, self.wording, silence)

    def _number(self, name: str) -> Number:
        low, high, step = (typed(each) for each in (self.low, self.high, self.step))
        want = [told for each in self.wanted for told in (("quantiles", "histogram") if each == "ranges" else (each,))]
        return Number(name, low, high, step, self.unit, want, self.wording)

    @property
    def grouped(self) -> tuple[str, ...]:
        """The group of each label; those without one are a group together."""
        groups = (*(group.strip() for group in self.groups), *[""] * len(self.labels))
        return groups[: len(self.labels)]

    def _blocks(self) -> list[list[str]]:
        """The groups of answers, within which nobody can tell one from another."""
        groups: dict[str, list[str]] = {}
        for group, label in zip(self.grouped, self.labels, strict=True):
            groups.setdefault(group, []).append(label)
        return list(groups.values())


@dataclass(frozen=True)
class Draft:
    """A survey as it was typed; of people, error and epsilon the one in ``solve`` is worked out."""

    title: str = ""
    name: str = ""
    purpose: str = ""
    owner: str = ""
    contact: str = ""
    questions: tuple[DraftQuestion, ...] = field(default=(DraftQuestion(),))
    people: int = 500
    error: float = 5.0
    """Give or take, in points of a hundred."""
    epsilon: float = 1.0
    solve: str = "error"
    expected: float = 20.0
    """How frequent the answer is that one looks for, in people of a hundred."""
    opens: str = ""
    closes: str = ""
    minimum: int = 50
    census: bool = False
    """Whether the people who are expected to answer are all of them, so that the survey is about nobody else."""
    applied: str = ""
    """What was advised and applied, in words."""
    original: str = ""
    """The draft as it was before, which can be taken back."""

    def to_json(self) -> str:
        """The draft as a hidden field holds it."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, written: str) -> Draft:
        """The draft of a hidden field, which anybody may have changed."""
        try:
            fields = json.loads(written)
            questions = tuple(_checked(DraftQuestion, {**each, **_tuples(each)}) for each in fields["questions"])
            draft: Draft = _checked(cls, {**fields, "questions": questions})
            draft.to_json().encode()  # half of a pair of surrogates cannot be sent
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ParameterError("a draft must be one that this page wrote, got another; begin again") from None
        if not _is_within_limits(draft):
            raise ParameterError("a draft must stay within the limits of its forms, got another; begin again")
        return draft

    @property
    def slug(self) -> str:
        """The survey's name in addresses: as typed, or from its title, of which another script leaves only a hash."""
        return self.name or slug_of(self.title) or f"survey-{hashlib.sha256(self.title.encode()).hexdigest()[:8]}"

    @property
    def has_numbers(self) -> bool:
        """Whether a number is asked for."""
        return any(each.kind == "number" for each in self.questions)

    @property
    def has_shares(self) -> bool:
        """Whether anything else is."""
        return any(each.kind != "number" for each in self.questions)

    def named(self) -> list[Question]:
        """The questions, with names from their wordings; refused with the reason if one is none."""
        names: list[str] = []
        found = []
        for number, asked in enumerate(self.questions, 1):
            names.append(_question_name(asked.wording, number, names))
            found.append(asked.question(names[-1]))
        return found


def slug_of(title: str) -> str:
    """A title as part of an address; empty if nothing of it can stand there.

    >>> slug_of("Wie kommst du zur Arbeit?"), slug_of("Größe & Maß"), slug_of("通勤")
    ('wie-kommst-du-zur-arbeit', 'grosse-mass', '')
    """
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:48].strip("-")


def typed(text: str) -> Decimal | str:
    """A number as people write it, exactly; anything else stays a text, such as a date.

    >>> typed("120.50"), typed("2026-12-31")
    (Decimal('120.50'), '2026-12-31')
    """
    return Decimal(text) if NUMBER.fullmatch(text) else text


def _question_name(wording: str, number: int, taken: list[str]) -> str:
    words = slug_of(wording).split("-")
    name = "_".join(words[:4]) if words[0][:1].isalpha() else f"question_{number}"
    tried = itertools.chain([name], (f"{name}_{again}" for again in itertools.count(2)))
    return next(each for each in tried if each not in taken)


def _is_within_limits(draft: Draft) -> bool:
    """Whether the forms could have led to a draft."""
    asked = draft.questions
    texts = (draft.title, draft.name, draft.purpose, draft.owner, draft.contact, *(each.wording for each in asked))
    return (
        all(low <= getattr(draft, name) <= high for name, (low, high) in LIMITS.items())
        and all(len(text) <= MOST_WORDS for text in texts)
        and draft.solve in SOLVED
        and 1 <= len(asked) <= MOST_QUESTIONS
        and all(each.kind in KINDS and each.protected in PROTECTED for each in asked)
        and sum(len(each.answers) for each in asked) <= MOST_ANSWERS
        and all(_is_number_within_limits(each) for each in asked)
    )


def _is_number_within_limits(asked: DraftQuestion) -> bool:
    return (
        all(len(text) <= LONGEST_NUMBER for text in (asked.low, asked.high, asked.step))
        and len(asked.unit) <= MOST_UNIT
        and set(asked.wanted) <= set(WANTED)
        and 0 <= asked.beyond <= 100
    )


def _tuples(fields: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(fields[name]) for name in ("answers", "chosen", "groups", "wanted")}


def _checked(kind: Any, fields: dict[str, Any]) -> Any:
    """A dataclass whose fields have the types of its defaults."""
    made, usual = kind(**fields), kind()
    for each in dataclasses.fields(kind):
        value, wanted = getattr(made, each.name), type(getattr(usual, each.name))
        if type(value) is not wanted and not (wanted is float and type(value) is int):
            raise TypeError(each.name)
        if wanted is tuple and each.name != "questions" and any(type(text) is not str for text in value):
            raise TypeError(each.name)
    return made


def fault_of(asked: DraftQuestion) -> str:
    """Why a question is none, for its author; empty if it is one."""
    try:
        asked.question("question")
    except DenialError as error:
        said = str(error).split(": ", 1)[-1]
        return f"{said[:1].upper()}{said[1:]}."
    return ""
