"""``python -m deniable`` is the command line."""

from deniable.cli import main

main()
