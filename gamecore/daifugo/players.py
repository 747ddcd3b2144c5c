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

from gamecore import check, rng
from gamecore.bits import popcount
from gamecore.contest import asked
from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import written
from gamecore.daifugo.plays import draw_play, list_plays
from gamecore.daifugo.rules import SEATS
from gamecore.daifugo.state import State, View
from gamecore.game import Decider
from gamecore.kernel import kernel

PLAYERS = ("random", "greedy", "sontaku")
RANDOM, GREEDY, SONTAKU = range(3)
#: How the sontaku player breaks ties; after the pass comes list order.
TIES = ("pass first", "pass last", "random")
_PASS_LAST, _RANDOM_TIES = 1, 2
#: Who plays in playouts: everybody at random, everybody greedily, or either by the toss of a coin
#: at every turn.
MODELS = ("random", "greedy", "mixed")
_MIXED = 2
#: What the sontaku player sees: its own hand, the beneficiary's too, or everybody's.
INFORMATION = ("own", "beneficiary", "everybody")
_ONLY_OWN, _BENEFICIARYS = 0, 1
#: With more playouts than this a decision is not left to one kernel: Ctrl-C must be heard.
QUICK = 100
#: What a sontaku player weighs: its options, their rewards, the unseen cards, the sizes
#: of hands, and how many playouts it has played so far.
THOUGHT = np.dtype(
    (
        np.record,
        [
            ("options", np.int64, r.MOST_PLAYS + 1),
            ("rewards", np.int64, r.MOST_PLAYS + 1),
            ("unseen", np.int64, 53),
            ("count", np.int64),
            ("sizes", np.int64, 4),
            ("playouts", np.int64),
        ],
    )
)


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
        chosen = chosen if helper.ties == _RANDOM_TIES else chosen[:1]
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
    tables, helper, rules = _tables(state, sontaku), r.numbers(sontaku)[0], view.rules.numbers
    thought, scratch = np.zeros(1, THOUGHT)[0], r.new_scratch(seed)
    number = _options(tables[0], helper, rules, thought, scratch)
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
            tables = _tables(view, settings)
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
    number = _options(tables[0], helper, rules, thought, scratch)
    if number > 1:
        _weigh_in_stretches(tables, number, helper, rules, thought, scratch)
    return int(_best(number, helper, thought, scratch))


def _weigh_in_stretches(tables, number, helper, rules, thought, scratch):
    _look(tables, thought)
    thought.rewards[:number] = 0
    for i in range(number):
        for begin, end in check.stretches(int(helper.playouts)):
            more = _reward(tables, i, end - begin, helper, rules, thought, scratch)
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


def _tables(state: State | View, sontaku: Sontaku) -> np.ndarray:
    """Return room for a game and a playout; of a view, with hands that the player imagines."""
    if sontaku.information != _ONLY_OWN and isinstance(state, View):
        raise ValueError(
            f"who sees {INFORMATION[sontaku.information]!r} needs a state, or a series without "
            "functions: a view has only the own hand"
        )
    tables = np.zeros(2, r.STATE)
    tables[0] = state._record
    return tables


@kernel
def greedy_play(g, rules, scratch):
    """Return the play whose rank is easiest to beat, first in list order; pass without any."""
    best, play = 1000, r.PASS
    for i in range(list_plays(g, rules, scratch)):
        _, _, low, high, _ = r.shape(scratch.plays[i])
        rank = -low if g.revolution and low < r.ALONE else high
        if rank < best:
            best, play = rank, scratch.plays[i]
    return play


@kernel
def _redeal(w, thought, player, scratch):
    """Deal the unseen cards to the opponents of `player` anew, keeping their numbers.

    A hand that is seen stays: its size is noted as −1.
    """
    left = thought.count
    for seat in range(4):
        if seat != player and thought.sizes[seat] >= 0:
            hand = 0
            for _ in range(thought.sizes[seat]):
                k = rng.below(scratch.random, left)
                left -= 1
                card = thought.unseen[k]
                thought.unseen[k] = thought.unseen[left]
                thought.unseen[left] = card
                hand |= card
            w.hands[seat] = hand


