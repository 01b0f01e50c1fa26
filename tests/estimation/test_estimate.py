"""The public answer: intervals one by one and all at once, exports, the table and the picture."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import deniable as dn
from deniable.estimation.decoders import Decoded
from deniable.estimation.estimate import Estimate, Origin
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.simplex import normalize
from deniable.estimation.table import printable
from deniable.protocol.errors import LabelError, ParameterError
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Target

Matrix = npt.NDArray[np.float64]
TARGETS: tuple[Target, Target] = ("population", "sample")
WEIRD = [
    "[red]x[/red] :heart:",
    "tab\tnew\nline",
    "żółć 日本",
    "",
    "$x_1$ ",
    "\ud800",
    "=1+1",
    'say "hi", you',
    "x" * 90,
]


def estimate(
    counts: Sequence[int], n: int, labels: Sequence[Hashable] | None = None, s: Support | None = None
) -> Estimate:
    """An estimate from support counts."""
    evidence = SupportEvidence(n, np.array(counts), s or Support(0.75, 0.25, 0.5))
    unbiased = evidence.unbiased()
    names = range(len(counts)) if labels is None else labels
    found = Decoded(normalize(unbiased), unbiased, "normalized", evidence)
    return Estimate(names, found, Origin(b'{"mechanism":"Survey"}', "Survey(epsilon=1.0)"))


def histograms(n: int) -> npt.NDArray[np.int64]:
    """Every histogram of n reports of three labels."""
    cells = np.indices((n + 1, n + 1)).reshape(2, -1).T
    cells = cells[cells.sum(axis=1) <= n]
    return np.column_stack([cells, n - cells.sum(axis=1)])


def response(ratio: float) -> tuple[Matrix, Support]:
    """k-ary randomized response with three labels."""
    rows = (np.ones((3, 3)) + (ratio - 1) * np.eye(3)) / (ratio + 2)
    return rows, Support(ratio / (ratio + 2), 1 / (ratio + 2), (ratio - 1) / (ratio + 2))


@pytest.mark.parametrize("ratio", [2.7, 20.0])
@pytest.mark.parametrize("level", [0.95, 0.6])
@pytest.mark.parametrize("n", [1, 15])
def test_simultaneous_intervals_cover_all_labels_at_once(n: int, level: float, ratio: float) -> None:
    rows, support = response(ratio)
    outcomes = histograms(n)
    answers = [estimate(list(f), n, s=support) for f in outcomes.tolist()]
    bounds = {t: np.array([e.interval(level, True, t) for e in answers]) for t in TARGETS}
    for held in outcomes[:: 4 if n > 1 else 1]:
        share = held / n
        laws: dict[Target, Matrix] = {
            "population": stats.multinomial.pmf(outcomes, n, share @ rows),
            "sample": fixed_law(rows, held, outcomes),
        }
        for target, law in laws.items():
            low, high = np.moveaxis(bounds[target], 2, 0)
            holds = ((low <= share + 1e-9) & (share - 1e-9 <= high)).all(axis=1)
            assert law[holds].sum() >= level - 1e-9


def fixed_law(rows: Matrix, held: npt.NDArray[np.int64], outcomes: npt.NDArray[np.int64]) -> Matrix:
    """The law of the histogram of reports of the people held, one report added at a time."""
    law = np.zeros((held.sum() + 1,) * 2)
    law[0, 0] = 1
    for row in np.repeat(rows, held, axis=0):
        law = row[0] * np.roll(law, 1, 0) + row[1] * np.roll(law, 1, 1) + row[2] * law
    return law[outcomes[:, 0], outcomes[:, 1]]


@given(st.lists(st.integers(0, 40), min_size=2, max_size=8), st.floats(0.01, 0.999), st.booleans())
def test_intervals_are_never_empty(counts: list[int], level: float, simultaneous: bool) -> None:
    for target in TARGETS:
        bounds = estimate(counts, 40).interval(level, simultaneous, target)
        assert np.isfinite(bounds).all()
        assert (bounds[:, 0] <= bounds[:, 1]).all()
        assert bounds.min() >= 0
        assert bounds.max() <= 1


def test_simultaneous_bounds_know_that_shares_add_up_to_one() -> None:
    made = estimate([700, 280, 260], 1000)
    alpha = made.evidence.interval(0.05 / 3)
    low, high = made.interval(0.95, simultaneous=True).T
    assert high[0] == pytest.approx(min(alpha[0, 1], 1 - np.clip(alpha[1:, 0], 0, 1).sum()))
    assert low[0] == pytest.approx(max(alpha[0, 0], 1 - alpha[1:, 1].sum()))
    assert (np.diff(made.interval()) <= np.diff(np.clip(alpha, 0, 1)) + 1e-12).all()


def test_bounds_that_contradict_each_other_stay() -> None:
    """All labels near 1 cannot be: a miss happened, and no interval is emptied by it."""
    made = estimate([75_000, 74_000, 73_000], 100_000)
    assert np.array_equal(
        made.interval(simultaneous=True), np.clip(made.evidence.interval(0.05 / 3, "population"), 0, 1)
    )


def test_candidates_of_an_open_alphabet_need_not_add_up_to_one() -> None:
    made = estimate([600, 350], 1000)
    opened = replace(made, decoded=made.decoded._replace(unlisted=(0.1, 0.02)))
    closed_low, open_low = made.interval(simultaneous=True)[0, 0], opened.interval(simultaneous=True)[0, 0]
    assert closed_low > open_low
    assert opened.unlisted == (0.1, 0.02)
    assert made.unlisted is None


@pytest.mark.parametrize("level", [0, 1, -0.1, 1.5, float("nan"), "0.95", True, None, 95])
def test_levels_are_checked(level: Any) -> None:
    with pytest.raises(ParameterError, match="level must be a number between 0 and 1, got level="):
        estimate([30, 20], 50).interval(level)


@pytest.mark.parametrize("truth", [[0.5, 0.6], [1.0], [1.5, -0.5], [float("nan"), 1.0], "ab", 3])
def test_truths_are_checked(truth: Any) -> None:
    with pytest.raises(ParameterError, match="truth must"):
        estimate([30, 20], 50).plot(truth=truth)


@pytest.mark.parametrize("target", ["both", None, ""])
def test_targets_are_checked(target: Any) -> None:
    with pytest.raises(ParameterError, match='target must be "population" or "sample", got target='):
        estimate([30, 20], 50).interval(target=target)


@pytest.mark.parametrize("k", [0, -1, 1.5, "2"])
def test_the_number_of_top_labels_is_checked(k: Any) -> None:
    with pytest.raises(ParameterError, match="k must be an int of at least 1, got k="):
        estimate([30, 20], 50).top(k)


def test_counts_and_errors_follow_from_the_evidence() -> None:
    made = estimate([600, 400], 1000)
    assert made.n == 1000
    assert np.allclose(made.counts, 1000 * made.frequencies)
    assert np.array_equal(made.stderr, made.evidence.stderr())
    assert repr(made) == "Estimate(2 labels, n=1000, decoder='normalized', Survey(epsilon=1.0))"


def test_a_share_is_found_by_its_label() -> None:
    made = estimate([600, 350, 380], 1000, ["yes", "no", ("a", 1)])
    for place, label in enumerate(made):
        share = made[label]
        assert (share.value, share.stderr) == (made.frequencies[place], made.stderr[place])
        assert share.interval(0.8) == tuple(made.interval(0.8)[place])
    for other in ("maybe", 0, None, [1]):
        with pytest.raises(LabelError, match="label must be one of the 3 that were estimated, got"):
            made[other]
    with pytest.raises(ParameterError, match="level"):
        made["yes"].interval(95)


def test_labels_that_python_calls_equal_are_told_apart() -> None:
    survey = dn.simulate(dn.RandomizedResponse([2, 1, 5], 1.0), [0.2, 0.3, 0.5], users=1000, seed=1)
    assert survey[1].value == survey.frequencies[1]
    with pytest.raises(LabelError, match="got one that is not"):
        survey[True]


def test_top_is_sorted_and_stable() -> None:
    made = estimate([400, 600, 400, 500], 1000, ["a", "b", "c", "d"])
    assert [row.label for row in made.top(4)] == ["b", "d", "a", "c"]
    assert [row.label for row in made.top(2)] == ["b", "d"]
    assert len(made.top(99)) == 4
    row = made.top(1, level=0.8)[0]
    assert [row.low, row.high] == made.interval(0.8)[1].tolist()
    assert row.frequency == made.frequencies[1]


def test_dict_json_and_arrow_say_the_same() -> None:
    made = estimate([600, 400, 300], 1000, ["é", "b,c", '"'])
    plain = made.to_dict(0.9)
    assert plain["n"] == 1000
    assert plain["level"] == 0.9
    assert plain["mechanism"] == "Survey(epsilon=1.0)"
    assert [plain["low"], plain["high"]] == made.interval(0.9).T.tolist()
    assert json.loads(made.to_json(0.9)) == plain
    table = made.to_arrow(0.9)
    columns = {name: values for name, values in plain.items() if name in table.column_names}
    assert table.to_pydict() == columns
    about = {name.decode(): text.decode() for name, text in table.schema.metadata.items()}
    texts = {name: about.pop(name) for name in ("mechanism", "decoder", "target")}
    assert texts | {name: json.loads(text) for name, text in about.items()} | columns == plain


def test_csv_round_trip(tmp_path: Path) -> None:
    labels = ["é", "b,c", '"', "two\nlines"]
    made = estimate([600, 400, 300, 250], 1000, labels)
    text = made.to_csv(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as written:
        rows = list(csv.DictReader(written))
    assert rows == list(csv.DictReader(io.StringIO(text)))
    assert [row["label"] for row in rows] == labels
    assert [float(row["high"]) for row in rows] == made.interval()[:, 1].tolist()


@pytest.mark.parametrize(
    ("labels", "written"),
    [
        ([1, 2], [1, 2]),
        ([0.5, 1.5], [0.5, 1.5]),
        ([1, "a"], ["1", "a"]),
        ([b"\xff", b"a"], ["b'\\xff'", "b'a'"]),
        ([("a", 1), ("b", 2)], ["('a', 1)", "('b', 2)"]),
        ([2**80, 1], [str(2**80), "1"]),
        ([True, False], [True, False]),
    ],
)
def test_labels_of_any_kind_are_written(labels: list[Hashable], written: list[Any]) -> None:
    made = estimate([30, 20], 50, labels)
    assert made.to_arrow().column("label").to_pylist() == written
    assert [str(label) for label in json.loads(made.to_json())["label"]] == [
        str(label) if isinstance(label, int | float) else shown for label, shown in zip(labels, written, strict=True)
    ]
    assert made.to_csv().startswith("label,frequency,count,unbiased,stderr,low,high,outside\n")
    assert printable(labels[0]) in str(made)


def test_weird_labels_stay_on_their_line(tmp_path: Path) -> None:
    made = estimate([30 + j for j in range(9)], 50, WEIRD)
    lines = str(made).encode().decode().splitlines()
    assert len(lines) == 3 + len(WEIRD) + 1  # the shares, which add up to much more than 1, are moved
    assert any(line.startswith(" [red]x[/red] :heart: ") for line in lines)
    assert any("tab\\tnew\\nline" in line for line in lines)
    assert any("\\ud800" in line for line in lines)
    assert len(made.to_csv(tmp_path / "weird.csv").encode()) == (tmp_path / "weird.csv").stat().st_size
    assert made.to_arrow().num_rows == len(json.loads(made.to_json())["label"]) == 9


def test_the_table_shows_the_largest_and_counts_the_rest() -> None:
    made = estimate([400 + j for j in range(1300)], 1000)
    lines = str(made).splitlines()
    assert lines[0] == "Survey(epsilon=1.0): 1,000 people, decoder normalized"
    assert lines[1].split() == ["label", "share", "95%", "interval", "people"]
    assert [line.split()[0] for line in lines[3:23]] == [str(j) for j in range(1299, 1279, -1)]
    assert lines[23] == "... and 1,280 more labels with smaller shares; CSV and JSON list all"


def test_long_labels_are_cut_in_the_middle() -> None:
    cut = printable("https://example.org/a/very/long/path/page-1.html", 20)
    assert cut == "https://ex…ge-1.html"
    assert len(cut) == 20
    assert printable("short") == "short"
    assert printable("") == '""'


@pytest.mark.parametrize("d", [2, 12, 60])
@pytest.mark.parametrize("known", [False, True])
def test_the_picture_shows_what_it_says(d: int, known: bool) -> None:
    made = estimate([400 + j for j in range(d)], 1000)
    truth = np.arange(1, d + 1) / (d * (d + 1) / 2)
    figure = made.plot(truth if known else None)
    axes = figure.axes[0]
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert made.reading().outside.any()
    marks = ["estimate (normalized)", "estimate outside its interval"]
    assert words == ["95% interval", *marks, *(["truth"] if known else [])]
    assert axes.get_title(loc="left").startswith("Survey(epsilon=1.0)\n1,000 people")
    assert "share of people" in (axes.get_xlabel(), axes.get_ylabel())
    shown = min(d, 40)
    assert ("20 more not shown" in axes.get_title(loc="left")) == (d == 60)
    dots = np.asarray(axes.lines[0].get_ydata())
    assert len(dots) == shown
    expected = made.frequencies if d <= 40 else np.sort(made.frequencies)[::-1][:40]
    assert np.allclose(dots, expected)
    assert not known or np.allclose(axes.lines[2].get_ydata(), truth if d <= 40 else truth[::-1][:40])


@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures_of_weird_labels_are_drawn(form: str) -> None:
    labels = [label.replace("日本", "") for label in WEIRD]  # the default font has no such letters, and warns
    page = io.BytesIO()
    estimate([30 + j for j in range(9)], 50, labels).plot().savefig(page, format=form)
    assert len(page.getvalue()) > 5000
    assert form == "png" or b"$x_1$" in page.getvalue() or b"DejaVu" in page.getvalue()


def test_one_person() -> None:
    made = estimate([1, 0, 0], 1)
    assert np.isfinite([made.frequencies, made.stderr, made.counts]).all()
    assert made.interval().tolist() == [[0, 1]] * 3
    assert str(made).startswith("Survey(epsilon=1.0): 1 person, decoder normalized\n")
    assert made.plot().axes[0].get_title(loc="left").endswith("\n1 person")
    assert "NaN" not in made.to_json()
