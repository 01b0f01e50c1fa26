"""Numbers between declared bounds: the mean, the share up to any cut, quantiles, densities."""
