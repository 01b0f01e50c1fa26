"""The shares that an assumed or known truth gives each label."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

import numpy as np

from deniable.arrays import Vector
from deniable.cli import options
from deniable.protocol.checks import near
from deniable.protocol.errors import FormatError, ParameterError
from deniable.theory import truths

LAWS: dict[str, Callable[[int], Vector]] = {
    "uniform": truths.uniform,
    "zipf": truths.zipf,
    "geometric": lambda labels: truths.geometric_of_mean(labels, labels / 5),
}
SLACK = 1e-3
"""How far from 1 the sum of a file's rounded shares may be; they are rescaled."""


def named_truth(name: str, d: int) -> Vector | None:
    """Uniform, zipf (share of rank r proportional to 1/r) or geometric (of mean d/5); None for any other name.

    >>> named_truth("zipf", 3).round(3).tolist()
    [0.545, 0.273, 0.182]
    """
    return LAWS[name](d) if name in LAWS else None


def check_truth(name: str) -> None:
    """Refuse what is neither a name nor a file."""
    if name not in LAWS and not Path(name).exists():
        names = ", ".join(LAWS)
        raise ParameterError(
            f"--truth must be {names} or a CSV file with the columns label and share, got {name}, which is neither"
            f"{near(name, LAWS)}"
        )


def read_truth(path: Path, domain: Sequence[Hashable]) -> Vector:
    """Each label's share from a CSV file with the columns label and share, made to add up to 1; 0 where it has none."""
    shares = np.zeros(len(domain))
    _fill(shares, options.read_columns(path, ("label", "share")), domain, path)
    if not abs(shares.sum() - 1) <= SLACK:
        raise FormatError(f"{path} must have shares that add up to 1, got {shares.sum():.6g}")
    return np.asarray(shares / shares.sum())


def _fill(shares: Vector, rows: list[tuple[str, str]], domain: Sequence[Hashable], path: Path) -> None:
    positions, seen = {str(label): i for i, label in enumerate(domain)}, set()
    for number, (label, share) in enumerate(rows, 2):
        at, value = positions.get(label), options.number_of(share)
        if at is None or at in seen or not 0 <= value < math.inf:
            raise FormatError(
                f"{path} must give each label of the domain one share of 0 or more, row {number} does not"
            )
        seen.add(at)
        shares[at] = value
