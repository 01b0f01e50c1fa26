"""Count what people do without learning what any one of them did.

Each person randomizes their own value on their own device under local differential privacy; what all values add up
to can still be estimated.
Each name is loaded when it is first used, so that ``import deniable`` costs next to nothing. ``__init__.pyi`` says
where each is written.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from deniable.protocol.lazy import attach

_find, __dir__, __all__ = attach(__name__)


class _Package(ModuleType):
    """The package, where ``audit`` stays the function: importing ``deniable.audit`` would put that room here."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "audit" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from deniable.version import installed_version

        return installed_version()
    value = _find(name)
    if str(getattr(value, "__module__", "")).startswith(("deniable.protocol.privacy", "deniable.privacy")):
        import_module("deniable.privacy.matrix")  # by which guarantees read plain matrices
    return value
