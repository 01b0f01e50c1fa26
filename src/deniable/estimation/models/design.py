"""Columns of numbers from a formula and a table, from some columns by name, or from a matrix (regression.md 12)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from deniable.arrays import Flags, Indices, Matrix
from deniable.checks import as_vector
from deniable.estimation.models.formula import read_formula
from deniable.protocol.checks import near, shown
from deniable.protocol.errors import ParameterError
from deniable.values.columns import bare_column, is_missing, python_values, unquoted
from deniable.values.tables import columns_of, is_table

Wanted: TypeAlias = "str | tuple[str, Sequence[str]]"
"""A formula; or the outcome, with the names of columns of numbers."""
CONSTANT = "(constant)"
TOO_CLOSE = 1e-10
"""Columns that are a combination of others up to such a part of them are one too many."""
LARGEST = 500


class Columns(ABC):
    """The columns of covariates, made of a table for the people of a fit, and of other tables later."""

    names: tuple[str, ...]

    @abstractmethod
    def of(self, table: Any) -> Matrix:
        """The covariates [rows, columns] of a table's people."""


@dataclass(frozen=True)
class RegressionDesign:
    """What is regressed on what: an outcome, private items on the right, and columns for all else."""

    outcome: str
    private: tuple[str, ...]
    columns: Columns | PendingColumns
    used: tuple[str, ...]
    """The columns of the table that the right side uses."""


@dataclass(frozen=True)
class PlainColumns(Columns):
    """Columns of numbers as they are, after a constant."""

    names: tuple[str, ...]

    def of(self, table: Any) -> Matrix:
        entries: list[Any] = list(table.T) if isinstance(table, np.ndarray) else []
        entries = entries or [_column(columns_of(table), name) for name in self.names[1:]]
        numbers = [as_vector(_with_numbers(column)) for column in entries]
        wrong = [name for name, each in zip(self.names[1:], numbers, strict=True) if each is None]
        if wrong:
            raise ParameterError(f"a column must hold numbers unless a formula makes levels of it, got {wrong[0]!r}")
        rows = [each for each in numbers if each is not None]
        return np.column_stack([np.ones(size_of(table)), *rows])


def _with_numbers(column: Any) -> Any:
    """Yes and no as 1 and 0, other columns as they are."""
    values = bare_column(column)
    values = values if isinstance(values, np.ndarray) else python_values(values)
    bare = values.dtype == np.bool_ if isinstance(values, np.ndarray) else all(type(each) is bool for each in values)
    return np.array(values, np.float64) if bare else values


@dataclass(frozen=True)
class FormulaColumns(Columns):
    """Columns that formulaic made, and makes again of other tables; levels that it does not know are refused."""

    names: tuple[str, ...]
    used: tuple[str, ...]
    levels: Mapping[str, frozenset[Any]]
    spec: Any

    def of(self, table: Any) -> Matrix:
        data = _data(table, self.used)
        for name, known in self.levels.items():
            strange = sum(value not in known for value in data[name].tolist())
            if strange:
                raise ParameterError(f"column {name!r} must have the levels of the fit, got {strange} rows with others")
        unfit = ParameterError("a table must fit the columns of the fit, got one that does not, or lacks values")
        return unquoted(lambda: np.asarray(self.spec.get_model_matrix(data, context={}), np.float64), unfit)


def read_design(wanted: Any, table: Any, private: Sequence[str]) -> RegressionDesign:
    """What a formula, or a list of names, says of a table; nothing of it is run."""
    if isinstance(table, np.ndarray) and isinstance(wanted, str):
        names = (CONSTANT, *(f"x{number + 1}" for number in range(table.shape[1] if table.ndim == 2 else 0)))
        if table.ndim != 2:
            raise ParameterError(f"a matrix must have two dimensions, got {table.ndim}")
        return RegressionDesign(wanted.partition("~")[0].strip(), (), PlainColumns(names), ())
    if not is_table(table):
        raise ParameterError(f"frame must be a table or a matrix, got {type(table).__name__}")
    if isinstance(wanted, str):
        return _by_formula(wanted, table, private)
    if not isinstance(wanted, tuple) or len(wanted) != 2 or isinstance(wanted[1], str):
        raise ParameterError(f'formula must be like "late ~ age", or ("late", ["age"]), got {shown(wanted)}')
    outcome, right = wanted[0], [str(name) for name in wanted[1]]
    used = tuple(name for name in right if name not in private)
    for name in used:
        _column(columns_of(table), name)
    return RegressionDesign(
        outcome, tuple(name for name in right if name in private), PlainColumns((CONSTANT, *used)), used
    )


def _by_formula(wanted: str, table: Any, private: Sequence[str]) -> RegressionDesign:
    """A formula's design; without columns of the table there is only the constant."""
    formula = read_formula(wanted)
    right, inside = formula.without(private)
    used = tuple(name for name in formula.names if name not in private)
    known = columns_of(table)
    for name in used:
        _column(known, name)
    if not used and {sign + text for sign, text in formula.terms if text not in inside} <= {"+1"}:
        return RegressionDesign(formula.outcome, tuple(inside), PlainColumns((CONSTANT,)), ())
    return RegressionDesign(formula.outcome, tuple(inside), PendingColumns(right, used), used)


