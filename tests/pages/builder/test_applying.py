"""Advice on a draft: applied it is the survey that was advised, and taken back it is the draft that it was."""

from __future__ import annotations

import pytest

from deniable.pages.builder.applying import advice_on, applied, offered, taken_back
from deniable.pages.builder.draft import Draft, DraftQuestion
from deniable.pages.builder.solving import survey_of
from deniable.protocol.errors import ParameterError

COUNCIL = Draft(
    title="Breaks",
    questions=(
        DraftQuestion("How do you come?", "one_of", ("car", "bus", "bike", "foot"), silence=True),
        DraftQuestion("What do you use?", "any_of", ("a", "b", "c", "d", "e")),
        DraftQuestion("How long?", "number", low="0", high="60", unit="min"),
    ),
    people=120,
    epsilon=1.0,
)


@pytest.mark.parametrize("place", range(10))
def test_an_option_that_is_applied_errs_as_was_said(place: int) -> None:
    shown, more = offered(advice_on(COUNCIL))
    options = [*shown, *more]
    if place >= len(options):
        pytest.skip("fewer options")
    option = options[place]
    draft = applied(COUNCIL, option.key)
    made = survey_of(draft)
    assert made.questions == option.survey.questions
    assert made.arms == option.survey.arms
    assert advice_on(draft).now.errors == option.errors
    assert Draft.from_json(draft.to_json()) == draft
    assert taken_back(draft) == COUNCIL


def test_what_is_applied_twice_is_taken_back_at_once() -> None:
    draft = applied(COUNCIL, advice_on(COUNCIL).options[0].key)
    again = applied(draft, advice_on(draft).options[0].key)
    assert again.applied.startswith(draft.applied)
    assert taken_back(again) == COUNCIL
    assert taken_back(COUNCIL) == COUNCIL


def test_a_change_that_is_not_advised_is_refused() -> None:
    with pytest.raises(ParameterError, match="the change must be one that is advised"):
        applied(COUNCIL, "level:9")
