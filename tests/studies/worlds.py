"""A made-up study for tests of the machinery: tasks that leave a trace, fail once, or never end."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from deniable.estimation.drawing import canvas, line_style
from studies.sources import printed
from studies.study import Picture, Row, Study, Tables, column, grid
from studies.verdicts import Check, near

EPSILONS = (0.5, 1.0, 2.0)


def noisy(seed: int, epsilon: float, log: str) -> list[Row]:
    """A task that leaves a trace each time it really runs."""
    with Path(log).open("a", encoding="utf-8") as file:
        file.write(f"{epsilon}\n")
    return [{"epsilon": epsilon, "error": float(np.random.default_rng(seed).normal())}]


def failing(seed: int, epsilon: float, log: str) -> list[Row]:
    """As ``noisy``, but the second task is interrupted until the work is mended."""
    if epsilon == EPSILONS[1] and not Path(log).with_name("mended").exists():
        raise KeyboardInterrupt
    return noisy(seed, epsilon, log)


def endless(seed: int, epsilon: float, log: str) -> list[Row]:
    """The first task ends, the others write the number of their process and wait to be killed."""
    if epsilon != EPSILONS[0] and not Path(log).with_name("mended").exists():
        Path(log).with_name(f"process-{os.getpid()}").touch()
        time.sleep(600)
    return noisy(seed, epsilon, log)


def curve(tables: Tables) -> Figure:
    """One line."""
    figure, axes = canvas((3, 2))
    axes.plot(column(tables["errors"], "epsilon"), column(tables["errors"], "error"), **line_style(0))
    return figure


def doubled(tables: Tables) -> Tables:
    """A table from a table."""
    return {"doubled": [{"error": 2 * error} for error in column(tables["errors"], "error")]}


def against(tables: Tables) -> Sequence[Check]:
    """A printed value of 0 for every row."""
    return [
        near("errors", f"eps = {row['epsilon']}", printed("Table 1"), 20.0, 20.0 + float(str(row["error"])), 0.1, 0.5)
        for row in tables["errors"]
    ]


def made_up(log: Path, run: Callable[..., list[Row]] = noisy) -> Study:
    """Three tasks, one picture."""
    cases = [{"epsilon": epsilon, "log": str(log)} for epsilon in EPSILONS]
    return Study(
        "made-up",
        "A made-up study",
        "Nobody, nowhere.",
        "About nothing.",
        lambda quick: grid("errors", run, cases[:1] if quick else cases),
        against,
        (Picture("curve", "The curve", "It goes up. It goes down.", curve),),
        doubled,
        lambda tables: [f"we have {len(tables['errors'])} rows"],
    )
