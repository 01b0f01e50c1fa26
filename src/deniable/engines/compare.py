"""Mechanisms side by side: the error that is predicted, the one that simulated surveys have, and what it costs."""

from __future__ import annotations

import inspect
import json
import math
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
import scipy

from deniable.arrays import Vector
from deniable.audit.exact import proof_of
from deniable.checks import check_distribution, check_users, naming_arguments
from deniable.engines.chunks import Progress, terminal_bar
from deniable.engines.comparison import MechanismComparison
from deniable.engines.repeat import surveys as repeated
from deniable.estimation.reading import Truth, whole_truth
from deniable.mechanisms.mechanism import Mechanism, draw_column
from deniable.mechanisms.registry import FAMILIES, from_spec
from deniable.planning.candidates import MechanismFilter, candidates, unbeatable
from deniable.planning.solving import left_out
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.canonical import canonical, digest
from deniable.protocol.checks import check_choice, check_epsilon, check_int
from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.privacy.guarantees import LDP
from deniable.reports.atomic_files import made_folder, written_whole
from deniable.theory.risk.variance import Loss
from deniable.values.domain import Domain
from deniable.values.values import closed_domain
from deniable.version import installed_version

Row: TypeAlias = dict[str, Any]
DISTANCES: dict[str, Callable[[Vector], float]] = {
    "l2": lambda off: float((off**2).sum()),
    "l1": lambda off: float(np.abs(off).sum()),
    "linf": lambda off: float(np.abs(off).max()),
}
LEVEL = 0.95
TIMED = 10_000
"""Reports that are drawn to see how long one takes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One mechanism to be simulated: so many surveys of so many people from one truth."""

    name: str
    mechanism: Mechanism
    truth: tuple[float, ...]
    users: int
    losses: tuple[Loss, ...]
    seed: int
    surveys: int

    def __reduce__(self) -> tuple[Callable[..., Trial], tuple[Any, ...]]:
        """A mechanism goes to another process as its spec."""
        return _trial, (self.mechanism.spec(), *(getattr(self, part) for part in self.__slots__ if part != "mechanism"))

    @property
    def is_own(self) -> bool:
        """Whether the mechanism is of no registered family."""
        family = FAMILIES.get(self.mechanism.name)
        return family is None or family.make is not type(self.mechanism)

    @property
    def key(self) -> str | None:
        """What the numbers depend on, to find them again; None where the code of an own mechanism is not known."""
        kind, code = type(self.mechanism), ""
        if not kind.__module__.startswith("deniable."):
            try:
                code = inspect.getsource(kind)
            except (OSError, TypeError):
                return None
        known = [self.mechanism.spec(), self.truth, self.users, self.losses, self.seed, self.surveys]
        return digest(canonical([installed_version(), code, *known]))

    @property
    def own_seed(self) -> int:
        """A seed for this mechanism alone, so that a row does not depend on what else is compared."""
        return int(digest(canonical([self.seed, self.mechanism.spec()]))[:12], 16)


def _trial(spec: Any, name: str, *more: Any) -> Trial:
    """A trial as another process gets it."""
    return Trial(name, from_spec(spec), *more)


