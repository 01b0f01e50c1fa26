"""The dossier: each sentence rests on what is named beside it, nothing is invented, and every number is the audit's."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from tests.planted_statements import falser
from tests.surveys.branched_surveys import planned as branched
from tests.surveys.made_surveys import made, remembered

import deniable as dn
from deniable.pages.dossier import AUDIT, DOCUMENT, FALSE, LAWS, PROGRAM, Box, Dossier, dossier_of
from deniable.pages.dossier_faces import markdown, page
from deniable.protocol.say import Statement, codes, language
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.realised import SurveyChannel
from deniable.surveys.statement_audit import JUDGES, judged_statement

DAY = datetime.date(2026, 11, 30)
WAY, ILL = dn.OneOf("way", ["car", "bus", "bike"], wording="How did you come?"), dn.OneOf("ill", ["yes", "no"])
CROWD = dn.Crowd("https://mixer.example", "The university", 500, 0.5)
OPEN, SHUT = "2026-08-01T00:00:00Z", "2027-01-01T00:00:00Z"
STATED = {"controller": "Northfield Hospital", "legal_basis": "Consent", "officer": "D. Officer"}


def planned(*questions: Any, epsilon: float = 1.0, **terms: Any) -> dn.Survey:
    told = {"title": "A survey", "owner": "The council", **terms}
    return dn.Survey.plan("s", questions or (WAY,), epsilon, 500, **told)


SURVEYS = {
    "hardly anything": planned(epsilon=0.01),
    "nearly all": planned(ILL, epsilon=10.0),
    "beyond reading": planned(ILL, epsilon=15.0),
    "several questions": planned(WAY, ILL, dn.Number("hours", 0, 60), dn.AnyOf("used", ["a", "b", "c"]), epsilon=2.0),
    "branches": branched(3),
    "weekly and fresh": planned(period="week", repeat="fresh", cap=4.0),
    "fresh for years": planned(period="day", repeat="fresh", cap=50.0),
    "weekly and remembered": planned(epsilon=4.0, period="week", repeat="remembered"),
    "a remembered list": remembered(4),
    "crowd": planned(epsilon=3.0, crowd=CROWD, closes=SHUT),
    "crowd every week": planned(
        epsilon=3.0, crowd=CROWD, opens=OPEN, closes=SHUT, period="week", repeat="fresh", cap=9.0
    ),
    "tablet": planned(kiosk=True),
    "a room": planned(lan=True),
    "a form": planned(carrier="field"),
    "some answers": planned(dn.OneOf("way", ["car", "bus", "bike"], sensitive=["bike"])),
    "some answers, remembered": planned(
        dn.OneOf("way", ["car", "bus"], sensitive=["bus"]), period="week", repeat="fresh", cap=3.0
    ),
    "groups": planned(dn.OneOf("way", ["car", "bus", "bike"], blocks=[["car"], ["bus", "bike"]])),
    "known shares": planned(dn.OneOf("way", ["car", "bus", "bike"], prior=[0.5, 0.3, 0.2])),
    "own words": planned(dn.Text("why")),
    "too many to list": planned(dn.OneOf("town", [f"town {k}" for k in range(3000)])),
    **{f"made {seed}": made(seed) for seed in range(12)},
}  # fmt: skip


@cache
def found(name: str) -> Dossier:
    return dossier_of(SURVEYS[name], 500, DAY)


def lines(dossier: Dossier) -> Iterator[tuple[Any, str]]:
    for box in (*dossier.signed, *dossier.boxes, *dossier.questions):
        yield from box.lines


def values(said: Statement) -> Iterator[Any]:
    for each in said.values.values():
        yield from values(each) if isinstance(each, Statement) else [each]


def inner(said: Statement) -> list[Statement]:
    return [said] if said.key in JUDGES else [each for each in said.values.values() if isinstance(each, Statement)]


# --- what stands behind each sentence -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SURVEYS)
def test_what_is_said_to_be_proven_is_found_true_and_nothing_else_bounds_a_guess(name: str) -> None:
    """Numbers that protect are the audit's: of the programs none is told, of the document its terms alone."""
    dossier, realised = found(name), SurveyChannel.of(SURVEYS[name])
    assert dossier.holds
    proven = 0
    for said, source in lines(dossier):
        assert source != FALSE, said
        if isinstance(said, Statement) and source == AUDIT and inner(said) and said.key != "found_level":
            verdicts = [judged_statement(realised, each) for each in inner(said) if each.key in JUDGES]
            assert all(each.holds for each in verdicts), said
            proven += len(verdicts)
        if isinstance(said, Statement) and source == PROGRAM:
            assert not [each for each in values(said) if isinstance(each, float)], said
    assert proven >= 5 or name == "too many to list"


def test_levels_are_those_of_the_certificate() -> None:
    for name, survey in SURVEYS.items():
        told = [said for said, _ in lines(found(name)) if getattr(said, "key", "") == "found_level"]
        spans = [levels for levels in survey.audit().spans.values() if levels[0] < math.inf]
        assert len(told) == len(spans)
        for said, (claimed, realised) in zip(told, spans, strict=True):
            assert float(said.values["claimed"]) >= claimed * (1 - 1e-9)
            assert float(said.values["found"]) >= realised * (1 - 1e-9)


