"""The command line: thin commands over the library."""

from deniable.cli.app import app, main

__all__ = ["app", "main"]
