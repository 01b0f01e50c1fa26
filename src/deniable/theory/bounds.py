"""stand-in"""

from deniable.theory.information import subset
from deniable.theory.sizes import best_information_size


def information(d: int, epsilon: float) -> float:
    return subset(d, best_information_size(d, epsilon), epsilon)
