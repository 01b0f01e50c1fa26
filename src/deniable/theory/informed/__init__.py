"""Localized information privacy, where the prior is known."""
