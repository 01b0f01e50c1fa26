"""The names of the package, and where each of them is."""

from .device.client import Client, Consent
from .device.client import open_client as open
from .device.records import Receipt
from .device.sqlite_store import SqliteStore
from .device.store import MemoryStore, Store
from .errors import (
    BudgetError,
    CapacityError,
    ConsentError,
    DenialError,
    FormatError,
    LabelError,
    ParameterError,
    ReportError,
    StoreError,
)
from .mechanisms.mechanism import Mechanism
from .mechanisms.registry import read_spec, read_stored_spec
from .surveys.outcomes import Outcomes
from .surveys.survey import Survey, read_survey

__version__: str
__all__ = [
    "BudgetError",
    "CapacityError",
    "Client",
    "Consent",
    "ConsentError",
    "DenialError",
    "FormatError",
    "LabelError",
    "Mechanism",
    "MemoryStore",
    "Outcomes",
    "ParameterError",
    "Receipt",
    "ReportError",
    "SqliteStore",
    "Store",
    "StoreError",
    "Survey",
    "open",
    "read_spec",
    "read_stored_spec",
    "read_survey",
]
