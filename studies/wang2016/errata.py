"""wang2016: slips of the paper, and what of it is not run."""

from __future__ import annotations

ERRATA = (
    (
        "Sect. 3.1 calls the randomizer an exponential mechanism with Q(z|x) proportional to exp(u(z)). As u only "
        "counts labels, epsilon is missing: it is exp(epsilon u(z))."
    ),
    ("Sect. 2.2 says that I_k is concave in k. From epsilon = 1.2564 on it is not; Theorem 2.1 holds."),
    (
        "Eq. 8 ends with e^(-epsilon/2) where its own sum gives e^(epsilon/2): the whole domain is reported with "
        "probability e^(epsilon/2)/(e^(epsilon/2)+1)^d. The printed bound is the weaker one, and holds."
    ),
    (
        "f'(k) of App. D has the wrong sign and powers. It is (d-1)^2 (e^(2 epsilon) k^2 - (d-k)^2) / (n (e^epsilon "
        "- 1)^2 k^2 (d-k)^2); the root is the same."
    ),
    (
        "App. E has d for d - 1 in the variance, and k e^epsilon for k C_k in the denominators of g'_k and h'_k. "
        "Thm 3.2 holds."
    ),
)

LEFT_OUT = (
    (
        "Lasso regression, which sect. 3.2 names: no penalty is given, and it needs the counts of all subsets of k "
        "labels, of which there are 10^18 at d = 64, k = 30. Linear regression is held against Algorithm 2 where "
        "subsets are few: it is the same estimator."
    ),
    (
        "Thm 2.1 for a prior that is not uniform is future work of the paper; `deniable.optimal_channel` finds such "
        "optima."
    ),
)
