"""Triomineering: thinking in stretches is thinking at once, and games are those of the package."""

from urllib.parse import urlencode

import numpy as np

from gamecore.contest import playing
from gamecore.live.tables.triomineering import SIZES
from gamecore.triomineering import PLAYERS, Player, ask, solve, start, think, value
from gamecore.triomineering.nash import READINGS
from gamecore.triomineering.players import decider, first_world
from gamecore.triomineering.rules import cell_of

BOARD = "filled", "legal", "result"
EXACT = "value", "exact", "against", "sure"


def by_cell(numbers, cells, length=36):
    row = np.zeros(length)
    row[cells] = numbers
    return row.tolist()


def judged(table, position, given):
    """Solve the position, and compare."""
    found = table.call("triomineering_solve", given, get=EXACT)
    solution, columns = solve(position.rows, position.columns), position.columns
    moves = [[cell_of(move, columns) for move in position.legal(side)] for side in (0, 1)]
    A, exact = solution.payoff_matrix(position), solution.equilibrium(position)
    assert 2 * found["value"][0] - 1 == value(position)
    assert found["exact"] == by_cell(exact.row, moves[0]) + by_cell(exact.column, moves[1])
    assert found["sure"] == by_cell(A.min(1), moves[0]) + by_cell(1 - A.max(0), moves[1])
    worth = by_cell(A @ exact.column, moves[0]) + by_cell(exact.row @ (1 - A), moves[1])
    assert np.allclose(found["against"], worth, atol=1e-12)
    return found


def thought_of(table, position, player, seed, side, given, random):
    """Think in stretches of any length, and compare with one search."""
    seen, at = [], 0
    while at < player.playouts:
        stop = min(at + random.randrange(1, player.playouts // 2), player.playouts)
        stretch = given | {"start": at, "stop": stop}
        seen.append(table.call("triomineering_think", stretch, get=["thought", "lost"]))
        at = stop
    found, name = think(position, player, seed, "VH"[side]), "vh"[side]
    visits, means, mixture = np.reshape(seen[-1]["thought"], (3, 36))
    own = [cell_of(move, position.columns) for move in position.legal(side)]
    assert mixture.tolist() == by_cell(found.policy, own)
    assert dict(zip(position.legal(side), mixture[own], strict=True)) == ask(
        player, position, side, seed
    )
    world = first_world(position, player, "VH"[side])
    for images, size, row, mean in zip(
        world.images, world.sizes, found.visits, found.means, strict=True
    ):
        assert (visits[images] == row.sum() / size).all()
        assert np.allclose(means[images], np.nansum(row * mean) / row.sum(), atol=1e-12)
    solution = solve(position.rows, position.columns)
    assert seen[-1]["lost"] == [solution.shortfall(position, **{name: found.policy})]
    return seen


def walk(table, random):
    return [game(table, random) for _ in range(4)]


def game(table, random):
    rows, columns = random.choice([*SIZES, (4, 4), (5, 5), (6, 6), (8, 4)])
    seed, side = random.randrange(10**6), random.randrange(2)
    method, reading = random.choice([0, 1, 2, 3, 3, 4, 4]), random.randrange(4)
    player = Player(
        PLAYERS[method], playouts=random.randrange(600, 900), c=random.choice([0.1, 0.5, 1]),
        nash=READINGS[reading],
    )  # fmt: skip
    board = {"rows": rows, "columns": columns}
    given = board | {"side": side}
    settings = {"method": method, "playouts": player.playouts, "c": player.c, "reading": reading}
    seen = [table.call("triomineering_begin", board, get=BOARD)]
    begun = position = start(rows, columns)
    if random.randrange(2):  # one round is set up
        moves = [random.choice(position.legal(side)) for side in (0, 1)]
        v, h = (cell_of(move, columns) for move in moves)
        seen.append(table.call("triomineering_lay", board | {"v": v, "h": h}, get=BOARD))
        begun = position = position.play(*moves)
    generator, mine = np.random.default_rng(seed), []
    while position.movers:
        seen.append(judged(table, position, board))
        opened = given | settings | {"decided": len(mine)}
        table.call("triomineering_open", opened, set={"words": [seed, 0]})
        own = int(generator.integers(2**63))
        seen += thought_of(table, position, player, own, side, given, random)
        seen.append(table.call("triomineering_choose", given, get=["chosen"]))
        its = int(seen[-1]["chosen"][0])
        mine.append(random.choice(position.legal(1 - side)))
        pair = [its, cell_of(mine[-1], columns)][:: -1 if side else 1]
        laid = board | dict(zip("vh", pair, strict=True))
        seen.append(table.call("triomineering_lay", laid, get=BOARD))
        position = position.play(*(divmod(cell, columns) for cell in pair))
    moves = iter(mine)
    seats = [lambda view, generator: next(moves), decider(player)][:: 1 if side else -1]
    *_, end = playing(begun, seats, np.random.default_rng(seed))
    assert end == position
    assert seen[-1]["result"] == [2 * end.result()]
    letters = "".join(end.letters())
    assert "".join(".VHX"[mark] for mark in seen[-1]["filled"][: len(letters)]) == letters
    return seen


def press(page, number, rounds):
    """Click one of the cells where a piece fits, and wait until so many rounds are played."""
    fits = page.locator(".trio .cells button[aria-disabled=false]")
    fits.nth(number % fits.count()).click()
    page.locator(f'.trio[data-rounds="{rounds}"][aria-busy=false]').wait_for()


def watched(page):
    """Watch it think, then play to the end."""
    page.get_by_role("button", name="Think", exact=True).click()
    page.locator(".trio .said", has_text="playouts:").wait_for()
    played(page)


def played(page, rounds=0):
    while not page.locator(".trio .said", has_text="Over").count():
        rounds += 1
        press(page, 5 * rounds + 2, rounds)


def set_up(page):
    """Set up a round, play as V, and take a round back on the way."""
    side = page.get_by_label("you are")
    side.select_option("both")
    page.locator(".trio .said", has_text="V's piece").wait_for()
    press(page, 4, 0)
    page.locator(".trio .said", has_text="H's piece").wait_for()
    press(page, 8, 1)
    side.select_option("V")
    page.locator(".trio .said", has_text="You are V").wait_for()
    press(page, 3, 2)
    page.get_by_role("button", name="Undo").click()
    page.locator('.trio[data-rounds="1"][aria-busy=false]').wait_for()
    played(page, rounds=1)


def _asked(**settings):
    return urlencode({f"triomineering.{name}": value for name, value in settings.items()})


GAMES = {
    "triomineering": [
        (_asked(seed=7, board="6x6", side="V", who="MSUCB1.5", playouts=3000), watched),
        (_asked(seed=8, nash="regret matching+", playouts=2000), watched),
        (_asked(seed=9, board="7x5", who="SimpleUCB1", c=0.3), set_up),
    ]
}
