"""What a first use costs: bytes on the disk, and seconds from an empty cache to a first estimate with its intervals.

``python -m benchmarks.first_uses [--json FILE]``. Each mechanism has a process and an empty cache of compiled code of
its own, and 1,000 values of ten labels. Seconds are of the processor, the process's start included.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from benchmarks import kept, machine
from benchmarks.pages import markdown_table
from deniable.extend import FAMILIES

TURNS = 3
LABELS, VALUES = 10, 1000
FIRST = f"""
import sys
import deniable as dn
m = dn.extend.FAMILIES[sys.argv[1]].example(dn.Domain.of({LABELS}), 1.0)
values = list(m.domain.every())
reports = m.privatize_many((values * {VALUES})[:{VALUES}])
m.estimate(m.tally(reports)).interval(0.95)
"""
EXTRAS = ("", "pictures", "collector")
GOAL, SIMPLE_GOAL = 6.0, 3.0
HEADINGS = ("mechanism", "from an empty cache", "the next time", "goal")
SIZE_HEADINGS = ("package", "megabytes")
MEGABYTE = 1e6
SMALL = 5.0
"""Packages of fewer megabytes are added up."""


def first_use(name: str, cache: str) -> float:
    """The seconds of the processor that a process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", FIRST, name], env={**os.environ, "NUMBA_CACHE_DIR": cache}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(name: str) -> dict[str, Any]:
    """A mechanism's first uses, each with an empty cache, and its second ones."""
    pairs = []
    for _ in range(TURNS):
        with tempfile.TemporaryDirectory() as cache:
            pairs.append((first_use(name, cache), first_use(name, cache)))
    first, again = (statistics.median(each) for each in zip(*pairs, strict=True))
    return {"mechanism": name, "first": first, "again": again}


def sizes(extra: str) -> dict[str, float]:
    """The megabytes of every package that an installation brings, by their names."""
    found: dict[str, float] = {}
    waiting = [("deniable", {extra})]
    while waiting:
        name, extras = waiting.pop()
        package = distribution(name)
        if name not in found and name != "deniable":
            paths = (Path(str(file.locate())) for file in package.files or ())
            found[name] = sum(path.stat().st_size for path in paths if path.exists()) / MEGABYTE
        for written in package.requires or ():
            needed = Requirement(written)
            asked = any(needed.marker is None or needed.marker.evaluate({"extra": one}) for one in extras | {""})
            if asked and (needed.name not in found or needed.extras):
                waiting.append((needed.name, set(needed.extras)))
    return found


def said(found: Mapping[str, Any]) -> str:
    """The table of times."""
    rows = [
        [one["mechanism"], f"{one['first']:.1f} s", f"{one['again']:.1f} s", f"{_goal(one['mechanism']):g} s"]
        for one in found["mechanisms"]
    ]
    return markdown_table(HEADINGS, rows)


def said_sizes(found: Mapping[str, Any]) -> str:
    """The table of sizes: the packages of the core, and what extras add."""
    core = found["sizes"][""]
    large = {name: size for name, size in core.items() if size >= SMALL}
    rows = [[name, f"{size:.0f}"] for name, size in sorted(large.items(), key=lambda each: -each[1])]
    rows += [
        ["all others", f"{sum(core.values()) - sum(large.values()):.0f}"],
        ["together", f"{sum(core.values()):.0f}"],
    ]
    for extra in EXTRAS[1:]:
        more = sum(found["sizes"][extra].values()) - sum(core.values())
        rows.append([f"`deniable[{extra}]` more", f"{more:.0f}"])
    return markdown_table(SIZE_HEADINGS, rows)


def _goal(name: str) -> float:
    return SIMPLE_GOAL if name == "RandomizedResponse" else GOAL


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.first_uses", description="what a first use costs")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    args = parser.parse_args(words)
    found = {
        "machine": machine.brief(),
        "sizes": {extra: sizes(extra) for extra in EXTRAS},
        "mechanisms": [measured(name) for name in FAMILIES],
    }
    print(said_sizes(found), said(found), sep="\n\n")
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()
