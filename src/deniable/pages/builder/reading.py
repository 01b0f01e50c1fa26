"""Forms read into a draft, letter by letter: what is wrong with it is asked elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from starlette.datastructures import FormData

from deniable.pages.builder.draft import MOST_ANSWERS, MOST_QUESTIONS, PROTECTED, Draft
from deniable.pages.builder.fields import words
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import COMPANIONS
from deniable.pages.kinds.number import WANTED
from deniable.protocol.surveys.responsible import RESPONSIBLE

TYPED: Final = 200
"""The most characters of an answer or a bound that are kept."""
MANY: Final = 60
"""Of more answers than these the form has one field with a line for each."""
WITHOUT: Final = "open without"
"""The button that opens a survey whose label will not say all that it should."""
PLAIN: Final = {
    "questions": ("title", "name", "purpose", "owner", "contact", "zone"),
    "learn": ("people", "minimum", "opens", "closes", "zone"),
}
"""The fields of each form that are kept as they are."""


def read_questions(draft: Draft, form: FormData) -> Draft:
    """The first form: a title, those questions that it shows, and who asks."""
    shown = _places(form, "shown")
    questions = [_question(each, form, place) if place in shown else each for place, each in enumerate(draft.questions)]
    return replace(draft, **_plain(draft, form, "questions"), questions=tuple(questions[:MOST_QUESTIONS]))


def read_learning(draft: Draft, form: FormData) -> Draft:
    """The second form: how many people, how they are protected, and when they are asked."""
    level = str(form.get("level", ""))
    epsilon = words(form, "epsilon", draft.epsilon)[:TYPED]
    if level in ("1", "2", "3") and level != draft.epsilon:  # without scripts the number stays as it was
        epsilon = level
    return replace(
        draft,
        **_plain(draft, form, "learn"),
        epsilon=epsilon,
        census="census" in form,
        kiosk="kiosk" in form,
        lan="lan" in form,
        knows="knows" in form if "asks-knows" in form else draft.knows,
        questions=tuple(_protection(each, form, place) for place, each in enumerate(draft.questions)),
    )


def read_check(draft: Draft, form: FormData) -> Draft:
    """The third form, in which nothing is typed but who is responsible; who opens it without that knows it."""
    own = {name: words(form, name, draft.responsible.get(name, "")) for name in RESPONSIBLE}
    knows = form.get("do") == WITHOUT
    return replace(draft, responsible={name: text for name, text in own.items() if text}, knows_unstated=knows)


def _plain(draft: Draft, form: FormData, step: str) -> dict[str, Any]:
    return {name: words(form, name, getattr(draft, name)) for name in PLAIN[step]}


def _question(before: DraftQuestion, form: FormData, place: int) -> DraftQuestion:
    kind, answers = str(form.get(f"kind-{place}", before.kind)), _answers(before, form, place)
    ticked = _places(form, f"alone-{place}")
    texts: dict[str, Any] = {
        name: words(form, f"{name}-{place}", getattr(before, name)) for name in ("wording", *SCALE)
    }
    return replace(
        before,
        **{name: text if name == "wording" else text[:TYPED] for name, text in texts.items()},
        kind=kind if kind in COMPANIONS else before.kind,
        answers=answers,
        alone=tuple(answer for number, answer in enumerate(answers) if answer and number in ticked),
        silence=f"silence-{place}" in form,
        silent=words(form, f"silence-{place}", before.silent)[:TYPED] or before.silent,
        wanted=tuple(each for each in WANTED if each in form.getlist(f"want-{place}")),
    )


SCALE: Final = ("low", "high", "step", "unit")


def _answers(before: DraftQuestion, form: FormData, place: int) -> tuple[str, ...]:
    """The answers, from fields of their own, or from lines of one field."""
    if f"lines-{place}" in form:
        found = str(form[f"lines-{place}"]).splitlines()
    else:
        found = [str(each) for each in form.getlist(f"answer-{place}")] or list(before.answers)
    found += [line for line in str(form.get(f"list-{place}", "")).splitlines() if line.strip()]
    return tuple(" ".join(each.split())[:TYPED] for each in found[:MOST_ANSWERS])


def _places(form: FormData, name: str) -> set[int]:
    """The numbers of what is ticked, or shown."""
    return {int(each) for each in map(str, form.getlist(name)) if each.isdecimal() and len(each) < 5}


def _protection(before: DraftQuestion, form: FormData, place: int) -> DraftQuestion:
    """Who is protected, where the form asks it."""
    wanted = str(form.get(f"protected-{place}", before.protected))
    if f"protected-{place}" not in form or wanted not in PROTECTED:
        return before
    labels = before.labels
    ticked = _places(form, f"chosen-{place}")
    chosen = tuple(label for number, label in enumerate(labels) if number in ticked)
    groups = [str(each).strip()[:40] for each in form.getlist(f"group-{place}")]
    named = {label: group for label, group in zip(labels, groups, strict=False) if group}
    return replace(before, protected=wanted, chosen=chosen, groups=named)
