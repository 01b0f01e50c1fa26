"""A survey as its author writes it: the fields of a TOML file, or of options, planned into a document."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

from deniable.protocol.checks import check_choice, near
from deniable.protocol.errors import FormatError, ParameterError
from deniable.protocol.questions.kinds import KINDS
from deniable.protocol.questions.question import Question
from deniable.protocol.surveys.document import REMEMBERED, TERMS
from deniable.surveys.advising.advice import WANTED, Advice, advise
from deniable.surveys.grid import Grid, one_by_one
from deniable.surveys.survey import Survey

NEEDED = ("controller", "legal_basis", "contact")
"""What a privacy officer needs to read on a label before anything else: a survey should not be opened without it."""
WRITTEN: Mapping[str, Callable[..., Question | Grid]] = {**KINDS, "grid": Grid}
"""What stands under [[question]], by its kind."""
PLANNED = ("name", "epsilon", "people", "cross", "each", "wanted")
EXAMPLE = """\
name = "commute"
title = "How we come to work"
epsilon = 2.0
people = 5000
cross = [["way", "late"]]

[[question]]
kind = "one_of"
name = "way"
wording = "How did you come to work today?"
labels = ["car", "bus", "bike", "foot"]

[[question]]
kind = "one_of"
name = "late"
wording = "Were you late?"
labels = ["yes", "no"]

[[question]]
kind = "any_of"
name = "used"
wording = "Which of these did you use this week?"
labels = ["car park", "bike room", "shower", "canteen"]
"""
"""A file of which every field is one that authors write."""


def survey_from_toml(text: str) -> tuple[Survey, int]:
    """The survey that a TOML file plans, and for how many people.

    >>> survey, people = survey_from_toml(EXAMPLE)
    >>> survey.name, sorted(survey.by_name), survey.promise.level, people
    ('commute', ['late', 'used', 'way'], 2.0, 5000)
    """
    fields = _fields(text)
    survey = survey_from_fields(fields)
    return survey, int(fields["people"])


def advice_from_toml(text: str, wanted: float | None = None) -> Advice:
    """What the survey that a TOML file plans would tell, and which changes would tell more.

    >>> advice_from_toml(EXAMPLE.replace("5000", "100")).now.verdict
    'nothing: the error is larger than most shares'
    """
    fields = _fields(text)
    questions, terms = _questions(fields), _terms(fields)
    if terms.get("repeat") == REMEMBERED:
        raise ParameterError(f"advice must be on a survey whose reports are drawn afresh, got repeat={REMEMBERED!r}")
    people, epsilon, cross = fields["people"], fields["epsilon"], fields.get("cross", ())
    error = fields.get("wanted", WANTED) if wanted is None else wanted
    return advise(questions, people, epsilon, terms.get("population"), error, cross, terms.get("crowd"))


def unstated(contact: str, responsible: Mapping[str, str] | None) -> tuple[str, ...]:
    """What of ``NEEDED`` a survey does not state, so that its label says "not stated" there.

    >>> unstated("council@northfield.example", {"controller": "Northfield Hospital, Hill Road 1"})
    ('legal_basis',)
    """
    stated = {**(responsible or {}), "contact": contact}
    return tuple(name for name in NEEDED if not stated.get(name, "").strip())


def _fields(text: str) -> dict[str, Any]:
    """What a TOML file says."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        advice = "; each question begins with [[question]], in two brackets" if "('question',)" in str(error) else ""
        raise FormatError(f"a survey must be planned in TOML, got text that is not: {error}{advice}") from None


def survey_from_fields(fields: Mapping[str, Any]) -> Survey:
    """The survey that plain values plan; ``question`` lists the questions, each with its kind and name."""
    questions = _questions(fields)
    return Survey.plan(
        fields["name"], questions, fields["epsilon"], fields["people"], fields.get("cross", ()), fields.get("each"),
        fields.get("wanted"), **_terms(fields),
    )  # fmt: skip


def _terms(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Of the fields of a plan those that stand in the document as they are."""
    return {name: fields[name] for name in TERMS if name in fields}


def _questions(fields: Mapping[str, Any]) -> list[Question]:
    """The questions of a plan that says all that it must, and nothing else."""
    known = (*PLANNED, *TERMS, "question")
    unknown = next((name for name in fields if name not in known), None)
    if unknown is not None:
        raise ParameterError(f"a survey's plan may have {', '.join(known)}, got {unknown!r}{near(unknown, known)}")
    missing = [name for name in ("name", "epsilon", "people", "question") if name not in fields]
    if missing:
        raise ParameterError(f"a survey's plan must say its {missing[0]}, got none")
    questions = fields["question"]
    if not isinstance(questions, list):
        raise ParameterError(f"questions must each stand under [[question]], got {type(questions).__name__}")
    return one_by_one(map(_question, questions))


def _question(written: Any) -> Question | Grid:
    """A question, or a grid of them, from its fields, of which only kind and name must be there."""
    if not isinstance(written, Mapping):
        raise ParameterError(f"a question must have fields, got {type(written).__name__}")
    kind = check_choice("kind", written.get("kind", "one_of"), WRITTEN)
    question_class, fields = WRITTEN[kind], {name: value for name, value in written.items() if name != "kind"}
    parameters = signature(question_class).parameters
    for name in fields:
        if name not in parameters:
            known = ", ".join(["kind", *parameters])
            raise ParameterError(f"a question of kind {kind} may have {known}, got {name!r}{near(name, parameters)}")
    for name, parameter in parameters.items():
        if parameter.default is Parameter.empty and name not in fields:
            raise ParameterError(f"a question of kind {kind} must say its {name}, got none")
    return question_class(**fields)
