"""Contests: games between any players, and what came of them.

`playing` is one game and `meet` several, in Python, for players that are functions; games play
those of their own in kernels. Both end in a `Match`.
"""

from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist

import numpy as np
from tqdm.auto import tqdm

from gamecore import check
from gamecore.game import CHANCE, Decider, State

#: Makes a game of its number, the generator and the last game's end; see `meet`.
Opening = Callable[[int, np.random.Generator, State | None], tuple[State, Sequence[int]]]


class Contest:
    """What came of games between any number of players.

    Attributes
    ----------
    games : int
        How many games were played.
    counts : dict
        What the game counts in every game, by name: arrays with a value for each.

    Examples
    --------
    >>> Contest(2, plies=np.array([31, 44])).counts["plies"].max()
    np.int64(44)
    """

    def __init__(
        self, games: int, replayed: Callable[[int], list] | None = None, **counts: np.ndarray
    ):
        for name, values in counts.items():
            if len(values) != games:
                raise ValueError(f"{len(values)} {name} for {games} games")
        self.games, self.counts, self._replayed = games, counts, replayed

    def replay(self, game: int) -> list:
        """Return the states of one game, counted from 0, from its start to its end.

        Examples
        --------
        >>> from gamecore import rps
        >>> print(rps.match("rocky", "copycat", 10, seed=1).replay(3)[-1])
        scissors - paper
        """
        if self._replayed is None or check.whole(game, "game") >= self.games:
            raise ValueError(f"there are games 0 to {self.games - 1} to replay, not {game!r}")
        return self._replayed(int(game))


class Match(Contest):
    """What came of games between two players, said of the first.

    Attributes
    ----------
    results : numpy.ndarray
        Of every game, 1 for a win of the first player, 0 for a draw, −1 for a loss.
    games : int
        How many games were played.
    counts : dict
        What else the game counts in every game, by name.

    Examples
    --------
    >>> Match(np.array([1, 1, 0, -1]))
    Match: 2 wins, 1 draw, 1 loss; score 0.625 (95 % interval 0.219 to 0.908)
    """

    def __init__(
        self,
        results: np.ndarray,
        replayed: Callable[[int], list] | None = None,
        **counts: np.ndarray,
    ):
        super().__init__(len(results), replayed, **counts)
        self.results = results

    @property
    def wins(self) -> int:
        """How many the first player won."""
        return int((self.results > 0).sum())

    @property
    def draws(self) -> int:
        """How many were drawn."""
        return int((self.results == 0).sum())

    @property
    def losses(self) -> int:
        """How many the first player lost."""
        return int((self.results < 0).sum())

    @property
    def score(self) -> float:
        """The first player's share of points, a draw counting one half."""
        return (self.wins + self.draws / 2) / self.games

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return Wilson's confidence interval of the score.

        Examples
        --------
        >>> low, high = Match(np.array([1, 1, 0, -1])).interval()
        >>> low < 0.625 < high
        True
        """
        return wilson(self.wins + self.draws / 2, self.games, level)

    def __repr__(self) -> str:
        def some(number: int, word: str, words: str) -> str:
            return f"{number:,} {word if number == 1 else words}"

        low, high = self.interval()
        return (
            f"Match: {some(self.wins, 'win', 'wins')}, {some(self.draws, 'draw', 'draws')}, "
            f"{some(self.losses, 'loss', 'losses')}; score {self.score:.3f} "
            f"(95 % interval {low:.3f} to {high:.3f})"
        )


def playing(state: State, deciders: Sequence[Decider], rng: np.random.Generator) -> Iterator[State]:
    """Yield the states of one game from `state` to its end, which comes last.

    There is one decider for each seat; `rng` is for chance, and handed to every player. A move that
    is not legal is a ValueError that names player, move and position.

    Examples
    --------
    >>> from gamecore import rps
    >>> from gamecore.game import randomly
    >>> generator = np.random.default_rng(1)
    >>> [len(s.movers) for s in playing(rps.start(), [randomly, randomly], generator)]
    [2, 0]
    """
    yield state
    while movers := state.movers:
        moves = []
        for player in movers:
            if player == CHANCE:
                outcomes = state.legal(CHANCE)
                moves.append(outcomes[rng.integers(len(outcomes))])
                continue
            view = state.view(player)
            move = deciders[player](view, rng)
            if move not in (legal := view.legal()):
                who = getattr(deciders[player], "__name__", "the player")
                raise ValueError(
                    f"{who}, as {state.name(player)}, chose {move!r}, which is not legal in\n"
                    f"{state}\nwhere it may play {', '.join(legal)}"
                )
            moves.append(move)
        state = state.play(*moves)
        yield state


def meet(opening: Opening, deciders: Sequence[Decider], games: int, seed: check.Seed) -> Match:
    """Let players meet in Python, one game after the other: fewer games are the first of more.

    Parameters
    ----------
    opening : function
        Makes each game: from its number, the generator, and the end of the game before (None in
        the first) to its first state and the seat of each player.
    deciders : sequence of functions
        The players; each goes from a view and a generator to a move.
    games : int
        How many.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random, if the players draw only from the generator.

    Examples
    --------
    >>> from gamecore.game import randomly
    >>> from gamecore.rps import start
    >>> meet(lambda game, rng, last: (start(), (0, 1)), [randomly, randomly], 50, seed=1).games
    50
    """
    games, rng = check.whole(games, "games", 1), np.random.default_rng(check.seed(seed))
    begun: list[tuple] = []
    results, last = np.zeros(games, np.int8), None

    def states(game: int, last: State | None) -> tuple[list[State], Sequence[int]]:
        state, seats = opening(game, rng, last)
        seated = [decider for _, decider in sorted(zip(seats, deciders, strict=True))]
        return list(playing(state, seated, rng)), seats

    for game in tqdm(range(games), "games", delay=5, leave=False):
        begun.append((rng.bit_generator.state, last))
        played, seats = states(game, last)
        last = played[-1]
        points = last.returns()
        results[game] = np.sign(points[seats[0]] - points[seats[1]])

    def replayed(game: int) -> list[State]:
        rng.bit_generator.state, last = begun[game]
        return states(game, last)[0]

    return Match(results, replayed)


def wilson(successes: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's confidence interval for a proportion (Wilson 1927).

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    if not 0 <= successes <= n or n < 1:
        raise ValueError(f"{successes} successes of {n} games is not a proportion")
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (successes + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * (successes * (n - successes) / n + z * z / 4) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)
