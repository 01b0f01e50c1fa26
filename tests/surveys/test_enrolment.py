"""Surveys that ask again: planned for a life of answers, enrolled in once, answered from permanent reports."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.surveys.commute import LATE, WAY

import deniable as dn
from deniable.mechanisms.repeat.linked import enrolled_reports
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.errors import FormatError, LabelError, ParameterError
from deniable.surveys.choosing import part_of
from deniable.surveys.enrolment import Enrolment

USED = dn.AnyOf("used", ["search", "share", "print", "export", "undo"])
AGAIN: dict[str, Any] = {"period": "week", "repeat": "remembered"}
ANSWER = {"way": "bus", "late": "no", "used": ["share", "undo"]}


def planned(epsilon: float = 4.0, **terms: Any) -> dn.Survey:
    return dn.Survey.plan("weekly", [WAY, LATE, USED], epsilon, 5000, **{**AGAIN, **terms})


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0, 9.7])
def test_a_planned_life_costs_what_was_given(epsilon: float) -> None:
    survey = planned(epsilon)
    assert epsilon - 1e-4 < survey.promise.level <= epsilon
    assert survey.cap == survey.promise.charge == survey.promise.level
    assert survey.audit().holds
    assert dn.Survey.from_json(survey.to_json()) == survey
    for arm in survey.arms:
        assert all(isinstance(part.mechanism, dn.Remembered) for part in arm.parts)


def test_hashes_leave_more_of_a_life_to_each_report() -> None:
    """For four labels a report for each of two symbols errs less than one for each of four labels."""
    survey = dn.Survey.plan("weekly", [WAY], 4.0, 5000, **AGAIN)
    (part,) = survey.arms[0].parts
    assert isinstance(part.mechanism, dn.Remembered)
    assert isinstance(part.mechanism.permanent, dn.HashedResponse)
    each = dn.Remembered(dn.RandomizedResponse(WAY.labels, 1.0), 1.0)
    uniform = np.full(4, 1 / 4)
    assert part.mechanism.risk(5000, "l2", uniform) < 0.5 * each.risk(5000, "l2", uniform)


def test_a_level_for_each_period() -> None:
    survey = planned(4.0, each=0.25)
    levels = {part.mechanism.guarantee.claimed for arm in survey.arms for part in arm.parts}
    assert levels == {0.25}
    assert survey.promise.level > 3.9
    with pytest.raises(ParameterError, match="each must be left out unless"):
        dn.Survey.plan("once", [WAY], 1.0, 100, each=0.5)
    with pytest.raises(ParameterError, match="each must be a"):
        planned(each=-1)


def test_pairs_are_remembered_too() -> None:
    survey = dn.Survey.plan("weekly", [WAY, LATE], 8.0, 20_000, cross=[("way", "late")], **AGAIN)
    assert survey.promise.level == 8.0  # eight pairs of labels
    table = {"way": ["bus"] * 12_000 + ["car"] * 8_000, "late": ["no"] * 15_000 + ["yes"] * 5_000}
    found = survey.estimate(survey.tally(survey.answer_many(table, seed=1))).cross("way", "late")
    assert found.test.p_value < 1e-6


def test_questions_that_protect_only_some_answers_are_not_remembered() -> None:
    ill = dn.OneOf("ill", ["ill", "well"], sensitive=["ill"])
    with pytest.raises(ParameterError, match="must protect all of them alike, got 'ill'"):
        dn.Survey.plan("weekly", [ill], 1.0, 100, **AGAIN)


def test_a_level_too_small_to_be_shared_is_refused_in_words() -> None:
    with pytest.raises(ParameterError, match="epsilon must leave a part for each of"):
        dn.Survey.plan("weekly", [dn.OneOf("city", 500)], 1e-5, 100, **AGAIN)


def test_a_device_sends_the_same_report_while_the_answer_stays() -> None:
    survey = planned()
    for seed in range(12):  # some of each arm
        kept = survey.enrol(SeededEntropy(seed))
        sent = {kept.answer(ANSWER) for _ in range(5)}
        assert len(sent) == 1
        assert survey.check(sent.pop()) is None


def test_a_level_for_each_period_sends_other_reports_now_and_then() -> None:
    survey = dn.Survey.plan("weekly", [WAY], 4.0, 5000, each=0.25, **AGAIN)
    kept = survey.enrol()
    sent = [kept.answer({"way": "bus"}) for _ in range(60)]
    assert 1 < len(set(sent)) <= 2, "of its own cohort, which has two symbols"
    assert all(survey.check(answer) is None for answer in sent)


def test_what_a_device_keeps_is_read_again() -> None:
    survey = planned()
    for seed in range(12):
        kept = survey.enrol(SeededEntropy(seed))
        again = Enrolment.from_bytes(survey, kept.to_bytes())
        assert again.arm == kept.arm
        assert again.answer(ANSWER) == kept.answer(ANSWER)
        assert again.to_bytes() == kept.to_bytes()
        assert str(kept.arm) not in repr(kept), "what a device keeps is its own"


def test_what_is_kept_says_nothing_of_answers() -> None:
    """Reports of all cells are there before the first answer, and answering changes nothing."""
    survey = planned()
    kept = survey.enrol(SeededEntropy(5))
    before = kept.to_bytes()
    for way, late in itertools.product(WAY.labels, LATE.labels):
        kept.answer({"way": way, "late": late, "used": []})
    assert kept.to_bytes() == before
    parts = survey.arms[kept.arm].parts
    counts = [enrolled_reports(part.mechanism) for part in parts if isinstance(part.mechanism, dn.Remembered)]
    assert [len(column) for column in kept.reports] == counts


def test_bytes_that_are_no_enrolment() -> None:
    survey, other = planned(), planned(3.0)
    good = survey.enrol(SeededEntropy(1)).to_bytes()
    bad: list[tuple[Any, str]] = [
        ("text", "must be bytes"), (b"", "must be bytes"), (other.enrol().to_bytes(), "this very survey"),
        (good[:32] + b"\xff\xff" + good[34:], "one of"), (good[:-1], "reports of its arm"), (good + b"\0", "reports"),
    ]  # fmt: skip
    for kept, message in bad:
        with pytest.raises(FormatError, match=message):
            Enrolment.from_bytes(survey, kept)


def test_reports_that_cannot_be_sent_are_no_enrolment() -> None:
    mechanism = dn.Remembered(dn.RandomizedResponse(WAY.labels, 1.0), 1.0)
    survey = dn.Survey("weekly", [WAY], [dn.Arm(dn.Part(WAY, mechanism))], **AGAIN)
    kept = survey.enrol().to_bytes()
    with pytest.raises(FormatError, match="that its mechanisms can send"):
        Enrolment.from_bytes(survey, kept[:-1] + b"\x09")


def test_only_a_remembered_survey_is_enrolled_in() -> None:
    once = dn.Survey.plan("once", [WAY], 1.0, 100)
    with pytest.raises(ParameterError, match='repeat="remembered" to enrol'):
        once.enrol()
    with pytest.raises(LabelError, match="'way'"):
        planned().enrol().answer({**ANSWER, "way": "plane"})


def test_estimates_of_a_remembered_survey_are_right() -> None:
    """Every question within six standard errors, from devices that enrolled; a text is discovered."""
    survey, people = planned(8.0), 4000
    answers = [{"way": WAY.labels[k % 2], "late": "no", "used": ["share"]} for k in range(people)]
    entropy = SeededEntropy(3)
    sent = [survey.enrol(entropy.part(k)).answer(answers[k], entropy.part(people + k)) for k in range(people)]
    results = survey.estimate(survey.tally(sent), "unbiased")
    for name, truth in (("way", [0.5, 0.5, 0, 0]), ("late", [0, 1]), ("used", [0, 1, 0, 0, 0])):
        found = results[name]
        assert (np.abs(found.unbiased - truth) < 6 * found.stderr + 1e-9).all(), name
        assert found.stderr.max() < 0.1


def test_texts_are_discovered_from_remembered_reports() -> None:
    survey = dn.Survey.plan("words", [dn.Text("word", longest=4)], 12.0, 20_000, **AGAIN)
    tally = survey.tally(survey.answer_many({"word": ["news"] * 12_000 + ["mail"] * 8_000}, seed=1))
    assert set(survey.estimate(tally)["word"].labels) == {"mail", "news"}


def test_several_periods_tell_no_more_than_the_life() -> None:
    """Two answers and their reports over three periods, by enumeration: the odds stay within the life's level."""
    m = dn.Remembered(dn.RandomizedResponse(["yes", "no"], 1.0), 0.5)
    permanent, coin = m.permanent.channel().exact, Fraction(m.spec()["u"], m.spec()["m"])
    sent = [[coin * (y == z) + (1 - coin) / 2 for z in range(2)] for y in range(2)]

    def chance(answers: tuple[int, ...], seen: tuple[int, ...]) -> Fraction:
        return sum(
            (permanent[0, kept[0]] * permanent[1, kept[1]]
             * math.prod(sent[kept[answer]][z] for answer, z in zip(answers, seen, strict=True))
             for kept in itertools.product(range(2), repeat=2)), Fraction(0),
        )  # fmt: skip

    histories = list(itertools.product(range(2), repeat=3))
    pattern = [h for h in histories if h[0] == h[1] != h[2]]
    ratios = [chance(a, seen) / chance(b, seen) for a in pattern for b in pattern for seen in histories]
    assert max(ratios) <= Fraction(np.exp(dn.linked.lifetime(m).epsilon))
    assert max(ratios) > Fraction(np.exp(0.9))


