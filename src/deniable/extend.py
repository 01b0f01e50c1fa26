"""What a mechanism of your own is made of, and how it becomes known: ``dn.extend``.

A family is a class that inherits ``Mechanism`` and composes a layout, a law and odds; a row (``Family``, or
``plain_family``) that ``register`` makes known; and ``conform``, which checks all that is promised of it.

>>> import deniable as dn
>>> print(dn.extend.conform(dn.extend.FAMILIES["RandomizedResponse"]))
RandomizedResponse conforms: 27 checks
"""

from deniable.audit.conformance import Conformance, conform
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.linear_law import LinearLaw
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports, PackedSupports
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Family, Option, Sample, plain_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES, register
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.protocol.checks import check_epsilon, check_int
from deniable.protocol.odds import Odds, exp_lower, weighted_odds
from deniable.reports.index_layout import IndexLayout
from deniable.reports.layout import Layout
from deniable.reports.packed_layout import PackedLayout

__all__ = [
    "FAMILIES",
    "Conformance",
    "Cost",
    "Entropy",
    "Family",
    "IndexLayout",
    "IndexSupports",
    "Law",
    "Layout",
    "LinearLaw",
    "Mechanism",
    "Odds",
    "Option",
    "PackedLayout",
    "PackedSupports",
    "Sample",
    "SupportLaw",
    "check_epsilon",
    "check_int",
    "conform",
    "draw_uniform",
    "exp_lower",
    "plain_family",
    "register",
    "weighted_odds",
]
__dir__ = __all__.copy
