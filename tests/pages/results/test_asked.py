"""Questions that only some are asked: what is drawn is of those asked, says so, and stays silent where they are few."""

from __future__ import annotations

from itertools import starmap
from typing import Any

import numpy as np
import pytest
from tests.pages.results.worlds import period_of

import deniable as dn
from deniable.estimation.asked import AskedShares
from deniable.intake.storage.rows import RELEASED, Standing
from deniable.pages.results.asked import result_kind_of
from deniable.pages.results.crossing import crossed_pairs
from deniable.pages.results.period_view import PeriodView, read
from deniable.pages.results.selection import Selection
from deniable.pages.results.survey_view import QuestionView, survey_view
from deniable.pages.results.time_series import PeriodResult, timeline_of
from deniable.pages.slide_pages import slide_of
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import english, language
from deniable.surveys.changing import change
from deniable.surveys.results import Results

USED = dn.OneOf("used", ["yes", "no"], wording="Have you used a tool?")
KIND = dn.OneOf("kind", ["drill", "saw"], wording="Which one?", only_if=("used", ["yes"]))
HARD = dn.Scale("hard", ["low", "middle", "high"], "How hard was it?", only_if=("kind", ["drill", "saw"][:1]))


def a_survey(**terms: Any) -> dn.Survey:
    """A chain of three questions, reported as one way."""
    return dn.Survey.plan("tools", [USED, KIND, HARD], 3.0, 4000, **{"grace": 0, **terms})


def answers(share: float, people: int = 4000, seed: int = 1) -> dict[str, list[str | None]]:
    """This share used a tool, three quarters of them a drill."""
    rng = np.random.default_rng(seed)
    used, drill = rng.random(people) < share, rng.random(people) < 0.75
    hard = rng.choice(["low", "middle", "high"], people, p=[0.2, 0.3, 0.5]).tolist()
    kinds = ["drill" if each else "saw" for each in drill]
    return {
        "used": ["yes" if each else "no" for each in used],
        "kind": [kind if is_asked else None for kind, is_asked in zip(kinds, used, strict=True)],
        "hard": [each if asked and own else None for each, asked, own in zip(hard, used, drill, strict=True)],
    }


@pytest.fixture(scope="module")
def found() -> PeriodView:
    """A result of 4,000 people, of whom three in ten used a tool."""
    return period_of(a_survey(), answers(0.3))


def of(found: PeriodView) -> Results:
    """The results that a period has."""
    assert found.results is not None
    return found.results


def asked_people(found: PeriodView, name: str) -> float:
    """About how many were asked."""
    evidence = of(found)[name].of_asked().evidence
    assert isinstance(evidence, AskedShares)
    return evidence.people_asked


def shown(found: PeriodView, name: str) -> QuestionView:
    """What the page shows of a question."""
    return next(each for each in survey_view(found).sections if each.name == name)


def test_the_picture_is_of_those_asked_and_the_shares_of_all_stand_beside_it(found: PeriodView) -> None:
    view, asked = shown(found, "kind"), of(found)["kind"].of_asked()
    assert view.chart is not None
    assert view.of_all is not None
    assert [row.share for row in view.chart.rows] == pytest.approx(asked.unbiased.tolist())
    assert [row.share for row in view.of_all.rows] == pytest.approx(of(found)["kind"].unbiased.tolist())
    people = f"{asked_people(found, 'kind'):,.0f}"
    assert english(view.among) == f"Of those who answered “yes” to “Have you used a tool?”: about {people} of 4,000"
    german = language("de").text(view.among)
    assert german.startswith("Von denen, die auf „Have you used a tool?“ mit „yes“ geantwortet haben")
    assert english(view.title).startswith("Of those who were asked: Between ")
    assert abs(1200 - asked_people(found, "kind")) < 150
    assert view.noise is not None
    assert view.noise.n == round(asked_people(found, "kind"))
    assert not shown(found, "used").among


def test_a_slide_says_of_whom_it_is(found: PeriodView) -> None:
    slide = slide_of(found, KIND, Selection(), "", language("en").text)
    assert slide.finding.startswith("Of those who were asked: ")
    assert slide.reported.startswith("Of those who answered “yes”")


def test_of_too_few_nothing_is_said_and_the_shares_of_all_are_drawn() -> None:
    few = period_of(a_survey(), answers(0.002))
    for name in ("kind", "hard"):
        view = shown(few, name)
        assert english(view.title) == "Of those who were asked: too few to say."
        assert english(view.among) == "Of all 4,000 who reported, asked or not"
        assert view.of_all is None
    assert result_kind_of(few.survey, KIND).headline(of(few)["kind"]) == ((), None)


def test_a_pair_that_is_one_way_is_not_offered_as_crossed(found: PeriodView) -> None:
    two = dn.Survey.plan("two", [USED, KIND], 3.0, 4000)
    assert two.arms[0].parts[0].names == ("used", "kind")
    assert not crossed_pairs(period_of(two, {name: answers(0.3)[name] for name in ("used", "kind")}))


def test_two_results_and_many_are_compared_among_those_asked() -> None:
    survey = a_survey(period="week", repeat="fresh")
    tallies = [survey.tally(survey.answer_many(answers(share), seed=3)).to_bytes() for share in (0.3, 0.6, 0.001)]
    first, second, few = (read(each)["kind"] for each in tallies)
    kind = result_kind_of(survey, KIND)
    apart = kind.comparison(first, second, ("A", "B"))
    assert english(apart.finding).startswith("Of those who were asked: No difference can be seen")
    assert kind.change(first, second)["shares_of"] == "asked"
    assert english(kind.comparison(first, few, ("A", "B")).finding).startswith("Of everybody, asked or not: Fewer")
    standings = [Standing(n, "", f"2026-W{10 + n}", RELEASED, 0, 0, False) for n in range(3)]
    told = [(each.period, each, tally, read(tally)["kind"]) for each, tally in zip(standings, tallies, strict=True)]
    weeks = list(starmap(PeriodResult, told))
    line = timeline_of(survey, "kind", weeks, None, 1, 1)
    assert line.chosen is not None
    assert english(line.chosen.points[2].measured.words) == "too few to say"
    assert english(line.sentence).startswith("Changes are not tested: so few were asked")
    assert english(timeline_of(survey, "kind", weeks[:2], None).sentence).startswith("Of those who were asked: ")
    found = change([read(each) for each in tallies[:2]])
    assert found.of_asked("kind").difference.values == pytest.approx(
        second.of_asked().unbiased - first.of_asked().unbiased
    )
    with pytest.raises(ParameterError, match="only some are asked"):
        found.of_asked("used")