@pytest.mark.parametrize("name", ["hardly anything", "nearly all", "weekly and fresh", "weekly and remembered"])
def test_what_is_told_of_records_cannot_be_bettered(name: str) -> None:
    realised = SurveyChannel.of(SURVEYS[name])
    told = [said for said, _ in lines(found(name)) if getattr(said, "key", "").startswith("record")]
    judged = [each for each in told if each.key in JUDGES]
    assert judged
    for said in judged:
        verdict = judged_statement(realised, said)
        assert (verdict.holds, verdict.weak) == (True, False)
        assert falser(said)
        assert not [each for each in falser(said) if judged_statement(realised, each).holds]
    assert not judged_statement(realised, Statement("record_found_nearly")).holds
    if name != "weekly and fresh":
        assert not judged_statement(realised, Statement("records_linked", before=0.01, most=0.99)).holds


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 3.0])
def test_a_record_is_found_as_well_as_is_said_and_no_better(epsilon: float) -> None:
    """By enumerating what one person and 99 others, who all answer alike, can send."""
    survey = dn.Survey("s", [WAY], [dn.Arm(dn.Part(WAY, dn.RandomizedResponse(WAY.labels, epsilon)))])
    rows = survey.arms[0].parts[0].mechanism.channel().exact
    best = max(
        own[report] / (own[report] + 99 * other[report]) for own in rows for other in rows for report in range(3)
    )
    [told] = [each for each, _ in lines(dossier_of(survey)) if getattr(each, "key", "") == "record_found"]
    assert told.values["most"] - 0.01 < best <= Fraction(str(told.values["most"]))


def test_two_fresh_records_are_linked_as_well_as_is_said_and_no_better() -> None:
    """By the odds that one and the same person, or two at random, sent a pair, whatever the shares of answers."""
    survey = SURVEYS["weekly and fresh"]
    rows = survey.arms[0].parts[0].mechanism.channel().exact
    best = Fraction(0)
    for rare in (Fraction(1, 1000), Fraction(1, 3), Fraction(998, 1000)):
        shares = [rare, (1 - rare) / 2, (1 - rare) / 2]
        for one, other in ((0, 0), (0, 1), (1, 2)):
            same = sum(p * row[one] * row[other] for p, row in zip(shares, rows, strict=True))
            alone = [sum(p * row[report] for p, row in zip(shares, rows, strict=True)) for report in (one, other)]
            odds = same / (alone[0] * alone[1]) / 99
            best = max(best, odds / (1 + odds))
    [told] = [each for each, _ in lines(found("weekly and fresh")) if getattr(each, "key", "") == "records_linked"]
    assert best <= Fraction(str(told.values["most"]))


def test_where_a_device_can_be_made_to_forget_nothing_is_said_of_all_that_it_ever_sends() -> None:
    for name, survey in SURVEYS.items():
        told = markdown(found(name), language("en"))
        assert ("over all that a device will ever send" in told) == (survey.carrier is None and not survey.kiosk)


def test_a_voice_that_lies_is_seen_in_the_dossier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Protection, "most", lambda self, before=0.5: before)
    dossier = dossier_of(planned(ILL, epsilon=2.0), 500, DAY)
    false = [said.key for said, source in lines(dossier) if source == FALSE]
    assert {"guesses_in_all", "record_found", "certified_protection"} <= set(false)
    for face in (markdown, page):
        assert language("en")("from_false") in face(dossier, language("en"))


def test_a_promise_that_does_not_hold_is_not_to_be_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dn.Subset, "guarantee", property(lambda self: dn.LDP(self.epsilon / 2)), raising=False)
    question = dn.OneOf("town", list("abcdef"))
    dossier = dossier_of(dn.Survey("s", [question], [dn.Arm(dn.Part(question, dn.Subset(list("abcdef"), 1.0)))]))
    assert not dossier.holds
    assert dossier.finding.key == "dossier_fails"
    assert '<h1 class="fails">The promise of this survey does NOT hold' in page(dossier, language("en"))


# --- what is asked, and what is left to a person --------------------------------------------------------------------


def test_the_boxes_are_those_of_nist_in_its_order_and_none_is_empty() -> None:
    order = ["parameter", "unit", "time", "mechanism", "utility", "bias", "trust", "program", "access", "collection"]
    for name in SURVEYS:
        dossier = found(name)
        assert [box.name for box in dossier.boxes] == [f"box_{each}" for each in order]
        assert [box.name for box in dossier.questions] == ["wp_singled", "wp_linked", "wp_inferred"]
        assert all(box.lines or box.asks for box in (*dossier.signed, *dossier.boxes, *dossier.questions))


def box(dossier: Dossier, name: str) -> Box:
    [one] = [each for each in (*dossier.signed, *dossier.boxes, *dossier.questions) if each.name == name]
    return one


def keys(dossier: Dossier, name: str) -> list[str]:
    return [said.key for said, _ in box(dossier, name).lines if isinstance(said, Statement)]


