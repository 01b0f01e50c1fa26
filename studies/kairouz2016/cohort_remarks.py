"""kairouz2016: where the paper's statements on hashed mechanisms and our numbers differ, and why."""

from __future__ import annotations

from typing import Any

from studies.kairouz2016.checks import one, point
from studies.study import Tables


def cohort_remarks(tables: Tables) -> list[str]:
    """The remarks on hashed mechanisms, with numbers from the tables."""
    return [_shrinkage(tables), _closed(tables)]


def _shrinkage(tables: Tables) -> str:
    table = tables["figure_3"]
    rr, rappor = (point(table, "open", mechanism, 1) for mechanism in ("O-RR", "O-RAPPOR"))
    return (
        "The paper finds one cohort noticeably worse at all levels. Where ours is not, it wins by shrinkage. Cohorts "
        "times symbols below the number of texts cannot tell all texts apart, and the fit of least norm draws what it "
        "cannot tell apart to the uniform distribution: at epsilon = 1 the best "
        f"points, {_place(rr)} for O-RR and {_place(rappor)} for O-RAPPOR, are {rr['l1']:.3f} and {rappor['l1']:.3f} "
        f"from the truth where the uniform guess is {one(tables['baselines'], what='uniform guess')['l1']:.3f}."
    )


def _place(row: dict[str, Any]) -> str:
    return f"{row['symbols']} symbols in {row['cohorts']} cohort{'s' if row['cohorts'] > 1 else ''}"


def _closed(tables: Tables) -> str:
    table = tables["figure_3"]
    hashed, plain = (point(table, "closed", mechanism, 1) for mechanism in ("O-RAPPOR", "k-RAPPOR"))
    return (
        "For closed alphabets the paper cannot tell O-RAPPOR from k-RAPPOR. For the same reason we can at epsilon = 1: "
        f"{hashed['l1']:.3f} with {_place(hashed)} against {plain['l1']:.3f}."
    )
