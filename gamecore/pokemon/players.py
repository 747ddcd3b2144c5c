"""Who decides: random, Monte Carlo, and the Nash, δ-Nash and biased δ-Nash players.

A Nash player solves the true payoff matrix of the turn, a δ-Nash player one that it misperceives;
see `gamecore.pokemon.perception`.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from gamecore import check, rng
from gamecore.contest import asked
from gamecore.game import Decider, Open, View
from gamecore.kernel import kernel
from gamecore.pokemon import rules
from gamecore.pokemon.montecarlo import PLAYOUTS, best_score, estimates, playout
from gamecore.pokemon.perception import (
    BIASES,
    NOISES,
    Settings,
    draw_strategies,
    favoured,
    mixture,
    seen,
)
from gamecore.pokemon.solution import Lookup, Solution, fitting, payoffs
from gamecore.pokemon.state import State

#: Kinds of players; a Nash player with noise is the δ-Nash player.
PLAYERS = ("random", "monte-carlo", "nash")
_RANDOM, _MONTE_CARLO, _NASH = range(3)


@dataclass(frozen=True, kw_only=True, repr=False)
class Player:
    """A player with its parameters; made by `player`, which explains them.

    Attributes
    ----------
    kind : str
        One of `PLAYERS`.
    noise : str
        The noise on payoffs: none, uniform, variable or normal.
    delta : float
        The noise's size δ.
    bias : str
        What it likes: none, attack, switch, effective or ineffective.
    alpha : float
        How much it likes the actions of its bias.
    average : int
        How many noisy equilibria are averaged.
    clip : bool
        Whether payoffs are cut to [0, 1].
    reverse : bool
        Whether actions are numbered backwards.
    blur_replacement : bool
        Whether the noise also blurs forced replacements.
    playout_replacement : bool
        Whether Monte Carlo replaces by playouts.

    Examples
    --------
    >>> player(noise="normal", delta=0.1, bias="switch", alpha=0.02)
    Player(kind='nash', noise='normal', delta=0.1, bias='switch', alpha=0.02)
    """

    kind: str
    noise: str = "none"
    delta: float = 0.0
    bias: str = "none"
    alpha: float = 0.0
    average: int = 1
    clip: bool = True
    reverse: bool = False
    blur_replacement: bool = False
    playout_replacement: bool = True

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("kind", self.kind, PLAYERS),
            ("noise", self.noise, NOISES),
            ("bias", self.bias, BIASES),
        ):
            check.one_of(value, name, allowed)
        check.real(self.delta, "delta, the size of the noise,", 0, 1000)
        check.real(self.alpha, "alpha, the size of the bias,", -1000, 1000)
        check.whole(self.average, "average", 1, 1000)  # a game must end soon after Ctrl-C
        for name in ("clip", "reverse", "blur_replacement", "playout_replacement"):
            check.flag(getattr(self, name), name)

    @property
    def settings(self) -> Settings:
        """The same as numbers, for kernels."""
        kind, noise = PLAYERS.index(self.kind), NOISES.index(self.noise)
        return Settings(
            kind, noise, float(self.delta), BIASES.index(self.bias), float(self.alpha),
            int(self.average), bool(self.clip), bool(self.reverse),
            bool(self.blur_replacement), bool(self.playout_replacement),
        )  # fmt: skip

    def __repr__(self) -> str:
        own = [field for field in fields(self) if getattr(self, field.name) != field.default]
        return f"Player({', '.join(f'{f.name}={getattr(self, f.name)!r}' for f in own)})"


def player(
    kind: str = "nash",
    *,
    noise: str = "none",
    delta: float = 0.0,
    bias: str = "none",
    alpha: float = 0.0,
    average: int = 1,
    clip: bool = True,
    reverse: bool = False,
    blur_replacement: bool = False,
    playout_replacement: bool = True,
) -> Player:
    """Describe a player.

    Parameters
    ----------
    kind : {"random", "monte-carlo", "nash"}
        Monte Carlo tries every pair of actions with 20 random playouts and takes the action with
        the most wins over all replies. Nash with noise is the δ-Nash player.
    noise : {"none", "uniform", "variable", "normal"}
        Added to each entry p of the payoff matrix: uniform on (−δ, δ); uniform on
        ±δ(1 + 4p(1 − p)); normal with standard deviation δ(1 + 4p(1 − p)).
    delta : float
        The noise's size δ.
    bias : {"none", "attack", "switch", "effective", "ineffective"}
        The player's actions to which equation (2) is applied.
    alpha : float
        How much it likes them (negative: shuns them).
    average : int
        How many noisy equilibria are averaged, the paper's n; at most 1000.
    clip : bool
        Cut payoffs to [0, 1] after the noise, and again after the bias.
    reverse : bool
        Number the actions backwards, which chooses another equilibrium where there are several.
    blur_replacement : bool
        Apply the noise also to the values that decide a forced replacement.
    playout_replacement : bool
        Monte Carlo replaces a fainted monster by playouts, instead of at random.

    References
    ----------
    Konishi, Ikeda and Hsueh, sections 5.1 to 5.5 and 6.

    Examples
    --------
    >>> player(noise="uniform", delta=0.05).delta
    0.05
    """
    return Player(
        kind=kind, noise=noise, delta=delta, bias=bias, alpha=alpha, average=average, clip=clip,
        reverse=reverse, blur_replacement=blur_replacement, playout_replacement=playout_replacement,
    )  # fmt: skip


def known(who: str | Player) -> Player:
    """Return a player by its kind's name, or as it is; else raise a ValueError."""
    if isinstance(who, Player):
        return who
    if not isinstance(who, str) or who not in PLAYERS:
        raise ValueError(
            f"unknown player {check.short(who)}: choose from {', '.join(PLAYERS)}, "
            "`player` or a function"
        )
    return Player(kind=who)


