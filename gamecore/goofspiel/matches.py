"""Matches: two players meet again and again.

Profiles may know the game through graphs of different kinds: a match walks both, side by side.
"""

import numpy as np

from gamecore import check, rng
from gamecore.contest import Match, meet
from gamecore.game import CHANCE
from gamecore.game import State as AnyState
from gamecore.goofspiel.players import Player, decider, profile
from gamecore.goofspiel.rules import State, check_cards, start
from gamecore.goofspiel.strategy import Profile, graph
from gamecore.kernel import kernel


def match(
    first: Player, second: Player, games: int, seed: check.Seed, cards: int | None = None
) -> Match:
    """Play a match, one game after the other: fewer games are the first of more.

    Parameters
    ----------
    first, second : str, Profile or function
        Of `PLAYERS`, profiles, or functions from a view and a generator to a card. Player 0 follows
        `first`'s policy for player 0, player 1 follows `second`'s for player 1.
    games : int
        How often they meet.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random.
    cards : int, optional
        Cards each; by default as many as the profiles know, else 5.

    Examples
    --------
    >>> from gamecore.goofspiel import train
    >>> match("nash", train(4, "O", 100, seed=1), 1000, seed=1)
    Match: 610 wins, 264 draws, 126 losses; score 0.742 (95 % interval 0.714 to 0.768)
    >>> def high(view, rng):
    ...     return view.legal()[-1]
    >>> match("prize", high, 100, seed=1, cards=4).wins > 50
    True
    """
    games, seed = check.whole(games, "games", 1), check.seed(seed)
    known = {player.tree.cards for player in (first, second) if isinstance(player, Profile)}
    if len(known) == 2:
        numbers = f"{first.tree.cards} and {second.tree.cards}"  # type: ignore[union-attr]
        raise ValueError(f"both profiles must be for the same number of cards, not for {numbers}")
    number = check_cards(next(iter(known or {5})) if cards is None else cards)
    if known - {number}:
        raise ValueError(f"with {number} cards each, no profile for {known.pop()} can play")
    begun = start(number)
    check.memory(games, f"what is kept of {games:,} games")
    if not (isinstance(first, str | Profile) and isinstance(second, str | Profile)):
        players = [decider(first), decider(second)]
        return meet(lambda game, generator, last: (begun, (0, 1)), players, games, seed)
    sides = [
        (*graph(one.tree)[1:], one.rows[player], one.policies[player])
        for player, one in enumerate((profile(first, number), profile(second, number)))
    ]

    def played(games: int) -> tuple[np.ndarray, np.ndarray]:
        results, last = np.empty(games, np.int8), np.empty((number - 1, 3), np.int64)
        s = rng.state(seed)
        for begin, end in check.stretches(games):
            _play(number, *sides[0], *sides[1], s, results[begin:end], last)
        return results, last

    return Match(played(games)[0], lambda game: _replayed(begun, played(game + 1)[1]))


def _replayed(state: State, moves: np.ndarray) -> list[AnyState]:
    """Return the states of a game; moves are places in lists of legal ones."""
    states: list[AnyState] = [state]
    for prize, a, b in moves.tolist():
        states.append(state := state.play(state.legal(CHANCE)[prize]))
        states.append(state := state.play(state.legal(0)[a], state.legal(1)[b]))
    return states


@kernel
def _play(
    cards, starts0, links0, kids0, rows0, policy0, starts1, links1, kids1, rows1, policy1, s,
    results, last,
):  # fmt: skip
    """Fill in player 0's result of each game, −1, 0 or 1, and the moves of the last game."""
    for game in range(len(results)):
        prize = node0 = node1 = rng.below(s, cards)  # the first nodes: one per prize
        for n in range(cards, 1, -1):
            row0, row1 = rows0[node0], rows1[node1]
            a, b = rng.choice(s, policy0[row0 : row0 + n]), rng.choice(s, policy1[row1 : row1 + n])
            last[cards - n, 0], last[cards - n, 1], last[cards - n, 2] = prize, a, b
            node0 = kids0[links0[n] + ((node0 - starts0[n]) * n + a) * n + b]
            node1 = kids1[links1[n] + ((node1 - starts1[n]) * n + a) * n + b]
            if n > 2:
                prize = rng.below(s, n - 1)
                node0, node1 = node0 + prize, node1 + prize
        results[game] = node0 - len(rows0) - 1
