"""The benchmark: ``python -m benchmarks.bench [--quick] [--json FILE] [--d 16 1024] [--mechanisms Subset Cyclic]``."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks import kept, machine
from benchmarks.catalogue import FAMILIES, SIZES
from benchmarks.cells import Bench, Cell
from benchmarks.measure import PATIENCE, STAGES, Contender, PeerError, take_turns
from benchmarks.ours import Ours
from benchmarks.peer_process import DEFAULT_INTERPRETER, OFFERS, PeerProcess
from benchmarks.table import show

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

WIDTH = 160


@dataclass(frozen=True, slots=True)
class Effort:
    """How long a run should take, a short stage's run, and how often the contenders take turns."""

    target: float
    short: float
    repeats: int

    def of(self, stage: str) -> float:
        """The target of a stage: decoding needs little time to be measured well."""
        return self.target if stage in {"client", "tally"} else self.short


FULL = Effort(0.08, 0.05, 5)
QUICK = Effort(0.02, 0.01, 3)
QUICK_SIZES = (16, 1024, 16384)


@dataclass(frozen=True, slots=True)
class Peers:
    """The libraries' processes, and the number of labels at which each gave up; larger ones are not tried."""

    processes: Mapping[str, PeerProcess]
    lost: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def contenders(self, name: str, d: int, stage: str, target: float) -> tuple[list[Contender], list[str]]:
        """Those of a cell, and the names of those that cannot take part, with the reason."""
        found, failures = [], []
        for library, title in OFFERS.get(name, {}).items():
            key = library, name, stage
            if library not in self.processes:
                continue
            if self.lost.get(key, d) < d:
                failures.append(f"{title}: not asked, since it failed at d = {self.lost[key]}")
                continue
            try:
                found += self.processes[library].contenders(name, d, stage, target)
            except PeerError as error:
                self.lost[key] = d
                failures.append(f"{title}: {error}")
        return found, failures


@contextmanager
def peer_processes(interpreter: Path | None) -> Iterator[Mapping[str, PeerProcess]]:
    """A process for each library, ended when the block ends; none without an interpreter."""
    if interpreter and not interpreter.exists():
        raise SystemExit("the peers are not installed: see benchmarks/README.md")
    libraries = sorted({name for offers in OFFERS.values() for name in offers})
    with ExitStack() as stack:
        peers = {library: PeerProcess(library, interpreter) for library in libraries} if interpreter else {}
        for peer in peers.values():
            stack.callback(peer.close)
        yield peers


def measure_cell(ours: Ours, name: str, stage: str, peers: Peers, effort: Effort) -> Cell:
    """One mechanism, size and stage: ours, limits and peers take turns."""
    target = effort.of(stage)
    contenders = ours.contenders(stage, target)
    others, failures = peers.contenders(name, ours.d, stage, target)
    timings, failed = take_turns([*contenders, *others], effort.repeats, PATIENCE * target)
    return Cell(name, ours.d, stage, timings, failures + failed)


def measure(args: argparse.Namespace, peers: Peers, console: Console) -> list[Cell]:
    """All cells, with a progress bar."""
    effort = QUICK if args.quick else FULL
    wanted = args.d or (QUICK_SIZES if args.quick else SIZES)
    places = [(name, d) for name in args.mechanisms for d in FAMILIES[name].sizes if d in wanted or d < min(SIZES)]
    columns = (TextColumn("{task.description:<40}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    cells = []
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=len(places) * len(STAGES))
        for name, d in places:
            ours = Ours(name, d)
            for stage in STAGES:
                progress.update(task, description=f"{name} d={d} {stage}")
                cells.append(measure_cell(ours, name, stage, peers, effort))
                progress.advance(task)
    return cells


def run(args: argparse.Namespace, console: Console) -> Bench:
    """The whole benchmark."""
    with peer_processes(None if args.alone else args.peers) as peers:
        versions = {library: peer.versions(library, "numpy", "numba") for library, peer in peers.items()}
        return Bench(machine.describe(), versions, args.quick, measure(args, Peers(peers), console))


def wide_console() -> Console:
    """As wide as the screen; wide enough for the tables where there is none."""
    return Console(width=None if sys.stdout.isatty() else WIDTH)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.bench", description="deniable beside its peers and the machine")
    parser.add_argument("--quick", action="store_true", help="short runs and fewer sizes: the ratios are rougher")
    parser.add_argument("--json", type=Path, help="keep every timing here")
    parser.add_argument("--d", type=int, nargs="+", help="only these numbers of labels")
    parser.add_argument("--mechanisms", nargs="+", default=list(FAMILIES), choices=FAMILIES, metavar="NAME")
    parser.add_argument("--alone", action="store_true", help="without the peers")
    parser.add_argument(
        "--peers",
        type=Path,
        default=DEFAULT_INTERPRETER,
        help="the interpreter that has the peers (default: .bench-venv)",
    )
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    args, console = arguments(words), wide_console()
    bench = run(args, console)
    show(bench, console)
    if args.json:
        kept.write(args.json, bench.to_dict())


if __name__ == "__main__":
    main()
