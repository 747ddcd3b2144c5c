"""Goofspiel in the page: trees, training, full-width CFR, and backward induction."""

import numpy as np

from gamecore.goofspiel import rules, sweep
from gamecore.goofspiel.learn import _iterate, _read_sums
from gamecore.goofspiel.solution import _solve_level
from gamecore.goofspiel.tree import _play_all, _reveal_all
from gamecore.kernel import kernel
from gamecore.live.order import place_of, ranked
from gamecore.papers.goofspiel.experiments import UNIT

_PLAIN = (1 << rules.BITS) - 1
#: In the place of what a player sees: every node has a row of its own.
NO_FEATURES = -1
#: What is read off policies: values and best responses, or cards.
CURVES, PLAYED = range(2)


@kernel
def _grow(start, stop, cards, kind, blocks, sizes, states, starts, links, kids):
    """Add levels to a tree; see `gamecore.goofspiel.tree.build`."""
    for k in range(start, stop):
        n = cards - k
        if k == 0:
            blocks[0], sizes[0], sizes[1], sizes[2] = rules.initial(cards), 1, 0, 0
        level = np.empty(sizes[0] * n, np.int64)
        _reveal_all(blocks[: sizes[0]], n, level)
        starts[n], links[n] = sizes[1], sizes[2]
        sizes[1] += len(level)
        after = np.empty(len(level) * n * n, np.int64)
        _play_all(level, n, kind, cards - n, after)
        ranks = np.empty(len(after), np.int64)
        if n > 2:
            found = ranked(after, ranks)
            sizes[0] = len(found)
            for i in range(len(found)):
                blocks[i] = found[i]
        for i in range(len(after)):
            kids[links[n] + i] = sizes[1] + (ranks[i] * (n - 1) if n > 2 else after[i] + 1)
        for i in range(len(level)):
            states[starts[n] + i] = level[i] & _PLAIN
        sizes[2] += len(after)


@kernel
def grow(start, stop, cards, kind, blocks, sizes, states, starts, links, kids):
    """Make the tree of public states, level by level."""
    _grow(start, stop, cards, kind, blocks, sizes, states, starts, links, kids)


@kernel
def grow_past(
    start, stop, cards, past_kind, past_blocks, sizes, past_states, past_starts, past_links,
    past_kids,
):  # fmt: skip
    """Make a second tree, which also knows the past."""
    _grow(
        start, stop, cards, past_kind, past_blocks, sizes, past_states, past_starts, past_links,
        past_kids,
    )  # fmt: skip


@kernel
def _level(n, starts, nodes):
    return starts[n], starts[n - 1] if n > 2 else nodes


