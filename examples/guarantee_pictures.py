"""Pictures of three guarantees: the errors of any test, what a report may reveal, and how much a prior helps."""

from __future__ import annotations

import math
import sys
import tempfile
from pathlib import Path

import deniable as dn

CITIES = {
    "Rome": (12.5, 41.9),
    "Milan": (9.2, 45.5),
    "Naples": (14.3, 40.9),
    "Paris": (2.4, 48.9),
    "Lyon": (4.8, 45.8),
    "Nice": (7.3, 43.7),
    "Lille": (3.1, 50.6),
    "Bern": (7.4, 46.9),
}
"""Degrees east and north, roughly."""
PRIOR = [0.37, 0.18, 0.12, 0.09, 0.08, 0.06, 0.05, 0.05]


def main(folder: Path) -> None:
    """Three pictures, and a sentence on each."""
    pairs = [(1.0, 1.0), (0.7, 1.4), (1.0, math.inf)]
    dn.pictures.error_regions(pairs, ("yes", "no")).savefig(folder / "error-regions.png", dpi=110)
    print("error-regions.png: with one level infinite a test may be sure of one label, and never of the other.")

    names = list(CITIES)
    blocks = dn.Blocks([names[:3], names[3:7], names[7:]], 1.0)
    dn.pictures.block_map(blocks, CITIES, PRIOR).savefig(folder / "block-map.png", dpi=110)
    print(f"block-map.png: {blocks}; a report tells the country.")

    dn.pictures.utility(PRIOR).savefig(folder / "prior-utility.png", dpi=110)
    local, informed = dn.LDP(1.0), dn.InformedResponse(names, PRIOR, 1.0)
    print("prior-utility.png: knowing the prior buys less than twice the level of plain LDP would.")
    error = math.sqrt(informed.curator.loss)
    print(f"At {local} and {informed.guarantee}: one person's error is {error:.3f} with the prior.")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as scratch:
            main(Path(scratch))
