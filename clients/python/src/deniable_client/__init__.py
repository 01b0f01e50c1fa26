"""Answer surveys under local differential privacy: the device's half of deniable, in the standard library alone."""

from deniable_client.device.client import Client, Consent
from deniable_client.device.client import open_client as open
from deniable_client.device.records import Receipt
from deniable_client.device.sqlite_store import SqliteStore
from deniable_client.device.store import MemoryStore, Store
from deniable_client.errors import (
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
from deniable_client.mechanisms.mechanism import Mechanism
from deniable_client.mechanisms.registry import read_spec, read_stored_spec
from deniable_client.surveys.outcomes import Outcomes
from deniable_client.surveys.survey import Survey, read_survey

__version__ = "0.1.0"
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
