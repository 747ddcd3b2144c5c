"""Who decides: the random, the greedy and the sontaku (忖度) player.

The sontaku player is flat Monte-Carlo search for somebody else: for every legal play
it redeals the cards it does not see, lets everybody play at random until the *beneficiary* is out,
and chooses the play with the best mean reward of the beneficiary: 3, 2, 1, 0 points by rank. With
its own seat as beneficiary it plays for itself. Other models, rewards and information are settings.

References
----------
H. Ohmuro and D. Yokoyama, "A study of a computer player that enable letting a specific opponent
win in Daifugo", IPSJ National Convention, 4S-04.
"""

from __future__ import annotations  # signatures show types by their names

from dataclasses import dataclass

import numpy as np

from gamecore import check
from gamecore.contest import asked
from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import written
from gamecore.daifugo.plays import draw_play
from gamecore.daifugo.rules import SEATS
from gamecore.daifugo.state import State, View
from gamecore.daifugo.thinking import (
    INFORMATION,
    MODELS,
    ONLY_OWN,
    RANDOM_TIES,
    THOUGHT,
    TIES,
    best_option,
    greedy_play,
    list_options,
    look,
    reward_of,
    sontaku_play,
)  # fmt: skip
from gamecore.game import Decider

PLAYERS = ("random", "greedy", "sontaku")
RANDOM, GREEDY, SONTAKU = range(3)
#: With more playouts than this a decision is not left to one kernel: Ctrl-C must be heard.
QUICK = 100


@dataclass(frozen=True)
class Sontaku:
    """A sontaku player; the paper settles the first two, the last three go beyond it.

    Attributes
    ----------
    beneficiary : int
        The seat of the player to help; with the own seat it plays for itself.
    playouts : int
        Random games for each legal play, at most a million.
    passes_leading : bool
        Whether it also considers a pass on an empty field.
    playout_passes : bool
        Whether in playouts a pass is one more choice of who follows.
    playout_passes_leading : bool
        Whether in playouts a pass is one more choice of who leads.
    ties : int
        How ties are broken, as an index of `TIES`.
    model : int
        Who plays in playouts, as an index of `MODELS`; a greedy player passes only when it must.
    reward : int
        What the beneficiary's ranks are worth: four digits, the first rank's first.
    information : int
        Whose hands it sees, as an index of `INFORMATION`; beyond its own it cheats.

    Examples
    --------
    >>> helper = Sontaku(beneficiary=2, playouts=50)
    >>> SEATS[helper.beneficiary], TIES[helper.ties]
    ('CPUB', 'pass first')
    """

    beneficiary: int = 1
    playouts: int = 100
    passes_leading: bool = True
    playout_passes: bool = True
    playout_passes_leading: bool = True
    ties: int = 0
    model: int = 0
    reward: int = 3210
    information: int = 0

    def __post_init__(self) -> None:
        check.whole(self.beneficiary, "beneficiary", 0, 3)
        check.whole(self.playouts, "playouts", 1, 10**6)
        for name in ("passes_leading", "playout_passes", "playout_passes_leading"):
            check.flag(getattr(self, name), name)
        check.whole(self.ties, "ties", 0, len(TIES) - 1)
        check.whole(self.model, "model", 0, len(MODELS) - 1)
        check.whole(self.reward, "reward", 0, 9999)
        check.whole(self.information, "information", 0, len(INFORMATION) - 1)

    def __repr__(self) -> str:
        return r.brief(self)


#: A name of `PLAYERS`, a sontaku player, or a function from a view and a generator to a move.
Player = str | Sontaku | Decider


def ask(
    player: Player, state: State | View, seat: int | None = None, seed: check.Seed = 0
) -> dict[str, float]:
    """Return what a player would do, with the probability of each move.

    Parameters
    ----------
    player : str, Sontaku or function
        One of `PLAYERS`, a sontaku player, or a function from a view and a generator to a move.
    state : State or View
        Where to decide.
    seat : int, optional
        As whom; only whoever is to move can decide, and that is the default.
    seed : int or numpy.random.SeedSequence
        Decides the playouts of a sontaku player, whose choice then is certain but for ties that are
        drawn by lot; and what a function draws.

    Examples
    --------
    >>> state = State.of(["D3 C3 S2", "H4 H5", "C9", "DK"]).play("D3")
    >>> ask("random", state)
    {'pass': 0.0, 'H4': 0.5, 'H5': 0.5}
    >>> ask("greedy", state)
    {'pass': 0.0, 'H4': 1.0, 'H5': 0.0}
    >>> ask(Sontaku(beneficiary=0), state, seed=1)
    {'pass': 1.0, 'H4': 0.0, 'H5': 0.0}
    """
    view, seed = _seen(state, seat), check.seed(seed)
    legal = view.legal()
    if callable(player):
        return asked(player, view, seed)
    number, helper = known(player)
    if number == GREEDY:
        return asked(decider(player), view)
    if number == RANDOM or helper.beneficiary in view.out:
        chosen = legal[1:] if legal[0] == "pass" and len(legal) > 1 else legal
    else:
        values = rewards(state, seed, helper)
        chosen = [move for move, value in values.items() if value == max(values.values())]
        chosen = chosen if helper.ties == RANDOM_TIES else chosen[:1]
    return {move: (move in chosen) / len(chosen) for move in legal}


