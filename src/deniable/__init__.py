"""Count what people do without learning what any one of them did.

Each person randomizes their own value on their own device under local differential privacy; the sums stay accurate.
"""

from deniable.audit.exact import Certificate, audit
from deniable.audit.sampling import SamplingAudit, audit_sampling
from deniable.engines.discover import discover
from deniable.engines.prefix_survey import PrefixSurvey
from deniable.engines.simulate import simulate
from deniable.errors import (
    BudgetError,
    CapacityError,
    DenialError,
    DomainError,
    FormatError,
    LabelError,
    ParameterError,
    ReportError,
    TallyError,
)
from deniable.estimation.estimate import Estimate
from deniable.mechanisms.channels.channel import Channel
from deniable.mechanisms.channels.optimal_channel import optimal_channel
from deniable.mechanisms.context.binary_response import BinaryResponse
from deniable.mechanisms.context.block_cyclic import BlockCyclic
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from deniable.mechanisms.context.block_subset import BlockSubset
from deniable.mechanisms.context.high_low_cyclic import HighLowCyclic
from deniable.mechanisms.context.high_low_hadamard import HighLowHadamard
from deniable.mechanisms.context.high_low_rappor import HighLowRappor
from deniable.mechanisms.context.high_low_response import HighLowResponse
from deniable.mechanisms.context.high_low_subset import HighLowSubset
from deniable.mechanisms.hashed.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import OptimizedUnary, Rappor
from deniable.mechanisms.prior.informed_crowd import InformedCrowd
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.mechanisms.registry import from_spec
from deniable.planning.plan import Plan, plan
from deniable.privacy.averaged import CentralInformationPrivacy, MutualInformationPrivacy
from deniable.privacy.composition import composed, implies
from deniable.privacy.context import Blocks, HighLow, Pairwise
from deniable.privacy.entropy import SeededEntropy, SystemEntropy
from deniable.privacy.guarantees import LDP
from deniable.privacy.informed import InformationPrivacy, OneSidedInformationPrivacy
from deniable.privacy.ledger import Ledger
from deniable.reports.tally import Tally
from deniable.theory import bounds
from deniable.values.domain import Domain

__all__ = [
    "LDP",
    "BinaryResponse",
    "BlockCyclic",
    "BlockHadamard",
    "BlockSubset",
    "Blocks",
    "BudgetError",
    "CapacityError",
    "CentralInformationPrivacy",
    "Certificate",
    "Channel",
    "Cyclic",
    "DenialError",
    "Domain",
    "DomainError",
    "Estimate",
    "FormatError",
    "Hadamard",
    "HashedRappor",
    "HashedResponse",
    "HighLow",
    "HighLowCyclic",
    "HighLowHadamard",
    "HighLowRappor",
    "HighLowResponse",
    "HighLowSubset",
    "InformationPrivacy",
    "InformedCrowd",
    "InformedResponse",
    "LabelError",
    "Ledger",
    "MutualInformationPrivacy",
    "OneSidedInformationPrivacy",
    "OptimizedUnary",
    "Pairwise",
    "ParameterError",
    "Plan",
    "PrefixSurvey",
    "RandomizedResponse",
    "Rappor",
    "ReportError",
    "SamplingAudit",
    "SeededEntropy",
    "Subset",
    "SystemEntropy",
    "Tally",
    "TallyError",
    "audit",
    "audit_sampling",
    "bounds",
    "composed",
    "discover",
    "from_spec",
    "implies",
    "optimal_channel",
    "plan",
    "simulate",
]
