"""What the forms of the builder show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from deniable.estimation.words import quoted
from deniable.pages.builder.advice import advice, shut_out
from deniable.pages.builder.applying import put_aside
from deniable.pages.builder.differences import STATED, TERMS
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.faults import faults_of_numbers
from deniable.pages.builder.fields import Faults
from deniable.pages.builder.learning import advice_on, example_of, nothing_known
from deniable.pages.builder.moments import in_words, moment_of, place_of, zone_of
from deniable.pages.builder.planned import survey_of
from deniable.pages.builder.reading import MANY
from deniable.pages.builder.shelf import KeptDraft
from deniable.pages.builder.spoken import mistaken
from deniable.pages.builder.strengths import STRENGTHS
from deniable.pages.builder.wordings import NAMES, missing, name_of, texts_of
from deniable.pages.kinds.draft_question import DraftQuestion, silence_in
from deniable.pages.kinds.kinds import COMPANIONS, kind_of
from deniable.pages.label_terms import keeping
from deniable.protocol.errors import DenialError
from deniable.sentence import Sentence, listed, sentence
from deniable.surveys.advising.outlooks import QuestionOutlook
from deniable.surveys.advising.words import becomes, named, strength
from deniable.surveys.document import Document
from deniable.surveys.survey import Survey

GUESSES: Final = (0.01, 0.1, 0.5)
FIRST: Final = 3
"""How many pieces of advice are shown at once; the others are in a fold."""
WANTED: Final = {
    "mean": sentence("The mean"),
    "ranges": sentence("The middle (median), quarters, shares of ranges"),
    "spread": sentence("How far people differ"),
}
"""What an author may want to know of a number."""


ON_LABEL: Final = {
    "controller": STATED["controller"], "legal_basis": STATED["legal_basis"], "contact": TERMS["contact"],
    "officer": STATED["officer"], "authority": STATED["authority"], "host": STATED["host"], "owner": TERMS["owner"],
    "purpose": TERMS["purpose"],
}  # fmt: skip
"""Of what the label says "not stated" if nothing is: what an officer needs before anything else stands first."""
AGAIN: Final = sentence("An earlier survey of yours has this name too; in lists both stand with their days.")
KIOSK: Final = sentence(
    "People answer one after another on one device; nothing on it keeps one person from answering twice."
)


class CheckLine(NamedTuple):
    """A line of what was chosen: what it is about, what it says, and where it can be changed."""

    about: str
    said: tuple[str, ...]
    change: str


class UnstatedTerm(NamedTuple):
    """Something of which the label says "not stated": the way to its field, and whether an officer needs it."""

    about: str
    change: str
    is_needed: bool


def question_values(draft: Draft, faults: Faults, at: str, code: str) -> dict[str, Any]:
    """The first form, with one question open and those in which something is wrong, for a page in a language."""
    wrong = {int(last) for name in faults if (last := name.rsplit("-", 1)[-1]).isdecimal()}
    chosen = int(at) - 1 if at.isdecimal() and len(at) < 3 else min(wrong, default=0)
    one = min(max(chosen, 0), len(draft.questions) - 1)
    return {
        "draft": draft,
        "open": {one, *wrong},
        "one": one,
        "kinds": COMPANIONS,
        "wanted": WANTED,
        "silence": silence_in(draft.language or code),
        "many": MANY,
        "aside": put_aside(draft),
        "name_of": label_of_fault,
        "languages": [(tag, name_of(tag), len(missing(draft, tag))) for tag in draft.translations],
        "language": name_of(draft.language),
    }


def language_values(draft: Draft) -> dict[str, Any]:
    """The form of languages."""
    texts = texts_of(draft)
    return {"draft": draft, "names": NAMES, "texts": texts, "language_name": name_of, "name_of": label_of_fault}


def label_of_fault(name: str) -> str:
    """The field that a fault is about, as a summary names it.

    >>> label_of_fault("low-1"), label_of_fault("people")
    ('Question 2', '')
    """
    place = name.rsplit("-", 1)[-1]
    return sentence("Question {number}", number=int(place) + 1) if place.isdecimal() else ""


def learn_values(draft: Draft, others: Iterable[Document], now: float) -> dict[str, Any]:
    """The second form, and what follows from it."""
    partly = any(asked.protected != "everybody" for _, asked in draft.asked)
    return {
        "draft": draft,
        "strengths": STRENGTHS,
        "guesses": _guesses(draft.level) if draft.level is not None and not partly else [],
        "aside": put_aside(draft),
        "name_of": label_of_fault,
        "times": times_of(draft),
        "outcome": _outcome(draft, others),
    }


def _guesses(level: float) -> list[tuple[int, int]]:
    return [(round(100 * guess), becomes(level, guess)) for guess in GUESSES]


def _outcome(draft: Draft, others: Iterable[Document]) -> dict[str, Any] | None:
    """What the survey would tell; nothing before it can be planned."""
    if faults_of_numbers(draft):
        return None
    try:
        survey = survey_of(draft)
        told = advice_on(draft)
    except DenialError:
        return None
    lost = nothing_known(draft)
    closest = min(told.now.rows, key=lambda row: (row.is_nothing, row.question.own_words, row.error))
    return {
        "finding": told.finding if lost else _finding(told.now.rows),
        "rows": told.now.rows,
        "by_lot": survey.reported_on[0] < len(survey.questions),
        "options": told.options[:FIRST] if lost else told.options[: FIRST - 1],
        "more": told.options[FIRST:] if lost else told.options[FIRST - 1 :],
        "lost": lost,
        "all_lost": len(lost) == len(told.now.rows),
        "example": None if lost or closest.question.own_words else example_of(closest),
        "cautions": [*advice(draft, survey), *shut_out(survey, others)],
    }


def _finding(rows: Sequence[QuestionOutlook]) -> Sentence:
    """What is learned, where something is of every question."""
    if len(rows) > 1:
        return sentence("You learn something of each of the {count} questions.", count=len(rows))
    return sentence("You learn it to give or take {error}.", error=rows[0].give_or_take)


def times_of(draft: Draft) -> Sentence:
    """When the survey is asked, in words."""
    zone = zone_of(draft.zone)
    opens, closes = moment_of(draft.opens, zone), moment_of(draft.closes, zone)
    first = sentence("Opens at once") if opens is None else sentence("Opens {moment}", moment=in_words(opens))
    last = (
        sentence("closes when you close it") if closes is None else sentence("closes {moment}", moment=in_words(closes))
    )
    times = sentence("{opens}, {closes}", opens=first, closes=last)
    if zone is None or not (opens or closes):
        return times
    return sentence("{times}, {place}", times=times, place=place_of(zone))


def check_values(kept: KeptDraft, others: Sequence[Document]) -> dict[str, Any]:
    """All that was chosen, and what to beware of."""
    draft = kept.draft
    survey = survey_of(draft)
    zone = zone_of(draft.zone)
    opens = moment_of(draft.opens, zone)
    return {
        "draft": draft,
        "asked": _asked(kept, any(other.name == draft.slug for other in others)),
        "promised": _promised(kept, survey),
        "later": _later(),
        "responsible": STATED,
        "unstated": _unstated(kept),
        "needed": _needed(draft),
        "name_of": label_of_fault,
        "cautions": [*mistaken(draft), *shut_out(survey, others)],
        "opens": "" if opens is None else in_words(opens),
    }


def _asked(kept: KeptDraft, is_again: bool) -> list[CheckLine]:
    here, draft = f"/new/{kept.id}/questions", kept.draft
    found = [
        CheckLine(
            sentence("Question") if len(draft.asked) == 1 else sentence("Question {number}", number=number),
            (asked.wording, _answers(asked)),
            f"{here}?at={place + 1}&field=wording-{place}",
        )
        for number, (place, asked) in enumerate(draft.asked, 1)
    ]
    who = " · ".join(filter(None, (draft.owner, draft.contact))) or sentence("nobody is named")
    return [
        CheckLine(sentence("Title"), (draft.title,), f"{here}?field=title"),
        *found,
        CheckLine(sentence("Who asks"), (who,), f"{here}?field=owner"),
        CheckLine(sentence("What for"), (draft.purpose or sentence("not stated"),), f"{here}?field=purpose"),
        CheckLine(sentence("Who is responsible"), _responsible(draft), f"/new/{kept.id}/check?field=controller"),
        CheckLine(sentence("Languages"), (_languages(draft),), f"/new/{kept.id}/languages?field=language"),
        CheckLine(sentence("Name in links"), (draft.slug, *([AGAIN] if is_again else [])), f"{here}?field=name"),
    ]


def _languages(draft: Draft) -> str:
    return ", ".join(map(name_of, (draft.language, *draft.translations))) if draft.language else sentence("not said")


def _responsible(draft: Draft) -> tuple[Sentence, ...]:
    """What is stated; what is not stands before the button that opens the survey."""
    stated = draft.responsible
    told = [sentence("{about}: {text}", about=STATED[name], text=stated[name]) for name in STATED if stated.get(name)]
    return tuple(told) or (sentence("not stated"),)


def _needed(draft: Draft) -> str:
    """What an officer needs that is not stated; empty if nothing is missing."""
    names = [quoted(ON_LABEL[name]) for name in draft.unstated]
    return listed(names) if names else ""


def _unstated(kept: KeptDraft) -> list[UnstatedTerm]:
    """Of what the label says "not stated", in its order, each with the way to its field."""
    draft, here = kept.draft, f"/new/{kept.id}"
    stated = {**draft.responsible, "owner": draft.owner, "contact": draft.contact, "purpose": draft.purpose}
    return [
        UnstatedTerm(about, f"{here}/{'check' if name in STATED else 'questions'}?field={name}", name in draft.unstated)
        for name, about in ON_LABEL.items()
        if not stated.get(name, "").strip()
    ]


def _answers(asked: DraftQuestion) -> str:
    return " · ".join(asked.labels) if kind_of(asked).fields == "answers" else kind_of(asked).brief(asked)


def _promised(kept: KeptDraft, survey: Survey) -> list[CheckLine]:
    here, draft = f"/new/{kept.id}/learn", kept.draft
    partly = [asked for _, asked in draft.asked if asked.protected != "everybody"]
    level = draft.level or 0.0
    return [
        CheckLine(sentence("Protection"), (_protection(level, bool(partly)),), f"{here}?field=level"),
        CheckLine(
            sentence("Result"),
            (*_errors(draft), sentence("No result below {count} answers.", count=draft.least)),
            f"{here}?field=people",
        ),
        CheckLine(sentence("When"), (sentence("{times}.", times=times_of(draft)),), f"{here}?field=opens"),
        *([CheckLine(sentence("Device"), (KIOSK,), f"{here}?field=opens")] if draft.kiosk else []),
        CheckLine(
            sentence("Kept"),
            (sentence("{about}", about=keeping(survey)),),
            "",
        ),
    ]


def _protection(level: float, is_partial: bool) -> Sentence:
    """How strongly who is protected."""
    if is_partial:
        return sentence(
            "Protection is {strength}, for some answers only: see the privacy label.", strength=strength(level)
        )
    return sentence(
        "Protection is {strength}, for everybody, whatever they answer: a guess of 50 in 100 becomes {guess} at most.",
        strength=strength(level), guess=becomes(level),
    )  # fmt: skip


def _errors(draft: Draft) -> list[Sentence]:
    """How closely each question is told, by its words where there are several."""
    people = sentence("{count} people", one="{count} person", count=draft.count or 0)
    who_answers = sentence("{people}, all of them", people=people) if draft.census else people
    rows = advice_on(draft).now.rows
    if len(rows) == 1:
        return [sentence("For {people}, {errors}.", people=who_answers, errors=_error(rows[0]))]
    told = [sentence("{question}: {error}.", question=named(row.question), error=_error(row)) for row in rows]
    return [sentence("For {people}:", people=who_answers), *told]


def _error(row: QuestionOutlook) -> Sentence:
    if row.is_nothing:
        return sentence("nothing is told")
    return sentence("to give or take {error}", error=row.give_or_take)


def _later() -> list[CheckLine]:
    return [
        CheckLine(
            sentence("Who can answer"),
            (
                sentence(
                    "Anybody with the link, until you make codes on the next page: do that before anybody answers."
                ),
            ),
            "",
        ),
        CheckLine(
            sentence("Who may read the result"), (sentence("People who are signed in, and whom you give a link."),), ""
        ),
        CheckLine(
            sentence("Closing earlier"), (sentence("You may close it at any time; the result then says so."),), ""
        ),
    ]
