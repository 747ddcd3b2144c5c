"""Battles of the reader's against players, known or hidden."""

import numpy as np

from gamecore.contest import playing
from gamecore.live.tables.pokemon import CANDIDATES, HABIT
from gamecore.matrixgame import solve as solve_matrix
from gamecore.papers.pokemon.experiments import HABITS
from gamecore.pokemon import ask, decode, player, solve, start
from gamecore.pokemon.parties import PAPER
from gamecore.pokemon.perception import NOISES
from gamecore.pokemon.players import decider
from gamecore.pokemon.rules import TURNS, number_of

SEEN = "now", "hp", "lead", "choices"
DRAWS = 20


def solved(table):
    """Solve the battle, once for all walks of a table."""
    if not hasattr(table, "is_solved"):
        for k in range(2):
            part = {"start": k * PAPER.states // 2, "stop": (k + 1) * PAPER.states // 2}
            table.call("transitions", part)
        table.call("turns", {"start": 0, "stop": TURNS + 1})
        table.is_solved = True


def walk(table, random):
    solved(table)
    opponent, noise, seat = random.randrange(4), random.randrange(1, 3), random.randrange(2)
    delta, seed = random.choice((0.0, 0.05, 0.13)), random.randrange(10**6)
    given = {"opponent": opponent, "noise": noise, "delta": delta}
    now = table.call("pokemon_begin", given, get=[*SEEN, "met"], set={"words": [seed, 0]})
    met, moves, seen, turns = now["met"][0], [], [now], []
    while now["now"][2] >= 0:
        own = now["choices"][5 * seat : 5 * seat + 5]
        choice = random.choice([k for k in range(5) if own[k] >= 0])
        moves.append(start().all_moves()[own[choice]])
        given = {"seat": seat, "choice": choice}
        now = table.call("pokemon_play", given, get=[*SEEN, "last"])
        turns.append(now["last"])
        seen.append(now)

    who = CANDIDATES[met]
    if met == len(CANDIDATES) - 1:
        who = player(noise=NOISES[noise], delta=delta)
    chosen, told = iter(moves), []

    def noted(decides):
        def noting(view, rng):
            told.append((view.state, view.player, decides(view, rng)))
            return told[-1][2]

        return noting

    players = [noted(lambda view, rng: next(chosen)), noted(decider(who))]
    states = list(playing(start(), players[:: 1 - 2 * seat], np.random.default_rng(seed)))
    end, last = states[-1], seen[-1]
    assert last["now"][:2] == [number_of(*end.position, end.battle), end.turns]
    assert last["now"][3] == end.returns()[0]
    assert (*end.hp[0], *end.hp[1], *end.leads) == (*last["hp"], *last["lead"])
    theirs = [one[2] for one in told if one[1] != seat]
    assert theirs == [move for one in turns for move in _said(one, 1 - seat)]
    if opponent >= HABIT:
        some = len(HABITS) if opponent == HABIT else len(CANDIDATES) - 1
        drawn = int(np.random.default_rng([seed, 1]).integers(some))
        assert met == len(CANDIDATES) - 1 - some + drawn

    solution, best = solve(), ("matrix", "mixtures", "worth", "least", "value")
    for number, left, mine, other, _ in turns:
        found = table.call("pokemon_best", {"state": number, "left": left}, get=best)
        seen.append(found)
        assert found["value"][seat] >= found["worth"][5 * seat + mine] - 1e-9
        if other >= 0:
            A = solution.payoff_matrix(*decode(number), left)
            assert [x for x in found["matrix"] if x >= 0] == A.ravel().tolist()
            value, row, column = solve_matrix(A)
            assert [x for x in found["mixtures"] if x >= 0] == [*row, *column]
            assert abs(value - found["value"][0]) < 1e-12
            worth = [x for x in found["worth"] if x >= 0]
            assert np.allclose(worth, [*(A @ column), *(1 - row @ A)])
            least = [x for x in found["least"] if x >= 0]
            assert least == [*A.min(axis=1), *(1 - A).min(axis=0)]

    played, given = last["now"][4], {"draws": DRAWS, "seat": seat}
    for k in range(played):
        table.call("pokemon_likelihood", {"start": k, "stop": k + 1, **given})
    seen.append(table.get("chances", "likelihood"))
    both = [(state, move) for state, of, move in told if of != seat and len(state.movers) == 2]
    place, k = random.randrange(len(CANDIDATES) - 1), random.randrange(played)
    draws = DRAWS if CANDIDATES[place].noise != "none" else 1
    asked = ask(CANDIDATES[place], both[k][0], 1 - seat, seed=0, draws=draws)[both[k][1]]
    chances = np.reshape(seen[-1]["chances"], (TURNS, -1))[:played]
    seen[-1] = chances.tolist(), seen[-1]["likelihood"]
    assert chances[k, place] == asked
    assert np.allclose(chances.prod(axis=0), seen[-1][1])
    return seen


def _said(turn, side):
    """Return what the opponent did in a turn, and whom it sent in after it."""
    number, _, _, action, sent = turn
    party = PAPER.parties[side]
    if action >= 0:
        lead = decode(number)[side]
        bench = [one.name for k, one in enumerate(party) if k != lead]
        yield [*party[lead].moves, *(f"switch {name}" for name in bench)][action]
    if sent >= 0:
        yield f"send {party[sent].name}"


def battle(page):
    """Fight on with what stands first or last, look once at what was best, and guess at the end."""
    own = page.locator("#play-pokemon")
    ready = "document.querySelector('#play-pokemon .stage').ariaBusy === 'false'"
    choices = own.get_by_role("group", name="your choice").get_by_role("button")
    choices.first.wait_for()
    turn = 0
    while count := choices.count():
        url, turn = page.url, turn + 1
        choices.nth(count - 1 if turn % 3 == 0 else 0).click()
        page.wait_for_function(f"url => location.href !== url && {ready}", arg=url)
        if turn == 2:
            own.locator(".best > summary").click()
            own.get_by_role("region", name="your chances of winning").wait_for()
    own.get_by_role("group", name="your guess").get_by_role("button").first.click()
    own.get_by_role("region", name="who it may have been").wait_for()


GAMES = {
    "pokemon": [
        ("pokemon.seed=7&pokemon.against=habit", battle),
        ("pokemon.seed=8&pokemon.against=anyone&pokemon.party=2", battle),
        ("pokemon.seed=9&pokemon.against=delta&pokemon.delta=0.07&pokemon.noise=variable", battle),
        ("pokemon.seed=10&pokemon.against=nash&pokemon.party=2", battle),
    ]
}