@dataclass(frozen=True)
class PendingColumns:
    """The right side of a formula before its columns are made, which depend on the people of the fit."""

    right: str
    used: tuple[str, ...]

    def settled(self, table: Any) -> tuple[FormulaColumns, Matrix]:
        """The columns as these people have them, and their rows."""
        try:
            formulaic = import_module("formulaic")
        except ImportError:
            raise ParameterError(
                "formulaic must be installed for formulas: pip install 'deniable[regression]'; "
                'or name columns of numbers, as in ("late", ["age"])'
            ) from None
        data = _data(table, self.used)
        matrix = _model_matrix(formulaic, self.right, data)
        levels = {
            name: frozenset(data[name].tolist()) for name in self.used if _is_levels(data[name], self.right, name)
        }
        names = tuple(CONSTANT if name == "Intercept" else str(name) for name in matrix.columns)
        return FormulaColumns(names, self.used, levels, matrix.model_spec), np.asarray(matrix, np.float64)


def _model_matrix(formulaic: Any, right: str, data: Any) -> Any:
    """The model matrix; formulaic's own errors may quote values."""
    unfit = ParameterError("a formula must fit its columns, got one that does not: functions of numbers take numbers")
    return unquoted(lambda: formulaic.model_matrix(right, data, context={}, na_action="raise"), unfit)


def settle(columns: Columns | PendingColumns, table: Any) -> tuple[Columns, Matrix]:
    """Columns as the people of the fit have them, and their rows."""
    return columns.settled(table) if isinstance(columns, PendingColumns) else (columns, columns.of(table))


def _is_levels(column: Any, right: str, name: str) -> bool:
    return column.dtype.kind not in "iuf" or f"C({name})" in right


def _data(table: Any, names: Sequence[str]) -> Any:
    """The columns that a formula names, as formulaic takes them."""
    known = columns_of(table)
    return import_module("pandas").DataFrame({name: _values(_column(known, name)) for name in names})


def _values(column: Any) -> Any:
    """The values of a column; arrays of numbers as they are, for a list of them takes ten times the room."""
    is_plain = isinstance(column, np.ndarray) and column.dtype in (np.float64, np.int64, np.bool_)
    return column if is_plain else python_values(column)


def _column(columns: Mapping[Any, Any], name: str) -> Any:
    """The column of this name, refused where there is none."""
    if name not in columns:
        names = [str(each) for each in columns]
        raise ParameterError(f"a formula must name columns of the table, got {shown(name)}{near(name, names)}")
    return columns[name]


def with_rows(table: Any, rows: int) -> Any:
    """The table; one without columns, which cannot say how many rows it has, as a matrix of that many."""
    return np.zeros((rows, 0)) if is_table(table) and not columns_of(table) else table


def size_of(table: Any) -> int:
    """How many rows a table has."""
    if isinstance(table, np.ndarray):
        return len(table)
    sizes = {len(column) for column in columns_of(table).values()}
    if len(sizes) != 1:
        raise ParameterError(f"columns must be of one length, got {sorted(sizes)[:3]}")
    return sizes.pop()


def complete_rows(table: Any, names: Sequence[str]) -> Flags:
    """Which rows have a value, and no infinite one, in each of these columns."""
    complete = np.ones(size_of(table), np.bool_)
    if isinstance(table, np.ndarray):
        return np.asarray(np.isfinite(table).all(axis=1), np.bool_)
    known = columns_of(table)
    for name in names:
        column = known[name]
        if isinstance(column, np.ndarray) and column.dtype.kind in "iufb":
            complete &= np.isfinite(column)
        else:
            complete &= np.array(
                [not is_missing(value) and not _endless(value) for value in python_values(column)], bool
            )
    return complete


def _endless(value: Any) -> bool:
    return isinstance(value, float) and not np.isfinite(value)


def rows_of(table: Any, rows: Indices) -> Any:
    """Some rows of a table; the table itself where they are all."""
    if not len(table) or (len(rows) == size_of(table) and (np.diff(rows) == 1).all()):
        return table
    if isinstance(table, np.ndarray):
        return table[rows]
    return {name: _entries(column, rows) for name, column in columns_of(table).items()}


def column_named(table: Any, columns: Columns, name: str) -> list[Any]:
    """The values of one column of a table or a matrix."""
    column = table[:, columns.names.index(name) - 1] if isinstance(table, np.ndarray) else columns_of(table)[name]
    return python_values(column)


def with_value(table: Any, columns: Columns, name: str, value: Any) -> Any:
    """The table with this value, or these, in the place of a column's own."""
    if isinstance(table, np.ndarray):
        changed = table.astype(np.float64)
        changed[:, columns.names.index(name) - 1] = value
        return changed
    rows = value if isinstance(value, np.ndarray) else [value] * size_of(table)
    return {**columns_of(table), name: rows}


def _entries(column: Any, rows: Indices) -> Any:
    """The values of a column in some rows."""
    if isinstance(column, np.ndarray):
        return column[rows]
    values = python_values(column)
    return [values[row] for row in rows.tolist()]


def check_rank(x: Matrix, names: Sequence[str], people: int) -> None:
    """Refuse more columns than there are people, and columns that follow from others."""
    if x.shape[1] > LARGEST:
        raise ParameterError(f"a fit must have at most {LARGEST} columns, got {x.shape[1]}")
    if people <= x.shape[1]:
        raise ParameterError(f"people must be more than columns, got {people} and {x.shape[1]}")
    if not np.isfinite(x).all():
        raise ParameterError("columns must be finite numbers, got some that are not, such as the log of 0")
    scaled = x / np.maximum(np.sqrt((x**2).mean(axis=0)), 1e-300)
    triangle = np.abs(np.diag(np.linalg.cholesky(scaled.T @ scaled / len(x) + 1e-14 * np.eye(x.shape[1]))))
    lost = [name for name, left in zip(names, triangle, strict=True) if left < np.sqrt(TOO_CLOSE)]
    if lost:
        raise ParameterError(f"each column must tell something that the others do not, got {', '.join(lost[:5])}")
