"""Formulas of (g, h, n, p): risks, information, bounds, sizes, designs; no state."""
