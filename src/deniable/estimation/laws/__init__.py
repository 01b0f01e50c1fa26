"""Laws: how counts of reports depend on people's values, and the estimates, errors and risks that follow."""
