"""Repeated collection: one permanent report per answer, sent again with fresh noise."""
