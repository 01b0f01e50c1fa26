"""What travels: specs, layouts of reports, tallies, and files of both."""
