"""Regression of protected answers beside statsmodels' of open ones: ``python -m benchmarks.regression [--quick]``.

The price of privacy in time. Both fit a logit of as many people on as many columns, with Wald intervals; protected
answers once more with score intervals, which fit the other columns anew for each end of each interval.

On two quiet cores, 10^6 people by ``python -m benchmarks.regression --scores``: Wald 3.4 seconds, score intervals 21
more, statsmodels' open fit 2.6. Memory is 1.01 GB at most, with statsmodels 1.17.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import deniable as dn
from benchmarks.pages import markdown_table

PEOPLE, COLUMNS, EPSILON, SEED = 1_000_000, 20, 1.0, 1
FEWER = 100_000
sm: Any = import_module("statsmodels.api")


def people(n: int, columns: int) -> tuple[Any, Any, Any, Any]:
    """Columns, open answers, a mechanism and its reports."""
    rng = np.random.default_rng(SEED)
    x = rng.standard_normal((n, columns))
    open_answers = (rng.random(n) < 1 / (1 + np.exp(1 - x @ rng.normal(0, 0.2, columns)))).astype(np.int64)
    coin = dn.RandomizedResponse(2, EPSILON)
    return x, open_answers, coin, coin.privatize_many(open_answers, seed=SEED)


def timed(call: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds on the clock and of processors, and what came of it."""
    clock, spent = time.perf_counter(), time.process_time()
    found = call()
    return time.perf_counter() - clock, time.process_time() - spent, found


def rows(n: int, columns: int, with_scores: bool) -> list[list[str]]:
    """What each fit takes."""
    x, answers, coin, reports = people(n, columns)
    found = []

    def add(what: str, call: Callable[[], Any]) -> Any:
        clock, spent, made = timed(call)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        found.append([what, f"{n:,}", f"{clock:.2f}", f"{spent:.2f}", f"{memory:.2f}"])
        return made

    fit = add(
        "deniable, protected, Wald", lambda: _with_intervals(dn.regress("late", x, {"late": (coin, reports)}, event=1))
    )
    if with_scores:
        add("the same, score intervals", lambda: fit.interval(method="score"))
    add("statsmodels, open, Wald", lambda: sm.Logit(answers, sm.add_constant(x)).fit(disp=0).conf_int())
    return found


def _with_intervals(fit: Any) -> Any:
    """A fit whose intervals are found."""
    fit.interval()
    return fit


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the people")
    parser.add_argument("--scores", action="store_true", help="score intervals too, which take half a minute")
    given = parser.parse_args()
    headings = ["fit of 20 columns", "people", "seconds", "processor seconds", "GB at most"]
    print(markdown_table(headings, rows(FEWER if given.quick else PEOPLE, COLUMNS, given.scores)))


if __name__ == "__main__":
    main()
