"""The columns that a channel under pairwise levels can have: the cone v_x <= e^E[x, x'] v_x', and its extreme rays.

In logs u = ln v this reads u_x - u_x' <= E[x, x']. A ray is extreme if the pairs that hold with equality, its tight
arcs, connect all labels where v is not 0. From one extreme ray an edge leads to the next: a set S of labels is raised
together until a pair across its border becomes tight. S must be connected by tight arcs, and so must the rest be.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Counts, Matrix
from deniable.protocol.errors import CapacityError
from deniable.theory.levels import closed

LIMIT = 10_000
"""The largest number of extreme columns that are listed."""
WIDEST = 13
"""The largest number of labels whose subsets are listed to find the edges at a ray."""
TIGHT = 1e-10


def extreme_columns(levels: Matrix) -> Matrix:
    """All extreme rays of the cone as columns, the largest entry of each 1; ``levels`` as ``check_levels`` gives them.

    Every column of every channel under ``levels`` is a sum of these with weights that are not negative.

    >>> extreme_columns(np.log([[1.0, 3.0], [2.0, 1.0]])).round(3).tolist()
    [[1.0, 0.5], [0.333, 1.0]]
    """
    distances = closed(levels)
    rays: list[Matrix] = []
    for labels in _supports(np.isfinite(distances)):
        found = _rays(distances[np.ix_(labels, labels)])
        whole = np.zeros((len(found), len(levels)))
        whole[:, labels] = np.exp(found)
        rays.append(whole)
        _check_count(sum(map(len, rays)))
    columns = np.concatenate(rays).T
    return np.ascontiguousarray(columns[:, np.lexsort(columns)])


def _check_count(count: int) -> None:
    if count > LIMIT:
        raise CapacityError(f"levels must have at most {LIMIT} extreme columns to be listed, got more")


def _supports(finite: npt.NDArray[np.bool_]) -> Iterator[list[int]]:
    """The sets of labels where a ray can be positive: closed under finite levels, and connected."""
    hulls = {sum(1 << int(x) for x in np.flatnonzero(row)) for row in finite}
    seen, stack = set(hulls), list(hulls)
    while stack:
        labels = stack.pop()
        yield [x for x in range(len(finite)) if labels >> x & 1]
        wider = {labels | hull for hull in hulls if labels & hull} - seen
        seen |= wider
        stack += wider
        _check_count(len(seen))


def _rays(levels: Matrix) -> Matrix:
    """The extreme rays without zeros, as rows of logs."""
    d = len(levels)
    sinks = np.isinf(levels).sum(axis=1) == d - 1
    if 0 < sinks.sum() < d:  # labels without a finite level of their own: no walk is needed among their twins
        return _with_sinks(levels, np.flatnonzero(~sinks), np.flatnonzero(sinks))
    off_diagonal = levels[~np.eye(d, dtype=bool)]
    if d > 2 and np.ptp(off_diagonal) == 0 and off_diagonal[0] > 0:  # plain LDP, known without a walk
        return _two_level(d, float(off_diagonal[0]))
    return _walk(levels)


def _with_sinks(levels: Matrix, bounded: Counts, sinks: Counts) -> Matrix:
    """The extreme rays, as rows of logs, where the labels ``sinks`` are bounded by no level of their own.

    They lie as low as the bounded labels allow; of those with equal levels one is walked, and the others copy it.
    """
    _, first, twin = np.unique(levels[np.ix_(bounded, sinks)], axis=1, return_index=True, return_inverse=True)
    walked = np.concatenate([bounded, sinks[first]])
    rays = _walk(levels[np.ix_(walked, walked)])
    whole = np.empty((len(rays), len(levels)))
    whole[:, bounded] = rays[:, : len(bounded)]
    whole[:, sinks] = rays[:, len(bounded) + twin.ravel()]
    return whole


def _two_level(d: int, epsilon: float) -> Matrix:
    """The rays of plain LDP: any set of labels except none and all may be e^epsilon times less likely than the rest."""
    _check_count(2 ** min(d, 60) - 2)
    sets = np.arange(1, 2**d - 1)
    return np.asarray(-epsilon * (sets[:, None] >> np.arange(d) & 1), np.float64)


def _walk(levels: Matrix) -> Matrix:
    """The rays of levels that tie all labels together, found by following the edges from ray to ray."""
    if len(levels) > WIDEST:
        raise CapacityError(f"levels must tie at most {WIDEST} labels together to be listed, got {len(levels)}")
    first = _first_ray(levels)
    rays, stack = {_tight(first, levels).tobytes(): first}, [first]
    while stack:
        for ray in _neighbours(stack.pop(), levels):
            key = _tight(ray, levels).tobytes()
            if key not in rays:
                rays[key] = ray
                stack.append(ray)
        _check_count(len(rays))
    return np.stack(list(rays.values()))


def _exact_ray(ray: Matrix, levels: Matrix) -> Matrix:
    """The ray with its largest log moved to 0 and rounding undone, so that it keeps the levels to the last digit."""
    ray = (ray + levels).min(axis=1)
    return np.asarray(ray - ray.max(), np.float64)


def _slack(ray: Matrix, levels: Matrix) -> Matrix:
    return levels - ray[:, None] + ray


def _tight(ray: Matrix, levels: Matrix) -> npt.NDArray[np.bool_]:
    """The pairs that hold with equality, including each label with itself."""
    return _slack(ray, levels) <= TIGHT


def _first_ray(levels: Matrix) -> Matrix:
    """A first ray: starting from the constant column, a connected part moves until it ties with another part."""
    ray = np.zeros(len(levels))
    while True:
        count, part = scipy.sparse.csgraph.connected_components(_tight(ray, levels), directed=False)
        if count == 1:
            return ray
        slack, inside = _slack(ray, levels), part == 0
        up, down = slack[np.ix_(inside, ~inside)].min(), slack[np.ix_(~inside, inside)].min()
        ray[inside] += up if up < np.inf else -down
        ray = _exact_ray(ray, levels)


def _neighbours(ray: Matrix, levels: Matrix) -> Iterator[Matrix]:
    """The rays at the ends of the edges at a ray; infinite edges lead to rays with zeros, which are found apart."""
    slack = _slack(ray, levels)
    for inside in _raisable(slack <= TIGHT):
        rise = slack[np.ix_(inside, ~inside)].min()
        if rise < np.inf:
            yield _exact_ray(ray + np.where(inside, rise, 0), levels)


def _raisable(tight: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The connected sets without a tight arc out of them whose complement is connected too, as rows."""
    d = len(tight)
    everything = 2**d - 1
    onward = _unions(tight)
    sets = np.arange(1, everything)
    sets = sets[onward[sets] & ~sets == 0]
    joined = _unions(tight | tight.T)
    sets = sets[_connected(sets, joined, d) & _connected(everything ^ sets, joined, d)]
    return np.asarray(sets[:, None] >> np.arange(d) & 1, np.bool_)


def _unions(relation: npt.NDArray[np.bool_]) -> Counts:
    """For every set of labels, the set of labels related to any of them; sets are bit masks."""
    unions = np.zeros(1, np.int64)
    for row in relation:
        unions = np.concatenate([unions, unions | (1 << np.flatnonzero(row)).sum()])
    return unions


def _connected(sets: Counts, joined: Counts, d: int) -> npt.NDArray[np.bool_]:
    """Whether each set is connected by ``joined``, the labels beside any of a set's: all is reached from its first."""
    reached = sets & -sets
    for _ in range(d - 1):
        reached = joined[reached] & sets
    return np.asarray(reached == sets)
