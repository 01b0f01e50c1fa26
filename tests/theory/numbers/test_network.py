"""Networks of resistors against dense algebra, and how long large ones take."""

from __future__ import annotations

import time

import numpy as np
import pytest

from deniable.theory.numbers.network import Network
from deniable.theory.numbers.staggered import network, parts


@pytest.mark.parametrize("cells", [2, 3, 5, 40])
def test_potentials_and_resistances_by_the_dense_inverse(cells: int) -> None:
    found = network(cells, parts(cells), 1.0).with_chain(np.linspace(1, 2, cells))
    inverse = np.linalg.inv(found.laplacian.toarray()[1:-1, 1:-1])
    assert np.allclose(found.resistances[1:-1], np.diag(inverse), rtol=1e-10)
    assert found.resistances[[0, -1]].tolist() == [0, 0]
    currents = np.random.default_rng(0).standard_normal((cells + 1, 2))
    assert np.allclose(found.potentials(currents)[1:-1], inverse @ currents[1:-1], rtol=1e-9)
    assert np.allclose(found.potentials(currents[:, 0]), found.potentials(currents)[:, 0], rtol=1e-9, atol=1e-12)


def test_what_flows_in_by_the_dense_incidence() -> None:
    found = network(6, parts(6), 1.0)
    amounts = np.random.default_rng(0).standard_normal(len(found.starts))
    nodes = np.arange(7)[:, None]
    incidence = (nodes == found.ends).astype(float) - (nodes == found.starts)
    assert np.allclose(found.into(amounts), incidence @ amounts)
    laplacian = (incidence * found.conductances) @ incidence.T
    assert np.allclose(found.laplacian.toarray(), laplacian)


def test_one_cell_has_no_node_inside() -> None:
    found = Network.of(1, [(np.array([0, 1]), 1.0)])
    assert found.resistances.tolist() == [0, 0]
    assert found.potentials(np.ones(2)).tolist() == [0, 0]


def test_large_networks_take_less_than_a_second() -> None:
    network(64, parts(64), 1.0).resistances.sum()  # compiles what is needed
    started = time.process_time()
    found = network(1 << 16, parts(1 << 16), 1.0)
    found.potentials(np.ones(found.cells + 1))
    assert time.process_time() - started < 1
    assert found.resistances.max() < 76
