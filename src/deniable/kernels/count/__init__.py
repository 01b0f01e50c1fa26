"""Compiled checks and counts of reports."""
