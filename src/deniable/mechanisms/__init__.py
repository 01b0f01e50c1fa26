"""Mechanisms: one file a family, one protocol for all."""
