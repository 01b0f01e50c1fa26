"""Reproductions of the tables and figures of five papers, and two comparisons of our own."""
