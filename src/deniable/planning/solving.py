"""Plans: of epsilon, users and accuracy two are given and the third is solved for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from deniable.checks import check_accuracy, check_users, naming_arguments, unlike
from deniable.mechanisms.family import Family
from deniable.mechanisms.mechanism import Mechanism
from deniable.planning.candidates import (
    MechanismFilter,
    candidates,
    noise_of,
    predicted_error,
    text_mechanisms,
    unbeatable,
)
from deniable.planning.outlook import least_error_in_words
from deniable.planning.plan import Plan, RankedMechanism
from deniable.protocol.checks import LARGEST_EPSILON, SMALLEST_EPSILON, check_epsilon, check_int, shown
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.values.domain import Domain, DomainLike

MOST_OPEN = 12
"""How many rows a plan for an open alphabet has."""


@naming_arguments
def plan(
    domain: DomainLike | None = None,
    epsilon: float | None = None,
    users: int | None = None,
    guarantee: Guarantee | None = None,
    max_bits: int | None = None,
    accuracy: float | None = None,
    candidates: int | None = None,
    mechanisms: Iterable[str | type[Mechanism] | Mechanism] | None = None,
) -> Plan:
    """Rank the mechanisms for a survey; of epsilon, users and accuracy the one left out is computed.

    ``accuracy`` is the root mean squared error wanted in one label's share. ``max_bits`` leaves only the mechanisms
    whose reports fit, with Cyclic's design chosen to fit. A ``guarantee`` stands for epsilon, and if it names its
    domain also for that; the mechanisms made for it are ranked beside plain LDP of its level. Instead of a domain,
    ``candidates`` is how many texts of an open alphabet will be looked for: hashed mechanisms, with their symbols.
    ``mechanisms`` are the families to rank, by name or as classes, and mechanisms of your own; all families
    unless given. ``left_out`` of the plan says why one that is asked for cannot be ranked.

    >>> plan(1000, epsilon=1.0, users=100_000).best.name
    'Subset'
    >>> plan(1000, epsilon=1.0, users=100_000, max_bits=11).best.name
    'Cyclic'
    >>> plan(2, epsilon=1.0, accuracy=0.01).users
    11707
    """
    promise, chosen = _promise(guarantee, epsilon), MechanismFilter.read(max_bits, mechanisms)
    if candidates is not None:
        return _open_plan(promise, domain, users, accuracy, check_int("candidates", candidates, 2), chosen)
    labels = _labels(domain, promise)
    _check_two(promise is not None, users is not None, accuracy is not None)
    if promise is not None and users is not None:
        return _ranked(labels, promise, check_users(users), chosen, "accuracy")
    error = _check_share(accuracy)
    if promise is not None:
        return _ranked(labels, promise, _users_for(labels, promise, error, chosen), chosen, "users")
    count = check_users(users)
    return _ranked(labels, LDP(_epsilon_for(labels, count, error, chosen)), count, chosen, "epsilon")


def _open_plan(
    promise: Guarantee | None,
    domain: DomainLike | None,
    users: int | None,
    accuracy: float | None,
    texts: int,
    wanted: MechanismFilter,
) -> Plan:
    """The plan for an open alphabet: epsilon is given, and one of users and accuracy."""
    if not isinstance(promise, LDP) or domain is not None:
        given = type(promise).__name__ if domain is None else "a domain"
        raise ParameterError(f"candidates must go with epsilon and without a domain, got {given}")
    _check_two(promise is not None, users is not None, accuracy is not None)
    mechanisms = text_mechanisms(promise.epsilon, texts, wanted)
    missing = left_out(wanted, (m.name for m in mechanisms), promise, None)
    if not mechanisms:
        _check_some(missing)
        raise ParameterError(
            f"max_bits must leave room for cohorts that tell {texts} candidates apart, got max_bits={wanted.max_bits}"
        )
    of_one = {m: math.sqrt(noise_of(m, texts) / texts) for m in mechanisms}  # the error of a single person's report
    people = check_users(users) if users is not None else _people(min(of_one.values()), _check_share(accuracy))
    rows = sorted((RankedMechanism.of(m, error / math.sqrt(people)) for m, error in of_one.items()), key=_rank)
    solved = "accuracy" if users is not None else "users"
    return Plan(promise, texts, promise.epsilon, people, rows[0].error, solved, tuple(rows[:MOST_OPEN]), missing)


def _check_share(accuracy: Any) -> float:
    """The wanted error, checked to be a share below 1 and not a number of percentage points."""
    error = check_accuracy(accuracy)
    if error >= 1:
        hint = f"; for {error:g} percentage points give {error / 100:g}" if error < 100 else ""
        raise ParameterError(f"accuracy must be an error in a share, below 1, got accuracy={accuracy}{hint}")
    return error


def _people(error: float, accuracy: float) -> int:
    """How many people must be asked for this accuracy, from the error of one person's report; at least one."""
    return max(math.ceil(error**2 / accuracy**2), 1)


def _promise(guarantee: object, epsilon: float | None) -> Guarantee | None:
    """The guarantee to keep; None if epsilon is to be solved for."""
    if guarantee is None:
        return None if epsilon is None else LDP(check_epsilon(epsilon))
    if not isinstance(guarantee, Guarantee) or epsilon not in (None, getattr(guarantee, "epsilon", None)):
        raise ParameterError(f"guarantee must be one, and epsilon its own, got {shown(guarantee)} and {shown(epsilon)}")
    return guarantee


