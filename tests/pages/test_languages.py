"""The language of a page follows what is asked for, then what a browser accepts."""

from __future__ import annotations

import pytest

from deniable.pages.languages import TemplateLanguage, language_of, marked, others
from deniable.protocol.say import Statement, codes, language


@pytest.mark.parametrize(
    ("asked", "accepted", "wanted"),
    [
        (None, "", "en"),
        (None, "de", "de"),
        (None, "fr, de-CH;q=0.8, en;q=0.9", "en"),
        (None, "de;q=x, *;q=0.1", "de"),
        ("de-AT", "en", "de"),
        ("../de", "de", "de"),
    ],
)
def test_the_language_is_asked_for_or_accepted(asked: str | None, accepted: str, wanted: str) -> None:
    assert language_of(asked, accepted) == wanted


def test_every_other_language_has_a_link() -> None:
    assert [other.code for other in others(language("en"))] == [code for code in codes() if code != "en"]


def test_what_is_listed_is_escaped_and_set_apart_one_by_one() -> None:
    """Texts that are no statements may be anybody's: on a page each of them is a text, and never markup."""
    found = Statement("all_of_these", all=("<b>", Statement("in_a_row", all=("<i>", "c")), "d"))
    assert TemplateLanguage("de")(found) == "&lt;b&gt;, &lt;i&gt;, c und d"
    assert marked("en")(found) == "<bdi>&lt;b&gt;</bdi>, <bdi>&lt;i&gt;</bdi>, <bdi>c</bdi> and <bdi>d</bdi>"
