"""A family's row in the registry: all that anybody but the family itself needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.guarantees import Guarantee
from deniable.privacy.plain_level import plain_level
from deniable.reports.spec import Spec
from deniable.values.domain import Domain

Way: TypeAlias = Callable[..., Mechanism]
"""Makes a mechanism; takes the family's own options by name."""
Keeps: TypeAlias = Callable[[Guarantee, Domain], Way | None]
"""How a family keeps a guarantee over a domain, or None where it cannot."""


@dataclass(frozen=True, slots=True)
class Option:
    """An argument of a family that people may give on the command line, beside its labels and its level."""

    name: str
    metavar: str
    help: str
    kind: type = int
    required: bool = False
    read: Callable[[str], Any] | None = None
    """Makes the argument of the text, where ``kind`` does not."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A small mechanism that vectors are of. ``number`` starts its random words and never changes."""

    number: int
    make: Callable[[], Mechanism]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One row. ``example`` makes a member for a domain and a level, of as many of the labels as the family can have.

    ``title`` says in a line what a report is. ``read`` makes a member of a spec's domain, as JSON, and its parameters;
    left out, they are the arguments of the constructor. ``keeps`` is asked by the planner and the command line.
    """

    make: type[Mechanism]
    title: str
    example: Callable[[Domain, float], Mechanism]
    keeps: Keeps
    read: Callable[[Any, Spec], Mechanism] | None = None
    options: tuple[Option, ...] = ()
    samples: tuple[Sample, ...] = ()
    plain: bool = False
    """Whether a domain and an epsilon determine a member."""
    hashed: bool = False
    """Whether it hashes its values, so that without a domain any text may be one."""
    written_out: bool = False
    """Whether members are tables of weights, so that examples must be small."""
    for_texts: Callable[[float, int], Iterable[Mechanism]] | None = None
    """Members that suit so many candidates of an open alphabet."""
    most_planned: int | None = None
    """The planner leaves the family out beyond so many labels."""
    may_refuse: bool = False
    """Whether its way to keep a guarantee refuses levels of 0, under which labels cannot be told apart."""
    detail: Callable[[Any], str] | None = None
    """What a plan says of a member beside its name, where it ranks several."""
    planned_as: str | None = None
    """What the planner and the command line call it, where that is not its name."""

    @property
    def name(self) -> str:
        """The name that specs hold."""
        return self.make.__name__

    @property
    def way_name(self) -> str:
        """The name by which a way to keep a guarantee is known."""
        return self.planned_as or self.name

    def planned_name(self, mechanism: Mechanism) -> str:
        """What a plan calls a member."""
        return self.way_name if self.detail is None else f"{self.way_name} {self.detail(mechanism)}"

    def of_spec(self, domain: Any, parameters: Spec) -> Mechanism:
        """The member that a spec's domain and parameters describe."""
        if self.read is not None:
            return self.read(domain, parameters)
        return _made(self.make, Domain.from_json(domain), parameters)


def plain_family(
    make: type[Mechanism], title: str, samples: Iterable[Sample] = (), options: Iterable[Option] = (), **more: Any
) -> Family:
    """The row of a family whose constructor takes a domain and an epsilon: it keeps any guarantee that implies LDP."""

    def example(domain: Domain, epsilon: float) -> Mechanism:
        return _made(make, domain, {"epsilon": epsilon})

    def keeps(guarantee: Guarantee, domain: Domain) -> Way | None:
        epsilon = plain_level(guarantee, domain)
        return None if epsilon is None else lambda **own: _made(make, domain, {"epsilon": epsilon, **own})

    return Family(
        make=make, title=title, example=example, keeps=keeps, samples=tuple(samples), options=tuple(options),
        plain=True, **more,
    )  # fmt: skip


def _made(make: Callable[..., Mechanism], domain: Domain, parameters: Spec) -> Mechanism:
    return make(domain, **parameters)


def nothing(guarantee: Guarantee, domain: Domain) -> None:
    """The ``keeps`` of a family that is made for no guarantee."""
    return
