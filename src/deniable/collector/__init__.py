"""The collector: it takes uploads, counts every answer at most once, and keeps every one that it acknowledged."""
