"""Statements said in a language: values, numbers of each kind, plural forms; what is missing is one clear line."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from deniable.protocol import say
from deniable.protocol.say import Figure, Statement, english, factor, language, outwards, up

GERMAN = language("de")


@pytest.mark.parametrize(
    ("kind", "value", "english_text", "german_text"),
    [
        ("number", 0.5, "0.5", "0,5"),
        ("number", 1.5e6, "1.5e+06", "1,5e+06"),
        ("factor", 1.0, "2.72", "2,72"),
        ("factor", 14.5, "e^14.5", "e^14,5"),
        ("percent", 0.01, "1%", "1\N{NO-BREAK SPACE}%"),
        ("percent", 0.9997, "99.97%", "99,97\N{NO-BREAK SPACE}%"),
        ("hundred", 0.9997, "99.97", "99,97"),
        ("", 1200, "1,200", "1.200"),
        ("", "1.5", "1.5", "1.5"),
    ],
)
def test_a_place_writes_its_value_by_its_kind(kind: str, value: float, english_text: str, german_text: str) -> None:
    wording = f"{{x:{kind}}}" if kind else "{x}"
    assert language("en").worded(wording, {"x": value}) == english_text
    assert GERMAN.worded(wording, {"x": value}) == german_text


def test_a_statement_within_another_is_said_in_the_same_language() -> None:
    about = Statement("about", of=Statement("question", name="{of}"), promise=Statement("no_pair"))
    assert english(about) == (
        "About '{of}', all your other answers being the same: No answer is protected from another."
    )
    assert GERMAN(about).startswith("Zu „{of}“, wenn alle Ihre anderen Antworten gleich bleiben: Keine Antwort")


def test_the_plural_form_is_that_of_the_count() -> None:
    assert [GERMAN("kept", count=count) for count in (1, 2)] == [
        "ist nur 1 Antwort geschützt",
        "sind nur 2 Antworten geschützt",
    ]


def test_a_bound_is_never_shown_lower_than_it_is() -> None:
    for level in (0.001, 0.1, 1.0, 2.5, 13.9):
        assert math.exp(level) <= float(up(math.exp(level))) < math.exp(level) * 1.01
        assert factor(level) == up(math.exp(level))


def test_a_language_whose_file_is_missing_is_one_clear_line() -> None:
    with pytest.raises(
        FileNotFoundError, match=r"xx must be the folder of this name in wire/sentences, .* got none that can be read$"
    ):
        language("xx")


def test_a_checkout_without_links_is_read_by_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Git cannot make a symbolic link it writes a file with the path that the link would have."""
    (tmp_path / "wire").mkdir()
    (tmp_path / "links").mkdir()
    shutil.copytree(str(say.HOME / "de"), tmp_path / "wire" / "de")
    (tmp_path / "links" / "de").write_text("../wire/de", encoding="utf-8")
    (tmp_path / "links" / "fr").write_text("../wire/fr", encoding="utf-8")
    monkeypatch.setattr(say, "HOME", tmp_path / "links")
    assert say.Language("de").words == GERMAN.words
    with pytest.raises(FileNotFoundError, match=r"or a link to it, .* got none that can be read$"):
        say.Language("fr")


def test_a_statement_becomes_no_text_by_itself() -> None:
    """It would be English, or its own representation, for everybody."""
    said = Statement("no_pair")
    with pytest.raises(TypeError, match="must be said in a language"):
        str(said)
    with pytest.raises(TypeError, match="must be said in a language"):
        f"{said}"
    with pytest.raises(TypeError, match="must be said in a language"):
        f"{said:>9}"
    assert repr(said) == "Statement(key='no_pair', values={})"


def test_several_things_are_joined_as_the_language_joins_them() -> None:
    things = ("bus", Statement("your_answer"), Figure("1,200.5"))
    wordings = ("{x:and}", "{x:row}", "{x:text}", "{x}")
    assert [language("en").worded(each, {"x": things}) for each in wordings] == [
        "bus, your answer and 1,200.5", "bus, your answer, 1,200.5", "bus your answer 1,200.5",
        "bus, your answer, 1,200.5",
    ]  # fmt: skip
    assert GERMAN.worded("{x:and}", {"x": things[1:]}) == "Ihrer Antwort und 1.200,5"
    assert GERMAN.worded("{x:and}", {"x": ("bus",)}) == "bus"
    assert language("en").worded("{x:begin} it is.", {"x": Statement("your_answer")}) == "Your answer it is."


@pytest.mark.parametrize(("share", "up", "down"), [
    (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.5, 0.5, 0.5), (0.07, 0.07, 0.07), (0.731, 0.74, 0.73), (0.99, 0.99, 0.99),
    (0.9901, 0.991, 0.99), (0.99966, 0.9997, 0.99), (0.00034, 0.01, 0.0003), (1 - 2.0**-40, 0.9999999999991, 0.9999),
])  # fmt: skip
def test_shares_that_bound_something_are_rounded_outwards_and_never_to_0_or_1(
    share: float, up: float, down: float
) -> None:
    assert (outwards(share, up=True), outwards(share, up=False)) == (up, down)
