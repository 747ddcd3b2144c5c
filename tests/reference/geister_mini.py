"""Slow answers on small Geister: the sequence form as a linear program, and listed histories.

Both walk the game's own states (`gamecore.geister.State`) with nothing cut and nothing merged: an
information set is a player's colours and all that was played.
"""

from collections import defaultdict
from itertools import combinations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from gamecore.geister import State, ask
from gamecore.geister.rules import Position, cells_of, mask_of, turn


def deals(position: Position, limit: int):
    """All colourings of both sides as states, first player's and second's."""
    own, other = position.blue | position.red, position.their_blue | position.their_red
    mine = list(combinations(cells_of(own), position.blue.bit_count()))
    theirs = list(combinations(cells_of(other), position.their_blue.bit_count()))
    for some in map(mask_of, mine):
        for more in map(mask_of, theirs):
            one = Position(some, own & ~some, more, other & ~more, position.width, position.height)
            yield State.of(one, limit=limit), 1 / (len(mine) * len(theirs))


def program_value(position: Position, limit: int) -> float:
    """The value to the first player by the sequence form (Koller, Megiddo, von Stengel 1996)."""
    sequences = [{(): 0}, {(): 0}]  # of each player: (information set, move) → number
    parents = [{}, {}]  # information set → (number of the sequence before it, its moves)
    payoff = defaultdict(float)

    def walk(state, chance, last, told):
        if state.ending:
            payoff[last] += chance * state.returns()[0]
            return
        side = state.ply % 2
        known = told[side]
        moves = tuple(state.legal(side))
        parents[side].setdefault(known, (last[side], moves))
        for move in moves:
            number = sequences[side].setdefault((known, move), len(sequences[side]))
            after = state.play(move)
            step = after.history[-1]
            later = tuple((*each, step) for each in told)
            walk(after, chance, (number, last[1]) if side == 0 else (last[0], number), later)

    for state, chance in deals(position, limit):
        walk(state, chance, (0, 0), (("c", state.blue[0]), ("c", state.blue[1])))
    rows, columns = len(sequences[0]), len(sequences[1])
    gains = coo_matrix(
        (list(payoff.values()), tuple(zip(*payoff, strict=True))), shape=(rows, columns)
    ).tocsr()

    def constraints(side):
        entries = [(0, 0, 1.0)]
        for number, (known, (before, moves)) in enumerate(parents[side].items(), start=1):
            entries.append((number, before, -1.0))
            entries += [(number, sequences[side][known, move], 1.0) for move in moves]
        at, of, values = zip(*entries, strict=True)
        return coo_matrix((values, (at, of)), shape=(len(parents[side]) + 1, len(sequences[side])))

    mine, theirs = constraints(0).tocsr(), constraints(1).tocsr()
    # the first maximises f·q over plans x ≥ 0 with E x = e, such that Fᵀ q ≤ Aᵀ x
    above = hstack([-gains.T, theirs.T]).tocsr()
    equal = hstack([mine, coo_matrix((mine.shape[0], theirs.shape[0]))]).tocsr()
    goal = np.zeros(rows + theirs.shape[0])
    goal[rows] = -1.0
    right = np.zeros(mine.shape[0])
    right[0] = 1.0
    free = [(0, None)] * rows + [(None, None)] * theirs.shape[0]
    found = linprog(goal, above, np.zeros(columns), equal, right, free, method="highs")
    assert found.status == 0
    return -found.fun


def best_by_histories(player: str, limit: int, seat: int) -> float:
    """What a best response to a player gets by listing every history, from b4 and c4."""
    home = Position.of("b4", "c4", "b1", "c1")
    total, asked = 0.0, {}

    def chances(state):
        view = state.view(state.ply % 2)
        key = view.blue, view.red, view.theirs, view.chasers[1]
        if key not in asked:
            asked[key] = ask(player, state)
        return asked[key]

    def value(states):
        """The best mean result over states that look the same, each with its weight."""
        state = states[0][0]
        if state.ply % 2 == seat:
            # the own moves are the same in all of them, what they take is not
            return max(
                after([(one.play(move), weight) for one, weight in states])
                for move in state.legal(seat)
            )
        replies = defaultdict(list)
        for one, weight in states:
            for move, chance in chances(one).items():
                if chance > 0:
                    replies[move].append((one.play(move), weight * chance))
        return sum(after(group) for group in replies.values())

    def after(states):
        over = sum(weight * one.returns()[seat] for one, weight in states if one.ending)
        left = defaultdict(list)
        for one, weight in states:
            if not one.ending:
                left[one.history].append((one, weight))
        return over + sum(value(group) for group in left.values())

    groups = defaultdict(list)
    for state, chance in deals(home, limit):
        groups[state.blue[seat]].append((state, chance))
    for states in groups.values():
        total += value(states)
    assert turn(home.blue | home.red, 16) == home.their_blue | home.their_red
    return total
