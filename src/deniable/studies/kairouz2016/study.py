"""kairouz2016: decoders, k-RR against RAPPOR, and hashed mechanisms for open and closed alphabets."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.studies.kairouz2016 import pictures
from deniable.studies.kairouz2016.checks import LEVELS, checks, duels
from deniable.studies.kairouz2016.cohorts import baselines, plain, searched
from deniable.studies.kairouz2016.decoders import DIRICHLET, GEOMETRIC, TRUTHS, crossings, decoding, whole_reports
from deniable.studies.kairouz2016.remarks import remarks
from deniable.studies.study import Study, Tables, Task, grid

POWERS = tuple(1 << i for i in range(12))


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of it a run does."""

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


FULL = Extent(
    people=(100, 30_000, 1_000_000), labels=POWERS[1:11], levels=tuple(range(1, 11)),
    other_people=(100, 30_000), other_labels=(4, 16, 64, 256, 1024), other_levels=(1, 2, 3, 5, 8),
    whole_labels=(16, 64, 256), repeats=200,
    grid_levels=(0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10), symbols=POWERS[1:], cohorts=POWERS[:11], hashes=POWERS[:5],
    stages=((24, 8), (6, 24)), fresh=50, swept=12,
)  # fmt: skip
QUICK = Extent(
    people=(100, 30_000), labels=(4, 32, 256), levels=(1, 3, 5, 8),
    other_people=(30_000,), other_labels=(16, 256), other_levels=(1, 5),
    whole_labels=(16,), repeats=30,
    grid_levels=(1, 3, 5, 8), symbols=(4, 16, 128, 256, 1024), cohorts=(1, 16, 512), hashes=(1, 2),
    stages=((4, 4),), fresh=12, swept=2,
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
        shared = {"truth": truth, "epsilons": levels, "repeats": extent.repeats}
        return [{**shared, "people": n, "labels": d} for n in people for d in labels]

    whole = [{"labels": d, "epsilon": epsilon} for d in extent.whole_labels for epsilon in LEVELS]
    return [
        *(task for truth in TRUTHS for task in grid("decoders", decoding, cases(truth))),
        *grid("whole_reports", whole_reports, [{**case, "people": 30_000, "repeats": 40} for case in whole]),
        Task("crossings", crossings, {"most": 4096}),
    ]


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
    ]


def summaries(tables: Tables) -> Tables:
    """Fig. 2 from the decoders of Fig. 1."""
    return {"figure_2": duels(tables["decoders"])}


ABOUT = """\
k-RR reports one of k labels, k-RAPPOR a noisy bit for each; O-RR and O-RAPPOR do so with hashes of a random cohort, or
over closed alphabets with random permutations. Distances are against the truth p, whose people are drawn for every
survey. Truths: geometric with mean k/5 (counted from 0; in Fig. 3 from 1), Dirichlet(1) drawn afresh for every survey,
binomial(k - 1, .1 to .5), Zipf(1 to 5); the parameters of the last two, and the ranges of the figures' axes, are ours,
since the text that we have lost them. Figs. 1 and 2 are means of 200 surveys, Fig. 3 medians of 50.

The grid of Fig. 3, symbols 2 to 2048, cohorts 1 to 1024, hashes 1 to 16 in powers of two, is searched in stages: one
survey at every point, eight at the best 24 points, 24 at the best six, and fifty fresh ones at the best of these. The
fresh ones alone are reported, so that the minimum is not too low by its selection. For the sweeps one parameter is
fixed: one survey at every point, eight at the best three, twelve fresh ones. O-RAPPOR over closed alphabets is searched
with one hash only: over open ones more never paid. The fit is least squares of all cohorts at once, of least norm where
several fit, told that shares add up to 1; then projected, as in the paper.

The paper shows its results as pictures. Numbers beside ours are from an earlier, separate run of the paper's setting;
sentences are counted over cells of our grids, and fail in a cell where the mechanism or decoder that is said to be the
best is worse by more than 1% and four standard errors."""
STUDY = Study(
    name="kairouz2016",
    title="Decoders, and alphabets that nobody listed",
    source="Kairouz, Bonawitz and Ramage (2016), Discrete Distribution Estimation under Local Privacy, ICML.",
    about=ABOUT,
    tasks=tasks,
    checks=checks,
    summaries=summaries,
    remarks=remarks,
    pictures=pictures.PICTURES,
)
