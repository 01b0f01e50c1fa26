"""Compare two runs: ``python -m benchmarks.compare [OLD] [NEW] [--tolerance 0.2] [--strict] [--json]``.

Machines differ, and so does one machine from hour to hour. So the share of a limit and the ratio to a peer from the
same run are compared, and the rate itself if both runs are from the same machine. Slower code is slower by all of
these; noise in a limit or a peer is not.
"""

from __future__ import annotations

import argparse
import json
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from benchmarks import bench, kept
from benchmarks.readings import Reading, readings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

COMMITTED = kept.FOLDER / "results.json"
TOLERANCE = 0.2
LISTED = 12
MACHINE = ("processor", "processors")


@dataclass(frozen=True, slots=True)
class Change:
    """How one thing changed: new over old, above 1 where the new run is faster."""

    name: str
    judged: str
    """What speaks best for the new run, and so decides: the share of a limit, the ratio to a peer, or the rate."""
    change: float
    share: float | None
    ratio: float | None
    rate: float
    slower: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes between two runs."""

    changes: list[Change]
    gone: list[str]
    added: list[str]
    notes: list[str]

    @property
    def slower(self) -> list[str]:
        """The changes that are slower by more than the tolerance."""
        return [change.name for change in self.changes if change.slower]


def over(new: float | None, old: float | None) -> float | None:
    """New over old, where both runs have it."""
    return None if new is None or old is None else new / old


def change(name: str, old: Reading, new: Reading, tolerance: float, one_machine: bool) -> Change:
    """The change of one measurement; without a limit or peer beside it, its rate must do, on any machine."""
    share, ratio, rate = over(new.share, old.share), over(new.ratio, old.ratio), new.rate / old.rate
    beside = {key: value for key, value in (("share", share), ("ratio", ratio)) if value is not None}
    judging = beside if beside and not one_machine else {**beside, "rate": rate}
    judged = max(judging, key=lambda key: judging[key])
    return Change(name, judged, judging[judged], share, ratio, rate, judging[judged] < 1 - tolerance)


def compare(old: Mapping[str, Any], new: Mapping[str, Any], tolerance: float = TOLERANCE) -> Comparison:
    """All of two kept results, the slowest first."""
    before, after = readings(old), readings(new)
    one_machine = all(old["machine"].get(key) == new["machine"].get(key) for key in MACHINE)
    changes = [change(name, before[name], after[name], tolerance, one_machine) for name in before if name in after]
    return Comparison(
        sorted(changes, key=lambda one: one.change),
        [name for name in before if name not in after],
        [name for name in after if name not in before],
        notes(old, new),
    )


def notes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Sentences on what makes the two runs hard to compare."""
    found = []
    for key in (*MACHINE, "versions"):
        was, now = old["machine"].get(key), new["machine"].get(key)
        if was != now:
            found.append(f"The runs differ in {key}: {was} before, {now} now.")
    if old.get("quick") != new.get("quick"):
        found.append("One of the runs is quick, and rough.")
    return found


def times(value: float | None) -> str:
    """A change in words."""
    return "-" if value is None else f"{value:.2f} x"


def show(comparison: Comparison, console: Console) -> None:
    """Show the table, what only one run has, and the summary."""
    table = Table("measured", "judged by", "share of limit", "ratio to peer", "rate", "")
    for one in comparison.changes:
        flag = "slower" if one.slower else ""
        table.add_row(one.name, one.judged, times(one.share), times(one.ratio), times(one.rate), flag)
    console.print(table)
    lists = {"Only in the old run": comparison.gone, "Only in the new run": comparison.added}
    lines = [f"{title}: {listed(names)}." for title, names in lists.items() if names]
    for line in [*comparison.notes, *lines, summary(comparison)]:
        console.print(line, highlight=False)


def listed(names: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = len(names) - LISTED
    return "; ".join(names[:LISTED]) + (f"; and {more} more, which --json lists" if more > 0 else "")


def summary(comparison: Comparison) -> str:
    """One line."""
    if not comparison.changes:
        return "The runs have nothing in common."
    middle = statistics.median(one.change for one in comparison.changes)
    return f"Of {len(comparison.changes)}, {len(comparison.slower)} are slower; the median change is {middle:.2f} x."


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.compare", description="two runs of a bench beside each other")
    parser.add_argument("old", type=Path, nargs="?", default=COMMITTED, help="kept JSON (default: the committed)")
    parser.add_argument("new", type=Path, nargs="?", help="kept JSON (default: a quick run, now)")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="how much slower is not yet slower")
    parser.add_argument("--strict", action="store_true", help="fail if anything is slower")
    parser.add_argument("--json", action="store_true", help="for machines")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Read or measure, compare, show."""
    args, console = arguments(words), bench.wide_console()
    new = kept.read(args.new) if args.new else bench.run(bench.arguments(["--quick"]), console).to_dict()
    comparison = compare(kept.read(args.old), new, args.tolerance)
    if args.json:
        print(json.dumps({**asdict(comparison), "slower": comparison.slower}, indent=1))
    else:
        show(comparison, console)
    if args.strict and comparison.slower:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
