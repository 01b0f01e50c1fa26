"""Every statement of a label is true of the exact reports of all joint answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from tests.lengths import by_length
from tests.surveys.made_surveys import made, remembered

import deniable as dn
from deniable.protocol.errors import CapacityError
from deniable.protocol.say import Statement
from deniable.surveys import statement_audit
from deniable.surveys.realised import SurveyChannel
from deniable.surveys.statement_audit import JUDGES, PROMISES, judged

SURVEYS = by_length(60, 2000)
FACTS = {"changed_labels", "taking_part", "changed_part", "fresh", "remembered", "changes", "huge", "open_prior"}
"""What no number can be wrong in: whether it is said at all is tested with the labels."""


def keys(seeds: range) -> set[str]:
    """The keys of all statements that are made of these surveys, of promises too."""
    found: set[str] = set()
    for seed in seeds:
        for survey in (made(seed), remembered(seed)):
            for statement in survey.label().statements:
                found |= {statement.key} | {
                    each.key for each in statement.values.values() if isinstance(each, Statement)
                }
    return found


def test_every_statement_is_true() -> None:
    for seed in range(SURVEYS):
        for survey in (made(seed), *([remembered(seed)] if seed < SURVEYS // 4 else ())):
            false = [each for each in judged(survey) if not each.holds]
            assert false == [], (seed, survey.to_json())


def test_no_level_of_whole_answers_is_needlessly_weak() -> None:
    """But of guarantees that are relative to a prior, which imply more between two answers than channels need."""
    for seed in range(SURVEYS):
        survey = made(seed)
        if any(getattr(question, "prior", None) for question in survey.questions):
            continue
        for each in judged(survey):
            if each.realised is not None:
                assert each.realised == pytest.approx(each.statement.values["level"], rel=1e-9), (
                    seed,
                    survey.to_json(),
                )


def test_every_kind_of_statement_is_among_them() -> None:
    """All that have a judge, but for promises that no mechanism of these surveys makes."""
    rare = {"huge", "some_pairs", "no_pair", "near", "relative"}
    assert (set(JUDGES) | set(PROMISES)) - keys(range(200)) <= rare


@pytest.mark.parametrize("name", ["near", "some_pairs", "no_pair", "relative"])
def test_rare_promises(name: str) -> None:
    """By distance, of some pairs alone, of none, and relative to what is known."""
    two = dn.OneOf("two", ["a", "b"], sensitive=["a"])
    near = dn.OneOf("near", ["a", "b"])
    told = dn.Pairwise(["n", "s"], [[0, math.inf], [math.inf, 0]])
    region = dn.OneOf("region", told.domain, blocks=[["n"], ["s"]])
    known = dn.OneOf("known", ["a", "b"], prior=[0.7, 0.3])
    parts = {
        "near": dn.Part(near, dn.Geometric.of(near.labels, 1.0)),
        "some_pairs": dn.Part(two, dn.BinaryResponse(["a", "b"], 1.0, math.inf)),
        "relative": dn.Part(known, dn.InformedResponse(known.labels, [0.7, 0.3], 1.0)),
        "no_pair": dn.Part(region, dn.Channel(told.domain, [[1, 0], [0, 1]], told)),
    }
    part = parts[name]
    used = dn.AnyOf("used", ["x", "y"])
    items = dn.Part(used, dn.ItemResponse(used.labels, 1.0, one_sided=True))  # so that each question has its promise
    survey = dn.Survey("rare", [*part.questions, used], [dn.Arm([part, items])])
    found = judged(survey)
    assert all(each.holds for each in found)
    assert name in {each.statement.values["promise"].key for each in found if each.statement.key == "about"}


def falser(statement: Statement) -> list[Statement]:
    """The same statement with each of its numbers promising more than is so, also those of statements in it."""
    made_false = []
    for place, value in statement.values.items():
        if isinstance(value, Statement):
            made_false += [(place, other) for other in falser(value)]
        elif place in ("level", "far"):
            made_false.append((place, value * (1 - 1e-3)))
        elif place in ("least", "most"):  # which are rounded outwards to thousandths
            made_false.append((place, value + (0.002 if place == "least" else -0.002)))
        elif place in ("count", "length", "cap"):
            made_false.append((place, value + 1))
    return [Statement(statement.key, {**statement.values, place: value}) for place, value in made_false]


def test_planted_falsehoods_are_seen() -> None:
    """A level a thousandth too low, a belief moved two thousandths less, one label or byte more."""
    planted = 0
    for seed in range(12):
        survey = made(seed)
        if any(getattr(question, "prior", None) for question in survey.questions):
            continue
        realised = SurveyChannel.of(survey)
        for statement in survey.label().statements:
            for false in falser(statement):
                if statement.key in FACTS or _is_count_of_steps(false, statement):
                    continue
                planted += 1
                assert not JUDGES[false.key](realised, false.values), (seed, statement, false)
    assert planted > 40


def _is_count_of_steps(false: Statement, true: Statement) -> bool:
    """One more step away is as true where the bound is of fewer, and where there are none so far."""
    steps: Mapping[str, Any] = getattr(true.values.get("promise"), "values", {})
    return "far" in steps and false.values["promise"].values["count"] != steps["count"]


def test_an_unknown_statement_is_no_true_one(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {key: judge for key, judge in JUDGES.items() if key != "bytes"}
    monkeypatch.setattr(statement_audit, "JUDGES", known)
    certificate = made(0).audit()
    assert not certificate.holds
    assert "these are false: bytes" in str(certificate)


def test_the_certificate_has_them() -> None:
    certificate = made(3).audit()
    assert certificate.holds
    assert len(certificate.statements) == len(made(3).label().statements)
    assert {each["holds"] for each in certificate.to_dict()["statements"]} == {True}
    assert "statements of the label are true of every pair of joint answers" in str(certificate)


def test_large_surveys_are_not_judged() -> None:
    wide = dn.OneOf("wide", 70)
    survey = dn.Survey("large", [wide], [dn.Arm(dn.Part(wide, dn.RandomizedResponse(70, 1.0)))])
    with pytest.raises(CapacityError, match="joint answers must be fewer"):
        judged(survey)
    assert survey.audit().statements == ()
    assert survey.audit().holds


def test_levels_add_as_decimals_in_certificates() -> None:
    """Three labels at 0.1 keep 0.3, whose float is less than thrice that of 0.1."""
    used = dn.AnyOf("used", ["x", "y", "z"])
    survey = dn.Survey("items", [used], [dn.Arm(dn.Part(used, dn.ItemResponse(used.labels, 0.1)))])
    assert survey.audit().holds
