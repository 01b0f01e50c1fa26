"""Least squares of a cumulative share F from differences of F: a network of resistors (numbers.md 2).

Nodes are the cuts 0..d of a scale of d cells, with F = 0 and F = 1 known at its ends. An unbiased share of the people
between two cuts, of variance 1/c, is an edge of conductance c. The covariance of the F that fits best is the inverse of
the Laplacian without the two ends, and the variance of a range's share the resistance between its ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from deniable.arrays import Indices, Matrix, Vector
from deniable.kernels.arithmetic import inverse_diagonal


@dataclass(frozen=True, eq=False)
class Network:
    """Edges from ``starts`` to ``ends`` with their ``conductances`` on the nodes 0..cells, connected to both ends.

    >>> Network.of(2, [(np.array([0, 1, 2]), 0.5)]).resistances.tolist()
    [0.0, 1.0, 0.0]
    """

    cells: int
    starts: Indices
    ends: Indices
    conductances: Vector

    @classmethod
    def of(cls, cells: int, chains: Sequence[tuple[Indices, float]]) -> Network:
        """The network of chains: cuts in order, and the conductance between each and the next."""
        none = np.zeros(0, np.int64)
        starts = np.concatenate([none, *(cuts[:-1] for cuts, _ in chains)])
        ends = np.concatenate([none, *(cuts[1:] for cuts, _ in chains)])
        conductances: Vector = np.concatenate([none, *(np.full(len(cuts) - 1, each) for cuts, each in chains)])
        return cls(cells, starts, ends, conductances)

    def with_chain(self, conductances: Vector) -> Network:
        """The network with more conductances between each node and the next."""
        nodes = np.arange(self.cells + 1)
        starts, ends = np.append(self.starts, nodes[:-1]), np.append(self.ends, nodes[1:])
        return Network(self.cells, starts, ends, np.append(self.conductances, conductances))

    @cached_property
    def laplacian(self) -> scipy.sparse.csc_array:
        """The matrix of all nodes: what flows out of each, given their potentials."""
        one, other, c = self.starts, self.ends, self.conductances
        places = np.concatenate([one, other, one, other]), np.concatenate([one, other, other, one])
        nodes = self.cells + 1
        return scipy.sparse.csc_array((np.concatenate([c, c, -c, -c]), places), shape=(nodes, nodes))

    @cached_property
    def _factor(self) -> scipy.sparse.linalg.SuperLU:
        """Symmetric elimination, of the node with the fewest neighbours first."""
        inner = self.laplacian[1:-1, 1:-1].tocsc()
        return scipy.sparse.linalg.splu(
            inner, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
        )

    def potentials(self, currents: Matrix) -> Matrix:
        """The potentials [nodes, ...] when these currents flow in and the ends are at 0."""
        found = np.zeros(currents.shape)
        if self.cells > 1:
            found[1:-1] = self._factor.solve(np.ascontiguousarray(currents[1:-1]))
        return found

    @cached_property
    def resistances(self) -> Vector:
        """The variance of F at each node: its resistance to the ends, which are at one potential."""
        found = np.zeros(self.cells + 1)
        if self.cells > 1:
            factor = self._factor
            lower = factor.L.tocsc()
            lower.sort_indices()
            pivots = np.asarray(factor.U.diagonal(), np.float64)
            # column i of the matrix is column perm_c[i] of the factor
            found[1:-1] = inverse_diagonal(lower.indptr, lower.indices, lower.data, pivots)[factor.perm_c]
        return found

    def flows(self, potentials: Vector, cuts: Indices, conductance: float) -> Vector:
        """What flows along each edge of a chain."""
        return np.asarray(conductance * np.diff(potentials[cuts]), np.float64)

    def into(self, amounts: Matrix) -> Matrix:
        """What flows into the nodes [nodes, ...] if the edges carry these amounts [edges, ...] from start to end."""
        shape = (self.cells + 1, len(self.starts))
        edges = np.arange(len(self.starts))
        into = scipy.sparse.csr_array((np.ones(len(edges)), (self.ends, edges)), shape=shape)
        out = scipy.sparse.csr_array((np.ones(len(edges)), (self.starts, edges)), shape=shape)
        return np.asarray((into - out) @ amounts, np.float64)