@kernel
def playout_turn(w, sontaku, rules, scratch):
    """Take a turn of a playout, by the sontaku player's model of everybody."""
    model = sontaku.model
    if model == _MIXED:
        model = rng.below(scratch.random, 2)
    if model == GREEDY:
        play = greedy_play(w, rules, scratch)
    else:
        passes = sontaku.playout_passes
        if w.kind == r.EMPTY:
            passes = sontaku.playout_passes_leading & rules.pass_when_leading
        play = draw_play(w, rules, passes, scratch)
    r.take_turn(w, rules, play, scratch)


@kernel
def _playout(w, sontaku, rules, scratch):
    """Play on until the beneficiary is out; return what its rank is worth."""
    while not w.finished >> sontaku.beneficiary & 1:
        playout_turn(w, sontaku, rules, scratch)
    place, worth = 0, sontaku.reward
    while w.order[place] != sontaku.beneficiary:
        place += 1
    for _ in range(3 - place):
        worth //= 10
    return worth % 10


@kernel
def _options(g, sontaku, rules, thought, scratch):
    """List what the sontaku player may do, in the order that decides ties; return how many."""
    number = list_plays(g, rules, scratch)
    passes = g.kind != r.EMPTY or (sontaku.passes_leading and rules.pass_when_leading)
    shift = 1 if passes and sontaku.ties != _PASS_LAST else 0
    for i in range(number):
        thought.options[i + shift] = scratch.plays[i]
    if passes:
        thought.options[0 if shift else number] = r.PASS
        number += 1
    return number


@kernel
def _look(tables, thought):
    """Note the cards that the seat to move does not see, and how many everybody holds."""
    g = tables[0]
    player, hidden, count = g.turn, 0, 0
    for seat in range(4):
        thought.sizes[seat] = popcount(g.hands[seat])
        if seat != player:
            hidden |= g.hands[seat]
    while hidden:
        thought.unseen[count] = hidden & -hidden
        hidden &= hidden - 1
        count += 1
    thought.count = count


@kernel
def _peek(g, sontaku, thought):
    """Take the hands that are seen from the unseen cards; a second time changes nothing."""
    count = 0
    for seat in range(4):
        seen = sontaku.information != _BENEFICIARYS or seat == sontaku.beneficiary
        if seat != g.turn and seen:
            thought.sizes[seat] = -1
    for i in range(thought.count):
        card, hidden = thought.unseen[i], False
        for seat in range(4):
            hidden |= thought.sizes[seat] >= 0 and g.hands[seat] & card != 0
        if hidden:
            thought.unseen[count] = card
            count += 1
    thought.count = count


@kernel
def _reward(tables, option, playouts, sontaku, rules, thought, scratch):
    """Return the beneficiary's rewards of so many more playouts of an option, added up."""
    w, player, reward = tables[1], tables[0].turn, 0
    if sontaku.information != _ONLY_OWN:
        _peek(tables[0], sontaku, thought)
    for _ in range(playouts):
        tables[1] = tables[0]
        _redeal(w, thought, player, scratch)
        r.take_turn(w, rules, thought.options[option], scratch)
        reward += _playout(w, sontaku, rules, scratch)
    return reward


@kernel
def _weigh(tables, number, sontaku, rules, thought, scratch):
    """Total the beneficiary's rewards over the playouts of each option."""
    _look(tables, thought)
    for i in range(number):
        thought.rewards[i] = _reward(tables, i, sontaku.playouts, sontaku, rules, thought, scratch)


@kernel
def sontaku_play(tables, sontaku, rules, thought, scratch):
    """Return the option with the best total reward of the beneficiary."""
    if tables[0].finished >> sontaku.beneficiary & 1:
        return draw_play(tables[0], rules, 0, scratch)
    number = _options(tables[0], sontaku, rules, thought, scratch)
    if number > 1:
        _weigh(tables, number, sontaku, rules, thought, scratch)
        thought.playouts += number * sontaku.playouts
    return _best(number, sontaku, thought, scratch)


@kernel
def _best(number, sontaku, thought, scratch):
    """Return the option of the best total; of several, by the player's rule for ties."""
    best, ties = 0, 1
    for i in range(1, number):
        if thought.rewards[i] > thought.rewards[best]:
            best, ties = i, 1
        elif thought.rewards[i] == thought.rewards[best] and sontaku.ties == _RANDOM_TIES:
            ties += 1
            if rng.below(scratch.random, ties) == 0:
                best = i
    return thought.options[best]