def ask(
    player: str | Player | Decider, state: State | View, seat: int = 0, seed: check.Seed = 0, *,
    draws: int = 1, solution: Solution | None = None,
) -> dict[str, float]:  # fmt: skip
    """Return what a player would do, with the probability of each move.

    Parameters
    ----------
    player : str, Player or function
        Of `PLAYERS`, made by `player`, or one's own.
    state : State or View
        Where to decide.
    seat : int
        As whom, 0 for party 1 or 1 for party 2, if a state is given.
    seed : int
        Decides the noise of a δ-Nash player and the playouts of Monte Carlo.
    draws : int
        Of so many draws of noise or playouts the mean is returned: 1 says what the player would do
        once it has misperceived the payoffs, many how often it does what.
    solution : Solution, optional
        The solved battle; by default it is solved here, and kept.

    Examples
    --------
    >>> from gamecore.pokemon import start
    >>> state = start().play("A against D")
    >>> {move: round(p, 2) for move, p in ask("nash", state, seat=1).items() if p}
    {'fire': 0.15, 'switch E': 0.85}
    """
    check.whole(seat, "seat", 0, 1)
    if not isinstance(state, State | View):
        raise ValueError(f"state must be a state or a view, not {check.short(state)}")
    view = state if isinstance(state, View) else state.view(seat)
    legal = view.legal()
    if not legal:
        raise ValueError(f"{_state(view).name(view.player)} has nothing to choose in {view}")
    if callable(player):
        return asked(player, view, seed)
    who = known(player)
    lookup, s = _lookup(view, solution), rng.state(check.seed(seed))
    total = np.zeros(len(legal))
    for _ in range(check.whole(draws, "draws", 1)):
        total += _chances(who, view, lookup, s)
    return dict(zip(legal, (total / draws).tolist(), strict=True))


def decider(player: str | Player | Decider, solution: Solution | None = None) -> Decider:
    """Return a player as a function from a view and a generator to a move."""
    if callable(player):
        return player
    who = known(player)

    def decides(view: View, generator: np.random.Generator) -> str:
        s = rng.state(int(generator.integers(2**63)))
        return view.legal()[_chosen(who, view, _lookup(view, solution), s)]

    decides.__name__ = who.kind
    return decides


def _state(view: View) -> State:
    if not isinstance(view, Open) or not isinstance(view.state, State):
        raise ValueError(f"players of this game decide in its states, not in {check.short(view)}")
    return view.state


def _lookup(view: View, solution: Solution | None) -> Lookup:
    state = _state(view)
    return fitting(solution, state.battle, state.turns).lookup


