"""The forms of the builder: read into a draft letter by letter as they are sent, and what is wrong in each of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from starlette.datastructures import FormData

from deniable.intake.refusals import UNKNOWN, Refused
from deniable.pages.builder.branches import fault_of_branch, is_in_branch, read_branch, with_other_words
from deniable.pages.builder.draft import MOST_ANSWERS, MOST_QUESTIONS, PROTECTED, STEPS, Draft
from deniable.pages.builder.draft_survey import survey_of
from deniable.pages.builder.fields import MOST_CHARACTERS, Faults, faults_of_fields, is_ticked, read_fields, read_text
from deniable.pages.builder.outlook import nothing_known
from deniable.pages.builder.translations import read_languages
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import COMPANIONS, kind_of
from deniable.pages.kinds.number import WANTED
from deniable.pages.kinds.page_kind import reason_of
from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.say import Statement

MANY: Final = 60
"""Of more answers than these the form has one field with a line for each."""
OPEN_UNSTATED: Final = "open without"
"""The button that opens a survey whose label will not say all that it should."""
BOUNDS: Final = ("low", "high", "step", "unit")
AFTER: Final[Mapping[str, str]] = {"questions": "learn", "learn": "check", "languages": "questions"}
"""Which step comes after which."""
PATH: Final = re.compile(r"/new/(?P<id>[\w-]{1,64})/(?P<step>questions|learn|check|languages)")
LONGEST_VERSION: Final = 9
BYTES: Final = 1 << 20
"""The most bytes of a form, which only authors send: a draft, and what was typed since it was read."""
KEPT_BYTES: Final = 2 * BYTES
"""The most bytes of a form that signs in and holds such a one."""


class SentForm(NamedTuple):
    """Which draft was typed in, at which step and version, how it stands now, and which button was pressed."""

    id: str
    step: str
    version: int
    draft: Draft
    button: str

    @classmethod
    def of(cls, path: str, form: FormData) -> SentForm:
        """A form, which holds the draft as it was when it was read."""
        address = PATH.fullmatch(path)
        if address is None:
            raise Refused(UNKNOWN)
        step, button = address["step"], str(form.get("do", ""))
        draft = READERS[step](Draft.from_json(str(form.get("draft", ""))), form)
        reached = AFTER.get(step, step) if button == "next" else step
        draft = replace(draft, step=reached if reached in STEPS else "questions")
        version = str(form.get("version", ""))[:LONGEST_VERSION]
        number = int(version) if version.isascii() and version.isdigit() else 0
        return cls(address["id"], step, number, Draft.from_json(draft.to_json()), button)


def form_to_text(path: str, form: FormData) -> str:
    """A form and its path as a text, to be kept in a page of sign-in and sent along with that one."""
    return json.dumps([path, [(name, str(value)) for name, value in form.multi_items() if name != "csrf"]])


def form_from_text(text: str) -> tuple[str, FormData]:
    """The path and the form of a text that ``form_to_text`` made."""
    try:
        path, fields = json.loads(text)
        return str(path), FormData([(str(name), str(value)) for name, value in fields])
    except (ValueError, TypeError, RecursionError):
        raise ParameterError("what was typed must be as its page sent it, got a text that was changed since") from None


# --- what was typed -------------------------------------------------------------------------------------------------


def read_questions(draft: Draft, form: FormData) -> Draft:
    """The first form: a title, those questions that it shows, and who asks."""
    shown = _places(form, "shown")
    questions = [_question(each, form, place) if place in shown else each for place, each in enumerate(draft.questions)]
    questions = [read_branch(draft.questions, each, form, place) for place, each in enumerate(questions)]
    questions = with_other_words(draft.questions, questions)
    return replace(draft, **read_fields(draft, form, "questions"), questions=tuple(questions[:MOST_QUESTIONS]))


def read_learning(draft: Draft, form: FormData) -> Draft:
    """The second form: how many people, how they are protected, and when they are asked."""
    knows = is_ticked(form, "knows") if "asks-knows" in form else draft.knows
    questions = tuple(_protection(each, form, place) for place, each in enumerate(draft.questions))
    fields = read_fields(draft, form, "learn")
    if fields["mixed"]:  # each person answers on their own device, with a code
        fields |= {"kiosk": False, "lan": False}
    return replace(draft, **fields, knows=knows, questions=questions)


def read_check(draft: Draft, form: FormData) -> Draft:
    """The third form, in which nothing is typed but who is responsible; who opens it without that knows it."""
    responsible = {name: text for name, text in read_fields(draft, form, "check").items() if text}
    return replace(draft, responsible=responsible, knows_unstated=form.get("do") == OPEN_UNSTATED)


READERS: Final[Mapping[str, Callable[[Draft, FormData], Draft]]] = {
    "questions": read_questions,
    "learn": read_learning,
    "check": read_check,
    "languages": read_languages,
}


def _question(before: DraftQuestion, form: FormData, place: int) -> DraftQuestion:
    """A question that the form shows, as it was typed; what the form does not ask stays as before."""
    kind, answers = str(form.get(f"kind-{place}", before.kind)), _answers(before, form, place)
    alone = _places(form, f"alone-{place}")
    bounds: dict[str, Any] = {
        name: read_text(form, f"{name}-{place}", getattr(before, name))[:MOST_CHARACTERS] for name in BOUNDS
    }
    return replace(
        before,
        **bounds,
        wording=read_text(form, f"wording-{place}", before.wording),
        kind=kind if kind in COMPANIONS else before.kind,
        answers=answers,
        rows=_rows(before, form, place),
        alone=tuple(answer for number, answer in enumerate(answers) if answer and number in alone),
        silence=is_ticked(form, f"silence-{place}"),
        silent=read_text(form, f"silence-{place}", before.silent)[:MOST_CHARACTERS] or before.silent,
        wanted=tuple(each for each in WANTED if each in form.getlist(f"want-{place}")),
    )


def _rows(before: DraftQuestion, form: FormData, place: int) -> tuple[str, ...]:
    """The lines of a table of scales, those that are written."""
    if f"rows-{place}" not in form:
        return before.rows
    lines = [" ".join(line.split())[:MOST_CHARACTERS] for line in str(form[f"rows-{place}"]).splitlines()]
    return tuple(filter(None, lines))[:MOST_QUESTIONS]


def _answers(before: DraftQuestion, form: FormData, place: int) -> tuple[str, ...]:
    """The answers, from fields of their own, or from lines of one field."""
    if f"lines-{place}" in form:
        answers = str(form[f"lines-{place}"]).splitlines()
    else:
        answers = [str(each) for each in form.getlist(f"answer-{place}")] or list(before.answers)
    answers += [line for line in str(form.get(f"list-{place}", "")).splitlines() if line.strip()]
    return tuple(" ".join(each.split())[:MOST_CHARACTERS] for each in answers[:MOST_ANSWERS])


def _places(form: FormData, name: str) -> set[int]:
    """The numbers of what is ticked, or shown."""
    return {int(each) for each in map(str, form.getlist(name)) if each.isdecimal() and len(each) < 5}


def _protection(before: DraftQuestion, form: FormData, place: int) -> DraftQuestion:
    """Who is protected, where the form asks it."""
    protected = str(form.get(f"protected-{place}", before.protected))
    if f"protected-{place}" not in form or protected not in PROTECTED:
        return before
    labels, sensitive = before.labels, _places(form, f"chosen-{place}")
    chosen = tuple(label for number, label in enumerate(labels) if number in sensitive)
    names = [str(each).strip()[:40] for each in form.getlist(f"group-{place}")]
    groups = {label: name for label, name in zip(labels, names, strict=False) if name}
    return replace(before, protected=protected, chosen=chosen, groups=groups)


# --- what is wrong with it, by field, in the words that stand beside the fields --------------------------------------


def faults_of_questions(draft: Draft, is_taken: bool) -> Faults:
    """What is wrong with the first form; ``is_taken``: another author has a survey of its name."""
    faults = faults_of_fields(draft, "title")
    for place, question in draft.asked:
        wording = {} if question.wording.strip() else {"wording": Statement("write_the_question_as_people")}
        branch = fault_of_branch(draft.questions, place)
        by_field = {**wording, **kind_of(question).faults(question), **({"after": branch} if branch else {})}
        faults |= {f"{name}-{place}": fault for name, fault in by_field.items()}
    if is_taken:
        faults["name"] = Statement("belongs_to_another_author", name=draft.slug)
    return faults | faults_of_fields(draft, "name") or _faults_together(draft)


def _faults_together(draft: Draft) -> Faults:
    """Why questions that stand one by one are no survey together, whoever is protected."""
    questions = tuple(question.with_everybody for question in draft.questions)
    try:
        replace(draft, questions=questions).to_questions()
    except DenialError as error:
        return {"survey": reason_of(error)}
    return {}


def faults_of_learning(draft: Draft, now: float) -> Faults:
    """What is wrong with the second form, of a draft whose first one stands."""
    times = {} if draft.questionnaire else faults_of_times(draft, now)
    if faults := faults_of_numbers(draft) | times | (faults_of_mixing(draft) if draft.mixed else {}):
        return faults
    try:
        survey_of(draft)
        lost = nothing_known(draft)
    except DenialError as error:
        return {"survey": reason_of(error)}
    return {"knows": Statement("apply_a_change_ask_more")} if lost and not draft.knows else {}


def faults_of_opening(draft: Draft) -> Faults:
    """What keeps a draft that stands from being opened: what its label would not say, unless its author knows it."""
    if draft.unstated and not draft.knows_unstated:
        return {"knows_unstated": Statement("state_what_is_missing_or_tick")}
    return {}


def faults_of_numbers(draft: Draft) -> Faults:
    """What is wrong with how many people there are, and with how they are protected."""
    faults = faults_of_fields(draft, "people", "epsilon")
    for place, question in draft.asked:
        partly = question.protected != "everybody" and is_in_branch(draft.questions, place)
        statement = Statement("a_branch_protects_all_answers") if partly else None
        if fault := statement or kind_of(question).refusal(question) or _fault_of_groups(question):
            faults[f"protected-{place}"] = fault
    return faults


def faults_of_mixing(draft: Draft) -> Faults:
    """What is wrong with a survey whose answers go through a mixer."""
    faults = faults_of_fields(draft, "operator", "mixer", "batch")
    if not draft.closes:
        faults["closes"] = Statement("a_mixer_passes_on_at_the_end")
    if not draft.owner:
        faults["survey"] = Statement("with_a_mixer_say_who_asks")
    return faults


def _fault_of_groups(question: DraftQuestion) -> Statement | None:
    """What is wrong with groups that protect nobody; nothing if they do not."""
    if question.protected == "blocks" and len(set(question.grouped)) == len(question.labels):
        return Statement("every_answer_is_a_group_of_its_own")
    return None


def faults_of_times(draft: Draft, now: float) -> Faults:
    """What is wrong with when the survey is asked, and from how many answers on a result is shown."""
    faults = faults_of_fields(draft, "minimum")
    if draft.least is not None and draft.expected_people is not None and draft.least > draft.expected_people:
        faults["minimum"] = Statement("you_expect_people_so_no_result", count=draft.expected_people)
    faults |= faults_of_fields(draft, "zone", "opens", "closes")
    opening, closing = draft.opening, draft.closing
    if closing is not None and opening is not None and opening >= closing:
        faults["closes"] = Statement("write_a_time_after_the_one")
    elif closing is not None and closing.timestamp() <= now:
        faults["closes"] = Statement("this_moment_is_over_the_survey")
    return faults
