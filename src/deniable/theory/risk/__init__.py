"""The error and the information of each kind of report."""
