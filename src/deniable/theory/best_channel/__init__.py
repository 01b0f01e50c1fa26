"""Optimal channels for a goal, such as information or squared error, under pairwise levels."""
