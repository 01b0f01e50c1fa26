"""The page on the keys of a plan has every key, and every default that it names is true."""

from __future__ import annotations

import re
from inspect import signature

import pytest
from tests.house.house_tree import ROOT

import deniable as dn
from deniable.protocol.surveys.document import TERMS
from deniable.surveys.authoring import PLANNED, WRITTEN

PAGE = (ROOT / "docs" / "plan-keys.md").read_text(encoding="utf-8")
SURVEY, QUESTION = PAGE.split("## A question")


def rows(text: str) -> list[list[str]]:
    """The cells of every row of a table."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


def keys(cell: str) -> list[str]:
    """The keys that a cell begins with."""
    return re.findall(r"`(\w+)`", cell.partition(":")[0])


def test_every_key_of_a_survey_is_listed() -> None:
    assert sorted(key for row in rows(SURVEY) for key in keys(row[0])) == sorted([*PLANNED, *TERMS])


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_key_of_a_question_is_listed(kind: str) -> None:
    listed, own = [], ""
    for first, told, _ in rows(QUESTION):
        own = first.strip("`") or own
        listed += keys(told) if own == kind else []
    refused = set() if kind in ("one_of", "scale", "grid") else {"only_if"}  # with the reason
    assert sorted(listed) == sorted({*signature(WRITTEN[kind]).parameters} - {"name", "wording"} - refused)


def test_the_defaults_are_true() -> None:
    way = dn.OneOf("way", ["car", "bus"])
    survey = dn.Survey.plan("commute", [way], 1.0, 100)
    for row in rows(SURVEY):
        for key in keys(row[0]):
            if re.fullmatch(r'\d+|`"\w+"`', row[1]):
                assert str(getattr(survey, key)) == row[1].strip('`"'), key
    assert (survey.topic, survey.cap, survey.opens, survey.closes, survey.title) == ("commute", 1.0, None, None, "")
