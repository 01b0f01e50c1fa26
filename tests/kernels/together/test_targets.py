"""Code for every kind of processor gives the same, to the last bit, and so do threads."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.kernels.calls import KERNELS
from tests.kernels.outcomes import outcome

import deniable as dn
from deniable.kernels import _kernels, sources, threads

TARGETS = _kernels.targets()
CPUINFO = Path("/proc/cpuinfo")


@pytest.fixture(autouse=True)
def best() -> Iterator[None]:
    """The best target is used again afterwards."""
    yield
    _kernels.use_target(TARGETS[-1])


@each("name", KERNELS)
@each("people", [1, 7, 64, 500])
def test_targets_give_the_same(name: str, people: int) -> None:
    found = {}
    for target in TARGETS:
        _kernels.use_target(target)
        found[target] = [outcome(name, seed, people) for seed in range(3)]
    assert all(each == found["base"] for each in found.values())


@each("name", KERNELS)
def test_threads_do_not_disturb_each_other(name: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda seed: outcome(name, seed % 2, 200), range(16)))
    assert all(each == found[k % 2] for k, each in enumerate(found))


@pytest.mark.parametrize("processors", [2, 8])
def test_the_number_of_threads_changes_nothing(processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    surveys = [dn.RandomizedResponse(9, 1.0), dn.Rappor(9, 1.0), dn.Subset(70, 1.0), dn.HashedRappor(1.0, 16, 3)]
    columns = [["a", "b"] * 3000 if survey.domain.size is None else list(range(6)) * 1000 for survey in surveys]

    def found() -> list[Any]:
        drawn = [survey.privatize_many(column, seed=4) for survey, column in zip(surveys, columns, strict=True)]
        tallies = [survey.tally(reports) for survey, reports in zip(surveys, drawn, strict=True)]
        return [each.tobytes() for each in drawn] + [each.counts.tobytes() for each in tallies]

    monkeypatch.setattr(threads, "ALONE", 1000)
    monkeypatch.setattr(threads, "processors", lambda: 1)
    alone = found()
    monkeypatch.setattr(threads, "processors", lambda: processors)
    assert found() == alone


@pytest.mark.skipif(not CPUINFO.exists() or platform.machine() != "x86_64", reason="Linux on x86-64 lists instructions")
def test_all_that_the_processor_has_is_used() -> None:
    """Whichever compiler made the module: one's own question to the processor may find nothing."""
    (flags, *_) = (set(line.split()) for line in CPUINFO.read_text().splitlines() if line.startswith("flags"))
    wanted = ["base"]
    wanted += ["avx2"] if {"avx2", "bmi1", "bmi2", "abm"} <= flags else []
    wanted += ["avx512"] if {f"avx512{each}" for each in ("f", "cd", "bw", "dq", "vl", "_vpopcntdq")} <= flags else []
    assert wanted == TARGETS


def test_a_target_that_is_none_is_refused() -> None:
    wrong: Any
    for wrong in ("avx", "", None, 3):
        with pytest.raises(ValueError, match="must be one of targets"):
            _kernels.use_target(wrong)


def test_the_module_is_of_the_files_beside_it() -> None:
    assert sources.sources_digest() == _kernels.SOURCES
