"""The audit of a survey proves what each part promises: a guarantee that lies is found in any part of any arm."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from typing import Any

import pytest
from tests.mechanisms.examples import make, weaker

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.questions.question import Question
from deniable.surveys.auditing import PARTS

LABELS = ["a", "b", "c", "d"]
PRIOR = [0.5, 0.25, 0.15, 0.1]
OTHER = dn.OneOf("other", ["yes", "no"])
INF = math.inf
MECHANISMS: dict[str, Mechanism] = {
    **{name: make(name, LABELS, 1.0) for name in FAMILIES},
    "one protected": dn.HighLowResponse(LABELS, ["b"], 1.0),
    "one of two ways": dn.BinaryResponse(["a", "b"], 1.0, INF),
    "two groups": dn.BlockHadamard([["a", "b"], ["c", "d"]], 1.0),
    "one-sided prior": dn.InformedResponse(LABELS, PRIOR, 1.0, one_sided=True),
    "one-sided lists": dn.ItemResponse(LABELS, 1.0, one_sided=True),
    "an even prior": dn.InformedResponse(["a", "b"], [0.8, 0.2], 1.1),
}


def lies(told: Guarantee) -> Iterator[Guarantee]:
    """What a guarantee might say instead: a lower level, or more pairs of answers that it covers."""
    yield from (weaker(told, 0.99), weaker(told, 0.9999))
    if isinstance(told, dn.HighLow):
        yield dn.HighLow(told.domain, [*told.sensitive, "a"], told.epsilon)
        yield dn.HighLow(told.domain, ["a", *told.sensitive[1:]], told.epsilon)
        yield dn.HighLow(list(told.domain)[::-1], ["a", *told.sensitive[1:]], told.epsilon)
    if isinstance(told, dn.Blocks):
        first, *rest = told.blocks
        yield dn.Blocks([[*first, *rest[0]], *rest[1:]], told.epsilon, told.domain)
        yield dn.Blocks([[*first[1:], rest[-1][-1]], *rest[:-1], [*rest[-1][:-1], first[0]]], told.epsilon, told.domain)
    if isinstance(told, dn.OneSidedInformationPrivacy):
        yield dn.InformationPrivacy(told.domain, told.prior, told.epsilon)
    if isinstance(told, dn.InformationPrivacy):
        yield dn.InformationPrivacy(told.domain, told.prior, told.epsilon / 1.1)
        yield dn.InformationPrivacy(told.domain, told.prior[::-1], told.epsilon)
    if isinstance(told, dn.EachItem):
        yield dn.EachItem(told.labels, told.epsilon * (1.0 if told.one_sided else 0.5))
    if isinstance(told, dn.Pairwise):
        yield dn.Pairwise(told.domain, [[0, 1.0], [0.5, 0]])
    if told.plain > 1.0:
        yield dn.LDP(1.0)


def forged(mechanism: Mechanism, told: Guarantee) -> Any:
    """The same mechanism, which says something else of itself."""
    liar = copy.copy(mechanism)
    vars(liar)["guarantee"] = told
    return liar


def question_of(mechanism: Mechanism) -> Question:
    """A question to whose answers the mechanism's values belong."""
    if FAMILIES[mechanism.name].lists:
        return dn.AnyOf("asked", LABELS)
    return dn.OneOf("asked", list(mechanism.domain.every()))


def part_of(question: Question, mechanism: Mechanism) -> dn.Part:
    """A part that no check of documents has seen: they refuse what protects less than the question says."""
    honest: Mechanism = dn.ItemResponse(LABELS, 1.0)
    if isinstance(question, dn.OneOf):
        honest = dn.RandomizedResponse(question.labels, 1.0)
    part = copy.copy(dn.Part(question, honest))
    vars(part)["mechanism"] = mechanism
    return part


def other_part() -> dn.Part:
    return dn.Part(OTHER, dn.RandomizedResponse(OTHER.labels, 0.5))


def survey_of(mechanism: Mechanism) -> dn.Survey:
    """In the second part of the second arm; remembered reports, which go with no others, in the second arm."""
    question = question_of(mechanism)
    if isinstance(mechanism, dn.Remembered):
        honest = dn.Remembered(mechanism.permanent, mechanism.each)
        arms = [dn.Arm(part_of(question, each)) for each in (honest, mechanism)]
        return dn.Survey("lie", [question], arms, period="day", repeat="remembered")
    arms = [dn.Arm(other_part()), dn.Arm([other_part(), part_of(question, mechanism)])]
    return dn.Survey("lie", [OTHER, question], arms)


@pytest.mark.parametrize("name", MECHANISMS)
def test_what_is_true_is_proven(name: str) -> None:
    assert all(arm.holds for arm in survey_of(MECHANISMS[name]).audit().arms)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_guarantee_that_lies_is_refused(name: str) -> None:
    mechanism = MECHANISMS[name]
    false = [told for told in lies(mechanism.guarantee) if not told.holds(mechanism)]
    assert false, "no lie is one"
    for told in false:
        proof = survey_of(forged(mechanism, told)).audit()
        assert [arm.holds for arm in proof.arms if arm.number == 0] == [True] * (len(proof.arms) // 2), told
        assert not any(arm.holds for arm in proof.arms if arm.number == 1), told
        assert not proof.holds
        assert "DOES NOT HOLD" in str(proof)


def test_every_kind_of_guarantee_is_lied_about() -> None:
    kinds = {type(mechanism.guarantee) for mechanism in MECHANISMS.values()}
    assert kinds == {
        dn.LDP, dn.Pairwise, dn.HighLow, dn.Blocks, dn.Distance, dn.EachItem, dn.InformationPrivacy,
        dn.OneSidedInformationPrivacy,
    }  # fmt: skip


def test_information_privacy_is_proven_by_itself() -> None:
    """Of 1-LIP pairs keep 2, within which a channel of 1.1-LIP may be: 1.795 here."""
    liar = forged(MECHANISMS["an even prior"], dn.InformationPrivacy(["a", "b"], [0.8, 0.2], 1.0))
    question = dn.OneOf("asked", ["a", "b"], prior=[0.8, 0.2])
    proof = dn.Survey("lie", [question], [dn.Arm(dn.Part(question, liar))]).audit()
    [arm] = proof.arms
    assert arm.promise == "1-LIP over 2 labels"
    assert arm.epsilon < arm.claimed == 2.0
    assert not arm.holds


def test_a_lie_about_a_pair_is_refused() -> None:
    both = [dn.OneOf("first", ["a", "b"]), dn.OneOf("second", ["c", "d"])]
    pairs = [(a, b) for a in both[0].labels for b in both[1].labels]
    for told, holds in ((1.0, True), (0.9999, False)):
        part = dn.Part(both, forged(dn.RandomizedResponse(pairs, 1.0), dn.LDP(told)))
        assert dn.Survey("pair", both, [dn.Arm(part)]).audit().holds is holds


def test_a_lie_of_a_part_that_is_too_large_to_compare_is_refused() -> None:
    """The pairs of 5,000 answers are too many; the certificate of each part is looked at all the same."""
    many = dn.OneOf("asked", 5000)
    for told, holds in ((1.0, True), (0.9999, False)):
        part = dn.Part(many, forged(dn.Hadamard(5000, 1.0), dn.LDP(told)))
        [arm] = dn.Survey("large", [many], [dn.Arm(part)]).audit().arms
        assert (arm.method, arm.holds) == (PARTS, holds)
