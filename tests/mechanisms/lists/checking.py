"""What the tests of lists share: small channels, coverage, aggregate draws, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.audit.conformance import CHECKS
from deniable.mechanisms.mechanism import Mechanism

FALSE_ALARM = 1e-9
"""Of each comparison below; there are fewer than 100."""
SURVEYS = by_length(200, 1500)


def check_small(m: Mechanism) -> None:
    """All that the suite checks, and that the claim does not hold at a little less."""
    assert {name: problem for name, check in CHECKS.items() if (problem := check(m)) is not None} == {}
    guarantee: Any = m.guarantee
    assert guarantee.holds(m.channel())
    assert not guarantee.at(guarantee.epsilon * (1 - 1e-6)).holds(m.channel())
    assert dn.audit(m).epsilon <= guarantee.epsilon


def common(d: int) -> Any:
    """A few lists of d labels: none, one, some, all; and shares of people who hold each."""
    lists = [[], [0], [1], [0, 1], list(range(0, d, 2)), list(range(d))]
    return lists, np.array([0.3, 0.2, 0.1, 0.2, 0.1, 0.1])


def check_fair(m: Any, n: int, seed: int, lists: Any = None, people: Any = None, unbiased: bool = True) -> None:
    """Estimates have the mean and intervals the coverage that they claim, for population and sample.

    95% intervals must cover at least 94.5% of labels and surveys (a point and a half less where few are drawn), but for
    chance at the rate of false alarms: the surveys of one label are independent.
    """
    if lists is None:
        lists, people = common(m.law.labels)
    rows, generator = m.domain.indices(lists), np.random.default_rng(seed)
    held = m.domain.flags(rows)
    truth, least = people @ held, float(stats.binom.ppf(FALSE_ALARM, SURVEYS, 0.95)) / SURVEYS
    covered = {target: np.zeros(len(truth)) for target in ("population", "sample")}
    mean = np.zeros(len(truth))
    for _ in range(SURVEYS):
        drawn = generator.multinomial(n, people)
        tally = dn.Tally(n, m.draw_lists(rows, drawn, generator), m.spec_bytes)
        estimate = m.estimate(tally, "unbiased")
        mean += estimate.unbiased / SURVEYS
        for target, shares in (("population", truth), ("sample", drawn @ held / n)):
            low, high = estimate.interval(target=target).T
            covered[target] += (low <= shares + 1e-12) & (shares - 1e-12 <= high)
    for found in covered.values():
        assert found.min() / SURVEYS >= least, found / SURVEYS
        assert found.mean() / SURVEYS >= by_length(0.93, 0.945)
    if unbiased:
        error = np.array([m.risk(n, truth=np.full(len(truth), share)) / len(truth) for share in truth])
        assert (np.abs(mean - truth) < 7 * np.sqrt(error / SURVEYS)).all()


def check_agreement(m: Any, lists: Any, people: Any) -> None:
    """Aggregate counts have the mean of drawn reports' counts, at 7 standard errors."""
    rows, people, draws = m.domain.indices(lists), np.asarray(people), by_length(150, 300)
    labels = [value for value, count in zip(lists, people.tolist(), strict=True) for _ in range(count)]
    each = np.array([m.tally(m.privatize_many(labels, seed=seed)).counts for seed in range(draws)])
    generator = np.random.default_rng(1)
    drawn = np.array([m.draw_lists(rows, people, generator) for _ in range(draws)])
    spread = np.sqrt((each.var(axis=0) + drawn.var(axis=0)) / draws + 1e-9)
    assert (np.abs(each.mean(axis=0) - drawn.mean(axis=0)) / spread).max() < 7
    seen = each.var(axis=0) > 5
    ratio = drawn.var(axis=0)[seen] / each.var(axis=0)[seen]
    assert (np.abs(np.log(ratio)) < 7 * np.sqrt(4 / draws)).all()


def check_refusals(m: Mechanism) -> None:
    """What is no list of the labels mail, maps and é, and what lists cannot be asked, is refused and not shown."""
    for value in ("mail", None, 7, ["chat"], ["mail", "mail"], [None], {"mail": 1}):
        with pytest.raises(dn.LabelError) as caught:
            m.privatize(value)
        assert "chat" not in str(caught.value)
        with pytest.raises(dn.LabelError):
            m.privatize_many([["mail"], value])
    reports = m.privatize_many([["mail"], [], ["é", "mail", "maps"]], seed=1)
    for decoder in ("likelihood", "normalized", "posterior", "magic"):
        with pytest.raises(dn.ParameterError, match=r"^decoder must be one of unbiased, projected for lists"):
            m.estimate(reports, decoder)
    for arguments in ({"prior": [0.5] * 3}, {"candidates": ["a"]}):
        given: Any = arguments
        with pytest.raises(dn.ParameterError):
            m.estimate(reports, **given)
    for truth in ([0.5, 0.5], [0.5, 1.5, 0], [-0.1, 0, 0], "abc"):
        wrong: Any = truth
        with pytest.raises(dn.ParameterError, match=r"^truth must"):
            m.risk(10, truth=wrong)
    assert m.risk(10, truth=[1, 1, 0.5]) > 0
    projected = m.estimate(reports)
    assert ((projected.frequencies >= 0) & (projected.frequencies <= 1)).all()
    bounds = projected.interval(simultaneous=True)
    assert (bounds[:, 0] <= bounds[:, 1]).all()
