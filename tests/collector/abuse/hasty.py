"""``deniable`` with little patience, so that tests take a second and not half a minute."""

from __future__ import annotations

from deniable.cli import main
from deniable.intake.http import guard, upload_route

SECONDS, PATIENCE = 1, 2

if __name__ == "__main__":
    vars(upload_route)["SECONDS"] = SECONDS
    vars(guard)["PATIENCE"] = PATIENCE
    main()
