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
    (
        "The constant of Theorem IV.1 is not given: only its order is held against risks. The authors settle it later "
        "(arXiv 1708.00059, 1810.07283): in the limit of many people no mechanism errs less than the best subsets."
    ),
)
