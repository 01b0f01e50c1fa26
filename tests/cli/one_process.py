"""Several commands in a process of their own: loading the command line takes longer than most of them."""

ALL_COMMANDS = """
import json, sys
from typer.testing import CliRunner
from deniable.cli import app
told = [CliRunner().invoke(app, words) for words in json.loads(sys.argv[1])]
print(json.dumps([(each.exit_code, each.output) for each in told]))
"""
"""Of commands as JSON in the first argument the exit codes and all that they said, as JSON."""
