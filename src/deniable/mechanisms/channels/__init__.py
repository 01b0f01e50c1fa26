"""Mechanisms with an explicit channel: a table of probabilities."""
