"""The documentation's tables and pictures, from the kept JSON alone: ``python -m benchmarks.docs``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import (
    clients,
    collector,
    collector_sizes,
    files,
    first_uses,
    folding,
    kept,
    large,
    mixer,
    pictures,
    result_pages,
    scales,
    soak,
    spark,
)
from benchmarks.aggregate import AGGREGATE, LARGEST
from benchmarks.catalogue import FAMILIES, USUAL
from benchmarks.cells import Bench
from benchmarks.kernels import Share
from benchmarks.pages import markdown_table, with_part
from benchmarks.peer_process import ROOT
from benchmarks.table import SECTIONS, conditions, failures, summary, usual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from benchmarks.pictures import Picture

DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"
BENCHMARKS, CLUSTER, COLLECTING = DOCS / "benchmarks.md", DOCS / "cluster.md", DOCS / "collecting.md"
INSTALLING = DOCS / "installing.md"
BENCHMARKS_OF = ("results", "kernels", "aggregate", "clients", "scales")
PEERS = Path(__file__).with_name("peers.md")
METHOD = """\
`make bench` makes this page; kernels and surveys may have been measured again since, by their own commands. One run
times `deniable`, three other libraries for frequency estimation under local differential privacy, and the limits of the
machine, at epsilon = 1. All contenders of a cell take turns, and a rate is that of the median turn.
`benchmarks/README.md` says which calls are timed, how each mechanism is made, and how to repeat it;
`make bench-compare` compares another run with this one."""
USUAL_TEXT = f"""\
At {USUAL:,} labels, or as many as the mechanism is measured at below. The client's limit is drawing its random words,
seeded; the tally's is a bare histogram if reports are integers, and reading the bytes if they are bits. A share is
relative to the limit on as many processors. Above 100% ours is faster."""
KERNELS_TEXT = """\
Each kernel takes turns with its limit on the same data and with as many threads, by `python -m benchmarks.kernels`.
The share is the median, over the turns, of the limit's time divided by ours; the goal is the share it was built for,
if any."""
AGGREGATE_TEXT = """\
The time to draw the tally of 10^9 people from its exact distribution and to decode it, beside the time to make and
count all reports, extrapolated from as many as take a fifth of a second."""
CLIENTS_TEXT = f"""\
Microseconds that one report takes, from the value to its report, with the system's entropy: the median, by
`python -m benchmarks.clients`. The goal is at most {clients.PYTHON_GOAL} in Python and {clients.NODE_GOAL} in Node."""
SCALES_TEXT = """\
By `python -m benchmarks.scales`, in turns. Others' reports are written in NumPy for whole columns, in floating point,
which is quick and protects less than it claims; ours are whole devices' answers, drawn in integers and packed. How much
each errs is on [a page of its own](studies/numbers/index.md)."""
USUAL_HEADINGS = (
    "mechanism", "d", "client", "of its limit", "one processor", "of its limit", "tally", "of its limit",
    "one processor", "of its limit",
)  # fmt: skip


def benchmarks_page(
    results: Mapping[str, Any],
    kernels: Mapping[str, Any],
    aggregate: Mapping[str, Any],
    devices: Mapping[str, Any],
    numbers: Mapping[str, Any],
) -> str:
    """The whole page."""
    bench = Bench.from_dict(results)
    parts = ["# Benchmarks", METHOD, " ".join(summary(bench)), bullets(conditions(bench))]
    parts += ["## Every mechanism beside its limits", usual_text(bench)]
    parts += [markdown_table(USUAL_HEADINGS, usual(bench, USUAL))]
    parts += ["## Cost against the number of labels", *map(shown, pictures.BY_LABELS)]
    parts += ["## Cost against the number of reports", *map(shown, pictures.BY_REPORTS)]
    parts += ["### A billion people", AGGREGATE_TEXT, aggregate_table(aggregate)]
    parts += ["## Reports on devices", CLIENTS_TEXT, clients_table(devices)]
    parts += ["## Numbers", SCALES_TEXT, scales.said(numbers)]
    for section in SECTIONS:
        parts += [f"## {section.title}", markdown_table([name for name, _ in section.columns], section.rows(bench))]
    parts += ["## Kernels beside their limits", KERNELS_TEXT, kernels_table(kernels)]
    if failed := failures(bench):
        parts += ["## Cells that a peer did not finish", bullets(failed)]
    return "\n\n".join([*parts, PEERS.read_text(encoding="utf-8")])


def usual_text(bench: Bench) -> str:
    """What the table of every mechanism shows, and which of them were not there yet when it was measured."""
    lacking = [name for name in FAMILIES if name not in bench.mechanisms]
    return f"{USUAL_TEXT} Not measured yet: {', '.join(lacking)}." if lacking else USUAL_TEXT


def shown(picture: Picture) -> str:
    """A picture and how to read it."""
    return f"![{picture.title}](pictures/{picture.file})\n\n{picture.caption}"


def bullets(texts: Sequence[str]) -> str:
    """A list."""
    return "\n".join(f"- {text}" for text in texts)


def kernels_table(found: Mapping[str, Any]) -> str:
    """Every kernel's share."""
    rows = [Share(**one).row() for one in found["kernels"]]
    return markdown_table(("kernel", "limit", "items a second", "share", "goal"), rows)


