"""The tables, for the screen and for the documentation."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rich.table import Table

from benchmarks.limits import ADDITIONS, HISTOGRAM, READ, SEEDED, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from benchmarks.cells import Bench, Cell
    from benchmarks.measure import Timing

Column: TypeAlias = "tuple[str, Callable[[Cell], str]]"

METHOD = """\
`make bench` made this page. In one run it times `deniable`, three other libraries of frequency estimation under local
differential privacy, and the machine's own limits, at epsilon = 1. All contenders of a cell take turns, and a rate is
that of the median turn. `benchmarks/README.md` says which calls are timed and how to repeat it."""
PEERS = Path(__file__).with_name("peers.md")


def rate(timing: Timing | None) -> str:
    """Items a second, three digits."""
    if timing is None:
        return "none"
    value = timing.rate
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def times(ratio: float | None) -> str:
    """How many times faster ours is."""
    if ratio is None:
        return "-"
    return f"{ratio:,.0f} x" if ratio >= 10 else f"{ratio:.2g} x"


def share(ours: Timing | None, limit: Timing | None) -> str:
    """Our rate as a share of the limit's."""
    return "-" if ours is None or limit is None else f"{ours.rate / limit.rate:.0%}"


def ours_columns(name: str, title: str, limits: dict[str, str]) -> list[Column]:
    """Our rate of that name, how many times the fastest peer's, and its share of each limit."""

    def ratio(cell: Cell) -> str:
        ours = cell.named(name)
        return "-" if ours is None else times(cell.ratio(ours))

    shares = [
        (heading, lambda cell, limit=limit: share(cell.named(name), cell.named(limit)))
        for limit, heading in limits.items()
    ]
    return [(title, lambda cell: rate(cell.named(name))), ("times the peer's", ratio), *shares]


def processors(cell: Cell) -> str:
    """How many processors our client kept busy."""
    ours = cell.named("seeded")
    return "-" if ours is None else f"{ours.processors:.1f}"


HEAD: list[Column] = [
    ("mechanism", lambda cell: cell.mechanism),
    ("d", lambda cell: str(cell.d)),
]
PEER: list[Column] = [
    ("fastest peer", lambda cell: "none" if cell.fastest_peer is None else cell.fastest_peer.name),
    ("its rate", lambda cell: rate(cell.fastest_peer)),
]


@dataclass(frozen=True, slots=True)
class Section:
    """One stage's table."""

    stage: str
    title: str
    columns: list[Column]

    def rows(self, bench: Bench) -> list[list[str]]:
        """The cells of the stage as words."""
        return [[show(cell) for _, show in self.columns] for cell in bench.cells if cell.stage == self.stage]


SECTIONS = [
    Section(
        "client",
        "Client: reports a second",
        [
            *HEAD,
            *ours_columns("seeded", "seeded", {SEEDED: "of the words"}),
            *ours_columns("system entropy", "system entropy", {SYSTEM: "of the words"}),
            ("processors", processors),
            *PEER,
        ],
    ),
    Section(
        "tally",
        "Tally: reports a second",
        [*HEAD, *ours_columns("tally", "ours", {READ: "of reading", HISTOGRAM: "of a bare histogram"}), *PEER],
    ),
    Section(
        "decode",
        "Decode: unbiased estimates a second",
        [*HEAD, *ours_columns("unbiased", "ours", {ADDITIONS: "of the additions"}), *PEER],
    ),
    Section(
        "project",
        "Decode: projected estimates a second",
        [*HEAD, *ours_columns("projected", "ours", {ADDITIONS: "of the additions"}), *PEER],
    ),
]


def summary(bench: Bench) -> list[str]:
    """What the tables come to."""
    ratios, slower = bench.ratios, bench.slower()
    if not ratios:
        return ["No peer was measured."]
    tenfold = sum(ratio >= 10 for ratio in ratios)
    faster = len(ratios) - len(slower)
    lines = [
        f"Of {len(ratios)} rates beside a peer's, {faster} are faster, {tenfold} of them ten times or more.",
        f"The median ratio is {statistics.median(ratios):,.0f}.",
    ]
    return lines + ([f"Slower than a peer: {'; '.join(slower)}."] if slower else [])


def conditions(bench: Bench) -> list[str]:
    """What it was measured on."""
    machine = bench.machine
    ours = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    peers = "; ".join(", ".join(f"{name} {n}" for name, n in found.items()) for found in bench.peers.values())
    speeds = ", ".join(f"{name} {speed / 1e9:.2f} G/s" for name, speed in machine["speeds"].items())
    return [
        f"Machine: {machine['processor']}, {machine['processors']} processors, {machine['system']}.",
        f"Ours: {ours}.",
        f"Peers: {peers}.",
        f"The machine's speeds: {speeds}.",
    ]


def failures(bench: Bench) -> list[str]:
    """Peers that failed in a cell."""
    return [f"{cell.mechanism}, d = {cell.d}, {cell.stage}: {one}" for cell in bench.cells for one in cell.failures]


def show(bench: Bench, console: Console) -> None:
    """The tables on the screen."""
    for section in SECTIONS:
        table = Table(title=section.title)
        for index, (heading, _) in enumerate(section.columns):
            table.add_column(heading, justify="left" if index == 0 else "right")
        for row in section.rows(bench):
            table.add_row(*row)
        console.print(table)
    for line in [*summary(bench), *conditions(bench), *failures(bench)]:
        console.print(line, highlight=False)


def markdown(bench: Bench) -> str:
    """The page of the documentation."""
    lines = ["# Benchmarks", "", METHOD, "", " ".join(summary(bench)), "", *_bullets(conditions(bench))]
    for section in SECTIONS:
        headings = [heading for heading, _ in section.columns]
        lines += [f"## {section.title}", "", _row(headings), _row(["---", *["---:"] * (len(headings) - 1)])]
        lines += [*map(_row, section.rows(bench)), ""]
    if failed := failures(bench):
        lines += ["## Cells that a peer did not finish", "", *_bullets(failed)]
    return "\n".join([*lines, PEERS.read_text()])


def _row(words: list[str]) -> str:
    return f"| {' | '.join(words)} |"


def _bullets(texts: list[str]) -> list[str]:
    return [*(f"- {text}" for text in texts), ""]
