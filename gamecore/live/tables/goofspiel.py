"""Goofspiel in the page: players who see less, trained there, measured, and played against.

Player 0 is one of sixteen who see the own hand and some features, trained as in the experiment
``goofspiel/curves`` (its seed of chunk 0), or plays an exact equilibrium. You are player 1, who
sees everything. All that is needed lies on the graph of histories.
"""

import numpy as np

from gamecore import rng
from gamecore.goofspiel import rules, sweep, tree
from gamecore.goofspiel.learn import _iterate, _read_sums
from gamecore.kernel import kernel
from gamecore.live.entries.goofspiel import (
    NO_FEATURES,
    _grow,
    _measures,
    _number,
    induce,
    pack,
)
from gamecore.live.generator import below, decision, generator
from gamecore.live.plan import GameTable, Room
from gamecore.live.plans.goofspiel import _tree
from gamecore.live.seeds import seed
from gamecore.papers.experiment import ROOT, words_of
from gamecore.papers.goofspiel.experiments import HAND, UNIT, curves

#: The most cards each: the tables of 6 are too large for a page.
MOST = 5
#: Sets of features by number: bit i stands for ``FEATURES[i]``. Behind them, the equilibrium.
ALL, EXACT = 15, 16
SETS = ["".join(c for i, c in enumerate(tree.FEATURES) if k >> i & 1) for k in range(EXACT)]
#: What is known of a trained player: ε, b₀, b₁, both returns, and shares of the gap.
EPS, RETURN, AGAINST_EXACT, SHARES, MEASURES = 0, 3, 4, 5, 7
#: What is told of a game: the prize, cards left, points, your result, rounds; then the three sets.
PRIZE, LEFT, ITS, YOURS, RESULT, ROUNDS, TOLD = range(7)


@kernel
def _length(cards, starts, rows):
    """Return how many numbers a policy with these rows has."""
    most = 0
    for v in range(starts[2], len(rows)):
        most = max(most, rows[v])
    return np.int64(most + 2)


@kernel
def goofspiel_prepare(
    cards, kind, blocks, sizes, states, starts, links, kids, masks, rows, rows1, lengths0, lengths1,
    ends, worth, means, exact,
):  # fmt: skip
    """Make the graph and solve the game: all that depends on the number of cards only."""
    _grow(0, cards - 1, cards, kind, blocks, sizes, states, starts, links, kids)
    nodes = sizes[1]
    some, own = states[:nodes], rows1[:nodes]
    _number(cards, some, starts, links, kids, NO_FEATURES, 0, own, lengths1)
    _number(cards, some, starts, links, kids, masks[ALL], 0, rows[ALL][:nodes], lengths0)
    ends[EXACT] = _length(cards, starts, own)
    ends[ALL] = _length(cards, starts, rows[ALL][:nodes])
    induce(0, cards - 1, cards, starts, links, kids, rows[ALL][:nodes], worth[:nodes], means, exact)


@kernel
def goofspiel_train(
    start, stop, features, cards, sizes, states, starts, links, kids, masks, seeds, rows, rows1,
    lengths0, ends, graph, table, learner,
):  # fmt: skip
    """Train a player who sees `features`, and the other side, a thousand iterations an item."""
    nodes = sizes[1]
    own = rows[features][:nodes]
    if start == 0:
        _number(cards, states[:nodes], starts, links, kids, masks[features], 0, own, lengths0)
        ends[features] = _length(cards, starts, own)
        pack(
            0, 1, cards, starts, links, kids, own, rows1[:nodes], lengths0[: ends[features]], graph
        )
        for k in range(len(table)):
            table[k] = 0.0
        seed(seeds[features], learner)
    _iterate((stop - start) * UNIT, cards, graph, table, learner)


