"""Estimates over candidates: error against theory, what is not listed, what is refused.

Comparisons are Student's t at a false-alarm rate of 1e-8; there are fewer than twenty.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import deniable as dn
from deniable.engines.simulate import simulate_tally
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.theory.risk.support import risk

FALSE_ALARM = 1e-8
TEXTS = [f"page {i}" for i in range(32)]
TRUTH = np.arange(1, 33) / (16 * 33)


def errors(m: Mechanism, n: int, surveys: int, texts: list[str] | None) -> list[float]:
    """Squared errors of the unbiased decoder, each survey with hashes of its own."""
    found = []
    for seed in range(surveys):
        keyed = dn.from_spec({**m.spec(), "key": f"survey {seed}"})
        p = dn.simulate(keyed, TRUTH, n, seed, "unbiased", texts).frequencies
        found.append(float(((p - TRUTH) ** 2).sum()))
    return found


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
@pytest.mark.parametrize("family", [dn.HashedResponse, dn.HashedRappor])
def test_error_with_many_cohorts_is_the_predicted_one(family: Any, epsilon: float) -> None:
    """Many cohorts, so that collisions average out but for a few percent."""
    m, n = family(epsilon, 8, 512), 40_000
    seen, predicted = errors(m, n, 60, TEXTS), m.risk(n, truth=TRUTH)
    assert stats.ttest_1samp(np.array(seen) / 1.03, predicted).pvalue > FALSE_ALARM
    assert np.mean(seen) == pytest.approx(predicted, rel=0.12)


@pytest.mark.parametrize("symbols", [4, 8])
def test_dealt_labels_are_subsets(symbols: int) -> None:
    """With symbols that divide the labels and many cohorts: the (labels/symbols)-subset mechanism's error."""
    m, subset, n = dn.HashedResponse(1.0, symbols, 512, domain=32), dn.Subset(32, 1.0, size=32 // symbols), 40_000
    assert m.risk(n, truth=TRUTH) == pytest.approx(subset.risk(n, truth=TRUTH), rel=0.02)
    assert isinstance(m.law, CohortLaw)
    many = risk(m.law.support, n, 32, "l2", TRUTH, "population")
    assert many == pytest.approx(subset.risk(n, truth=TRUTH), rel=1e-9)
    seen = errors(m, n, 60, None)
    beside = [
        float(((dn.simulate(subset, TRUTH, n, seed, "unbiased").frequencies - TRUTH) ** 2).sum()) for seed in range(60)
    ]
    assert stats.ttest_ind(seen, beside, equal_var=False).pvalue > FALSE_ALARM
    assert np.mean(seen) == pytest.approx(np.mean(beside), rel=0.15)


@pytest.mark.parametrize("decoder", ["unbiased", "nonnegative", "projected", "likelihood"])
def test_what_is_not_listed_is_said(decoder: str) -> None:
    m, listed = dn.HashedResponse(3.0, 16, 128), TEXTS[8:]
    tally = simulate_tally(m, TRUTH, 60_000, 3, candidates=TEXTS)
    found = m.estimate(tally, decoder, listed)
    assert found.unlisted is not None
    share, error = found.unlisted
    assert abs(share - TRUTH[:8].sum()) < 5 * error + 0.02
    assert np.abs(found.frequencies - TRUTH[8:]).max() < 0.02
    assert list(found.labels) == listed
    assert f"not listed: {share:.2%}" in str(found)
    assert found.to_dict()["unlisted"] == {"frequency": share, "stderr": error}


def test_intervals_cover_and_presence_is_found() -> None:
    m, absent = dn.HashedResponse(3.0, 16, 256), [f"nobody {i}" for i in range(100)]
    missed = found = false = 0
    for seed in range(20):
        tally = simulate_tally(m, TRUTH, 50_000, seed, candidates=TEXTS)
        e = m.estimate(tally, candidates=TEXTS + absent)
        low, high = e.interval(0.95).T
        truth = np.append(TRUTH, np.zeros(100))
        missed += int(((truth < low) | (truth > high)).sum())
        present = set(e.present(0.05))
        found += len(present & set(TEXTS[12:]))
        false += len(present & set(absent))
    assert missed < stats.binom.isf(FALSE_ALARM, 20 * 132, 0.05)
    assert found == 20 * 20
    assert false < stats.binom.isf(FALSE_ALARM, 20 * 32, 0.05)


def test_candidates_that_collide_everywhere_share_their_mass_and_are_named() -> None:
    m = dn.HashedResponse(3.0, 2, 2)
    tally = simulate_tally(m, TRUTH, 5_000, 1, candidates=TEXTS)
    e = m.estimate(tally, candidates=TEXTS)
    assert any("collide in every cohort" in note for note in e.notes)
    assert "note: " in str(e)
    assert e.to_dict()["notes"] == list(e.notes)


@pytest.mark.parametrize(
    ("candidates", "reason"),
    [
        (None, "list of texts"),
        ([], "empty list"),
        ("abc", "list of texts"),
        (b"abc", "list of texts"),
        ({"a": 1}, "list of texts"),
        ({"a", "b"}, "list of texts"),
        (np.ma.array(["a", "b"], mask=[False, True]), "list of texts"),
        (np.array([["a", "b"]]), "list of texts"),
        (pa.array(["a", None]), "must be text"),
        ([1, 2], "must be text"),
        (["a", None], "must be text"),
        (["a", "b", "a"], "got 1 repeated"),
        (["a", "\ud800"], "text in Unicode"),
    ],
)
def test_bad_candidates(candidates: Any, reason: str) -> None:
    m = dn.HashedResponse(1.0, 4, 4)
    tally = m.tally(m.privatize_many(["a", "b"], seed=1))
    with pytest.raises((dn.ParameterError, dn.LabelError), match=reason):
        m.estimate(tally, candidates=candidates)


def test_candidates_of_any_kind_of_column() -> None:
    m = dn.HashedResponse(3.0, 16, 64)
    tally = m.tally(m.privatize_many(["a", "b"] * 50, seed=1))
    columns: list[Any] = [["a", "b"], ("a", "b"), np.array(["a", "b"]), pa.array(["a", "b"]), iter(["a", "b"])]
    for column in columns:
        found = m.estimate(tally, candidates=column)
        assert list(found.labels) == ["a", "b"]
        assert all(type(label) is str for label in found.labels)
    not_texts: Any = "ab"
    for call in (dn.simulate, simulate_tally):
        with pytest.raises(dn.ParameterError, match="candidates must be a list"):
            call(m, [0.5, 0.5], 10, 1, candidates=not_texts)


def test_other_refusals() -> None:
    m = dn.HashedResponse(1.0, 4, 4)
    tally = m.tally(m.privatize_many(["a", "b"], seed=1))
    with pytest.raises(dn.TallyError, match="the tally must be of"):
        dn.HashedResponse(1.0, 4, 8).estimate(tally, candidates=["a"])
    with pytest.raises(dn.TallyError, match="at least one report"):
        m.estimate(m.tally([]), candidates=["a"])
    with pytest.raises(dn.ParameterError, match="decoder must be one of"):
        m.estimate(tally, "posterior", ["a"])
    with pytest.raises(dn.ParameterError, match="prior must be left out"):
        m.estimate(tally, candidates=["a"], prior=[1.0])
    with pytest.raises(dn.ParameterError, match="truth must be given"):
        m.risk(10)
    with pytest.raises(dn.CapacityError, match="closed domain"):
        m.channel()
    with pytest.raises(dn.ParameterError, match="candidates must be None"):
        dn.HashedResponse(1.0, 4, 4, domain=3).estimate(tally, candidates=["a"])
    with pytest.raises(dn.ParameterError, match="present must be asked of candidates"):
        dn.simulate(dn.Subset(4, 1.0), [0.25] * 4, 100, 1).present()


def test_one_candidate_and_one_person() -> None:
    m = dn.HashedResponse(3.0, 16, 64)
    e = m.estimate(m.tally([m.privatize("a")]), candidates=["a"])
    assert e.n == 1
    assert np.isfinite(e.interval()).all()


def test_the_command_line_from_texts_to_an_estimate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from deniable.cli import app

    monkeypatch.chdir(tmp_path)
    Path("visits.csv").write_text("page\n" + "café\n" * 700 + "日本\n" * 300, encoding="utf-8")
    Path("words.txt").write_text("café\n日本\nnobody\n", encoding="utf-8")
    hashed = ["--mechanism", "HashedResponse", "--epsilon", "4", "--symbols", "32", "--cohorts", "64"]
    commands = [
        ["privatize", "visits.csv", "--column", "page", *hashed, "--out", "r.parquet", "--seed", "1"],
        ["tally", "r.parquet", "--out", "t.tally"],
        ["estimate", "t.tally", "--candidates", "words.txt", "--out", "e.txt"],
    ]
    for words in commands:
        assert CliRunner().invoke(app, words).exit_code == 0
    page = Path("e.txt").read_text(encoding="utf-8")
    assert "café" in page
    assert "not listed: " in page
    assert CliRunner().invoke(app, ["estimate", "t.tally"]).exit_code == 2


@pytest.mark.parametrize("family", [dn.HashedResponse, dn.HashedRappor])
@pytest.mark.parametrize("people", [1, 2, 10])
def test_the_smallest_surveys_have_errors(family: Any, people: int) -> None:
    """One or two cohorts of two symbols: no variance is negative, nothing divides by it, whatever the key.

    Candidates that reports cannot tell apart have an infinite standard error, and no other is undefined.
    """
    for key in range(8):
        for shape in ({"symbols": 2, "cohorts": 1}, {"symbols": 2, "cohorts": 2}, {"symbols": 4, "cohorts": 8}):
            for hashes in (1, 2, 4) if family is dn.HashedRappor else (None,):
                m = family(6.0, **shape, key=str(key), **({} if hashes is None else {"hashes": hashes}))
                for texts in (["a"], [f"text {i}" for i in range(40)]):
                    found = m.estimate(m.privatize_many(["a"] * people, seed=key), candidates=texts)
                    assert found.unlisted is not None
                    assert np.isfinite([*found.unlisted, *found.interval().ravel()]).all()
                    assert (found.stderr >= 0).all()
                    assert set(found.present(0.1)) <= set(texts)
