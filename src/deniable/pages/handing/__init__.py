"""How a survey is handed out: posters, letters, cards, lists and messages, and how it stands meanwhile."""
