"""Means, ranges and distributions of numbers: our reports beside those of the literature."""
