"""How each experiment is recomputed in a page, one room for each game."""