def clients_table(found: Mapping[str, Any]) -> str:
    """What a report costs each client."""
    return markdown_table(clients.HEADINGS, [clients.Each(**one).row() for one in found["clients"]])


def aggregate_table(found: Mapping[str, Any]) -> str:
    """A billion people, in aggregate and one by one."""
    made = {one["mechanism"]: one["seconds"] for one in found["made"]}
    largest = 10**LARGEST
    rows = [
        [point["mechanism"], f"{point['d']:,}", milliseconds(point["seconds"]), duration(made[point["mechanism"]])]
        for point in found["points"]
        if point["way"] == AGGREGATE and point["n"] == largest
    ]
    return markdown_table(("mechanism", "d", "in aggregate", "its reports, about"), rows)


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, with two digits or without decimals."""
    value = seconds * 1000
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2g} ms"


def duration(each: float) -> str:
    """A billion times so many seconds, in words."""
    seconds = each * 10**LARGEST
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:,.0f} minutes"


CLUSTER_PARTS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "large": large.said,
    "files": lambda found: markdown_table(files.HEADINGS, [files.row(one) for one in found["results"]]),
    "spark": spark.said,
}
"""The parts of the page about clusters, each made from one kept file."""


COLLECTING_PARTS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "collector": collector.said,
    "collector_sizes": collector_sizes.said,
    "mixer": mixer.said,
    "folding": folding.said,
    "result_pages": result_pages.said,
    "soak_killed": soak.killed,
    "soak_killed_postgres": soak.killed,
    "soak_killed_crowd": soak.killed,
    "soak_steady": soak.steady,
}
"""The parts of the page about collecting."""


def parted_page(
    page: str, parts: Mapping[str, Callable[[Mapping[str, Any]], str]], found: Mapping[str, Mapping[str, Any]]
) -> str:
    """A page with the kept results in its parts; one without kept results stays as it is."""
    for name, one in found.items():
        page = with_part(page, name, parts[name](one))
    return page


def kept_parts(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The kept results of those that have any: Spark and large folders are not measured everywhere."""
    places = {name: kept.FOLDER / f"{name}.json" for name in names}
    return {name: kept.read(place) for name, place in places.items() if place.exists()}


def main() -> None:
    """Write the pages and the pictures."""
    results, kernels, aggregate, devices, numbers = (kept.read(kept.FOLDER / f"{name}.json") for name in BENCHMARKS_OF)
    BENCHMARKS.write_text(benchmarks_page(results, kernels, aggregate, devices, numbers), encoding="utf-8")
    for place, parts in ((CLUSTER, CLUSTER_PARTS), (COLLECTING, COLLECTING_PARTS)):
        page = parted_page(place.read_text(encoding="utf-8"), parts, kept_parts(parts))
        place.write_text(page, encoding="utf-8")
    first = kept.read(kept.FOLDER / "first_uses.json")
    page = with_part(INSTALLING.read_text(encoding="utf-8"), "first_uses", first_uses.said(first))
    INSTALLING.write_text(with_part(page, "sizes", first_uses.said_sizes(first)), encoding="utf-8")
    for picture in pictures.BY_LABELS:
        (PICTURES / picture.file).write_bytes(picture.drawn(results))
    for picture in pictures.BY_REPORTS:
        (PICTURES / picture.file).write_bytes(picture.drawn(aggregate))


if __name__ == "__main__":
    main()
