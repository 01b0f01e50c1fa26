"""``deniable`` with a page that is worked out without end, and little patience for it."""

from __future__ import annotations

import threading

from deniable.cli import main
from deniable.intake.http import server

if __name__ == "__main__":
    vars(server)["LONGEST_END"] = 1
    threading.Thread(target=threading.Event().wait, name="endless").start()
    main()
