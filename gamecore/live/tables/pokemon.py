"""The Pokémon battle in the page: turns against a player, what was best, and who it may have been.

Moves go by their places in the game's ``all_moves``. First of all the battle is solved, by the
kernels that also recompute the experiments.
"""

import numpy as np

from gamecore.kernel import constant, kernel
from gamecore.live.entries.pokemon import (
    _ACTIONS,
    _SETUP,
    _STRIDE,
    _lookup,
    _settings,
    transitions,
    turns,
)
from gamecore.live.generator import below, decision, generator
from gamecore.live.plan import GameTable, Room
from gamecore.live.seeds import seed
from gamecore.matrixgame import equilibrium
from gamecore.papers.pokemon.experiments import DELTAS, HABITS, habit
from gamecore.pokemon import rules
from gamecore.pokemon.matches import _after, _from_side, _openings
from gamecore.pokemon.parties import PAPER
from gamecore.pokemon.perception import favoured, mixture
from gamecore.pokemon.players import bring_in, decide, player
from gamecore.pokemon.solution import payoffs
from gamecore.pokemon.state import start as opening

_BEGIN = opening()
_MOVES = _BEGIN.all_moves()
_SIZE = len(PAPER.parties[0])
_TYPES = _MOVES[: _MOVES.index("switch A")]
_MONSTERS = [monster for party in PAPER.parties for monster in party]
#: Places in all moves: by party, member and slot; of the first switch, and the first replacement.
_SLOTS = constant([[[_MOVES.index(m) for m in one.moves] for one in p] for p in PAPER.parties])
_SWITCH, _SEND = _MOVES.index("switch A"), _MOVES.index("send A")
#: Whom one may have met: the players of tables 3 and 5. The last one is as the reader sets it.
CANDIDATES = [
    player(), *(player(noise="uniform", delta=delta) for delta in DELTAS), *map(habit, HABITS),
    player(noise="uniform"),
]  # fmt: skip
#: Opponents that one can ask for; habits are the last candidates but one.
NASH, DELTA, HABIT, ANYONE = range(4)
_CHOSEN, _HABITS = len(CANDIDATES) - 1, len(HABITS)
#: What ``now`` holds: the position, turns left, who chooses, who won, turns played.
_STATE, _LEFT, _MOVER, _WINNER, _PLAYED = range(5)
#: Who chooses: party 0 or 1, which replaces a fainted monster, or these.
_BOTH, _NOBODY = 2, -1


@kernel
def _look(table, now, hp, lead, choices):
    """Write what is seen of a position: HP, leads, who chooses among what, who has won."""
    state = now[_STATE]
    rules.unpack(state, _SETUP, hp)
    lead[0], lead[1] = rules.leads(state, _STRIDE, _SIZE)
    for party in range(2):
        for action in range(_ACTIONS):
            choices[party, action] = -1
    fainted = rules.to_replace(table, state)
    if now[_LEFT] == 0 or (fainted < 0 and not rules.can_act(table, state)):
        now[_MOVER], now[_WINNER] = _NOBODY, int(2.0 * rules.result(hp) - 1.0)
    elif fainted >= 0:
        now[_MOVER] = fainted
        for member in range(_SIZE):
            if rules.replaced(table, state, member) >= 0:
                choices[fainted, member] = _SEND + _SIZE * fainted + member
    else:
        now[_MOVER] = _BOTH
        legal = np.empty(_ACTIONS, np.int64)
        for party in range(2):
            for k in range(rules.legal_actions(table, state, party, _ACTIONS, legal)):
                switch = legal[k] - _SETUP.slots
                if switch < 0:
                    choices[party, legal[k]] = _SLOTS[party, lead[party], legal[k]]
                else:
                    member = rules.entering(lead[party], switch)
                    choices[party, legal[k]] = _SWITCH + _SIZE * party + member


