"""How much of what ``present`` names is held by nobody: ``python -m benchmarks.open_findings``, ten minutes.

100,000 people at epsilon 4. Some hold one frequent text that is not listed, the others a few of the candidates, in
proportion to 1, 1/2, 1/3, ...; hashes anew for every survey. A share of 0.1 is asked for. The error is two standard
errors of the simulated mean.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

import deniable as dn

EPSILON, PEOPLE, FDR = 4.0, 100_000, 0.1


class Setting(NamedTuple):
    """A survey: cohorts, symbols, candidates, the share of the text that is not listed, candidates that are held."""

    cohorts: int
    symbols: int
    candidates: int
    unlisted: float
    held: int


SETTINGS = (
    Setting(8, 64, 1000, 0.5, 5),
    Setting(16, 64, 4000, 0.3, 5),
    Setting(16, 64, 4000, 0.95, 5),
    Setting(32, 64, 3000, 0.5, 5),
    Setting(64, 64, 5000, 0.95, 5),
    Setting(256, 16, 1000, 0.5, 5),
    Setting(256, 16, 1000, 0.5, 40),
    Setting(256, 16, 5000, 0.5, 5),
    Setting(256, 16, 5000, 0.0, 40),
)


def found(setting: Setting, seed: int) -> tuple[float, float]:
    """The share of false ones among those that are named, and of those that are held how many are named."""
    mechanism = dn.HashedResponse(EPSILON, setting.symbols, setting.cohorts, key=str(seed))
    texts = [str(place) for place in range(setting.candidates)]
    weights = 1 / np.arange(1, setting.held + 1)
    people = np.zeros(setting.candidates + 1, np.int64)
    people[: setting.held] = PEOPLE * (1 - setting.unlisted) * weights / weights.sum()
    people[-1] = PEOPLE * setting.unlisted
    tally = mechanism.draw_tally(people, np.random.default_rng(seed), [*texts, "not listed"])
    named = [int(str(text)) for text in mechanism.estimate(tally, candidates=texts).present(FDR)]
    true = sum(place < setting.held for place in named)
    return (len(named) - true) / max(len(named), 1), true / setting.held


def main() -> None:
    """Print the table of the documentation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=400)
    surveys = parser.parse_args().surveys
    print("| cohorts | symbols | candidates | one text not listed | held | false among the named | held and named |")
    print("|---|---|---|---|---|---|---|")
    for setting in SETTINGS:
        false, power = np.array([found(setting, seed) for seed in range(surveys)]).T
        head = (
            f"{setting.cohorts} | {setting.symbols} | {setting.candidates:,} | {setting.unlisted:.0%} | {setting.held}"
        )
        error = 2 * false.std() / np.sqrt(surveys)
        print(f"| {head} | {false.mean():.3f} +- {error:.3f} | {power.mean():.0%} |", flush=True)


if __name__ == "__main__":
    main()
