"""kairouz2016: decoders, k-RR against RAPPOR, and hashed mechanisms for open and closed alphabets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from studies.kairouz2016 import pictures
from studies.kairouz2016.checks import LEVELS, checks, duels
from studies.kairouz2016.cohorts import alone, baselines, plain, resized, searched
from studies.kairouz2016.decoders import DIRICHLET, GEOMETRIC, TRUTHS, crossings, decoding, whole_reports
from studies.kairouz2016.remarks import remarks
from studies.study import Study, Tables, Task, grid

POWERS = tuple(1 << i for i in range(12))


@dataclass(frozen=True, slots=True)
class Extent:
    """How many surveys and cells a full or a quick run has."""

    people: tuple[int, ...]
    labels: tuple[int, ...]
    levels: tuple[float, ...]
    other_people: tuple[int, ...]
    other_labels: tuple[int, ...]
    other_levels: tuple[float, ...]
    whole_labels: tuple[int, ...]
    repeats: int
    grid_levels: tuple[float, ...]
    symbols: tuple[int, ...]
    cohorts: tuple[int, ...]
    hashes: tuple[int, ...]
    stages: tuple[tuple[int, int], ...]
    fresh: int
    swept: int
    paired: int
    sizes: tuple[tuple[int, int], ...]
    coarse_symbols: tuple[int, ...]
    coarse_cohorts: tuple[int, ...]
    coarse_fresh: int


FULL = Extent(
    people=(100, 30_000, 1_000_000), labels=POWERS[1:11], levels=tuple(range(1, 11)),
    other_people=(100, 30_000), other_labels=(4, 16, 64, 256, 1024), other_levels=(1, 2, 3, 5, 8),
    whole_labels=(16, 64, 256), repeats=200,
    grid_levels=(0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10), symbols=POWERS[1:], cohorts=POWERS[:11], hashes=POWERS[:5],
    stages=((24, 8), (6, 24)), fresh=50, swept=12, paired=200,
    sizes=((30_000, 64), (30_000, 1024), (1_000_000, 256)), coarse_symbols=POWERS[2::2], coarse_cohorts=(1, 16, 256),
    coarse_fresh=24,
)  # fmt: skip
QUICK = Extent(
    people=(100, 30_000), labels=(4, 32, 256), levels=(1, 3, 5, 8),
    other_people=(100, 30_000), other_labels=(16, 256), other_levels=(1, 5),
    whole_labels=(16,), repeats=30,
    grid_levels=(1, 3, 5, 8), symbols=(4, 16, 128, 256, 1024), cohorts=(1, 16, 512), hashes=(1, 2),
    stages=((4, 4),), fresh=12, swept=2, paired=12,
    sizes=((30_000, 64),), coarse_symbols=(4, 64), coarse_cohorts=(1, 16), coarse_fresh=4,
)  # fmt: skip


def tasks(quick: bool) -> list[Task]:
    """Figs. 1 and 2, then Fig. 3."""
    extent = QUICK if quick else FULL
    return [*_decoder_tasks(extent), *_cohort_tasks(extent)]


def _decoder_tasks(extent: Extent) -> list[Task]:
    def cases(truth: str) -> list[dict[str, object]]:
        main = truth in (GEOMETRIC, DIRICHLET)
        people = extent.people if main else extent.other_people
        labels = extent.labels if main else extent.other_labels
        levels = extent.levels if main else extent.other_levels
        shared = {"truth": truth, "epsilons": levels}
        cells: list[dict[str, Any]] = [{**shared, "people": n, "labels": d} for n in people for d in labels]
        return [{**cell, "repeats": extent.repeats * _times(cell["people"], cell["labels"])} for cell in cells]

    whole = [{"labels": d, "epsilon": epsilon} for d in extent.whole_labels for epsilon in LEVELS]
    return [
        *(task for truth in TRUTHS for task in grid("decoders", decoding, cases(truth))),
        *grid("whole_reports", whole_reports, [{**case, "people": 30_000, "repeats": 40} for case in whole]),
        Task("crossings", crossings, {"most": 4096}),
    ]


def _times(people: int, labels: int) -> int:
    """How many times the surveys of other cells: the fewer labels and people, the more a survey's loss varies."""
    if labels == 2:
        return 5
    if labels == 4 or (people == 100 and labels <= 16):
        return 4 if people == 100 else 2
    return 1


