"""``deniable`` with little patience, so that tests take a second and not half a minute, but with much for guesses."""

from __future__ import annotations

from deniable.cli import main
from deniable.collector.http import app, guard, upload_route

SECONDS, PATIENCE, WRONG_TOKENS = 1, 2, 1_000_000

if __name__ == "__main__":
    vars(upload_route)["SECONDS"] = SECONDS
    vars(guard)["PATIENCE"] = PATIENCE
    vars(app)["WRONG_TOKENS"] = WRONG_TOKENS
    main()
