"""A reproduction of ye2017 on risks, sizes and bounds of subset mechanisms."""