@kernel
def goofspiel_measure(
    features, cards, sizes, starts, links, kids, rows, rows1, lengths0, lengths1, ends, table,
    policies, policy1, exact, values, means, measures,
):  # fmt: skip
    """Keep the average policy of who has just been trained, and measure it exactly."""
    nodes, split = sizes[1], 2 * ends[features]
    own, other = rows[features][:nodes], rows1[:nodes]
    shorter, longer = lengths0[: ends[features]], lengths1[: ends[EXACT]]
    policy, opposed = policies[features][: ends[features]], policy1[: ends[EXACT]]
    _read_sums(shorter, table[:split], policy)
    _read_sums(longer, table[split:], opposed)
    sweep.normalise(shorter, policy)
    sweep.normalise(longer, opposed)
    found = measures[features]
    graph = cards, starts, links, kids
    _measures(*graph, own, other, policy, opposed, values, means, 0, found)
    found[AGAINST_EXACT] = sweep.expected(
        *graph, own, rows[ALL][:nodes], policy, exact[1], values, means
    )


@kernel
def goofspiel_share(measures):
    """Write which share of the gap from the hand only to all features sets close: ε, return."""
    for k in range(2):
        by = EPS if k == 0 else RETURN
        hand, full = measures[0, by], measures[ALL, by]
        for features in range(EXACT):
            measures[features, SHARES + k] = (hand - measures[features, by]) / (hand - full)


@kernel
def _mixtures(who, policies, exact):
    return exact[0] if who == EXACT else policies[who]


@kernel
def goofspiel_face(
    who, cards, sizes, starts, links, kids, rows, policies, exact, values, means, reply, theory
):  # fmt: skip
    """Say what a best response to a player wins, and what an equilibrium wins; keep the former."""
    nodes, policy = sizes[1], _mixtures(who, policies, exact)
    own, full = rows[min(who, ALL)][:nodes], rows[ALL][:nodes]
    graph = cards, starts, links, kids
    theory[0] = sweep.best_response(*graph, 1, own, policy, values, reply)
    theory[1] = -sweep.expected(*graph, own, full, policy, exact[1], values, means)


@kernel
def _tell(state, left, told, held):
    """Write what lies on the table."""
    for card in range(1, MOST + 1):
        bit = 1 << (card - 1)
        held[0, card - 1] = rules.hand(state, 0) & bit != 0
        held[1, card - 1] = rules.hand(state, 1) & bit != 0
        held[2, card - 1] = rules.deck(state) & bit != 0
    told[PRIZE], told[LEFT] = rules.prize(state), left


@kernel
def goofspiel_begin(words, cards, states, g, at, told, held, rounds):
    """Begin a game with a seed: chance turns up the first prize."""
    generator(words, g)
    told[:] = 0
    rounds[:] = 0
    at[0] = below(g, cards)
    _tell(states[at[0]], cards, told, held)


@kernel
def _round(state, card0, card1, told, rounds):
    """Play two cards, note the round, and return the state after it."""
    then = rules.play(state, card0, card1)
    taken = rules.difference(then) - rules.difference(state)
    told[ITS] += max(taken, 0)
    told[YOURS] += max(-taken, 0)
    note = rounds[told[ROUNDS]]
    note[0], note[1], note[2], note[3] = rules.prize(state), card0, card1, taken
    told[ROUNDS] += 1
    return then


@kernel
def goofspiel_play(
    card, who, sizes, states, starts, links, kids, rows, policies, exact, g, s, at, told, held,
    rounds,
):  # fmt: skip
    """Let the other player choose, then play both cards; the last card plays itself."""
    n, node = told[LEFT], at[0]
    if n < 2:
        raise ValueError("the game is over")
    state = states[node]
    if card < 1 or card > MOST or rules.hand(state, 1) >> (card - 1) & 1 == 0:
        raise ValueError("this card is not in your hand")
    row = rows[min(who, ALL), node]
    decision(g, s)
    a = rng.choice(s, _mixtures(who, policies, exact)[row : row + n])
    b = 0
    while rules.nth(rules.hand(state, 1), b) != card:
        b += 1
    then = _round(state, rules.nth(rules.hand(state, 0), a), card, told, rounds)
    if n > 2:
        at[0] = kids[links[n] + ((node - starts[n]) * n + a) * n + b] + below(g, n - 1)
        _tell(states[at[0]], n - 1, told, held)
        return
    then = rules.reveal(then, rules.nth(rules.deck(then), 0))
    last = rules.nth(rules.hand(then, 0), 0), rules.nth(rules.hand(then, 1), 0)
    then = _round(then, last[0], last[1], told, rounds)
    told[RESULT] = -rules.outcome(then)
    _tell(then, 0, told, held)


