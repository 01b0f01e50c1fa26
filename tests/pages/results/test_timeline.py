"""Periods in a row: what changed, at the rate that is promised, and texts of which each period has others."""

from __future__ import annotations

import re

import numpy as np
from scipy import stats

import deniable as dn
from deniable.collector.storage.rows import JOINED, OPEN, RELEASED, WITHHELD, Standing
from deniable.pages.results.changes import Timeline
from deniable.pages.results.timeline import line_of

YES = dn.RandomizedResponse(["yes", "no"], 2.0)


def line(estimates: list[dn.Estimate | None], place: int = 0, last: str = RELEASED) -> Timeline:
    states = [RELEASED] * (len(estimates) - 1) + [last]
    standings = [Standing(0, "", f"2026-W{10 + w}", state, 4000, 4000, False) for w, state in enumerate(states)]
    return line_of(list(zip(standings, estimates, strict=True)), place)


def share(p: float, seed: int, people: int = 4000) -> dn.Estimate:
    return dn.simulate(YES, [p, 1 - p], users=people, seed=seed)


def texts(seed: int, **people: int) -> dn.Estimate:
    survey = dn.Survey.plan("inbox", [dn.Text("word", longest=4)], epsilon=4.0, people=10_000)
    words = [word for word, number in people.items() for _ in range(number)]
    return survey.estimate(survey.tally(survey.answer_many({"word": words}, seed=seed)))["word"]


def test_a_rise_and_a_fall_are_said_with_bounds_that_hold_the_interval() -> None:
    before, after = share(0.3, 1), share(0.5, 2)
    for first, last, verb in ((before, after, "rose"), (after, before, "fell")):
        found = re.search(rf"“yes” {verb} by ([\d.]+) to ([\d.]+) points", line([first, last]).sentence)
        assert found
        least, most = sorted(np.abs(first.difference(last).interval()[0]) * 100)
        assert float(found[1]) <= least < float(found[1]) + 0.1
        assert float(found[2]) - 0.1 < most <= float(found[2])


def test_periods_alike_are_called_changed_in_at_most_one_of_twenty_rows() -> None:
    """Of 300 rows; the limit is exceeded by chance less than once in 10^6."""
    said = [line([share(0.4, seed, 2000), share(0.4, 1000 + seed, 2000)]).sentence for seed in range(300)]
    assert sum("No change" not in each for each in said) <= stats.binom.isf(1e-6, 300, 0.05)


def test_an_open_period_is_drawn_and_not_compared() -> None:
    found = line([share(0.3, 1), None, share(0.9, 2)], last=OPEN)
    assert found.sentence == "Changes are shown once two periods are closed."
    assert [moment.is_open for moment in found.moments] == [False, False, True]
    assert found.moments[1].measured.words == "too few answers"
    assert found.moments[2].dot is not None


def test_a_period_with_too_few_answers_is_over() -> None:
    standings = [
        Standing(0, "", f"2026-W{10 + w}", each, 9, 0, False) for w, each in enumerate((WITHHELD, JOINED, OPEN))
    ]
    moments = line_of([(each, share(0.3, 1)) for each in standings], 0).moments
    assert [each.is_open for each in moments] == [False, False, True]


def test_a_change_names_the_closed_periods_that_it_is_between() -> None:
    risen = line([share(0.3, 1), None, share(0.5, 2), share(0.9, 3)], last=OPEN)
    assert risen.sentence.endswith("points between 2026-W10 and 2026-W12.")


def test_texts_are_followed_by_what_they_are_and_not_by_where_they_stand() -> None:
    before, after = texts(1, news=6000, mail=4000), texts(2, blog=3000, news=5000, cats=2000)
    found = line([before, after], list(after.labels).index("news"))
    assert found.label == "news"
    assert found.moments[0].estimate == f"{100 * before.unbiased[list(before.labels).index('news')]:.1f}"
    assert "not tested" in found.sentence
    gone = line([before, after], list(after.labels).index("blog")).moments[0]
    assert (gone.measured.words, gone.dot, gone.bands) == ("did not stand out", None, ())


def test_nothing_is_shown_without_answers() -> None:
    assert line([None, None]).sentence.startswith("Nothing can be shown yet")
    assert line([share(0.3, 1)], place=7).axis is None