@naming_arguments
def compare(
    mechanisms: Iterable[Any] | Mapping[str, Any],
    epsilons: Iterable[float] = (),
    users: int = 10_000,
    truth: Truth = (),
    losses: Iterable[Loss] = ("l2",),
    seed: int = 1,
    *,
    surveys: int = 50,
    folder: Path | str | None = None,
    processes: int = 1,
    progress: Progress | None = None,
) -> MechanismComparison:
    """Mechanisms beside each other, simulated ``surveys`` times: a row for each of them, each level and each loss.

    A name or a class is made at each of the ``epsilons`` with as many labels as ``truth`` has shares; so is what any
    function of a domain and an epsilon returns. A mechanism itself has its own labels and level. In a dictionary each
    has the name that it is called by. What cannot be made is said below the table.

    ``folder`` keeps what is done, so that an interrupted run goes on where it was. ``processes`` share the work of
    registered families, while this one does that of others. On a terminal a bar shows how far the work is, unless
    ``progress`` is told of each mechanism done. A seed gives the same table whatever else is compared, times aside.

    >>> import deniable as dn
    >>> found = dn.compare(["Subset", dn.Hadamard], epsilons=[1.0], users=1000, truth=[0.25] * 4, surveys=20)
    >>> [f"{each:.4f}" for each in found.columns["predicted"]]
    ['0.0083', '0.0185']
    """
    chosen_losses: tuple[Any, ...] = tuple(
        check_choice("losses", loss, DISTANCES) for loss in ((losses,) if isinstance(losses, str) else losses)
    )
    if not chosen_losses:
        raise ParameterError(f"losses must be among {', '.join(DISTANCES)}, got none")
    shares = dict(truth) if isinstance(truth, Mapping) else list(truth)
    settings = (check_users(users), chosen_losses, SeededEntropy(seed).seed, check_int("surveys", surveys, 2))
    named, reasons = _made_mechanisms(mechanisms, [check_epsilon(level) for level in epsilons], shares)
    if not named:
        raise ParameterError(
            f"mechanisms must be some that can be compared, got none{''.join(f': {why}' for why in reasons)}"
        )
    trials = [Trial(name, m, _truth(m, shares), *settings) for name, m in named]
    processes = check_int("processes", processes, 1)
    with nullcontext(progress) if progress else terminal_bar("compare", "mechanisms", len(trials)) as listener:
        rows = [row for found in _rows_of(trials, folder, processes, listener) for row in found]
    return MechanismComparison(users, surveys, seed, tuple(rows), tuple(reasons))


def _made_mechanisms(given: Any, levels: Sequence[float], shares: Any) -> tuple[list[tuple[str, Mechanism]], list[str]]:
    """Each mechanism with its name, and a sentence for each that there is none of."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(f"mechanisms must be a list, got {type(given).__name__}")
    named = given.items() if isinstance(given, Mapping) else ((None, each) for each in given)
    made: list[tuple[str, Mechanism]] = []
    reasons: dict[str, None] = {}
    for name, what in named:
        if isinstance(what, Mechanism):
            made.append((name or repr(what), what))
            continue
        if not levels or not shares:
            raise ParameterError("epsilons and truth must be given for names and classes, got none")
        domain = Domain.of(list(shares) if isinstance(shares, dict) else len(shares))
        for level in levels:
            label, mechanism, reason = _make_one(what, level, domain)
            if mechanism is not None and not mechanism.law.told_apart:
                mechanism, reason = None, f"{label} is not compared: its reports do not tell all labels apart."
            if mechanism is not None:
                made.append((name or label, mechanism))
            reasons |= {reason: None} if reason else {}
    return made, list(reasons)


def _make_one(what: Any, level: float, domain: Domain) -> tuple[str, Mechanism | None, str]:
    """The mechanism that a name, a class or a function makes, with its name; or why there is none."""
    is_custom = callable(what) and all(what is not family.make for family in FAMILIES.values())
    if not is_custom:
        family = MechanismFilter.read(None, [what])
        assert family.names is not None
        promise = LDP(level)
        mechanisms = candidates(promise, domain, family)
        return (
            family.names[0],
            mechanisms[0] if mechanisms else None,
            "".join(left_out(family, (m.name for m in mechanisms), promise, domain)),
        )
    name = getattr(what, "__name__", type(what).__name__)
    try:
        made = what(domain, level)
    except DenialError as error:
        return name, None, f"{name} is not compared at epsilon {level:g}: {error}."
    if not isinstance(made, Mechanism):
        raise ParameterError(
            f"mechanisms must be names, mechanisms or what makes one, got {name} of {type(made).__name__}"
        )
    return name, made, ""


def _truth(mechanism: Mechanism, shares: Any) -> tuple[float, ...]:
    """The shares of a mechanism's labels; all alike where none are given."""
    labels = closed_domain(mechanism.domain)
    known = whole_truth(shares, labels) if shares else np.full(len(labels), 1 / len(labels))
    return tuple(check_distribution("truth", known, len(labels)).tolist())


