"""Who decides: random, Monte Carlo, and the Nash, δ-Nash and biased δ-Nash players.

A Nash player solves the true payoff matrix of the turn. A δ-Nash player (δ-ナッシュプレイヤ)
solves a misperceived one: noise on every entry, and with a bias also equation (2) on the entries
of the actions it likes. Only the matrix of the turn is misperceived; the values behind it are
exact.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gamecore import rng
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium
from gamecore.pokemon import rules
from gamecore.pokemon.montecarlo import PLAYOUTS, best_score, estimates, playout
from gamecore.pokemon.solution import payoffs

#: Kinds of players; a Nash player with noise is the δ-Nash player.
PLAYERS = ("random", "monte-carlo", "nash")
NOISES = ("none", "uniform", "variable", "normal")
BIASES = ("none", "attack", "switch", "effective", "ineffective")
_RANDOM, _MONTE_CARLO, _NASH = range(3)
_NONE, _UNIFORM, _VARIABLE, _NORMAL = range(4)
_UNBIASED, _ATTACK, _SWITCH, _EFFECTIVE, _INEFFECTIVE = range(5)


class Player(NamedTuple):
    """A player as numbers, for kernels; made by `player`, which explains them.

    Examples
    --------
    >>> who = player(noise="normal", delta=0.1, bias="switch", alpha=0.02)
    >>> PLAYERS[who.kind], NOISES[who.noise], BIASES[who.bias]
    ('nash', 'normal', 'switch')
    """

    kind: int
    """An index of `PLAYERS`."""
    noise: int
    """An index of `NOISES`."""
    delta: float
    """The noise's size δ."""
    bias: int
    """An index of `BIASES`."""
    alpha: float
    """How much it likes the actions of its bias."""
    average: int
    """How many noisy equilibria are averaged."""
    clip: bool
    """Whether payoffs are cut to [0, 1]."""
    reverse: bool
    """Whether actions are numbered backwards."""
    blur_replacement: bool
    """Whether the noise also blurs forced replacements."""
    playout_replacement: bool
    """Whether Monte Carlo replaces by playouts."""


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
        How many noisy equilibria are averaged, the paper's n.
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
    for name, value, allowed in (
        ("kind", kind, PLAYERS),
        ("noise model", noise, NOISES),
        ("bias", bias, BIASES),
    ):
        if value not in allowed:
            raise ValueError(f"unknown {name} {value!r}: choose from {', '.join(allowed)}")
    if not 0.0 <= delta < np.inf:
        raise ValueError(f"delta is the size of the noise and must not be negative, not {delta}")
    if not np.isfinite(alpha):
        raise ValueError(f"alpha must be a finite number, not {alpha}")
    if average < 1:
        raise ValueError(f"average counts noisy equilibria and must be at least 1, not {average}")
    return Player(
        PLAYERS.index(kind), NOISES.index(noise), float(delta), BIASES.index(bias), float(alpha),
        int(average), bool(clip), bool(reverse), bool(blur_replacement), bool(playout_replacement),
    )  # fmt: skip


