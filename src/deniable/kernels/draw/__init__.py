"""Compiled draws of reports, and of what many reports add up to."""
