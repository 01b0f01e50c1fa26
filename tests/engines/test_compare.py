"""Mechanisms side by side: errors as predicted, one seed one table, what is left out said, and a broken one caught."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deniable as dn
from deniable.engines import compare as comparing
from deniable.kernels.contiguous import integers

TRUTH = [0.4, 0.25, 0.15, 0.1, 0.07, 0.03]
TIMES = ("draw_seconds", "decode_seconds")
SURVEYS = 50


class Worn(dn.RandomizedResponse):
    """Sends the next label's report one time in thirty: neither its law nor its risk knows."""

    def draw(self, values: Any, entropy: Any) -> Any:
        reports = super().draw(values, entropy)
        reports[::30] = (reports[::30] + 1) % len(self.domain)
        return reports

    def draw_counts(self, people: Any, generator: Any) -> Any:
        counts = super().draw_counts(people, generator)
        moved = counts // 30
        return integers(counts - moved + np.roll(moved, 1))


def timeless(found: dn.MechanismComparison) -> dict[str, list[Any]]:
    return {name: column for name, column in found.columns.items() if name not in TIMES}


def agreement(found: dn.MechanismComparison) -> float:
    """The chance of errors so far from their predictions, by chi-square over the table of one loss."""
    c = found.columns
    half = (np.array(c["simulated_high"]) - np.array(c["simulated_low"])) / 2
    student = (np.array(c["simulated"]) - np.array(c["predicted"])) / half * stats.t.ppf(0.975, SURVEYS - 1)
    normal = stats.norm.ppf(stats.t.cdf(student, SURVEYS - 1))
    return float(stats.chi2.sf((normal**2).sum(), len(normal)))


def test_simulated_errors_agree_with_predictions() -> None:
    """Fails one time in a million if all is right; coverage too is what it says."""
    names = ["RandomizedResponse", dn.Rappor, "optimizedunary", dn.Subset, "Hadamard", dn.Cyclic]
    found = dn.compare(names, epsilons=[0.7, 2.0, 4.0], users=5000, truth=TRUTH, seed=1)
    assert len(found.rows) == 18
    assert found.columns["mechanism"][:6] == ["RandomizedResponse"] * 3 + ["Rappor"] * 3
    assert agreement(found) > 1e-6
    assert 0.93 < float(np.mean(found.columns["coverage"])) < 0.98
    assert all(row["above"] > -1e-9 for row in found.rows)


def test_a_mechanism_that_draws_otherwise_is_caught() -> None:
    """The planted fault: a mechanism that is not registered, and draws what its law does not say."""
    worn = dn.compare([Worn], epsilons=[1.0, 2.0, 3.0], users=20_000, truth=TRUTH, seed=1)
    assert worn.columns["mechanism"] == ["Worn"] * 3
    assert agreement(worn) < 1e-6


