"""Statements said in a language: values, numbers of each kind, plural forms; what is missing is one clear line."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from deniable.protocol import FormatError, say
from deniable.protocol.say import Statement, english, factor, language, up

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
    with pytest.raises(FormatError, match=r"must be wire/sentences/xx\.json, or a link to it, got another file$"):
        language("xx")


def test_a_checkout_without_links_is_read_by_their_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Git cannot make a symbolic link it writes a file with the path that the link would have."""
    (tmp_path / "wire").mkdir()
    (tmp_path / "links").mkdir()
    (tmp_path / "wire" / "de.json").write_bytes((say.HOME / "de.json").read_bytes())
    (tmp_path / "links" / "de.json").write_text("../wire/de.json", encoding="utf-8")
    (tmp_path / "links" / "fr.json").write_text("../wire/fr.json", encoding="utf-8")
    monkeypatch.setattr(say, "HOME", tmp_path / "links")
    assert say.Language("de").table == GERMAN.table
    with pytest.raises(FormatError, match=r"or a link to it, got another file$"):
        say.Language("fr")
