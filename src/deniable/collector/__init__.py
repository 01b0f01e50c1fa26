"""The collector: it takes uploads, counts every answer at most once, and loses none that it acknowledged."""
