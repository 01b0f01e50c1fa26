"""Sentences claim what intervals allow, at the rate that they promise, and no more."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.estimation import saying
from deniable.estimation.saying import headline
from deniable.estimation.share import Estimated
from deniable.estimation.words import share_in_words
from deniable.protocol.say import english

CARS = {"car": 0.4, "bus": 0.2, "train": 0.13, "bike": 0.19, "foot": 0.08}
MECHANISM = dn.RandomizedResponse(list(CARS), 2.0)


def share_sentence(estimate: Estimated, is_open: bool = False) -> str:
    return english(saying.share_sentence(estimate, is_open))


def of(people: int, seed: int = 1) -> dn.Estimate:
    return dn.simulate(MECHANISM, list(CARS.values()), users=people, seed=seed)


def test_a_clear_leader_is_named_with_its_lead() -> None:
    said = share_sentence(of(20_000), is_open=False)
    assert said.startswith("“car” is the most frequent answer: between ")
    assert "more than any other. “bike” and “bus” cannot be told apart." in said


def test_most_is_said_of_more_than_half_alone() -> None:
    for share in (0.48, 0.53, 0.6):
        said = share_sentence(dn.simulate(MECHANISM, [share, *[(1 - share) / 4] * 4], users=20_000, seed=1))
        assert said.startswith("Most people answer “car”: between ") == (share == 0.6), said


def test_two_or_three_that_may_lead_are_named() -> None:
    even = dn.simulate(MECHANISM, [0.3, 0.3, 0.2, 0.1, 0.1], users=9000, seed=2)
    shares = [english(share_in_words(*each)) for each in even.interval(simultaneous=True)[:2].tolist()]
    told = [f"“{label}”: {share}" for label, share in zip(("car", "bus"), shares, strict=True)]
    assert even.unbiased[0] > even.unbiased[1]
    title, more = map(english, headline(saying.share_sentence(even)))
    assert (title, more) == ("“car” or “bus”: too close to call.", f"{', '.join(told)}.")
    assert share_sentence(even) == f"{title} {more}"
    long = dn.simulate(dn.RandomizedResponse(["a" * 50, "b" * 50, "c"], 2.0), [0.45, 0.45, 0.1], users=9000, seed=2)
    assert share_sentence(long).startswith("No answer is clearly ahead: 2 of 3 may be first, each given by between ")


def test_a_title_is_one_line_however_much_is_known() -> None:
    """At most 70 letters stand in a line of a page's title; labels of a word leave room for them."""
    worlds = ([0.3, 0.3, 0.2, 0.1, 0.1], [0.2] * 5, list(CARS.values()), [0.6, 0.1, 0.1, 0.1, 0.1])
    for shares in worlds:
        for people in (60, 200, 3000, 20_000):
            said = saying.share_sentence(dn.simulate(MECHANISM, shares, users=people, seed=people))
            title, more = map(english, headline(said))
            assert len(title) <= 70 or title == english(said) == english(saying.SHARES_UNKNOWN), title
            assert re.sub("[.:] ?", "", english(said)).lower() == re.sub("[.:] ?", "", title + more).lower()


def test_of_many_that_may_lead_it_is_said_how_many() -> None:
    all_alike = dn.simulate(MECHANISM, [0.2] * 5, users=2000, seed=1)
    assert share_sentence(all_alike).startswith("No answer is clearly ahead: each of the 5 is given by between ")
    leaders = dn.simulate(dn.RandomizedResponse(range(8), 3.0), [0.19] * 5 + [0.05 / 3] * 3, users=9000, seed=2)
    assert share_sentence(leaders).startswith("No answer is clearly ahead: 5 of 8 may be first, each given by between ")


def test_of_few_people_it_is_said_what_is_known_and_not_between_what_all_lie() -> None:
    where = dn.RandomizedResponse(["desk", "outdoors", "canteen", "none"], 2.0)
    asked = dn.simulate(where, [0.5, 0.15, 0.25, 0.1], users=120, seed=2)
    low, high = asked.interval(simultaneous=True)[0].tolist()
    told = english(share_in_words(low, high)).capitalize()
    assert share_sentence(asked) == f"{told} people answer “desk”: whether that is the most frequent answer is open."


def test_where_nothing_leads_a_sentence_is_wrong_in_at_most_one_of_twenty_surveys() -> None:
    """100 surveys of each of four kinds: the limit is exceeded by chance less than once in 10^6."""
    worlds = (
        (5, [0.3, 0.3, 0.2, 0.1, 0.1], 3000, "too close"),
        (5, [0.2] * 5, 2000, "each of the"),
        (8, [0.19] * 5 + [0.05 / 3] * 3, 4000, "may be first"),
        (4, [0.3, 0.3, 0.3, 0.1], 120, "is open"),
    )
    wrong = 0
    for labels, truth, users, kind in worlds:
        mechanism = dn.RandomizedResponse(range(labels), 2.0)
        said = [share_sentence(dn.simulate(mechanism, truth, users=users, seed=seed)) for seed in range(100)]
        assert sum(kind in each for each in said) > 10, kind
        wrong += sum(not is_true(each, truth) for each in said)
    assert wrong <= stats.binom.isf(1e-6, 400, 0.05)


