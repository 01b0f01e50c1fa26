"""Answers: arms are drawn by their weights, bytes come back, foreign bytes and wrong answers are refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.surveys.commute import ILL, LATE, WAY, crossed, people, single

import deniable as dn
from deniable.protocol.errors import LabelError, ParameterError, ReportError, TallyError
from deniable.reports.layout import stored_bytes

FALSE_ALARM = 1e-9
ONE = {"way": "bus", "late": "no", "ill": "well"}


def weighted(*weights: int) -> dn.Survey:
    parts = [dn.Part(LATE, dn.RandomizedResponse(LATE.labels, epsilon)) for epsilon in (1.0, 1.5, 2.0)]
    return dn.Survey("one", [LATE], [dn.Arm(part, weight) for part, weight in zip(parts, weights, strict=True)])


def test_a_device_draws_its_arm_by_the_weights() -> None:
    """Chi-square over one answer at a time and over a column; a fault of a tenth in a weight would be seen."""
    survey, n = weighted(1, 2, 5), 20_000
    chances = np.array([1, 2, 5]) / 8
    one = Counter(survey.answer({"late": "no"}, dn.SeededEntropy(s))[0] for s in range(4000))
    many = [len(columns[0]) for columns in survey.answer_many({"late": ["no"] * n}, seed=1).columns]
    for seen, count in (([one[k] for k in range(3)], 4000), (many, n)):
        assert stats.chisquare(seen, chances * count).pvalue > FALSE_ALARM
    faulty = np.random.default_rng(0).multinomial(n, [0.15, 0.25, 0.6])
    assert stats.chisquare(faulty, chances * n).pvalue < FALSE_ALARM


def test_answers_come_back_from_their_bytes() -> None:
    survey = crossed()
    answers = survey.answer_many(people(500), seed=3)
    written = answers.to_bytes()
    assert len(written) == len(answers) == 500
    assert survey.tally(written) == survey.tally(answers)
    assert survey.tally(reversed(written)) == survey.tally(answers)
    assert all(survey.check(each) is None for each in written)


def test_one_answer_has_the_bytes_of_its_arm() -> None:
    """An arm of two bytes where there are several, then each report: an index of one byte, or a row of bits."""
    survey = crossed()
    for seed in range(50):
        told = survey.answer(ONE, dn.SeededEntropy(seed))
        arm = survey.arms[int.from_bytes(told[:2], "little")]
        widths = [stored_bytes(part.mechanism.layout) for part in arm.parts]
        assert len(told) == 2 + sum(widths)
        assert survey.tally(told).n == 1
    alone = single(LATE, dn.RandomizedResponse(LATE.labels, 1.0))
    assert len(alone.answer({"late": "no"})) == 1


def test_a_column_of_one_question_is_drawn_as_its_mechanism_draws_it() -> None:
    survey = single(WAY, dn.Subset(WAY.labels, 1.0))
    n = 50_000
    tally = survey.tally(survey.answer_many({"way": ["bus"] * n}, seed=1)).arms[0][0]
    g = dn.Subset(WAY.labels, 1.0).law.support.g
    assert stats.binomtest(int(tally.counts[1]), n, g).pvalue > FALSE_ALARM


def test_everything_must_be_answered_unless_it_can_be_skipped() -> None:
    silent = dn.OneOf("mood", ["good", "bad", "no answer"], no_answer="no answer")
    survey = dn.Survey.plan("two", [LATE, silent], 4.0, 1000)
    assert survey.check(survey.answer({"late": "no"})) is None
    with pytest.raises(LabelError, match="'late' must be answered"):
        survey.answer({"mood": "good"})
    assert len(survey.answer_many({"late": ["no", "yes"], "mood": ["good", None]}, seed=1)) == 2
    with pytest.raises(LabelError, match="'late' must have a column"):
        survey.answer_many({"mood": ["good"]}, seed=1)


SECRET = "a secret nobody may see"


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ({**ONE, "way": SECRET}, LabelError),
        ({**ONE, "way": [SECRET]}, LabelError),
        ({**ONE, "way": ["bus"]}, LabelError),
        ({**ONE, "way": None}, LabelError),
        ({**ONE, SECRET: "bus"}, ParameterError),
        ({"way": "bus"}, LabelError),
        ([SECRET], ParameterError),
        (SECRET, ParameterError),
        (None, ParameterError),
    ],
)
def test_a_wrong_answer_is_refused_and_never_shown(answers: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind) as refused:
        crossed().answer(answers)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    ("column", "kind"),
    [(["bus", SECRET], LabelError), (["bus"], ParameterError), ("bus", LabelError), ([["bus"], ["car"]], LabelError)],
)
def test_a_wrong_column_is_refused_and_never_shown(column: Any, kind: type[Exception]) -> None:
    table = {"way": column, "late": ["no", "no"], "ill": ["well", "well"]}
    with pytest.raises(kind) as refused:
        crossed().answer_many(table, seed=1)
    assert SECRET not in str(refused.value)


def test_foreign_bytes_are_refused_with_a_reason_and_nothing_is_counted() -> None:
    survey = crossed()
    good = survey.answer(ONE)
    number = int.from_bytes(good[:2], "little")
    assert survey.check(b"") == "is too short to name an arm"
    assert survey.check(good + b"\0") == f"has {len(good) + 1} bytes, and one of arm {number} has {len(good)}"
    assert survey.check(b"\xff\xff" + good[2:]) == f"names arm 65535, and there are {len(survey.arms)}"
    foreign: Any = "text"
    assert survey.check(foreign) == "is str and not bytes"
    bad = [n for n in range(len(survey.arms)) if survey.check(_impossible(survey, n)) is not None]
    assert bad
    with pytest.raises(ReportError, match="got 1 of 3 that are not; the first, at position 1"):
        survey.tally([good, _impossible(survey, bad[0]), good])


def _impossible(survey: dn.Survey, number: int) -> bytes:
    """An answer of an arm whose every bit is set, which a subset or an index rarely allows."""
    widths = [stored_bytes(part.mechanism.layout) for part in survey.arms[number].parts]
    return number.to_bytes(2, "little") + b"\xff" * sum(widths)


# --- tallies --------------------------------------------------------------------------------------------------------


def test_tallies_add_have_an_identity_and_refuse_strangers() -> None:
    survey = crossed()
    parts = [survey.tally(survey.answer_many(people(100, s), seed=s)) for s in range(3)]
    assert sum(parts) == parts[2] + (parts[0] + parts[1]) == survey.tally() + parts[0] + parts[1] + parts[2]
    assert sum(part.n for part in parts) == 300
    with pytest.raises(TallyError, match="a changed document is another survey"):
        parts[0] + crossed(1.0).tally()
    with pytest.raises(TallyError, match="a changed document is another survey"):
        crossed(1.0).estimate(parts[0])


def test_a_tally_comes_back_from_its_bytes_and_an_altered_one_does_not() -> None:
    survey = crossed()
    tally = survey.tally(survey.answer_many(people(100), seed=1))
    written = tally.to_bytes()
    assert dn.SurveyTally.from_bytes(written, dn.Survey) == tally
    for place in range(0, len(written), 97):
        altered = bytearray(written)
        altered[place] ^= 1
        with pytest.raises(dn.FormatError):
            dn.SurveyTally.from_bytes(bytes(altered), dn.Survey)
    for cut in (0, 10, len(written) - 1):
        with pytest.raises(dn.FormatError):
            dn.SurveyTally.from_bytes(written[:cut], dn.Survey)


def test_a_dropped_arm_is_seen() -> None:
    survey = crossed()
    tally = survey.tally(survey.answer_many(people(100), seed=1))
    with pytest.raises(TallyError, match="one tally for each part"):
        dn.SurveyTally(survey, tally.arms[1:])


def test_parts_of_one_arm_must_count_the_same_people() -> None:
    parts = [dn.Part(each, dn.RandomizedResponse(each.labels, 1.0)) for each in (LATE, ILL)]
    together = dn.Survey("two", [LATE, ILL], [dn.Arm(parts)])
    late, ill = (part.mechanism for part in together.arms[0].parts)
    with pytest.raises(TallyError, match="of the same people"):
        dn.SurveyTally(together, ((late.tally([0, 1]), ill.tally([0])),))


def test_counts_that_no_reports_make_are_refused() -> None:
    survey = single(LATE, dn.RandomizedResponse(LATE.labels, 1.0))
    spec = survey.arms[0].parts[0].mechanism.spec_bytes
    for counts, n in (([10, 10], 10), ([10], 10), ([0, 0, 0], 0)):
        with pytest.raises(TallyError):
            dn.SurveyTally(survey, ((dn.Tally(n, counts, spec),),))
    with pytest.raises(TallyError, match="to this survey"):
        crossed().tally(survey.answer_many({"late": ["no"]}, seed=1))


def test_the_order_of_answers_says_nothing_of_the_people() -> None:
    survey = single(WAY, dn.RandomizedResponse(WAY.labels, 20.0))
    answers = survey.answer_many({"way": ["car"] * 50 + ["bus"] * 50}, seed=1).to_bytes()
    assert answers[:50] != [b"\0"] * 50
    assert answers.count(b"\0") == 50


def test_one_question_without_a_result_does_not_hide_the_others() -> None:
    word = dn.Text("word", longest=2)
    survey = dn.Survey.plan("two", [LATE, word], 2.0, 100)
    results = survey.estimate(
        survey.tally(survey.answer_many({"late": ["no"] * 60, "word": [f"{k:02}" for k in range(60)]}, seed=1))
    )
    assert "no result" in str(results)
    assert "yes" in str(results)
    assert "no result" in results._repr_html_()
    assert "missing" in results.to_dict()["questions"]["word"]


def test_a_checklist_may_say_how_many_labels_are_chosen() -> None:
    """Short lists are told best by sets; a list that is too long is refused, and not shown."""
    best = dn.AnyOf("best", 40, most=3)
    survey = dn.Survey.plan("best", [best], 1.0, 5000)
    assert survey.arms[0].parts[0].mechanism.name == "PrivateSet"
    assert dn.Survey.plan("best", [dn.AnyOf("best", 40, most=20)], 1.0, 5000).arms[0].parts[0].mechanism.name == (
        "AskedItems"
    )
    assert dn.Survey.from_json(survey.to_json()) == survey
    assert survey.check(survey.answer({"best": [1, 2, 39]})) is None
    with pytest.raises(LabelError, match="'best' must hold at most 3 labels, got more"):
        survey.answer({"best": [1, 2, 3, 4]})
    with pytest.raises(
        LabelError, match=r"lists of at most 3 labels, got 1 of 2 that are not \(the first at position 1"
    ):
        survey.answer_many({"best": [[1], [1, 2, 3, 4]]})
    for most in (0, 41, 1.5, "3"):
        wrong: Any = most
        with pytest.raises(ParameterError, match="most must be"):
            dn.AnyOf("best", 40, most=wrong)


def test_scalars_of_other_libraries_are_answers_like_any_other() -> None:
    """Alone, crossed and in lists: what is drawn is always a report about the answer."""
    first, second, used = dn.OneOf("a", ["x", "y"]), dn.OneOf("b", [1, 2]), dn.AnyOf("used", ["p", "q"])
    pairs = [(one, other) for one in "xy" for other in (1, 2)]
    crossed = dn.Part([first, second], dn.RandomizedResponse(pairs, 30.0))
    has = [dn.Part(used, dn.RandomizedResponse(["yes", "no"], 30.0), dn.encoders.Has(label)) for label in ("p", "q")]
    survey = dn.Survey("scalars", [first, second, used], [dn.Arm([crossed, *has])], cap=100.0)
    plain = survey.answer({"a": "x", "b": 2, "used": ["p"]})
    for number, held in ((np.int64(2), np.array(["p"])), (np.uint8(2), pd.Series(["p"])), (2, {"p"})):
        assert survey.answer({"a": np.str_("x"), "b": number, "used": held}) == plain


def test_columns_of_scalars_of_other_libraries_are_crossed() -> None:
    """A pair is a tuple, in which a scalar is as good as the number that it equals."""
    first, second = dn.OneOf("a", ["x", "y"]), dn.OneOf("b", [1, 2])
    pairs = [(one, other) for one in "xy" for other in (1, 2)]
    part = dn.Part([first, second], dn.RandomizedResponse(pairs, 1.0))
    survey = dn.Survey("scalars", [first, second], [dn.Arm(part)])
    plain = survey.answer_many({"a": ["x", "y"], "b": [2, 1]}, seed=4)
    for column in ([np.int64(2), np.int64(1)], np.array([2, 1]), pd.Series([2, 1])):
        assert survey.tally(survey.answer_many({"a": ["x", "y"], "b": column}, seed=4)) == survey.tally(plain)
    assert part.mechanism.domain.indices([("x", np.int64(1)), ("y", 2)]).tolist() == [0, 3]