def _rows_of(
    trials: Sequence[Trial], folder: Path | str | None, processes: int, progress: Progress
) -> Iterator[list[Row]]:
    """The rows of each trial; what a folder has is not done again."""
    paths = [
        None if folder is None or trial.key is None else made_folder(folder) / f"{trial.key}.json" for trial in trials
    ]
    kept_rows: list[list[Row] | None] = [_kept_rows(path) for path in paths]
    new = [trial for trial, rows in zip(trials, kept_rows, strict=True) if rows is None]
    measuring = _measured_in_parallel(new, processes)
    for trial, path, rows in zip(trials, paths, kept_rows, strict=True):
        measured_rows = next(measuring) if rows is None else rows
        if rows is None and path is not None:
            with written_whole(path) as file:
                file.write(json.dumps(measured_rows).encode())
        progress(1)
        yield [{"mechanism": trial.name, **row} for row in measured_rows]


def _kept_rows(path: Path | None) -> list[Row] | None:
    """The rows that a file keeps of an earlier run; None where there is no such file."""
    with suppress(FileNotFoundError):
        if path is not None:
            rows: list[Row] = json.loads(path.read_text(encoding="utf-8"))
            return rows
    return None


def _measured_in_parallel(trials: Sequence[Trial], processes: int) -> Iterator[list[Row]]:
    """The rows of each trial, in order; those of mechanisms of our own families by so many processes."""
    if processes == 1 or len(trials) < 2:
        yield from map(measured, trials)
        return
    context = multiprocessing.get_context("spawn")  # threads of this process make a fork unsafe
    with ProcessPoolExecutor(min(processes, len(trials)), context) as pool:
        running = [None if trial.is_own else pool.submit(measured, trial) for trial in trials]
        try:
            for trial, future in zip(trials, running, strict=True):
                yield measured(trial) if future is None else future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def measured(trial: Trial) -> list[Row]:
    """The rows of one mechanism, one for each loss: predicted, simulated, and what it costs."""
    m, truth = trial.mechanism, np.array(trial.truth)
    covered, seconds, deviations = [], [], []
    for survey in repeated(m, truth, trial.users, trial.own_seed, trial.surveys):
        start = perf_counter()
        estimate = m.estimate(survey.tally, "unbiased")
        low, high = estimate.interval(LEVEL).T
        seconds.append(perf_counter() - start)
        deviations.append(estimate.unbiased - truth)
        covered.append(float(np.mean((low <= truth) & (truth <= high))))
    costs = {
        "realised": proof_of(m).epsilon, "coverage": float(np.mean(covered)), "bits": m.report_bits,
        "leverage": m.law.leverage, "draw_seconds": _seconds_to_draw(m), "decode_seconds": float(np.median(seconds)),
    }  # fmt: skip
    return [
        {"epsilon": m.guarantee.claimed, "loss": loss,
         **_errors(trial, loss, list(map(DISTANCES[loss], deviations))), **costs, "above": _beyond_bound(trial, loss)}
        for loss in trial.losses
    ]  # fmt: skip


def _errors(trial: Trial, loss: Loss, simulated: list[float]) -> Row:
    """The predicted error, and the mean of the simulated ones with its interval by Student's law."""
    mean, spread = float(np.mean(simulated)), float(np.std(simulated, ddof=1)) / math.sqrt(len(simulated))
    half_width = float(scipy.special.stdtrit(len(simulated) - 1, (1 + LEVEL) / 2)) * spread
    predicted = trial.mechanism.risk(trial.users, loss, truth=trial.truth)
    ends = {"simulated_low": mean - half_width, "simulated_high": mean + half_width}
    return {"predicted": predicted, "simulated": mean, **ends}


def _beyond_bound(trial: Trial, loss: Loss) -> float | None:
    """How far the squared error at the worst truth is above what any mechanism can do, at most; None if not known."""
    m = trial.mechanism
    least = unbeatable(m.guarantee, m.law.labels, trial.users)[0] if loss == "l2" else None
    return m.risk(trial.users) / least - 1 if least else None


def _seconds_to_draw(mechanism: Mechanism) -> float:
    """The seconds that one report takes to draw, on this machine."""
    values = np.resize(mechanism.domain.indices(closed_domain(mechanism.domain)), TIMED)
    seconds = []
    for seed in range(3):
        start = perf_counter()
        draw_column(mechanism, values, SeededEntropy(seed))
        seconds.append(perf_counter() - start)
    return min(seconds) / TIMED
