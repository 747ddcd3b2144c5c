"""Rock-paper-scissors in plain Python: reference rules, and the source of the practice report."""

import random

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
BEATEN_BY = {loser: winner for winner, loser in BEATS.items()}


def outcome(move: str, reply: str) -> str:
    if move == reply:
        return "draw"
    return "win" if BEATS[move] == reply else "loss"


def decide(player: str, last: str | None, generator: random.Random) -> str:
    if player == "rocky":
        return generator.choice(["rock", "rock", "paper", "scissors"])
    if player == "copycat" and last is not None:
        return BEATEN_BY[last]
    return generator.choice(list(BEATS))


def report(first: str, second: str, rounds: int = 300, seed: int = 1) -> dict[str, int]:
    """The practice report's numbers: what data/published/rps.csv holds."""
    generator = random.Random(seed)
    counts = {"win": 0, "draw": 0, "loss": 0}
    last_first = last_second = None
    for _ in range(rounds):
        move = decide(first, last_second, generator)
        reply = decide(second, last_first, generator)
        counts[outcome(move, reply)] += 1
        last_first, last_second = move, reply
    return counts
