"""Every statement of a label is true of the exact reports of all joint answers."""

from __future__ import annotations

import math

import pytest
from tests.lengths import by_length
from tests.planted_statements import falser, weakened
from tests.surveys import branched_surveys
from tests.surveys.made_surveys import made, remembered

import deniable as dn
from deniable.audit.promise_judges import PROMISES
from deniable.protocol.say import Statement, language
from deniable.surveys import statement_audit
from deniable.surveys.protection_judges import RECORDS
from deniable.surveys.realised import SurveyChannel, joint_answers, product
from deniable.surveys.statement_audit import JUDGES, judged_statement, judged_survey

SURVEYS = by_length(60, 2000)


def _said(survey: dn.Survey) -> tuple[Statement, ...]:
    """What is said of a survey, to the person asked and to its author."""
    return (*survey.label().statements, survey.promise.statement)


def keys(seeds: range) -> set[str]:
    """The keys of all statements that are made of these surveys, of promises too."""
    found: set[str] = set()
    for seed in seeds:
        for survey in (made(seed), remembered(seed), branched_surveys.made(seed)):
            for statement in _said(survey):
                found |= {statement.key} | {
                    each.key for each in statement.values.values() if isinstance(each, Statement)
                }
    return found


def test_every_statement_is_true() -> None:
    for seed in range(SURVEYS):
        for survey in (made(seed), *([remembered(seed)] if seed < SURVEYS // 4 else ())):
            false = [each for each in judged_survey(SurveyChannel.of(survey)) if not each.holds]
            assert false == [], (seed, survey.to_json())
            printed = judged_statement(SurveyChannel.of(survey), survey.promise.statement)
            assert printed.holds, (seed, survey.promise)


def test_none_is_needlessly_weak() -> None:
    """But of guarantees that are relative to a prior, which imply more between two answers than channels need."""
    for seed in range(SURVEYS):
        survey = made(seed)
        if any(getattr(question, "prior", None) for question in survey.questions):
            continue
        weak = [each for each in judged_survey(SurveyChannel.of(survey)) if each.weak]
        assert weak == [], (seed, survey.to_json())


def test_every_kind_of_statement_is_among_them() -> None:
    """All that have a judge, but for promises that no mechanism of these surveys makes, and what other faces say.

    Those of a crowd are in test_crowd_judges.py.
    """
    rare = {"huge", "some_pairs", "no_pair", "near", "relative", "claimed", "no_level"} | set(
        language("en").sections["protection"]
    )
    rare |= set(RECORDS)  # said in dossiers, and judged in their test
    rare |= {key for key in JUDGES if key.startswith("crowd_")}
    assert (set(JUDGES) | set(PROMISES)) - keys(range(200)) <= rare


@pytest.mark.parametrize("name", ["near", "some_pairs", "no_pair", "relative", "claimed"])
def test_rare_promises(name: str) -> None:
    """By distance, of some pairs alone, of none, and relative to what is known."""
    two = dn.OneOf("two", ["a", "b"], sensitive=["a"])
    near = dn.OneOf("near", ["a", "b"])
    told = dn.Pairwise(["n", "s"], [[0, math.inf], [math.inf, 0]])
    region = dn.OneOf("region", told.domain, blocks=[["n"], ["s"]])
    known = dn.OneOf("known", ["a", "b"], prior=[0.7, 0.3])
    rarest = dn.OneOf("rarest", ["a", "b"], prior=[1.0, 0.0])
    parts = {
        "near": dn.Part(near, dn.Geometric.of(near.labels, 1.0)),
        "some_pairs": dn.Part(two, dn.BinaryResponse(["a", "b"], 1.0, math.inf)),
        "relative": dn.Part(known, dn.InformedResponse(known.labels, [0.7, 0.3], 1.0)),
        "claimed": dn.Part(rarest, dn.InformedResponse(rarest.labels, [1.0, 0.0], 1.0)),
        "no_pair": dn.Part(region, dn.Channel(told.domain, [[1, 0], [0, 1]], told)),
    }
    part = parts[name]
    used = dn.AnyOf("used", ["x", "y"])
    items = dn.Part(used, dn.ItemResponse(used.labels, 1.0, one_sided=True))  # so that each question has its promise
    survey = dn.Survey("rare", [*part.questions, used], [dn.Arm([part, items])])
    found = judged_survey(SurveyChannel.of(survey))
    assert all(each.holds for each in found)
    assert name in {each.statement.values["promise"].key for each in found if each.statement.key == "about"}


def test_planted_falsehoods_are_seen() -> None:
    """A level a thousandth too low, a belief moved one thousandth less, one label or byte more."""
    planted = 0
    for seed in range(12):
        survey = made(seed)
        if any(getattr(question, "prior", None) for question in survey.questions):
            continue
        realised = SurveyChannel.of(survey)
        for statement in _said(survey):
            for false in falser(statement):
                found = judged_statement(realised, false)
                planted += 1
                assert not found.holds, (seed, statement, false)
    assert planted > 40


def test_weaker_statements_are_seen() -> None:
    """A level a thousandth too high, a belief moved one thousandth more."""
    planted = 0
    for seed in range(12):
        survey = made(seed)
        realised = SurveyChannel.of(survey)
        for weaker in (each for statement in _said(survey) for each in weakened(statement)):
            found = judged_statement(realised, weaker)
            planted += 1
            assert found.holds, (seed, weaker)
            assert found.weak, (seed, weaker)
    assert planted > 40


def open_survey() -> dn.Survey:
    """Whose promise is of a part: ill people are hidden, and it shows where somebody lives."""
    ill = dn.OneOf("ill", ["yes", "no", "healed"], sensitive=["yes"])
    home, way = dn.OneOf("home", ["north", "south"], blocks=[["north"], ["south"]]), dn.OneOf("way", ["bike", "bus"])
    hidden = dn.Part(ill, dn.HighLowResponse(ill.labels, ["yes"], 1.0))
    shown = dn.Part(home, dn.BlockHadamard([["north"], ["south"]], 1.0))
    arms = [dn.Arm([hidden, dn.Part(way, dn.RandomizedResponse(way.labels, 0.5))]), dn.Arm(shown)]
    return dn.Survey("open", [ill, way, home], arms)


def test_a_promise_of_a_part_names_the_questions_and_the_charge() -> None:
    survey = open_survey()
    realised, said = SurveyChannel.of(survey), survey.promise.statement
    assert said == Statement("promise_part", questions="ill, home", charge=1.5)
    found = judged_statement(realised, said)
    assert (found.holds, found.weak) == (True, False)
    for questions in ("ill", "home", "home, ill", "ill, way", "ill, way, home", "ill,home", ""):
        false = Statement(said.key, **{**said.values, "questions": questions})
        assert not judged_statement(realised, false).holds, questions
    for charge, holds, weak in ((1.4999, False, False), (0.0, False, False), (1.5001, True, True)):
        found = judged_statement(realised, Statement(said.key, **{**said.values, "charge": charge}))
        assert (found.holds, found.weak) == (holds, weak), charge


def test_what_is_said_of_another_survey_is_false() -> None:
    """Of a part where all is protected, of a life where nothing is remembered, of one round as if it were all."""
    way = dn.OneOf("way", ["bike", "bus"])
    arm, kept = dn.Arm(dn.Part(way, dn.RandomizedResponse(way.labels, 1.0))), remembered(0)
    once, fresh = dn.Survey("once", [way], [arm]), dn.Survey("anew", [way], [arm], period="day", repeat="fresh")
    [one_round] = [each.values["level"] for each in kept.label().statements if each.key == "round"]
    every, week = Statement("every_day"), Statement("during_week")
    said: list[tuple[dn.Survey, Statement]] = [
        (once, Statement("promise_part", questions="way", charge=1.0)),
        (once, Statement("life", level=1.0)),
        (once, Statement("unchanged", level=1.0)),
        (once, Statement("life_belief", before=0.1, least=0.039, most=0.232)),
        (once, Statement("remembered", every=every)),
        (once, Statement("fresh", every=every, cap=once.cap, topic=once.topic)),
        (once, Statement("whole", during=week, level=1.0)),
        (once, Statement("open_prior", of=Statement("question", name="no such one"))),
        (once, Statement("about", of=Statement("question", name="none"), promise=Statement("no_level"))),
        (fresh, Statement("promise_ever", level=1.0)),
        (fresh, Statement("whole", during=week, level=1.0)),
        (fresh, Statement("whole", during="", level=1.0)),
        (fresh, Statement("belief", during=week, before=0.1, least=0.039, most=0.232)),
        (fresh, Statement("fresh", every=Statement("every_week"), cap=fresh.cap, topic=fresh.topic)),
        (kept, Statement("whole", during="", level=one_round)),
        (kept, Statement("promise_sent", level=one_round)),
        (kept, Statement("remembered", every=Statement("every_month"))),
    ]
    for survey, statement in said:
        assert not judged_statement(SurveyChannel.of(survey), statement).holds, statement


def test_an_unknown_statement_is_no_true_one(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {key: judge for key, judge in JUDGES.items() if key != "bytes"}
    monkeypatch.setattr(statement_audit, "JUDGES", known)
    certificate = made(0).audit()
    assert not certificate.holds
    assert "these are false: bytes" in str(certificate)


def test_the_certificate_has_them() -> None:
    certificate = made(3).audit()
    assert certificate.holds
    assert len(certificate.statements) == len(made(3).label().statements)
    assert {each["holds"] for each in certificate.to_dict()["statements"]} == {True}
    assert "statements of the label are true of every pair of answers" in str(certificate)


def test_groups_of_parts_have_the_worst_pair_of_all_joint_answers() -> None:
    for seed in range(20):
        survey = made(seed)
        realised = SurveyChannel.of(survey)
        answers = list(joint_answers(survey.questions))
        arms = [[part for group in arm for part in group.parts] for arm in realised.arms]
        every = (
            product(part.ratio(part.place(x), part.place(z)) for part in parts)
            for parts in arms for x in answers for z in answers
        )  # fmt: skip
        assert realised.worst == max(every), survey.to_json()


def test_numbers_are_judged_beside_each_other_and_crossed() -> None:
    """Two hundred million pairs of joint answers, of which those of each number are looked at, or of both blocks."""
    first, second = dn.Number("first", 0, 100), dn.Number("second", 0, 120)
    tens = dn.encoders.Block(10)
    alone = [dn.Part(each, dn.RandomizedResponse(tens.blocks(each.scale.steps), 0.5), tens) for each in (first, second)]
    point = dn.encoders.Point(3, 2, 0, 2)
    drawn = dn.Part(first, dn.RandomizedResponse(3, 0.5), point)
    certificate = dn.Survey("two", [first, second], [dn.Arm(alone), dn.Arm([drawn])]).audit()
    assert certificate.holds
    assert certificate.statements
    assert certificate.arms[0].listed
    assert certificate.epsilon == pytest.approx(1.0)


def test_a_ratio_beyond_what_one_level_can_prove_is_proven_in_steps() -> None:
    """Five parts of 16 tell e^80 between them; one bound is proven up to e^64."""
    asked = [dn.OneOf(name, ["a", "b"]) for name in "vwxyz"]
    parts = [dn.Part(each, dn.RandomizedResponse(each.labels, 16.0)) for each in asked]
    certificate = dn.Survey("open", asked, [dn.Arm(parts)], cap=100.0).audit()
    assert certificate.holds
    assert certificate.statements
    assert certificate.epsilon == pytest.approx(80.0)
    assert certificate.claimed == 80.0


WIDE, LONG = dn.OneOf("wide", 1000), dn.AnyOf("long", 40)
LARGE = {
    "a large channel": [dn.Part(WIDE, dn.RandomizedResponse(1000, 1.0))],
    "own words": [dn.Part(dn.Text("own"), dn.HashedResponse(1.0, 16, 4))],
    "long lists beside a short question": [
        dn.Part(LONG, dn.AskedItems(LONG.labels, 1.0)), dn.Part(dn.OneOf("x", 2), dn.RandomizedResponse(2, 0.5))
    ],
}  # fmt: skip


@pytest.mark.parametrize("parts", LARGE.values(), ids=LARGE)
def test_large_surveys_are_judged_by_parts(parts: list[dn.Part]) -> None:
    survey = dn.Survey("large", [part.questions[0] for part in parts], [dn.Arm(parts)])
    found = survey.audit()
    assert found.holds
    assert found.by_parts
    assert found.unjudged == ()
    assert [each.statement for each in found.statements] == list(survey.label().statements)
    assert len(found.faces) == 3
    assert "proven of the parts" in str(found)


def test_what_is_too_large_to_judge_is_named() -> None:
    survey = dn.Survey("large", [LONG], [dn.Arm(dn.Part(LONG, dn.ItemResponse(LONG.labels, 0.1)))])
    found = survey.audit()
    assert {"whole", "about", "open_lists"} <= {each.key for each in found.unjudged}
    assert found.to_dict()["by_parts"]
    assert "Not judged, for there are too many answers: changed, whole" in str(found)


def test_a_large_part_that_promises_too_much_is_found() -> None:
    overclaiming = dn.RandomizedResponse(1000, 1.0)
    object.__setattr__(overclaiming, "guarantee", dn.LDP(0.5))
    survey = dn.Survey("large", [WIDE], [dn.Arm(dn.Part(WIDE, overclaiming))])
    found = survey.audit()
    assert not found.holds
    assert {"whole", "belief"} <= {each.statement.key for each in found.statements if not each.holds}


def test_levels_add_as_decimals_in_certificates() -> None:
    """Three labels at 0.1 keep 0.3, whose float is less than thrice that of 0.1."""
    used = dn.AnyOf("used", ["x", "y", "z"])
    survey = dn.Survey("items", [used], [dn.Arm(dn.Part(used, dn.ItemResponse(used.labels, 0.1)))])
    assert survey.audit().holds