@kernel
def pokemon_begin(
    words, opponent, noise, delta, g, candidates, met, starts, table, now, hp, lead, choices
):
    """Deal the leads with a seed, against somebody who may be drawn by it too."""
    for k in range(candidates.shape[1]):
        candidates[_CHOSEN, k] = candidates[1, k]
    candidates[_CHOSEN, 1] = noise if delta > 0.0 else 0.0
    candidates[_CHOSEN, 2] = delta
    met[0] = 0
    if opponent == DELTA:
        while candidates[met[0], 1] != candidates[_CHOSEN, 1] or candidates[met[0], 2] != delta:
            met[0] += 1
    elif opponent != NASH:  # from a stream of its own: the battle's does not depend on it
        other = np.empty(2, np.uint32)
        other[0], other[1] = words[0], np.uint32(1)
        generator(other, g)
        some = _HABITS if opponent == HABIT else _CHOSEN
        met[0] = _CHOSEN - some + below(g, some)
    generator(words, g)
    now[_STATE], now[_LEFT] = starts[below(g, len(starts))], rules.TURNS
    now[_WINNER] = now[_PLAYED] = 0
    _look(table, now, hp, lead, choices)


@kernel
def pokemon_play(
    choice, seat, g, s, candidates, met, table, values, now, hp, lead, choices, history, last
):
    """Play what the reader chose, and what the opponent chooses at the same time or next.

    `last` receives the position and turns left before, both actions (the opponent's is −1 if it had
    none), and whom the opponent sent in afterwards, else −1.
    """
    if not 0 <= choice < _ACTIONS or choices[seat, choice] < 0:
        raise ValueError("this cannot be chosen now")
    lookup, who = _lookup(values, table), _settings(candidates[met[0]])
    state, left, other = now[_STATE], now[_LEFT], 1 - seat
    last[0], last[1], last[2], last[3], last[4] = state, left, choice, -1, -1
    if now[_MOVER] == seat:
        state = rules.replaced(table, state, choice)
    else:
        decision(g, s)
        theirs = decide(state, other, left, who, lookup, s)
        turn = history[now[_PLAYED]]
        turn[0], turn[1], turn[2] = state, left, theirs
        last[3] = theirs
        state = _after(state, seat, choice, theirs, table, _ACTIONS)
        left -= 1
        now[_LEFT] = left
        now[_PLAYED] += 1
        if left > 0 and rules.to_replace(table, state) == other:
            decision(g, s)
            state = bring_in(state, other, left, who, lookup, s)
            last[4] = rules.leads(state, _STRIDE, _SIZE)[other]
    now[_STATE] = state
    _look(table, now, hp, lead, choices)


@kernel
def pokemon_best(state, left, table, values, matrix, mixtures, worth, least, value):
    """Write the payoffs of a turn, both equilibrium mixtures, the value and each action's worth.

    Payoffs are party 1's winning chances, the rest is seen from each side. An action is worth what
    it wins against the other side's mixture, a replacement the position with it; its least is what
    it wins against the best answer. What is not legal has −1.
    """
    for i in range(_ACTIONS):
        for j in range(_ACTIONS):
            matrix[i, j] = -1.0
        for party in range(2):
            mixtures[party, i] = worth[party, i] = least[party, i] = -1.0
    for party in range(2):
        value[party] = _from_side(values[left, state], party)
    fainted = rules.to_replace(table, state)
    if fainted >= 0:
        for member in range(_SIZE):
            after = rules.replaced(table, state, member)
            if after >= 0:
                worth[fainted, member] = _from_side(values[left, after], fainted)
                least[fainted, member] = worth[fainted, member]
        return
    A = payoffs(values[left - 1], table, state, _ACTIONS)
    _, x, y = equilibrium(A)
    rows, columns = np.empty(_ACTIONS, np.int64), np.empty(_ACTIONS, np.int64)
    m = rules.legal_actions(table, state, 0, _ACTIONS, rows)
    n = rules.legal_actions(table, state, 1, _ACTIONS, columns)
    for i in range(m):
        mixtures[0, rows[i]], worth[0, rows[i]], least[0, rows[i]] = x[i], 0.0, 1.0
        for j in range(n):
            matrix[rows[i], columns[j]] = A[i, j]
            worth[0, rows[i]] += y[j] * A[i, j]
            least[0, rows[i]] = min(least[0, rows[i]], A[i, j])
    for j in range(n):
        mixtures[1, columns[j]], worth[1, columns[j]], least[1, columns[j]] = y[j], 0.0, 1.0
        for i in range(m):
            worth[1, columns[j]] += x[i] * (1.0 - A[i, j])
            least[1, columns[j]] = min(least[1, columns[j]], 1.0 - A[i, j])


