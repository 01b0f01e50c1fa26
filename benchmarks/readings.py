"""Readings from any kept JSON: of each thing measured its rate, its share of a limit, and its ratio to a peer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.cells import Bench
from benchmarks.files import ONE as FILES_ONE
from benchmarks.files import OURS as FILES_OURS
from benchmarks.files import READING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Kept: TypeAlias = "Mapping[str, Any]"
Readings: TypeAlias = "dict[str, Reading]"


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing measured: items per second, and the limit and peer from the same run, if any."""

    rate: float
    share: float | None = None
    ratio: float | None = None


def of_cells(found: Kept) -> Readings:
    """The main bench."""
    return {
        f"{cell.mechanism}, d = {cell.d:,}, {cell.stage}: {ours.name}": Reading(
            ours.rate, cell.share(ours), cell.ratio(ours)
        )
        for cell in Bench.from_dict(found).cells
        for ours in cell.of("ours")
    }


def of_kernels(found: Kept) -> Readings:
    """The kernels."""
    return {one["kernel"]: Reading(one["rate"], one["share"]) for one in found["kernels"]}


def of_points(found: Kept) -> Readings:
    """Surveys by their size."""
    return {
        f"{point['mechanism']}, {point['n']:,} people, {point['way']}": Reading(1 / point["seconds"])
        for point in found["points"]
    }


def of_results(found: Kept) -> Readings:
    """Files, beside reading alone."""
    readings = {}
    for one in found["results"]:
        seconds, where = one["seconds_a_billion"], f"{one['mechanism']}, d = {one['d']:,}"
        for name in (FILES_OURS, FILES_ONE):
            readings[f"{where}: {name}"] = Reading(1e9 / seconds[name], seconds[READING] / seconds[name])
    return readings


def of_jobs(found: Kept) -> Readings:
    """Spark, beside as many threads of one machine."""
    return {
        f"{one['mechanism']}, d = {one['d']:,}, {one['cores']} cores of Spark": Reading(
            one["reports"] / one["spark"], 1 / one["ratio"]
        )
        for one in found["jobs"]
    }


KINDS: dict[str, Callable[[Kept], Readings]] = {
    "cells": of_cells,
    "kernels": of_kernels,
    "points": of_points,
    "results": of_results,
    "jobs": of_jobs,
}


def readings(found: Kept) -> Readings:
    """All that a kept JSON holds, whichever bench wrote it."""
    for key, read in KINDS.items():
        if key in found:
            return read(found)
    raise ValueError(f"results must hold one of {', '.join(KINDS)}, got none: they are not of a bench")
