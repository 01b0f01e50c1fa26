"""What all tests share: one Hypothesis profile, and pictures drawn without a screen."""

import os
import signal

from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"

# A shell's background jobs ignore interrupts, and so would every process that they start: the tests interrupt some.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every machine: a failure seen once can be seen again. No deadline: compiling takes its time.
settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")
