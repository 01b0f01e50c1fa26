"""The promise of parts, arms and surveys, and its proof."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.surveys.commute import ILL, LATE, WAY, crossed, single

import deniable as dn
from deniable.protocol.errors import BudgetError, ParameterError
from deniable.protocol.odds import Odds


def part(question: dn.OneOf, epsilon: float) -> dn.Part:
    return dn.Part(question, dn.RandomizedResponse(question.labels, epsilon))


def test_levels_of_an_arm_add_up_and_the_dearest_arm_counts() -> None:
    survey = dn.Survey("two", [LATE, WAY], [dn.Arm([part(LATE, 0.1), part(WAY, 0.2)]), dn.Arm(part(WAY, 0.25))])
    assert survey.promise.level == 0.3  # as the decimals that people write
    assert survey.guarantee == dn.LDP(0.3)
    assert [str(g) for g in survey.promise.about("way")] == ["0.25-LDP"]
    assert survey.cap == 0.3


def test_information_privacy_counts_twice_and_what_is_open_has_no_level() -> None:
    known = dn.OneOf("known", ["a", "b"], prior=[0.3, 0.7])
    lip = single(known, dn.InformedResponse(["a", "b"], [0.3, 0.7], 1.0))
    assert lip.promise.level == pytest.approx(2.0)
    open_one = single(ILL, dn.HighLowHadamard(ILL.labels, ["ill"], 1.0))
    assert open_one.promise.level == math.inf
    assert open_one.guarantee is None
    assert open_one.promise.charge == 1.0
    assert open_one.promise.open_questions == ("ill",)
    assert "is not protected" in str(open_one.promise)


def test_a_ledger_counts_the_survey_whatever_its_arm() -> None:
    ledger = dn.Ledger(dn.LDP(3.0))
    ledger.spend(crossed(2.0).guarantee or dn.LDP(2.0), "commute 2026-W01")
    with pytest.raises(BudgetError):
        ledger.spend(dn.LDP(2.0), "commute 2026-W02")


def test_crossed_questions_are_reported_under_plain_privacy_only() -> None:
    pairs = [(a, b) for a in ILL.labels for b in LATE.labels]
    with pytest.raises(ParameterError, match="the encoder 'pair' must have a mechanism under plain LDP"):
        dn.Part([ILL, LATE], dn.HighLowHadamard(pairs, [pairs[0]], 1.0))


@pytest.mark.parametrize("survey", [crossed(), crossed(0.3)])
def test_the_audit_proves_the_promise_by_enumeration(survey: dn.Survey) -> None:
    proof = survey.audit()
    assert proof.holds
    assert proof.epsilon <= proof.claimed or math.isinf(proof.claimed)
    assert all(arm.listed for arm in proof.arms)


def test_the_audit_of_joint_answers_is_tight() -> None:
    """Two parts of 1 and 0.5 realise 1.5, but for the certified rounding."""
    proof = dn.Survey("two", [LATE, WAY], [dn.Arm([part(LATE, 1.0), part(WAY, 0.5)])]).audit()
    assert proof.holds
    assert 1.5 - 1e-9 < proof.epsilon <= 1.5
    assert proof.claimed == 1.5


def test_a_planted_arm_that_costs_more_than_promised_is_refused() -> None:
    survey = crossed()
    mechanism = next(p.mechanism for arm in survey.arms for p in arm.parts if p.names == ("ill",))
    planted = dn.RandomizedResponse(LATE.labels, 1.0)
    vars(planted)["odds"] = Odds(planted.odds.above + 2, planted.odds.below)  # e^epsilon, rounded up instead of down
    assert survey.audit().holds
    assert mechanism.guarantee.claimed == 2.0
    proof = single(LATE, planted).audit()
    assert not proof.holds
    assert "DOES NOT HOLD" in str(proof)


def test_remembered_reports_have_a_level_of_a_round_and_one_of_a_life() -> None:
    """Two labels are two permanent reports of 1.5 each; a round of each tells 0.5."""
    kept = dn.Remembered(dn.RandomizedResponse(LATE.labels, 1.5), 0.5)
    survey = dn.Survey("weekly", [LATE], [dn.Arm(dn.Part(LATE, kept))], period="week", repeat="remembered")
    proof = dn.audit(survey)
    assert [(arm.about, arm.promise, arm.claimed) for arm in proof.arms] == [
        ("arm 0: late, one round", "0.5-LDP", 0.5),
        ("arm 0: late, all that a device ever sends", "3-LDP", 3.0),
    ]
    assert all(arm.holds and 0 <= arm.claimed - arm.epsilon < 1e-9 for arm in proof.arms)
    assert [each["claimed"] for each in proof.to_dict()["spans"]] == [0.5, 3.0]
    assert proof.claimed == survey.promise.level == 3.0
    assert str(survey.promise).startswith("All that a device ever sends is at most 20.1 times likelier")


@pytest.mark.parametrize(
    "survey",
    [crossed(), crossed(0.3), dn.Survey("plan", [LATE, WAY], [dn.Arm([part(LATE, 0.5), part(WAY, 0.5)])])],
    ids=["crossed", "crossed at .3", "two parts"],
)
def test_what_is_promised_adds_up_to_what_is_claimed(survey: dn.Survey) -> None:
    """The text names every report's guarantee, and their levels are the claim: no certificate contradicts itself."""
    for arm in (arm for arm in survey.audit().arms if arm.claimed < math.inf):
        levels = [float(each.partition("-LDP")[0]) for each in arm.promise.split(" + ")]
        assert math.isclose(sum(levels), arm.claimed)


