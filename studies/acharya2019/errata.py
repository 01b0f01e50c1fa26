"""acharya2019: slips of the paper, and what of it is not run."""

from __future__ import annotations

ERRATA = (
    (
        "(13) gives symbol x row x of the Hadamard matrix. Row 1 has no minus sign, so its symbol could not be told "
        "from others; row x + 1, as in App. C.1, is right and is what we use."
    ),
    "(23) prints e^eps_21 - 1 over both coordinates. That is P_FA; P_MD has e^eps_12 - 1, as the proof itself shows.",
    (
        "The sentence after Thm 1 says that eps_x,x' < eps_x',x pushes the miss rate to be higher. By (7), (8) and "
        "Fig. 1 it is the false alarm rate: a small eps_x,x' forbids reports that speak for x."
    ),
    "(9) is 0/0 where both levels are 0. Any constant channel is optimal there.",
    (
        "(17) and (20) are printed as bounds on dTV; App. C.2 and C.4 prove them for the l1 distance, so dTV is at "
        "most half of them."
    ),
    (
        "App. C.2 has 2 p(A)(1 - p(A)) in the variance of a sensitive symbol, where 2 r^2 p([S])(1 - p([S])) "
        "belongs, r = (e^eps+1)/(e^eps-1): the share of A is itself estimated. The bound that follows holds."
    ),
    (
        "p_z(1) in sect. 5.2 has a plus sign before its sum, and then p_z does not add up to 1; it is a minus. The "
        "exponent of C_alpha below it should be h(1/3) k'."
    ),
    (
        "The text says that Geo(l) has mass proportional to (1 - l)^i l. With l = 0.95 this would give 95% to one "
        "symbol, and permuting would spread nothing. We take the mass of symbol i proportional to 0.95^i."
    ),
)

LEFT_OUT = (
    (
        "Table 1 and Fig. 3 are of stand-ins. Whoever has Gowalla's check-ins runs Table 1 on them, beside the printed "
        "numbers, by `deniable reproduce acharya2019 --data FOLDER`."
    ),
    "The lower bounds of Thms 3 and 4 are orders without constants: no number of ours can be held against them.",
)
