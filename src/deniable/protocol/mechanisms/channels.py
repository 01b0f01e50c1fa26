"""Mechanisms whose channel is written out: a weight for each value and report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .. import draws
from ..canonical import Spec
from ..checks import check_choice, check_epsilon, check_prior, check_whole, is_int
from ..errors import CapacityError, ParameterError
from ..layouts import IndexLayout, Report, number_of
from ..odds import exp_lower
from ..privacy.context import Pairwise
from ..privacy.guarantee_json import from_dict, to_dict
from ..privacy.guarantees import LDP, Guarantee
from ..privacy.informed import InformationPrivacy, OneSidedInformationPrivacy
from ..privacy.levels import in_json
from ..privacy.rows import ListedRows, Rows, level
from ..values import Domain
from ..words import WORD, Words
from .mechanism import Mechanism

TOTAL = 1 << 63
"""The sum of the weights of a row of BinaryResponse, before common divisors are removed."""
WIDEST = 1 << 1000
"""Weights of a Channel add up to less than this."""
CLOSE = 1e-6
"""How far below its level a pair of BinaryResponse may stay, relative to the level."""
MOST_WEIGHTS = 1 << 25
"""The most labels times reports of InformedResponse."""
LARGEST_LABEL = 1e100
"""The largest absolute value of a number that is added up."""


class ListedMechanism(Mechanism):
    """A mechanism with a table of weights; a report is the index of a column."""

    def __init__(self, domain: Domain, rows: ListedRows, guarantee: Guarantee, /, **parameters: Any) -> None:
        super().__init__(domain, **parameters)
        if len(rows.weights) != len(domain):
            raise ParameterError(f"there must be {len(domain)} rows of weights, one per label, got {len(rows.weights)}")
        columns = len(rows.weights[0])
        used = {y for row in rows.weights for y, weight in enumerate(row) if weight}
        self.rows = rows
        self.guarantee = guarantee
        self.layout = IndexLayout(columns, frozenset(range(columns)) - used)

    def draw(self, value: int, words: Words) -> Report:
        if self.rows.total >= WORD:
            raise CapacityError("a channel's weights must add up to less than 2^64 to be drawn from, got more")
        return draws.table(words.part(), self.rows.weights[value])

    def chance(self, value: int, report: Report) -> Fraction:
        return Fraction(self.rows.weights[value][number_of(report)], self.rows.total)


class Channel(ListedMechanism):
    """Any channel, with a guarantee that is proven, or the least level of plain LDP that it keeps."""

    def __init__(self, domain: Domain, rows: ListedRows, claim: Guarantee | None) -> None:
        if claim is not None and not claim.judge(rows).holds:
            raise ParameterError(f"weights must keep the guarantee, got some that are not {claim}")
        promise = claim or LDP(1.0).at(level(rows.worst_ratio()))
        guarantee_field = {} if claim is None else {"guarantee": _claim_fields(claim, domain)}
        super().__init__(domain, rows, promise, weights=[list(row) for row in rows.weights], **guarantee_field)

    @classmethod
    def of(cls, spec: Spec) -> Channel:
        domain, weights = Domain.from_json(spec["domain"]), spec["weights"]
        check_weights(weights)
        if len(weights) != len(domain):
            raise ParameterError(f"weights must be {len(domain)} rows, one per label, got {len(weights)}")
        claim = spec.get("guarantee")
        return cls(domain, ListedRows.reduced(weights), None if claim is None else _read_claim(claim, domain))


class BinaryResponse(ListedMechanism):
    """Two labels, each with its own level: no channel with these levels is more informative (acharya2019)."""

    def __init__(self, domain: Domain, first: float, second: float) -> None:
        if len(domain) != 2:
            raise ParameterError(f"domain must be two labels for BinaryResponse, got {len(domain)}")
        if first == second == math.inf:
            raise ParameterError("epsilon_first and epsilon_second must not both be infinite, got no privacy")
        rows = binary_rows(first, second)
        check_close(rows, (first, second))
        levels = {"epsilon_first": in_json(first), "epsilon_second": in_json(second)}
        super().__init__(domain, rows, Pairwise(domain, ((0.0, first), (second, 0.0))), **levels)

    @classmethod
    def of(cls, spec: Spec) -> BinaryResponse:
        levels = [_level(name, spec[name]) for name in ("epsilon_first", "epsilon_second")]
        return cls(Domain.from_json(spec["domain"]), *levels)


class InformedResponse(ListedMechanism):
    """Reports that tell most to those who know how common each label is (jiang2018)."""

    @classmethod
    def of(cls, spec: Spec) -> InformedResponse:
        """From the fields of a spec, which holds the channel itself."""
        domain = Domain.from_json(spec["domain"])
        prior, epsilon = check_prior(spec["prior"], len(domain)), check_epsilon(spec["epsilon"])
        one_sided = spec.get("one_sided", False)
        promise = (OneSidedInformationPrivacy if one_sided else InformationPrivacy)(domain, prior, epsilon)
        rows = _unpacked(spec["columns"], prior)
        if not promise.judge(rows).holds:
            raise ParameterError(f"columns must be weights that keep the guarantee, got some that are not {promise}")
        goal = check_choice("goal", spec["goal"], ("histogram", "sum"))
        sided = {"one_sided": True} if one_sided else {}
        fields = {"goal": goal, **_sum_values(domain, goal, spec.get("values")), **sided}
        columns = _packed(rows, prior)
        return cls(domain, rows, promise, prior=list(prior), epsilon=epsilon, columns=columns, **fields)


def check_weights(weights: Any) -> None:
    """Refuse a channel's weights unless they are whole numbers in rows of one length and one total, below 2^1000."""
    check_whole("weights", weights)
    if not 0 < sum(weights[0]) < WIDEST:
        raise ParameterError("weights must add up to less than 2^1000, and to more than 0, got a row that does not")
    ListedRows(tuple(map(tuple, weights)))


