"""Count what people do without learning what any one of them did.

Each person randomizes their own value on their own device under local differential privacy; the sums stay accurate.
Each name is loaded when it is first used, so that ``import deniable`` costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deniable import extend, files, spark
    from deniable.audit.exact import Certificate, audit
    from deniable.audit.sampling import SamplingAudit, audit_reports, audit_sampling
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
        StoreError,
        TallyError,
    )  # fmt: skip
    from deniable.estimation.estimate import Estimate
    from deniable.estimation.strata import stratified
    from deniable.mechanisms.channels.channel import Channel
    from deniable.mechanisms.channels.optimal_channel import optimal_channel
    from deniable.mechanisms.context.binary_response import BinaryResponse
    from deniable.mechanisms.context.block_cyclic import BlockCyclic
    from deniable.mechanisms.context.block_hadamard import BlockHadamard
    from deniable.mechanisms.context.block_subset import BlockSubset
    from deniable.mechanisms.context.geometric import Geometric
    from deniable.mechanisms.context.high_low_cyclic import HighLowCyclic
    from deniable.mechanisms.context.high_low_hadamard import HighLowHadamard
    from deniable.mechanisms.context.high_low_rappor import HighLowRappor
    from deniable.mechanisms.context.high_low_response import HighLowResponse
    from deniable.mechanisms.context.high_low_subset import HighLowSubset
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
    from deniable.privacy.composition import composed, implies
    from deniable.privacy.context import Blocks, HighLow, Pairwise
    from deniable.privacy.distance import Distance
    from deniable.privacy.each_item import EachItem
    from deniable.privacy.entropy import SeededEntropy, SystemEntropy
    from deniable.privacy.guarantees import LDP
    from deniable.privacy.informed import InformationPrivacy, OneSidedInformationPrivacy
    from deniable.privacy.ledger import Ledger
    from deniable.reports.tally import Tally
    from deniable.surveys import encoders
    from deniable.surveys.arms import Arm, Part
    from deniable.surveys.enrolment import Enrolment
    from deniable.surveys.mechanism_label import label
    from deniable.surveys.numbers import Number
    from deniable.surveys.one_of import OneOf
    from deniable.surveys.questions import AnyOf, Text
    from deniable.surveys.results import discover
    from deniable.surveys.survey import Survey
    from deniable.surveys.tally import SurveyTally
    from deniable.theory import bounds
    from deniable.values.domain import Domain

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

MODULES = {
    "bounds": "deniable.theory.bounds",
    "encoders": "deniable.surveys.encoders",
    "extend": "deniable.extend",
    "files": "deniable.files",
    "guarantee_json": "deniable.privacy.guarantee_json",
    "linked": "deniable.mechanisms.repeat.linked",
    "pictures": "deniable.planning.pictures",
    "spark": "deniable.spark",
}
"""The public modules, and where they are."""

ERRORS = (
    "BudgetError", "CapacityError", "DenialError", "DomainError", "FormatError", "LabelError", "ParameterError",
    "ReportError", "StoreError", "TallyError",
)  # fmt: skip
HOMES = {
    **dict.fromkeys(ERRORS, "deniable.errors"),
    **dict.fromkeys(("Blocks", "HighLow", "Pairwise"), "deniable.privacy.context"),
    **dict.fromkeys(("CentralInformationPrivacy", "MutualInformationPrivacy"), "deniable.privacy.averaged"),
    **dict.fromkeys(("InformationPrivacy", "OneSidedInformationPrivacy"), "deniable.privacy.informed"),
    **dict.fromkeys(("SeededEntropy", "SystemEntropy"), "deniable.privacy.entropy"),
    **dict.fromkeys(("OptimizedUnary", "Rappor"), "deniable.mechanisms.plain.unary"),
    "LDP": "deniable.privacy.guarantees",
    "AnyOf": "deniable.surveys.questions",
    "Arm": "deniable.surveys.arms",
    "AskedItems": "deniable.mechanisms.lists.asked_items",
    "BinaryResponse": "deniable.mechanisms.context.binary_response",
    "BlockCyclic": "deniable.mechanisms.context.block_cyclic",
    "BlockHadamard": "deniable.mechanisms.context.block_hadamard",
    "BlockSubset": "deniable.mechanisms.context.block_subset",
    "Certificate": "deniable.audit.exact",
    "Channel": "deniable.mechanisms.channels.channel",
    "Cyclic": "deniable.mechanisms.plain.cyclic",
    "Distance": "deniable.privacy.distance",
    "Domain": "deniable.values.domain",
    "EachItem": "deniable.privacy.each_item",
    "Enrolment": "deniable.surveys.enrolment",
    "Estimate": "deniable.estimation.estimate",
    "Geometric": "deniable.mechanisms.context.geometric",
    "Hadamard": "deniable.mechanisms.plain.hadamard",
    "HashedRappor": "deniable.mechanisms.hashed.hashed_rappor",
    "HashedResponse": "deniable.mechanisms.hashed.hashed_response",
    "HighLowCyclic": "deniable.mechanisms.context.high_low_cyclic",
    "HighLowHadamard": "deniable.mechanisms.context.high_low_hadamard",
    "HighLowRappor": "deniable.mechanisms.context.high_low_rappor",
    "HighLowResponse": "deniable.mechanisms.context.high_low_response",
    "HighLowSubset": "deniable.mechanisms.context.high_low_subset",
    "InformedCrowd": "deniable.mechanisms.prior.informed_crowd",
    "InformedResponse": "deniable.mechanisms.prior.informed_response",
    "ItemResponse": "deniable.mechanisms.lists.item_response",
    "Ledger": "deniable.privacy.ledger",
    "Mechanism": "deniable.mechanisms.mechanism",
    "Number": "deniable.surveys.numbers",
    "OneOf": "deniable.surveys.one_of",
    "Part": "deniable.surveys.arms",
    "Plan": "deniable.planning.plan",
    "PrivateSet": "deniable.mechanisms.lists.private_set",
    "RandomizedResponse": "deniable.mechanisms.plain.randomized_response",
    "Remembered": "deniable.mechanisms.repeat.remembered",
    "SamplingAudit": "deniable.audit.sampling",
    "Subset": "deniable.mechanisms.plain.subset",
    "Survey": "deniable.surveys.survey",
    "SurveyTally": "deniable.surveys.tally",
    "Tally": "deniable.reports.tally",
    "Text": "deniable.surveys.questions",
    "audit": "deniable.audit.exact",
    "audit_reports": "deniable.audit.sampling",
    "audit_sampling": "deniable.audit.sampling",
    "both_held": "deniable.mechanisms.lists.together",
    "composed": "deniable.privacy.composition",
    "discover": "deniable.surveys.results",
    "from_spec": "deniable.mechanisms.registry",
    "grid_search": "deniable.planning.grid",
    "implies": "deniable.privacy.composition",
    "label": "deniable.surveys.mechanism_label",
    "list_lengths": "deniable.mechanisms.lists.together",
    "optimal_channel": "deniable.mechanisms.channels.optimal_channel",
    "plan": "deniable.planning.solving",
    "simulate": "deniable.engines.simulate",
    "stratified": "deniable.estimation.strata",
}
"""The module that every other public name is written in."""


class _Package(ModuleType):
    """The package, where ``audit`` stays the function: importing ``deniable.audit`` would put that room here."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "audit" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """A public name on its first use; from then on it is an ordinary attribute."""
    if name not in {*__all__, "__version__"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = _found(name)
    return found


def _found(name: str) -> Any:
    if name == "__version__":
        from deniable.version import installed_version

        return installed_version()
    return import_module(MODULES[name]) if name in MODULES else getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return [*__all__, "__version__"]
