"""Results as tables for programs: columns of plain values, as JSON, CSV, Arrow, pandas or Polars.

Whatever reads Arrow's stream protocol takes a result as it is: ``pyarrow.table(estimate)``,
``polars.DataFrame(estimate)``, DuckDB's ``FROM estimate``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from deniable.arrays import Matrix, Stack
from deniable.arrow import pa
from deniable.estimation.export import column_of, csv_text, json_text, written_label
from deniable.estimation.table import Table, Tabled
from deniable.protocol.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class Frame(ABC):
    """Columns of plain values, and all that is not said row by row."""

    __slots__ = ()

    @property
    @abstractmethod
    def about(self) -> dict[str, Any]:
        """All that is not said row by row, as plain values."""

    @property
    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """A value for each row, by the name of the column."""

    @property
    def listed(self) -> dict[str, list[Any]]:
        """The columns as CSV has them, which has no other place for what is said of all rows."""
        return self.columns

    @property
    def named(self) -> Sequence[str]:
        """The columns that hold labels, which may be anything."""
        return ("label",)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; labels are as they were given."""
        return {**self.about, **self.columns}

    def to_json(self, indent: int | None = None, **leading: Any) -> str:
        """``to_dict`` as JSON, after ``leading`` fields; labels unknown to JSON become text, infinity the word inf."""
        document = self.to_dict()
        labels = {name: [written_label(label) for label in document[name]] for name in self.named}
        return json_text({**leading, **document, **labels}, indent)

    def to_csv(self, path: str | Path | None = None) -> str:
        """The rows as CSV text, also written to ``path`` if given; no label of it runs as a formula."""
        text = csv_text(self.listed, self.named)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8", newline="")
        return text

    def to_arrow(self) -> pa.Table:
        """The rows; all else is in the schema's metadata, text as it is and the rest as JSON."""
        metadata = {name: value if isinstance(value, str) else json_text(value) for name, value in self.about.items()}
        columns = self.columns
        return pa.table({**columns, **{name: column_of(columns[name]) for name in self.named}}, metadata=metadata)

    def to_pandas(self) -> pd.DataFrame:
        """The rows, all else in ``attrs``; pandas must be installed."""
        frame: pd.DataFrame = _installed("pandas").DataFrame(self.columns)
        frame.attrs.update(self.about)
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The rows; Polars must be installed."""
        frame: pl.DataFrame = _installed("polars").from_arrow(self.to_arrow())
        return frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        table: Any = self.to_arrow()
        stream: object = table.__arrow_c_stream__(requested_schema)
        return stream


@dataclass(frozen=True, slots=True)
class Rows(Frame):
    """A frame of values that are there already: ``shared`` by all rows, and the ``values`` of each column.

    >>> print(Rows({"n": 2}, {"label": ["yes", "=1+1"], "share": [0.5, 0.5]}).to_csv(), end="")
    label,share
    yes,0.5
    '=1+1,0.5
    """

    shared: dict[str, Any]
    values: dict[str, list[Any]]
    label_columns: Sequence[str] = ("label",)

    @property
    def about(self) -> dict[str, Any]:
        return self.shared

    @property
    def columns(self) -> dict[str, list[Any]]:
        return self.values

    @property
    def named(self) -> Sequence[str]:
        return self.label_columns


class Framed(ABC):
    """A result whose rows depend on the level of its intervals."""

    __slots__ = ()

    @abstractmethod
    def _frame(self, level: float) -> Frame:
        """The rows with intervals at this level."""

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything as plain values; ``low`` and ``high`` are each row's own interval."""
        return self._frame(level).to_dict()

    def to_json(self, level: float = 0.95) -> str:
        """``to_dict`` as JSON; labels that JSON does not know become text, and infinity is the word inf."""
        return self._frame(level).to_json()

    def to_csv(self, path: str | Path | None = None, level: float = 0.95) -> str:
        """The rows as CSV text, also written to ``path`` if given; no label of it runs as a formula."""
        return self._frame(level).to_csv(path)

    def to_arrow(self, level: float = 0.95) -> pa.Table:
        """The rows as an Arrow table; all else is in the schema's metadata."""
        return self._frame(level).to_arrow()

    def to_pandas(self, level: float = 0.95) -> pd.DataFrame:
        """The rows as a data frame, all else in ``attrs``; pandas must be installed."""
        return self._frame(level).to_pandas()

    def to_polars(self, level: float = 0.95) -> pl.DataFrame:
        """The rows as a data frame; Polars must be installed."""
        return self._frame(level).to_polars()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._frame(0.95).__arrow_c_stream__(requested_schema)


class TabledFrame(Framed, Tabled):
    """A result whose rows depend on the level of its intervals, and that is printed as a table."""

    __slots__ = ()

    @abstractmethod
    def table(self, level: float = 0.95) -> Table:
        """The rows for people."""

    def tables(self, level: float = 0.95) -> list[Table]:
        return [self.table(level)]


def _installed(name: str) -> ModuleType:
    """A library that is no part of this one."""
    try:
        return import_module(name)
    except ImportError:
        raise ParameterError(f"{name} must be installed for a data frame: pip install {name}") from None


def cell_rows(
    about: dict[str, Any],
    rows: Sequence[Hashable],
    columns: Sequence[Hashable],
    shares: Matrix,
    stderr: Matrix,
    bounds: Stack,
) -> Rows:
    """A row for each cell of a table [rows, columns]: its share, standard error and interval."""
    cells = [(row, column) for row in rows for column in columns]
    low, high = bounds.reshape(-1, 2).T.tolist()
    values: dict[str, list[Any]] = {
        "row": [row for row, _ in cells], "column": [column for _, column in cells],
        "share": shares.ravel().tolist(), "stderr": stderr.ravel().tolist(), "low": low, "high": high,
    }  # fmt: skip
    return Rows(about, values, ("row", "column"))
