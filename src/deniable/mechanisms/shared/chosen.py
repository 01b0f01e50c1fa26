"""Parameters drawn by a generator, for the random members by which tests compare a family everywhere it is written."""

from __future__ import annotations

from random import Random


def some_labels(source: Random) -> int:
    """A number of labels: often small, sometimes more than a word or a group of coins has bits."""
    return source.choice((2, 3, 5, 8, 16, 40, 64, 65, 130, 300))


def some_level(source: Random) -> float:
    """A level, from nearly nothing to far too much; often one that people choose."""
    usual = source.choice((0.01, 0.1, 0.3, 0.5, 1.0, 2.0, 2.5, 3.0, 6.0, 12.0))
    return source.choice((usual, usual * (1 + source.random() / 10), 10 ** source.uniform(-6, 1.5)))


def some_sensitive(source: Random) -> tuple[int, list[int]]:
    """A number of labels, and the places of the sensitive ones."""
    labels = some_labels(source)
    return labels, source.sample(range(labels), source.randint(1, labels))


def some_blocks(source: Random) -> list[list[int]]:
    """The numbers below a number of labels in one to four blocks, in any order."""
    labels = some_labels(source)
    order = source.sample(range(labels), labels)
    cuts = sorted(source.sample(range(1, labels), min(source.randrange(4), labels - 1)))
    return [order[a:b] for a, b in zip([0, *cuts], [*cuts, labels], strict=True)]
