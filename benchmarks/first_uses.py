"""What a first use costs: bytes on the disk, and seconds to a first estimate with its intervals.

``python -m benchmarks.first_uses [--json FILE]``. Each mechanism has a process of its own, and 1,000 values of ten
labels. Seconds are of the processor, the process's start included.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from benchmarks import kept, machine
from benchmarks.pages import markdown_table
from deniable.extend import FAMILIES

TURNS = 5
LABELS, VALUES = 10, 1000
FIRST = f"""
import sys
import deniable as dn
m = dn.extend.FAMILIES[sys.argv[1]].example(dn.Domain.of({LABELS}), 1.0)
values = list(m.domain.every())
reports = m.privatize_many((values * {VALUES})[:{VALUES}])
m.estimate(m.tally(reports)).interval(0.95)
"""
ALONE = "import numpy, scipy.special"
"""What every first use loads, whoever wrote it: measured in turns with each."""
EXTRAS = ("", "files", "pictures", "collector")
HEADINGS = ("mechanism", "seconds", "NumPy and SciPy alone", "times as long")
SIZE_HEADINGS = ("package", "megabytes")
MEGABYTE = 1e6
SMALL = 5.0
"""Packages of fewer megabytes are added up."""


def first_use(program: str, *words: str) -> float:
    """The seconds of the processor that a process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program, *words], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(name: str) -> dict[str, Any]:
    """A mechanism's first uses, each in a process of its own."""
    alone, first = zip(*((first_use(ALONE), first_use(FIRST, name)) for _ in range(TURNS)), strict=True)
    return {"mechanism": name, "first": statistics.median(first), "alone": statistics.median(alone)}


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
    """The table of times: of the quickest mechanism, the middle one and the slowest; the kept results have all."""
    each = sorted(found["mechanisms"], key=lambda one: float(one["first"]))
    rows = [
        [one["mechanism"], f"{one['first']:.2f}", f"{one['alone']:.2f}", f"{one['first'] / one['alone']:.1f}"]
        for one in (each[0], each[len(each) // 2], each[-1])
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
