"""Mechanisms that use a prior, and the curator who reads their reports with it."""
