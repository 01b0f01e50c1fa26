"""A number's result in plain values: the mean and quantiles, and the share up to each number as a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_saying import between, in_words, value_of
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL
from deniable.estimation.words import share_in_words
from deniable.protocol.errors import ParameterError
from deniable.protocol.grid import DECIMAL

QUANTILES: Final = {
    0.1: "1 in 10 people are at or below",
    0.25: "A quarter are at or below",
    0.5: "Half are at or below (the median)",
    0.75: "Three quarters are at or below",
    0.9: "9 in 10 people are at or below",
}
WIDTH, HEIGHT = 100.0, 40.0
"""The size of the curve's picture; its width is stretched to the page."""


@dataclass(frozen=True)
class Fact:
    """One number that is told: what it is, and between which numbers it lies."""

    name: str
    estimate: str
    words: str


@dataclass(frozen=True)
class RangeShare:
    """The share of people between two numbers that a reader asked for; ``fault`` says why there is none."""

    low: str
    high: str
    words: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Rising:
    """The share of people up to each number, as paths of a picture, with the limits for the whole curve at once."""

    line: str
    band: str
    ticks: tuple[tuple[str, float], ...]
    said: str


@dataclass(frozen=True)
class NumbersView:
    """All that is shown of a number."""

    facts: Sequence[Fact]
    about: str
    rising: Rising | None
    asked: RangeShare | None


def numbers_view(found: Distribution, asked: tuple[str, str] | None) -> NumbersView:
    """What is shown of a number; ``asked`` is a range that a reader typed."""
    low, high = (found.shown(found.scale.value(place)) for place in (0, found.scale.steps))
    about = f"Numbers from {low} to {high} were asked for. A number below counts as {low}, one above as {high}."
    if found.told.ranges is None:
        return NumbersView(tuple(_facts(found)), about, None, None)
    if found.told.width > 1:
        about += f" Quantiles are told to {found.told.width} steps of the scale."
    return NumbersView(tuple(_facts(found)), about, _rising(found), None if asked is None else _share(found, *asked))


def _facts(found: Distribution) -> list[Fact]:
    facts = [_fact(found, "Mean", found.mean)]
    if found.told.mean is not None and found.told.squares is not None:
        unit = f" {found.unit}" if found.unit else ""
        value, words = in_words(found.spread, unit)
        facts.append(Fact("Spread about the mean (standard deviation)", value, words))
    if found.told.ranges is not None:
        facts += [_fact(found, name, found.quantile(share)) for share, name in QUANTILES.items()]
    return facts


def _fact(found: Distribution, name: str, quantity: Quantity) -> Fact:
    return Fact(name, value_of(found, quantity), between(found, quantity))


def _share(found: Distribution, low: str, high: str) -> RangeShare:
    """The share of a range in words, or what is wrong with it."""
    try:
        bounds = [_read(found, each.strip().replace(",", ".")) for each in (low, high)]
        told = found.share(*bounds)
    except ParameterError:
        kind = "two dates" if found.scale.dated else "two numbers"
        return RangeShare(low, high, fault=f"Give {kind}, the smaller one first.")
    least, most = told.interval(LEVEL)
    return RangeShare(low, high, share_in_words(least, most))


def _read(found: Distribution, text: str) -> object:
    if found.scale.dated or not DECIMAL.fullmatch(text):
        return text
    return float(text)


def _rising(found: Distribution) -> Rising:
    band = found.band(LEVEL)
    start, end = found.scale.value(0), found.scale.value(found.scale.steps)
    x = np.clip((band.x - start) / (end - start), 0, 1) * WIDTH
    line = f"M{_steps(x, band.y)}"
    around = f"M{_steps(x, band.high)} L{_steps(x[::-1], band.low[::-1], reverse=True)} Z"
    ticks = tuple(
        (found.scale.shown(round(found.scale.steps * part)), round(100 * part, 2)) for part in (0, 0.25, 0.5, 0.75, 1)
    )
    said = "; ".join(
        f"{share_in_words(*found.cdf(_shown_value(found, part)).interval(LEVEL))} are at or below "
        f"{found.scale.shown(round(found.scale.steps * part))}"
        for part in (0.25, 0.5, 0.75)
    )
    return Rising(line, around, ticks, said)


def _shown_value(found: Distribution, part: float) -> object:
    shown = found.scale.shown(round(found.scale.steps * part))
    return shown if found.scale.dated else float(found.scale.value(round(found.scale.steps * part)))


def _steps(x: Vector, shares: Vector, *, reverse: bool = False) -> str:
    """A staircase: along to the next place, then up; the other way round when it is walked back."""
    y = HEIGHT * (1 - np.clip(shares, 0, 1))
    corners: Matrix = np.column_stack([np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]])
    if reverse:
        corners = np.column_stack([np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:]])
    return " L".join(f"{a:.2f} {b:.2f}" for a, b in corners.tolist())