def _chances(player: Player, view: View, lookup: Lookup, s: np.ndarray) -> np.ndarray:
    """Return the probability of each legal move, for one draw of noise or playouts."""
    state, legal = _state(view), view.legal()
    replaces, side, who = len(state.movers) == 1, view.player, player.settings
    if who.kind == _RANDOM or (
        who.kind == _MONTE_CARLO and replaces and not who.playout_replacement
    ):
        return np.full(len(legal), 1 / len(legal))
    if who.kind == _MONTE_CARLO or replaces:
        return np.eye(len(legal))[_chosen(player, view, lookup, s)]
    number = rules.number_of(*state.position, state.battle)
    A = payoffs(lookup.values[state.turns - 1], lookup.table, number, lookup.actions)
    return mixture(A, favoured(number, side, who.bias, lookup), side, who, s)


def _chosen(player: Player, view: View, lookup: Lookup, s: np.ndarray) -> int:
    """Return the place of the chosen move among the legal ones."""
    state, side, who = _state(view), view.player, player.settings
    number = rules.number_of(*state.position, state.battle)
    if len(state.movers) == 2:
        action = decide(number, side, state.turns, who, lookup, s)
    else:
        after = bring_in(number, side, state.turns, who, lookup, s)
        action = rules.leads(after, lookup.stride, lookup.sizes[1])[side]
    return [state._action(side, move) for move in view.legal()].index(action)


def strategies(
    A: ArrayLike, who: str | Player, rows: int, seed: check.Seed
) -> tuple[np.ndarray, np.ndarray]:
    """Draw δ-Nash strategies of both sides for one payoff matrix, as table 3 prints them.

    Parameters
    ----------
    A : array_like
        Party 1's win probabilities.
    who : Player
        A Nash player with noise; its bias is not applied, for it depends on the position.
    rows : int
        How many independent pairs of strategies, each averaged over ``who.average`` noise draws.
    seed : int or numpy.random.SeedSequence
        Decides the noise.

    Returns
    -------
    tuple of numpy.ndarray
        ``(rows, m)`` and ``(rows, n)``.

    Examples
    --------
    >>> a, b = strategies([[0.50], [0.45]], player(noise="uniform", delta=0.05), 10_000, 1)
    >>> a.mean(axis=0).round(2).tolist()
    [0.87, 0.13]
    """
    payoff = np.ascontiguousarray(check.numbers(A, "A", (None, None)))
    if not ((payoff >= 0) & (payoff <= 1)).all():
        raise ValueError("A must be a non-empty matrix of win probabilities between 0 and 1")
    rows, s, settings = check.whole(rows, "rows", 1), rng.state(seed), known(who).settings
    check.memory(8 * rows * sum(payoff.shape), f"{rows:,} pairs of strategies")
    a, b = np.zeros((rows, payoff.shape[0])), np.zeros((rows, payoff.shape[1]))
    for begin, end in check.stretches(rows):
        draw_strategies(payoff, settings, a[begin:end], b[begin:end], s)
    return a, b


@kernel
def decide(state, party, turns, who, lookup, s):
    """Return a player's action for `party` with `turns` turns left."""
    table, actions = lookup.table, lookup.actions
    legal = np.empty(actions, np.int64)
    count = rules.legal_actions(table, state, party, actions, legal)
    if who.kind == _RANDOM:
        return legal[rng.below(s, count)]
    if who.kind == _MONTE_CARLO:
        scores = np.empty(actions)
        estimates(state, party, turns, lookup, s, scores)
        return best_score(scores, who.reverse)
    A = payoffs(lookup.values[turns - 1], table, state, actions)
    liked = favoured(state, party, who.bias, lookup)
    return legal[rng.choice(s, mixture(A, liked, party, who, s))]


@kernel
def bring_in(state, party, turns, who, lookup, s):
    """Return the state after a player replaced its fainted active monster."""
    table, values, sizes = lookup.table, lookup.values, lookup.sizes
    best, chosen = -1.0, np.int64(-1)
    for member in range(sizes[party]):
        after = rules.replaced(table, state, member)
        if after < 0:
            continue
        if who.kind == _RANDOM or (who.kind == _MONTE_CARLO and not who.playout_replacement):
            score = rng.uniform(s)
        elif who.kind == _MONTE_CARLO:
            score = 0.0
            for _ in range(PLAYOUTS * table.shape[1]):  # as many as for pairs of actions
                score += playout(after, turns, table, values[0], sizes, s) == 1.0 - party
        else:
            p = values[turns, after]
            if who.blur_replacement:
                p = seen(p, who, s)
            score = p if party == 0 else 1.0 - p
        if chosen < 0 or score > best or (score == best and who.reverse):
            best, chosen = score, after
    return chosen
