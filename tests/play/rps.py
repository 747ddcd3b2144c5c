"""Fifty rounds of rock-paper-scissors."""

from gamecore.rps import LEARNERS, MOVES, lesson

STATE = "g", "memory", "played", "told", "last"


def walk(table, random):
    learner, seed = random.randrange(2), random.randrange(10**6)
    table.call("rps_begin", set={"words": [seed, 0]})
    moves, seen = [], []
    for _ in range(20):
        seen.append(table.call("rps_next", {"learner": learner}, get=["chances"]))
        moves.append(random.randrange(3))
        given = {"learner": learner, "move": moves[-1]}
        seen.append(table.call("rps_round", given, get=STATE))
    found = lesson(LEARNERS[learner], [MOVES[move] for move in moves], seed)
    assert found.replies == [MOVES[int(one["told"][0])] for one in seen[1::2]]
    assert found.chances.ravel().tolist() == [x for one in seen[::2] for x in one["chances"]]
    assert found.gap.tolist() == [one["told"][6] for one in seen[1::2]]
    return seen


def fifty(page):
    """Fifty rounds, one of them taken back and played otherwise."""
    for k in range(50):
        if k == 10:
            page.locator(".choices button").nth(2).click()
            page.locator(".said", has_text="Round 11 ").wait_for()
            page.get_by_role("button", name="Undo").click()
            page.locator(".said", has_text="Round 10 ").wait_for()
        page.locator(".choices button").nth([0, 1, 2, 0, 0][k % 5]).click()
        page.locator(".said", has_text="Over" if k == 49 else f"Round {k + 1} ").wait_for()


GAMES = {"rps": [("rps.seed=7&rps.against=habit", fifty), ("rps.seed=8&rps.against=regret", fifty)]}
