"""Discovery: the frequent texts are found and hardly any others."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.engines.prefix_survey import END

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


def people() -> list[str]:
    """The frequent texts, and as many rare ones as it takes."""
    held = [text for text, share in HEAVY.items() for _ in range(round(share * PEOPLE))]
    rng, letters = np.random.default_rng(1), np.array(list(ALPHABET))
    rest = rng.choice(letters, (PEOPLE - len(held), 9))
    return held + ["".join(row) for row in rest.tolist()]


def test_every_text_of_two_percent_is_found_and_no_other() -> None:
    """At epsilon 3 a text of 2% stands out by 7 standard errors in each of 7 groups; 2 surveys, 20 texts to find.

    At most 1% of what is found is there by chance, 0.2 texts of both surveys.
    """
    survey, held = dn.PrefixSurvey(3.0, longest=12), people()
    false = 0
    for seed in range(2):
        found = dn.discover(survey, survey.privatize_many(held, seed=seed), ALPHABET)
        assert found is not None
        assert set(HEAVY) <= set(found.labels)
        false += len(set(found.labels) - set(HEAVY))
        low, high = found.interval(1 - 1e-9).T
        for label, least, most in zip(found.labels, low, high, strict=True):
            assert least <= HEAVY.get(str(label), 0.0) <= most
    assert false <= 1


def test_nothing_frequent_gives_nothing() -> None:
    survey = dn.PrefixSurvey(1.0, longest=6)
    held = [f"{i:06d}" for i in range(3000)]
    found = dn.discover(survey, survey.privatize_many(held, seed=2))
    assert found is None or len(found.labels) <= 1


def test_texts_of_any_script_with_an_alphabet_of_their_own() -> None:
    survey = dn.PrefixSurvey(4.0, longest=4)
    held = ["日本"] * 4000 + ["東京都"] * 3000 + ["é"] * 3000
    found = dn.discover(survey, survey.privatize_many(held, seed=3), alphabet="日本東京都é大阪")
    assert found is not None
    assert set(found.labels) == {"日本", "東京都", "é"}


def test_prefixes_of_one_another_are_told_apart() -> None:
    survey = dn.PrefixSurvey(4.0, longest=6)
    held = ["a"] * 4000 + ["ab"] * 4000 + ["abcdef"] * 4000 + ["abcdefgh"] * 4000
    found = dn.discover(survey, survey.privatize_many(held, seed=4))
    assert found is not None
    assert set(found.labels) == {"a", "ab", "abcdef"}  # the last is longer than what is looked for
    assert found.unlisted is not None
    assert found.unlisted[0] == pytest.approx(0.25, abs=0.06)


def test_tallies_of_groups_add() -> None:
    survey = dn.PrefixSurvey(4.0, longest=4)
    halves = [survey.privatize_many(["news"] * 4000 + ["maps"] * 3000, seed=seed) for seed in (1, 2)]
    found = dn.discover(survey, [a + b for a, b in zip(*halves, strict=True)])
    assert found is not None
    assert set(found.labels) == {"news", "maps"}
    singles: dict[int, list[int]] = {}
    for _ in range(50):
        group, report = survey.privatize("news")
        singles.setdefault(group, []).append(report)
    assert sum(survey.groups[group].tally(reports).n for group, reports in singles.items()) == 50
    assert all(dn.audit(group).holds for group in survey.groups)


def test_reports_say_nothing_but_prefixes() -> None:
    survey = dn.PrefixSurvey(2.0, longest=5)
    assert [survey.said("abc", group) for group in range(4)] == ["ab", "abc" + END, "abc" + 3 * END, "abc"]
    assert survey.said("abcdefgh", 2) == "abcdef"


def test_what_is_no_text_is_refused_whatever_the_group() -> None:
    """The group is a coin of the device: what is refused must not depend on it."""
    survey = dn.PrefixSurvey(2.0, longest=4)
    refused: list[Any] = ["abcd\ud800", "abcd\uffff", "\uffff", None, b"ab", 5, np.nan, ["a"], True]
    for bad in refused:
        for seed in range(20):
            with pytest.raises(dn.LabelError, match="text in Unicode without U\\+FFFF") as caught:
                survey.privatize(bad, dn.SeededEntropy(seed))
            assert "abcd" not in str(caught.value)
    no_source: Any = 5
    with pytest.raises(dn.ParameterError, match="entropy must be a source"):
        survey.privatize("a", no_source)


def test_columns_of_any_kind() -> None:
    survey, texts = dn.PrefixSurvey(2.0, longest=4), ["mail", "", "日本", "a\x00b"] * 20
    columns: list[Any] = [texts, np.array(texts, object), pa.array(texts), pa.chunked_array([texts]), tuple(texts)]
    assert all(survey.privatize_many(column, seed=1) == survey.privatize_many(texts, seed=1) for column in columns)
    refused: list[Any] = ["abc", b"abc", {"a": 1}, {"a"}, None, 5, pa.table({"a": ["b"]}), np.array([["a"]])]
    refused += [np.ma.array(["a", "b"], mask=[False, True]), pa.array(["a", None])]
    for column in refused:
        with pytest.raises(dn.LabelError):
            survey.privatize_many(column, seed=1)


def test_a_survey_is_its_spec() -> None:
    longest: Any = np.int64(10)
    survey = dn.PrefixSurvey(3, longest, key="märz")
    written = json.loads(json.dumps(survey.spec()))
    assert dn.PrefixSurvey.from_spec(written) == survey
    assert dn.PrefixSurvey.from_spec(written).groups == survey.groups
    again = dn.PrefixSurvey.from_spec(json.dumps({**written, "epsilon": 3, "longest": 10.0}, indent=1))
    assert again.spec() == survey.spec()
    assert json.dumps(again.spec()) == json.dumps(survey.spec())
    assert written["symbols"] == 16  # chosen once, so that later releases read it alike
    changed: list[dict[str, object]] = [
        {"epsilon": -1},
        {"version": 2},
        {"survey": "Other"},
        {"more": 1},
        {"key": None},
        {"longest": 10**9},
    ]
    for change in changed:
        with pytest.raises(dn.FormatError, match="a survey's spec must"):
            dn.PrefixSurvey.from_spec({**written, **change})
    for lacking in written:
        with pytest.raises(dn.FormatError, match="a survey's spec must"):
            dn.PrefixSurvey.from_spec({name: value for name, value in written.items() if name != lacking})
    others: list[Any] = [None, [], "spec", 5]
    for other in others:
        with pytest.raises(dn.FormatError, match="a survey's spec must"):
            dn.PrefixSurvey.from_spec(other)


@pytest.mark.parametrize(
    "arguments",
    [
        {"key": b"k"},
        {"key": None},
        {"key": "\ud800"},
        {"longest": 10**9},
        {"step": 10**9},
        {"symbols": 1},
        {"epsilon": 0},
        {"epsilon": float("nan")},
        {"longest": 0},
        {"longest": True},
        {"step": 0},
        {"cohorts": 0},
    ],
)
def test_bad_surveys(arguments: dict[str, Any]) -> None:
    with pytest.raises(dn.ParameterError, match=" must be "):
        dn.PrefixSurvey(**{"epsilon": 1.0, "longest": 8, **arguments})


def test_bad_texts_and_tallies() -> None:
    survey = dn.PrefixSurvey(1.0, longest=4)
    for column in ([], ["a", None], ["a", 5], ["a\uffff"] * 50, ["\ud800"] * 50):
        with pytest.raises(dn.LabelError):
            survey.privatize_many(column, seed=1)
    tallies = survey.privatize_many(["a"] * 10, seed=1)
    with pytest.raises(dn.ParameterError, match="one for each of 3 groups"):
        dn.discover(survey, tallies[:2])
    with pytest.raises(dn.TallyError):
        dn.discover(dn.PrefixSurvey(2.0, longest=4), tallies)
    other = dn.Subset(4, 1.0).tally([])
    for wrong in ([*tallies[:2], other], [other, *tallies[1:]], tallies[::-1]):
        with pytest.raises(dn.TallyError):
            dn.discover(survey, wrong)
    nothing: Any = None
    nobody: tuple[Any, ...] = (None, {}, [None] * 3)
    for none in nobody:
        with pytest.raises(dn.ParameterError, match="one for each of 3 groups"):
            dn.discover(survey, none)
    with pytest.raises(dn.ParameterError, match="survey must be a PrefixSurvey"):
        dn.discover(nothing, tallies)
    refused: list[Any] = [0, 1, np.nan, "x", True]
    for fdr in refused:
        with pytest.raises(dn.ParameterError, match="fdr must be a number between 0 and 1"):
            dn.discover(survey, tallies, fdr=fdr)
    for alphabet in (nothing, "ab\ud800", END):
        with pytest.raises(dn.ParameterError, match="alphabet must"):
            dn.discover(survey, tallies, alphabet=alphabet)
    with pytest.raises(dn.ParameterError, match="alphabet must"):
        dn.discover(survey, tallies, alphabet="")
    with pytest.raises(dn.CapacityError, match="alphabet must"):
        dn.discover(survey, tallies, alphabet="".join(map(chr, range(0x4E00, 0x4E00 + 1000))))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("visits.csv").write_text("page\n" + "news\n" * 6000 + "maps\n" * 4000, encoding="utf-8")
    words = ["discover", "visits.csv", "--column", "page", "--epsilon", "4", "--longest", "4", "--seed", "1", "--json"]
    found = json.loads(CliRunner().invoke(app, words).stdout)
    assert set(found["label"]) == {"news", "maps"}
    Path("few.csv").write_text("page\na\nb\n\n", encoding="utf-8")
    few = ["discover", "few.csv", "--column", "page", "--epsilon", "1"]
    assert CliRunner().invoke(app, few).exit_code == 2
    assert "nothing stands out among 2 reports" in CliRunner().invoke(app, [*few, "--skip-blank"]).stdout
