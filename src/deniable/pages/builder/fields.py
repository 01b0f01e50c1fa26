"""The fields of a draft, each described once: its form, how it is read, whether it can stand, and how it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from starlette.datastructures import FormData

from deniable.pages.builder.draft import LEVELS, MOST_PEOPLE, Draft
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import kind_of
from deniable.protocol.fields import MOST_WORDS, SURVEY
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.crowd import ADDRESS
from deniable.protocol.surveys.responsible import RESPONSIBLE

Faults: TypeAlias = dict[str, Statement]
"""What is wrong, by the name of the field."""
Lines: TypeAlias = "tuple[Phrase, ...]"
"""What a field holds, as people read it."""
MOST_CHARACTERS: Final = 200
"""The most characters of an answer or a bound that are kept."""


def read_text(form: FormData, name: str, usual: str = "") -> str:
    """What is written in a field; as before where the form has no such field."""
    return str(form.get(name, usual)).strip()[:MOST_WORDS]


def is_ticked(form: FormData, name: str, _before: object = None) -> bool:
    """Whether a box is ticked: a form does not send those that are not."""
    return name in form


def is_second_chosen(form: FormData, name: str, before: bool) -> bool:
    """Whether the second of two answers is chosen; as before where the form does not ask."""
    return form[name] == "1" if name in form else before


def is_mixer_chosen(form: FormData, _name: str, before: bool) -> bool:
    """Whether it was chosen that the survey is asked through a mixer; as before where the form does not ask."""
    return form["questionnaire"] == "mixer" if "questionnaire" in form else before


def read_level(form: FormData, name: str, usual: str) -> str:
    """The number of the protection, or the level that was chosen instead since the form was read."""
    chosen = str(form.get("level", ""))
    is_new = chosen in ("1", "2", "3") and chosen != usual  # without scripts the number stays as it was
    return chosen if is_new else read_text(form, name, usual)[:MOST_CHARACTERS]


@dataclass(frozen=True, slots=True)
class DraftField:
    """A field: what it is called, the forms that it is on, and how these are read: by its name, and its value before.

    ``stands`` says whether a draft's value can be used; where it cannot, ``refusal`` is said beside the field.
    """

    name: str
    about: Statement
    forms: tuple[str, ...] = ("questions",)
    read: Callable[[FormData, str, Any], Any] = read_text
    refusal: Statement | None = None
    stands: Callable[[Draft], object] = lambda _: True

    def value(self, draft: Draft) -> Any:
        """What was typed, or whether it was ticked."""
        return draft.responsible.get(self.name, "") if self.name in RESPONSIBLE else getattr(draft, self.name)

    def lines(self, draft: Draft) -> Lines:
        """What was typed, for people; nothing of an empty text."""
        match self.value(draft):
            case bool(value):
                return (Statement("yes") if value else Statement("no"),)
            case value:
                return (value,) if value else ()

    def link(self, draft_id: str) -> str:
        """The address at which it is changed."""
        return f"/new/{draft_id}/{self.forms[0]}?field={self.name}"


FIELDS: Final = (
    DraftField(
        "title", Statement("title_heading"), refusal=Statement("give_the_survey_a_title"),
        stands=lambda draft: draft.title.strip()
    ),
    DraftField(
        "name", Statement("name_in_links"), refusal=Statement("use_lower_case_letters"),
        stands=lambda draft: not draft.name or SURVEY.fullmatch(draft.name)
    ),
    DraftField("owner", Statement("who_asks")),
    DraftField("contact", Statement("how_to_reach_you")),
    DraftField("purpose", Statement("what_the_result_is_for")),
    DraftField(
        "people", Statement("how_many_people"), ("learn",),
        refusal=Statement("write_a_whole_number_of_people", most=MOST_PEOPLE),
        stands=lambda draft: draft.expected_people,
    ),
    DraftField(
        "epsilon", Statement("protection_as_a_number"), ("learn",), read_level,
        Statement("write_a_number_from_to", least=LEVELS[0], most=LEVELS[1]), lambda draft: draft.level
    ),
    DraftField(
        "minimum", Statement("no_result_below"), ("learn",),
        refusal=Statement("write_a_whole_number_of_answers"), stands=lambda draft: draft.least
    ),
    DraftField(
        "opens", Statement("opens"), ("learn",), refusal=Statement("write_a_day_and_a_time"),
        stands=lambda draft: draft.opening or not (draft.opens and draft.clock)
    ),
    DraftField(
        "closes", Statement("closes"), ("learn",), refusal=Statement("write_a_day_and_a_time"),
        stands=lambda draft: draft.closing or not (draft.closes and draft.clock)
    ),
    DraftField(
        "zone", Statement("time_zone"), ("questions", "learn"),
        refusal=Statement("write_the_name_of_a_time"), stands=lambda draft: draft.clock
    ),
    DraftField("census", Statement("i_ask_everybody_whom_the_result"), ("learn",), is_ticked),
    DraftField("questionnaire", Statement("in_a_questionnaire_that_you_have"), ("learn",), is_second_chosen),
    DraftField("mixed", Statement("asked_by_mixer"), ("learn",), is_mixer_chosen),
    DraftField(
        "operator", Statement("who_runs_the_mixer"), ("learn",),
        refusal=Statement("write_who_runs_the_mixer"), stands=lambda draft: draft.operator
    ),
    DraftField(
        "mixer", Statement("address_of_the_mixer"), ("learn",),
        refusal=Statement("write_an_address_with_https"), stands=lambda draft: ADDRESS.fullmatch(draft.mixer)
    ),
    DraftField(
        "batch", Statement("how_many_it_waits_for"), ("learn",),
        refusal=Statement("write_how_many_it_waits_for"), stands=lambda draft: draft.crowd
    ),
    DraftField("kiosk", Statement("on_one_device"), ("learn",), is_ticked),
    DraftField("lan", Statement("in_one_room"), ("learn",), is_ticked),
    *(DraftField(name, Statement("about_about", about=Statement(name)), ("check",)) for name in RESPONSIBLE),
)  # fmt: skip
"""All that is typed but questions and languages, in the order in which people read it."""
BY_NAME: Final[Mapping[str, DraftField]] = MappingProxyType({field.name: field for field in FIELDS})
"""The same by their names."""


def read_fields(draft: Draft, form: FormData, step: str) -> dict[str, Any]:
    """What the fields of a form hold, by their names; as before where the form has no such field."""
    fields = (field for field in FIELDS if step in field.forms)
    return {field.name: field.read(form, field.name, field.value(draft)) for field in fields}


def faults_of_fields(draft: Draft, *names: str) -> Faults:
    """What is wrong with those of some fields in which something stands that cannot."""
    fields = [BY_NAME[name] for name in names]
    return {field.name: field.refusal for field in fields if field.refusal and not field.stands(draft)}


class DraftDifference(NamedTuple):
    """What stands in one place of two versions of a draft."""

    about: Phrase
    saved: Lines
    yours: Lines


def differences(saved: Draft, yours: Draft) -> list[DraftDifference]:
    """The places in which two versions differ that were changed at once."""
    return [each for each in _all_places(saved, yours) if each.saved != each.yours]


def _all_places(saved: Draft, yours: Draft) -> Iterator[DraftDifference]:
    """Every field, the languages and every question of two versions, whether they differ there or not."""
    for field in FIELDS:
        yield DraftDifference(field.about, field.lines(saved), field.lines(yours))
    yield DraftDifference(Statement("languages_heading"), _languages(saved), _languages(yours))
    for number, pair in enumerate(zip_longest(saved.questions, yours.questions), 1):
        yield DraftDifference(Statement("question_number", number=number), *map(_question, pair))


def _languages(draft: Draft) -> Lines:
    """The languages, with all translations."""
    texts = [f"{tag}: {text}: {own[text]}" for tag, own in draft.translations.items() for text in own]
    return tuple(filter(None, [draft.language, *draft.translations, *texts]))


def _question(question: DraftQuestion | None) -> Lines:
    """All that was typed of a question, line by line; nothing where a version has none."""
    if question is None:
        return ()
    apart = [Statement("alone_answers", answers=question.exclusive)] if question.exclusive else []
    groups = "within_groups_of_answers" if question.protected == "blocks" else "only_people_who_give_one"
    chosen = question.chosen or (Statement(groups),)
    partly = [] if question.protected == "everybody" else [Statement("protected_answers", answers=chosen)]
    kind = kind_of(question)
    choices = kind.choices(question)
    brief = (kind.brief(question), Statement("in_steps", step=question.step))
    answers: Lines = brief if choices is None else choices
    after = [Statement("asked_after", answers=question.given)] if question.after else []
    return tuple(filter(None, (question.wording, kind.title, *question.asked_rows, *answers, *apart, *partly, *after)))
