"""What is kept of two promises, by us and by the peers: ``python -m benchmarks.promises [--quick] [--json FILE]``.

The promises are epsilon = 1, and that 95% intervals hold the truth in 95 of 100 surveys. Ours and the peers' are asked
the same by one function, which sees nothing but reports and estimates, at 8 labels or as many as the mechanism has.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table
from scipy.special import ndtri

import deniable as dn
from benchmarks import kept, machine
from benchmarks.bench import peer_processes
from benchmarks.catalogue import FAMILIES
from benchmarks.measure import EPSILON, SEED, PeerError, kinds
from benchmarks.pages import markdown_table
from benchmarks.peer_process import DEFAULT_INTERPRETER, OFFERS, PeerProcess
from deniable.audit.sampling import CONFIDENCE
from deniable.theory.truths import zipf
from deniable.values.values import closed_domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from deniable.mechanisms.mechanism import Mechanism

Intervals: TypeAlias = npt.NDArray[np.float64]

LABELS = 8
TRIALS, FEWER_TRIALS = 100_000, 10_000
"""Reports of each of two labels."""
PEOPLE, SURVEYS, FEWER_SURVEYS = 5000, 200, 20
LEVEL = 0.95
MANY = 10**9
"""People of a survey from which standard errors are taken."""
WITHIN = 300.0
"""Seconds that a peer may take for its reports."""
NEAREST = "(nearest)"
HEADINGS = ("mechanism", "by", "epsilon promised", "epsilon, exactly", "epsilon, at least", "95% intervals that hold")
OURS = "deniable"
SAID = f"""\
By `python -m benchmarks.promises`, at {LABELS} labels and epsilon 1. Mechanisms that no peer has are in
[promises.csv](benchmarks/promises.csv).

- Exactly: the largest log ratio between labels that must be hidden from each other. A peer does not give it.
- At least: a lower bound from {TRIALS:,} reports of each of two labels, at a confidence of {CONFIDENCE:.4%}. One above
  what is promised refutes the promise.
- Intervals: of {SURVEYS} surveys of {PEOPLE:,} people after Zipf's law; the peers' are the estimate and 1.96 exact
  standard errors of the mechanism. By chance a share of so many is off by half a point."""


class Asked(Protocol):
    """What gives reports and estimates, and is asked for nothing else."""

    def reports(self, values: Sequence[int]) -> list[int]:
        """The kind of the report of each value, numbered as they come."""
        ...

    def intervals(self, values: Sequence[int]) -> Intervals:
        """A 95% interval of the share of each label, from a report of each value."""
        ...


@dataclass(frozen=True, slots=True)
class Ours:
    """One of our mechanisms."""

    mechanism: Mechanism
    seeds: Iterator[int] = field(default_factory=lambda: count(SEED))

    def reports(self, values: Sequence[int]) -> list[int]:
        """Of the whole column at once."""
        return kinds(self.mechanism.privatize_many(values, seed=next(self.seeds)))

    def intervals(self, values: Sequence[int]) -> Intervals:
        """As an estimate gives them."""
        m = self.mechanism
        return m.estimate(m.tally(m.privatize_many(values, seed=next(self.seeds))), "unbiased").interval(LEVEL)


@dataclass(frozen=True, slots=True)
class Peer:
    """A mechanism of another library, in its own interpreter, and ours of the same law."""

    process: PeerProcess
    name: str
    same: Mechanism

    def reports(self, values: Sequence[int]) -> list[int]:
        """One call for each value."""
        found: list[int] = self._ask("reports", values)["reports"]
        return found

    def intervals(self, values: Sequence[int]) -> Intervals:
        """The estimate, and so many standard errors of the mechanism at the truth."""
        told = np.array(self._ask("estimate", values)["estimate"])
        wide = float(ndtri((1 + LEVEL) / 2)) * self._errors() * np.sqrt(MANY / len(values))
        return np.stack([told - wide, told + wide], axis=1)

    def _errors(self) -> npt.NDArray[np.float64]:
        people = np.rint(zipf(LABELS) * MANY).astype(np.int64)
        tally = self.same.draw_tally(people, np.random.default_rng(SEED))
        return self.same.estimate(tally, "unbiased").stderr

    def _ask(self, what: str, values: Sequence[int]) -> dict[str, Any]:
        case = {"library": self.process.library, "mechanism": self.name, "d": LABELS}
        return self.process.ask({"do": what, **case, "values": list(values)}, WITHIN)


@dataclass(frozen=True, slots=True)
class Promises:
    """A row: what is promised, what is exactly spent, what is spent at least, and how many intervals hold the truth."""

    mechanism: str
    by: str
    promised: float
    exact: float | None
    at_least: float | None
    coverage: float | None
    failure: str = ""

    def row(self) -> list[str]:
        """Its line of the table."""
        levels = ["-" if level is None else f"{level:.3g}" for level in (self.promised, self.exact, self.at_least)]
        held = "-" if self.coverage is None else f"{self.coverage:.1%}"
        return [self.mechanism, self.by, *levels, self.failure or held]


def at_least(asked: Asked, labels: int, trials: int) -> float:
    """The epsilon that is spent at least between the first and the last label, by the auditor's bound."""
    values = np.repeat([0, labels - 1], trials)
    seen = asked.reports(values.tolist())
    claim = dn.RandomizedResponse(max(max(seen) + 1, labels), EPSILON)
    return dn.audit_reports(claim, values, np.array(seen)).epsilon_lower


