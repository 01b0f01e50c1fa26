"""Surveys whose answers somebody else mixes: what their documents say of the two parties and of the crowd."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Protocol, Self

from ..base64url import read_base64url
from ..canonical import Spec
from ..checks import check_int, check_positive, shown
from ..errors import ParameterError
from ..fields import check_words
from ..say import Statement
from .periods import ONCE, Times, count_of
from .statements import belief_statements

ADDRESS: Final = re.compile(
    r"(?:https://[a-z0-9.-]+|http://(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\]))(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*"
)
"""An address that paths follow: of another machine only by https."""
THIS_MACHINE: Final = "http://"
LONGEST_ADDRESS: Final = 300
POINT: Final = 65
"""Bytes of a point of P-256 as it is."""
PLAIN_POINT: Final = 4
"""The first byte of a point that is written as it is, and not compressed."""
LEAST_CHANCE: Final = -12
"""The exponent of the smallest delta."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Whom a survey's answers go through, and how many of them hide each other.

    The mixer at ``mixer``, run by ``operator``, passes on the answers of a period once at least ``least`` are there, of
    which ``made_up`` may be made up: a tenth of them unless it is said. ``level`` and ``delta`` are what whoever sees
    the mixed answers alone is held to; a plan lowers the level to the one that is certified, and works out ``belief``:
    these answers move odds by a factor above e^belief with a chance of at most delta. ``collector`` and ``key`` say
    where they are opened; a collector sets both.

    >>> Crowd(least=1000, level=1.0, mixer="https://mixer.example", operator="Works Council").made_up
    100
    """

    mixer: str
    operator: str
    least: int
    level: float
    delta: float = 1e-6
    made_up: int | None = None
    belief: float | None = None
    collector: str | None = None
    key: str | None = None

    def __post_init__(self) -> None:
        least = check_int("least", self.least, 2)
        made_up = least // 10 if self.made_up is None else check_int("made_up", self.made_up, 0, least - 2)
        belief = None if self.belief is None else _check_digits("belief", self.belief)
        levels = {"level": check_positive("level", self.level), "delta": _check_delta(self.delta), "belief": belief}
        for name, value in {"least": least, "made_up": made_up, **levels}.items():
            object.__setattr__(self, name, value)
        _check_address("mixer", self.mixer)
        if not _comparable(check_words("operator", self.operator)):
            raise ParameterError("operator must say who runs the mixer, got an empty text")
        if (self.collector is None) != (self.key is None):
            raise ParameterError("collector and key must both be there or neither, got one of them")
        if self.collector is not None:
            self._check_collector(_check_address("collector", self.collector))

    def _check_collector(self, collector: str) -> None:
        """Refuse a key that is none, and a collector on the mixer's own host: two parties are on two."""
        read_key(self.key)
        local = [address.startswith(THIS_MACHINE) for address in (collector, self.mixer)]
        if any(local) != all(local) or (not any(local) and _host(collector) == _host(self.mixer)):
            raise ParameterError(
                "mixer and collector must be on two hosts, or both on this machine for tests, got "
                f"{self.mixer} and {collector}"
            )

    @property
    def honest(self) -> int:
        """Of how many people the levels are: those whose answers are not made up."""
        return self.least - int(self.made_up or 0)

    @property
    def chance(self) -> int:
        """Delta as people read it: one chance in so many."""
        return round(1 / self.delta)

    def to_json(self) -> Spec:
        """What a document says of the crowd."""
        entries = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in entries.items() if value is not None}

    @classmethod
    def read(cls, given: Any) -> Self:
        """The crowd of a document, or one as it is."""
        if isinstance(given, cls):
            return given
        if not isinstance(given, Mapping):
            raise ParameterError(f"crowd must be a Crowd, or its fields by their names, got {type(given).__name__}")
        known = [each.name for each in fields(cls)]
        if strange := [name for name in given if name not in known]:
            raise ParameterError(f"crowd must have fields of {', '.join(known)}, got {str(strange[0])[:40]!r}")
        if missing := [name for name in known[:4] if name not in given]:
            raise ParameterError(f"crowd must say its {missing[0]}, got none")
        return cls(**given)


def read_key(text: Any) -> bytes:
    """The 65 bytes of a point from its text; whoever seals checks that it lies on the curve."""
    key = read_base64url(text) if isinstance(text, str) else None
    if key is None or len(key) != POINT or key[0] != PLAIN_POINT:
        got = f"a text of {len(text)} characters" if isinstance(text, str) else type(text).__name__
        raise ParameterError(
            f"key must be an uncompressed point of P-256, {POINT} bytes in base64url without padding, got {got}"
        )
    return key


