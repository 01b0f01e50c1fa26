"""The privacy label: of surveys, of single mechanisms, of remembered reports; no sentence says more than is proven."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from tests.surveys.commute import ILL, LATE, single

import deniable as dn
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement, english
from deniable.surveys.label import Label

SHOWS, SHOWS_LABELS = english(Statement("changes")), english(Statement("changed_labels"))
SAMPLES = [pytest.param(sample.make, id=f"{row.name}-{at}") for row in FAMILIES.values()
           for at, sample in enumerate(row.samples)]  # fmt: skip
OPEN = dn.Pairwise(2, [[0, math.inf], [math.inf, 0]])
COIN = dn.RandomizedResponse(["yes", "no"], 1.0)


def said(of: Any) -> str:
    return " ".join(dn.label(of).sentences)


# --- single mechanisms ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", SAMPLES)
def test_every_mechanism_has_a_label_that_json_can_hold(make: Any) -> None:
    label = dn.label(make())
    assert json.loads(json.dumps(label.to_dict()))["sentences"] == list(label.sentences)
    assert all(sentence.endswith(".") and len(sentence) < 300 for sentence in label.sentences)
    assert label.sentences[-1] in str(label)
    assert "<li>" in label._repr_html_()


def test_the_label_of_a_coin_holds_what_follows_from_e() -> None:
    """e/(1 + e) = 73.1% tell the truth; odds of 1:9 become e:9 or 1:9e."""
    label = dn.label(COIN)
    assert label.facts.own == pytest.approx(math.e / (1 + math.e))
    assert label.sends is not None
    assert label.sends.answers == label.sends.reports == ("yes", "no")
    assert label.sends.probabilities[0, 0] == pytest.approx(math.e / (1 + math.e))
    assert label.beliefs[1].most == pytest.approx(math.e / (math.e + 9))
    assert "at most 2.72 times likelier from your answer" in said(COIN)
    assert "10% sure of your answer will be between 3% and 24% sure" in said(COIN)
    assert "if you are asked again, what your reports tell together adds up" in said(COIN)


def test_the_label_of_a_long_checklist_takes_no_time_for_every_list() -> None:
    """Forty labels have 2^40 lists: promises to single labels are compared by their levels."""
    used = dn.AnyOf("used", [f"feature {k}" for k in range(40)])
    both, one = dn.ItemResponse(used.labels, 0.5), dn.ItemResponse(used.labels, 1.5, one_sided=True)
    survey = dn.Survey("long", [used], [dn.Arm(dn.Part(used, both)), dn.Arm(dn.Part(used, one))])
    assert survey.promise.about("used") == [one.guarantee]
    assert "Of 'used' it may show that a label is not on your list." in survey.label().sentences
    narrow = dn.ItemResponse(used.labels, 0.25, one_sided=True)  # a lower level, but of one side only: neither implies
    survey = dn.Survey("long", [used], [dn.Arm(dn.Part(used, both)), dn.Arm(dn.Part(used, narrow))])
    assert survey.promise.about("used") == [both.guarantee, narrow.guarantee]


def test_beliefs_that_are_shown_bound_those_of_every_report() -> None:
    """Bayes by hand over the exact channel, for mechanisms that protect everything or only some answers."""
    for mechanism, held in ((dn.Subset(5, 1.0), [2]), (dn.HighLowHadamard(5, [0, 1], 1.0), [0, 1])):
        for belief in dn.label(mechanism).beliefs:
            before = Fraction(belief.before)
            others = [x for x in range(5) if x not in held]
            for column in zip(*mechanism.channel().exact, strict=True):
                yes = sum((column[x] for x in held), Fraction(0)) / len(held) * before
                no = sum((column[x] for x in others), Fraction(0)) / len(others) * (1 - before)
                if yes + no:
                    assert belief.least - 1e-12 <= float(yes / (yes + no)) <= belief.most + 1e-12


@pytest.mark.parametrize(
    ("mechanism", "told", "untold"),
    [
        (dn.HighLowHadamard(ILL.labels, ["ill"], 1.0), "from a protected answer than from any other", "at least"),
        (dn.BlockHadamard([["a", "b"], ["c", "d"]], 1.0), "Somebody who knows your group and was 10% sure", "who was"),
        (dn.ItemResponse(["a", "b", "c"], 1.0), "differ in all 3 labels are protected only up to a factor of 20.1", ""),
        (dn.ItemResponse(4, 1.0, one_sided=True), "it may show that a label is not on your list", "other way round"),
        (dn.BinaryResponse(["y", "n"], 1.0, math.inf), "pairs of answers can be told apart with certainty", "sure"),
        (dn.InformedResponse(["a", "b"], [0.7, 0.3], 1.0), "If people answer as was known before", ""),
        (dn.Channel(2, [[1, 0], [0, 1]], OPEN), "No answer is protected from another", "times likelier"),
        (dn.RandomizedResponse(["y", "n"], 20.0), "So large a factor is no protection", "% sure"),
    ],
)  # fmt: skip
def test_what_is_open_is_said_and_not_promised(mechanism: dn.Mechanism, told: str, untold: str) -> None:
    assert told in said(mechanism)
    assert not untold or untold not in said(mechanism)


def test_large_mechanisms_list_no_reports() -> None:
    assert dn.label(dn.Subset(100, 1.0)).sends is None
    assert dn.label(dn.HashedResponse(2.0, 16, 64)).sends is None
    few = dn.label(dn.HighLowHadamard(3, [0], 1.0)).sends
    assert few is not None
    assert few.reports == ("0", "1", "2", "3")


# --- of what a label can be made ------------------------------------------------------------------------------------


def test_a_tally_has_the_label_of_what_it_counts() -> None:
    survey = single(LATE, COIN)
    assert dn.label(COIN.tally([])).to_dict() == dn.label(COIN).to_dict()
    assert isinstance(dn.label(survey), Label)
    assert dn.label(survey.tally()).to_dict() == survey.label().to_dict()
    other: Any = "a survey"
    with pytest.raises(ParameterError, match="of must be a survey, a mechanism or a tally of one, got str"):
        dn.label(other)


def test_the_survey_says_of_each_question_what_is_promised_where_some_are_open() -> None:
    part = dn.Part(ILL, dn.HighLowHadamard(ILL.labels, ["ill"], 1.0))
    label = dn.Survey("two", [LATE, ILL], [dn.Arm([dn.Part(LATE, COIN), part])]).label()
    about = ", all your other answers being the same: What is sent is at most 2.72 times likelier from"
    assert [line for line in label.sentences if line.startswith("About")] == [
        f"About 'late'{about} your answer than from any other.",
        f"About 'ill'{about} a protected answer than from any other.",
    ]


def test_of_answers_that_are_given_afresh_each_period_is_bounded_by_itself() -> None:
    survey = dn.Survey("weekly", [LATE], [dn.Arm(dn.Part(LATE, COIN))], period="week", repeat="fresh", cap=4.0)
    assert "Whatever is sent in one week could have come from any other answers too: it is at most 2.72 times" in said(
        survey
    )
    assert said(survey).count("after seeing what you send in one week") == 3
    assert "what all your answers tell together adds up" in said(survey)


# --- remembered -----------------------------------------------------------------------------------------------------


def test_remembered_reports_show_a_round_all_rounds_and_a_life() -> None:
    kept = dn.Remembered(dn.RandomizedResponse(["never", "once", "often"], 2.0), 1.0)
    levels = dn.label(kept).facts.rounds
    assert levels is not None
    assert (levels.each, levels.unchanged, levels.life) == (1.0, 2.0, 6.0)
    assert levels.life == dn.linked.lifetime(kept).epsilon
    one, unchanged = "One round by itself: what is sent is at most 2.72", "stays the same: what is sent is at most 7.39"
    assert all(told in said(kept) for told in (one, unchanged, "at most 404 times", SHOWS))
    assert said(kept).count("after seeing what you send in one round") == 3
    assert said(kept).count("after seeing all that your device ever sends") == 3
    assert "1-LDP a round, 6 for life" in str(dn.label(kept))
    assert dn.label(kept).beliefs[2].most == pytest.approx(math.exp(6) / (1 + math.exp(6)))


def test_a_remembered_survey_adds_its_questions_and_takes_its_dearest_arm() -> None:
    two, three = dn.OneOf("two", 2), dn.OneOf("three", 3)
    parts = [
        dn.Part(q, dn.Remembered(dn.RandomizedResponse(q.labels, ever), each))
        for q, ever, each in ((two, 1.0, 0.5), (three, 2.0, 0.25))
    ]
    survey = dn.Survey("life", [two, three], [dn.Arm(parts), dn.Arm(parts[:1])], period="week", repeat="remembered")
    levels = survey.label().rounds
    assert levels is not None
    assert (levels.each, levels.unchanged, levels.life) == (0.75, 3.0, 8.0)
    assert survey.label().to_dict()["rounds"] == {"each": 0.75, "unchanged": 3.0, "life": 8.0}
    assert levels.life == survey.promise.level


def test_a_life_is_only_compared_with_lives_that_change_alike() -> None:
    """A permanent report that is always sent: answers that change otherwise are told apart with certainty."""
    permanent = dn.RandomizedResponse(2, 1.0)
    exact = permanent.channel().exact

    def life(answers: tuple[int, ...], reports: tuple[int, ...]) -> Fraction:
        """The probability of the reports: each answer has one permanent report, drawn once."""
        if any(reports[answers.index(a)] != r for a, r in zip(answers, reports, strict=True)):
            return Fraction(0)
        drawn = {a: reports[answers.index(a)] for a in answers}
        return math.prod((exact[a][r] for a, r in drawn.items()), start=Fraction(1))

    seen = list(product(range(2), repeat=2))
    alike = max(life((0, 1), y) / life((1, 0), y) for y in seen)
    rounds = dn.label(dn.Remembered(permanent, 1.0)).facts.rounds
    assert rounds is not None
    assert float(alike) <= math.exp(rounds.life)
    assert life((0, 1), (0, 1)) > 0 == life((0, 0), (0, 1))
    assert "change and come back at the same times" in said(dn.Remembered(permanent, 1.0))


def test_texts_with_one_symbol_do_not_change_as_far_as_it_shows() -> None:
    """Two equal reports, always sent: of two texts with one symbol beside two with others, more than a life costs."""
    odds = math.exp(2.0)
    right, wrong = odds / (odds + 15), 1 / (odds + 15)
    kept = dn.Remembered(dn.HashedResponse(2.0, symbols=16, cohorts=64), 2.0)
    assert right / wrong**2 > math.exp(dn.linked.lifetime(kept, 2).epsilon)
    assert "other answers that change and come back at the same times" in said(kept)


def test_of_a_list_that_is_remembered_label_by_label_it_shows_which_changed() -> None:
    assert SHOWS_LABELS in said(dn.Remembered(dn.ItemResponse(4, 1.0), 0.5))
    assert SHOWS_LABELS not in said(dn.Remembered(dn.AskedItems(4, 1.0), 0.5))
