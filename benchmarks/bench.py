"""The benchmark: ``python -m benchmarks.bench [--quick] [--json FILE] [--table FILE] [--d 16 256 1024 16384]``."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks import machine
from benchmarks.cells import Bench, Cell
from benchmarks.measure import MECHANISMS, STAGES, PeerError, take_turns
from benchmarks.ours import Ours
from benchmarks.peer_process import OFFERS, ROOT, PeerProcess
from benchmarks.table import markdown, show

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SIZES = (16, 256, 1024, 16384)
WIDTH = 140


@dataclass(frozen=True, slots=True)
class Effort:
    """How long a run should take, a short stage's run, and how often the contenders take turns."""

    target: float
    short: float
    repeats: int

    def of(self, stage: str) -> float:
        """The target of a stage: decoding needs little time to be measured well."""
        return self.target if stage in {"client", "tally"} else self.short


FULL = Effort(0.3, 0.1, 5)
QUICK = Effort(0.05, 0.02, 3)


@contextmanager
def peer_processes(interpreter: Path) -> Iterator[dict[str, PeerProcess]]:
    """A process for each library, ended in the end."""
    with ExitStack() as stack:
        peers = {}
        for library in sorted({name for offers in OFFERS.values() for name in offers}):
            peers[library] = PeerProcess(library, interpreter)
            stack.callback(peers[library].close)
        yield peers


def measure_cell(ours: Ours, name: str, stage: str, peers: Mapping[str, PeerProcess], effort: Effort) -> Cell:
    """One mechanism, size and stage: ours, limits and peers take turns."""
    target = effort.of(stage)
    contenders, failures = ours.contenders(stage, target), []
    for library in OFFERS[name]:
        try:
            contenders += peers[library].contenders(name, ours.d, stage, target)
        except PeerError as error:
            failures.append(f"{OFFERS[name][library]}: {error}")
    timings, failed = take_turns(contenders, effort.repeats)
    return Cell(name, ours.d, stage, timings, failures + failed)


def measure(args: argparse.Namespace, peers: Mapping[str, PeerProcess], console: Console) -> list[Cell]:
    """All cells, with a progress bar."""
    effort = QUICK if args.quick else FULL
    columns = (TextColumn("{task.description:<36}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    cells = []
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=len(args.mechanisms) * len(args.d) * len(STAGES))
        for name, d in itertools.product(args.mechanisms, args.d):
            ours = Ours(name, d)
            for stage in STAGES:
                progress.update(task, description=f"{name} d={d} {stage}")
                cells.append(measure_cell(ours, name, stage, peers, effort))
                progress.advance(task)
    return cells


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.bench", description="deniable beside its peers and the machine")
    parser.add_argument("--quick", action="store_true", help="short runs: the ratios are rougher")
    parser.add_argument("--json", type=Path, help="write every timing here")
    parser.add_argument("--table", type=Path, help="write the tables here, in Markdown")
    parser.add_argument("--d", type=int, nargs="+", default=SIZES, help="the domain sizes")
    parser.add_argument("--mechanisms", nargs="+", default=MECHANISMS, choices=MECHANISMS, metavar="NAME")
    parser.add_argument(
        "--peers",
        type=Path,
        default=ROOT / ".bench-venv" / "bin" / "python",
        help="the interpreter that has the peers (default: .bench-venv)",
    )
    return parser.parse_args(words)


def main() -> None:
    """Measure, show, write."""
    args = arguments()
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    if not args.peers.exists():
        raise SystemExit("the peers are not installed: see benchmarks/README.md, or pass --peers PYTHON")
    with peer_processes(args.peers) as peers:
        versions = {library: peer.versions(library, "numpy", "numba") for library, peer in peers.items()}
        bench = Bench(machine.describe(), versions, args.quick, measure(args, peers, console))
    show(bench, console)
    if args.json:
        args.json.write_text(json.dumps(bench.to_dict(), indent=1) + "\n")
    if args.table:
        args.table.write_text(markdown(bench))


if __name__ == "__main__":
    main()
