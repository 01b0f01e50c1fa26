"""What any face says of protection is a statement of one function, which the audit judges; false ones too.

The faces are rendered, and each statement on protection that is said meanwhile is judged by the exact channel.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.house.house_tree import ROOT
from tests.pages.results.worlds import period_of

import deniable as dn
from deniable.engines.file_certificate import certify
from deniable.pages.builder.form_views import _protection
from deniable.pages.consent_view import consent_view
from deniable.pages.dossier import dossier_of
from deniable.pages.dossier_faces import markdown
from deniable.pages.handing.handout import Handout
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.label_terms import grade_of
from deniable.pages.results.about import about, hint_of, in_short
from deniable.pages.slide_pages import protection
from deniable.protocol.say import Language, Statement, codes, language, outwards
from deniable.protocol.surveys.protection import EVEN, Protection, believed
from deniable.surveys.protection_judges import RECORDS
from deniable.surveys.realised import SurveyChannel
from deniable.surveys.statement_audit import judged_statement

LINK, NOW = "https://surveys.example/q/5fa1", datetime.datetime(2026, 11, 26, 12, 0, tzinfo=datetime.UTC)
WAYS, ILL = dn.OneOf("way", ["car", "bus", "bike"]), dn.OneOf("ill", ["yes", "no"])
PARTLY = dn.OneOf("way", ["car", "bus", "bike"], sensitive=["bike"])
GROUPED = dn.OneOf("way", ["car", "bus", "bike"], blocks=[["car"], ["bus", "bike"]])
KNOWN = dn.OneOf("way", ["car", "bus", "bike"], prior=[0.5, 0.3, 0.2])
LEVELS = (0.1, 1.0, 1.09, 1.11, 2.0, 2.19, 2.2, 3.0, 3.17, 3.2, 4.0, 6.0, 13.0, 15.0)
CROWD = dn.Crowd("https://mixer.example", "The university", 500, 0.5)
SAID = frozenset(language("en").section("protection"))


def planned(*questions: Any, epsilon: float = 1.0, **terms: Any) -> dn.Survey:
    return dn.Survey.plan("s", questions, epsilon, 500, **{"title": "A survey", "owner": "The council", **terms})


SURVEYS = {
    **{f"level {level:g}": planned(ILL, epsilon=level) for level in LEVELS},
    "some answers": planned(PARTLY),
    "groups": planned(GROUPED),
    "known shares": planned(KNOWN),
    "several": planned(WAYS, ILL, epsilon=2.0),
    "fresh": planned(WAYS, period="week", repeat="fresh", cap=4.0),
    "fresh for long": planned(WAYS, period="week", repeat="fresh", cap=50.0),
    "number": planned(dn.Number("age", 0, 20, want=("mean",)), epsilon=2.0),
    "kiosk": planned(WAYS, kiosk=True),
    "lan": planned(WAYS, lan=True),
    "crowd": planned(WAYS, epsilon=3.0, crowd=CROWD, closes="2027-01-01T00:00:00Z"),
    "crowd every week": planned(
        WAYS, epsilon=3.0, crowd=CROWD, opens="2026-08-01T00:00:00Z", closes="2027-01-01T00:00:00Z", period="week",
        repeat="fresh", cap=9.0,
    ),
}  # fmt: skip


@contextmanager
def overheard(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Statement]]:
    """All statements on protection that are said meanwhile, in whatever language."""
    said: list[Statement] = []
    own = Language.__call__

    def called(self: Language, statement: Statement | str, **values: Any) -> str:
        found = Statement(statement, **values) if isinstance(statement, str) else statement
        said.extend([found] if found.key in SAID else [])
        return own(self, statement, **values)

    with monkeypatch.context() as patch:
        patch.setattr(Language, "__call__", called)
        yield said


def faces(survey: dn.Survey, code: str) -> list[str]:
    """What each face says of a survey's protection."""
    say = language(code)
    handed = Handout(say, survey, None, datetime.UTC, NOW, invited=False, link=LINK, short=LINK)
    graded = grade_of(survey.label())
    found = period_of(survey, {each.name: [page_kind(each).example(each)] * 60 for each in survey.questions})
    return [
        consent_view(survey, say, [code]).claim, handed.promise, handed.guess, handed.message,
        "" if graded is None else say(graded), say(in_short(survey)), say(hint_of(survey)), say(protection(found)),
        *(say.text(row.words) for row in about(found)), say(_protection(survey)), str(certify(survey)),
        str(survey.audit()), markdown(dossier_of(survey), say),
    ]  # fmt: skip