@kernel
def _number(cards, states, starts, links, kids, seen, recalls, rows, lengths):
    """Write where each node's mixture begins, and each row's length; see `tree.rows`."""
    base, nodes = 0, len(states)
    memory = np.zeros(1, np.int64)
    for n in range(cards, 1, -1):
        first, last = _level(n, starts, nodes)
        group = np.arange(last - first)
        if seen != NO_FEATURES:
            for i in range(last - first):
                group[i] = states[first + i] & seen
            sights = len(ranked(group.copy(), group))
            if recalls:
                for i in range(last - first):
                    group[i] += memory[i // n] * sights
                ranked(group.copy(), group)
                if n > 2:
                    memory = np.empty((last - first) * n * n, np.int64)
                    for i in range(len(memory)):
                        block = (kids[links[n] + i] - starts[n - 1]) // (n - 1)
                        memory[block] = group[i // (n * n)] * n + i // n % n
        most = 0
        for i in range(last - first):
            rows[first + i] = base + group[i] * n
            lengths[rows[first + i]] = n
            most = max(most, group[i])
        base += (most + 1) * n


@kernel
def number(
    start, stop, cards, states, starts, links, kids, seen0, seen1, recalls, rows0, rows1,
    lengths0, lengths1,
):  # fmt: skip
    """Find out which nodes look alike to either player."""
    _number(cards, states, starts, links, kids, seen0, recalls, rows0, lengths0)
    _number(cards, states, starts, links, kids, seen1, 0, rows1, lengths1)


@kernel
def pack(start, stop, cards, starts, links, kids, rows0, rows1, lengths0, graph):
    """Write all that a traversal reads, as `gamecore.goofspiel.learn` packs it."""
    nodes, base, at = len(rows0), 0, 0
    for n in range(cards, 1, -1):
        first, last = _level(n, starts, nodes)
        size = 2 + n * n if n > 2 else 3
        below = (n - 1) * (n - 1) + 2 if n > 3 else 3
        base += size * (last - first)  # where the next level begins
        for v in range(first, last):
            graph[at], graph[at + 1] = 2 * rows0[v], 2 * (len(lengths0) + rows1[v])
            link = links[n] + (v - first) * n * n
            if n > 2:
                for k in range(n * n):
                    graph[at + 2 + k] = base + (kids[link + k] - starts[n - 1]) * below
            else:
                graph[at + 2] = 0
                for k in range(4):
                    graph[at + 2] += (kids[link + k] - nodes) << 2 * k
            at += size


@kernel
def _measures(
    cards, starts, links, kids, rows0, rows1, policy0, policy1, values, means, at, row
):  # fmt: skip
    """Write exploitability, both best responses and the expected return."""
    graph = cards, starts, links, kids
    b0 = sweep.best_response(*graph, 0, rows1, policy1, values, means)
    b1 = sweep.best_response(*graph, 1, rows0, policy0, values, means)
    row[at], row[at + 1], row[at + 2] = (b0 + b1) / 2, b0, b1
    row[at + 3] = sweep.expected(*graph, rows0, rows1, policy0, policy1, values, means)


@kernel
def _cards_played(cards, states, starts, links, kids, rows0, policy0, values, at, row):
    """Write the mean first card at each prize, and how likely the highest is played, and when."""
    for node in range(cards):
        total = 0.0
        for k in range(cards):
            total += (k + 1) * policy0[rows0[node] + k]
        row[at + node] = total
    weights = values[: len(states)]
    sweep.reach(cards, starts, links, kids, 0, rows0, policy0, weights)
    top = 1 << (cards - 1)
    for side in range(2):
        passed, played, total = 1, 0.0, 0.0
        for n in range(cards - 1, 1, -1):
            passed *= n + 1
            first, last = _level(n, starts, len(states))
            some_played, some = 0.0, 0.0
            for v in range(first, last):
                inside = states[v] >> rules.DECK & top != 0
                if states[v] >> rules.OWN & top and inside == (side == 0):
                    weight = weights[v] / passed
                    some_played += weight * policy0[rows0[v] + n - 1]
                    some += weight
            played += some_played
            total += some
        row[at + cards + side] = played / total


@kernel
def train(
    start, stop, cards, states, starts, links, kids, rows0, rows1, lengths0, lengths1, graph,
    table, policy0, policy1, values, means, checkpoints, reading, s, row,
):  # fmt: skip
    """Train on, a thousand iterations an item; at checkpoints read numbers off both policies."""
    columns = len(row) // len(checkpoints)
    if start == 0:
        for k in range(len(row)):
            row[k] = -1.0
    for unit in range(start, stop):
        _iterate(UNIT, cards, graph, table, s)
        for k in range(len(checkpoints)):
            if checkpoints[k] == (unit + 1) * UNIT:
                split = 2 * len(lengths0)
                _read_sums(lengths0, table[:split], policy0)
                _read_sums(lengths1, table[split:], policy1)
                sweep.normalise(lengths0, policy0)
                sweep.normalise(lengths1, policy1)
                if reading == CURVES:
                    _measures(
                        cards, starts, links, kids, rows0, rows1, policy0, policy1, values, means,
                        columns * k, row,
                    )  # fmt: skip
                else:
                    _cards_played(
                        cards, states, starts, links, kids, rows0, policy0, values, columns * k, row
                    )


@kernel
def _average(lengths, sums, policy):
    for k in range(len(sums)):
        policy[k] = sums[k]
    sweep.normalise(lengths, policy)


@kernel
def minimise(
    start, stop, cards, states, starts, links, kids, rows0, rows1, lengths0, lengths1, plus,
    regrets0, regrets1, current0, current1, sums0, sums1, policy0, policy1, values, means, reading,
    games, row,
):  # fmt: skip
    """Iterate CFR; read numbers off the average policies half-way and at the end."""
    if start == 0:
        sweep.normalise(lengths0, current0)
        sweep.normalise(lengths1, current1)
    half, done = max(games // 2, 1), start
    while done < stop:
        until = min(stop, half) if done < half else stop
        sweep.cfr(
            cards, starts, links, kids, rows0, rows1, lengths0, lengths1, plus != 0, done, until,
            regrets0, regrets1, current0, current1, sums0, sums1,
        )  # fmt: skip
        done = until
        if done != half and done != games:
            continue
        _average(lengths0, sums0, policy0)
        _average(lengths1, sums1, policy1)
        if reading == PLAYED:
            _cards_played(cards, states, starts, links, kids, rows0, policy0, values, 0, row)
            continue
        _measures(cards, starts, links, kids, rows0, rows1, policy0, policy1, values, means, 0, row)
        if done == half:
            row[4], row[5] = row[2], row[3]


@kernel
def induce(start, stop, cards, starts, links, kids, rows0, values, means, policies):
    """Solve the levels of a tree, from two cards on: a matrix game for every state."""
    nodes = len(rows0)
    for k in range(start, stop):
        n = k + 2
        if k == 0:
            sweep.settle(nodes, 1.0, means)
        first, last = _level(n, starts, nodes)
        _solve_level(0, last - first, n, first, links[n], kids, rows0, means, values, policies)
        sweep.block_means(n, first, last, values, means)


@kernel
def facts(
    start, stop, cards, states, starts, links, kids, rows0, values, means, policies, past_states,
    past_starts, past_links, past_kids, past_rows, past_values, row,
):  # fmt: skip
    """Write what backward induction says of the game, and of a player who knows the past."""
    nodes, ranks = len(states), np.empty(len(states), np.int64)
    order = np.empty(nodes, np.int64)  # the node of each state in rising order
    ordered = ranked(states, ranks)
    for v in range(nodes):
        order[ranks[v]] = v
    most = 0.0
    for v in range(nodes):
        state = states[v]
        hands = (state & 255) << rules.OTHER | state >> rules.OTHER & 255
        middle = state & (255 << rules.DECK | 15 << rules.PRIZE)
        exchanged = hands | middle | (128 - (state >> rules.SCORE & 127)) << rules.SCORE
        partner = order[place_of(ordered, len(ordered), exchanged)]
        most = max(most, abs(values[v] + values[partner]))
    row[3], row[4], row[5] = most, len(ordered), len(past_states)
    place = np.empty(len(past_states) + 3, np.int64)
    for v in range(len(past_states)):
        place[v] = order[place_of(ordered, len(ordered), past_states[v])]
        past_rows[v] = rows0[place[v]]
    for k in range(3):
        place[len(past_states) + k] = nodes + k
    wrong = 0
    for n in range(cards, 1, -1):
        first, last = _level(n, past_starts, len(past_states))
        for v in range(first, last):
            own = links[n] + (place[v] - starts[n]) * n * n
            link = past_links[n] + (v - first) * n * n
            for k in range(n * n):
                for c in range(n - 1 if n > 2 else 1):
                    wrong += place[past_kids[link + k] + c] != kids[own + k] + c
    row[6] = wrong
    graph, scratch, more = (cards, starts, links, kids), past_values[0], past_values[1]
    row[0] = sweep.expected(*graph, rows0, rows0, policies[0], policies[1], scratch, more)
    b0 = sweep.best_response(*graph, 0, rows0, policies[1], scratch, more)
    b1 = sweep.best_response(*graph, 1, rows0, policies[0], scratch, more)
    row[1] = (b0 + b1) / 2
    row[2] = sweep.best_response(
        cards, past_starts, past_links, past_kids, 1, past_rows, policies[0], scratch, more
    )
