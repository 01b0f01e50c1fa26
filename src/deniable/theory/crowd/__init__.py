"""What whoever sees only the mixed reports of a crowd learns of one of them: levels that are certified."""
