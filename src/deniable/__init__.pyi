"""The public names, and where each of them is written."""

from deniable import extend, files, spark
from deniable.audit.exact import Certificate, audit
from deniable.audit.sampling import SamplingAudit, audit_reports, audit_sampling
from deniable.engines.simulate import simulate
from deniable.estimation.estimate import Estimate
from deniable.estimation.strata import stratified
from deniable.mechanisms.channels.channel import Channel
from deniable.mechanisms.channels.optimal_channel import optimal_channel
from deniable.mechanisms.context.binary_response import BinaryResponse
from deniable.mechanisms.context.block_hadamard import BlockHadamard
from deniable.mechanisms.context.block_sets import BlockCyclic, BlockSubset
from deniable.mechanisms.context.geometric import Geometric
from deniable.mechanisms.context.high_low_hadamard import HighLowHadamard
from deniable.mechanisms.context.high_low_rappor import HighLowRappor
from deniable.mechanisms.context.high_low_response import HighLowResponse
from deniable.mechanisms.context.high_low_sets import HighLowCyclic, HighLowSubset
from deniable.mechanisms.hashed.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.lists.asked_items import AskedItems
from deniable.mechanisms.lists.item_response import ItemResponse
from deniable.mechanisms.lists.private_set import PrivateSet
from deniable.mechanisms.lists.together import both_held, list_lengths
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import OptimizedUnary, Rappor
from deniable.mechanisms.prior.informed_crowd import InformedCrowd
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.mechanisms.registry import from_spec
from deniable.mechanisms.repeat import linked
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.planning import pictures
from deniable.planning.grid import grid_search
from deniable.planning.plan import Plan
from deniable.planning.solving import plan
from deniable.privacy import guarantee_json
from deniable.privacy.averaged import CentralInformationPrivacy, MutualInformationPrivacy
from deniable.privacy.entropy import SeededEntropy, SystemEntropy
from deniable.privacy.ledger import Ledger
from deniable.protocol.errors import (
    BudgetError,
    CapacityError,
    DenialError,
    DomainError,
    FormatError,
    LabelError,
    ParameterError,
    ReportError,
    StoreError,
    TallyError,
)
from deniable.protocol.privacy.composition import composed, implies
from deniable.protocol.privacy.context import Blocks, HighLow, Pairwise
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.each_item import EachItem
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.privacy.informed import InformationPrivacy, OneSidedInformationPrivacy
from deniable.protocol.surveys import encoders
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.questions import AnyOf, Text
from deniable.reports.tally import Tally
from deniable.surveys.arms import Arm, Part
from deniable.surveys.enrolment import Enrolment
from deniable.surveys.mechanism_label import label
from deniable.surveys.results import discover
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally
from deniable.theory import bounds
from deniable.values.domain import Domain

__version__: str
__all__ = [
    "LDP",
    "AnyOf",
    "Arm",
    "AskedItems",
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
    "Distance",
    "Domain",
    "DomainError",
    "EachItem",
    "Enrolment",
    "Estimate",
    "FormatError",
    "Geometric",
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
    "ItemResponse",
    "LabelError",
    "Ledger",
    "Mechanism",
    "MutualInformationPrivacy",
    "Number",
    "OneOf",
    "OneSidedInformationPrivacy",
    "OptimizedUnary",
    "Pairwise",
    "ParameterError",
    "Part",
    "Plan",
    "PrivateSet",
    "RandomizedResponse",
    "Rappor",
    "Remembered",
    "ReportError",
    "SamplingAudit",
    "SeededEntropy",
    "StoreError",
    "Subset",
    "Survey",
    "SurveyTally",
    "SystemEntropy",
    "Tally",
    "TallyError",
    "Text",
    "audit",
    "audit_reports",
    "audit_sampling",
    "both_held",
    "bounds",
    "composed",
    "discover",
    "encoders",
    "extend",
    "files",
    "from_spec",
    "grid_search",
    "guarantee_json",
    "implies",
    "label",
    "linked",
    "list_lengths",
    "optimal_channel",
    "pictures",
    "plan",
    "simulate",
    "spark",
    "stratified",
]
