"""The public names are pinned: adding or removing one is a decision, seen in this file."""

import ast
import inspect
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

import pytest
from tests.house.house_tree import ROOT

import deniable as dn
from deniable import protocol
from deniable.mechanisms.registry import FAMILIES

NAMES = {
    # mechanisms
    *FAMILIES, "InformedCrowd", "Mechanism", "discover", "from_spec", "optimal_channel",
    # surveys
    "AnyOf", "Arm", "Crowd", "Grid", "Number", "OneOf", "Part", "Scale", "Survey", "SurveyTally", "Text", "encoders",
    "label", "stratified", "AdvisedDesign", "Advice", "advise", "Changes", "change",
    "both_held", "list_lengths", "regress", "raked",
    # guarantees
    "Blocks", "Distance", "HighLow", "InformationPrivacy", "LDP", "Ledger", "Pairwise", "composed", "implies",
    "CentralInformationPrivacy", "EachItem", "Enrolment", "MutualInformationPrivacy", "OneSidedInformationPrivacy",
    # what they make, what they promise, what they draw from
    "Domain", "Estimate", "SeededEntropy", "SystemEntropy", "Tally",
    # the rest
    "Certificate", "MechanismComparison", "Plan", "SamplingAudit", "audit", "audit_reports", "audit_sampling",
    "compare", "ForwardLoss", "forward_loss", "grid_search", "plan", "simulate",
    # modules
    "bounds", "crowd", "extend", "files", "guarantee_json", "linked", "pictures", "spark",
    # errors
    "BudgetError", "CapacityError", "DenialError", "DomainError", "FormatError", "LabelError", "ParameterError",
    "ReportError", "StoreError", "TallyError",
}  # fmt: skip

MEMBERS = {
    "files": {
        "Counted", "CountedRows", "Dataset", "FileCertificate", "LabelColumn", "OpenedFile", "Privatized", "Refused",
        "ReportWriter", "answer_batches", "audit_file", "host_files", "count_dataset", "count_into", "counted_rows",
        "open_any", "open_dataset", "open_labels", "privatize_file", "read_document", "tally_files",
        "tally_survey_files", "write_answers", "write_document", "write_reports",
    },
    "extend": {
        "FAMILIES", "Conformance", "Cost", "Entropy", "Family", "IndexLayout", "IndexSupports", "Law", "Layout",
        "LinearLaw", "Mechanism", "Odds", "Option", "PackedLayout", "PackedSupports", "Sample", "SupportLaw",
        "check_epsilon", "check_int", "conform", "draw_uniform", "exp_lower", "plain_family", "register",
        "weighted_odds",
    },
    "crowd": {"belief", "delta", "level", "people", "table"},
    "encoders": {"Block", "Has", "Label", "Listed", "Pair", "Path", "Point", "Prefix", "Whole"},
    "guarantee_json": {"from_dict", "to_dict"},
    "linked": {
        "changed_level", "contrast_variance", "enrol", "lifetime", "recall", "some_rounds_variance", "what_shows",
    },
    "pictures": {"block_map", "error_regions", "margins", "symbol_tradeoff", "utility"},
    "spark": {"SparkWorkers", "privatize_dataframe", "spark_session", "tally_dataframe", "tally_paths"},
}  # fmt: skip
"""What the public modules publish; the bounds are below."""

PUBLIC: list[str] = vars(dn)["__all__"]
"""What ``from deniable import *`` gives; type checkers read the stub for it."""
HERE = {
    "deniable.theory.bounds",
    "deniable.theory.best_channel.binary",
    *(f"deniable.theory.lower_bounds.{name}" for name in ("assouad", "context", "effective", "limits", "van_trees")),
}
"""Where bounds are written."""


def test_all_is_pinned() -> None:
    assert set(PUBLIC) == NAMES
    assert len(PUBLIC) == len(NAMES)
    assert dir(dn) == sorted([*NAMES, "__version__"])


def test_the_modules_are_pinned() -> None:
    assert {name: set(getattr(dn, name).__all__) for name in MEMBERS} == MEMBERS
    assert {name: set(dir(getattr(dn, name))) for name in MEMBERS} == MEMBERS
    assert dir(dn.bounds) == sorted(dn.bounds.__all__)
    members = {f"{at}.{name}": getattr(getattr(dn, at), name) for at in MEMBERS for name in MEMBERS[at]}
    assert [
        name for name, member in members.items() if not isinstance(member, Mapping) and not inspect.getdoc(member)
    ] == []


def test_every_name_of_the_stub_is_public_and_loads() -> None:
    """``from HOME import NAME as NAME``, without which type checkers take a stub's import for its own."""
    for package in (dn, protocol):
        body = ast.parse(Path(str(package.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")).body
        named = [(each.name, each.asname) for node in body if isinstance(node, ast.ImportFrom) for each in node.names]
        assert [name for name, seen in named if seen != name or not hasattr(package, name)] == []
        assert sorted(name for name, _ in named) == vars(package)["__all__"]


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    assert not hasattr(dn, "Subsett")
    with pytest.raises(ImportError, match="Subsett"):
        exec("from deniable import Subsett")


def test_a_name_stays_what_it_is_when_a_room_is_called_the_same() -> None:
    """Python puts a package into the one above it once it is loaded."""
    code = "import deniable as dn; import deniable.audit.exact, deniable.audit.sampling; print(dn.audit.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "audit\n"
    rooms = {path.stem for path in Path(str(dn.__file__)).parent.iterdir()}
    assert rooms & NAMES == {"audit", "extend", "files", "spark"}


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert dn.__version__ == project["version"]


def test_a_package_that_is_not_installed_does_not_know_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("deniable.version.version", missing)
    assert dn.__version__ == "0+unknown"


def test_every_public_name_is_there_and_explains_itself() -> None:
    silent = [name for name in PUBLIC if not inspect.getdoc(getattr(dn, name))]
    assert silent == []


def test_every_bound_is_listed_and_explains_itself() -> None:
    """The reference shows what ``dn.bounds.__all__`` lists, wherever it is written."""
    listed = [getattr(dn.bounds, name) for name in dn.bounds.__all__]
    assert sorted(dn.bounds.__all__) == dn.bounds.__all__
    assert [bound.__name__ for bound in listed if not inspect.getdoc(bound)] == []
    own = {name for name, made in vars(dn.bounds).items() if inspect.isfunction(made) and made.__module__ in HERE}
    assert {name for name in own if not name.startswith(("_", "check_"))} == set(dn.bounds.__all__)


def test_every_error_is_a_denial_error() -> None:
    errors = [getattr(dn, name) for name in PUBLIC if name.endswith("Error")]
    assert len(errors) == 10
    assert all(issubclass(error, dn.DenialError) for error in errors)
