"""The pictures of crossed tables and of differences show what their tables say."""

from __future__ import annotations

import io

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.image import imread as read_png
from tests.surveys.commute import crossed, people

import deniable as dn
from deniable.arrays import Matrix
from deniable.estimation.cross import CrossTable
from deniable.estimation.grouped_readings import GroupedReadings
from deniable.estimation.reading import Reading
from deniable.estimation.shown_figure import ShownFigure
from deniable.protocol.errors import ParameterError

PEOPLE = people(3000)
SURVEY = crossed()
RESULTS = SURVEY.estimate(SURVEY.tally(SURVEY.answer_many(PEOPLE, seed=1)))
LATER = SURVEY.estimate(SURVEY.tally(SURVEY.answer_many(PEOPLE, seed=2)))


def words(figure: Figure) -> list[str]:
    """The legend."""
    return [text.get_text() for text in figure.legends[0].get_texts()]


def bands(axes: Axes) -> Matrix:
    """The bounds that are drawn."""
    drawn = axes.collections[0]
    assert isinstance(drawn, LineCollection)
    return np.array(drawn.get_segments())[:, :, 0]


def table_of(rows: int, columns: int) -> CrossTable:
    """A crossed table of so many answers, from few people."""
    first, second = dn.OneOf("cost", rows), dn.OneOf("second", columns)
    pairs = [(x, y) for x in first.labels for y in second.labels]
    survey = dn.Survey("big", [first, second], [dn.Arm(dn.Part([first, second], dn.Subset(pairs, 4.0)))])
    rng = np.random.default_rng(1)
    told = {q.name: rng.integers(0, len(q.labels), 500).tolist() for q in (first, second)}
    return survey.estimate(survey.tally(survey.answer_many(told, seed=1))).cross("cost", "second")


def test_a_crossed_table_has_a_panel_for_each_column() -> None:
    table = RESULTS.cross("way", "late")
    figure = table.plot()
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["late: yes", "late: no"]
    for axes, shares in zip(figure.axes, table.shares.T, strict=True):
        lines = {str(line.get_label()): np.asarray(line.get_xdata()) for line in axes.lines}
        assert np.allclose(lines["estimate (unbiased)"], shares)
        assert np.allclose(lines["if independent"], table.shares.sum(axis=1) * shares.sum())
    assert np.allclose(bands(figure.axes[1]), table.interval()[:, 1])
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["car", "bus", "bike", "foot"]
    assert "independent: p = " in str(figure.get_suptitle())


def test_the_truth_is_drawn_where_it_is_known() -> None:
    table = RESULTS.cross("way", "late")
    truth = np.full((4, 2), 1 / 8)
    assert "truth" in words(table.plot(truth=truth))
    assert "truth" not in words(table.plot(level=0.9))
    assert "90% interval" in words(table.plot(level=0.9))
    with pytest.raises(ParameterError, match="truth must"):
        table.plot(truth=[[1.0]])
    with pytest.raises(ParameterError, match="level must"):
        table.plot(level=2.0)


def test_of_a_large_table_the_largest_cells_are_drawn_and_said_to_be() -> None:
    table = table_of(45, 14)
    figure = table.plot()
    assert len(figure.axes) == 12
    assert f"{45 * 14 - 40 * 12} more cells not shown" in figure.get_suptitle()
    assert "estimate outside its interval" in words(figure)
    least = min(np.asarray(axes.lines[0].get_xdata()).size for axes in figure.axes)
    assert least == 40


def test_five_columns_take_two_lines_of_panels() -> None:
    figure = table_of(3, 5).plot()
    assert len(figure.axes) == 5
    assert [bool(axes.get_xlabel()) for axes in figure.axes] == [False, True, True, True, True]
    page = io.BytesIO()
    figure.savefig(page, format="svg")
    assert b"cost" in page.getvalue()


def test_groups_are_rows_in_a_panel_for_each_label() -> None:
    coin = dn.RandomizedResponse(["yes", "no"], 2.0)
    readings: dict[tuple[str, ...], Reading] = {
        (week,): dn.simulate(coin, [0.3, 0.7], 1000, seed).reading(0.9) for seed, week in enumerate(("a", "b"))
    }
    figure = GroupedReadings(("week",), readings).plot()
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["label: yes", "label: no"]
    for place, axes in enumerate(figure.axes):
        shares = [reading.estimate.frequencies[place] for reading in readings.values()]
        assert np.allclose(np.asarray(axes.lines[0].get_xdata()), shares)
        assert np.allclose(bands(axes), [reading.bounds[place] for reading in readings.values()])
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["a", "b"]
    assert words(figure) == ["90% interval", "estimate"]


def test_a_long_title_takes_lines() -> None:
    """Of two questions with long names, which a single line would lose at the right."""
    long, late = dn.OneOf("comes-by-" + "bus-" * 12, ["a", "b"]), dn.OneOf("late-" + "more-" * 10, ["yes", "no"])
    survey = dn.Survey.plan("long", [long, late], 3.0, 2000, cross=[(long.name, late.name)])
    answers = {question.name: list(question.labels) * 100 for question in (long, late)}
    results = survey.estimate(survey.tally(survey.answer_many(answers, seed=1)))
    lines = results.cross(long.name, late.name).plot().get_suptitle().splitlines()
    assert max(map(len, lines)) < 100 < len(lines[0]) + len(lines[1])


def test_a_difference_has_a_row_for_each_label() -> None:
    change = RESULTS["way"].difference(LATER["way"])
    figure = change.plot(level=0.9)
    axes = figure.axes[0]
    assert np.allclose(np.asarray(axes.lines[0].get_xdata()), change.values)
    assert np.allclose(bands(axes), change.interval(0.9))
    assert words(figure) == ["90% interval", "difference"]
    assert axes.get_title(loc="left") == change.people
    with pytest.raises(ParameterError, match="level must"):
        change.plot(0)


def test_of_many_labels_the_clearest_differences_are_drawn_in_their_own_order() -> None:
    m = dn.Subset(60, 2.0)
    people = np.random.default_rng(1).integers(0, 60, (2, 2000))
    one, other = (m.estimate(m.tally(m.privatize_many(column, seed=seed))) for seed, column in enumerate(people))
    change = one.difference(other)
    axes = change.plot().axes[0]
    clearest = np.sort(np.argsort(change.p_values, kind="stable")[:40])
    assert np.allclose(np.asarray(axes.lines[0].get_xdata()), change.values[clearest])
    assert [tick.get_text() for tick in axes.get_yticklabels()] == [str(place) for place in clearest]
    assert "20 more labels not shown" in axes.get_title(loc="left")


def test_a_notebook_is_given_every_picture_to_show() -> None:
    """Figures are drawn without pyplot, so a notebook draws them by what they say of themselves alone."""
    first, later = RESULTS["way"], LATER["way"]
    drawn = [first.plot(), first.difference(later).plot(), RESULTS.cross("way", "late").plot()]
    for figure in drawn:
        assert isinstance(figure, ShownFigure)
        height, width, _ = read_png(io.BytesIO(figure._repr_png_())).shape
        assert (width, height) == tuple(np.floor(figure.get_size_inches() * 110).astype(int))
