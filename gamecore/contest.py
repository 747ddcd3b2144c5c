"""Contests: games between any players, and what came of them.

`playing` is one game and `meet` several, in Python, for players that are functions; games play
those of their own in kernels. Both end in a `Match`.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist

import numpy as np
from tqdm import tqdm

from gamecore import check
from gamecore.game import CHANCE, Decider, State, View, legal_move

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
        check.whole(games, "games", 1)
        for name, values in counts.items():
            check.instance(values, name, np.ndarray)
            if values.shape[:1] != (games,):
                raise ValueError(f"{name} must be one for each of {games} games: {values.shape}")
        if replayed is not None:
            check.function(replayed, "replayed")
        self.games, self.counts, self._replayed = games, counts, replayed

    def replay(self, game: int) -> list:
        """Return the states of one game, counted from 0, from its start to its end.

        Examples
        --------
        >>> from gamecore import rps
        >>> print(rps.match("rocky", "copycat", 10, seed=1).replay(3)[-1])
        scissors - paper
        """
        if self._replayed is None:
            raise ValueError("these games were not kept: there is nothing to replay")
        return self._replayed(check.whole(game, "game", 0, self.games - 1))


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
        if not np.isin(check.numbers(results, "results", (None,)), (-1, 0, 1)).all():
            raise ValueError("results must be 1, 0 or −1 in every game")
        super().__init__(len(results), replayed, **counts)
        self.results = np.asarray(results)

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
    """Return the states of one game from `state` to its end, which comes last.

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
    seats = len(check.instance(state, "state", State).seats)
    players = list(map(_as_player, check.listed(deciders, "deciders", seats)))
    return _playing(state, players, check.instance(rng, "rng", np.random.Generator))


def _as_player(decider: Decider) -> Decider:
    """Return a function that can be a player, or raise a ValueError that says what one is."""
    who = getattr(decider, "__name__", None) or check.short(decider)
    try:
        inspect.signature(check.function(decider, "a player")).bind(None, None)
    except TypeError:
        raise ValueError(
            f"a player is a function of two things, a view and a generator; {who} is not"
        ) from None
    return decider


def _playing(state: State, deciders: list[Decider], rng: np.random.Generator) -> Iterator[State]:
    yield state
    while movers := state.movers:
        moves = []
        for player in movers:
            if player == CHANCE:
                outcomes = state.legal(CHANCE)
                moves.append(outcomes[rng.integers(len(outcomes))])
                continue
            view, who = state.view(player), getattr(deciders[player], "__name__", "the player")
            move = deciders[player](view, rng)
            try:
                legal_move(move, view.legal(), f"{who}, as {state.name(player)}, chose")
            except ValueError as error:
                raise ValueError(f"{error}, in\n{state}") from None
            moves.append(move)
        state = state.play(*moves)
        yield state


def asked(decider: Decider, view: View, seed: check.Seed = 0) -> dict[str, float]:
    """Return what a function would do, as a game's ``ask`` says it: all on the move it chooses.

    Examples
    --------
    >>> from gamecore import rps
    >>> asked(lambda view, rng: "rock", rps.start().view(0))
    {'rock': 1.0, 'paper': 0.0, 'scissors': 0.0}
    """
    legal = check.instance(view, "view", View).legal()
    rng = np.random.default_rng(check.seed(seed))
    chosen = legal_move(_as_player(decider)(view, rng), legal, "the player chose")
    return {move: float(move == chosen) for move in legal}


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
    check.function(opening, "opening")
    players = list(map(_as_player, check.listed(deciders, "deciders")))
    begun: list[tuple] = []
    results, last = np.zeros(games, np.int8), None

    def states(game: int, last: State | None) -> tuple[list[State], Sequence[int]]:
        state, seats = check.listed(opening(game, rng, last), "what opening gives", 2)
        check.listed(seats, "seats", len(players))
        seated = [decider for _, decider in sorted(zip(seats, players, strict=True))]
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


def wilson(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's confidence interval for a proportion (Wilson 1927).

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    n = check.real(n, "n, a number of games,", 1, 1e18)  # sums of tables may be kept as floats
    successes = check.real(successes, "successes", 0, n)
    level = check.real(level, "level", 0.001, 0.9999999)
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (successes + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * (successes * (n - successes) / n + z * z / 4) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)
