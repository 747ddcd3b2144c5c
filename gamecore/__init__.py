"""Five game-AI papers, recomputed: rules, exact solutions, players and experiments in numba."""
