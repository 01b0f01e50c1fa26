"""Answer surveys under local differential privacy: the device's half of deniable, in the standard library alone.

>>> survey = read_survey(TEXT)  # doctest: +SKIP
"""

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
    "ConsentError",
    "DenialError",
    "FormatError",
    "LabelError",
    "Mechanism",
    "Outcomes",
    "ParameterError",
    "ReportError",
    "StoreError",
    "Survey",
    "read_spec",
    "read_stored_spec",
    "read_survey",
]
