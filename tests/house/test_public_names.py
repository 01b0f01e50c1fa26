"""The public names are pinned: adding or removing one is a decision, seen in this file."""

import inspect

import deniable as dn

NAMES = {
    # mechanisms
    "Channel", "Cyclic", "Hadamard", "OptimizedUnary", "RandomizedResponse", "Rappor", "Subset", "from_spec",
    "BinaryResponse", "BlockCyclic", "BlockHadamard", "BlockSubset",
    "HighLowCyclic", "HighLowHadamard", "HighLowRappor", "HighLowResponse", "HighLowSubset",
    "InformedCrowd", "InformedResponse", "optimal_channel",
    "HashedRappor", "HashedResponse", "PrefixSurvey", "discover",
    # guarantees
    "Blocks", "HighLow", "InformationPrivacy", "LDP", "Ledger", "Pairwise", "composed", "implies",
    "CentralInformationPrivacy", "MutualInformationPrivacy", "OneSidedInformationPrivacy",
    # what they make, what they promise, what they draw from
    "Domain", "Estimate", "SeededEntropy", "SystemEntropy", "Tally",
    # the rest
    "Certificate", "Plan", "SamplingAudit", "audit", "audit_sampling", "bounds", "plan", "simulate",
    # errors
    "BudgetError", "CapacityError", "DenialError", "DomainError", "FormatError", "LabelError", "ParameterError",
    "ReportError", "TallyError",
}  # fmt: skip

HERE = {
    "deniable.theory.bounds",
    "deniable.theory.best_channel.binary",
    *(f"deniable.theory.lower_bounds.{name}" for name in ("assouad", "context", "effective", "limits")),
}
"""Where bounds are written."""


def test_all_is_pinned() -> None:
    assert set(dn.__all__) == NAMES
    assert len(dn.__all__) == len(NAMES)


def test_every_public_name_is_there_and_explains_itself() -> None:
    silent = [name for name in dn.__all__ if not inspect.getdoc(getattr(dn, name))]
    assert silent == []


def test_every_bound_is_listed_and_explains_itself() -> None:
    """The reference shows what ``dn.bounds.__all__`` lists, wherever it is written."""
    listed = [getattr(dn.bounds, name) for name in dn.bounds.__all__]
    assert sorted(dn.bounds.__all__) == dn.bounds.__all__
    assert [bound.__name__ for bound in listed if not inspect.getdoc(bound)] == []
    own = {name for name, made in vars(dn.bounds).items() if inspect.isfunction(made) and made.__module__ in HERE}
    assert {name for name in own if not name.startswith(("_", "check_"))} == set(dn.bounds.__all__)


def test_every_error_is_a_denial_error() -> None:
    errors = [getattr(dn, name) for name in dn.__all__ if name.endswith("Error")]
    assert len(errors) == 9
    assert all(issubclass(error, dn.DenialError) for error in errors)