def _read_claim(written: Any, domain: Domain) -> Guarantee:
    """The guarantee that a channel over this domain claims, at a level that may have been computed."""
    claim = from_dict(written, domain, computed=True)
    if claim.by_label or (claim.domain or domain) != domain:
        raise ParameterError(f"guarantee must be about the channel's domain, got {claim}")
    return claim


def _claim_fields(claim: Guarantee, domain: Domain) -> Spec:
    """The claim as a spec holds it, whose domain is written as the channel's is."""
    fields = to_dict(claim)
    return {**fields, "domain": domain.to_json()} if "domain" in fields else fields


def binary_rows(first: float, second: float) -> ListedRows:
    """The weights of BinaryResponse for its two levels (acharya2019, Theorem 2).

    The probabilities of both mistakes, a false alarm and a miss, are rounded up: so ratios of probabilities only fall.
    """
    a, b = (None if level == math.inf else exp_lower(level) for level in (first, second))
    if a is None or b is None:
        alarm = Fraction(0) if a is None else 1 / a
        miss = Fraction(0) if b is None else 1 / b
    else:
        alarm, miss = (b - 1) / (a * b - 1), (a - 1) / (a * b - 1)
    alarms, misses = math.ceil(alarm * TOTAL), math.ceil(miss * TOTAL)
    return ListedRows.reduced([[TOTAL - misses, misses], [alarms, TOTAL - alarms]])


def check_close(rows: Rows, wanted: tuple[float, float]) -> None:
    """Refuse levels so far apart that 64 bits cannot come near them."""
    reached = (level(rows.worst_ratio([0], [1])), level(rows.worst_ratio([1], [0])))
    if any(want < math.inf and got < want * (1 - CLOSE) for got, want in zip(reached, wanted, strict=True)):
        got = f"{wanted[0]:g} and {wanted[1]:g}"
        raise CapacityError(f"epsilon_first and epsilon_second must leave room for both in 64 bits, got {got}")


def _level(name: str, written: Any) -> float:
    return math.inf if written == "inf" else check_epsilon(written, name)


def _sum_values(domain: Domain, goal: str, written: Any) -> dict[str, list[float]]:
    """The spec's field of the numbers that a sum adds, if they are not the labels themselves."""
    if goal == "histogram" and written is not None:
        raise ParameterError("values must go with the goal sum, got them with another")
    numbers: Sequence[Any] = list(domain) if goal == "sum" and written is None else written or []
    if any(not (is_int(n) or isinstance(n, float)) or abs(n) > LARGEST_LABEL for n in numbers):
        raise ParameterError(f"values must be numbers up to {LARGEST_LABEL:g}, got one that is not")
    if written is None:
        return {}
    if len(written) != len(domain):
        raise ParameterError(f"values must be {len(domain)} numbers, one per label, got {len(written)}")
    return {"values": [float(n) for n in written]}


def _likeliest_first(prior: Sequence[float]) -> list[int]:
    return sorted(range(len(prior)), key=lambda place: -prior[place])


def _unpacked(columns: Any, prior: Sequence[float]) -> ListedRows:
    """The weights from runs: a weight, how many labels have it, the next weight, and so on."""
    order = _likeliest_first(prior)
    if len(order) * len(columns) > MOST_WEIGHTS:
        raise CapacityError(f"a channel must have at most {MOST_WEIGHTS} weights, got more")
    check_whole("columns", columns)
    if any(sum(column[1::2]) != len(order) or len(column) % 2 for column in columns):
        raise ParameterError(f"columns must have runs of {len(order)} labels in all, got a column with more or fewer")
    spread = [[w for w, run in zip(column[::2], column[1::2], strict=True) for _ in range(run)] for column in columns]
    row_of = dict(zip(order, zip(*spread, strict=True), strict=True))  # from columns over labels to rows of labels
    rows = ListedRows(tuple(row_of[label] for label in range(len(order))))
    if rows.total >= WORD or math.gcd(*(w for row in rows.weights for w in row)) != 1:
        raise ParameterError("columns must add up to less than 2^64 without a common divisor, got some that do not")
    return rows


def _packed(rows: ListedRows, prior: Sequence[float]) -> list[list[int]]:
    """Each column as runs, neighbouring ones of different weights."""
    columns = []
    for column in zip(*(rows.weights[label] for label in _likeliest_first(prior)), strict=True):
        runs: list[int] = []
        for weight in column:
            if runs and runs[-2] == weight:
                runs[-1] += 1
            else:
                runs += [weight, 1]
        columns.append(runs)
    return columns
