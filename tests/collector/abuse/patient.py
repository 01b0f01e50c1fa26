"""``deniable`` that lets anybody guess tokens and passwords as often as they like: each guess costs what it costs."""

from __future__ import annotations

from deniable.cli import main
from deniable.intake.http import application
from deniable.pages import result_link_pages

GUESSES = 1_000_000

if __name__ == "__main__":
    vars(application)["WRONG_TOKENS"] = vars(result_link_pages)["GUESSES"] = GUESSES
    main()
