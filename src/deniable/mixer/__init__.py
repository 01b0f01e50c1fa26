"""A mixer: it takes sealed answers of many people, and hands them over together, in an order that says nothing."""
