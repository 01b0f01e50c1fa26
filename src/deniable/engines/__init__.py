"""Whole columns: simulation and files."""
