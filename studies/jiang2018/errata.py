"""jiang2018: slips of the paper, and what of it is not run."""

from __future__ import annotations

ERRATA = (
    (
        "Thms 2, 3 and 5 give a channel that breaks Definition 3 unless every positive prior is at least "
        "1/(1+e^eps): for a rarer value the ratio of its own report, (1-(1-P)/t)/P with t = e^eps, exceeds t. The "
        "formula is the optimum of a one-sided definition, Q >= Pr[Y]/t. Ten lines show it in "
        "`docs/mechanisms/informed-response.md`."
    ),
    (
        "Sect. V-B1 and the conclusion say that eps/2-LIP can err less than eps-LDP in the binary case. By Thm 1 it "
        "is eps-LDP itself, of which randomized response is the best."
    ),
    (
        "Fig. 7 puts the error of unary encoding for one label beside errors summed over all labels; sect. V-A3 "
        "concludes that the curves cross."
    ),
    (
        "Sect. V-B2 counts 6,442,892 users. That is the number of check-ins: the published Gowalla data have "
        "6,442,890 of 196,591 users."
    ),
)

LEFT_OUT = (
    (
        "Fig. 9 is of stand-ins. Whoever has Kosarak's clicks and Gowalla's check-ins runs it on them by "
        "`deniable reproduce jiang2018 --data FOLDER`."
    ),
    (
        "The text that we work from has no figures, and has lost most formulas: they are derived again, and held "
        "against searches and linear programs."
    ),
)
