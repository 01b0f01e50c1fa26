"""Labels in German: the client's own sentences to the letter, every text of the page, and nothing of the author's."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.clients.typescript.package import PACKAGE
from tests.house.house_tree import ROOT

import deniable as dn
from deniable.pages.label_pages import shown_label
from deniable.pages.label_terms import called, day
from deniable.pages.label_view import LabelView
from deniable.protocol.say import english, language
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
    texts = [*found.sentences, *found.host, GERMAN(found.verdict)]
    texts += [text for row in (*found.terms, *found.facts) for text in row]
    texts += [told for each in found.asked for told, _ in each.parts]
    texts += [text for each in found.guesses for text in (each.caption, each.told, each.picture, each.rows[0].most)]
    texts += [text for each in found.fitting for text in (each.own, each.other, each.own_picture)]
    for text in texts:
        own = re.sub("|".join(re.escape(each) for each in authors if each) or "(?!)", "", text)
        assert not ENGLISH.search(own), text


def test_what_the_author_wrote_stays_as_it_is_even_if_it_looks_like_a_text_of_the_page() -> None:
    day_of = dn.OneOf("day", ["yes", "no"], wording="What is asked")
    survey = dn.Survey.plan("plain", [day_of], 1.0, 500, owner="from the start", purpose="no bound")
    found = shown(survey)
    assert dict(found.terms)["Es fragt"] == "from the start"
    assert dict(found.terms)["Zweck"] == "no bound"
    assert found.fitting[0].about == "What is asked"
    assert dict(found.facts)["Mechanismus"].endswith("zu day")


@pytest.mark.parametrize("number", range(len(LABELS)))
def test_guarantees_are_called_as_they_print_themselves(number: int) -> None:
    survey = dn.Survey.from_json(LABELS[number]["document"])
    for guarantee in (part.mechanism.guarantee for arm in survey.arms for part in arm.parts):
        name = called(guarantee)
        assert str(guarantee) == (name if isinstance(name, str) else english(name))


def test_numbers_and_days_are_written_as_in_german() -> None:
    assert GERMAN("bytes", count=1, length=1) == "Was über Ihre Antworten gesendet wird, ist 1 Byte lang."
    assert GERMAN("minimum", count=1200) == "Kein Ergebnis, bevor ein Zeitraum 1.200 Antworten hat."
    assert GERMAN("since", date=day(datetime.date(2026, 3, 3))) == "seit dem 3. März 2026"
    assert GERMAN("cost", level=0.25) == "0,25"
