"""acharya2019, context-aware local differential privacy: its figures, its table, and schemes without experiments."""

from __future__ import annotations

from collections.abc import Sequence

from studies.acharya2019 import blocks, pictures, schemes, uneven
from studies.acharya2019.checks import checks
from studies.acharya2019.errata import ERRATA, LEFT_OUT
from studies.acharya2019.remarks import remarks, summaries
from studies.acharya2019.tables import LONG_LIST, SHORT_LIST
from studies.study import Picture, Study, Task, grid


def tasks(quick: bool) -> Sequence[Task]:
    """All tasks of the study; a quick run has fewer repeats."""
    repeats, small = (10, 1000) if quick else (40, 5000)
    runs = 10 if quick else 100
    lines = [{"truth": truth, "blocks": m, "repeats": repeats} for truth in blocks.TRUTHS for m in blocks.PARTS]
    heatmaps = [
        {"smallest": least, "high": high, "wide": wide, "repeats": runs}
        for least in (LONG_LIST, SHORT_LIST)
        for high, wide in blocks.GRIDS
    ]
    protected = [
        {"mechanism": name, "sensitive": count, "repeats": repeats}
        for name in schemes.HIGH_LOW
        for count in schemes.SENSITIVE
    ]
    cut = [{"smallest": LONG_LIST, "number": number, "repeats": 4 if quick else 20} for number in uneven.NUMBERS]
    plain = {"mechanism": "Hadamard", "sensitive": 0, "repeats": repeats}
    return [
        Task("corners", schemes.corners, {}),
        *grid("variances", schemes.variances, [{"mechanism": name, "repeats": small} for name in schemes.SMALL]),
        *grid("two_labels", schemes.two_labels, [{"pair": i, "repeats": small} for i in range(len(schemes.PAIRS))]),
        *grid("fig2", blocks.synthetic, lines),
        Task("places", blocks.sources, {}),
        *grid("table1", blocks.heatmap_errors, heatmaps),
        Task("fig3", blocks.maps, {"smallest": LONG_LIST}),
        *grid("high_low", schemes.high_low, [*protected, plain]),
        Task("high_low_levels", schemes.high_low_levels, {}),
        *grid("uneven", uneven.uneven, [{"partition": name, "repeats": repeats} for name in uneven.PARTITIONS]),
        *grid("uneven_map", uneven.uneven_map, cut),
    ]


PICTURES = (
    Picture(
        "fig1",
        "Fig. 1: what any test must err",
        "A test between two labels x and x' that looks at a report errs on its line or to the right of it. Raising "
        "only the level of x' lets tests miss less, down to never.",
        pictures.regions,
    ),
    Picture(
        "fig2",
        "Fig. 2: LDP within blocks against plain LDP",
        "The more blocks, the smaller the error, for every truth and every number of people (1,000 symbols, eps = 1, "
        "projected). At the uniform truth 100 blocks get from 8,000 people what plain LDP does not from 512,000.",
        pictures.synthetic,
    ),
    Picture(
        "table1",
        "Table 1: how finely a map may be told",
        "With 3,671,812 reports over 43,750 cells plain LDP gets more than half of the map wrong, LDP within blocks of"
        " 50 cells less than a sixth.",
        pictures.blocks,
    ),
    Picture(
        "fig3",
        "Fig. 3: where people are, and what a survey sees",
        "Plain LDP finds New York and Los Angeles and scatters the rest at random. Within blocks of 5 x 5 cells the "
        "map comes back, for the block itself is told (data: GeoNames, CC BY 4.0).",
        pictures.maps,
    ),
    Picture(
        "uneven",
        "Uneven blocks, which the conclusion leaves open",
        "At the truth that is hardest for them uneven blocks need more people than equal ones, as the squares of their "
        "sizes add up to more. On the map, with blocks cut where people are, they err less than as many equal ones.",
        pictures.uneven,
    ),
    Picture(
        "high_low",
        "High-low schemes: how much is sensitive",
        "At eps = 1 high-low Hadamard reports have the least error at every number of sensitive symbols, and it grows "
        "with that number.",
        pictures.high_low,
    ),
    Picture(
        "high_low_levels",
        "High-low schemes: at what level",
        "Utility-optimized randomized response is the best of the three where epsilon is large, the later the more is "
        "sensitive. Hadamard reports stop improving: any two symbols share half of their outputs, whatever epsilon is.",
        pictures.levels,
    ),
    Picture(
        "two_labels",
        "Two labels: what a one-sided promise saves",
        "Lifting the promise for one label cuts the variance to about half or less (levels: how well the first is told"
        " from the second, and it from the first; dots are surveys).",
        pictures.two_labels,
    ),
)

STUDY = Study(
    name="acharya2019",
    title="Context-aware local differential privacy",
    source="Acharya, Bonawitz, Kairouz, Ramage and Sun, *Context-Aware Local Differential Privacy* (acharya2019).",
    about="Values hide only within blocks, or only some of them are sensitive at all. Fig. 2 is run again, and Table 1 "
    "with people of US cities in place of its check-ins (GeoNames, geonames.org, CC BY 4.0). On two labels and on "
    "high-low schemes the paper has no experiment: ours stand beside its formulas.",
    tasks=tasks,
    checks=checks,
    pictures=PICTURES,
    summaries=summaries,
    remarks=remarks,
    errata=ERRATA,
    left_out=LEFT_OUT,
)
