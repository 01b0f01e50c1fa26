"""``label``: the privacy label of anything that names what it is of."""

from __future__ import annotations

from typing import Any, overload

from deniable.mechanisms.label import MechanismLabel
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec_bytes
from deniable.protocol.errors import ParameterError
from deniable.reports.tally import Tally
from deniable.surveys.document import Document
from deniable.surveys.label import Label
from deniable.surveys.tally import SurveyTally


@overload
def label(of: Document | SurveyTally) -> Label: ...
@overload
def label(of: Mechanism | Tally) -> MechanismLabel: ...
def label(of: Any) -> Label | MechanismLabel:
    """The privacy label of a survey, a mechanism, or a tally of either: facts, and sentences for the person asked.

    >>> import deniable as dn
    >>> print(label(dn.RandomizedResponse(["yes", "no"], 1.0)).sentences[1])
    What is sent is at most 2.72 times likelier from your answer than from any other.
    """
    if isinstance(of, Document):
        return Label(of)
    if isinstance(of, SurveyTally):
        return Label(of.document)
    if isinstance(of, Mechanism):
        return MechanismLabel(of)
    if isinstance(of, Tally):
        return MechanismLabel(from_spec_bytes(of.spec_bytes))
    raise ParameterError(f"of must be a survey, a mechanism or a tally of one, got {type(of).__name__}")
