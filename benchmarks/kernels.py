"""Every kernel beside its limit: ``python -m benchmarks.kernels [--only NAME] [--json FILE] [--quick]``.

Both sides of a row take turns on the same data with the same number of threads; the share is the median, over the
turns, of the limit's time by ours.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import kept, machine
from benchmarks.kernel_rows import GROUPS, Row
from benchmarks.measure import clock


@dataclass(frozen=True, slots=True)
class Share:
    """The rate of a kernel and its share of the limit."""

    kernel: str
    limit: str
    goal: float | None
    rate: float
    share: float

    def row(self) -> list[str]:
        """Its line of the table."""
        goal = "-" if self.goal is None else f"{self.goal:.0%}"
        return [self.kernel, self.limit, f"{self.rate:.3g}", f"{self.share:.0%}", goal]


def measure(row: Row, seconds: float, turns: int) -> Share:
    """Both sides in turn, repeated until a turn takes about ``seconds``."""
    row.beside()
    row.ours()
    again = max(1, math.ceil(seconds / clock(row.ours)))

    def repeated(call: Callable[[], object]) -> float:
        def run() -> None:
            for _ in range(again):
                call()  # what it gives is not kept: large results would each need memory that is new

        return clock(run)

    times = [(repeated(row.ours), repeated(row.beside)) for _ in range(turns)]
    share = statistics.median(beside / ours for ours, beside in times)
    rate = again * row.count / statistics.median(ours for ours, _ in times)
    return Share(row.kernel, row.limit, row.goal, rate, share)


def show(shares: list[Share], console: Console) -> None:
    """The table."""
    table = Table("kernel", "limit", "items a second", "share", "goal")
    for one in shares:
        table.add_row(*one.row())
    console.print(table)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.kernels", description="every kernel beside its limit")
    parser.add_argument("--quick", action="store_true", help="few short turns: the shares are rougher")
    parser.add_argument("--json", type=Path, help="keep the shares here")
    parser.add_argument("--only", default="", help="a part of the kernels' names")
    args = parser.parse_args(words)
    seconds, turns = (0.01, 3) if args.quick else (0.3, 7)
    rows = (row for group in GROUPS for row in group() if args.only in row.kernel)
    shares = [measure(row, seconds, turns) for row in rows]
    show(shares, Console())
    if args.json:
        kept.write(args.json, {"machine": machine.brief(), "kernels": [asdict(one) for one in shares]})


if __name__ == "__main__":
    main()
