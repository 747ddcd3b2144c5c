"""Slow, plain rules of Goofspiel: the reference of the fast kernels.

Written only from Fujii's paper (shared/papers/fujii-goofspiel-abstraction.txt) and its spec
(shared/specs/goofspiel.md): rules in section 4.1, features in 4.2, exploitability in 2.2, CFR in
2.3, abstraction of one player in 2.5 and 3.

Bids are simultaneous and everything else is public, so one history stands for both players'
decisions of a round.  Nothing here is clever: tuples, sets, dictionaries, recursion.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

FEATURES = "CODP"
Round = tuple[int, int, int]  # the prize, the bid of player 0, the bid of player 1


class History(NamedTuple):
    cards: int  # N
    rounds: tuple[Round, ...] = ()
    prize: int | None = None  # the revealed card; None before a reveal and at the end


Key = Callable[[History, int], Hashable]  # what a player knows of a history
Policy = Callable[[History, int], dict[int, float]]  # the probability of each legal bid
Table = dict[Hashable, dict[int, float]]


def hand(history: History, player: int) -> frozenset[int]:
    """The cards a player still holds, from 1 to N."""
    return frozenset(range(1, history.cards + 1)) - {r[1 + player] for r in history.rounds}


def deck(history: History) -> frozenset[int]:
    """The cards still face down: the revealed prize has left the deck."""
    seen = {r[0] for r in history.rounds} | {history.prize}
    return frozenset(range(1, history.cards + 1)) - seen


def legal_bids(history: History, player: int) -> list[int]:
    return sorted(hand(history, player))


def winner(bid0: int, bid1: int) -> int | None:
    """The player who takes the prize; None for a tie, which scores nobody."""
    if bid0 == bid1:
        return None
    return 0 if bid0 > bid1 else 1


def scores(history: History) -> tuple[int, int]:
    points = [0, 0]
    for prize, bid0, bid1 in history.rounds:
        taker = winner(bid0, bid1)
        if taker is not None:
            points[taker] += prize
    return points[0], points[1]


def is_terminal(history: History) -> bool:
    return len(history.rounds) == history.cards


def final_return(history: History) -> int:
    """win_loss, for player 0: +1, 0 or -1 (player 1 gets the negative)."""
    points0, points1 = scores(history)
    return (points0 > points1) - (points0 < points1)


def reveals(history: History) -> list[History]:
    """One history for each equally likely next prize."""
    return [history._replace(prize=prize) for prize in sorted(deck(history))]


def step(history: History, bid0: int, bid1: int) -> History:
    """Both bids of a round; if one card remains, it plays itself and the game is over."""
    assert history.prize is not None
    assert bid0 in hand(history, 0)
    assert bid1 in hand(history, 1)
    rounds = (*history.rounds, (history.prize, bid0, bid1))
    after = History(history.cards, rounds)
    if len(rounds) == history.cards - 1:
        (prize,), (last0,), (last1,) = deck(after), hand(after, 0), hand(after, 1)
        return History(history.cards, (*rounds, (prize, last0, last1)))
    return after


def information_key(history: History, player: int) -> Hashable:
    """No abstraction: the hands, the prizes in order, who won each (173,905 keys at N = 5).

    Like OpenSpiel's information state, it leaves out the order of the bids where the winners do
    not tell it.  What is left out changes neither future rules nor returns.
    """
    won = tuple(winner(b0, b1) for _, b0, b1 in history.rounds)
    prizes = tuple(r[0] for r in history.rounds)
    return hand(history, player), hand(history, 1 - player), prizes, won, history.prize


def perfect_recall_key(history: History, player: int) -> Hashable:
    """Everything public, bids in order: strictly finer than information_key from N = 4 on."""
    return history.rounds, history.prize, player


def feature_key(history: History, player: int, features: str) -> Hashable:
    """The own hand and any subset of CODP: all the abstracted player may look at."""
    points = scores(history)
    values = {
        "C": history.prize,
        "O": hand(history, 1 - player),
        "D": deck(history),
        "P": points[player] - points[1 - player],
    }
    return hand(history, player), *(values[f] for f in FEATURES if f in features)


def descendants(history: History) -> Iterator[History]:
    """This history and every one after it."""
    yield history
    if is_terminal(history):
        return
    if history.prize is None:
        following = reveals(history)
    else:
        pairs = product(legal_bids(history, 0), legal_bids(history, 1))
        following = [step(history, *bids) for bids in pairs]
    for after in following:
        yield from descendants(after)


def decisions(cards: int) -> Iterator[History]:
    """Every history at which the players bid."""
    return (h for h in descendants(History(cards)) if h.prize is not None)


def count_terminals(cards: int) -> int:
    return sum(is_terminal(h) for h in descendants(History(cards)))


def count_keys(cards: int, player: int, key: Key = information_key) -> int:
    return len({key(h, player) for h in decisions(cards)})


def count_markov_states(cards: int) -> int:
    return count_keys(cards, 0, lambda h, player: feature_key(h, player, FEATURES))


def uniform(history: History, player: int) -> dict[int, float]:
    bids = legal_bids(history, player)
    return {bid: Fraction(1, len(bids)) for bid in bids}


def table_policy(table: Table, key: Key) -> Policy:
    """Look the key up; uniform where the table has no entry."""
    return lambda h, player: table.get(key(h, player)) or uniform(h, player)


def expected_return(policy0: Policy, policy1: Policy, history: History) -> float:
    """u0, with the exact chance of every prize order (exact if the policies are Fractions)."""
    if is_terminal(history):
        return final_return(history)
    if history.prize is None:
        values = [expected_return(policy0, policy1, h) for h in reveals(history)]
        return sum(values) / len(values)
    return sum(
        p * q * expected_return(policy0, policy1, step(history, a, b))
        for a, p in policy0(history, 0).items()
        for b, q in policy1(history, 1).items()
        if p and q
    )


def best_response_value(player: int, policies: tuple[Policy, Policy], history: History) -> float:
    """b_player, the most this player earns against the other's policy with nothing abstracted."""
    if is_terminal(history):
        return final_return(history) * (1 if player == 0 else -1)
    if history.prize is None:
        values = [best_response_value(player, policies, h) for h in reveals(history)]
        return sum(values) / len(values)
    totals = []
    for own in legal_bids(history, player):
        total = 0
        for other, q in policies[1 - player](history, 1 - player).items():
            bids = (own, other) if player == 0 else (other, own)
            total += q * best_response_value(player, policies, step(history, *bids))
        totals.append(total)
    return max(totals)


