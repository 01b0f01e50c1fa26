"""Reproductions of the tables and figures of five papers, and a comparison of our own."""