def is_true(said: str, truth: list[float]) -> bool:
    """Whether a sentence about labels that are numbers, of which none leads surely, holds of the true shares."""
    named = [int(label) for label in re.findall(r"“(\d+)”", said)]
    most = max(truth)
    if "too close" in said:
        told = dict(re.findall(r"“(\d+)”: ([^,.]+)", said))
        return most in [truth[label] for label in named] and all(holds(told[each], truth[int(each)]) for each in told)
    if "is clearly ahead" in said:  # of those that may be first one is
        return all(holds(said, each) for each in (truth if "each of the" in said else [most]))
    return holds(said, truth[named[0]]) and ("is the most frequent" not in said or "whether" in said)


def test_an_open_period_is_compared_with_nothing() -> None:
    said = share_sentence(of(20_000), is_open=True)
    assert said.startswith("So far “car” has the largest estimate")
    assert "more than" not in said


def test_the_largest_so_far_has_an_interval_that_allows_for_its_being_chosen() -> None:
    """Of 20 equal shares the largest estimate is luck: its own interval holds the truth in 60 of 100 surveys only."""
    mechanism, surveys = dn.RandomizedResponse(range(20), 1.0), 200
    found = [dn.simulate(mechanism, [0.05] * 20, users=5000, seed=seed) for seed in range(surveys)]
    said = [share_sentence(each, is_open=True) for each in found]
    least = stats.binom.ppf(1e-6, surveys, 0.95)
    assert sum(holds(each, 0.05) for each in said) >= least
    alone = [each.interval()[int(np.argmax(each.unbiased))] for each in found]
    assert sum(low <= 0.05 <= high for low, high in alone) < least


def holds(said: str, share: float) -> bool:
    """Whether the words of a sentence allow a share."""
    found = re.search(r"(?i)(?:between (\d+) and|at most) (\d+) in 100", said)
    assert found, said
    low, high = found.groups("0")
    return int(low) / 100 <= share <= int(high) / 100


def test_few_answers_say_nothing() -> None:
    assert share_sentence(of(10), is_open=False).startswith("Nothing can be said yet")
    said = "every interval is wider than 50 in 100 people. It takes about 22 answers to say something."
    assert of(10).summary().endswith(said)


def test_two_answers_are_told_by_one_share() -> None:
    yes = dn.RandomizedResponse(["yes", "no"], 1.0)
    said = [share_sentence(dn.simulate(yes, [p, 1 - p], users=9000, seed=4), is_open=False) for p in (0.2, 0.5, 0.8)]
    assert said[0].endswith("people answer “yes”: fewer than half.")
    assert said[1].endswith("whether that is a majority is open.")
    assert said[2].endswith("people answer “yes”: more than half.")


def test_of_texts_only_those_that_were_looked_for_are_compared() -> None:
    """Most people wrote a text that is no candidate, so the largest candidate is not the most frequent answer."""
    words = dn.HashedResponse(4.0, symbols=16, cohorts=64)
    tally = words.tally(words.privatize_many(["news"] * 12_000 + ["mail"] * 6000 + ["maps"] * 2000, seed=1))
    said = words.estimate(tally, candidates=["mail", "maps", "chat"]).summary()
    assert "“mail” is the most frequent answer of those looked for: between " in said
    two = words.estimate(tally, candidates=["mail", "news"]).summary()
    assert "Most people answer “news”: between " in two, "not the first one, as of yes and no"
    alone = words.estimate(tally, candidates=["news"]).summary()
    assert re.search(r" answered\. Between \d+ and \d+ in 100 people answer “news”\. A statement ", alone)


def test_a_leader_is_wrongly_named_in_at_most_one_of_twenty_surveys() -> None:
    """Of two that lead alike either is wrong. 400 surveys: the limit is exceeded by chance less than once in 10^6."""
    shares, surveys = [0.3, 0.3, 0.2, 0.1, 0.1], 400
    said = [
        share_sentence(dn.simulate(MECHANISM, shares, users=3000, seed=seed), is_open=False) for seed in range(surveys)
    ]
    wrong = sum("is the most frequent" in each for each in said)
    assert wrong <= stats.binom.isf(1e-6, surveys, 0.05)


def test_summaries_stand_by_themselves() -> None:
    before, after = of(20_000), dn.simulate(MECHANISM, [0.3, 0.3, 0.13, 0.19, 0.08], users=30_000, seed=2)
    assert before.summary().startswith("20,000 people answered. “car” is the most frequent answer: between ")
    assert before.summary().endswith(" A statement like this is right in 19 of 20 surveys.")
    found = after.difference(before).summary()
    assert "The two differ." in found
    assert re.search(r"“bus”: fewer, by \d+\.\d to \d+\.\d points\. “car”: more, by ", found)


def test_two_surveys_of_the_same_people_differ_in_no_words() -> None:
    one, other = of(2000, seed=3), of(2000, seed=4)
    assert one.difference(other).summary().startswith("No difference can be seen.")


@pytest.mark.soak
def test_a_difference_is_wrongly_seen_in_at_most_one_of_twenty_pairs() -> None:
    """Pairs of surveys of the same truth: the limit is exceeded by chance less than once in 10^6."""
    number = by_length(100, 1000)
    pairs = [(of(2000, seed=2 * k), of(2000, seed=2 * k + 1)) for k in range(number)]
    wrong = sum("differ." in first.difference(second).summary() for first, second in pairs)
    assert wrong <= stats.binom.isf(1e-6, number, 0.05)