def exploitability(policies: tuple[Policy, Policy], history: History) -> float:
    return sum(best_response_value(player, policies, history) for player in (0, 1)) / 2


def normalised(weights: dict[int, float]) -> dict[int, float]:
    """Proportional to the positive parts, uniform if there are none (section 2.3)."""
    positive = {bid: max(w, 0) for bid, w in weights.items()}
    total = sum(positive.values())
    return {bid: w / total if total else Fraction(1, len(positive)) for bid, w in positive.items()}


def cfr(
    cards: int, iterations: int, keys: tuple[Key, Key], one: float | Fraction = 1.0
) -> tuple[Table, Table]:
    """Average strategies of vanilla full-width CFR, alternating updates, one key per player.

    A key's average weighs each of its histories by the player's own reach and chance: what
    external sampling does in expectation when it updates the average at the opponent's nodes.
    With one = Fraction(1) all is exact: in floats a regret of exactly 0 may round to either sign.
    """
    regrets, averages = ({}, {}), ({}, {})

    def walk(history: History, me: int, reach: tuple[float, float], chance: float) -> float:
        if is_terminal(history):
            return final_return(history) * one
        if history.prize is None:
            following = reveals(history)
            share = chance / len(following)
            return sum(walk(h, me, reach, share) for h in following) / len(following)
        mix = [strategy[p](history, p) for p in (0, 1)]
        values = {}
        for a, b in product(*mix):
            onward = (reach[0] * mix[0][a], reach[1] * mix[1][b])
            values[a, b] = walk(step(history, a, b), me, onward, chance)
        value = sum(mix[0][a] * mix[1][b] * v for (a, b), v in values.items())
        other = 1 - me
        weight = chance * reach[other]
        average = averages[other].setdefault(keys[other](history, other), defaultdict(int))
        for bid, q in mix[other].items():
            average[bid] += weight * q
        regret = regrets[me].setdefault(keys[me](history, me), defaultdict(int))
        for bids, v in values.items():  # minus for player 1, whose return is the negative
            gain = mix[other][bids[other]] * (v - value)
            regret[bids[me]] += weight * (gain if me == 0 else -gain)
        return value

    for _ in range(iterations):
        for traverser in (0, 1):
            tables = [{k: normalised(r) for k, r in regrets[p].items()} for p in (0, 1)]
            strategy = [table_policy(tables[p], keys[p]) for p in (0, 1)]
            walk(History(cards), traverser, (one, one), one)
    return tuple({k: normalised(a) for k, a in averages[p].items()} for p in (0, 1))
