"""Whatever mechanism drew the reports: the likelihood of a regression is what the exact channel has."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from tests.cases import each
from tests.estimation.models.made_up_people import odds
from tests.mechanisms.examples import make

import deniable as dn
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol.errors import ParameterError


@each("name", FAMILIES)
def test_every_mechanism_enters_by_its_exact_chances(name: str) -> None:
    """The likelihood of a few reports is that of the channel, label by label, whatever the family."""
    m: Any = make(name, [f"l{i}" for i in range(4)], 1.5)
    labels, x = list(m.domain.every()), np.arange(24.0) % 5
    reports = m.privatize_many([labels[i % len(labels)] for i in range(24)], seed=3)
    found: Any = dn.regress(
        ("item", ["x"] if len(labels) < 6 else []), {"x": x}, {"item": (m, reports)}, **_model(labels)
    )
    surface, rng = found.surface, np.random.default_rng(1)
    theta = rng.normal(size=surface.size)
    shares = surface.response.shares(surface.predictors(theta))[found.surface.rows.origin]
    order = [labels.index(label) for label in found.setting.labels]
    chances = np.array([[float(each) for each in row] for row in m.law.chances(m.layout.check(reports))])[order]
    expected = float(np.log((chances.T * shares).sum(axis=1)).sum())
    assert surface.slopes(theta).log_likelihood == pytest.approx(expected, rel=1e-10)


def _model(labels: list[Any]) -> dict[str, Any]:
    return {"event": labels[1]} if len(labels) == 2 else {"model": "multinomial"}


def test_a_text_without_a_list_is_refused() -> None:
    m = dn.HashedResponse(1.0, 4, 8)
    with pytest.raises(ParameterError, match="'word' must have a list of labels to be regressed on, got any text"):
        dn.regress(("word", ["x"]), {"x": [1.0, 2.0, 4.0]}, {"word": (m, m.privatize_many(["a", "b", "c"], seed=1))})


@each("seed", range(3))
def test_the_likelihood_of_small_surveys_is_what_enumeration_has(seed: int) -> None:
    """Three people, every truth of theirs: the chance of their reports is the sum over all truths."""
    m, rng = odds(["a", "b", "c"], 4), np.random.default_rng(seed)
    x, reports = rng.normal(size=3), rng.integers(0, 3, 3)
    wide = {"x": np.append(x, rng.normal(size=6))}
    told = np.append(reports, rng.integers(0, 3, 6))
    found: Any = dn.regress(("y", ["x"]), wide, {"y": (m, told)}, model="multinomial")
    surface, q = found.surface, m.channel().probabilities
    theta = rng.normal(size=surface.size)
    shares = surface.response.shares(surface.predictors(theta))[surface.rows.origin]
    whole = sum(
        math.prod(shares[i, y] * q[y, told[i]] for i, y in enumerate(truth))
        for truth in itertools.product(range(3), repeat=9)
    )
    assert surface.slopes(theta).log_likelihood == pytest.approx(math.log(whole), rel=1e-12)


@each(
    "m", [odds(["a", "b", "c"], 3), dn.RandomizedResponse(["no", "yes"], 0.7), dn.Hadamard(5, 1.0), dn.Subset(4, 1.0)]
)
def test_without_columns_shares_are_those_of_the_likelihood_decoder(m: Any) -> None:
    labels = list(m.domain)
    reports = m.privatize_many([labels[min(i % 7, len(labels) - 1)] for i in range(900)], seed=5)
    frame = {"none": np.zeros(900)}
    found: Any = dn.regress(("item", []), frame, {"item": (m, reports)}, **_model(labels))
    shares = dict(zip(labels, m.estimate(reports, decoder="likelihood").frequencies.tolist(), strict=True))
    told = {labels[1]: found.prevalence} if len(labels) == 2 else found.prevalence
    assert {label: each.value for label, each in told.items()} == pytest.approx(
        {label: shares[label] for label in told}, abs=1e-9
    )


def test_one_label_of_many_is_a_yes_or_no() -> None:
    """The bit "the report supports this label" has one chance from it and one from all others."""
    m = dn.Subset(["a", "b", "c", "d"], 2.0)
    x = np.arange(4000) % 2.0
    truth = np.where(np.random.default_rng(1).random(4000) < 0.2 + 0.4 * x, "b", "c").tolist()
    found = dn.regress(("vote", ["x"]), {"x": x}, {"vote": (m, m.privatize_many(truth, seed=1))}, event="b")
    assert found.setting.event == "b"
    assert found.coefficients == pytest.approx([math.log(0.25), math.log(6)], abs=0.5)
    h = dn.Hadamard(["a", "b", "c", "d", "e"], 2.0)
    with pytest.raises(ParameterError, match='take model="multinomial"'):
        dn.regress(("vote", ["x"]), {"x": x}, {"vote": (h, h.privatize_many(truth, seed=1))}, event="b")


def test_several_levels_and_repeated_reports_enter_one_likelihood() -> None:
    """Two people groups at different epsilons, and some who reported twice, with coins of their own."""
    weak, strong, rng = odds(["no", "yes"], 9), odds(["no", "yes"], 2), np.random.default_rng(2)
    x = rng.integers(0, 2, 3000).astype(float)
    truth = np.where(rng.random(3000) < 0.2 + 0.3 * x, "yes", "no")
    first = [int(r) if i % 3 else None for i, r in enumerate(weak.privatize_many(truth.tolist(), seed=1).tolist())]
    second = [
        int(r) if i % 3 != 1 else None for i, r in enumerate(strong.privatize_many(truth.tolist(), seed=2).tolist())
    ]
    found: Any = dn.regress(("item", ["x"]), {"x": x}, {"item": [(weak, first), (strong, second)]})
    surface, theta = found.surface, np.array([-0.4, 0.6])
    shares = surface.response.shares(surface.predictors(theta))[surface.rows.origin]
    q1, q2 = weak.channel().probabilities, strong.channel().probabilities
    each_of = [
        (q1[:, a] if a is not None else 1) * (q2[:, b] if b is not None else 1)
        for a, b in zip(first, second, strict=True)
    ]
    assert surface.slopes(theta).log_likelihood == pytest.approx(
        float(np.log((np.array(each_of) * shares).sum(axis=1)).sum()), rel=1e-12
    )
    assert found.methods == ("score", "score") or set(found.methods) <= {"score", "wald"}
    assert len(found.surface.rows.reports.channels) == 3