@pytest.mark.parametrize("permanent", [dn.AskedItems(USED.labels, 1.0, together=1), dn.AskedItems(USED.labels, 1.0, 2)])
def test_reports_that_no_device_drew_together_are_refused(permanent: dn.AskedItems) -> None:
    """Of several windows: the window, which is sent as it is, would name the answer."""
    arm = dn.Arm(dn.Part(USED, dn.Remembered(permanent, 1.0)))
    survey = dn.Survey("weekly", [USED], [arm], **AGAIN)
    kept = survey.enrol(SeededEntropy(2))
    (reports,) = kept.reports
    forged = reports.copy()
    forged[0] = (forged[0] + (1 << permanent.together)) % permanent.layout.outputs
    with pytest.raises(FormatError, match="that one device drew together"):
        Enrolment.from_bytes(survey, Enrolment(survey, kept.arm, (forged,)).to_bytes())


def test_hashes_of_several_cohorts_are_no_enrolment() -> None:
    mechanism = dn.Remembered(dn.HashedResponse(1.0, 2, 8, WAY.labels), 1.0)
    survey = dn.Survey("weekly", [WAY], [dn.Arm(dn.Part(WAY, mechanism))], **AGAIN)
    forged = np.array([0, 3], np.uint8)
    with pytest.raises(FormatError, match="that one device drew together"):
        Enrolment.from_bytes(survey, Enrolment(survey, 0, (forged,)).to_bytes())


@pytest.mark.parametrize("epsilon", [6.4190249999999995, 0.1 + 0.2, 1 / 3, 7.000000999999999])
def test_awkward_levels_are_never_rounded_up(epsilon: float) -> None:
    assert dn.Survey.plan("weekly", [WAY, LATE, USED], epsilon, 5000, **AGAIN).promise.level <= epsilon
    assert Fraction(part_of(epsilon, 3)) * 3 <= Fraction(epsilon)
