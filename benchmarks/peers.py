"""The peers' side: wraps the public calls of three libraries and times nothing but those calls.

Run by the peers' own interpreter, one process per library: ``python -m benchmarks.peers``. It reads one JSON request
per line and answers each with one JSON line. README.md says which public call stands for which stage.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import warnings
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from benchmarks.measure import EPSILON, SEED, calibrate, clock, kinds

if TYPE_CHECKING:
    from collections.abc import Callable

Report: TypeAlias = Any
Run: TypeAlias = "Callable[[int], float]"

MOST_BYTES = 1 << 28
MOST_SECONDS = 2.0
MOST_CALLS = 1 << 22
MOST_MEMORY = 8 << 30


class Library(Protocol):
    """One mechanism of one library at one domain size."""

    first: int
    """The number of the first label, as the library numbers them."""
    d: int

    def estimated(self, reports: list[Report]) -> list[float]:
        """The share of each label."""
        ...

    def randomize(self, values: list[int]) -> list[Report]:
        """A report of each value: the client stage times this."""
        ...

    def tally(self, reports: list[Report]) -> float:
        """Seconds to count all reports but the first, which joint calls need to set their decoding apart."""
        ...

    def decode(self, report: Report, stage: str) -> float:
        """Seconds to decode the tally of one report, in the manner of the stage."""
        ...


def uniform(library: Library, count: int) -> list[int]:
    """Values spread evenly over the labels; plain ints, which every peer takes fastest."""
    source = random.Random(SEED)
    return [source.randrange(library.first, library.first + library.d) for _ in range(count)]


class PureLDP:
    """pure-ldp: a client object and a server object."""

    first = 1  # as its default index mapper has it

    def __init__(self, mechanism: str, d: int) -> None:
        oracles = import_module("pure_ldp.frequency_oracles")
        self.d = d
        if mechanism == "RandomizedResponse":
            self.client, self.server = oracles.DEClient(EPSILON, d), oracles.DEServer(EPSILON, d)
        elif mechanism in {"Rappor", "OptimizedUnary"}:
            optimal = mechanism == "OptimizedUnary"
            self.client = oracles.UEClient(EPSILON, d, use_oue=optimal)
            self.server = oracles.UEServer(EPSILON, d, use_oue=optimal)
        else:
            self.server = oracles.HadamardResponseServer(EPSILON, d)
            self.client = oracles.HadamardResponseClient(EPSILON, d, self.server.get_hash_funcs())

    def randomize(self, values: list[int]) -> list[Report]:
        """One ``privatise`` a value."""
        privatise = self.client.privatise
        return [privatise(value) for value in values]

    def tally(self, reports: list[Report]) -> float:
        """``aggregate_all``; Hadamard response only keeps the reports here and counts them while decoding."""
        self.server.reset()
        rest = reports[1:]
        return clock(lambda: self.server.aggregate_all(rest))

    def estimated(self, reports: list[Report]) -> list[float]:
        """``estimate_all``, which counts people."""
        self.server.reset()
        self.server.aggregate_all(reports)
        found = self.server.estimate_all(range(1, self.d + 1), suppress_warnings=True, normalization=0)
        return [float(people) / len(reports) for people in found]

    def decode(self, report: Report, stage: str) -> float:
        """``estimate_all``; cached: ``estimate`` of one value, which decodes all, and then ``get_estimates``."""
        server, labels = self.server, range(1, self.d + 1)
        server.reset()
        server.aggregate(report)
        if stage == "cached":
            return clock(lambda: (server.estimate(1, suppress_warnings=True), server.get_estimates))
        normalization = 2 if stage == "project" else 0
        return clock(lambda: server.estimate_all(labels, suppress_warnings=True, normalization=normalization))


class Joint:
    """A library whose one call counts, decodes, clips and rescales."""

    estimate: Callable[[list[Report]], Any]
    d: int
    first = 0

    def estimated(self, reports: list[Report]) -> list[float]:
        """As its one call gives them."""
        return [float(share) for share in self.estimate(reports)]

    def tally(self, reports: list[Report]) -> float:
        """The one call on all reports, less the same call on the first: what the other reports cost."""
        one = clock(lambda: self.estimate(reports[:1]))
        return clock(lambda: self.estimate(reports)) - one

    def decode(self, report: Report, stage: str) -> float:
        """The one call on one report; whatever the stage, it has no other decoder."""
        reports = [report]
        return clock(lambda: self.estimate(reports))


class MultiFreqLDPy(Joint):
    """multi-freq-ldpy: functions of a value, the domain size and epsilon."""

    def __init__(self, mechanism: str, d: int) -> None:
        self.d = d
        self.optimal = {"Rappor": False, "OptimizedUnary": True}.get(mechanism)
        name = {"RandomizedResponse": "GRR", "Subset": "SS"}.get(mechanism, "UE")
        module = import_module(f"multi_freq_ldpy.pure_frequency_oracles.{name}")
        self.client = getattr(module, f"{name}_Client")
        aggregator = getattr(module, f"{name}_Aggregator_MI")
        if self.optimal is None:
            self.estimate = lambda reports: aggregator(reports, d, EPSILON)
        else:
            self.estimate = lambda reports: aggregator(reports, EPSILON, self.optimal)

    def randomize(self, values: list[int]) -> list[Report]:
        """One call of the client function per value."""
        client, d, optimal = self.client, self.d, self.optimal
        if optimal is None:
            return [client(value, d, EPSILON) for value in values]
        return [client(value, d, EPSILON, optimal) for value in values]


class LDPToolbox(Joint):
    """ldp-toolbox: a protocol object."""

    def __init__(self, mechanism: str, d: int) -> None:
        self.d = d
        frequency = "ldp_toolbox.protocols.frequency"
        if mechanism == "RandomizedResponse":
            self.protocol = import_module(f"{frequency}.grr").GeneralizedRandomizedResponse(d, EPSILON)
        elif mechanism == "Subset":
            self.protocol = import_module(f"{frequency}.ss").SubsetSelection(d, EPSILON)
        else:
            optimal = mechanism == "OptimizedUnary"
            self.protocol = import_module(f"{frequency}.ue").UnaryEncoding(d, EPSILON, optimal=optimal)
        self.estimate = self.protocol.estimate

    def randomize(self, values: list[int]) -> list[Report]:
        """One ``obfuscate`` a value."""
        obfuscate = self.protocol.obfuscate
        return [obfuscate(value) for value in values]


LIBRARIES: dict[str, Callable[[str, int], Library]] = {
    "pure-ldp": PureLDP,
    "multi-freq-ldpy": MultiFreqLDPy,
    "ldp-toolbox": LDPToolbox,
}


def client_run(library: Library) -> Run:
    """Time the client on as many values as asked."""

    def run(count: int) -> float:
        values = uniform(library, count)
        return clock(lambda: library.randomize(values))

    return run


def tally_run(library: Library) -> tuple[Run, int]:
    """Time the tally on as many reports as asked, and the most that can be made and held in reason."""
    library.randomize(uniform(library, 1))
    sample = library.randomize(uniform(library, 16))
    each = clock(lambda: library.randomize(uniform(library, 16))) / 16
    size = max(64, getattr(sample[0], "nbytes", 0))
    most = int(min(MOST_SECONDS / each, MOST_BYTES / size))
    reports: list[Report] = []

    def run(count: int) -> float:
        missing = count + 1 - len(reports)
        reports.extend(library.randomize(uniform(library, max(0, missing))))
        return library.tally(reports[: count + 1])

    return run, most


def decode_run(library: Library, stage: str) -> Run:
    """Time as many decodings as asked, each of a fresh tally of one report."""
    report = library.randomize(uniform(library, 1))[0]
    return lambda count: sum(library.decode(report, stage) for _ in range(count))


def library_of(request: dict[str, Any]) -> Library:
    """The mechanism that a request is about."""
    return LIBRARIES[request["library"]](request["mechanism"], request["d"])


def asked(request: dict[str, Any]) -> dict[str, Any]:
    """The kinds of the reports of the values, or the estimate from them."""
    library = library_of(request)
    reports = library.randomize([library.first + value for value in request["values"]])
    return {"reports": kinds(reports)} if request["do"] == "reports" else {"estimate": library.estimated(reports)}


def prepare(request: dict[str, Any]) -> tuple[Run, int]:
    """The run of a cell and its count."""
    library = library_of(request)
    stage, most = request["stage"], MOST_CALLS
    if stage == "client":
        run = client_run(library)
    elif stage == "tally":
        run, most = tally_run(library)
    else:
        run = decode_run(library, stage)
    return run, calibrate(run, request["target"], most)


def answer(request: dict[str, Any], prepared: dict[str, tuple[Run, int]]) -> dict[str, Any]:
    """What one request asks for; ``prepared`` holds the runs of the present cell by stage."""
    if request["do"] == "version":
        return {name: version(name) for name in request["of"]}
    if request["do"] == "clear":
        prepared.clear()
        return {}
    if request["do"] == "prepare":
        prepared[request["stage"]] = prepare(request)
        return {"count": prepared[request["stage"]][1]}
    if request["do"] in {"reports", "estimate"}:
        return asked(request)
    run, count = prepared[request["stage"]]
    return {"seconds": run(count)}


def serve() -> None:
    """Answer requests until there are no more; what the libraries print goes nowhere.

    A table too large for the memory allowed is an error in its own cell, and does not end the run.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.RLIM_INFINITY))
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout, sys.stderr
    prepared: dict[str, tuple[Run, int]] = {}
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line), prepared)
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    serve()
