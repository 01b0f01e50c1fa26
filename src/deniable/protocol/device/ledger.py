"""What a device has spent, topic by topic, and the caps that it never exceeds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..checks import check_positive, is_number
from ..errors import BudgetError, StoreError
from ..privacy.levels import added
from ..surveys.device_document import DeviceDocument
from .store import Entries

PREFIX = "topic/"


@dataclass(frozen=True)
class Caps:
    """The app's own caps on what is spent, as levels: of topics by their names, and of all topics together."""

    topics: Mapping[str, float] = field(default_factory=dict)
    total: float = math.inf

    @classmethod
    def read(cls, topics: Mapping[str, Any] | None, total: Any) -> Caps:
        """The caps that an app gives; None for none."""
        checked = {name: check_positive("caps", level) for name, level in (topics or {}).items()}
        return cls(checked, math.inf if total is None else check_positive("total_cap", total))


def charge(entries: Entries, document: DeviceDocument, caps: Caps) -> float:
    """Write down what an answer costs, before it is drawn; refused if a cap would be exceeded.

    A topic's cap is the least of the app's, of that of the first document with the topic, and of this one's: no later
    document raises it.
    """
    topics, cost, name = spent(entries), document.promise.charge, _own_topic(document)
    account = topics.get(name, {"spent": 0.0, "cap": document.cap})
    after = added(account["spent"], cost)
    if after > min(account["cap"], document.cap, caps.topics.get(document.topic, math.inf)):
        raise BudgetError(
            f"answers on {document.topic!r} must stay within their cap, got one more that would exceed it"
        )
    if added(cost, *(topic["spent"] for topic in topics.values())) > caps.total:
        raise BudgetError(
            "all answers together must stay within the cap of this app, got one more that would exceed it"
        )
    entries.put(PREFIX + name, json.dumps({"spent": after, "cap": account["cap"]}))
    return cost


def spent(entries: Entries) -> dict[str, dict[str, float]]:
    """Of each topic the level spent, and the cap of the first document that had it."""
    return {key[len(PREFIX) :]: _topic(entries.get(key) or "") for key in entries.keys(PREFIX)}


def _own_topic(document: DeviceDocument) -> str:
    """The topic as the ledger has it: authors whose questions one form carries share none."""
    return f"{document.topic} ({document.owner})" if document.carrier and document.owner else document.topic


def _topic(text: str) -> dict[str, float]:
    """What a store holds of one topic, checked: the level spent and the cap."""
    try:
        account = json.loads(text)
        if all(is_number(account[field]) and 0 <= account[field] < math.inf for field in ("spent", "cap")):
            return dict(account)
    except (KeyError, TypeError, ValueError, RecursionError):
        pass
    raise StoreError("the store must hold levels as this client writes them, got an unknown text")
