"""Laws: what the counts of reports say of the people who sent them."""
