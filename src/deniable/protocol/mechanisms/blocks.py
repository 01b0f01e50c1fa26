"""Block mechanisms: the block is told, and within it a label is hidden among the others."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from .. import draws
from ..canonical import Spec
from ..checks import check_int
from ..designs import Design, read_design
from ..errors import ParameterError
from ..headed_layouts import HEAD, BlockLayout
from ..layouts import IndexLayout, Report, number_of
from ..odds import Odds, weighted_odds
from ..values import Domain
from ..words import Words
from .context import BlockMechanism, check_blocks, read_sizes
from .plain import NEVER, Cyclic, Subset, in_half

Places = tuple[tuple[int, ...], ...]


class BlockHadamard(BlockMechanism):
    """Each block has outputs of its own; a label owns the + half of its row there."""

    odds: Odds

    def __init__(self, domain: Domain, blocks: Places, epsilon: float) -> None:
        super().__init__(domain, blocks, epsilon)
        self.odds = weighted_odds(self.epsilon, 1, 1)
        self.widths = tuple(1 << size.bit_length() for size in self.sizes)
        self.starts = (0, *accumulate(self.widths))
        self.layout = IndexLayout(self.starts[-1])

    @classmethod
    def of(cls, spec: Spec) -> BlockHadamard:
        return cls(*read_sizes(spec), spec["epsilon"])

    def draw(self, value: int, words: Words) -> Report:
        block, number = self.place(value)
        outputs = range(self.starts[block], self.starts[block + 1])
        return draws.hadamard_row(words.part(), outputs, outputs, number + 1, *self.odds)

    def chance(self, value: int, report: Report) -> Fraction:
        block, number = self.place(value)
        output = number_of(report) - self.starts[block]
        if not 0 <= output < self.widths[block]:
            return NEVER
        weight = 2 * self.odds.weight(in_half(output, number + 1))
        return Fraction(weight, (self.odds.above + self.odds.below) * self.widths[block])


class BlockSubset(BlockMechanism):
    """A block, and a set of ``weights[block]`` of its labels as in Subset."""

    layout: BlockLayout

    def __init__(self, domain: Domain, blocks: Places, epsilon: float, weights: list[int]) -> None:
        super().__init__(domain, blocks, epsilon, weights=weights)
        check_blocks(len(blocks))
        if len(weights) != len(blocks):
            raise ParameterError(f"weights must be one for each of {len(blocks)} blocks, got {len(weights)}")
        pairs = tuple((size, check_int("weights", weight, 1)) for size, weight in zip(self.sizes, weights, strict=True))
        if any(weight > 1 for size, weight in pairs if size == 1):
            raise ParameterError("the weight of a block of one label must be 1, got a larger one")
        subsets = {p: Subset(Domain(p[0]), self.epsilon, p[1]) if p[0] > 1 else None for p in set(pairs)}
        self.inner: tuple[Subset | None, ...] = tuple(subsets[pair] for pair in pairs)
        self.layout = BlockLayout(self.sizes, tuple(weights))

    @classmethod
    def of(cls, spec: Spec) -> BlockSubset:
        return cls(*read_sizes(spec), spec["epsilon"], spec["weights"])

    def draw(self, value: int, words: Words) -> Report:
        """The set of the label's number in its block; a block of one label needs no words."""
        block, number = self.place(value)
        inner = self.inner[block]
        return self.layout.join(block, 1 if inner is None else inner.members(number, words))

    def chance(self, value: int, report: Report) -> Fraction:
        packed = report if isinstance(report, bytes) else b""
        block, number = self.place(value)
        inner, members = self.inner[block], number_of(packed[HEAD:])
        if number_of(packed[:HEAD]) != block:
            return NEVER
        return Fraction(1) if inner is None else inner.chance_of(members >> number & 1 == 1)


class BlockCyclic(BlockMechanism):
    """Each block has residues of its own, and a label reports as in Cyclic there."""

    def __init__(self, domain: Domain, blocks: Places, epsilon: float, designs: tuple[Design, ...]) -> None:
        super().__init__(domain, blocks, epsilon, designs=[[design.q, design.t] for design in designs])
        kinds = tuple(zip(self.sizes, designs, strict=True))
        cyclics = {kind: Cyclic(Domain(kind[0]), self.epsilon, kind[1]) if kind[0] > 1 else None for kind in set(kinds)}
        self.inner: tuple[Cyclic | None, ...] = tuple(cyclics[kind] for kind in kinds)
        self.lengths = tuple(design.length for design in designs)
        self.starts = (0, *accumulate(self.lengths))
        self.layout = IndexLayout(self.starts[-1])

    @classmethod
    def of(cls, spec: Spec) -> BlockCyclic:
        domain, blocks = read_sizes(spec)
        if len(spec["designs"]) != len(blocks):
            raise ParameterError(f"designs must be one for each of {len(blocks)} blocks, got {len(spec['designs'])}")
        designs = tuple(read_design(q, t, len(block)) for (q, t), block in zip(spec["designs"], blocks, strict=True))
        return cls(domain, blocks, spec["epsilon"], designs)

    def draw(self, value: int, words: Words) -> Report:
        """The residue of the label's number in its block; a block of one label needs no words."""
        block, number = self.place(value)
        inner = self.inner[block]
        residue = 0 if inner is None else inner.draw(number, words)
        return self.starts[block] + int(residue)

    def chance(self, value: int, report: Report) -> Fraction:
        block, number = self.place(value)
        inner, residue = self.inner[block], number_of(report) - self.starts[block]
        if not 0 <= residue < self.lengths[block]:
            return NEVER
        return Fraction(1) if inner is None else inner.chance(number, residue)
