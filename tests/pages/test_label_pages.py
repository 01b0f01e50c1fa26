"""Labels in German: the client's own sentences to the letter, every text of the page, and nothing of the author's."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
from html import unescape
from pathlib import Path

import pytest
from tests.clients.typescript.package import PACKAGE
from tests.house.house_tree import ROOT
from tests.wire.generate.wordings import worded

import deniable as dn
from deniable.pages.label_pages import shown_label
from deniable.pages.label_view import LabelView
from deniable.pages.languages import marked
from deniable.pages.moments import day
from deniable.protocol.say import Statement, english, language
from deniable.surveys.document import Document

GERMAN = language("de")
LABELS = json.loads((ROOT / "wire" / "vectors" / "surveys.json").read_text(encoding="utf-8"))["labels"]
CLIENT = """
import { families } from "./dist/families.js";
import { sentences } from "./dist/label.js";
import * as languages from "./dist/languages.js";
import { readSurvey } from "./dist/survey.js";
import { readFileSync } from "node:fs";
const surveys = JSON.parse(readFileSync(0, "utf8")).map((each) => readSurvey(each, families));
const said = (language) => [language.code, surveys.map((each) => sentences(each, language))];
console.log(JSON.stringify(Object.fromEntries(Object.values(languages).map(said))));
"""
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|sure|people|with|after|before|every|each|somebody|what|when)\b", re.IGNORECASE
)


def shown(survey: Document, code: str = "de") -> LabelView:
    return shown_label(dn.label(survey), language(code), "sha384-x")


def test_labels_have_the_sentences_of_the_client_in_every_language(built: Path) -> None:
    assert built.is_dir()
    documents = json.dumps([each["document"] for each in LABELS])
    told = subprocess.run(
        ["node", "--input-type=module", "--eval", CLIENT],
        cwd=PACKAGE, input=documents, capture_output=True, check=True,
        encoding="utf-8",
    )  # fmt: skip
    for code, labels in json.loads(told.stdout).items():
        for label, wanted in zip(LABELS, labels, strict=True):
            assert list(shown(dn.Survey.from_json(label["document"]), code).sentences) == wanted


@pytest.mark.parametrize("number", range(len(LABELS)))
def test_no_text_of_a_label_stays_in_english(number: int) -> None:
    survey = dn.Survey.from_json(LABELS[number]["document"])
    found = shown(survey)
    authors = [survey.name, survey.topic, survey.owner, survey.purpose, survey.contact]
    authors += [text for question in survey.questions for text in (question.name, question.wording)]
    texts = [*found.sentences, *map(GERMAN, (*found.promised, *found.unpromised)), found.proven, *found.rights]
    texts += [text for row in (*found.terms, *found.facts) for text in row]
    texts += [told for each in found.asked for told, _ in each.parts]
    texts += [text for each in found.guesses for text in (*each.captions, each.told, each.picture, each.rows[0].most)]
    figures = [figure for each in found.sending.questions for figure in each.figures]
    texts += [text for figure in figures for text in (figure.caption, figure.picture)]
    texts += [found.sending.parts, *(text for each in found.sending.questions for text in (each.told, each.parts))]
    for text in texts:
        own = re.sub("|".join(re.escape(each) for each in authors if each) or "(?!)", "", text)
        assert not ENGLISH.search(own), text


def test_what_the_author_wrote_stays_as_it_is_even_if_it_looks_like_a_text_of_the_page() -> None:
    day_of = dn.OneOf("day", ["yes", "no"], wording="What is asked")
    survey = dn.Survey.plan("plain", [day_of], 1.0, 500, owner="from the start", purpose="no bound")
    found = shown(survey)
    assert dict(found.terms)["Es fragt"] == "from the start"
    assert dict(found.terms)["Zweck"] == "no bound"
    assert found.sending.questions[0].about == ("What is asked",)
    assert dict(found.facts)["Mechanismus"].endswith("zu day")


@pytest.mark.parametrize("number", range(len(LABELS)))
def test_guarantees_are_called_as_they_print_themselves(number: int) -> None:
    survey = dn.Survey.from_json(LABELS[number]["document"])
    for guarantee in (part.mechanism.guarantee for arm in survey.arms for part in arm.parts):
        name = guarantee.called
        assert str(guarantee) == (name if isinstance(name, str) else english(name))


def test_numbers_and_days_are_written_as_in_german() -> None:
    assert GERMAN("bytes", count=1, length=1) == "Was über Ihre Antworten gesendet wird, ist 1 Byte lang."
    assert GERMAN("minimum", count=1200) == "Kein Ergebnis, bevor ein Zeitraum 1.200 Antworten hat."
    assert GERMAN("since", date=day(datetime.date(2026, 3, 3))) == "seit dem 3. März 2026"
    assert GERMAN("cost", level=0.25) == "0,25"


def test_the_author_s_texts_are_in_the_language_that_is_nearest() -> None:
    survey = worded()["languages"]
    label = survey.label()
    german, english_one = (shown_label(label, GERMAN, "x", wanted=tags) for tags in (("de-AT", "en"), ("fr",)))
    assert (german.lang, german.title, english_one.lang, english_one.title) == ("de", "Pausen", "en", "Breaks")
    assert [each.wording for each in german.asked][:2] == ["Wo machen Sie Pause?", "Wie lange?"]
    assert ("paid",) in [each.about for each in german.sending.questions], "without a wording it is called by its name"
    assert german.sentences == english_one.sentences  # the page's own words are those of the page
    plain = shown_label(dn.Survey.plan("plain", [dn.OneOf("day", ["yes", "no"])], 1.0, 500).label(), GERMAN, "x")
    assert (plain.lang, plain.title) == ("", "plain")


def test_labels_that_are_protected_are_named_in_the_language_that_is_read() -> None:
    ill = dn.OneOf("ill", ["ill", "well", "away"], sensitive=["ill"])
    part = dn.OneOf("part", ["a", "b", "c"], blocks=[["a", "b"], ["c"]])
    words = {
        "ill": {"wording": "", "labels": ["krank", "gesund", "fort"]},
        "part": {"wording": "", "labels": ["A", "B", "C"]},
    }
    german = {"de": {"title": "", "purpose": "", "questions": words}}
    survey = dn.Survey.plan("two", [ill, part], 1.0, 500, language="en", translations=german)
    found = shown_label(survey.label(), GERMAN, "x", wanted=["de"])
    assert [each.parts[0][1] for each in found.asked] == ["krank", "A, B; C"]


def test_what_is_not_the_page_s_own_is_set_apart_and_never_markup() -> None:
    say = marked("en")
    question = Statement("question", name="<b>")
    about = Statement("about", of=question, promise=Statement("any", level=1.0))
    assert say(about) == (
        "About &#39;<bdi>&lt;b&gt;</bdi>&#39;, all your other answers being the same: What is sent is at most 2.72 "
        "times likelier from your answer than from any other."
    )
    assert say("bytes", count=2, length=2) == "What is sent about your answers takes 2 bytes."
    for label in LABELS:
        found = shown(dn.Survey.from_json(label["document"]))
        assert [re.sub("</?bdi>", "", unescape(each)) for each in found.marked(found.statements)] == list(
            found.sentences
        )
