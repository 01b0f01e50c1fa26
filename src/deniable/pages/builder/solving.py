"""Of people, error and privacy two are given: what the third must be, for the survey as it would be planned."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

from deniable.estimation.words import NOTHING_KNOWN, rounded, share_in_words
from deniable.pages.builder.draft import LIMITS, Draft
from deniable.pages.builder.reading import time_of
from deniable.planning.reach import reach
from deniable.protocol.errors import ParameterError
from deniable.protocol.fields import TIME
from deniable.surveys.survey import Survey

REACH: Final = 1.96
"""How many standard errors a share may be off in 95 of 100 surveys."""
STEPS: Final = 14
EPSILONS: Final = (0.5, 1.0, 1.5, 2.0, 3.0)
GUESSED: Final = (0.01, 0.1, 0.5)
CROWDS: Final = (500, 1000, 5000, 20_000)


def survey_of(draft: Draft) -> Survey:
    """The survey that a draft plans; refused with the reason if it cannot be."""
    terms: dict[str, Any] = {name: getattr(draft, name) for name in ("title", "purpose", "owner", "contact")}
    for name in ("opens", "closes"):
        moment = time_of(getattr(draft, name))
        terms[name] = None if moment is None else moment.strftime(TIME)
    terms["population"] = draft.people if draft.census else None
    return Survey.plan(draft.slug, draft.named(), draft.epsilon, draft.people, minimum=draft.minimum, **terms)


def give_or_take(survey: Survey, people: int) -> float:
    """By how many points the least certain share may be off in 95 of 100 surveys; texts count if alone.

    The mean of a number counts as a part of its range, with the error that no truth exceeds.
    """
    expected = survey.expected(people)
    closed = [expected[question.name] for question in survey.questions if not question.own_words]
    return 100 * REACH * max(error for row in closed or expected.values() for error in row.deciding)


def solved(draft: Draft) -> Draft:
    """The draft with its third number; refused if no number does."""
    if draft.solve == "error":
        error = math.ceil(100 * give_or_take(survey_of(draft), draft.people)) / 100
        return replace(draft, error=min(error, LIMITS["error"][1]))
    if draft.solve == "people":
        return replace(draft, people=_people(draft))
    return replace(draft, epsilon=_epsilon(draft))


def _people(draft: Draft) -> int:
    """The error falls as one over the root of the people; the plan may change with them, so it is made twice."""
    people = 1000
    for _ in range(2):
        survey = survey_of(replace(draft, people=people))
        people = math.ceil(people * (give_or_take(survey, people) / draft.error) ** 2)
        if people > LIMITS["people"][1]:
            most = int(LIMITS["people"][1])
            raise ParameterError(
                f"people must be at most {most:,}, got an error that takes more; so many people reach give or take "
                f"{rounded(give_or_take(survey, most), 2)}"
            )
        people = max(people, 1)
    return people


def _epsilon(draft: Draft) -> float:
    """The least level that is good enough, in hundredths: bisection, since the error falls as the level grows."""
    low, high = LIMITS["epsilon"]
    if _error(draft, high) > draft.error:
        known = reach(
            draft.people, lambda level: _error(draft, level), lambda error: f"give or take {rounded(error, 2)}"
        )
        raise ParameterError(f"the error must be one that is reached, got {draft.error:g} points; {known}")
    for _ in range(STEPS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if _error(draft, middle) <= draft.error else (middle, high)
    return math.ceil(round(high * 100, 6)) / 100


def _error(draft: Draft, epsilon: float) -> float:
    return give_or_take(survey_of(replace(draft, epsilon=epsilon)), draft.people)


def table(draft: Draft) -> list[tuple[int, list[float]]]:
    """Give or take in points: a row for each number of people, a column for each of ``EPSILONS``."""
    alone = [_error(replace(draft, people=CROWDS[1]), epsilon) * math.sqrt(CROWDS[1]) for epsilon in EPSILONS]
    return [(crowd, [error / math.sqrt(crowd) for error in alone]) for crowd in CROWDS]


def example(draft: Draft) -> str:
    """What the result would say of the share that is expected.

    >>> example(Draft(expected=20.0, error=9.49))
    'If 20 in 100 people gave an answer, the result would say, for example, “between 10 and 30 in 100 people”.'
    """
    said = share_in_words((draft.expected - draft.error) / 100, (draft.expected + draft.error) / 100)
    if said == NOTHING_KNOWN:
        return (
            f"If {draft.expected:.3g} in 100 people gave an answer, the result would say “{said}”, which is nothing. "
            "Ask more people, or protect less."
        )
    return f"If {draft.expected:.3g} in 100 people gave an answer, the result would say, for example, “{said} people”."


def guesses(epsilon: float) -> list[tuple[float, float, float]]:
    """What a guess about somebody can become after their answers were seen: before, at the most, at the least.

    Rounded outward to tenths of a hundredth, so that the table never promises too much.

    >>> guesses(1.0)[2]
    (0.5, 0.732, 0.268)
    """
    odds = math.exp(epsilon)
    found = [(p, p * odds / (p * odds + 1 - p), p / (p + (1 - p) * odds)) for p in GUESSED]
    return [(p, min(math.ceil(most * 1000) / 1000, 1.0), math.floor(least * 1000) / 1000) for p, most, least in found]
