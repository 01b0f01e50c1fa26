"""The benchmark: `deniable` compared with three other libraries and the limits of the machine, timed in one run."""
