"""``deniable`` whose wall says after a second that no phone has come, and not after a minute."""

from __future__ import annotations

from deniable.cli import main
from deniable.collector.http import lan

PATIENCE = 1.0

if __name__ == "__main__":
    vars(lan)["PATIENCE"] = PATIENCE
    main()