def test_only_what_can_be_proven_is_audited() -> None:
    others: list[Any] = [3, "a survey", {"version": 1}, dn.Survey]
    for other in others:
        with pytest.raises(ParameterError, match="subject must be a mechanism or a survey, got"):
            dn.audit(other)


def test_large_surveys_are_proven_by_the_certificates_of_their_parts() -> None:
    many = dn.OneOf("many", 5000)
    survey = dn.Survey("big", [many, LATE], [dn.Arm([dn.Part(many, dn.Hadamard(5000, 1.0)), part(LATE, 0.5)])])
    proof = survey.audit()
    assert proof.holds
    assert [arm.method for arm in proof.arms] == ["certificates of the parts"]
    assert proof.claimed == 1.5


# --- the label ------------------------------------------------------------------------------------------------------


def test_the_label_says_what_follows_for_a_belief() -> None:
    """Odds of 10% are 1:9; times e makes 23.2%, over e 3.93%."""
    label = single(LATE, dn.RandomizedResponse(LATE.labels, 1.0)).label()
    belief = label.beliefs[1]
    assert belief.before == 0.1
    assert belief.most == pytest.approx(math.e / (math.e + 9))
    assert belief.least == pytest.approx(1 / (1 + 9 * math.e))
    assert label.parts[0][0].report.own == pytest.approx(math.e / (1 + math.e))
    assert any("at most 2.72 times likelier" in sentence for sentence in label.sentences)
    assert label.to_dict()["bytes"] == {"least": 1, "most": 1}


def test_the_label_says_what_is_open_and_never_promises_it() -> None:
    label = single(ILL, dn.HighLowHadamard(ILL.labels, ["ill"], 1.0)).label()
    assert label.beliefs == ()
    likelier = [sentence for sentence in label.sentences if "times likelier" in sentence]
    assert [sentence.partition(": ")[2] for sentence in likelier] == [
        "What is sent is at most 2.72 times likelier from a protected answer than from any other."
    ]
    assert any("only 1 answer is protected" in sentence for sentence in label.unprotected)
    assert "<li>" in label._repr_html_()


# --- asked again ----------------------------------------------------------------------------------------------------


def test_remembered_reports_cost_a_life_and_not_a_round() -> None:
    kept = dn.Remembered(dn.RandomizedResponse(WAY.labels, 0.75), 0.5)
    survey = dn.Survey("weekly", [WAY], [dn.Arm(dn.Part(WAY, kept))], period="week", repeat="remembered")
    assert survey.promise.level == survey.cap == 3.0  # four answers
    proof = survey.audit()
    assert proof.holds
    assert proof.claimed == 3.0
    assert 3.0 - 1e-6 < proof.epsilon <= 3.0
    assert dn.Survey.from_json(survey.to_json()) == survey
    assert any("when your answer changed" in sentence for sentence in survey.label().sentences)


