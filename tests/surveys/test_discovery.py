"""Discovery: the frequent texts are found and hardly any others."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.lengths import by_length
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.protocol.questions.text import END

HEAVY = {
    "news": 0.08,
    "mail.example": 0.05,
    "maps": 0.04,
    "weather": 0.03,
    "shop online": 0.025,
    "bank": 0.02,
    "train times": 0.02,
    "recipes": 0.02,
    "translate": 0.02,
    "football": 0.02,
}
PEOPLE = 200_000
ALPHABET = string.ascii_lowercase + " ."
"""Half the pairs of characters that discovery tries unless it is told what to try."""


def words(epsilon: float, longest: int) -> dn.Survey:
    """A survey of one question in words."""
    return dn.Survey.plan("inbox", [dn.Text("word", longest=longest)], epsilon, people=10_000)


def told(survey: dn.Survey, held: list[str], seed: int) -> dn.SurveyTally:
    """What people with these words report."""
    return survey.tally(survey.answer_many({"word": held}, seed=seed))


def people() -> list[str]:
    """The frequent texts, and as many rare ones as it takes."""
    held = [text for text, share in HEAVY.items() for _ in range(round(share * PEOPLE))]
    rng, letters = np.random.default_rng(1), np.array(list(ALPHABET))
    rest = rng.choice(letters, (PEOPLE - len(held), 9))
    return held + ["".join(row) for row in rest.tolist()]


@pytest.mark.soak
def test_every_text_of_two_percent_is_found_and_no_other() -> None:
    """At epsilon 3 a text of 2% stands out by 7 standard errors in each of 7 groups; 10 texts to find in each survey.

    At most 1% of what is found is there by chance, 0.1 texts of each survey.
    """
    survey, held = words(3.0, 12), people()
    false = 0
    for seed in range(by_length(1, 5)):
        found = dn.discover(survey, told(survey, held, seed), alphabet=ALPHABET)
        assert found is not None
        assert set(HEAVY) <= set(found.labels)
        false += len(set(found.labels) - set(HEAVY))
        low, high = found.interval(1 - 1e-9).T
        for label, least, most in zip(found.labels, low, high, strict=True):
            assert least <= HEAVY.get(str(label), 0.0) <= most
    assert false <= 1


def test_nothing_frequent_gives_nothing() -> None:
    survey = words(1.0, 6)
    held = [f"{i:06d}" for i in range(3000)]
    found = dn.discover(survey, told(survey, held, 2))
    assert found is None or len(found.labels) <= 1


def test_texts_of_any_script_with_an_alphabet_of_their_own() -> None:
    survey = words(4.0, 4)
    held = ["日本"] * 4000 + ["東京都"] * 3000 + ["é"] * 3000
    found = dn.discover(survey, told(survey, held, 3), alphabet="日本東京都é大阪")
    assert found is not None
    assert set(found.labels) == {"日本", "東京都", "é"}


def test_prefixes_of_one_another_are_told_apart() -> None:
    survey = words(4.0, 6)
    held = ["a"] * 4000 + ["ab"] * 4000 + ["abcdef"] * 4000 + ["abcdefgh"] * 4000
    found = dn.discover(survey, told(survey, held, 4), alphabet=ALPHABET)
    assert found is not None
    assert set(found.labels) == {"a", "ab", "abcdef"}  # the last is longer than what is looked for
    assert found.unlisted is not None
    assert found.unlisted[0] == pytest.approx(0.25, abs=0.06)


def test_tallies_of_groups_add() -> None:
    survey = words(4.0, 4)
    halves = [told(survey, ["news"] * 4000 + ["maps"] * 3000, seed) for seed in (1, 2)]
    found = dn.discover(survey, halves[0] + halves[1], alphabet=ALPHABET)
    assert found is not None
    assert set(found.labels) == {"news", "maps"}
    singles = [survey.answer({"word": "news"}) for _ in range(50)]
    assert survey.tally(singles).n == 50
    assert survey.audit().holds
    assert set(survey.estimate(halves[0] + halves[1])["word"].labels) == {"news", "maps"}


def test_a_text_is_drawn_by_its_prefixes_and_whole() -> None:
    """Five characters in steps of two: prefixes of 2, 4 and 6, then the whole text; each has hashes of its own."""
    survey = words(2.0, 5)
    said = [arm.parts[0].encoder.chances([], ["abc"])[0][0] for arm in survey.arms]
    assert said == ["ab", "abc" + END, "abc" + 3 * END, "abc"]
    assert survey.arms[2].parts[0].encoder.chances([], ["abcdefgh"])[0][0] == "abcdef"
    assert len({arm.parts[0].mechanism.spec_bytes for arm in survey.arms}) == 4


def test_what_is_no_text_is_refused_whatever_the_group() -> None:
    """The group is a coin of the device: what is refused must not depend on it."""
    survey = words(2.0, 4)
    refused: list[Any] = ["abcd\ud800", "abcd\uffff", "\uffff", None, b"ab", 5, np.nan, ["a"], True]
    for bad in refused:
        for seed in range(20):
            with pytest.raises(dn.LabelError, match="text in Unicode without U\\+FFFF") as caught:
                survey.answer({"word": bad}, dn.SeededEntropy(seed))
            assert "abcd" not in str(caught.value)
        with pytest.raises(dn.LabelError):
            survey.answer_many({"word": ["a", bad]}, seed=1)
    no_source: Any = 5
    with pytest.raises(dn.ParameterError, match="entropy must be a source"):
        survey.answer({"word": "a"}, no_source)


def test_columns_of_any_kind() -> None:
    survey, texts = words(2.0, 4), ["mail", "", "日本", "a\x00b"] * 20
    columns: list[Any] = [texts, np.array(texts, object), pa.array(texts), pa.chunked_array([texts]), tuple(texts)]
    assert all(told(survey, column, 1) == told(survey, texts, 1) for column in columns)
    refused: list[Any] = ["abc", b"abc", {"a": 1}, {"a"}, None, 5, pa.table({"a": ["b"]}), np.array([["a"]])]
    refused += [np.ma.array(["a", "b"], mask=[False, True]), pa.array(["a", None])]
    for column in refused:
        with pytest.raises(dn.LabelError):
            survey.answer_many({"word": column}, seed=1)


def test_bad_searches() -> None:
    survey = words(1.0, 4)
    tally = told(survey, ["a"] * 10, 1)
    plain = dn.Survey.plan("plain", [dn.OneOf("late", ["yes", "no"])], 1.0, 100)
    with pytest.raises(dn.ParameterError, match="question must name one of"):
        dn.discover(plain, plain.tally())
    with pytest.raises(dn.ParameterError, match="must be one of word"):
        dn.discover(survey, tally, "late")
    refused: list[Any] = [0, 1, np.nan, "x", True]
    for fdr in refused:
        with pytest.raises(dn.ParameterError, match="fdr must be a number between 0 and 1"):
            dn.discover(survey, tally, fdr=fdr)
    nothing: Any = None
    for alphabet in (nothing, "ab\ud800", END, ""):
        with pytest.raises(dn.ParameterError, match="alphabet must"):
            dn.discover(survey, tally, alphabet=alphabet)
    with pytest.raises(dn.CapacityError, match="alphabet must"):
        dn.discover(survey, tally, alphabet="".join(map(chr, range(0x4E00, 0x4E00 + 1000))))


def test_words_without_a_longest_are_looked_for_by_name() -> None:
    survey = dn.Survey.plan("inbox", [dn.Text("word")], 3.0, 1000)
    tally = told(survey, ["news"] * 6000 + ["maps"] * 4000, 1)
    found = survey.estimate(tally, candidates={"word": ["news", "maps", "none"]})["word"]
    assert found.frequencies == pytest.approx([0.6, 0.4, 0.0], abs=0.06)
    with pytest.raises(dn.ParameterError, match="candidates must name texts"):
        survey.estimate(tally)["word"]
    with pytest.raises(dn.ParameterError, match="prefixes are asked for"):
        dn.discover(survey, tally)


def test_a_survey_too_large_to_count_is_refused() -> None:
    parts = [dn.Part(dn.Text("w"), dn.HashedResponse(1.0, 1 << 10, 1 << 16, key=str(k))) for k in range(5)]
    with pytest.raises(dn.CapacityError, match="the counts of all parts together"):
        dn.Survey("large", [dn.Text("w")], [dn.Arm(part) for part in parts])


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("visits.csv").write_text("page\n" + "news\n" * 6000 + "maps\n" * 4000, encoding="utf-8")
    given = ["discover", "visits.csv", "--column", "page", "--epsilon", "4", "--longest", "4", "--seed", "1", "--json"]
    found = json.loads(CliRunner().invoke(app, given).stdout)
    assert set(found["label"]) == {"news", "maps"}
    Path("few.csv").write_text('page\na\nb\n""\n', encoding="utf-8")
    few = ["discover", "few.csv", "--column", "page", "--epsilon", "1"]
    assert CliRunner().invoke(app, few).exit_code == 2
    assert "nothing stands out among 2 answers" in CliRunner().invoke(app, [*few, "--skip-blank"]).stdout


def test_candidates_are_looked_up_where_words_are_discovered_too() -> None:
    """A word that only few wrote is not found, but whoever thinks of it may ask."""
    survey = dn.Survey.plan("mend", [dn.Text("word", longest=4)], epsilon=4.0, people=20_000)
    words = ["news"] * 12_000 + ["mail"] * 7_900 + ["rare"] * 100
    tally = survey.tally(survey.answer_many({"word": words}, seed=1))
    assert set(survey.estimate(tally)["word"].labels) == {"mail", "news"}
    asked = survey.estimate(tally, candidates={"word": ["rare", "none"]})["word"]
    assert list(asked.labels) == ["rare", "none"]
    low, high = asked.interval()[0]
    assert low <= 100 / 20_000 <= high  # fixed seed
