"""Shared by the block mechanisms: the order of labels, the spec and the registry row."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from deniable.arrays import Indices
from deniable.mechanisms.family import FEWER_SIZES, Family, Sample, Way
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_blocks, some_level
from deniable.mechanisms.shared.limits import check_rows
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.context import Blocks
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.values.domain import Domain


def block_order(promise: Blocks) -> Indices:
    """The indices in the domain of the blocks' labels, block after block."""
    return np.array([place for block in promise.places for place in block], np.int64)


def block_spec(promise: Blocks) -> Spec:
    """The spec's parameters: epsilon, the size of each block, and the labels' order unless blocks are contiguous."""
    order = block_order(promise).tolist()
    moved = {} if order == list(range(len(order))) else {"order": order}
    return {"epsilon": promise.epsilon, "sizes": [len(block) for block in promise.blocks], **moved}


def block_repr(mechanism: Mechanism, promise: Blocks) -> str:
    """The mechanism as text, with numbers of labels instead of the labels."""
    return f"{mechanism.name}({promise.domain!r} in {len(promise.blocks)} blocks, epsilon={promise.epsilon!r})"


def block_family(
    make: Callable[..., Any],
    title: str,
    samples: Iterable[Sample],
    resolved: Mapping[str, Callable[[Any, list[int]], Any]] = MappingProxyType({}),
) -> Family:
    """The row of a family whose constructor takes blocks, an epsilon and a domain.

    ``resolved`` are the arguments that the spec holds too, each with what reads it, given the sizes of the blocks.
    """

    def example(domain: Domain, epsilon: float) -> Mechanism:
        """An example with the blocks: the first label, the next two, and the rest; one block for two labels."""
        labels = list(domain)
        blocks = [labels] if len(labels) == 2 else [labels[:1], labels[1:3], labels[3:]]
        made: Mechanism = make([block for block in blocks if block], epsilon)
        return made

    def keeps(guarantee: Guarantee, domain: Domain) -> Way | None:
        if not isinstance(guarantee, Blocks):
            return None
        return lambda: make(guarantee.blocks, guarantee.epsilon, domain)

    def read(domain: Any, parameters: Spec) -> Mechanism:
        """The mechanism of a spec, which holds the sizes of the blocks, and the labels' order if it differs."""
        labels = Domain.from_json(domain)
        check_rows(len(labels), make.__name__)
        sizes = [check_int("sizes", size, 1) for size in parameters["sizes"]]
        ordered = list(labels)
        if "order" in parameters:
            ordered = [labels[check_int("order", place, 0)] for place in parameters["order"]]
        known = {"epsilon", "sizes", *resolved}
        if set(parameters) - {"order"} != known or not sum(sizes) == len(ordered) == len(labels):
            raise ParameterError("sizes must add up to the number of labels, beside epsilon, got others")
        more = {name: read(parameters[name], sizes) for name, read in resolved.items()}
        made: Mechanism = make(_cut(ordered, sizes), parameters["epsilon"], labels, **more)
        return made

    family: Any = make
    return Family(
        make=family, title=title, example=example, keeps=keeps, read=read, samples=tuple(samples),
        random=lambda source: make(blocks := some_blocks(source), some_level(source), sum(map(len, blocks))),
        largest=lambda: make([range(1 << 17)], 1.0, 1 << 17),
        measured=lambda labels: make([range(labels // 2), range(labels // 2, labels)], 1.0),
        sizes=FEWER_SIZES,
    )  # fmt: skip


def _cut(labels: list[Hashable], sizes: Sequence[int]) -> list[list[Hashable]]:
    """Cut a list of labels into blocks of these sizes."""
    ends = np.cumsum(sizes).tolist()
    return [labels[end - size : end] for size, end in zip(sizes, ends, strict=True)]