@pytest.mark.parametrize("repeat", ["fresh", "remembered"])
def test_what_is_remembered_and_what_is_not_are_kept_apart(repeat: str) -> None:
    plain = dn.RandomizedResponse(LATE.labels, 1.0)
    mechanism = plain if repeat == "remembered" else dn.Remembered(plain, 0.5)
    with pytest.raises(ParameterError, match="and only then"):
        dn.Survey("weekly", [LATE], [dn.Arm(dn.Part(LATE, mechanism))], period="week", repeat=repeat)


# --- what a hostile reviewer found ----------------------------------------------------------------------------------


def test_the_charge_is_that_of_all_pairs_that_are_protected() -> None:
    items = dn.AnyOf("used", 20)
    one_sided = single(items, dn.ItemResponse(20, 0.5, one_sided=True))
    assert one_sided.promise.level == math.inf
    assert one_sided.promise.charge == 10.0  # the full list against the empty one
    both = single(items, dn.ItemResponse(20, 0.5))
    assert both.promise.level == both.promise.charge == 10.0
    proof = both.audit()
    assert proof.claimed == proof.epsilon == 10.0
    known = dn.OneOf("known", ["a", "b", "c"], prior=[0.5, 0.5, 0.0])
    assert single(known, dn.InformedResponse(["a", "b", "c"], [0.5, 0.5, 0.0], 1.0)).promise.charge == 2.0


def test_a_mechanism_must_protect_what_the_question_says() -> None:
    for mechanism in (
        dn.HighLowResponse(ILL.labels, ["well"], 1.0),
        dn.BlockHadamard([["ill", "well"], ["away"]], 1.0),
    ):
        with pytest.raises(ParameterError, match="must protect what question 'ill'"):
            dn.Part(ILL, mechanism)
    with pytest.raises(ParameterError, match="must protect"):
        dn.Part(dn.OneOf("plain", ILL.labels), dn.HighLowHadamard(ILL.labels, ["ill"], 1.0))


def test_an_arm_asks_each_question_once() -> None:
    with pytest.raises(ParameterError, match="each question once, got 'late'"):
        dn.Arm([part(LATE, 1.0), part(LATE, 1.0)])
    pairs = [(a, b) for a in LATE.labels for b in WAY.labels]
    with pytest.raises(ParameterError, match="each question once"):
        dn.Arm([part(LATE, 1.0), dn.Part([LATE, WAY], dn.RandomizedResponse(pairs, 1.0))])
    used, yes_no = dn.AnyOf("used", ["a", "b"]), dn.RandomizedResponse(["yes", "no"], 1.0)
    labels = [dn.Part(used, yes_no, dn.encoders.Has(label)) for label in used.labels]
    assert len(dn.Arm(labels).parts) == 2
    with pytest.raises(ParameterError, match="each question once"):
        dn.Arm([*labels, dn.Part(used, dn.AskedItems(used.labels, 1.0))])


def test_bounds_that_are_shown_hold() -> None:
    """e^1.5 = 4.4817, and 10% become 33.24%: shown rounded outwards."""
    said = " ".join(single(LATE, dn.RandomizedResponse(LATE.labels, 1.5)).label().sentences)
    assert "at most 4.49 times" in said
    assert "between 2% and 34% sure" in said


def test_huge_pairs_are_refused_at_once() -> None:
    a, b = dn.OneOf("a", 60_000), dn.OneOf("b", 60_000)
    with pytest.raises(dn.CapacityError, match="at most 4096 pairs"):
        dn.Part([a, b], dn.RandomizedResponse(4, 1.0))


def test_remembered_surveys_are_not_answered_afresh() -> None:
    kept = dn.Remembered(dn.RandomizedResponse(LATE.labels, 1.0), 0.5)
    survey = dn.Survey("weekly", [LATE], [dn.Arm(dn.Part(LATE, kept))], period="week", repeat="remembered")
    with pytest.raises(ParameterError, match="by what a device keeps"):
        survey.answer({"late": "no"})
