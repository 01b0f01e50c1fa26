"""Mechanisms that a domain and an epsilon determine."""
