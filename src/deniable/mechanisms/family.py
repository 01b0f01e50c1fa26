"""A family's row in the registry: everything that other code needs to know about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_labels, some_level
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import LARGEST_EPSILON, SMALLEST_EPSILON
from deniable.protocol.errors import DenialError
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.values import LARGEST
from deniable.values.domain import Domain

ALL_SIZES = (16, 256, 1024, 16384, 131072, 1048576)
FEWER_SIZES = (16, 1024, 16384, 1048576)
"""Numbers of labels at which benchmarks time a family."""
Maker: TypeAlias = Callable[..., Mechanism]
"""Makes a mechanism; takes the family's own options by name."""
Keeps: TypeAlias = Callable[[Guarantee, Domain], Maker | None]
"""Makes the mechanism of a family that keeps a guarantee over a domain, or returns None if there is none."""


@dataclass(frozen=True, slots=True)
class Option:
    """An argument of a family that can be given on the command line, besides its labels and its level."""

    name: str
    metavar: str
    help: str
    kind: type = int
    required: bool = False
    read: Callable[[str], Any] | None = None
    """Makes the argument of the text, where ``kind`` does not."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A small mechanism for the test vectors. ``number`` determines its random words and never changes."""

    number: int
    make: Callable[[], Mechanism]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One row. ``example`` makes a mechanism for a domain and a level, with as many of the labels as it can have.

    ``title`` says in one line what a report is. ``read`` makes a mechanism from a spec's domain, as JSON, and its
    parameters; without it these are the arguments of the constructor. The planner and the command line use ``keeps``.
    """

    make: type[Mechanism]
    title: str
    example: Callable[[Domain, float], Mechanism]
    keeps: Keeps
    read: Callable[[Any, Spec], Mechanism] | None = None
    nested: str | None = None
    """The parameter of a spec that holds another mechanism's spec; ``read`` is given that mechanism."""
    options: tuple[Option, ...] = ()
    samples: tuple[Sample, ...] = ()
    plain: bool = False
    """Whether a domain and an epsilon determine a member."""
    hashed: bool = False
    """Whether it hashes its values, so that without a domain any text may be one."""
    lists: bool = False
    """Whether a person's value is a list of labels; planners and commands that ask for one label leave it out."""
    written_out: bool = False
    """Whether members are tables of weights, so that examples must be small."""
    for_texts: Callable[[float, int], Iterable[Mechanism]] | None = None
    """Members that suit so many candidates of an open alphabet."""
    for_lists: Callable[[Domain, float, int | None], Iterable[Mechanism]] | None = None
    """Members that protect the whole of a list of at most so many labels; None: of any length."""
    most_planned: int | None = None
    """The planner leaves the family out beyond so many labels."""
    only_sizes: tuple[int, ...] = ()
    """The only numbers of labels that members have; empty where any will do."""
    may_refuse: bool = False
    """Whether its way to keep a guarantee refuses levels of 0, under which labels cannot be told apart."""
    detail: Callable[[Any], str] | None = None
    """What a plan says of a member beside its name, where it ranks several."""
    planned_as: str | None = None
    """What the planner and the command line call it, where that is not its name."""
    random: Callable[[Random], Mechanism] | None = None
    """Draws a member for tests, with any parameters there are, which may be refused; None: one like the example."""
    largest: Callable[[], Mechanism] | None = None
    """The largest member whose spec is short; None where a spec holds a number for each label."""
    measured: Callable[[int], Mechanism] | None = None
    """The member of so many labels that benchmarks time; None: the example at level 1."""
    sizes: tuple[int, ...] = ()
    """The numbers of labels at which benchmarks time it, if they do."""
    library_only: bool = False
    """Whether no client draws it, so that ``wire/`` has no vectors of it."""

    @property
    def name(self) -> str:
        """The name by which specs refer to the family."""
        return self.make.__name__

    @property
    def way_name(self) -> str:
        """The name by which the planner and the command line know the family."""
        return self.planned_as or self.name

    @property
    def sizes_phrase(self) -> str:
        """Which numbers of labels its members have, in words; empty where any will do."""
        sizes = ", ".join(map(str, self.only_sizes))
        return f"is for {sizes} labels and for no other number" if sizes else ""

    def planned_name(self, mechanism: Mechanism) -> str:
        """The name of the mechanism in a plan."""
        return self.way_name if self.detail is None else f"{self.way_name} {self.detail(mechanism)}"

    def random_member(self, source: Random) -> Mechanism:
        """A member drawn by a generator; drawn again where one is refused, as where odds do not fit."""
        while True:
            with suppress(DenialError):
                if self.random is not None:
                    return self.random(source)
                return self.example(Domain.of(some_labels(source)), some_level(source))

    def measured_member(self, labels: int) -> Mechanism:
        """The member of so many labels that benchmarks time."""
        return self.example(Domain.of(labels), 1.0) if self.measured is None else self.measured(labels)

    def of_spec(self, domain: Any, parameters: Spec) -> Mechanism:
        """The mechanism that a spec's domain and parameters describe."""
        if self.read is not None:
            return self.read(domain, parameters)
        return _made(self.make, Domain.from_json(domain), parameters)


def plain_family(
    make: type[Mechanism],
    title: str,
    samples: Iterable[Sample] = (),
    options: Iterable[Option] = (),
    sizes: Iterable[int] | None = None,
    **more: Any,
) -> Family:
    """The registry row of a family with a domain and an epsilon, which keeps every guarantee that LDP implies.

    ``sizes`` are the numbers of labels that its members can have, if these are few: it is planned for no other.
    ``more`` are further fields of the row.
    """
    only = tuple(sorted(set(sizes or ())))

    def example(domain: Domain, epsilon: float) -> Mechanism:
        fit = max((size for size in only or (len(domain),) if size <= len(domain)), default=min(only, default=0))
        return _made(make, domain if fit == len(domain) else Domain.of(fit), {"epsilon": epsilon})

    def keeps(guarantee: Guarantee, domain: Domain) -> Maker | None:
        epsilon = min(guarantee.enough, LARGEST_EPSILON)
        if epsilon < SMALLEST_EPSILON or (only and len(domain) not in only):  # a pair must not be told apart at all
            return None
        return lambda **chosen: _made(make, domain, {"epsilon": epsilon, **chosen})

    most = max(only, default=LARGEST)
    defaults = {"largest": lambda: _made(make, Domain.of(most), {"epsilon": 1.0}), "sizes": only or ALL_SIZES}
    return Family(
        make=make, title=title, example=example, keeps=keeps, samples=tuple(samples), options=tuple(options),
        plain=True, only_sizes=only, **{**defaults, **more},
    )  # fmt: skip


def _made(make: Callable[..., Mechanism], domain: Domain, parameters: Spec) -> Mechanism:
    return make(domain, **parameters)


def keeps_none(guarantee: Guarantee, domain: Domain) -> None:
    """The ``keeps`` of a family that is not made for any guarantee: always None."""
    return
