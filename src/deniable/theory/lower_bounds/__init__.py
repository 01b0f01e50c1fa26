"""Lower bounds on the error of any mechanism, and upper bounds that known mechanisms reach."""
