"""Surveys in several languages: complete or refused, part of the digest, and unknown to all that is counted."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.wire.generate.wordings import GERMAN, worded

import deniable as dn
from deniable.protocol.surveys.translations import TAG, nearest
from deniable.surveys.authoring import survey_from_toml

ASKED = worded()["languages"]
PLAN = """
name = "commute"
title = "How we come to work"
epsilon = 2.0
people = 5000
language = "en"
kiosk = true

[[question]]
name = "way"
wording = "How did you come?"
labels = ["car", "bus"]

[translations.de]
title = "Wie wir kommen"
purpose = ""
[translations.de.questions.way]
wording = "Wie sind Sie gekommen?"
labels = ["Auto", "Bus"]
"""


def changed(**terms: Any) -> dn.Survey:
    """The survey with other terms."""
    own = {"title": ASKED.title, "language": ASKED.language, "translations": ASKED.translations}
    return dn.Survey(ASKED.name, ASKED.questions, ASKED.arms, **{**own, **terms})


def test_each_language_has_its_own_words() -> None:
    assert ASKED.languages == ("en", "de", "de-CH")
    assert ASKED.texts() == ASKED.texts("en") == ASKED.own_words
    assert ASKED.texts("de").to_json() == GERMAN
    assert ASKED.texts().questions["paid"].labels == (True, False)
    assert ASKED.texts("de").questions["paid"].labels == ("ja", "nein")
    assert (ASKED.texts("de-CH").title, ASKED.texts("de").questions["long"].unit) == ("Pausen (mit ss)", "Min.")
    with pytest.raises(dn.ParameterError, match=r"^language must be one of en, de, de-CH, got language='fr'"):
        ASKED.texts("fr")
    plain = worded()["answers that stand alone"]
    assert (plain.languages, plain.texts().title) == ((), "")
    with pytest.raises(dn.ParameterError, match=r"^language must be left out"):
        plain.texts("de")


def test_words_may_be_handed_on() -> None:
    """From one survey to the next, as they were read or as they were written."""
    assert changed() == ASKED == changed(translations=json.loads(ASKED.to_json())["translations"])


def test_a_translation_is_part_of_the_survey_and_of_nothing_that_is_counted() -> None:
    fewer = changed(translations={"de": GERMAN})
    assert fewer.digest != ASKED.digest
    assert [arm.to_json() for arm in fewer.arms] == [arm.to_json() for arm in ASKED.arms]
    answers = {"breaks": ["outside"], "long": 20, "paid": True, "note": "roof"}
    assert ASKED.answer(answers, dn.SeededEntropy(3)) == fewer.answer(answers, dn.SeededEntropy(3))
    with pytest.raises(dn.LabelError):
        ASKED.answer({**answers, "breaks": ["draußen"]})
    results = ASKED.estimate(ASKED.tally(ASKED.answer(answers, dn.SeededEntropy(seed)) for seed in range(40)))
    assert list(results["breaks"].labels) == ["at my desk", "outside", "none", "no answer"]


REFUSED: dict[str, Callable[[Any], object]] = {
    "the translation into 'de' must have title, purpose and questions, got no 'title'": lambda d: d.pop("title"),
    "the translation into 'de' must have title, purpose and questions, got more": lambda d: d.update(owner=""),
    "the translation into 'de' must have a text for the title, got none": lambda d: d.update(title=""),
    "the translation into 'de' must have no text for the purpose, got one": lambda d: d.update(purpose="Wozu"),
    "the translation into 'de' must have a translation of every question, got no 'long'": lambda d: d["questions"].pop(
        "long"
    ),
    "the translation into 'de' must have wording and unit of 'long', got no 'unit'": lambda d: d["questions"][
        "long"
    ].pop("unit"),
    "the translation into 'de' must have 2 labels of 'paid', in the order of its own, got 1": lambda d: d["questions"][
        "paid"
    ].update(labels=["ja"]),
    "the translation into 'de' must have different labels of 'paid', got 'ja' twice": lambda d: d["questions"][
        "paid"
    ].update(labels=["ja", "ja"]),
    "the translation into 'de' must have a text for every label of 'paid', got none": lambda d: d["questions"][
        "paid"
    ].update(labels=["ja", ""]),
    "unit must be at most 40 characters, got 41": lambda d: d["questions"]["long"].update(unit="x" * 41),
    "the wording of 'note' in 'de' must be text in Unicode": lambda d: d["questions"]["note"].update(wording=3),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_missing_is_said(said: str) -> None:
    given = copy.deepcopy(GERMAN)
    REFUSED[said](given)
    with pytest.raises(dn.ParameterError) as refusal:
        changed(translations={"de": given})
    assert str(refusal.value).startswith(said)


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"language": None}, "translations must come with the language of the survey's own wordings, got none"),
        ({"translations": {}}, "translations must hold a language or more, each by its tag, got none"),
        ({"translations": [GERMAN]}, "translations must hold a language or more"),
        ({"translations": {"en": GERMAN}}, "translations must be into other languages than the survey's own, got 'en'"),
        ({"translations": {"DE": GERMAN}}, "a language must be a BCP 47 tag in its usual letters"),
        ({"language": 7}, "a language must be a BCP 47 tag in its usual letters, such as"),
    ],
)
def test_languages_are_those_of_tags(terms: dict[str, Any], said: str) -> None:
    with pytest.raises(dn.ParameterError) as refusal:
        changed(**terms)
    assert str(refusal.value).startswith(said)


def test_tags_are_well_formed() -> None:
    """The examples of RFC 5646, appendix A, in their usual letters, and some that are not well-formed."""
    good = (
        "de fr ja zh-Hant sr-Cyrl zh-cmn-Hans-CN cmn-Hans-CN yue-HK sr-Latn-RS sl-rozaj sl-rozaj-biske de-CH-1901 "
        "sl-IT-nedis hy-Latn-IT-arevela es-419 de-CH-x-phonebk az-Arab-x-aze-derbend en-US-u-islamcal "
        "zh-CN-a-myext-x-private en-a-myext-b-another"
    )
    assert [tag for tag in good.split() if not TAG.fullmatch(tag)] == []
    bad = "d de- de_DE DE de-de de-DE- a-DE de-419-DE ar-a-aaa-b- x-whatever de-Latn-latn 12 de-x-"
    assert [tag for tag in bad.split() if TAG.fullmatch(tag)] == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["de"], "de"), (["DE "], "de"), (["de-AT", "en"], "de-CH"), (["tr", "zh-TW"], "zh-Hant"), (["tr"], "en"),
        (["e"], "en"), ([], "en"),
    ],
)  # fmt: skip
def test_somebody_reads_the_nearest_language(wanted: list[str], found: str) -> None:
    assert nearest(["en", "de-CH", "de", "zh-Hant"], wanted) == found
    assert nearest([], wanted) is None


def test_plans_in_toml_have_translations() -> None:
    survey, _ = survey_from_toml(PLAN)
    assert survey.texts("de").questions["way"].labels == ("Auto", "Bus")
    assert (survey.languages, survey.kiosk) == (("en", "de"), True)
    with pytest.raises(dn.ParameterError, match=r"must have 2 labels of 'way'"):
        survey_from_toml(PLAN.replace('["Auto", "Bus"]', '["Auto"]'))


def test_the_label_says_languages_and_kiosk() -> None:
    survey, _ = survey_from_toml(PLAN)
    label = survey.label()
    assert "It is asked in 2 languages (en, de); which of them you read is not sent." in label.sentences
    assert label.unprotected[-2].startswith("On this device nothing keeps one person from answering twice")
    assert (label.to_dict()["languages"], label.to_dict()["kiosk"]) == (["en", "de"], True)
    assert [each.statement.key for each in survey.audit().statements if not each.holds] == []
    assert survey.audit().holds
    plain = worded()["answers that stand alone"].label()
    assert not {"languages", "kiosk"} & plain.to_dict().keys()
    assert not {"languages", "kiosk"} & {statement.key for statement in plain.statements}


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"kiosk": 1}, "kiosk must be True or False"),
        ({"kiosk": True, "mode": "background"}, 'a survey for a kiosk must have repeat="once" and mode="asked"'),
        ({"kiosk": True, "repeat": "fresh", "period": "week"}, 'a survey for a kiosk must have repeat="once"'),
    ],
)
def test_nobody_comes_again_to_a_kiosk(terms: dict[str, Any], said: str) -> None:
    with pytest.raises(dn.ParameterError) as refusal:
        changed(**terms)
    assert str(refusal.value).startswith(said)
    assert changed(kiosk=True, period="week").kiosk
