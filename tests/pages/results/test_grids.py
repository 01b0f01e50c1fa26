"""Scales below one heading: one picture, each row with its own n, and a sentence that holds for all rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.pages.results.worlds import period_of

import deniable as dn
from deniable.intake.refusals import Refused
from deniable.pages.grid_picture import GridTexts
from deniable.pages.lettering import width_of
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.selection import Selection
from deniable.pages.results.survey_view import grid_from, one_question, survey_view
from deniable.pages.shapes import Circle, Text
from deniable.protocol.say import english
from deniable.surveys.grid import Grid

LABELS = ["never", "seldom", "always"]
ROWS = {"peers": "my colleagues", "boss": "my manager", "others": "the others"}
SHARES = {"peers": [0.1, 0.2, 0.7], "boss": [0.3, 0.4, 0.3], "others": [0.7, 0.2, 0.1]}


def found(labels: Sequence[str] = LABELS, people: int = 6000, alike: bool = False) -> PeriodView:
    """A result of a grid of three rows and a question after it."""
    grid, late = Grid("How often are you heard by ...", ROWS, labels), dn.OneOf("late", ["yes", "no"])
    rng = np.random.default_rng(1)
    share = np.full(len(labels), 1 / len(labels))
    told = {
        name: rng.choice(labels, people, p=share if alike or len(labels) != 3 else SHARES[name]).tolist()
        for name in ROWS
    }
    survey = dn.Survey.plan("heard", [grid, late], 3.0, people)
    return period_of(survey, {**told, "late": ["yes", "no"] * (people // 2)})


def test_a_grid_is_one_picture_with_the_number_of_each_row() -> None:
    whole = found()
    first, *others, last = survey_view(whole).sections
    assert [each.in_grid for each in others] == [True, True]
    assert first.grid is not None
    assert last.grid is None
    assert (first.grid.heading, first.grid.labels) == ("How often are you heard by ...", tuple(LABELS))
    assert whole.results is not None
    assert [(row.wording, row.n) for row in first.grid.rows] == [
        (wording, whole.results.devices(name)) for name, wording in ROWS.items()
    ]
    assert len({row.n for row in first.grid.rows}) > 1
    assert english(first.grid.sentence) == (
        "“my colleagues” comes nearest to “always”. “the others” stays farthest from it."
    )


def test_rows_that_are_alike_are_not_told_apart() -> None:
    first = survey_view(found(people=2000, alike=True)).sections[0]
    assert first.grid is not None
    assert english(first.grid.sentence) == "Which line comes nearest to “always” cannot be told."


def test_a_grid_is_drawn_as_one_picture_each_row_with_its_own_n() -> None:
    whole = found()
    grid = grid_from(whole, "peers", zoomed=False)
    drawn = GridTexts.of(grid, english, is_open=False)
    shapes = [*drawn.shapes((0, 0, 900, 400), 14)]
    placed = {shape.text: shape.y for shape in shapes if isinstance(shape, Text)}
    for row in grid.rows:
        assert placed[row.wording] == placed[f"{row.n:,}"]
        assert f"{row.wording}: never {english(row.answers[0].words)}" in drawn.description
    assert [text for text in placed if text in LABELS] == LABELS
    assert sum(isinstance(shape, Circle) for shape in shapes) == 3 * len(ROWS)
    with pytest.raises(Refused):
        grid_from(whole, "boss", zoomed=False)


def test_no_text_of_a_large_grid_leaves_its_box() -> None:
    grid = grid_from(found(), "peers", zoomed=False)
    long = replace(grid.rows[0], wording="Donaudampfschifffahrtsgesellschaft " * 3)
    large = replace(grid, labels=tuple("M" * 40 for _ in LABELS), rows=(long,) * 30)
    drawn = GridTexts.of(large, english, is_open=True, most=20)
    assert drawn.rest == "10 more rows are on the page."
    for shape in drawn.shapes((80, 200, 1520, 714), 20):
        if isinstance(shape, Text) and shape.anchor == "start":
            assert shape.x + width_of(shape.text, shape.size) <= 1521
            assert 200 <= shape.y <= 714


def test_a_long_scale_and_a_row_alone_are_shown_as_other_questions() -> None:
    assert survey_view(found([str(n) for n in range(1, 11)])).sections[0].grid is None
    alone = found()
    assert one_question(alone, alone.survey.question("peers"), Selection(), None).sections[0].grid is None
