"""What a survey asks: each kind of question, and how its answers become values that are randomized."""
