"""The tables, for the screen and for the documentation."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from rich.table import Table

from benchmarks.affinity import ONE
from benchmarks.limits import ADDITIONS, HISTOGRAM, LIMITS, READ, SEEDED, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from benchmarks.cells import Bench, Cell
    from benchmarks.measure import Timing

Column: TypeAlias = "tuple[str, Callable[[Cell], str]]"


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


def share(cell: Cell, name: str, limits: tuple[str, ...]) -> str:
    """Our rate of that name as a share of the first of the limits that the cell has."""
    ours = cell.named(name)
    limit = next((found for each in limits if (found := cell.named(each)) is not None), None)
    return "-" if ours is None or limit is None else f"{ours.rate / limit.rate:.0%}"


def rates(name: str, title: str) -> list[Column]:
    """Our rate of that name, and how many times the fastest peer's it is."""

    def ratio(cell: Cell) -> str:
        ours = cell.named(name)
        return "-" if ours is None else times(cell.ratio(ours))

    return [(title, lambda cell: rate(cell.named(name))), ("times the peer's", ratio)]


def both_rates(name: str, title: str) -> list[Column]:
    """The same on all processors and then on one."""
    return [*rates(name, title), *rates(name + ONE, "one processor")]


def shares(name: str, titles: dict[str, str]) -> list[Column]:
    """The share of each limit that our rate of that name is."""
    return [(title, partial(share, name=name, limits=(limit,))) for limit, title in titles.items()]


def both_shares(name: str, titles: dict[str, str]) -> list[Column]:
    """The same on all processors and then on one."""
    on_one = {limit + ONE: f"{title}, one processor" for limit, title in titles.items()}
    return [*shares(name, titles), *shares(name + ONE, on_one)]


HEAD: list[Column] = [
    ("mechanism", lambda cell: cell.mechanism),
    ("d", lambda cell: f"{cell.d:,}"),
]
PEER: list[Column] = [
    ("fastest peer", lambda cell: "none" if cell.fastest_peer is None else cell.fastest_peer.name),
    ("its rate", lambda cell: rate(cell.fastest_peer)),
]


@dataclass(frozen=True, slots=True)
class Section:
    """One stage's table."""

    stage: str
    file: str
    title: str
    columns: list[Column]

    def rows(self, bench: Bench) -> list[list[str]]:
        """The cells of the stage as words."""
        return [[show(cell) for _, show in self.columns] for cell in bench.of(self.stage)]


SECTIONS = [
    Section(
        "client",
        "client-rates",
        "Reports made per second",
        [*HEAD, *both_rates("seeded", "seeded"), *rates("system entropy", "system entropy"), *PEER],
    ),
    Section(
        "client",
        "client-shares",
        "Reports made, as a share of drawing their random words",
        [*HEAD, *both_shares("seeded", {SEEDED: "seeded"}), *shares("system entropy", {SYSTEM: "system entropy"})],
    ),
    Section("tally", "tally-rates", "Reports counted per second", [*HEAD, *both_rates("tally", "ours"), *PEER]),
    Section(
        "tally",
        "tally-shares",
        "Reports counted, as a share of reading them, and of a bare histogram",
        [*HEAD, *both_shares("tally", {READ: "of reading", HISTOGRAM: "of a bare histogram"})],
    ),
    Section(
        "decode",
        "decode-rates",
        "Unbiased estimates per second",
        [*HEAD, *rates("unbiased", "ours"), *shares("unbiased", {ADDITIONS: "of the additions"}), *PEER],
    ),
    Section(
        "project",
        "project-rates",
        "Projected estimates per second",
        [*HEAD, *rates("projected", "ours"), *shares("projected", {ADDITIONS: "of the additions"}), *PEER],
    ),
]
"""One stage in two tables where one would be wider than a page."""


def summary(bench: Bench) -> list[str]:
    """What the tables come to."""
    ratios, slower = bench.ratios, bench.slower()
    if not ratios:
        return ["No peer was measured."]
    tenfold = sum(ratio >= 10 for ratio in ratios)
    faster = len(ratios) - len(slower)
    counted = f"Of {len(ratios)} rates beside a peer's, on all processors and on one"
    lines = [
        f"{counted}, {faster} are faster, {tenfold} of them ten times or more.",
        f"The median ratio is {statistics.median(ratios):,.0f}.",
    ]
    return lines + ([f"Slower than a peer: {'; '.join(slower)}."] if slower else [])


def conditions(bench: Bench) -> list[str]:
    """What it was measured on."""
    machine = bench.machine
    quick = ["This was a quick run: its figures are rough."] if bench.quick else []
    ours = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    peers = "; ".join(", ".join(f"{name} {n}" for name, n in found.items()) for found in bench.peers.values())
    return [
        *quick,
        f"Machine: {machine['processor']}, {machine['processors']} processors, {machine['system']}.",
        f"Ours: {ours}.",
        f"Peers: {peers or 'none'}.",
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


def usual(bench: Bench, d: int) -> list[list[str]]:
    """Every mechanism's rates beside their limits, at ``d`` labels or the most below that it was measured at."""
    rows = []
    for name in bench.mechanisms:
        sizes = [cell.d for cell in bench.of("client", name)]
        nearest = max((size for size in sizes if size <= d), default=min(sizes))
        found = {cell.stage: cell for cell in bench.cells if (cell.mechanism, cell.d) == (name, nearest)}
        rows.append([name, f"{nearest:,}", *beside(found["client"], "seeded"), *beside(found["tally"], "tally")])
    return rows


def beside(cell: Cell, name: str) -> list[str]:
    """A rate and its share of the limit, on all processors and on one."""
    shown = []
    for where in ("", ONE):
        limits = tuple(limit + where for limit in LIMITS[name])
        shown += [rate(cell.named(name + where)), share(cell, name + where, limits)]
    return shown
