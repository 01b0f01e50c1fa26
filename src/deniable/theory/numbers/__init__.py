"""Numbers between declared bounds: reports of a mean, staggered blocks, bounds, and what they are compared with."""
