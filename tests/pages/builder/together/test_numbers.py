"""Numbers in the builder: read from a form, refused by field, promised in their own units, rehearsed."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from starlette.datastructures import FormData, UploadFile

import deniable as dn
from deniable.estimation.numbers.distribution import Distribution
from deniable.pages.builder.advice import advice
from deniable.pages.builder.draft import Draft, DraftQuestion
from deniable.pages.builder.number_promise import promises
from deniable.pages.builder.reading import read_protection, read_questions
from deniable.pages.builder.rehearsal import rehearsed
from deniable.pages.builder.solving import give_or_take, solved, survey_of
from deniable.protocol.errors import ParameterError
from deniable.surveys.tally import SurveyTally

MINUTES = DraftQuestion("How long?", "number", low="0", high="120", unit="min")
BORN = DraftQuestion("Born?", "number", low="1940-01-01", high="2010-12-31")
USUAL = {"title": "Work", "wording": "How long?", "kind": "number", "low": "0", "high": "120", "unit": "min"}


def sent(**fields: str) -> FormData:
    """The first form with one number."""
    written: list[tuple[str, str | UploadFile]] = [*{**USUAL, "want-mean": "0", "want-ranges": "0", **fields}.items()]
    return FormData(written)


def drafted(*questions: DraftQuestion, **fields: object) -> Draft:
    """A draft of numbers."""
    return dataclasses.replace(Draft(title="Work", questions=questions), **fields)  # type: ignore[arg-type]


def told_of(survey: dn.Survey, tally: SurveyTally) -> Distribution:
    """What a survey tells of its number."""
    found = survey.estimate(tally)["how_long"]
    assert isinstance(found, Distribution)
    return found


def test_a_number_is_read_as_it_was_typed() -> None:
    draft, faults = read_questions(Draft(), sent(low="\N{MINUS SIGN}10.50", step="0.5", beyond="3"))
    assert faults == {}
    [asked] = draft.questions
    assert (asked.low, asked.high, asked.step, asked.unit, asked.beyond) == ("-10.50", "120", "0.5", "min", 3.0)
    [question] = draft.named()
    assert question == dn.Number("how_long", -10.5, 120, 0.5, "min", wording="How long?")
    assert Draft.from_json(draft.to_json()) == draft


def test_dates_are_bounds_too() -> None:
    draft, faults = read_questions(Draft(), sent(low="1940-01-01", high="2010-12-31", unit=""))
    assert faults == {}
    assert draft.named() == [dn.Number("how_long", "1940-01-01", "2010-12-31", wording="How long?")]


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"low": ""}, "low", "Write a number such as"),
        ({"low": "nan"}, "low", "Write a number such as"),
        ({"high": "1e999999999"}, "high", "Write a number such as"),
        ({"high": "2026-02-31"}, "high", "Write a number such as"),
        ({"high": "2026-02-28"}, "high", "two numbers or two dates"),
        ({"high": "0"}, "high", "one or more whole steps"),
        ({"high": "-5"}, "high", "one or more whole steps"),
        ({"step": "7"}, "high", "such as 119"),
        ({"step": "0"}, "high", "above 0"),
        ({"step": "a day"}, "step", "Write a number above 0"),
        ({"high": "9000000"}, "high", "take a larger step"),
        ({"unit": "m" * 41}, "unit", "at most 40 characters"),
        ({"beyond": "101"}, "beyond", "from 0 to 100"),
        ({"beyond": "some"}, "beyond", "from 0 to 100"),
        ({"want-mean": "", "want-ranges": ""}, "want", "Tick at least one"),
    ],
)
def test_what_cannot_stand_is_named_by_its_field(fields: dict[str, str], field: str, said: str) -> None:
    draft, faults = read_questions(Draft(), sent(**fields))
    assert set(faults) == {f"{field}-0"}
    assert said in faults[f"{field}-0"]
    assert Draft.from_json(draft.to_json()) == draft  # so that the form can be sent again


def test_everybody_is_protected_whatever_was_chosen() -> None:
    draft, faults = read_protection(drafted(MINUTES), FormData([("protected-0", "some"), ("chosen-0", "0")]))
    assert faults == {}
    assert draft.questions[0].protected == "everybody"


@pytest.mark.parametrize(
    "changed",
    [
        {"low": "1" * 33},
        {"unit": "m" * 41},
        {"wanted": ("mode",)},
        {"beyond": 101.0},
        {"beyond": float("nan")},
        {"low": 3},
        {"wanted": (3,)},
    ],
)
def test_a_number_that_the_forms_cannot_lead_to_is_refused(changed: dict[str, object]) -> None:
    draft = drafted(dataclasses.replace(MINUTES, **changed))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="a draft must"):
        Draft.from_json(draft.to_json())


@pytest.mark.parametrize("wanted", [("mean",), ("ranges",), ("mean", "ranges", "spread")])
def test_error_people_and_privacy_follow_from_each_other(wanted: tuple[str, ...]) -> None:
    draft = solved(drafted(dataclasses.replace(MINUTES, wanted=wanted), people=5000, solve="error"))
    row = survey_of(draft).expected(5000)["how_long"]
    assert 196 * max(row.mean_worst or 0, row.below or 0) == pytest.approx(draft.error, abs=0.01)
    people = solved(dataclasses.replace(draft, solve="people")).people
    assert people == pytest.approx(5000, rel=0.05)
    assert solved(dataclasses.replace(draft, solve="epsilon")).epsilon == pytest.approx(draft.epsilon, abs=0.02)


def test_a_mean_is_promised_in_its_units_and_keeps_the_promise() -> None:
    survey = survey_of(drafted(dataclasses.replace(MINUTES, wanted=("mean",)), people=4000))
    [promise] = promises(survey, 4000)
    said = r"give or take ([\d.]+) min if all numbers are equally frequent, and at most ([\d.]+) min whatever they are"
    found = re.fullmatch(rf"The mean, of which 4,000 people tell: {said}\.", promise.sentences[0])
    assert found
    rng = np.random.default_rng(3)
    for numbers, promised in ((np.arange(121), float(found[1])), (np.array([0, 120]), float(found[2]))):
        even = np.full(len(numbers), 1 / len(numbers))
        tallies = [survey.draw_tally({"how_long": numbers}, rng.multinomial(4000, even), rng) for _ in range(400)]
        errors = [told_of(survey, tally).mean.value - 60 for tally in tallies]
        assert np.std(errors) * 1.96 == pytest.approx(promised, rel=0.18)  # chance makes it more once in a million
    assert give_or_take(survey, 4000) == pytest.approx(float(found[2]) / 1.2, rel=0.01)


def test_means_and_shares_are_promised_by_who_tells_of_them() -> None:
    """A quarter tells of the mean, and the rest of ranges."""
    [promise] = promises(survey_of(drafted(MINUTES, people=1000)), 1000)
    assert promise.sentences[0].startswith("The mean, of which 250 people tell: give or take")
    assert re.search(r"give or take [\d.]+ points if all numbers are equally frequent\.$", promise.sentences[1])


def test_bounds_that_cut_off_and_steps_too_fine_are_warned_of() -> None:
    wide = dataclasses.replace(MINUTES, low="0", high="100000", beyond=5.0)
    told = {each.head: each.rest for each in advice(drafted(wide), survey_of(drafted(wide)))}
    assert "5 in 100 are beyond 0 and 100000" in told["Bounds that cut people off."]
    assert "in steps of 1 min" in told["A step finer than the error."]
    assert "the mean of “How long?” could move by up to" in told["An open link."]
    assert "Rare answers." not in told
    coarse = drafted(dataclasses.replace(MINUTES, low="0", high="10", wanted=("mean",)))
    assert {"Bounds that cut people off.", "A step finer than the error."}.isdisjoint(
        each.head for each in advice(coarse, survey_of(coarse))
    )


@pytest.mark.parametrize("asked", [MINUTES, BORN])
@pytest.mark.parametrize("wanted", [("mean",), ("ranges",), ("mean", "ranges", "spread")])
def test_made_up_people_give_numbers(asked: DraftQuestion, wanted: tuple[str, ...]) -> None:
    draft = drafted(dataclasses.replace(asked, wanted=wanted), people=20_000)
    [shown] = rehearsed(survey_of(draft), draft.people, draft.expected)
    assert shown.sentence.startswith("The mean is between")
    assert shown.numbers is not None
    assert (shown.chart is not None) == ("ranges" in wanted)
    assert len(shown.numbers.facts) == 1 + 5 * ("ranges" in wanted) + ("spread" in wanted)
