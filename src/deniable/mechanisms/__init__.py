"""Mechanisms: one file per family, one protocol for all."""
