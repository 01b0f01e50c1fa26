"""What the forms of the builder show: a question, a forecast, a summary to check."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from deniable.pages.builder.advice import advice_on, cards_of, cautions_of, contradicts, gentlest, put_aside, spent_caps
from deniable.pages.builder.branches import condition_in_words, is_astray, parents, steps_to
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.draft_survey import forecast_of, survey_of
from deniable.pages.builder.fields import BY_NAME, Faults
from deniable.pages.builder.forms import MANY, faults_of_numbers
from deniable.pages.builder.mixing import may_mix, party_levels
from deniable.pages.builder.notation import beside_utc, in_words, place_of
from deniable.pages.builder.outlook import example_of, nothing_known
from deniable.pages.builder.presets import READY, STRENGTHS
from deniable.pages.builder.shelf import KeptDraft
from deniable.pages.builder.translations import NAMES, missing, mistaken_languages, name_of, texts_of
from deniable.pages.handing.host_files import PROGRAMS, next_steps
from deniable.pages.kinds.draft_question import DraftQuestion, silence_in
from deniable.pages.kinds.kinds import COMPANIONS, kind_of
from deniable.pages.label_terms import keeping
from deniable.protocol.errors import DenialError
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.label_statements import LabelStatements
from deniable.protocol.surveys.protection import Protection, crowd_hints
from deniable.protocol.surveys.responsible import RESPONSIBLE
from deniable.surveys.advising.advice import Advice
from deniable.surveys.advising.designs import AdvisedDesign
from deniable.surveys.advising.outlooks import QuestionOutlook
from deniable.surveys.advising.words import GOOD, named
from deniable.surveys.document import Document
from deniable.surveys.survey import Survey

GUESSES: Final = (0.01, 0.1, 0.5)
MOST_AT_ONCE: Final = 3
"""How many pieces of advice are shown at once where nothing is to be kept; the others are in a fold."""
WANTED: Final = {
    "mean": Statement("the_mean"),
    "ranges": Statement("the_middle_median_quarters"),
    "spread": Statement("how_far_people_differ"),
}
"""What an author may want to know of a number."""
ON_LABEL: Final = ("controller", "legal_basis", "contact", "officer", "authority", "host", "owner", "purpose")
"""Of what the label says "not stated" if nothing is: what an officer needs before anything else stands first."""
WAYS: Final = {
    "kiosk": Statement("people_answer_one_after_another"),
    "lan": Statement("phones_in_one_room_answer"),
}
"""In which other ways than each from their own device, over HTTPS, people may answer."""


class CheckLine(NamedTuple):
    """A line of what was chosen: what it is about, what it says, and where it can be changed."""

    about: Phrase
    lines: tuple[Phrase, ...]
    change: str = ""


DECIDED_LATER: Final = (
    CheckLine(Statement("who_can_answer"), (Statement("anybody_with_the_link_until"),)),
    CheckLine(Statement("who_may_read_the_result"), (Statement("people_who_are_signed_in_and_whom"),)),
    CheckLine(Statement("closing_earlier"), (Statement("you_may_close_it_at_any"),)),
)


class UnstatedTerm(NamedTuple):
    """Something of which the label says "not stated": the way to its field, and whether an officer needs it."""

    about: Phrase
    change: str
    is_needed: bool


def question_values(draft: Draft, faults: Faults, at: str, code: str) -> dict[str, Any]:
    """The first form: open are the question whose number is ``at``, as typed in the address, and those at fault.

    ``code`` is the language of the page, for what a draft without one proposes.
    """
    wrong = {int(last) for name in faults if (last := name.rsplit("-", 1)[-1]).isdecimal()}
    chosen = int(at) - 1 if at.isdecimal() and len(at) < 3 else min(wrong, default=0)
    current = min(max(chosen, 0), len(draft.questions) - 1)
    return {
        "draft": draft,
        "open": {current, *wrong},
        "one": current,
        "kinds": COMPANIONS,
        "wanted": WANTED,
        "silence": silence_in(draft.language or code),
        "many": MANY,
        "parents": partial(parents, draft.questions),
        "condition_in_words": partial(condition_in_words, draft.questions),
        "is_astray": partial(is_astray, draft.questions),
        "steps_to": partial(steps_to, draft.questions),
        "aside": put_aside(draft),
        "name_of": label_of_fault,
        "languages": [(tag, name_of(tag), len(missing(draft, tag))) for tag in draft.translations],
        "language": name_of(draft.language),
    }


def language_values(draft: Draft) -> dict[str, Any]:
    """The form of languages."""
    texts = texts_of(draft)
    return {"draft": draft, "names": NAMES, "texts": texts, "language_name": name_of, "name_of": label_of_fault}


def label_of_fault(name: str) -> Phrase:
    """The field that a fault is about, as a summary names it.

    >>> english(label_of_fault("low-1")), english(label_of_fault("closes")), english(label_of_fault("survey"))
    ('Question 2', 'Closes', '')
    """
    place = name.rsplit("-", 1)[-1]
    if place.isdecimal():
        return Statement("question_number", number=int(place) + 1)
    return BY_NAME[name].about if name in BY_NAME else ""


def learn_values(draft: Draft, others: Iterable[Document]) -> dict[str, Any]:
    """The second form, and what follows from it."""
    partly = any(question.protected != "everybody" for _, question in draft.asked)
    return {
        "draft": draft,
        "strengths": STRENGTHS,
        "guesses": [] if partly or draft.level is None else [Protection(draft.level).guess(each) for each in GUESSES],
        "aside": put_aside(draft),
        "name_of": label_of_fault,
        "times": times_of(draft),
        "may_mix": may_mix(draft),
        "outcome": _outcome(draft, others),
    }


def _outcome(draft: Draft, others: Iterable[Document]) -> dict[str, Any] | None:
    """What the survey would tell; nothing before it can be planned."""
    if faults_of_numbers(draft):
        return None
    try:
        survey = forecast_of(draft)
        advice = advice_on(draft)
    except DenialError:
        return None
    lost = nothing_known(draft)
    rows, first = advice.now.rows, cards_of(advice, _designs_at_once(advice, bool(lost), bool(draft.applied)))
    keys = {card.design.key for card in first}
    closest = min(rows, key=lambda row: (row.is_nothing, row.question.own_words, row.error))
    return {
        "finding": advice.statement if lost else _finding(rows),
        "rows": rows,
        "by_lot": survey.reported_on[0] < len(survey.questions),
        "cards": first,
        "more": cards_of(advice, [each for each in advice.options if each.key not in keys]),
        "contradicts": contradicts(first),
        "parties": party_levels(survey),
        "lost": lost,
        "all_lost": len(lost) == len(rows),
        "example": None if lost or closest.question.own_words else example_of(closest),
        "cautions": [*cautions_of(draft), *spent_caps(survey, others)],
    }


def _designs_at_once(advice: Advice, is_lost: bool, is_chosen: bool) -> Sequence[AdvisedDesign]:
    """The designs that are shown at once: what may be kept. None where all is good, or the author has chosen one."""
    if is_lost:
        return advice.best_by_questions_kept or gentlest(advice.options)[:MOST_AT_ONCE]
    return () if is_chosen or max(row.error for row in advice.now.rows) <= GOOD else advice.options[: MOST_AT_ONCE - 1]


def _finding(rows: Sequence[QuestionOutlook]) -> Statement:
    """What is learned, where something is of every question."""
    if len(rows) > 1:
        return Statement("you_learn_something_of_each", count=len(rows))
    return Statement("you_learn_it_to_give_or_take", error=rows[0].error_statement)


def times_of(draft: Draft) -> Statement:
    """When the survey is asked, in words."""
    first, last = Statement("opens_at_once"), Statement("closes_when_you_close_it")
    if draft.opening is not None:
        first = Statement("opens_heading", moment=beside_utc(draft.opening))
    if draft.closing is not None:
        last = Statement("closes_moment", moment=beside_utc(draft.closing))
    times = Statement("opens_closes", opens=first, closes=last)
    if draft.clock is None or not (draft.opening or draft.closing):
        return times
    return Statement("times_place", times=times, place=place_of(draft.clock))


def check_values(kept: KeptDraft, others: Sequence[Document]) -> dict[str, Any]:
    """All that was chosen, and what to beware of."""
    draft = kept.draft
    survey = survey_of(draft)
    return {
        "draft": draft,
        "asked": _asked_lines(kept, any(other.name == draft.slug for other in others)),
        "promised": _promise_lines(kept, survey),
        "later": () if draft.questionnaire else DECIDED_LATER,
        "programs": PROGRAMS if draft.questionnaire else {},
        "next_steps": next_steps,
        "responsible": {name: BY_NAME[name].about for name in RESPONSIBLE},
        "unstated": _unstated(kept),
        "ready": READY,
        "name_of": label_of_fault,
        "cautions": [*mistaken_languages(draft), *spent_caps(survey, others)],
        "opens": "" if draft.opening is None else in_words(draft.opening),
    }


def _asked_lines(kept: KeptDraft, is_again: bool) -> list[CheckLine]:
    """What is asked, by whom and in which languages; ``is_again``: a survey of the same name was asked before."""
    draft, again = kept.draft, [Statement("an_earlier_survey_of_yours")] if is_again else []
    questions = [
        CheckLine(
            Statement("question_heading") if len(draft.asked) == 1 else Statement("question_number", number=number),
            _lines(draft, place, question),
            f"/new/{kept.id}/questions?at={place + 1}&field=wording-{place}",
        )
        for number, (place, question) in enumerate(draft.asked, 1)
    ]
    who = " · ".join(filter(None, (draft.owner, draft.contact))) or Statement("nobody_is_named_word")
    tags = (draft.language, *draft.translations) if draft.language else ()
    languages = ", ".join(map(name_of, tags)) or Statement("not_said_word")
    return [
        _line(kept, "title", draft.title),
        *questions,
        _line(kept, "owner", who),
        _line(kept, "purpose", draft.purpose or Statement("not_stated"), about=Statement("what_for")),
        _line(kept, "controller", *_responsible(draft), about=Statement("who_is_responsible")),
        CheckLine(Statement("languages_heading"), (languages,), f"/new/{kept.id}/languages?field=language"),
        _line(kept, "name", draft.slug, *again),
    ]


def _line(draft: KeptDraft, name: str, *lines: Phrase, about: Statement | None = None) -> CheckLine:
    """A line that is changed in one of the fields."""
    return CheckLine(about or BY_NAME[name].about, lines, BY_NAME[name].link(draft.id))


def _responsible(draft: Draft) -> tuple[Statement, ...]:
    """What is stated; what is not stands before the button that opens the survey."""
    fields = [BY_NAME[name] for name in RESPONSIBLE if draft.responsible.get(name)]
    lines = [Statement("about_text", about=each.about, text=each.value(draft)) for each in fields]
    return tuple(lines) or (Statement("not_stated"),)


def _unstated(draft: KeptDraft) -> list[UnstatedTerm]:
    """Of what the label says "not stated", in its order, each with the way to its field."""
    fields = (BY_NAME[name] for name in ON_LABEL if not BY_NAME[name].value(draft.draft).strip())
    return [UnstatedTerm(each.about, each.link(draft.id), each.name in draft.draft.unstated) for each in fields]


def _lines(draft: Draft, place: int, question: DraftQuestion) -> tuple[Phrase, ...]:
    """What a question asks, and of whom."""
    parts = (question.wording, *question.asked_rows, _answers(question), condition_in_words(draft.questions, place))
    return tuple(each for each in parts if each)


def _answers(question: DraftQuestion) -> Phrase:
    choices = kind_of(question).choices(question)
    return kind_of(question).brief(question) if choices is None else " · ".join(choices)


def _promise_lines(kept: KeptDraft, survey: Survey) -> list[CheckLine]:
    """How people are protected, how and when they answer, and how closely results are told."""
    draft, least = kept.draft, Statement("no_result_below_answers", count=kept.draft.least)
    protection = CheckLine(Statement("protection"), (_protection(survey),), f"/new/{kept.id}/learn?field=level")
    if draft.questionnaire:
        where = Statement("where_is_it_asked")
        return [
            protection,
            _line(kept, "people", *_errors(draft), about=Statement("result")),
            _line(kept, "questionnaire", Statement("in_a_questionnaire_that_you_have"), about=where),
        ]
    times = Statement("times", times=times_of(draft))
    return [
        protection,
        *_mixing(kept, survey),
        _line(kept, "people", *_errors(draft), least, about=Statement("result")),
        _line(kept, "opens", times, about=Statement("when_heading")),
        *(_line(kept, "opens", WAYS[name], about=Statement("device")) for name in WAYS if getattr(draft, name)),
        CheckLine(Statement("kept_heading"), (Statement("about_about", about=keeping(survey)),)),
    ]


def _mixing(draft: KeptDraft, survey: Survey) -> list[CheckLine]:
    """Who mixes, and both levels beside each other."""
    if survey.crowd is None:
        return []
    levels = crowd_hints(survey, LabelStatements(survey).during)
    return [_line(draft, "mixed", survey.crowd.operator, survey.crowd.mixer, levels)]


def _protection(survey: Survey) -> Statement:
    """How strongly who is protected."""
    protection = Protection.of(survey)
    key = "protection_is_for_some" if protection.level == math.inf else "protection_is_for_everybody"
    return Statement(key, grade=protection.name, guess=protection.guess())


def _errors(draft: Draft) -> list[Statement]:
    """How closely each question is told, by its words where there are several."""
    people = Statement("people", count=draft.expected_people or 0)
    who_answers = Statement("all_of_them", people=people) if draft.census else people
    rows = advice_on(draft).now.rows
    if len(rows) == 1:
        return [Statement("for_heading", people=who_answers, errors=_error(rows[0]))]
    errors = [Statement("question_error", question=named(row.question), error=_error(row)) for row in rows]
    return [Statement("for_list", people=who_answers), *errors]


def _error(row: QuestionOutlook) -> Statement:
    return Statement("nothing_is_told") if row.is_nothing else Statement("plus_minus", error=row.error_statement)