@pytest.mark.parametrize("name", SURVEYS)
def test_whatever_a_face_says_of_protection_is_true_and_not_needlessly_weak(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = SURVEYS[name]
    with overheard(monkeypatch) as said:
        for code in codes():
            faces(survey, code)
    realised = SurveyChannel.of(survey)
    assert len(said) > 20
    for statement in said:
        verdict = judged_statement(realised, statement)
        assert (verdict.holds, verdict.weak) == (True, False), statement
    assert survey.audit().holds


def test_all_faces_have_one_figure_and_one_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    for survey in SURVEYS.values():
        with overheard(monkeypatch) as said:
            faces(survey, "en")
        evens = {each.values["most"] for each in said if each.key == "guess_becomes" and each.values["before"] == EVEN}
        assert len(evens) <= 1
        assert len({each.key for each in said if each.key.startswith("grade_")}) == 1
        assert len({each.key for each in said if each.key.startswith("hint_")}) == 1


def planted(statement: Statement) -> Iterator[Statement]:
    """The statement with one thing that is more reassuring: by a unit of what is printed, or by a grade."""
    if "most" in statement.values:
        most = statement.values["most"]
        digits = max(len(f"{most:.12f}".rstrip("0").partition(".")[2]), 2)
        yield Statement(statement.key, **{**statement.values, "most": round(most - 10.0**-digits, digits)})
        yield Statement(statement.key, **{**statement.values, "most": round(most - 0.001, 12)})
    order = ["strong", "middling", "weak", "beyond"]
    kind, _, name = statement.key.partition("_")
    if statement.key == "crowd_hints":
        yield from hints_planted(statement, order)
    elif name in order[1:] and kind != "clue":  # a clue is true or not within its sentence
        yield from (Statement(f"{kind}_{better}") for better in order[: order.index(name)])
    if statement.key == "hint_part":
        yield from (Statement(f"hint_{better}") for better in order[:3])
    if statement.key in ("guess_certain", "guess_nearly_certain"):
        yield Statement("guess_becomes", before=0.5, most=0.99)


def hints_planted(statement: Statement, order: list[str]) -> Iterator[Statement]:
    """Both levels of a crowd with one of them better, in a word or in a figure."""
    told = statement.values
    yield Statement(statement.key, **{**told, "all": round(told["all"] - 0.01, 2)})
    for place in ("alone", "together"):
        better = order[: order.index(told[place].key.removeprefix("clue_"))]
        yield from (Statement(statement.key, **{**told, place: Statement(f"clue_{name}")}) for name in better)


def test_planted_falsehoods_are_seen_over_all_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    for survey in SURVEYS.values():
        with overheard(monkeypatch) as said:
            faces(survey, "en")
        realised = SurveyChannel.of(survey)
        for statement in said:
            for false in planted(statement):
                assert not judged_statement(realised, false).holds, false
                count += 1
    assert count > 200


@pytest.mark.parametrize("fault", ["a grade", "a figure"])
def test_a_voice_that_lies_is_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the one function wrong, the certificate of each survey would say so."""

    def less(self: Protection, before: float = EVEN) -> float:
        return outwards(believed(self.level, before) - 0.01, up=False)

    if fault == "a grade":
        monkeypatch.setattr(Protection, "grade", property(lambda _: "strong"))
    else:
        monkeypatch.setattr(Protection, "most", less)
    for name in ("level 2", "level 4", "level 6", "known shares"):
        assert not SURVEYS[name].audit().holds


# --- sentences from anywhere else -----------------------------------------------------------------------------------

CLAIMS = {
    "en": r"\bhints?\b|\bproofs?\b(?! is| took| waits)|certain about|certain of (you|your|one)|guess(es)? of|"
    r"becomes? .*at most|nobody can (tell|know|learn)|nobody (learns|knows) (what|which|whether)|"
    r"tells? (little|nothing|nearly)|"
    r"(strong|middling|weak|weaker)\b|likelier|deniability|cannot be (guessed|known)|unlikely",
    "de": r"Hinweis|Beweis\b|Sicheres|Vermutung|verrät|niemand (kann|weiß|erfährt)|sagt (wenig|nichts|kaum)|"
    r"\b(?-i:stark|mittel|schwach|schwächer)\b|wahrscheinlicher|unwahrscheinlich",
}
"""Words by which protection is claimed."""
OTHERS = {
    "asked": {
        "nearly_all", "rights_unknown", "rights_stop", "guesses", "guess_figure", "guessed", "take_back_text", "proof",
        "proof_waits", "proof_fails", "topic_reveals", "topic_reveals_part", "still_guess", "sent_unbound",
        "parts_pair_number",
    },
    "author": {
        "a_guess_about_somebody", "goes_to_all_alike_nobody", "how_strong_is_the_protection",
        "i_know_that_nothing_will", "if_too_little_can_be_learned", "its_answers_results_go",
        "no_level_keeps_a_guess", "nobody_can_show_these", "mixer_nobody_can_show_them_again",
        "tells_nothing_yet_with_people",
    },
    "results": {
        "takes_more_than_there_are", "there_may_be_one_that_is_too", "the_proof_took_too_long",
        "too_little_even_of_all",
    },
    "errors": set[str](),
    "dossier": {"guesses_in_all", "unit_people", *RECORDS},
}  # fmt: skip
"""Keys of sentences that have such words and claim nothing of how well answers are protected."""


def claims(code: str, text: str) -> bool:
    """Whether a text claims protection, its places and its markup aside."""
    plain = re.sub(r"(?s:{[{%#].*?[}%#]}|<code>.*?</code>|<[^>]*>)|{\w+(:\w+)?}", " ", text)
    return re.search(CLAIMS[code], plain, re.IGNORECASE) is not None


@pytest.mark.parametrize("code", codes())
def test_no_other_sentence_claims_protection(code: str) -> None:
    found = {
        f"{section}.{key}"
        for section, allowed in OTHERS.items()
        for key, wording in language(code).section(section).items()
        if key not in allowed and claims(code, json.dumps(wording, ensure_ascii=False))
    }
    assert sorted(found) == []


def test_no_page_says_words_of_its_own() -> None:
    """Templates hold no English beside what they say by key."""
    for path in (ROOT / "src/deniable/pages/templates").rglob("*.html"):
        assert not claims("en", path.read_text(encoding="utf-8").replace("deniable", "")), path
