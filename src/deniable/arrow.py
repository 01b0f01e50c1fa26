"""PyArrow, loaded when it is first used: whoever keeps reports in memory does without it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from deniable.protocol.errors import ParameterError

__all__ = ["csv", "fs", "is_installed", "pa", "pc", "pq"]

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from pyarrow import csv, fs
else:

    class _LateModule:
        """A stand-in for a module, which is loaded when something of it is first used."""

        def __init__(self, name: str) -> None:
            self.__name__ = name

        def __getattr__(self, attribute: str) -> Any:
            if attribute.startswith("__"):  # whoever looks through names must not load it
                raise AttributeError(attribute)
            try:
                value = getattr(import_module(self.__name__), attribute)
            except ModuleNotFoundError as error:
                if (error.name or "").partition(".")[0] != "pyarrow":
                    raise
                raise ParameterError(
                    "PyArrow must be installed for files of reports, and for columns and tables of Arrow, got none: "
                    "pip install 'deniable[files]'"
                ) from None
            setattr(self, attribute, value)
            return value

    pa, pc, pq = _LateModule("pyarrow"), _LateModule("pyarrow.compute"), _LateModule("pyarrow.parquet")
    csv, fs = _LateModule("pyarrow.csv"), _LateModule("pyarrow.fs")


def is_installed() -> bool:
    """Whether it can be loaded."""
    return find_spec("pyarrow") is not None
