"""jiang2018: slips of the paper, and what of it is not run."""

from __future__ import annotations

ERRATA = (
    (
        "Thms 2, 3 and 5 give a channel that breaks Definition 3 unless every positive prior is at least "
        "1/(1+e^eps): for a rarer value the ratio of its own report, (1-(1-P)/t)/P with t = e^eps, exceeds t. Lemma "
        '3 overlooks this: where the lower limits are reached, the diagonal need not be "still in the feasible '
        'region". With more than 1+e^eps values no prior is left. The formula is the optimum of a one-sided '
        "definition, Q >= Pr[Y]/t. Ten lines show it in `docs/mechanisms/informed-response.md`."
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
    'Sect. V-A1 says that "proposition 3" compares LIP with LDP; it is Prop. 4.',
)

LEFT_OUT = (
    (
        "Fig. 9 is not reproduced here: Kosarak's clicks and Gowalla's check-ins are not part of this repository, and "
        "stand-ins of the same size are run. Whoever has the files runs it on them by "
        "`deniable reproduce jiang2018 --data FOLDER`."
    ),
    (
        "No curve is read off a figure: the text that we work from has no figures, and has lost most formulas. They "
        "are derived again, and held against searches and linear programs."
    ),
    (
        "Example 1's three errors, and the levels in sects. V-A2 and V-A3, are lost in that text too, so ours are "
        "held against nothing."
    ),
)
