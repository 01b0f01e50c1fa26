"""The names of the package, and where each of them is."""

from .device.client import Client as Client
from .device.client import Consent as Consent
from .device.client import open as open
from .device.records import Receipt as Receipt
from .device.sqlite_store import SqliteStore as SqliteStore
from .device.store import MemoryStore as MemoryStore
from .device.store import Store as Store
from .errors import BudgetError as BudgetError
from .errors import CapacityError as CapacityError
from .errors import ConsentError as ConsentError
from .errors import DenialError as DenialError
from .errors import FormatError as FormatError
from .errors import LabelError as LabelError
from .errors import ParameterError as ParameterError
from .errors import ReportError as ReportError
from .errors import StoreError as StoreError
from .mechanisms.mechanism import Mechanism as Mechanism
from .mechanisms.registry import read_spec as read_spec
from .mechanisms.registry import read_stored_spec as read_stored_spec
from .surveys.outcomes import Outcomes as Outcomes
from .surveys.survey import Survey as Survey
from .surveys.survey import read_survey as read_survey

__version__: str
