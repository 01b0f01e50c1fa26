"""Mechanisms that know the prior, and the curator who asks them."""