@kernel
def goofspiel_look(
    features, who, states, starts, links, kids, rows, policies, exact, worth, reply, at, told,
    chances, cards_worth,
):  # fmt: skip
    """Write how the masked, the full and the exact player mix here, and what your cards are worth.

    `chances` has a place for each card there is. Your cards are worth what a best response wins
    with them against `who`; behind them stands what the table is worth to you in equilibrium.
    """
    chances[:] = 0.0
    cards_worth[:] = 0.0
    n, node = told[LEFT], at[0]
    if n < 2:
        return
    state = states[node]
    for k in range(3):
        player = features if k == 0 else ALL if k == 1 else EXACT
        row = rows[min(player, ALL), node]
        for x in range(n):
            card = rules.nth(rules.hand(state, 0), x)
            chances[k, card - 1] = _mixtures(player, policies, exact)[row + x]
    row, policy = rows[min(who, ALL), node], _mixtures(who, policies, exact)
    for y in range(n):
        total = 0.0
        for x in range(n):
            kid = kids[links[n] + ((node - starts[n]) * n + x) * n + y]
            total += policy[row + x] * reply[kid]
        cards_worth[rules.nth(rules.hand(state, 1), y) - 1] = total
    cards_worth[MOST] = -worth[node]


def _values() -> dict:
    """Return room for the largest game."""
    made = tree.build(MOST, "history")
    nodes, levels = len(made.states), range(2, MOST + 1)
    length0, length1 = (tree.policy_size(made, tree.rows(made, f)) for f in (SETS[ALL], None))
    counts = {n: made.level(n).stop - made.level(n).start for n in levels}
    records = sum((2 + n * n if n > 2 else 3) * counts[n] for n in levels)
    seeds = [[ROOT, *words_of(curves, {"features": name or HAND}), 0] for name in SETS]
    number, real = np.int64, np.float64
    return _tree(MOST, "history") | {
        "cards": MOST, "features": 0, "who": 0, "card": 0, "sizes": Room(number, (3,)),
        "masks": np.array([tree._seen(name) for name in SETS]),
        "seeds": np.array(seeds, np.uint32), "learner": Room(np.uint64, (4,)),
        "rows": Room(np.int32, (EXACT, nodes)), "rows1": Room(np.int32, (nodes,)),
        "lengths0": Room(np.int8, (length0,)), "lengths1": Room(np.int8, (length1,)),
        "ends": Room(number, (EXACT + 1,)), "graph": Room(np.uint32, (records,)),
        "table": Room(real, (2 * (length0 + length1),)),
        "policies": Room(real, (EXACT, length0)), "policy1": Room(real, (length1,)),
        "exact": Room(real, (2, length0)), "worth": Room(real, (nodes,)),
        "values": Room(real, (nodes + 3,)), "means": Room(real, (nodes + 3,)),
        "reply": Room(real, (nodes + 3,)), "measures": Room(real, (EXACT, MEASURES)),
        "theory": Room(real, (2,)), "at": Room(number, (1,)), "told": Room(number, (TOLD,)),
        "held": Room(np.int32, (3, MOST)), "rounds": Room(number, (MOST, 4)),
        "chances": Room(real, (3, MOST)), "cards_worth": Room(real, (MOST + 1,)),
    }  # fmt: skip


TABLE = GameTable(
    [
        goofspiel_prepare, goofspiel_train, goofspiel_measure, goofspiel_share, goofspiel_face,
        goofspiel_begin, goofspiel_play, goofspiel_look,
    ],
    _values(),
)  # fmt: skip