def test_every_number_is_that_of_the_mechanism() -> None:
    own = dn.Channel(3, [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    truth = {"a": 0.5, "b": 0.3, "c": 0.2}
    three = [0.5, 0.3, 0.2]
    found = dn.compare({"mine": own, "k": dn.Subset}, [1.0], 2000, three, losses=["l2", "l1", "linf"], surveys=5)
    assert found.columns["mechanism"] == ["mine"] * 3 + ["k"] * 3
    assert found.columns["epsilon"] == [pytest.approx(np.log(2))] * 3 + [1.0] * 3
    for row, m in zip(found.rows, [own] * 3 + [dn.Subset(3, 1.0)] * 3, strict=True):
        assert row["predicted"] == m.risk(2000, row["loss"], truth=three)
        assert row["realised"] == dn.audit(m).epsilon
        assert (row["bits"], row["leverage"]) == (m.report_bits, m.law.leverage)
        assert row["simulated_low"] < row["simulated"] < row["simulated_high"]
    least = dn.bounds.minimax_l2(3, 1.0, 2000)
    assert found.rows[3]["above"] == pytest.approx(dn.Subset(3, 1.0).risk(2000) / least - 1)
    assert found.rows[4]["above"] is None
    named = dn.compare([dn.Subset], epsilons=[1.0], users=2000, truth=truth, surveys=5)
    assert named.rows[0]["predicted"] == found.rows[3]["predicted"]
    uniform = dn.compare([own], surveys=5, users=2000)
    assert uniform.rows[0]["predicted"] == own.risk(2000, truth=[1 / 3] * 3)


def test_one_seed_gives_one_table_whatever_else_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In other processes too, and where a part of it is done already: that is not done again."""
    asked: dict[str, Any] = {"epsilons": [1.0, 2.0], "users": 1000, "truth": TRUTH, "seed": 7, "surveys": 4}
    alone = dn.compare(["Subset"], **asked, folder=tmp_path)
    told: list[int] = []
    both = dn.compare(["Cyclic", "Subset"], **asked, folder=tmp_path, progress=told.append)
    assert both.rows[2:] == alone.rows
    assert told == [1] * 4
    assert timeless(dn.compare(["Cyclic", "Subset", Worn], **asked, processes=2)) == timeless(
        dn.compare(["Cyclic", "Subset", Worn], **asked)
    )
    monkeypatch.setattr(comparing, "measured", None)
    assert dn.compare(["Subset", "Cyclic"], **asked, folder=tmp_path).rows == (*both.rows[2:], *both.rows[:2])
    assert timeless(alone) != timeless(both)


def written_on(screen: int) -> Iterator[str]:
    """All that was written on a terminal whose other end is closed."""
    with suppress(OSError):  # how a terminal says that there is no more
        while part := os.read(screen, 1 << 16):
            yield part.decode(errors="replace")


def test_a_terminal_shows_how_far_it_is_and_nothing_else_does(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked: dict[str, Any] = {"epsilons": [1.0, 2.0], "users": 100, "truth": TRUTH, "surveys": 2}
    dn.compare(["Subset"], **asked)
    assert capfd.readouterr() == ("", "")
    ours, theirs = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(theirs, "w") as screen:
        monkeypatch.setattr(sys, "stderr", screen)
        dn.compare(["Subset"], **asked, progress=lambda _done: None)
        print("so far nothing", file=screen, flush=True)
        dn.compare(["Subset"], **asked)
    shown = "".join(written_on(ours))
    os.close(ours)
    assert shown.startswith("so far nothing")
    assert "compare" in shown
    assert "2 mechanisms" in shown


def test_what_cannot_be_made_is_said() -> None:
    def odd(domain: dn.Domain, epsilon: float) -> dn.Mechanism:
        if epsilon > 1:
            raise dn.ParameterError("epsilon must be at most 1, got more")
        return dn.RandomizedResponse(domain, epsilon)

    found = dn.compare([odd, "PrivateSet"], epsilons=[1.0, 2.0], users=100, truth=TRUTH, surveys=2)
    assert found.columns["mechanism"] == ["odd"]
    assert found.left_out[0] == "odd is not compared at epsilon 2: epsilon must be at most 1, got more."
    assert found.left_out[1].startswith("PrivateSet is not ranked: it is for lists")
    assert all(sentence in str(found) for sentence in found.left_out)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mechanisms": "Subset"}, "must be a list, got str"),
        ({"mechanisms": ["Subsets"]}, "mechanisms must be"),
        ({"mechanisms": ["PrivateSet"]}, "got none: PrivateSet is not ranked"),
        ({"mechanisms": ["Subset"], "epsilons": []}, "epsilons and truth must be given"),
        ({"mechanisms": [dn.Subset(3, 1.0)]}, "truth must"),
        ({"mechanisms": [lambda d, e: 3]}, "got <lambda> of int"),
        ({"mechanisms": ["Subset"], "losses": "l3"}, "losses must be one of l2, l1, linf, got losses='l3'"),
        ({"mechanisms": ["Subset"], "surveys": 1}, "surveys must be"),
    ],
)
def test_what_is_not_right_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(dn.ParameterError, match=said):
        dn.compare(**{"epsilons": [1.0], "users": 100, "truth": TRUTH, **given})


def test_the_picture_has_a_line_for_each_mechanism() -> None:
    found = dn.compare(["Subset", "Hadamard"], epsilons=[1.0, 2.0], users=100, truth=TRUTH, surveys=2)
    (axes,) = found.plot().axes
    assert [line.get_label() for line in axes.lines] == ["Subset", "Hadamard"]
    assert np.asarray(axes.lines[0].get_ydata()).tolist() == found.columns["predicted"][:2]
    with pytest.raises(dn.ParameterError, match="loss must be"):
        found.plot("l1")
