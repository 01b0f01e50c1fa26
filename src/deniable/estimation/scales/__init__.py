"""Ordered lists of answers: the mean of the places on them, and how it differs."""
