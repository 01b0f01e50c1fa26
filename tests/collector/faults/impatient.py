"""``deniable`` with little patience for a database that fell silent, so that tests take seconds, not half a minute."""

from __future__ import annotations

from functools import partial

from deniable.cli import main
from deniable.intake.storage import postgres

PATIENCE, CONNECTING = 1.0, 2

if __name__ == "__main__":
    vars(postgres)["PostgresStore"] = partial(postgres.PostgresStore, patience=PATIENCE)
    postgres.WIRE["connect_timeout"] = CONNECTING
    main()
