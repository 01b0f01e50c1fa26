"""ye2017: the findings of the study in sentences, with numbers from its tables."""

from __future__ import annotations

from studies.study import Table, Tables, rows_with

LOSSES = ("l2", "l1")
PROMISED = {"l2": 0.5, "l1": 0.7}
"""The largest ratios of Prop. III.5 as printed."""


def remarks(tables: Tables) -> list[str]:
    """Where a formula is a limit and not a bound, what holds beyond the text, and by how much."""
    return [
        _not_bounds(tables["tightness"]),
        _range(tables),
        _best(tables["minimax"]),
        _simplex(tables["outside"]),
    ]


def _not_bounds(table: Table) -> str:
    rows = rows_with(table, d=1000)
    below = min(row["epsilon"] for row in rows if row["l2: eq. 12"] < 1)
    (early,) = [row["l2: eq. 13"] for row in rows if row["epsilon"] == 1]
    return (
        "Eqs. 12 and 13 are limits of bounds, not bounds: at d = 1000 eq. 12 lies below the squared error from "
        f"epsilon = {below:g} on, and eq. 13 is {early:.2f} of it at epsilon = 1. Eqs. 10 and 11, as we derive them, "
        "hold everywhere."
    )


def _range(tables: Tables) -> str:
    top = {loss: max(rows_with(tables["largest"], loss=loss), key=lambda row: float(row["ratio"])) for loss in LOSSES}
    wide = rows_with(tables["ratios"], d=1_000_000)
    first = {loss: min(row["epsilon"] for row in wide if row[loss] <= PROMISED[loss]) for loss in LOSSES}
    return (
        "Prop. III.5 promises 50% and 30% less error; at least "
        f"{100 - 100 * top['l2']['ratio']:.1f}% and {100 - 100 * top['l1']['ratio']:.1f}% are saved (least at "
        f"epsilon = {top['l2']['epsilon']:.2f}, d = {top['l2']['d']:,}). The range could begin earlier: at "
        f"d = 1,000,000 the promise holds from epsilon = {max(first.values()):.1f} on."
    )


def _best(table: Table) -> str:
    apart = max(abs(row["any channel"] / row["subsets"] - 1) for row in rows_with(table))
    return (
        "Theorem IV.1 says order-optimal. For up to 8 labels our minimax search over all channels finds more: with "
        "unbiased estimates no epsilon-LDP channel has a lower worst squared error than subsets of the best size (the "
        f"two differ by less than {max(apart, 1e-8):.0e} of it)."
    )


def _simplex(table: Table) -> str:
    rows = rows_with(table)
    few, most = (pick(row["users"] for row in rows) for pick in (min, max))
    left = {(row["mechanism"], row["users"]): row for row in rows}
    first, unary = left["subsets", few], left["RAPPOR", most]
    return (
        f"Remark III.2: with {first['d']} labels at epsilon = {first['epsilon']:g} subsets leave the simplex in "
        f"{first['outside']:.0%} of surveys of {few} people and in {left['subsets', 3000]['outside']:.1%} of 3,000. "
        f"RAPPOR's leaves it in {unary['outside']:.0%} of surveys even of {most:,} people, as it does not add up to 1, "
        f"and projecting takes {1 - unary['projected']:.0%} of its squared error away."
    )
