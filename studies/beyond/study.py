"""Our own comparison: error against bits of a report and time to decode, up to a million labels."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from deniable.engines.repeat import surveys
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import OptimizedUnary, Rappor
from deniable.reports.tally import Tally
from deniable.theory import truths
from deniable.theory.bounds import least_l2
from deniable.values.values import closed_domain
from studies.beyond.pictures import PICTURES
from studies.study import MEASURED, Row, Study, Tables, Task, grid, rows_with


def fewest_bits(labels: int, epsilon: float) -> Cyclic:
    """Cyclic with no more bits than a label needs; other designs have a smaller error and a few bits more."""
    return Cyclic(labels, epsilon, max_bits=(labels - 1).bit_length())


MAKERS: Mapping[str, Callable[[int, float], Mechanism]] = {
    "RandomizedResponse": RandomizedResponse,
    "Rappor": Rappor,
    "OptimizedUnary": OptimizedUnary,
    "Subset": Subset,
    "Hadamard": Hadamard,
    "Cyclic, fewest bits": fewest_bits,
    "Cyclic": Cyclic,
}
LABELS, EPSILONS = (1000, 100_000, 1_000_000), (1.0, 4.0)
TIMED = (1000, 10_000, 100_000, 1_000_000)
PEOPLE, FEW, MANY_BITS = 1_000_000, 2000, 10_000
"""People of a simulated survey; few if each report is a subset of many bits, all of which must be drawn."""
MOST_BITS = 1 << 17
"""Larger reports than this (16 kB) are only predicted, not simulated."""
REPEATS = (100, 10, 5)
"""Repeats of a survey for each number of labels: an error summed over more labels varies less."""
PATIENCE, TRIES = 0.3, 5
"""For how many seconds, and how many times at least, a decoding is timed."""


def trade(seed: int, mechanism: str, labels: int, epsilon: float, repeats: int) -> list[Row]:
    """One mechanism: its predicted and observed error, the bits and the randomness of a report, the work to decode.

    Errors are squared, summed over the labels and multiplied by the number of people: the error of one report. The
    truth is Zipf's. ``over_least`` is the error at the worst truth divided by that of the best subsets: of many people
    the least possible.
    """
    made, truth = MAKERS[mechanism](labels, epsilon), truths.zipf(labels)
    row: Row = {
        "mechanism": mechanism,
        "labels": labels,
        "epsilon": epsilon,
        "report_bits": made.report_bits,
        "words": made.cost.words_per_report,
        "decode_operations": made.law.decode_operations,
        "squared_error": PEOPLE * made.risk(PEOPLE, truth=truth),
        "over_least": made.risk(PEOPLE) / least_l2(labels, epsilon, PEOPLE),
        "sent": int(made.report_bits <= MOST_BITS),
    }
    return [{**row, **_simulated(made, truth, seed, repeats)} if row["sent"] else row]


def _simulated(made: Mechanism, truth: Any, seed: int, repeats: int) -> Row:
    """Errors of repeated surveys, of the unbiased estimate and of its projection onto the distributions."""
    users = FEW if isinstance(made, Subset) and made.report_bits > MANY_BITS else PEOPLE
    errors = np.array([_missed(made, each.tally, truth) for each in surveys(made, truth, users, seed, repeats)]) * users
    unbiased, projected = errors.mean(axis=0).tolist()
    spread = float(errors[:, 0].std(ddof=1) / math.sqrt(repeats))
    return {
        "users": users,
        "repeats": repeats,
        "simulated": unbiased,
        "standard_error": spread,
        "projected": projected if users == PEOPLE else None,
    }


def _missed(made: Mechanism, tally: Tally, truth: Any) -> tuple[float, float]:
    found = made.estimate(tally, "projected")
    return float(((found.unbiased - truth) ** 2).sum()), float(((found.frequencies - truth) ** 2).sum())


def tasks(quick: bool) -> list[Task]:
    """Every mechanism at every size and level."""
    cases = [
        {"mechanism": name, "labels": labels, "epsilon": epsilon, "repeats": max(2, most // 10) if quick else most}
        for labels, most in zip(LABELS, REPEATS, strict=True)
        for epsilon in EPSILONS
        for name in MAKERS
    ]
    return grid("trade", trade, cases)


def decode_times(quick: bool) -> list[Row]:
    """The median time from a tally to the unbiased estimate, once tables are made, at epsilon = 1."""
    patience = PATIENCE / 10 if quick else PATIENCE
    return [
        {"mechanism": name, "labels": labels, "seconds": _median_time(made, patience)}
        for labels in TIMED
        for name, make in MAKERS.items()
        if (made := make(labels, 1.0)).report_bits <= MOST_BITS
    ]


def _median_time(made: Mechanism, patience: float) -> float:
    truth = truths.zipf(len(closed_domain(made.domain)))
    tally = next(iter(surveys(made, truth, FEW // 4, 1, 1))).tally
    decode = partial(made.estimate, tally, "unbiased")
    decode()
    taken: list[float] = []
    for tried in count(1):
        start = time.perf_counter()
        decode()
        taken.append(time.perf_counter() - start)
        if tried >= TRIES and sum(taken) > patience:
            break
    return float(np.median(taken))


# --- what the numbers say --------------------------------------------------------------------------------------------


def remarks(tables: Tables) -> list[str]:
    """The remarks, with numbers from the tables and from the measured times."""
    return [
        *map(partial(_size, tables), (LABELS[0], LABELS[-1])),
        _unsent(tables),
        _seen(tables),
        _projected(tables),
        _times(tables),
    ]


def _one(tables: Tables, mechanism: str, labels: int, epsilon: float) -> dict[str, Any]:
    return rows_with(tables["trade"], mechanism=mechanism, labels=labels, epsilon=epsilon)[0]


def _size(tables: Tables, labels: int) -> str:
    said = []
    for epsilon in EPSILONS:
        response, hadamard, fewest, cyclic = (
            _one(tables, name, labels, epsilon)
            for name in ("RandomizedResponse", "Hadamard", "Cyclic, fewest bits", "Cyclic")
        )
        said.append(
            f"at epsilon {epsilon:g} Cyclic errs {cyclic['over_least']:.3f} times the least in {cyclic['report_bits']} "
            f"bits and {fewest['over_least']:.2f} times in {fewest['report_bits']}, Hadamard "
            f"{hadamard['over_least']:.2f} times in {hadamard['report_bits']}, k-ary response "
            f"{response['over_least']:,.0f} times in {response['report_bits']}"
        )
    return f"{labels:,} labels: {'; '.join(said)}. Subset, which errs least, sends {labels:,} bits."


def _unsent(tables: Tables) -> str:
    rows = [row for row in rows_with(tables["trade"], labels=LABELS[-1], epsilon=1.0) if not row["sent"]]
    *names, last = (str(row["mechanism"]) for row in rows)
    bits, short = rows[0]["report_bits"], _one(tables, "Cyclic", LABELS[-1], 1.0)["report_bits"]
    return (
        f"A report of {bits:,} bits is {bits / 8000:,.0f} kB, and a million of them {bits / 8000:,.0f} GB, where "
        f"Cyclic sends {short} bits: at that size {', '.join(names)} and {last} are predicted, and neither simulated "
        "nor timed."
    )


def _seen(tables: Tables) -> str:
    rows = [row for row in rows_with(tables["trade"]) if row["sent"]]
    apart = [abs(row["simulated"] / row["squared_error"] - 1) for row in rows]
    near_by = sum(abs(r["simulated"] - r["squared_error"]) < 2 * r["standard_error"] for r in rows)
    return (
        f"{len(rows)} errors were seen in simulated surveys: {near_by} of them lie within 2 standard errors of the "
        f"formula, and none is further than {max(apart):.1%} from it."
    )


def _projected(tables: Tables) -> str:
    row, truth = _one(tables, "Cyclic", LABELS[-1], 1.0), truths.zipf(LABELS[-1])
    return (
        f"{LABELS[-1]:,} labels are too many for the unbiased estimate of {PEOPLE:,} people: at epsilon 1 the squared "
        f"error of Cyclic's is {row['simulated'] / row['users']:.2f}, that of an estimate of 0 for every label "
        f"{truth @ truth:.4f}. Projected onto the distributions it has {row['projected'] / row['users']:.4f}."
    )


def _times(tables: Tables) -> str:
    rows = rows_with(tables[MEASURED], labels=TIMED[-1])
    shown = "; ".join(f"{row['mechanism']} {1000 * row['seconds']:,.0f} ms" for row in rows)
    return f"To decode {TIMED[-1]:,} labels took, on the machine of this run: {shown}."


STUDY = Study(
    name="beyond",
    title="Error, bits and decoding time up to a million labels",
    source="A comparison of our own.",
    about="Every plain mechanism for a closed set of labels, at 1,000, 100,000 and 1,000,000 labels, epsilon 1 and 4. "
    "An error is squared, summed over the labels, and times the number of people. The truth is Zipf's. The least error "
    "known is that of the best subset size at its worst truth. Cyclic appears also with the fewest bits that it can do "
    "with.",
    tasks=tasks,
    checks=lambda _tables: (),
    pictures=PICTURES,
    remarks=remarks,
    measured=decode_times,
)
