"""Pictures show what they should: the lines, the markers, the names."""

from __future__ import annotations

import math

import numpy as np
import pytest

import deniable as dn
from deniable.planning import pictures

PLACES = {"Rome": (12.5, 41.9), "Milan": (9.2, 45.5), "$Bern": (7.4, 46.9)}


def test_error_regions_have_their_corners() -> None:
    axes = pictures.error_regions([(1.0, 1.0), (math.inf, 1.0)], ("yes", "no")).axes[0]
    warner, mangat = (np.asarray(line.get_xydata()) for line in axes.get_lines()[:2])
    assert np.allclose(warner, np.array([[1, 0], [1 / (1 + math.e)] * 2, [0, 1]]))
    assert np.allclose(mangat[1], [0, math.exp(-1)])
    assert "yes" in axes.get_xlabel()
    assert [line.get_label() for line in axes.get_lines()[:2]] == [
        "level of yes 1, of no 1",
        "level of yes inf, of no 1",
    ]
    with pytest.raises(dn.ParameterError, match="levels must be 1 to 4"):
        pictures.error_regions([(1.0, 1.0)] * 5)


def test_a_label_with_two_dollars_is_no_formula() -> None:
    figure = pictures.error_regions([(1.0, 0.5)], ("$5$", "no"))
    figure.canvas.draw()
    assert figure.legends[0].get_texts()[0].get_text() == r"level of \$5\$ 1, of no 0.5"


@pytest.mark.parametrize("d", [3, 20])
def test_lip_lies_between_the_two_levels_of_ldp(d: int) -> None:
    prior = np.arange(1, d + 1) / (d * (d + 1) / 2)
    axes = pictures.utility(prior, [0.5, 1.0, 2.0]).axes[0]
    once, informed, twice = (np.asarray(line.get_ydata()) for line in axes.get_lines())
    assert (informed <= once + 1e-9).all()
    if d == 3:  # with the best channels of LDP, few labels; randomized response is not the best of many
        assert (twice <= informed + 1e-9).all()
    assert len(axes.collections) == 1


def test_a_map_has_a_marker_a_block_and_names() -> None:
    blocks = dn.Blocks([["Rome", "Milan"], ["$Bern"]], 1.0)
    figure = pictures.block_map(blocks, PLACES, [0.5, 0.3, 0.2])
    axes = figure.axes[0]
    assert [len(np.asarray(group.get_offsets())) for group in axes.collections] == [2, 1]
    assert [text.get_text() for text in axes.texts] == ["Rome", "Milan", "$Bern"]
    figure.canvas.draw()
    with pytest.raises(dn.ParameterError, match="got 1 without"):
        pictures.block_map(blocks, {"Rome": (0, 0), "Milan": (1, 1)})
    with pytest.raises(dn.ParameterError, match="shares must"):
        pictures.block_map(blocks, PLACES, [0.5, 0.5])


def test_the_tradeoff_of_symbols_has_its_minimum_where_the_plan_does() -> None:
    axes = pictures.symbol_tradeoff(3.0, 1000, 100_000).axes[0]
    response = axes.get_lines()[0]
    errors = np.asarray(response.get_ydata())
    assert np.asarray(response.get_xdata())[errors.argmin()] == 16
    assert errors.min() == pytest.approx(dn.plan(epsilon=3.0, users=100_000, candidates=1000).accuracy)