def rewards(
    state: State | View,
    seed: check.Seed,
    sontaku: Sontaku = Sontaku(),  # noqa: B008
) -> dict[str, float]:
    """Return the beneficiary's mean reward for everything that the seat to move may do.

    Parameters
    ----------
    state : State or View
        The position; cards that the seat to move does not see are redealt in every playout. Who
        sees more than its own hand needs a state.
    seed : int or numpy.random.SeedSequence
        Decides the playouts.
    sontaku : Sontaku
        Whom to help, and how to search.

    Returns
    -------
    dict
        Mean reward by play, in the order that decides ties; the sontaku player takes the largest.

    References
    ----------
    Section 3 of Ohmuro and Yokoyama (see the module).

    Examples
    --------
    >>> state = State.of(["D3 S2", "H4 H5", "C9", "DK"])
    >>> list(rewards(state, seed=1))
    ['pass', 'D3', 'S2']
    """
    view = _seen(state, None)
    check.instance(sontaku, "sontaku", Sontaku)
    if sontaku.beneficiary in view.out:
        raise ValueError(f"{SEATS[sontaku.beneficiary]} is out already: nothing to weigh")
    tables, helper, rules = tables_of(state, sontaku), r.numbers(sontaku)[0], view.rules.numbers
    thought, scratch = np.zeros(1, THOUGHT)[0], r.new_scratch(seed)
    number = list_options(tables[0], helper, rules, thought, scratch)
    _weigh_in_stretches(tables, number, helper, rules, thought, scratch)
    names = map(written, thought.options[:number].tolist())
    means = thought.rewards[:number] / sontaku.playouts
    return dict(zip(names, means.tolist(), strict=True))


def decider(player: Player) -> Decider:
    """Return a player as a function from a view and a generator to a move."""
    if callable(player):
        return player
    number, settings = known(player)
    helper = r.numbers(settings)[0]

    def decides(view: View, generator: np.random.Generator) -> str:
        scratch, rules = r.new_scratch(int(generator.integers(2**63))), view.rules.numbers
        if number == RANDOM:
            play = draw_play(view._record, rules, 0, scratch)
        elif number == GREEDY:
            play = greedy_play(view._record, rules, scratch)
        else:
            tables = tables_of(view, settings)
            play = considered(tables, helper, rules, np.zeros(1, THOUGHT)[0], scratch)
        return written(int(play))

    decides.__name__ = PLAYERS[number]
    return decides  # type: ignore[return-value]  # views of this game


def known(player: str | Sontaku) -> tuple[int, Sontaku]:
    """Return a player's place in `PLAYERS`, and what it does if it is a sontaku player."""
    if isinstance(player, Sontaku):
        return SONTAKU, player
    if not isinstance(player, str) or player not in PLAYERS:
        names = ", ".join(PLAYERS)
        raise ValueError(
            f"unknown player {check.short(player)}: choose from {names}, Sontaku(...), a function"
        )
    return PLAYERS.index(player), Sontaku()


def considered(tables, helper, rules, thought, scratch):
    """Return what `sontaku_play` does, hearing of Ctrl-C between playouts if there are many."""
    if helper.playouts <= QUICK or tables[0].finished >> helper.beneficiary & 1:
        return int(sontaku_play(tables, helper, rules, thought, scratch))
    number = list_options(tables[0], helper, rules, thought, scratch)
    if number > 1:
        _weigh_in_stretches(tables, number, helper, rules, thought, scratch)
    return int(best_option(number, helper, thought, scratch))


def _weigh_in_stretches(tables, number, helper, rules, thought, scratch):
    look(tables, thought)
    thought.rewards[:number] = 0
    for i in range(number):
        for begin, end in check.stretches(int(helper.playouts)):
            more = reward_of(tables, i, end - begin, helper, rules, thought, scratch)
            thought.rewards[i] += more
    thought.playouts += number * helper.playouts


def _seen(state: State | View, seat: int | None) -> View:
    """Return the view of whoever is to move, which must be `seat` if one is given."""
    if not isinstance(state, State | View):
        raise ValueError(f"a state or a view is needed, not {check.short(state)}")
    if seat is not None:
        check.whole(seat, "seat", 0, 3)
    if state.stage != "play":
        raise ValueError("no player is to move")
    view = state if isinstance(state, View) else state.view(state.turn)
    if seat not in (None, view.player) or view.player != state.turn:
        raise ValueError(f"only {SEATS[state.turn]} is to move, seat {state.turn}")
    return view


def tables_of(state: State | View, sontaku: Sontaku) -> np.ndarray:
    """Return room for a game and a playout; of a view, with hands that the player imagines."""
    if sontaku.information != ONLY_OWN and isinstance(state, View):
        raise ValueError(
            f"who sees {INFORMATION[sontaku.information]!r} needs a state, or a series without "
            "functions: a view has only the own hand"
        )
    tables = np.zeros(2, r.STATE)
    tables[0] = state._record
    return tables
