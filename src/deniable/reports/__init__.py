"""Everything that is stored or sent: specs, layouts of reports, tallies, and files of reports."""
