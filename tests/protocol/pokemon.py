"""States of the Pokémon battle, and what the reference rules say of them."""

import importlib.util

from gamecore import pokemon
from gamecore.game import CHANCE
from gamecore.pokemon import Monster, State

# a copy of the reference rules, to be told of other parties without changing them for other tests
_spec = importlib.util.find_spec("tests.reference.pokemon")
plain = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plain)

#: Parties and a chart of nobody's paper, with what the reference rules can do: three by three.
OWN = (
    (
        Monster("Rock", "stone", 7, 1.5, ["stone", "air", "ghost"]),
        Monster("Kite", "air", 3, 9, ["air", "ghost", "stone"]),
        Monster("Boo", "ghost", 4, 6, ["ghost", "air", "stone"]),
    ),
    (
        Monster("Owl", "air", 5, 8, ["stone", "ghost", "air"]),
        Monster("Ghul", "ghost", 2, 3, ["air", "stone", "ghost"]),
        Monster("Kite", "stone", 6, 4, ["air", "ghost", "stone"]),
    ),
)
OWN_CHART = {
    "stone": {"air": 1.5, "stone": 0.5},
    "air": {"ghost": 1.5, "stone": 0.0},
    "ghost": {"ghost": 1.5, "air": 0.75},
}
#: Where random games begin.
STARTS = [
    pokemon.start(),
    pokemon.start(4),
    pokemon.start(30, OWN, OWN_CHART),
    State.of("A 0, *B 3, C 1 - *D 0, E 4, F 4; 7 turns left"),
]


def told(state):
    """Return a state of the reference rules, which are told of its parties and chart."""
    one, two = (
        tuple(plain.Monster(m.name, m.type, m.hp, m.speed, m.moves) for m in party)
        for party in state.battle.parties
    )
    plain.PARTIES, plain.CHART = {1: one, 2: two}, state.battle.factors
    return plain.State(*state.position) if state.leads else None


def words(state, player):
    """Return a side's choices by the reference rules: texts, and the numbers of actions."""
    party, lead = plain.PARTIES[player], plain.lead_of(state, player)
    if forced := plain.replacements(state):
        return {f"send {party[m].name}": m for m in forced[1]} if forced[0] == player else {}
    return {
        party[lead].moves[action]
        if action in plain.MOVES
        else f"switch {party[plain.switch_target(lead, action)].name}": action
        for action in plain.legal_actions(state, player)
    }


def legal(state):
    """Return the legal moves of everybody to move, by the reference rules."""
    theirs = told(state)
    if theirs is None:
        one, two = plain.PARTIES.values()
        return {CHANCE: [f"{a.name} against {b.name}" for a in one for b in two]}
    options = {player - 1: list(words(theirs, player)) for player in (1, 2)}
    return {player: moves for player, moves in options.items() if moves}


def follows(before, moves, after):
    """Say whether the reference rules lead from one state to the other."""
    theirs = told(before)
    if theirs is None:
        lead1, lead2, *hp = after.position
        names = plain.PARTIES[1][lead1].name, plain.PARTIES[2][lead2].name
        return moves == (" against ".join(names),) and tuple(hp) == before.hp
    if forced := plain.replacements(theirs):
        chosen = words(theirs, forced[0])[moves[0]]
        wanted, turns = plain.replace(theirs, forced[0], chosen), before.turns
    else:
        actions = [words(theirs, player)[moves[player - 1]] for player in (1, 2)]
        wanted, turns = plain.step(theirs, *actions), before.turns - 1
    return after.position == tuple(wanted) and after.turns == turns


def returns(state):
    """Return the result by the reference rules."""
    won = 2 * plain.judge(told(state)) - 1
    return won, -won


def other_secrets(state, player, generator):
    """Return a state that differs in what `player` may not see; None if nothing is hidden."""
    return None
