"""ye2017: a slip of the paper, and what of it is not run."""

from __future__ import annotations

ERRATA = (
    (
        "Remark III.2 says that the empirical estimate leaves the simplex with exponentially small probability, for "
        "k-RAPPOR too. For k-RAPPOR it nearly always does: its bits are independent. For k-RR and subsets the remark "
        "holds."
    ),
)

LEFT_OUT = (
    (
        "The text that we work from has lost the formulas of all numbered equations. They are derived again, so "
        "agreement with them is agreement with our derivation; only the 50% and 30% of the abstract and Prop. III.5 "
        "are printed numbers."
    ),
)