class Mixed(Times, Protocol):
    """What of a document has to fit its crowd."""

    owner: str
    repeat: str
    population: int | None
    kiosk: bool
    lan: bool
    carrier: str | None


def check_mixed(survey: Mixed, crowd: Crowd, level: float) -> None:
    """Refuse terms that do not fit a crowd: of people who are invited, with one answer each, until the survey closes.

    ``level`` is that of an answer that no crowd hides; the crowd's must be below it.
    """
    if survey.kiosk or survey.lan or survey.carrier is not None or survey.repeat not in (ONCE, "fresh"):
        raise ParameterError(
            'a survey with a crowd must have repeat="once" or "fresh" and neither kiosk, lan nor carrier, got '
            f"repeat={survey.repeat!r}, kiosk={survey.kiosk}, lan={survey.lan} and carrier={survey.carrier!r}"
        )
    if survey.closes is None or (survey.repeat != ONCE and survey.opens is None):
        needed = "closes" if survey.closes is None else "opens"
        raise ParameterError(f"a survey with a crowd must say when it {needed}, got {needed}=None")
    if crowd.belief is None:
        raise ParameterError("a survey with a crowd must be planned with it or state its belief, got belief=None")
    if level == math.inf:
        raise ParameterError(
            "a survey with a crowd must protect all answers to all questions, got one that some report can tell for "
            "certain, which no crowd hides; take mechanisms of plain LDP"
        )
    if not _check_digits("level", crowd.level) < level:
        raise ParameterError(
            f"the level of a crowd must be below that of each report, {level:g}, got level={crowd.level:g}; with a "
            "larger least a crowd hides more"
        )
    if crowd.belief < crowd.level:
        raise ParameterError(f"belief must be at least the crowd's level, {crowd.level:g}, got belief={crowd.belief:g}")
    if _comparable(survey.owner) in ("", _comparable(crowd.operator)):
        raise ParameterError("owner and operator must be two parties, got one or an empty owner")
    if survey.population is not None and survey.population < crowd.least:
        raise ParameterError(f"least must be at most the population, {survey.population}, got least={crowd.least}")


def crowd_statements(survey: Mixed, crowd: Crowd, level: float, during: Statement | str) -> Iterator[Statement]:
    """What each party can conclude by the crowd's level, and both by ``level``: in a period, if ``during`` is one."""
    parties = {"owner": survey.owner, "operator": crowd.operator}
    common = {"chance": crowd.chance, "during": during}
    yield Statement("crowd_counts", honest=crowd.honest)
    yield Statement("crowd_mixer", operator=crowd.operator)
    yield Statement("crowd_collector", owner=survey.owner, least=crowd.least, level=crowd.level, **common)
    yield from belief_statements("crowd_belief", float(crowd.belief or level), owner=survey.owner, **common)
    yield Statement("crowd_together", level=level, during=during, **parties)
    if during:
        yield Statement("crowd_periods", during=during, count=count_of(survey))
    yield Statement("crowd_stated", owner=survey.owner)


def crowd_leaves_open(survey: Mixed, crowd: Crowd) -> Iterator[Statement]:
    """What the levels of a crowd do not cover."""
    parties = {"owner": survey.owner, "operator": crowd.operator}
    yield Statement("crowd_apart", **parties)
    yield Statement("crowd_made_up", made_up=crowd.made_up, **parties)
    yield Statement("crowd_codes")
    yield Statement("crowd_opened", owner=survey.owner)


def _check_address(field: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_ADDRESS or not ADDRESS.fullmatch(value):
        raise ParameterError(
            f'{field} must be an https address without a slash at its end, such as "https://mixer.example", or an http '
            f"one of this machine, got {type(value).__name__ if not isinstance(value, str) else shown(value)}"
        )
    return value


def _check_delta(value: Any) -> float:
    """A power of ten, which people read as one chance in so many."""
    chance = check_positive("delta", value)
    if chance not in [float(f"1e{power}") for power in range(LEAST_CHANCE, 0)]:
        raise ParameterError(f"delta must be a power of ten from 1e{LEAST_CHANCE} to 0.1, got delta={chance:g}")
    return chance


def _check_digits(field: str, value: Any) -> float:
    """A level in three digits, as plans round it up."""
    level = check_positive(field, value)
    if level != float(f"{level:.3g}"):
        raise ParameterError(f"{field} must have at most three digits, got {field}={level!r}")
    return level


def _host(address: str) -> str:
    """The name of a host, whatever its port."""
    return address.split("/")[2].partition(":")[0].rstrip(".")


def _comparable(name: str) -> str:
    """A name in the form in which two are compared: its visible characters in lower case."""
    visible = (each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each)[0] not in "ZC")
    return "".join(visible).lower()