def _labels(domain: DomainLike | None, promise: Guarantee | None) -> Domain:
    """The labels of a plan: those that are given, or that its guarantee names."""
    named = None if promise is None else promise.domain
    if named is None and domain is None:
        raise ParameterError("domain must be given, or a guarantee that names its own, got neither")
    if named is None or domain is None:
        return Domain.of(domain if named is None else named)
    if Domain.of(domain) != named:
        raise ParameterError(f"domain must be the guarantee's own, or left out, got {unlike(named, Domain.of(domain))}")
    return Domain.of(named)


def _check_two(*known: bool) -> None:
    """Refuse a plan unless two of three quantities are known."""
    if sum(known) < 2:
        raise ParameterError(
            "plan must be given two of epsilon, users and accuracy, got fewer; it solves for the third"
        )
    if all(known):
        raise ParameterError("plan must be given two of epsilon, users and accuracy, got all three; leave one out")


def _ranked(domain: Domain, guarantee: Guarantee, users: int, wanted: MechanismFilter, solved: str) -> Plan:
    """The plan for so many users; ``solved`` names which of epsilon, users and accuracy was computed."""
    errors = _errors(domain, guarantee, users, wanted)
    rows = sorted(
        (RankedMechanism.of(m, error, repr(m) if wanted.was_given(m) else None) for m, error in errors), key=_rank
    )
    missing = left_out(wanted, (m.name for m, _ in errors if not wanted.was_given(m)), guarantee, domain)
    least, limit = (bound and math.sqrt(bound / len(domain)) for bound in unbeatable(guarantee, len(domain), users))
    inputs = (guarantee, len(domain), guarantee.claimed, users)
    return Plan(*inputs, rows[0].error, solved, tuple(rows), missing, least=least, limit=limit)


def _errors(domain: Domain, guarantee: Guarantee, users: int, wanted: MechanismFilter) -> list[tuple[Mechanism, float]]:
    """Every mechanism that keeps the guarantee, with its predicted error; those without one are left out."""
    mechanisms = candidates(guarantee, domain, wanted)
    errors = [(m, error) for m in mechanisms if (error := predicted_error(m, guarantee, users)) is not None]
    if not errors:
        _check_some(left_out(wanted, (), guarantee, domain))
        raise ParameterError("guarantee must leave labels that can be told apart, got one that no mechanism can serve")
    return errors


def _check_some(missing: tuple[str, ...]) -> None:
    """Refuse names of which none can be ranked, with the reason for each."""
    if missing:
        raise ParameterError(f"mechanisms must name one that can be ranked, got none: {' '.join(missing)}")


def _rank(row: RankedMechanism) -> tuple[float, int, float]:
    """Rows sorted by error, rounded so that equivalent mechanisms with different names tie."""
    return float(f"{row.error:.9g}"), row.report_bits, row.decode_operations


def _least_error(domain: Domain, guarantee: Guarantee, users: int, wanted: MechanismFilter) -> float:
    return min(error for _, error in _errors(domain, guarantee, users, wanted))


def _users_for(domain: Domain, guarantee: Guarantee, accuracy: float, wanted: MechanismFilter) -> int:
    """The number of users for this accuracy, since the squared error falls as 1/n."""
    return _people(_least_error(domain, guarantee, 1, wanted), accuracy)


def _epsilon_for(domain: Domain, users: int, accuracy: float, wanted: MechanismFilter) -> float:
    """The smallest epsilon for this accuracy, by bisection, since the error falls as epsilon grows."""
    low, high = SMALLEST_EPSILON, LARGEST_EPSILON
    reachable = _least_error(domain, LDP(high), users, wanted)
    if reachable > accuracy:
        words = least_error_in_words(
            users, lambda level: _least_error(domain, LDP(level), users, wanted), lambda error: f"{error:.2g}"
        )
        raise ParameterError(f"accuracy must be an error that is reached, got accuracy={accuracy}; {words}")
    while high / low > 1 + 1e-6:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if _least_error(domain, LDP(middle), users, wanted) <= accuracy else (middle, high)
    return high


def left_out(
    wanted: MechanismFilter, ranked: Iterable[str], guarantee: Guarantee, domain: Domain | None
) -> tuple[str, ...]:
    """A sentence for each family or mechanism that was asked for and is not ranked; no domain stands for any text."""
    names = set(ranked)
    missing = () if wanted.names is None else [row for row in wanted.families() if row.name not in names]
    reasons = {row.way_name: reason_for(row, wanted, guarantee, domain) for row in missing}
    for m in wanted.mechanisms:
        if (reason := wanted.reason_unfit(m, guarantee, domain)) is not None:
            reasons[repr(m)] = reason
    return tuple(f"{name} is not ranked: {reason}." for name, reason in reasons.items())


def reason_for(family: Family, wanted: MechanismFilter, guarantee: Guarantee, domain: Domain | None) -> str:
    """Why no member of a family can be ranked."""
    if domain is None and family.for_texts is None:
        return "it does not take texts that nobody listed"
    if domain is None:
        return f"its reports do not fit in {wanted.max_bits} bits"
    if family.hashed:
        return "over listed labels its symbols and cohorts are yours to choose, and its risk says what it then errs by"
    if family.lists:
        return "it is for lists of labels"
    if family.only_sizes and len(domain) not in family.only_sizes:
        return f"it {family.sizes_phrase}"
    if family.keeps(guarantee, domain) is None:
        return "it has no member that is made for this guarantee"
    if family.most_planned is not None and len(domain) > family.most_planned:
        return f"it is planned for at most {family.most_planned:,} labels"
    if wanted.max_bits is not None:
        return f"its reports do not fit in {wanted.max_bits} bits, or it has no exact odds for so many labels"
    return "it has no exact odds, or no error that could be worked out, for so many labels"
