"""Two runs are compared in units of what each measured beside itself, so a slower machine is no slower code."""

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import kept
from benchmarks.compare import compare, main


def results(ours: float, limit: float = 100.0, peer: float = 1.0, d: int = 16, processor: str = "A") -> dict[str, Any]:
    """Made-up results of one cell, by rates."""
    rates = {("ours", "tally"): ours, ("limit", "a bare histogram"): limit, ("peer", "p"): peer}
    timings = [
        {"kind": kind, "name": name, "count": rate, "seconds": [1.0, 1.0, 1.0], "processor_seconds": []}
        for (kind, name), rate in rates.items()
    ]
    cell = {"mechanism": "Subset", "d": d, "stage": "tally", "timings": timings, "failures": []}
    machine = {"processor": processor, "processors": 2, "versions": {"python": "3.11"}}
    return {"machine": machine, "peers": {}, "quick": False, "cells": [cell]}


def files(tmp_path: Path, *found: dict[str, Any]) -> list[str]:
    """Kept results as arguments of the command."""
    for number, one in enumerate(found):
        kept.write(tmp_path / f"{number}.json", one)
    return [str(tmp_path / f"{number}.json") for number in range(len(found))]


@pytest.mark.parametrize(("ours", "slower"), [(50.0, False), (41.0, False), (39.0, True), (500.0, False)])
def test_slower_is_by_more_than_is_tolerated(ours: float, slower: bool) -> None:
    found = compare(results(50.0), results(ours), 0.2)
    assert found.changes[0].change == pytest.approx(ours / 50)
    assert bool(found.slower) is slower


def test_another_machine_is_judged_by_shares() -> None:
    found = compare(results(50.0), results(5.0, limit=10.0, peer=0.1, processor="B"))
    (change,) = found.changes
    assert (change.judged, change.change, change.share, change.ratio, change.rate) == ("share", 1.0, 1.0, 1.0, 0.1)
    assert (found.slower, found.notes) == ([], ["The runs differ in processor: A before, B now."])
    faster_machine = compare(results(50.0), results(60.0, limit=200.0, peer=2.0, processor="B"))
    assert faster_machine.slower == ["Subset, d = 16, tally: tally"]


def test_a_limit_with_a_good_moment_makes_no_code_slower() -> None:
    found = compare(results(50.0), results(50.0, limit=200.0, peer=2.0))
    assert (found.slower, found.changes[0].judged, found.changes[0].share) == ([], "rate", 0.5)
    assert compare(results(50.0), results(20.0, limit=60.0)).slower == ["Subset, d = 16, tally: tally"]


def test_a_cell_that_one_run_lacks_is_named() -> None:
    found = compare(results(50.0), results(50.0, d=256))
    assert (found.changes, found.gone, found.added) == (
        [],
        ["Subset, d = 16, tally: tally"],
        ["Subset, d = 256, tally: tally"],
    )


def test_kernels_files_and_surveys_compare_too() -> None:
    machine = {"processor": "A"}
    kernels = [{"kernel": "k", "rate": rate, "share": share} for rate, share in ((2.0, 1.0), (1.0, 0.5))]
    old, new = ({"machine": machine, "kernels": [kernel]} for kernel in kernels)
    assert compare(old, new).slower == ["k"]
    for name in ("kernels", "aggregate", "files", "spark"):
        one = kept.read(kept.FOLDER / f"{name}.json")
        same = compare(one, one)
        assert same.changes
        assert {change.change for change in same.changes} == {1.0}


def test_the_command_shows_and_fails_only_if_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = files(tmp_path, results(50.0), results(20.0))
    main(words)
    assert "1 are slower" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main([*words, "--strict"])
    assert stopped.value.code == 1
    main([*words, "--strict", "--tolerance", "0.7"])


def test_json_is_for_machines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*files(tmp_path, results(50.0), results(20.0)), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["slower"] == ["Subset, d = 16, tally: tally"]
    assert found["changes"][0]["change"] == pytest.approx(0.4)


def test_what_is_no_bench_is_refused() -> None:
    with pytest.raises(ValueError, match="not of a bench"):
        compare({"machine": {}}, {"machine": {}})
