"""Compiling ahead: every kernel, and every type of report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.engines import warm as warming
from deniable.engines.warm import kernels, samples, so_far, use, warm
from deniable.kernels import cache_folder as folders
from deniable.mechanisms.registry import FAMILIES
from deniable.values.domain import Domain


@pytest.mark.parametrize("name", FAMILIES)
def test_samples_are_members_of_their_family(name: str) -> None:
    assert {survey.name for survey in samples(FAMILIES[name])} == {name}


def test_samples_have_reports_of_every_width() -> None:
    surveys = [survey for family in FAMILIES.values() for survey in samples(family) if family.name != "HighLowHadamard"]
    types = {survey.privatize_many(warming.answers_of(survey)[0], seed=1).dtype for survey in surveys}
    assert {dtype.name for dtype in types} == {"uint8", "uint16", "uint32"}


def test_all_samples_together_need_every_kernel() -> None:
    """Each is kept then, if there is a folder; those that only others call are kept with them."""
    progress: list[int] = []
    small = [survey for family in FAMILIES.values() for survey in samples(family) if not large(survey)]
    found = warm(small, progress.append)
    assert progress == [1] * len(small)
    assert found.compiled + found.kept <= so_far().compiled + so_far().kept > 20
    if folders.cache_folder() is not None:
        unkept = [kernel.py_func.__name__ for kernel in kernels() if not kept(kernel)]
        assert unkept == []


def large(survey: dn.Mechanism) -> bool:
    """Whether the survey is only there for its reports of four bytes."""
    return isinstance(survey.domain, Domain) and len(survey.domain) > 1000


def kept(kernel: Any) -> bool:
    """Whether a variant of the kernel is on disk."""
    return Path(kernel._cache._cache_file._index_path).exists()


def test_what_is_warm_is_not_compiled_again() -> None:
    survey = dn.Subset(6, 1.0)
    use(survey)
    assert warm([survey]) == warming.Warmed(0, 0)
    assert warm([dn.Subset(7, 2.0)]) == warming.Warmed(0, 0), "other parameters need no other code"
    reports = survey.privatize_many(np.arange(6), seed=1)
    reports.flags.writeable = False
    before = warming.so_far()
    survey.tally(reports)
    assert warming.so_far() == before


def test_the_command_says_what_it_did_and_where() -> None:
    done = CliRunner().invoke(app, ["warm", "--mechanism", "binaryresponse"])
    assert done.exit_code == 0
    assert str(folders.cache_folder()) in done.stdout
    assert "variants of kernels compiled in" in done.stdout


def test_the_command_is_refused_where_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deniable.cli.warm.cache_folder", lambda: None)
    done = CliRunner().invoke(app, ["warm"])
    assert done.exit_code == 2
    assert "NUMBA_CACHE_DIR must be a folder that this user can write and others cannot, got NUMBA" in done.stderr
    monkeypatch.setattr("deniable.cli.warm.kernels", list)
    assert "NUMBA_DISABLE_JIT" in CliRunner().invoke(app, ["warm"]).stderr


def test_only_mechanisms_that_there_are_can_be_named() -> None:
    unknown = CliRunner().invoke(app, ["warm", "--mechanism", "Majority"])
    assert unknown.exit_code == 2