def _cohort_tasks(extent: Extent) -> list[Task]:
    """Several hashes are tried over open alphabets only."""
    points = {"symbols": extent.symbols, "cohorts": extent.cohorts}
    filters, single = {**points, "hashes": extent.hashes}, {**points, "hashes": (1,)}
    kinds = (("O-RR", "open", points), ("O-RR", "closed", points), ("O-RAPPOR", "open", filters))
    found = []
    for epsilon in extent.grid_levels:
        for mechanism, alphabet, tried in (*kinds, ("O-RAPPOR", "closed", single)):
            swept = extent.swept if epsilon in LEVELS and alphabet == "open" else 0
            case = {"mechanism": mechanism, "alphabet": alphabet, "epsilon": epsilon, "grid": tried}
            found.append({**case, "stages": extent.stages, "repeats": extent.fresh, "swept": swept})
    own = [{"epsilon": epsilon, "repeats": 4 * extent.fresh} for epsilon in extent.grid_levels]
    return [
        *grid("figure_3", searched, found),
        *grid("figure_3", plain, own),
        Task("baselines", baselines, {}),
        *grid("one_cohort", alone, _alone(extent)),
        *grid("other_sizes", resized, _resized(extent)),
    ]


def _alone(extent: Extent) -> list[dict[str, object]]:
    """The comparison of one cohort with several, at one hash, since more hashes never helped."""
    points = {"symbols": extent.symbols, "cohorts": extent.cohorts}
    grids = {"O-RR": points, "O-RAPPOR": {**points, "hashes": (1,)}}
    shared = {"stages": ((6, 8),), "repeats": extent.paired}
    return [{**shared, "mechanism": m, "epsilon": e, "grid": tried} for m, tried in grids.items() for e in LEVELS]


def _resized(extent: Extent) -> list[dict[str, object]]:
    points = {"symbols": extent.coarse_symbols, "cohorts": extent.coarse_cohorts}
    shared = {"grid": points, "stages": ((4, 6),), "repeats": extent.coarse_fresh}
    return [{**shared, "people": n, "labels": d, "epsilon": e} for n, d in extent.sizes for e in LEVELS]


def summaries(tables: Tables) -> Tables:
    """Fig. 2 from the decoders of Fig. 1."""
    return {"figure_2": duels(tables["decoders"])}


ABOUT = """\
k-RR reports one of k labels, k-RAPPOR a noisy bit for each; O-RR and O-RAPPOR do so with hashes of a random cohort, or
over closed alphabets with random permutations. Truths: geometric with mean k/5, Dirichlet(1) drawn afresh for every
survey, binomial(k - 1, .1 to .5), Zipf(1 to 5).

Distances in Figs. 1 and 2 are from the sample, as in the paper (sect. 4.4). {means} In Fig. 3 they are from the
distribution: medians of {fresh} surveys.

The grid of Fig. 3, {grid}, is searched in stages: one survey at every point, {stages}. Only {fresh_words} fresh ones at
the best of these are reported, of sweeps {swept}. The best point with one cohort and the best with several are surveyed
{paired} times afresh, the same people at both.

The paper prints no number of its results. Numbers beside ours are from an earlier, separate run of its setting; its
sentences are counted over cells of our grids. A cell fails "best" or "as good as" if another is better by more than 1%
and four standard errors, and cannot be told if 10% could be missed; "slightly better" must be so by four standard
errors; "noticeably worse" by 1% and four, and fails where 5% would be seen and is not.

The text that we have ends before the supplement's figures, and lost parameters of truths and the ranges of axes: those
are ours. The likelihood of sect. F.1, which is missing, is derived anew."""
FULL_ABOUT = ABOUT.format(
    means="They are means of 200 surveys, of 400 to 1,000 where labels or people are few.",
    fresh=50, fresh_words="fifty",
    grid="symbols 2 to 2048, cohorts 1 to 1024, hashes 1 to 16 in powers of two",
    stages="eight at the best 24 points, 24 at the best six", swept="twelve", paired=200,
)  # fmt: skip
QUICK_ABOUT = ABOUT.format(
    means=f"They are means of {QUICK.repeats} surveys, of twice to four times as many where labels or people are few.",
    fresh=QUICK.fresh, fresh_words=QUICK.fresh,
    grid="thinned out to {} symbols, {} cohorts and {} hashes".format(
        *(", ".join(map(str, each)) for each in (QUICK.symbols, QUICK.cohorts, QUICK.hashes))
    ),
    stages=f"{QUICK.stages[0][1]} at the best {QUICK.stages[0][0]} points", swept=QUICK.swept, paired=QUICK.paired,
)  # fmt: skip
STUDY = Study(
    name="kairouz2016",
    title="Decoders, and alphabets that nobody listed",
    source="Kairouz, Bonawitz and Ramage (2016), Discrete Distribution Estimation under Local Privacy, ICML.",
    about=FULL_ABOUT,
    quick_about=QUICK_ABOUT,
    tasks=tasks,
    checks=checks,
    summaries=summaries,
    remarks=remarks,
    pictures=pictures.PICTURES,
)
