"""How long one report takes on a device: ``python -m benchmarks.clients [--quick] [--json FILE]``.

Both clients make reports of the same specs, one at a time, at 40 labels or as many as the mechanism has. Without Node,
or the built package of the TypeScript client, its times are left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import deniable_client
from rich.console import Console
from rich.table import Table

from benchmarks import kept, machine
from benchmarks.catalogue import FAMILIES
from benchmarks.measure import clock
from benchmarks.peer_process import ROOT
from deniable.mechanisms.family import Family
from deniable.values.values import closed_domain

LABELS = 40
CALLS, FEWER = 2000, 200
TYPESCRIPT = ROOT / "clients" / "typescript"
HEADINGS = ("mechanism", "d", "Python, us", "Node, us")
PYTHON_GOAL, NODE_GOAL = 200, 50
"""Microseconds that a report may take."""


@dataclass(frozen=True, slots=True)
class Each:
    """The median microseconds of one report; none where a client was not there."""

    mechanism: str
    d: int
    python: float
    node: float | None

    def row(self) -> list[str]:
        """Its line of the table."""
        return [self.mechanism, str(self.d), f"{self.python:.0f}", "-" if self.node is None else f"{self.node:.1f}"]


@dataclass(frozen=True, slots=True)
class Case:
    """A spec and the label in the middle, of which reports are made."""

    mechanism: str
    d: int
    spec: str

    @classmethod
    def of(cls, family: Family) -> Case:
        """The mechanism at 40 labels; or, if it has a largest number below that, at this one."""
        made = family.measured_member(min(LABELS, max(family.sizes)))
        return cls(made.name, len(closed_domain(made.domain)), json.dumps(made.spec()))

    def python(self, calls: int) -> float:
        """Microseconds of a report by the Python client."""
        mechanism = deniable_client.read_spec(self.spec)
        times = [clock(lambda: mechanism.privatize(self.d // 2)) for _ in range(calls)]
        return 1e6 * statistics.median(times)


def node(cases: Sequence[Case], calls: int) -> list[float | None]:
    """The same by the TypeScript client, in one process."""
    program = shutil.which("node")
    if program is None or not (TYPESCRIPT / "dist" / "families.js").is_file():
        print("without Node and `npm run build` in clients/typescript its times are left out")
        return [None] * len(cases)
    told = json.dumps({"calls": calls, "cases": [{"spec": case.spec, "value": case.d // 2} for case in cases]})
    command = [program, str(TYPESCRIPT / "scripts" / "bench.js")]
    ran = subprocess.run(command, input=told, check=True, capture_output=True, text=True)
    found: list[float | None] = json.loads(ran.stdout)
    return found


def measure(calls: int) -> list[Each]:
    """Every mechanism, by both clients."""
    cases = [Case.of(family) for family in FAMILIES.values() if not family.library_only]
    both = zip(cases, node(cases, calls), strict=True)
    return [Each(case.mechanism, case.d, case.python(calls), other) for case, other in both]


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.clients", description="how long a report takes on a device")
    parser.add_argument("--quick", action="store_true", help="fewer reports: the medians are rougher")
    parser.add_argument("--json", type=Path, help="keep the times here")
    args = parser.parse_args(words)
    found = measure(FEWER if args.quick else CALLS)
    table = Table(*HEADINGS)
    for one in found:
        table.add_row(*one.row())
    Console().print(table)
    if args.json:
        kept.write(args.json, {"machine": machine.brief(), "clients": [asdict(one) for one in found]})


if __name__ == "__main__":
    main()
