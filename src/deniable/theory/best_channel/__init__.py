"""Channels that are best for a goal under pairwise levels."""
