"""wang2016: Table 1 from reports and from independent counts, and the most that a report tells."""

from __future__ import annotations

from studies.study import Study, Task, grid
from studies.wang2016 import pictures
from studies.wang2016.checks import checks
from studies.wang2016.errata import ERRATA, LEFT_OUT
from studies.wang2016.exact import (
    HYBRIDS,
    LISTED,
    MIXED,
    SIZES,
    SMALL,
    hybrids,
    information,
    linear_program,
    regression,
)
from studies.wang2016.remarks import remarks
from studies.wang2016.table1 import summaries, table1, table_row

REPEATS, QUICK_REPEATS = 2000, 100
MIXED_LEVELS = (0.1, 1.0, 3.0, 5.0)


def tasks(quick: bool) -> list[Task]:
    """One task per row of Table 1, and the exact quantities."""
    repeats = QUICK_REPEATS if quick else REPEATS
    cases = [{"d": int(row["d"]), "epsilon": float(row["epsilon"]), "repeats": repeats} for row in table1()]
    mixed = [{"d": d, "epsilon": epsilon, "count": HYBRIDS} for d in MIXED for epsilon in MIXED_LEVELS]
    return [
        *grid("surveys", table_row, cases),
        *grid("information", information, [{"d": d} for d in SIZES]),
        *grid("linear_program", linear_program, [{"d": d} for d in LISTED]),
        *grid("hybrids", hybrids, mixed),
        *grid("regression", regression, [{"d": d, "size": k, "people": 20_000} for d, k in SMALL]),
    ]


STUDY = Study(
    name="wang2016",
    title="The most that a report can tell (wang2016)",
    source=(
        "S. Wang, L. Huang, P. Wang, Y. Nie, H. Xu, W. Yang, X.-Y. Li and C. Qiao, *Mutual Information Optimally Local "
        "Private Discrete Distribution Estimation*, 2016."
    ),
    about=(
        "Table 1: 10,000 people hold labels with shares that are uniform on 0..1 and rescaled, their estimate is "
        "projected on the simplex, and its error against their own shares is averaged over surveys. BRR is our "
        "`Rappor`, MRR our `RandomizedResponse`, k*-SS and k#-SS are `Subset` with the size of most information and of "
        "least squared error. Every survey is drawn twice: as a tally of **reports**, which is the mechanism, and with "
        "**independent counts** of the labels, which is what the printed errors fit. Then what a report tells of a "
        "uniform value, in nats, beside the exact bound of Theorem 2.1, and mixtures of sizes beside k#-SS (Thm 3.2)."
    ),
    tasks=tasks,
    summaries=summaries,
    checks=checks,
    remarks=remarks,
    errata=ERRATA,
    left_out=LEFT_OUT,
    pictures=pictures.PICTURES,
)
