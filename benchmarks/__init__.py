"""The benchmark: `deniable` beside three other libraries and beside the machine's own limits, timed in one run."""