@kernel
def pokemon_likelihood(
    start, stop, draws, seat, candidates, table, values, history, chances, likelihood
):
    """Write how likely each candidate was to act as the opponent did, turn by turn and in all.

    It is what ``gamecore.pokemon.ask`` says: exact without noise, else the mean of so many draws of
    it. Forced replacements say nothing, for all candidates replace alike.
    """
    lookup, other, s = _lookup(values, table), 1 - seat, np.empty(4, np.uint64)
    zero, legal = np.zeros(1, np.uint32), np.empty(_ACTIONS, np.int64)
    for k in range(start, stop):
        state, left, action = history[k, 0], history[k, 1], history[k, 2]
        A = payoffs(values[left - 1], table, state, _ACTIONS)
        rules.legal_actions(table, state, other, _ACTIONS, legal)
        place = 0
        while legal[place] != action:
            place += 1
        for c in range(len(candidates)):
            who = _settings(candidates[c])
            liked, times = favoured(state, other, who.bias, lookup), draws if who.noise else 1
            seed(zero, s)
            total = 0.0
            for _ in range(times):
                total += mixture(A, liked, other, who, s)[place]
            chances[k, c] = total / times
            likelihood[c] = (likelihood[c] if k else 1.0) * chances[k, c]


TABLE = GameTable(
    [transitions, turns, pokemon_begin, pokemon_play, pokemon_best, pokemon_likelihood],
    {
        # the solution, as plans have it
        "table": Room(np.int32, (PAPER.states, _ACTIONS**2)),
        "values": Room(np.float64, (rules.TURNS + 1, PAPER.states)),
        "fresh": Room(np.bool_, (PAPER.states,)), "gaps": Room(np.float64, (PAPER.states,)),
        # what a page shows of parties and chart
        "types": np.array([_TYPES.index(one.type) for one in _MONSTERS]),
        "slots": np.array(_SLOTS), "damage": np.array(_SETUP.damage),
        "classes": np.array(_SETUP.classes), "faster": np.array(_SETUP.is_first, np.int64),
        # the battle
        "starts": _openings(_BEGIN), "now": Room(np.int64, (5,)), "hp": Room(np.int64, (2, _SIZE)),
        "lead": Room(np.int64, (2,)), "choices": Room(np.int64, (2, _ACTIONS)),
        "history": Room(np.int64, (rules.TURNS, 3)), "last": Room(np.int64, (5,)),
        "opponent": NASH, "noise": 1, "delta": 0.0, "met": Room(np.int64, (1,)), "seat": 0,
        "choice": 0, "candidates": np.array([one.settings for one in CANDIDATES], float),
        # what was best, and who it may have been
        "state": 0, "left": 1, "matrix": Room(np.float64, (_ACTIONS, _ACTIONS)),
        "mixtures": Room(np.float64, (2, _ACTIONS)), "worth": Room(np.float64, (2, _ACTIONS)),
        "least": Room(np.float64, (2, _ACTIONS)),
        "value": Room(np.float64, (2,)), "draws": 1,
        "chances": Room(np.float64, (rules.TURNS, len(CANDIDATES))),
        "likelihood": Room(np.float64, (len(CANDIDATES),)),
    },
)  # fmt: skip
