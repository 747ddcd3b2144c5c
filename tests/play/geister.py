"""Geister: games with hidden colours, and the table of solved positions."""

from functools import cache
from itertools import islice

import numpy as np
import pytest

from gamecore.contest import playing
from gamecore.geister import ENDINGS, PLAYERS, ask, mixture, retrograde, start
from gamecore.geister.leaves import table_of
from gamecore.geister.players import decider, written
from gamecore.geister.rules import names_of
from gamecore.live.plans.geister import PLANS
from gamecore.live.tables.geister import DEPTHS
from gamecore.papers.experiment import find
from tests.play import geister_tsume as tsume
from tests.tables import Native

PAIRS = ["a4 b4", "a4 c4", "a4 d4", "b4 c4", "b4 d4", "c4 d4"]
GAME, VALUES = ["board", "counts", "moves", "told"], ["legal", "after", "endings", "worth", "told"]
MIX = ["told", "mixed", "colourings", "mix"]
#: Games are left after so many plies: some players would go on until the draw.
PLIES = 12


@cache
def solution():
    solved = retrograde(4, 4, 2, 2)
    return solved, table_of(solved), solved.positions(max(solved.win_histogram))[0]


def solve(table):
    """Bring the solution to a table: a module solves the board itself, as a page does."""
    if table.get("rank")["rank"]:
        return
    solved, lookup, _ = solution()
    plan = PLANS["geister/table-6.1"](find("geister/table-6.1").cells[0])
    rooms = plan.values | {"planes": plan.values["planes"]._replace(shape=solved.planes.shape)}
    assert len(solved.planes) == DEPTHS
    if isinstance(table, Native):
        found = np.zeros(rooms["found"].shape, np.int64)
        for row, counts in zip(found, (solved.win_histogram, solved.loss_histogram), strict=True):
            row[list(counts)] = list(counts.values())
        masks, rows = np.array(solved.placements.masks), solved.placements.rows
        blues, reds = masks[rows].T.copy()
        table.known |= {"open_": solved.open, "planes": solved.planes, "rank": lookup.rank}
        table.known |= {"index": lookup.index, "found": found, "blues": blues, "reds": reds}
        return
    for name, (dtype, shape) in rooms.items():
        table.module.set(name, {"type": np.dtype(dtype).str, "shape": shape})
    for step in plan.prepare:
        for begin in range(0, step.size, step.stretch):
            end = min(begin + step.stretch, step.size)
            table.module.call(step.kernel.__name__, start=begin, stop=end)


def signed(outcome, depth):
    return {"win": 1, "loss": -1, "draw": 0}[outcome] * (depth or 0)


def look(table, state):
    """Set a state's position up, and compare what it and its moves are worth."""
    solved, position, codes = solution()[0], state.position, ".BRbr"
    shown = [codes.index(letter) for row in position.letters() for letter in row]
    board = table.call("geister_set", get=["board"], set={"shown": shown})["board"]
    own = table.call("geister_show", {"side": 0}, ["shown", "legal", "told"])
    assert own["shown"] == shown
    found = table.call("geister_values", {"side": 0}, VALUES)
    moves = position.moves()
    assert [written(move) for move in found["legal"][: found["told"][0]]] == state.legal(
        state.movers[0]
    )
    assert found["told"][1] == signed(*solved.result(position))
    assert written(found["told"][2]) == solved.best_move(position)
    for k, move in enumerate(moves):
        outcome, depth = solved.reply(position, move)
        assert found["worth"][k] == -signed(outcome, 0 if depth is None else depth + 1)
        is_over = isinstance(position.play(move), str)
        assert (ENDINGS[found["endings"][k]] != "draw") == is_over
    return [board, own, found]


def mix(table, state, leaves, asked):
    """Compare CFR's mixture for all colourings of the side to move."""
    found = table.call("geister_game", {"leaves": leaves, **asked}, MIX)
    moves, width = found["told"][0], len(found["mix"]) // len(found["colourings"])
    rows = [found["mix"][width * k :][:moves] for k in range(found["told"][1])]
    names = [written(move) for move in found["mixed"][:moves]]
    position = state.position
    assert found["colourings"][0] == position.blue
    if not any(name.endswith("escape") for name in state.legal(state.movers[0])):
        chances = ask(PLAYERS[4 + leaves], state, table=solution()[1])
        assert chances == pytest.approx({name: dict(zip(names, rows[0]))[name] for name in chances})
    if leaves == 0:
        for blue, theirs in mixture(position).moves.items():
            ours = dict(zip(names, rows[found["colourings"].index(blue)], strict=True))
            texts = {position.text(move): p for move, p in theirs.items()}
            assert {name: p for name, p in ours.items() if name in texts} == pytest.approx(texts)
            assert sum(ours.values()) == pytest.approx(1)
    return found


