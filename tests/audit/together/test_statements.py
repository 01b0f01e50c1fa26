"""Every statement of a mechanism's label is true of its exact channel, and none is needlessly weak."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache

import pytest
from tests.lengths import by_length
from tests.planted_statements import falser, is_alone, weakened

import deniable as dn
from deniable.audit import mechanism_judges
from deniable.audit.mechanism_judges import JUDGES, MechanismChannel, judged_mechanism
from deniable.audit.promise_judges import PROMISES
from deniable.audit.truth import judged
from deniable.mechanisms.label import MechanismLabel
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol.errors import CapacityError
from deniable.protocol.say import Statement, language
from deniable.surveys import statement_audit
from deniable.surveys.protection_judges import RECORDS

MEMBERS = by_length(12, 300)
DRAWN = 400
"""How many members are drawn at most, until so many are small enough."""
OWN_CLAIM = {"HashedRappor", "InformedResponse"}
"""Families whose members may keep more than they promise: of hashes that share symbols, and of a prior."""
PHRASES = {
    "during_day", "during_week", "during_month", "every_day", "every_week", "every_month", "range", "kept", "rest",
    "question", "your_answer", "few", "ldp", "lip", "lip_held",
}  # fmt: skip
"""What stands in the places of statements, and is judged with them."""


@cache
def members(family: str, count: int = MEMBERS) -> tuple[MechanismChannel, ...]:
    return tuple(channel for channel, _ in zip(_small(family), range(count), strict=False))


def _small(family: str) -> Iterator[MechanismChannel]:
    source = random.Random(39)
    for _ in range(DRAWN):
        try:
            yield MechanismChannel.of(FAMILIES[family].random_member(source))
        except CapacityError:
            continue


def label(channel: MechanismChannel) -> tuple[Statement, ...]:
    return MechanismLabel(channel.mechanism).statements


def alone(channel: MechanismChannel) -> list[Statement]:
    """Statements but those on a belief for which two values are right, as whole odds of a written channel make it."""
    return [each for each in label(channel) if is_alone(JUDGES[each.key](channel, each.values))]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_statement_is_true(family: str) -> None:
    assert members(family)
    for channel in members(family):
        false = [each for each in judged(channel, label(channel), JUDGES) if not each.holds]
        assert false == [], channel.mechanism


@pytest.mark.parametrize("family", [name for name in FAMILIES if name not in OWN_CLAIM])
def test_none_is_needlessly_weak(family: str) -> None:
    for channel in members(family):
        weak = [each for each in judged(channel, label(channel), JUDGES) if each.weak]
        assert weak == [], channel.mechanism


@pytest.mark.parametrize("family", FAMILIES)
def test_planted_falsehoods_are_seen(family: str) -> None:
    """A level a thousandth too low, a belief moved one thousandth less, one label or bit more."""
    for channel in members(family, 6):
        kept = [each.statement for each in judged(channel, alone(channel), JUDGES) if not each.weak]
        for statement in kept:
            for false in falser(statement):
                [found] = judged(channel, [false], JUDGES)
                assert not found.holds, (channel.mechanism, statement, false)


@pytest.mark.parametrize("family", FAMILIES)
def test_weaker_statements_are_seen(family: str) -> None:
    for channel in members(family, 6):
        for weaker in (each for statement in alone(channel) for each in weakened(statement)):
            [found] = judged(channel, [weaker], JUDGES)
            assert found.holds, (channel.mechanism, weaker)
            assert found.weak, (channel.mechanism, weaker)


def test_every_statement_has_a_judge() -> None:
    """Those of surveys and those of mechanisms; a promise about one question is judged where it stands."""
    of_surveys = statement_audit.JUDGES
    said = {name: set(language("en").sections[name]) for name in ("label", "mechanism", "protection")}
    assert said["label"] - set(of_surveys) - set(PROMISES) <= PHRASES
    assert said["mechanism"] - set(of_surveys) - set(JUDGES) <= PHRASES
    assert said["protection"] - set(of_surveys) <= PHRASES
    words = set.union(*said.values(), RECORDS)
    assert set(JUDGES) | set(of_surveys) | set(PROMISES) <= words
    assert words >= PHRASES


def test_every_kind_of_statement_is_among_them() -> None:
    said = {statement.key for family in FAMILIES for channel in members(family) for statement in label(channel)}
    assert set(JUDGES) - said <= {"no_pair", "claimed", "no_level"}


@pytest.mark.parametrize(
    "mechanism",
    [
        dn.Channel(["a", "b"], [[1, 0], [0, 1]], dn.Pairwise(["a", "b"], [[0, float("inf")], [float("inf"), 0]])),
        dn.Channel(2, [[1, 0], [0, 1]]),
        dn.InformedResponse(["a", "b", "c"], [0.8, 0.1, 0.1], 1.5, one_sided=True),
        dn.Channel(2, dn.RandomizedResponse(2, 1.0).channel().exact, dn.InformationPrivacy(2, [1.0, 0.0], 1.0)),
    ],
    ids=["no pair", "nothing", "one-sided", "an answer that nobody gives"],
)
def test_rare_promises(mechanism: dn.Mechanism) -> None:
    found = judged_mechanism(mechanism)
    assert found
    assert [each for each in found if not each.holds] == []


def test_an_answer_that_shows_is_not_said_to_be_mixed() -> None:
    """Whose block is one label sends what nobody else does."""
    shown = dn.BlockHadamard([["a"], ["b", "c"]], 1.0)
    assert MechanismLabel(shown).statements[0] == Statement("changed_part")
    assert MechanismLabel(dn.BlockHadamard([["a", "d"], ["b", "c"]], 1.0)).statements[0] == Statement("changed_one")
    channel = MechanismChannel.of(shown)
    assert not judged(channel, [Statement("changed_one")], JUDGES)[0].holds


def test_a_belief_has_one_value_or_two() -> None:
    """At e^1, 10% become 23.2%, said as 24%; at odds of 9 they become 50%, and by what is stated a bit more."""
    coin = MechanismChannel.of(dn.RandomizedResponse(2, 1.0))
    nine = MechanismChannel.of(dn.Channel(2, [[0.9, 0.1], [0.1, 0.9]]))
    for channel, least, right in ((coin, 0.03, {0.24}), (nine, 0.01, {0.5, 0.51})):
        for most in (0.23, 0.232, 0.2399999, 0.24, 0.2400001, 0.25, 0.49, 0.4999999, 0.5, 0.5001, 0.51, 0.52):
            said = Statement("belief_answer", before=0.1, least=least, most=most)
            [found] = judged(channel, [said], JUDGES)
            assert (found.holds and not found.weak) == (most in right), (channel.mechanism, most)


def test_where_all_are_sensitive_beliefs_are_about_the_answer() -> None:
    """That somebody gave one of the protected answers is known, if all are."""
    said = {each.key for each in dn.label(dn.HighLowResponse(["a", "b"], ["a", "b"], 1.0)).statements}
    assert "belief_answer" in said
    assert "belief_protected" not in said


def test_the_certificate_has_them() -> None:
    coin = dn.RandomizedResponse(["yes", "no"], 1.0)
    found = dn.audit(coin)
    assert [each.statement for each in found.statements] == list(dn.label(coin).statements)
    assert found.holds
    assert "All 9 statements of the label are true of every pair of answers." in str(found)
    assert {each["holds"] for each in json.loads(json.dumps(found.to_dict()))["statements"]} == {True}


def test_large_mechanisms_are_not_judged() -> None:
    found = dn.audit(dn.Subset(200, 1.0))
    assert found.statements == ()
    assert found.holds
    assert "too many answers or reports" in str(found)


def test_an_unknown_statement_is_no_true_one(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {key: judge for key, judge in JUDGES.items() if key != "bits"}
    monkeypatch.setattr(mechanism_judges, "JUDGES", known)
    found = dn.audit(dn.RandomizedResponse(2, 1.0))
    assert found.proven
    assert not found.holds
    assert "these are false: bits" in str(found)
