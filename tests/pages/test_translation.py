"""Labels in German: the client's own sentences to the letter, every text of the page, and nothing of the author's."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.clients.typescript.package import PACKAGE
from tests.house.house_tree import ROOT

import deniable as dn
from deniable.pages.label_asked import asked_of
from deniable.pages.label_shown import HOST, Shown
from deniable.pages.label_terms import facts_of, terms_of
from deniable.pages.label_text import verdict
from deniable.pages.label_translated import translated
from deniable.pages.label_view import fitting_of, guesses_of
from deniable.pages.translation import PLACE, translation_to

GERMAN = translation_to("de")
LABELS = json.loads((ROOT / "wire" / "vectors" / "surveys.json").read_text(encoding="utf-8"))["labels"]
TABLE = json.loads((ROOT / "src/deniable/pages/languages/label.de.json").read_text(encoding="utf-8"))
CLIENT = """
import { families } from "./dist/families.js";
import { sentences } from "./dist/label.js";
import { german } from "./dist/languages.js";
import { readSurvey } from "./dist/survey.js";
import { readFileSync } from "node:fs";
const documents = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(documents.map((each) => sentences(readSurvey(each, families), german))));
"""
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|sure|people|with|after|before|every|each|somebody|what|when)\b", re.IGNORECASE
)


def shown(survey: dn.Survey) -> Shown:
    label = survey.label()
    return Shown(
        survey.title, survey, asked_of(survey), label.sentences, HOST, guesses_of(label), fitting_of(label),
        terms_of(survey), facts_of(label), (), None, True,
    )  # fmt: skip


def test_labels_have_the_german_sentences_of_the_client(built: Path) -> None:
    assert built.is_dir()
    documents = json.dumps([each["document"] for each in LABELS])
    told = subprocess.run(
        ["node", "--input-type=module", "--eval", CLIENT],
        cwd=PACKAGE, input=documents, capture_output=True, check=True,
        encoding="utf-8",
    )  # fmt: skip
    for label, wanted in zip(LABELS, json.loads(told.stdout), strict=True):
        assert [GERMAN(sentence) for sentence in label["sentences"]] == wanted


@pytest.mark.parametrize("number", range(len(LABELS)))
def test_no_text_of_a_label_stays_in_english(number: int) -> None:
    survey = dn.Survey.from_json(LABELS[number]["document"])
    found = translated(shown(survey), GERMAN)
    authors = [survey.name, survey.topic, survey.owner, survey.purpose, survey.contact]
    authors += [text for question in survey.questions for text in (question.name, question.wording)]
    texts = [*found.sentences, *found.host, GERMAN(verdict(found))]
    texts += [text for row in (*found.terms, *found.facts) for text in row]
    texts += [told for each in found.asked for told, _ in each.parts]
    texts += [text for each in found.guesses for text in (each.caption, each.told, each.picture, each.rows[0].most)]
    texts += [text for each in found.fitting for text in (each.own, each.other, each.own_picture)]
    for text in texts:
        own = re.sub("|".join(re.escape(each) for each in authors if each) or "(?!)", "", text)
        assert not ENGLISH.search(own), text


def test_what_the_author_wrote_stays_as_it_is_even_if_it_looks_like_a_text_of_the_page() -> None:
    well = dn.OneOf("well", ["yes", "no"], wording="What is asked")
    survey = dn.Survey.plan("plain", [well], 1.0, 500, owner="from the start", purpose="no bound")
    found = translated(shown(survey), GERMAN)
    assert dict(found.terms)["Es fragt"] == "from the start"
    assert dict(found.terms)["Zweck"] == "no bound"
    assert found.fitting[0].about == "What is asked"


def test_every_text_of_the_template_is_in_the_table_and_places_are_kept() -> None:
    template = (ROOT / "src/deniable/pages/templates/question/label.html").read_text(encoding="utf-8")
    used = re.findall(r'\bt\("([^"]+)"[)]', template)
    assert len(used) > 20
    assert [text for text in used if text not in TABLE] == []
    for english, german in TABLE.items():
        assert set(PLACE.findall(german)) == set(PLACE.findall(english)), english


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("What is sent about your answers takes 1 byte.", "Was über Ihre Antworten gesendet wird, ist 1 Byte lang."),
        ("No result before a period has 1,200 answers.", "Kein Ergebnis, bevor ein Zeitraum 1.200 Antworten hat."),
        ("since 3 March 2026", "seit dem 3. März 2026"),
        ("nothing that is known", "nothing that is known"),
    ],
)
def test_numbers_and_days_are_written_as_in_german(english: str, german: str) -> None:
    assert GERMAN(english) == german
    assert translation_to("en")(english) == english