def walk(table, random):
    solve(table)
    me, who, seed = random.randrange(2), random.randrange(len(PLAYERS)), random.randrange(10**6)
    blue = random.randrange(-1, len(PAIRS))
    chosen = [blue if side == me else -1 for side in range(2)]
    told, moves, seen, mine, is_over = {"words": [seed, 0], "chosen": chosen}, [], [], [], False
    table.put(told)
    while not is_over and len(moves) < PLIES:
        padded = {"moves": moves + [0] * (200 - len(moves))}
        if len(moves) % 2 == me:
            board = table.call("geister_game", {"plies": len(moves)}, GAME, padded)
            legal = table.call("geister_show", {"side": me}, ["shown", "legal", "told"])
            mine.append(random.choice(legal["legal"][: legal["told"][0]]))
            moves.append(mine[-1])
            seen += [board, legal]
        padded = {"moves": moves + [0] * (200 - len(moves))}
        answer = {"plies": len(moves), "who": who if len(moves) % 2 != me else -1}
        seen.append(table.call("geister_game", answer, GAME, padded))
        moves, is_over = seen[-1]["moves"][: seen[-1]["counts"][1]], seen[-1]["told"][2] == 1

    def human(view, rng):
        return written(mine[view.ply // 2])

    other = decider(PLAYERS[who], table=solution()[1] if who == 5 else None)
    begun = start(**({("first_blue", "second_blue")[me]: PAIRS[blue]} if blue >= 0 else {}))
    pair = (other, human) if me else (human, other)
    game = playing(begun, pair, np.random.default_rng(seed))
    states = list(islice((state for state in game if not state.deal), len(moves) + 1))
    assert [move for move, _ in states[-1].history] == [written(move) for move in moves]
    board, counts = seen[-1]["board"], seen[-1]["counts"]
    last = states[-2 if is_over else -1]  # a kernel leaves the board as it is before the end
    assert [*last.blue, *last.red] == board[:4]
    assert names_of(board[7 + me], 4) == PAIRS[blue] or blue < 0
    assert states[-1].ending == (ENDINGS[counts[0]] if is_over else "")
    ply = random.randrange(len(moves))
    state = states[ply]
    seen += look(table, state)
    padded = {"moves": moves + [0] * (200 - len(moves))}
    table.put(padded)
    seen.append(mix(table, state, random.randrange(2), {"plies": ply}))
    with pytest.raises(ValueError, match="not legal"):
        table.call("geister_game", {"plies": 1}, set={"moves": [79] * 200})
    seen.append(table.call("geister_longest", get=["board"]))
    turned = solution()[2].turned()
    assert seen[-1]["board"][:4] == [
        solution()[2].blue, turned.blue, solution()[2].red, turned.red
    ]  # fmt: skip
    return seen, tsume.walk(table, random)


def ready(page):
    page.locator(".stage:not([aria-busy='true']) .ghosts").first.wait_for()


def forward(page):
    """Play up as far as a ghost can, the topmost first, and escape where that is possible."""
    ready(page)
    if page.get_by_role("button", name="Solve it here first").is_visible():
        page.get_by_role("button", name="Solve it here first").click()
        page.locator(".cell[aria-label$='can move']").first.wait_for(timeout=60_000)
    while "Over" not in page.locator(".said").text_content():
        way_out = page.locator(".exit")
        if way_out.count():
            way_out.first.click()
        else:
            for ghost in page.locator(".cell[aria-label$='can move']").all():
                ghost.click()
                goals = [
                    int(one.get_attribute("data-cell"))
                    for one in page.locator(".cell.target").all()
                ]
                goals = [goal for goal in goals if goal < int(ghost.get_attribute("data-cell"))]
                if goals:
                    page.locator(f".cell[data-cell='{goals[0]}']").click()
                    break
            else:
                page.locator(".cell.target").first.click()
        ready(page)


def look_through(page):
    """Solve the board, and go to the middle of its longest win."""
    ready(page)
    page.get_by_role("button", name="Solve it here first").click()
    page.get_by_role("button", name="The longest win").and_(page.locator(":enabled")).click(
        timeout=60_000
    )
    page.locator("input[type=range]").fill("20")
    page.locator(".said", has_text="; 21. ").wait_for()


GAMES = {
    "geister": [
        ("geister.seed=7&geister.against=charge&geister.blue=a4+b4&geister.show=cfr-a", forward),
        ("geister.seed=8&geister.against=cfr-a&geister.seat=second", forward),
        ("geister.seed=9&geister.against=cfr-b", forward),
    ],
    "geister-explorer": [("geister-explorer.position=bbrr/..../..../BBRR", look_through)],
    **tsume.GAMES,
}