def test_who_asks_is_told_by_the_document_or_left_to_a_person() -> None:
    asked = dossier_of(planned(purpose="To plan buses.", responsible=STATED), today=DAY)
    assert [said for said, _ in box(asked, "controller").lines] == ["Northfield Hospital"]
    assert [said for said, _ in box(asked, "purpose").lines] == ["To plan buses."]
    assert box(asked, "contact").lines == []
    assert [each.key for each in box(asked, "contact").asks] == ["not_in_document"]
    assert [each.key for each in box(found("a form"), "retention").asks] == ["ask_retention"]
    assert [source for _, source in box(asked, "retention").lines] == [DOCUMENT]
    assert [said for said, _ in box(asked, "dossier_digest").lines] == [asked.document.digest]


def test_how_exact_a_result_is_waits_for_the_number_of_people() -> None:
    unknown = box(dossier_of(planned(WAY, ILL), today=DAY), "box_utility")
    assert (unknown.lines, [each.key for each in unknown.asks]) == ([], ["ask_people"])
    told = box(found("several questions"), "box_utility")
    assert not told.asks
    assert {source for _, source in told.lines} == {LAWS}
    assert len(told.lines) == 4
    assert keys(found("hardly anything"), "box_utility") == ["useful_for_nothing"]


def test_what_the_program_cannot_know_is_asked_of_every_survey() -> None:
    always = {"box_time", "box_bias", "box_trust", "box_program", "box_access", "box_collection"}
    for name in SURVEYS:
        assert {each.name for each in found(name).boxes if each.asks} == always
    assert [each.key for each in box(found("crowd"), "box_trust").asks] == ["ask_served", "ask_apart"]


@pytest.mark.parametrize(
    ("name", "linked"),
    [
        ("hardly anything", ["linked_once", "linked_elsewhere"]),
        ("tablet", ["linked_kiosk", "linked_elsewhere"]),
        ("a form", ["linked_form", "field_same"]),
        ("weekly and fresh", ["records_linked", "linked_all", "linked_elsewhere"]),
        ("weekly and remembered", ["linked_remembered", "changes", "linked_all", "linked_elsewhere"]),
        ("some answers, remembered", ["record_found_nearly", "linked_all", "linked_elsewhere"]),
    ],
)
def test_whether_records_are_linked_follows_from_how_they_are_drawn(name: str, linked: list[str]) -> None:
    assert keys(found(name), "wp_linked") == linked


# --- words ----------------------------------------------------------------------------------------------------------

BANNED = re.compile(r"anonym", re.IGNORECASE)
NEVER = re.compile(r"(?<![\d.,])(?:0|100)(?:[.,]0+)?\s*%|(?:becomes|höchstens|most) (?:0|100)(?:[.,]0+)?(?![\d.,]*\d)")


@pytest.mark.parametrize("code", codes())
def test_no_sentence_says_that_anybody_is_without_a_name_or_is_none_or_all_of_a_hundred(code: str) -> None:
    words = json.dumps(language(code).section("dossier"), ensure_ascii=False)
    assert not BANNED.search(words)
    for name in SURVEYS:
        for face in (markdown, page):
            shown = face(found(name), language(code))
            assert not BANNED.search(shown), name
            assert not NEVER.search(re.sub("(?s)<style>.*?</style>", "", shown)), (name, NEVER.search(shown))


def test_what_must_not_be_said_is_seen() -> None:
    for text in ("0%", "0.0 %", "100,0 %", "100%", "becomes 100 at most", "wird höchstens 100.", "becomes 0 at most"):
        assert NEVER.search(text), text
    for text in ("10%", "0.1%", "99.9%", "becomes 100.5", "of 100 tries", "2100 %", "100 Menschen"):
        assert not NEVER.search(text), text
    assert BANNED.search("Anonymisierung")


def test_the_words_of_the_author_are_in_the_readers_language_if_the_survey_has_them() -> None:
    words = {"way": {"wording": "Wie sind Sie gekommen?", "labels": ["Auto", "Bus", "Rad"]}}
    german = {"title": "Eine Umfrage", "purpose": "Ein Bus", "questions": words}
    survey = planned(purpose="A bus", language="en", translations={"de": german})
    told = markdown(dossier_of(survey, 500, DAY, "de"), language("de"))
    assert told.startswith("# Dossier zu „Eine Umfrage“")
    assert "„Wie sind Sie gekommen?“: Wenn 500 Menschen" in told
    assert "- Ein Bus (sagt der Autor" in told
    assert "“How did you come?”: if 500" in markdown(dossier_of(survey, 500, DAY), language("en"))


def test_every_box_in_json_is_what_the_page_says() -> None:
    for code in codes():
        say = language(code)
        for name in ("several questions", "crowd every week", "a form"):
            told = json.loads(json.dumps(found(name).to_dict(say)))
            text = markdown(found(name), say)
            said = [each for part in ("signed", "boxes", "questions") for each in told[part]]
            assert all(line["text"] in text for each in said for line in each["lines"])
            assert all(ask in text for each in said for ask in each["asks"])
            assert told["digest"] == SURVEYS[name].digest
