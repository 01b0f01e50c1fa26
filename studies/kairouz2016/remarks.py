"""kairouz2016: where the paper's statements on decoders and our numbers differ, and why."""

from __future__ import annotations

from typing import Any

from studies.kairouz2016.checks import LARGE, better, loses, one, wins, worse
from studies.kairouz2016.cohort_remarks import cohort_remarks
from studies.kairouz2016.decoders import FAMILIES, GEOMETRIC, PAPER, SQUARED
from studies.study import Tables, rows_with

SMALL = 100


def remarks(tables: Tables) -> list[str]:
    """The remarks on decoders, with numbers from the tables."""
    return [_geometric(tables), _metric(tables), _whole(tables), *cohort_remarks(tables)]


def _geometric(tables: Tables) -> str:
    table, counted = rows_with(tables["decoders"], **PAPER), []
    for people in (SMALL, LARGE):
        for mechanism in FAMILIES:
            cells = rows_with(table, truth=GEOMETRIC, people=people, mechanism=mechanism)
            which = f"{sum(map(better, cells))} and worse in {sum(map(worse, cells))} of {len(cells)} cells"
            counted.append(f"better in {which} for {mechanism} with {people:,} people")
    noisy = one(table, truth=GEOMETRIC, people=LARGE, mechanism="k-RR", labels=256, epsilon=1)
    guess = one(tables["baselines"], what="uniform guess")["l1"]
    return (
        'The paper finds the projected decoder "substantially better" on the geometric distribution for all k, epsilon '
        f"and numbers of people. Ours is {', '.join(counted)}. It is worse where noise is high. "
        f"At k = 256 and epsilon = 1, with {LARGE:,} people, k-RR's normalized "
        f"estimate is {noisy['normalized']:.3f} from the sample and the projected one {noisy['projected']:.3f}; to "
        f"guess the uniform distribution, at about {guess:.2f}, beats both."
    )


def _metric(tables: Tables) -> str:
    """Where l1 is decisive, whether squared l2 favours the same side; both tables have the cells in one order."""
    counted = []
    for name, gain in (("decoders", "projected_gain"), ("figure_2", "apart")):
        pairs = zip(rows_with(tables[name], **PAPER), rows_with(tables[name], **SQUARED), strict=True)
        alike = [first[gain] * second[gain] > 0 for first, second in pairs if _decided(first)]
        counted.append(f"{sum(alike):,} of {len(alike):,}")
    return (
        "The paper says that the metric changes nothing. Where l1 decides between the projected decoder and the next "
        f"best one, squared l2 decides alike in {counted[0]} cells; where it decides between k-RR and k-RAPPOR, in "
        f"{counted[1]}."
    )


def _decided(row: dict[str, Any]) -> bool:
    """Whether one decoder, or one mechanism, is the better one."""
    return wins(row) or loses(row) if "apart" in row else better(row) or worse(row)


def _whole(tables: Tables) -> str:
    rows = rows_with(tables["whole_reports"])
    most = max(rows, key=lambda row: -row["gain"] / row["projected"])
    return (
        "k-RAPPOR has a better decoder than the paper's three: the likelihood of whole reports, which knows which bits "
        f"came together. Its l1 is lower than the projected one's in {sum(row['gain'] < 0 for row in rows)} of "
        f"{len(rows)} settings, by {-most['gain'] / most['projected']:.0%} at k = {most['labels']} and epsilon = "
        f"{most['epsilon']:g} ({most['likelihood']:.4f} against {most['projected']:.4f}). It needs the reports; the "
        "likelihood of the counts of bits gains nothing."
    )
