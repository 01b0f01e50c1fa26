"""Numba's inner parts, as far as kernels are kept by them."""

from numba.core import config as config
from numba.core import event as event
