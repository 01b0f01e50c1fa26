"""What kernels and mechanisms give for what seeds make up: `python -m tests.kernels.outcomes` prints digests.

Two processors that compute the same print the same lines, which is what `make arm` compares.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from tests.kernels.calls import KERNELS, sound_call

import deniable as dn
from deniable.kernels import _kernels
from deniable.mechanisms.registry import from_spec_bytes
from deniable.values.lists import Lists
from deniable.values.texts import Texts

SPECS = Path(__file__).parents[2] / "wire" / "vectors" / "specs.json"
PEOPLE, VALUES = 5000, 60


def outcome(name: str, seed: int, people: int) -> list[Any]:
    """What a kernel returns, and all its arrays afterwards, as bytes."""
    call = sound_call(name, seed, people)
    found = getattr(_kernels, name)(*call)
    return [found, *(each.tobytes() for each in call if isinstance(each, np.ndarray))]


def seeded(spec: str) -> list[bytes]:
    """A seeded column of a mechanism, and its tally unless that would be too large."""
    m = from_spec_bytes(spec.encode())
    held = some_values(m.domain)
    reports = m.privatize_many([held[person % len(held)] for person in range(PEOPLE)], seed=7)
    found = [reports.tobytes()]
    with suppress(dn.CapacityError):
        found.append(m.tally(reports).counts.tobytes())
    return found


def some_values(domain: Any) -> list[Any]:
    """The first values of a domain, or a few where they cannot be written out."""
    if isinstance(domain, Texts):
        return [f"text {number}" for number in range(VALUES)]
    if isinstance(domain, Lists):
        return [(label,) for label in islice(domain.labels, VALUES)]
    return list(islice(domain.every(), VALUES))


def told(what: str, given: list[Any]) -> None:
    """One line."""
    print(hashlib.sha256(repr(given).encode()).hexdigest(), what)


def main() -> None:
    """A line for every kernel, and for every good spec of the vectors."""
    for name in KERNELS:
        told(name, [outcome(name, seed, people) for people in (1, 7, 64, 500) for seed in range(3)])
    for vector in json.loads(SPECS.read_text(encoding="ascii"))["good"]:
        told(vector["spec"], seeded(vector["spec"]))


if __name__ == "__main__":
    main()
