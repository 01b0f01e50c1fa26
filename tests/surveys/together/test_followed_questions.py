"""Questions that follow from answers: who is asked, how they are reported, what is told, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.cases import each

import deniable as dn
from deniable.estimation.scales.scale_estimate import ScaleEstimate
from deniable.protocol.errors import DenialError
from deniable.protocol.questions.path import paths_of
from deniable.surveys.authoring import survey_from_toml

USED = dn.OneOf("used", ["yes", "no"])
KIND = dn.OneOf("kind", ["a", "b", "c"], only_if=("used", ["yes"]))
SURVEY = dn.Survey.plan("tools", [USED, KIND], 2.0, 4000)
GIVEN = {"used": ["yes"] * 1200 + ["no"] * 2800, "kind": ["a"] * 600 + ["b"] * 600 + [None] * 2800}
RESULTS = SURVEY.estimate(SURVEY.tally(SURVEY.answer_many(GIVEN, seed=1)))


def follow(**fields: Any) -> dn.OneOf:
    """A question that follows from ``used``, or from something else."""
    return dn.OneOf("kind", ["a", "b"], **{"only_if": ("used", ["yes"]), **fields})


def test_ways_are_walked_as_an_author_would() -> None:
    other = dn.OneOf("other", [1, 2], only_if=("used", ["no"]))
    assert list(paths_of([USED, KIND, other])) == [("yes", "a"), ("yes", "b"), ("yes", "c"), ("no", 1), ("no", 2)]
    assert list(paths_of([USED, KIND], 1)) == [(), ("a",), ("b",), ("c",)]


def test_few_answers_are_joined_and_many_are_not() -> None:
    [arm] = SURVEY.arms
    assert [(part.names, part.estimable) for part in arm.parts] == [(("used", "kind"), ("used", "kind"))]
    many = dn.OneOf("kind", 60, only_if=("used", ["yes"]))
    parts = [part for arm in dn.Survey.plan("tools", [USED, many], 2.0, 4000).arms for part in arm.parts]
    assert [(part.names, part.estimable) for part in parts] == [(("used",), ("used",)), (("used", "kind"), ("kind",))]
    assert "with used, kind as one label" in SURVEY.reason
    assert SURVEY.reason.count("(used ") == 3


def test_joined_ways_err_as_the_law_of_their_reports_has_it() -> None:
    """At n 4,000, epsilon 2, 30% yes and four answers: sd .0141 of yes, and .0293 of an answer among these.

    By hand, with g and h of randomized response over five labels: a report adds 1 to an answer, less a quarter of 1 to
    each of the four, which is .0974 in squares, over 4,000 (g - h)^2 .3^2.
    """
    kind = dn.OneOf("kind", ["a", "b", "c", "d"], only_if=("used", ["yes"]))
    joined = dn.Survey.plan("tools", [USED, kind], 2.0, 4000)
    table = {"used": ["yes"] * 4 + ["no"], "kind": ["a", "b", "c", "d", None]}
    draws, generator = [], np.random.default_rng(1)
    for _ in range(400):
        people = generator.multinomial(4000, [0.075] * 4 + [0.7])
        draws.append(joined.estimate(joined.draw_tally(table, people, generator)))
    among = np.std([each["kind"].of_asked().shares for each in draws], axis=0).mean()
    assert among == pytest.approx(0.0293, rel=0.1)
    assert np.std([each["used"].unbiased[0] for each in draws]) == pytest.approx(0.0141, rel=0.15)


def test_a_question_that_others_follow_from_is_crossed_with_one_beside_it() -> None:
    beside = dn.OneOf("x", ["p", "q"])
    survey = dn.Survey.plan("tools", [USED, KIND, beside], 3.0, 4000, cross=[("used", "x")])
    assert survey.audit().holds
    given = {"used": ["yes", "no"] * 2000, "kind": ["a", None] * 2000, "x": ["p", "q"] * 2000}
    results = survey.estimate(survey.tally(survey.answer_many(given, seed=1)))
    assert results.cross("used", "x").shares == pytest.approx(np.array([[0.5, 0], [0, 0.5]]), abs=0.1)
    assert results["used"].unbiased == pytest.approx([0.5, 0.5], abs=0.1)
    assert results["kind"].of_asked().shares == pytest.approx([1, 0, 0], abs=0.2)
    with pytest.raises(DenialError, match="must not follow from each other, nor from the same one"):
        results.cross("used", "kind")
    with pytest.raises(DenialError, match="must be crossed in the survey, got no arm with both"):
        results.cross("kind", "x")


def test_results_of_all_and_of_those_asked() -> None:
    found = RESULTS["kind"]
    of_asked = found.of_asked()
    assert found.labels == of_asked.labels == KIND.labels
    assert found.unbiased.sum() == pytest.approx(RESULTS["used"].unbiased[0])
    assert of_asked.shares == pytest.approx(found.unbiased / found.unbiased.sum())
    assert of_asked.shares.sum() == pytest.approx(1)
    assert of_asked.stderr.shape == (3,)
    assert of_asked.interval().shape == (3, 2)
    assert of_asked.counts == pytest.approx(of_asked.frequencies * found.unbiased.sum() * 4000)
    assert set(of_asked.ranks().labels) == {"a", "b", "c"}
    assert of_asked.compare("a", "c").low > 0
    assert found.summary().startswith("4,000 people answered. Of those who were asked:")


def test_error_among_those_asked_is_split_by_how_many_these_are() -> None:
    found = RESULTS["kind"].of_asked().error_sources("a")
    assert found is not None
    asked = RESULTS["kind"].unbiased.sum() * 4000
    share = RESULTS["kind"].of_asked()["a"].value
    assert found.n == round(asked)
    assert found.sampling == pytest.approx(1.96 * np.sqrt(share * (1 - share) / asked), rel=0.001)
    assert found.worth < found.n / 3
    bare = dn.Survey.plan("tools", [USED, KIND], 14.0, 4000)
    almost = bare.estimate(bare.tally(bare.answer_many(GIVEN, seed=1)))["kind"].of_asked().error_sources("a")
    assert almost is not None
    assert almost.n == 1200, "hardly protected"
    assert almost.sampling == pytest.approx(almost.whole, rel=0.05)
    census = dn.Survey.plan("tools", [USED, KIND], 2.0, 4000, population=4000)
    known = census.estimate(census.tally(census.answer_many(GIVEN, seed=1)))["kind"].of_asked().error_sources("a")
    assert known is not None
    assert (known.sampling, known.of_all) == (0, True), "nobody else was asked"


def test_every_face_has_both() -> None:
    reading = RESULTS["kind"].reading()
    assert reading.columns["of_asked"] == pytest.approx(RESULTS["kind"].of_asked().shares)
    assert "of those asked" in str(reading)
    assert "of_asked_low" in RESULTS.to_csv()
    assert "how many were asked is an estimate too" in RESULTS.to_json()


def test_where_nobody_may_have_been_asked_nothing_is_said() -> None:
    nobody = {"used": ["no"] * 4000, "kind": [None] * 4000}
    found = SURVEY.estimate(SURVEY.tally(SURVEY.answer_many(nobody, seed=1)))["kind"]
    of_asked = found.of_asked()
    assert np.isnan(of_asked.shares).all()
    assert of_asked.interval().tolist() == [[0, 1]] * 3
    assert "too few to say" in str(found)
    assert "nothing can be said" in found.summary()


def test_a_scale_has_a_mean_of_those_asked() -> None:
    fair = dn.Scale("fair", ["no", "partly", "yes"], only_if=("used", ["yes"]))
    survey = dn.Survey.plan("pay", [USED, fair], 3.0, 4000)
    given = {"used": ["yes"] * 2000 + ["no"] * 2000, "fair": ["no", "yes"] * 1000 + [None] * 2000}
    among = survey.estimate(survey.tally(survey.answer_many(given, seed=1)))["fair"].of_asked()
    assert isinstance(among, ScaleEstimate)
    low, high = among.mean.interval()
    assert low < 2 < high
    assert high - low < 0.3


def test_a_change_between_periods() -> None:
    survey = dn.Survey.plan("tools", [USED, KIND], 2.0, 4000, period="week", repeat="fresh", cap=20)
    more = {"used": ["yes"] * 2400 + ["no"] * 1600, "kind": ["a"] * 2400 + [None] * 1600}
    weeks = [survey.estimate(survey.tally(survey.answer_many(g, seed=s))) for s, g in ((1, GIVEN), (2, more))]
    found = dn.change(weeks)["kind"]
    assert found.difference.values == pytest.approx([0.45, -0.15, 0], abs=0.1)
    among = weeks[0]["kind"].of_asked().difference(weeks[1]["kind"].of_asked())
    assert among.values == pytest.approx([0.5, -0.5, 0], abs=0.15)


def test_reports_that_are_remembered() -> None:
    survey = dn.Survey.plan("tools", [USED, KIND], 4.0, 4000, period="week", repeat="remembered")
    assert survey.audit().holds
    kept = survey.enrol()
    assert kept.answer({"used": "no"}) == kept.answer({"used": "no"})


def test_one_person_answers_what_they_are_asked() -> None:
    assert SURVEY.check(SURVEY.answer({"used": "no"})) is None
    assert SURVEY.check(SURVEY.answer({"used": "yes", "kind": "a"})) is None
    for given, told in (
        ({"used": "no", "kind": "a"}, "must be left out by those who are not asked, got one"),
        ({"used": "yes"}, "'kind' must be answered"),
    ):
        with pytest.raises(DenialError, match=told):
            SURVEY.answer(given)


@each(
    ("column", "told"),
    [
        (["a", "a", None], "empty where it is not asked, got 1 that are not \\(the first at position 1\\)"),
        (["a", None, "x"], "position 2"),
        (["a", None], "of one length"),
        ([None, None, "a"], "position 0"),
        (5, "must be a column"),
    ],
)
def test_columns_of_people_who_were_not_asked_are_empty(column: Any, told: str) -> None:
    with pytest.raises(DenialError, match=told) as refused:
        SURVEY.answer_many({"used": ["yes", "no", "yes"], "kind": column})
    assert "'x'" not in str(refused.value)


def test_empty_fields_are_empty() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"used": ["yes", "no"], "kind": ["a", np.nan]})
    for table in (frame, {"used": ["yes", "no"], "kind": ["a", ""]}):
        assert SURVEY.tally(SURVEY.answer_many(table, seed=1)).n == 2


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "one label as a text": (lambda: follow(only_if=("used", "yes")), "must be a list of labels"),
    "a dictionary": (lambda: follow(only_if={"used": ["yes"]}), "only_if must be a question and some of its labels"),
    "no label": (lambda: follow(only_if=("used", [])), "got none"),
    "a label twice": (lambda: follow(only_if=("used", ["yes", "yes"])), "got one twice"),
    "a list as a label": (lambda: follow(only_if=("used", [["yes"]])), "labels must be"),
    "a number": (lambda: dn.Number("age", 0, 9, only_if=("used", ["yes"])), "must be left out of a Number"),
    "a text": (lambda: dn.Text("site", only_if=("used", ["yes"])), "must be left out of a Text"),
    "a checklist": (lambda: dn.AnyOf("all", ["a"], only_if=("used", ["yes"])), "must be left out of an AnyOf"),
    "after it": (lambda: dn.Survey.plan("s", [KIND, USED], 1.0, 9), "must be about a question before it, got 'used'"),
    "a typo": (lambda: dn.Survey.plan("s", [USED, follow(only_if=("usde", ["yes"]))], 1.0, 9), "did you mean used"),
    "a strange label": (lambda: dn.Survey.plan("s", [USED, follow(only_if=("used", ["Yes"]))], 1.0, 9), "got 'Yes'"),
    "all labels": (
        lambda: dn.Survey.plan("s", [USED, follow(only_if=("used", ["yes", "no"]))], 1.0, 9), "leave out a label"
    ),
    "after a number": (
        lambda: dn.Survey.plan("s", [dn.Number("used", 0, 9), follow(only_if=("used", [1]))], 1.0, 9), "ask yes or no"
    ),
    "some sensitive": (lambda: dn.Survey.plan("s", [USED, follow(sensitive=["a"])], 1.0, 9), "leave out sensitive"),
    "crossed with what leads to it": (
        lambda: dn.Survey.plan("s", [USED, KIND], 1.0, 9, cross=[("used", "kind")]),
        "follow from each other, got 'kind' and 'used'; what those who were asked said is told without crossing",
    ),
    "crossed with a number": (
        lambda: dn.Survey.plan("s", [USED, KIND, dn.Number("x", 0, 9)], 1.0, 9, cross=[("x", "kind")]),
        "a OneOf or a Scale that everybody is asked, got 'x'; cross it with 'used' instead",
    ),
    "crossed with what others alone are asked": (
        lambda: dn.Survey.plan(
            "s", [USED, KIND, dn.OneOf("x", 2), dn.OneOf("y", 2, only_if=("x", [1]))], 1.0, 9, cross=[("y", "kind")]
        ),
        "a OneOf or a Scale that everybody is asked, got 'kind'; cross it with 'x' instead",
    ),
    "a way beside a number": (
        lambda: dn.Part([USED, KIND, dn.Number("x", 0, 9)], dn.RandomizedResponse(2, 1.0)),
        "a way must be crossed with a OneOf or a Scale, got 'x'",
    ),
    "by itself": (lambda: dn.Part(KIND, dn.RandomizedResponse(KIND.labels, 1.0)), "one that everybody is asked, got 1"),
    "an empty grid": (lambda: dn.Grid("a", {}, ["x", "y"]), "rows must hold"),
    "a grid without a heading": (lambda: dn.Grid("", {"a": "b"}, ["x", "y"]), "heading must be a text"),
}  # fmt: skip


@each("name", REFUSED)
def test_what_cannot_be_asked_says_what_would_do(name: str) -> None:
    make, told = REFUSED[name]
    with pytest.raises(DenialError, match=told):
        make()


def test_a_chain_of_four_is_refused() -> None:
    chain = [USED, KIND]
    for place, before in ((2, "kind"), (3, "q2")):
        chain.append(dn.OneOf(f"q{place}", ["a", "b"], only_if=(before, ["a"])))
    dn.Survey.plan("s", chain[:3], 1.0, 9)
    with pytest.raises(DenialError, match="a chain of at most 3 questions"):
        dn.Survey.plan("s", chain, 1.0, 9)


PLAN = """
name = "work"
epsilon = 2.0
people = 3000

