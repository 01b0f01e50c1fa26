"""What all tests share: one Hypothesis profile, and pictures drawn without a screen."""

import os

from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"

# The same examples on every machine: a failure seen once can be seen again. No deadline: compiling takes its time.
settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")
