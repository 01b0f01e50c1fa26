"""``deniable estimate --question``: answers of a curator who uses the prior, with their expected errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

import deniable as dn
from deniable.cli import options
from deniable.cli.findings import named
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import Dataset
from deniable.engines.open_any import open_any
from deniable.estimation.table import Table, printable
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import FormatError, ParameterError, ReportError
from deniable.reports.report_file import ReportFile
from deniable.values.domain import Domain

if TYPE_CHECKING:
    from deniable.mechanisms.prior.curator import Answer
    from deniable.mechanisms.prior.informed_crowd import CombinedCurator

Question: TypeAlias = Literal["survey", "total", "histogram", "weighted"]
Numbers: TypeAlias = npt.NDArray[np.float64]
RIGHT = "The error is the root mean squared one if the priors are right; it does not know of wrong ones."


@dataclass(frozen=True, slots=True)
class QuestionInputs:
    """One question with its inputs: a label, a file of values, a file of weights."""

    question: Question
    label: str | None = None
    values: Path | None = None
    weights: Path | None = None

    def check(self) -> None:
        """Refuse an option without the question that it is for, and a question without its option."""
        for flag, value, question in (("--label", self.label, "survey"), ("--weights", self.weights, "weighted")):
            if (value is None) == (self.question == question):
                raise ParameterError(f"{flag} must be given with --question {question}, and with no other")
        if self.values is not None and self.question not in ("total", "weighted"):
            raise ParameterError(f"--values must go with total or weighted, got them with {self.question}")

    def of(self, sources: Sequence[Path]) -> Answered:
        """The answer from tallies or report files; weights need the reports, in the order of the people."""
        from deniable.mechanisms.prior.informed_crowd import CombinedCurator  # which no other estimate needs

        self.check()
        whole = self.question == "weighted"
        collected = [_collected(path, whole) for path in sources]
        crowd, parts = CombinedCurator([mechanism for mechanism, _ in collected]), [part for _, part in collected]
        people = sum(part.n if isinstance(part, dn.Tally) else len(part) for part in parts)
        if not people:
            raise ReportError("the files must hold at least one report, got none")
        values = None if self.values is None else _read_values(self.values, crowd.domain)
        return Answered(self, people, crowd.domain, self._answer(crowd, parts, people, values))

    def _answer(self, crowd: CombinedCurator, parts: list[Any], people: int, values: Numbers | None) -> Answer:
        match self.question:
            case "survey":
                return crowd.survey(parts, named(crowd.domain, self.label, "--label"))
            case "total":
                return crowd.total(parts, values)
            case "histogram":
                return crowd.histogram(parts)
            case "weighted":
                return crowd.weighted_total(parts, *_read_weights(self.weights, people), values)


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer for people and for programs."""

    inputs: QuestionInputs
    people: int
    domain: Domain
    answer: Answer

    def to_dict(self) -> dict[str, Any]:
        """The question, the number of people, the value (one per label for a histogram) and its error."""
        about: dict[str, Any] = {} if self.inputs.label is None else {"label": self.inputs.label}
        value: Any = self.answer.value
        if self.inputs.question == "histogram":
            about, value = {"label": list(self.domain)}, self.answer.value.tolist()
        return {"question": self.inputs.question, "n": self.people, **about, "value": value, "error": self.answer.error}

    def __str__(self) -> str:
        if self.inputs.question == "histogram":
            rows = [[printable(label), f"{n:,.1f}"] for label, n in zip(self.domain, self.answer.value, strict=True)]
            head, last = ["label", "people"], f"The error of all labels together is {self.answer.error:,.4g}. {RIGHT}"
        else:
            name = self.inputs.question if self.inputs.label is None else printable(self.inputs.label)
            rows, last = [[name, f"{self.answer.value:,.6g}", f"{self.answer.error:,.4g}"]], RIGHT
            head = ["label" if self.inputs.label is not None else "question", "value", "error"]
        return str(Table(f"{self.people} reports, read with the prior", head, rows, [last]))


def _collected(path: Path, whole: bool) -> tuple[Mechanism, Any]:
    """The mechanism and the tally of a file; for a report file its tally or, if ``whole``, the reports themselves."""
    opened = open_any(path)
    mechanism, content = opened.mechanism, opened.content
    if isinstance(content, Dataset) and whole:
        files = [file for file in content.files if isinstance(file, ReportFile)]  # all, for no spec was given
        columns = [column for file in files for column in file.columns(mechanism.layout)]
        return mechanism, np.concatenate([mechanism.layout.empty(0), *columns])
    if whole:
        raise ParameterError(f"--question weighted must be asked of report files, got {opened.what}, {path}")
    return mechanism, count_dataset(content).tally if isinstance(content, Dataset) else opened.of_kind(dn.Tally)


def _read_values(path: Path, domain: Domain) -> Numbers:
    """The value of each label, in their order, from a CSV file with the columns label and value."""
    places, wanted = {str(label): place for place, label in enumerate(domain)}, "each label of the survey one value"
    values = np.full(len(domain), math.nan)
    for label, value in options.read_columns(path, ("label", "value")):
        if label not in places or not math.isnan(values[places[label]]):
            got = "one twice" if label in places else "an unknown label"
            raise FormatError(f"{path} must give {wanted}, got {got}")
        values[places[label]] = _number(path, value)
    if np.isnan(values).any():
        raise FormatError(f"{path} must give {wanted}, got {np.isnan(values).sum()} without")
    return values


def _read_weights(path: Path | None, people: int) -> tuple[Numbers, Numbers]:
    """Weights and offsets from a CSV file, one row per report, in order; offsets are 0 if they have no column."""
    rows = [] if path is None else options.read_columns(path, ("weight", "offset"), least=1)
    if path is None or len(rows) != people:
        raise FormatError(f"{path} must have a row for each of {people} reports, got {len(rows)}")
    numbers = np.array([[_number(path, weight), _number(path, offset)] for weight, offset in rows])
    return numbers[:, 0], numbers[:, 1]


def _number(path: Path, text: str) -> float:
    number = options.number_of(text)
    if not math.isfinite(number):
        got = "a text" if math.isnan(number) else "an infinite one"
        raise FormatError(f"{path} must hold finite numbers, got {got}")
    return number
