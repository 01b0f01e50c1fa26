"""The papers' figures on the papers' own data, for whoever has the files: ``deniable reproduce NAME --data FOLDER``.

Verdicts against printed numbers are given of the published files alone, known by a number that a paper prints of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deniable.protocol.errors import ParameterError
from studies.acharya2019 import blocks
from studies.acharya2019 import study as acharya2019
from studies.acharya2019.tables import one
from studies.acharya2019.tables import printed as table1
from studies.jiang2018 import study as jiang2018
from studies.jiang2018 import tables as work
from studies.jiang2018.checks import less_error
from studies.published_files import GOWALLA, KOSARAK, check_ins, clicks, file_in
from studies.sources import printed, sentence
from studies.study import Row, Study, Tables, Task, grid
from studies.verdicts import Check, near, same

CHECK_INS = (work.CHECK_INS, work.CHECK_INS - 2)
"""Gowalla's lines as jiang2018 counts them, and as their publishers do."""
COUNTS = "What the paper says of the data"


def table1_on_check_ins(folder: Path) -> Study:
    """acharya2019, Table 1."""
    path = file_in(folder, GOWALLA)
    if path is None:
        raise ParameterError(f"--data must hold {GOWALLA} or {GOWALLA}.gz, got a folder without it")
    data = check_ins(path)
    if not data.inside:
        raise ParameterError(f"{path.name} must have check-ins in the United States, got none")

    def tasks(quick: bool) -> Sequence[Task]:
        shape = {"people": data.cells, "repeats": 10 if quick else 100}
        return grid("table1", check_in_errors, [{"high": high, "wide": wide, **shape} for high, wide in blocks.GRIDS])

    def checks(tables: Tables) -> Sequence[Check]:
        source = printed("sect. 7, check-ins in the box")
        found = [same(COUNTS, "check-ins between 25N, 50N, 130W and 60W", source, blocks.CHECK_INS, data.inside, 0)]
        for row in table1():
            ours = one(tables["table1"], blocks=row["blocks"])
            what = f"({row['high']}, {row['wide']}), {row['blocks']} blocks"
            found.append(near("Table 1", what, printed("Table 1", what), row["dtv"], ours["dtv"], ours["dtv_error"]))
        return found

    told, is_published = _told(path, data.lines, "check-ins", CHECK_INS)
    about = f"{told} {data.inside:,} of them are in the box of Table 1."
    title = "Table 1 on Gowalla's check-ins"
    return _study(acharya2019.STUDY, title, about, tasks, checks if is_published else lambda _tables: ())


def check_in_errors(seed: int, people: Sequence[int], high: int, wide: int, repeats: int) -> list[Row]:
    """Table 1: one column."""
    return [blocks.grid_errors(seed, np.array(people), high, wide, repeats)]


def fig9_on_files(folder: Path) -> Study:
    """jiang2018, Fig. 9: of either data set that is there."""
    found = [(file_in(folder, KOSARAK), _of_clicks), (file_in(folder, GOWALLA), _of_check_ins)]
    panels = [read(path) for path, read in found if path is not None]
    if not panels:
        raise ParameterError(f"--data must hold {KOSARAK} or {GOWALLA}, also as .gz, got a folder without them")
    return _study(
        jiang2018.STUDY,
        "Fig. 9 on Kosarak's clicks and Gowalla's check-ins",
        " ".join(panel.told for panel in panels),
        lambda quick: [task for panel in panels for task in panel.tasks(quick)],
        lambda tables: [check for panel in panels for check in panel.checks(tables)],
    )


@dataclass(frozen=True, slots=True)
class Panel:
    """One half of Fig. 9: what the file holds, the work, and what the paper says of it."""

    told: str
    is_published: bool
    table: str
    run: Callable[..., list[Row]]
    repeats: int
    data: Mapping[str, Any]
    counted: Sequence[Check] = ()

    def tasks(self, quick: bool) -> Sequence[Task]:
        """One for each level."""
        levels = jiang2018.QUICK if quick else jiang2018.EPSILONS
        how = {"repeats": 1 if quick else self.repeats, **self.data}
        return grid(self.table, self.run, [{"epsilon": each, **how} for each in levels if each % 0.5 == 0])

    def checks(self, tables: Tables) -> list[Check]:
        """Of the published file alone."""
        what, said = f"LIP errs less than LDP at every level, Fig. 9, {self.table}", sentence("sect. V-B")
        compared = [*self.counted, less_error(what, said, tables[self.table])]
        return compared if self.is_published else []


def _of_clicks(path: Path) -> Panel:
    pages = clicks(path)
    popular = sum(count > work.POPULAR for count in pages)
    if not 0 < popular < len(pages):
        raise ParameterError(f"{path.name} must have pages above {work.POPULAR:,} clicks and others, got one kind only")
    source = printed("sect. V-B1, 'around 8 million click events'")
    counted = [same(COUNTS, "million clicks", source, work.CLICKS / 1e6, sum(pages) / 1e6, 0)]
    told = _told(path, len(pages), "pages", (work.PAGES,))
    return Panel(*told, "pages", popular_errors, 100, {"popular": popular, "pages": len(pages)}, counted)


def _of_check_ins(path: Path) -> Panel:
    found = check_ins(path)
    if not any(a and b for a, b in zip(found.earlier, found.last, strict=True)):
        raise ParameterError(f"{path.name} must have users who checked in twice, got none")
    text, is_published = _told(path, found.lines, "check-ins", CHECK_INS)
    text += (
        f" The districts of Fig. 9b are {work.DISTRICTS} equal parts of the world, for the text that we read has lost "
        "their number; people whose last district nobody had visited before are left out."
    )
    shape = {"earlier": found.earlier, "last": found.last}
    return Panel(text, is_published, "districts", district_errors, 3, shape)


def popular_errors(seed: int, epsilon: float, repeats: int, popular: int, pages: int) -> list[Row]:
    """Fig. 9a: whether a page is popular; the prior is the share of those that are."""
    held = (np.arange(pages) < popular).astype(np.int64)
    return [work.drawn_errors(seed, held, work.bits(popular / pages), work.BITS[:, None], epsilon, repeats)]


def district_errors(seed: int, epsilon: float, repeats: int, earlier: Sequence[int], last: Sequence[int]) -> list[Row]:
    """Fig. 9b: where people were last; the prior is of all check-ins before."""
    before, now = np.array(earlier), np.array(last)
    now[before == 0] = 0
    held, prior = np.repeat(np.arange(len(now)), now), before / before.sum()
    return [work.drawn_errors(seed, held, prior, np.eye(len(now)), epsilon, repeats)]


def _told(path: Path, count: int, what: str, published: Sequence[int]) -> tuple[str, bool]:
    """What the file holds, and whether that is the published one."""
    if count in published:
        return f"{path.name} is the published file of {count:,} {what}.", True
    wanted = " or ".join(f"{each:,}" for each in published)
    return f"{path.name} has {count:,} {what}, the published file {wanted}: no verdict is given of it.", False


def _study(
    of: Study,
    title: str,
    about: str,
    tasks: Callable[[bool], Sequence[Task]],
    checks: Callable[[Tables], Sequence[Check]],
) -> Study:
    return Study(f"{of.name}-files", title, of.source, about, tasks, checks, (), words=f"{of.name} --data FOLDER")


STUDIES: Mapping[str, Callable[[Path], Study]] = {"acharya2019": table1_on_check_ins, "jiang2018": fig9_on_files}
"""Those whose data other people publish, by the short names of the papers."""