[[question]]
name = "used"
labels = ["yes", "no"]

[[question]]
name = "kind"
labels = ["a", "b"]
only_if = ["used", ["yes"]]

[[question]]
kind = "grid"
heading = "Do you agree?"
labels = ["no", "partly", "yes"]
only_if = { question = "used", is = ["no"] }
rows = { fair = "My pay is fair", calm = "My days are calm" }
"""


def test_a_plan_in_toml() -> None:
    survey, _ = survey_from_toml(PLAN)
    assert list(survey.by_name) == ["used", "kind", "fair", "calm"]
    assert [question.words.heading for question in survey.questions] == ["", "", "Do you agree?", "Do you agree?"]
    assert dn.Survey.from_json(survey.to_json()) == survey


def test_advice_keeps_a_question_with_the_one_that_leads_to_it() -> None:
    found = dn.advise([USED, KIND], 100, 1.0)
    kept = [{question.name for question in option.inputs.questions} for option in found.options]
    assert kept
    assert all("used" in names for names in kept)


def test_a_regression_on_ways() -> None:
    generator = np.random.default_rng(1)
    age = generator.normal(size=4000)
    used = np.where(generator.random(4000) < 1 / (1 + np.exp(-age)), "yes", "no")
    kind = [None if each == "no" else ("a", "b")[place % 2] for place, each in enumerate(used)]
    answers = [SURVEY.answer({"used": u, "kind": k}) for u, k in zip(used.tolist(), kind, strict=True)]
    fit = SURVEY.regress(answers, ("used", ["age"]), {"age": age}, event=("no",))
    assert fit.coefficients[1] == pytest.approx(-1, abs=0.3)
    with pytest.raises(DenialError, match="asked of everybody to be regressed on"):
        SURVEY.regress(answers, ("kind", ["age"]), {"age": age})
