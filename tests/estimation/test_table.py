"""Tables of texts: aligned whatever the letters, and HTML that shows labels and never runs them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rich.cells import cell_len
from tests.estimation.parsed_html import Seen

import deniable as dn
from deniable.estimation.bars import Bar, span_of, svg
from deniable.estimation.table import Table

NUMBERS = ("share", "people")


def test_columns_are_aligned_for_letters_of_any_width() -> None:
    labels = ["日本", "e\u0301te\u0301", "Ω", "plain", "\uff57ide"]
    lines = str(Table("t", ("label", *NUMBERS), [(label, "1%", "2") for label in labels])).splitlines()
    assert {cell_len(line) for line in lines[1:]} == {cell_len(lines[2])}
    assert all(line.startswith(" ") for line in lines[1:])


def test_a_table_without_rows_is_a_heading() -> None:
    assert str(Table("t", ("label", "share"), [])).splitlines() == ["t", " label   share", " ─────────────"]


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        str(Table("t", ("label", "share"), [("a", "1", "2")]))


def test_html_shows_what_the_text_shows() -> None:
    table = Table("title", ("label", *NUMBERS), [("yes", "30%", "3"), ("no", "70%", "7")], ["note: few"])
    assert [text for text in Seen(table._repr_html_()).texts if text] == [
        "title", "label", "share", "people", "yes", "30%", "3", "no", "70%", "7", "note: few",
    ]  # fmt: skip


HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt;", "</td></table>", "<style>"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_an_element(text: str) -> None:
    plain = Seen(Table("t", ("label", "share"), [("a", "b")], ["c"], [Bar(0.1, 0.0, 0.2)])._repr_html_())
    seen = Seen(Table(text, (text, text), [(text, text)], [text], [Bar(0.1, 0.0, 0.2)])._repr_html_())
    assert seen.tags == plain.tags
    assert seen.attributes == plain.attributes
    assert seen.texts.count(text) == 6


def test_labels_of_an_estimate_are_shown_and_not_run() -> None:
    estimate = dn.simulate(dn.RandomizedResponse(HOSTILE, 1.0), [0.2] * 5, users=100, seed=1)
    seen = Seen(estimate._repr_html_())
    assert set(seen.tags) <= {
        "div", "style", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "svg", "rect", "circle",
    }  # fmt: skip
    assert all(label in seen.texts for label in HOSTILE)


@pytest.mark.parametrize("made", ["estimate", "plan", "certificate", "tally"])
def test_what_a_notebook_shows_is_small_and_fetches_nothing(made: str) -> None:
    survey = dn.Subset(["a", "b", "c", "d"], 1.0)
    tally = survey.tally(survey.privatize_many(["a", "b"], seed=1))
    every: dict[str, Any] = {
        "estimate": survey.estimate(tally),
        "plan": dn.plan(4, 1.0, 1000),
        "certificate": dn.audit(survey),
        "tally": tally,
    }
    page = every[made]._repr_html_()
    seen = Seen(page)
    assert len(page) < 6000
    assert not {"script", "link", "img", "iframe"} & set(seen.tags)
    assert "url(" not in page
    assert "://" not in page
    assert not {"src", "href", "onclick"} & {name for name, _ in seen.attributes}
    colours = {value for name, value in seen.attributes if name in ("fill", "stroke")}
    assert colours <= {"currentColor", "none"}, "a dark notebook has light text"
    assert not re.search(r"#[0-9a-f]{3,8}\b|rgb|hsl", page)


def test_plans_certificates_and_tallies_say_in_html_what_they_say_in_text() -> None:
    plan = dn.plan(4, 1.0, 1000)
    words = " ".join(Seen(plan._repr_html_()).texts)
    assert plan.reason in words
    assert all(row.name in words and f"{row.error:.3g}" in words for row in plan.rows)
    certificate = dn.audit(dn.Rappor(3, 1.0))
    texts = Seen(certificate._repr_html_()).texts
    assert {"1", "holds", f"{certificate.epsilon:.12g}", certificate.method} <= set(texts)
    assert f"{certificate.mechanism}, {certificate.guarantee}" in texts
    survey = dn.Subset(4, 1.0)
    tally = survey.tally(survey.privatize_many([0, 1, 2], seed=1))
    assert {"Subset", "3", "4", tally.digest[:12]} <= set(Seen(tally._repr_html_()).texts)


# --- bars -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bars", "span"),
    [
        ([Bar(0.2, 0.1, 0.5)], (0.0, 0.5)),
        ([Bar(-0.2, 0.0, 0.5), Bar(0.9, 0.1, 0.3)], (-0.2, 0.9)),
        ([Bar(0.2, 0.1, 0.5, truth=0.7)], (0.0, 0.7)),
        ([Bar(0.0, 0.0, 0.0)], (0.0, 0.0)),
    ],
)
def test_bars_have_room_for_all_that_is_drawn(bars: list[Bar], span: tuple[float, float]) -> None:
    assert span_of(bars) == span
    for bar in bars:
        numbers = [float(x) for x in re.findall(r'(?:x|cx|width)="([0-9.-]+)"', svg(bar, span))]
        assert all(0 <= number <= 120 for number in numbers)


def test_a_bar_is_to_scale() -> None:
    drawn = svg(Bar(0.5, 0.25, 1.0, hollow=True, truth=0.75), (0.0, 1.0))
    assert '<rect x="33.0" y="5.0" width="81.0"' in drawn
    assert '<circle cx="60.0" cy="7.0" r="3" fill="none"' in drawn
    assert '<path d="M82.0 7.0l' in drawn  # the diamond's left corner, 5 pixels before 87
