"""Gowalla's check-ins and Kosarak's clicks, from files as they are published. Nobody's data are part of this project.

Gowalla (Cho, Myers and Leskovec 2011): ``loc-gowalla_totalCheckins.txt``, a line for each check-in, of user, time,
latitude, longitude and place, set apart by tabs. Kosarak (Bodon's click-streams of a news portal): ``kosarak.dat``, a
line for each visitor, of the numbers of the pages seen. Either may also end in ``.gz``.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from deniable.protocol.errors import FormatError, ParameterError
from studies.places import CELLS, COLUMNS, FINE, ROWS, SOUTH, STEP, WEST

GOWALLA, KOSARAK = "loc-gowalla_totalCheckins.txt", "kosarak.dat"
SIDE = 20
"""The world is divided into so many times so many districts."""
LINES = {GOWALLA: "user, time, latitude, longitude and place, set apart by tabs", KOSARAK: "numbers of pages"}
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class CheckIns:
    """What the studies need of Gowalla: check-ins of each cell of the US, and of each district of the world.

    ``last`` counts each user's last check-in, ``earlier`` all before it; of coordinates outside the world neither.
    """

    lines: int
    cells: list[int]
    earlier: list[int]
    last: list[int]

    @property
    def inside(self) -> int:
        """Those in the box of acharya2019."""
        return sum(self.cells)


def file_in(folder: Path, name: str) -> Path | None:
    """The file in the folder, packed or not; None if there is none."""
    if not folder.is_dir():
        raise ParameterError(f"--data must be a folder that holds {GOWALLA} or {KOSARAK}, got {folder}, which is none")
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def check_ins(path: Path) -> CheckIns:
    """Count Gowalla's check-ins."""
    cells, places, lines = [0] * CELLS, Counter[int](), 0
    last: dict[int, tuple[datetime, int]] = {}
    for user, when, cell, district in _read(path, GOWALLA, _check_in):
        lines += 1
        if cell is not None:
            cells[cell] += 1
        if district is not None:
            places[district] += 1
            last[user] = max(last.get(user, (when, district)), (when, district))
    final = Counter(district for _, district in last.values())
    every = range(SIDE * SIDE)
    return CheckIns(lines, cells, [places[d] - final[d] for d in every], [final[d] for d in every])


def clicks(path: Path) -> list[int]:
    """How often each page of Kosarak was seen."""
    seen = Counter[int]()
    for pages in _read(path, KOSARAK, lambda line: list(map(int, line.split()))):
        seen.update(pages)
    return [seen[page] for page in sorted(seen)]


def _check_in(line: str) -> tuple[int, datetime, int | None, int | None]:
    user, when, north, east, _place = line.split("\t")
    latitude, longitude = float(north), float(east)
    row, column = _step(latitude, SOUTH), _step(longitude, WEST)
    cell = row * COLUMNS + column if 0 <= row < ROWS and 0 <= column < COLUMNS else None
    high, wide = int((latitude + 90) // (180 / SIDE)), int((longitude + 180) // (360 / SIDE))
    district = high * SIDE + wide if 0 <= high < SIDE and 0 <= wide < SIDE else None
    return int(user), datetime.fromisoformat(when), cell, district


def _step(degrees: float, edge: float) -> int:
    return round((degrees - edge) * FINE) // round(STEP * FINE)


def _read(path: Path, name: str, read: Callable[[str], Line]) -> Iterator[Line]:
    """What each line says."""
    number, packed = 0, path.suffix == ".gz"
    try:
        with io.TextIOWrapper(gzip.open(path) if packed else path.open("rb"), encoding="latin-1") as file:
            for line in file:
                number += 1
                yield read(line)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise FormatError(f"{path} must be a whole gzip file, got another one or a part") from None
    except (ValueError, OverflowError):
        raise FormatError(f"{path}, line {number}, must hold {LINES[name]}, got something else") from None
    if not number:
        raise FormatError(f"{path} must hold lines of {LINES[name]}, got an empty file")
