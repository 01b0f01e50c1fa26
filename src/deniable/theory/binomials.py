"""The binomial law, from SciPy's statistics, which take half a second to load: only once a formula asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from deniable.arrays import Vector


def binomial_pmf(successes: Any, trials: Any, chance: Any) -> Vector:
    """The probability of exactly so many successes.

    >>> binomial_pmf(np.arange(3), 2, 0.5).round(9)
    array([0.25, 0.5 , 0.25])
    """
    return np.asarray(scipy.stats.binom.pmf(successes, trials, chance))


def binomial_cdf(successes: Any, trials: Any, chance: Any) -> Vector:
    """The probability of so many successes or fewer.

    >>> float(binomial_cdf(1, 2, 0.5).round(9))
    0.75
    """
    return np.asarray(scipy.stats.binom.cdf(successes, trials, chance))