def coverage(asked: Asked, labels: int, surveys: int) -> float:
    """The share of the intervals that hold the share of people who have the label."""
    rng, truth, held = np.random.default_rng(SEED), zipf(labels), []
    for _ in range(surveys):
        low, high = asked.intervals(rng.choice(labels, PEOPLE, p=truth).tolist()).T
        held.append(np.mean((low <= truth) & (truth <= high)))
    return float(np.mean(held))


def measured(name: str, processes: Mapping[str, PeerProcess], trials: int, surveys: int) -> Iterator[Promises]:
    """The rows of one mechanism: ours, and each peer that has it."""
    m = FAMILIES[name].measured_member(min(LABELS, max(FAMILIES[name].sizes)))
    labels = len(closed_domain(m.domain))
    ours = Ours(m)
    lower = at_least(ours, labels, trials) if name in OFFERS else None
    yield Promises(name, OURS, m.guarantee.claimed, dn.audit(m).epsilon, lower, coverage(ours, labels, surveys))
    for library, title in OFFERS.get(name, {}).items():
        if library in processes and NEAREST not in title:
            peer = Peer(processes[library], name, m)
            try:
                lower = at_least(peer, labels, trials)
                yield Promises(name, title, EPSILON, None, lower, coverage(peer, labels, surveys))
            except PeerError as error:
                yield Promises(name, title, EPSILON, None, None, None, str(error))


def said(found: Mapping[str, Any]) -> str:
    """The part of the page."""
    beside = {mechanism for mechanism, by, *_ in rows(found) if by != OURS}
    shown = [[name, by, *rest] for name, by, _, *rest in rows(found) if name in beside]
    return f"{SAID}\n\n{markdown_table([*HEADINGS[:2], *HEADINGS[3:]], shown)}"


def rows(found: Mapping[str, Any]) -> list[list[str]]:
    """All that was found."""
    return [Promises(**one).row() for one in found["promises"]]


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.promises", description="realised epsilon and coverage")
    parser.add_argument("--quick", action="store_true", help="fewer reports: bounds and shares are rougher")
    parser.add_argument("--json", type=Path, help="keep what was found here")
    args = parser.parse_args(words)
    trials, surveys = (FEWER_TRIALS, FEWER_SURVEYS) if args.quick else (TRIALS, SURVEYS)
    with peer_processes(DEFAULT_INTERPRETER) as peers:
        versions = {library: peer.versions(library)[library] for library, peer in peers.items()}
        found = [one for name in FAMILIES for one in measured(name, peers, trials, surveys)]
    table = Table(*HEADINGS)
    for one in found:
        table.add_row(*one.row())
    Console().print(table)
    if args.json:
        promises = [asdict(one) for one in found]
        kept.write(args.json, {"machine": machine.brief(), "peers": versions, "promises": promises})


if __name__ == "__main__":
    main()
