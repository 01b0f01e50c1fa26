"""A process that proves the promise of a survey: the document comes in, the certificate goes out as JSON.

It is a process of its own, for exact arithmetic takes from a moment to minutes, in which a collector has to answer.
"""

from __future__ import annotations

import json
import os
import sys

from deniable.pages.json_values import finite
from deniable.surveys.survey import Survey

SECONDS = 120
"""How long it may compute."""
NICENESS = 19
"""The lowest priority of a process."""


def main() -> None:
    """Prove what standard input holds."""
    _be_modest()
    certificate = Survey.from_json(sys.stdin.buffer.read()).audit()
    sys.stdout.write(json.dumps(finite(certificate.to_dict())))


def _be_modest() -> None:
    """Let everything else on the machine go first, and end in good time even if nobody waits any more."""
    if not hasattr(os, "nice"):  # Windows has neither
        return
    import resource

    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


if __name__ == "__main__":
    main()