def strategies(
    A: ArrayLike, who: Player, rows: int, seed: int | np.random.SeedSequence
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
    payoff = np.array(A, dtype=np.float64, order="C")
    if payoff.ndim != 2 or payoff.size == 0 or not ((payoff >= 0) & (payoff <= 1)).all():
        raise ValueError("A must be a non-empty matrix of win probabilities between 0 and 1")
    if rows < 1:
        raise ValueError(f"rows must be at least 1, not {rows}")
    a, b = np.zeros((rows, payoff.shape[0])), np.zeros((rows, payoff.shape[1]))
    _strategies(payoff, who, a, b, rng.state(seed))
    return a, b


@kernel
def noise_width(p, delta):
    """Return δ(1 + 4p(1 − p)): the variable model's half-width, the normal one's deviation."""
    return delta * (1.0 + 4.0 * p * (1.0 - p))


@kernel
def shifted(p, alpha):
    """Return equation (2): a win probability as somebody sees it who likes the action."""
    return p + alpha * (1.0 + 20.0 * p * (1.0 - p))


@kernel
def seen(p, who, s):
    """Return one win probability with noise."""
    if who.noise == _UNIFORM:
        p += who.delta * (2.0 * rng.uniform(s) - 1.0)
    elif who.noise == _VARIABLE:
        p += noise_width(p, who.delta) * (2.0 * rng.uniform(s) - 1.0)
    elif who.noise == _NORMAL:
        p += noise_width(p, who.delta) * rng.normal(s)
    return min(max(p, 0.0), 1.0) if who.clip else p


@kernel
def _likes(bias, kind):
    """Return whether a bias applies to a class of actions."""
    if bias == _ATTACK:
        return kind <= rules.INEFFECTIVE
    if bias == _SWITCH:
        return kind >= rules.ADVANTAGEOUS
    if bias == _EFFECTIVE:
        return kind == rules.EFFECTIVE
    return bias == _INEFFECTIVE and kind == rules.INEFFECTIVE


@kernel
def _solved(A, reverse):
    """Return both equilibrium strategies, of the game with its actions numbered backwards if so."""
    rows, columns = A.shape
    B = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            B[i, j] = A[rows - 1 - i, columns - 1 - j] if reverse else A[i, j]
    _, row, column = equilibrium(B)
    if reverse:
        for x in (row, column):
            for i in range(len(x) // 2):
                x[i], x[-1 - i] = x[-1 - i], x[i]
    return row, column


@kernel
def _perceived(A, liked, party, who, s):
    """Return the payoff matrix as a player sees it; `liked` marks its own favoured actions."""
    B = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            p = seen(A[i, j], who, s)
            if party == 0 and liked[i]:
                p = shifted(p, who.alpha)
            elif party == 1 and liked[j]:
                p = 1.0 - shifted(1.0 - p, who.alpha)
            B[i, j] = min(max(p, 0.0), 1.0) if who.clip else p
    return B


@kernel
def mixture(A, liked, party, who, s):
    """Return the strategy of a Nash, δ-Nash or biased player for one side of a payoff matrix."""
    total = np.zeros(A.shape[party])
    for _ in range(who.average):
        plain = (who.noise == _NONE or who.delta == 0.0) and who.bias == _UNBIASED
        row, column = _solved(A if plain else _perceived(A, liked, party, who, s), who.reverse)
        mine = row if party == 0 else column
        for k in range(len(total)):
            total[k] += mine[k]
    for k in range(len(total)):
        total[k] /= who.average
    return total


@kernel
def _strategies(A, who, a, b, s):
    unbiased = np.zeros(max(A.shape), np.bool_)
    for k in range(len(a)):
        for _ in range(who.average):
            row, column = _solved(_perceived(A, unbiased, 0, who, s), who.reverse)
            for i in range(len(row)):
                a[k, i] += row[i] / who.average
            for j in range(len(column)):
                b[k, j] += column[j] / who.average


@kernel
def favoured(state, party, bias):
    """Return which of a side's legal actions its bias applies to."""
    legal = np.empty(rules.ACTIONS, np.int64)
    liked = np.zeros(rules.ACTIONS, np.bool_)
    for k in range(rules.legal_actions(state, party, legal)):
        liked[k] = _likes(bias, rules.action_class(state, party, legal[k]))
    return liked


@kernel
def decide(state, party, turns, who, values, table, s):
    """Return a player's action for `party` with `turns` turns left."""
    legal = np.empty(rules.ACTIONS, np.int64)
    count = rules.legal_actions(state, party, legal)
    if who.kind == _RANDOM:
        return legal[rng.below(s, count)]
    if who.kind == _MONTE_CARLO:
        scores = np.empty(rules.ACTIONS)
        estimates(state, party, turns, table, s, scores)
        return best_score(scores, who.reverse)
    A = payoffs(values[turns - 1], table, state)
    liked = favoured(state, party, who.bias)
    return legal[rng.choice(s, mixture(A, liked, party, who, s))]


@kernel
def bring_in(state, party, turns, who, values, table, s):
    """Return the state after a player replaced its fainted active monster."""
    best, chosen = -1.0, -1
    for member in range(3):
        after = rules.replaced(state, party, member)
        if after < 0:
            continue
        if who.kind == _RANDOM or (who.kind == _MONTE_CARLO and not who.playout_replacement):
            score = rng.uniform(s)
        elif who.kind == _MONTE_CARLO:
            score = 0.0
            for _ in range(PLAYOUTS * rules.ACTIONS * rules.ACTIONS):
                score += playout(after, turns, table, s) == 1.0 - party
        else:
            p = values[turns, after]
            if who.blur_replacement:
                p = seen(p, who, s)
            score = p if party == 0 else 1.0 - p
        if chosen < 0 or score > best or (score == best and who.reverse):
            best, chosen = score, after
    return chosen
