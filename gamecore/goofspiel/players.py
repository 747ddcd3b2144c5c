"""Who decides: a profile, one that has a name, or any function; one decision with its chances."""

from functools import cache

import numpy as np

from gamecore import check, rng
from gamecore.contest import asked
from gamecore.game import Decider, Open, View
from gamecore.goofspiel.rules import State
from gamecore.goofspiel.solution import solve
from gamecore.goofspiel.strategy import Profile, uniform

PLAYERS = ("uniform", "prize", "nash")
#: A name of `PLAYERS`, a profile, or a function from a view and a generator to a move.
Player = str | Profile | Decider


def ask(
    player: Player, state: State | View, seat: int = 0, seed: check.Seed = 0
) -> dict[str, float]:
    """Return what a player would do, with the probability of each card.

    Parameters
    ----------
    player : str, Profile or function
        One of `PLAYERS`, a profile, or a function from a view and a generator to a card.
    state : State or View
        Where to decide.
    seat : int
        As whom, if a state is given.
    seed : int or numpy.random.SeedSequence
        Decides what a function draws, whose choice then is certain.

    Examples
    --------
    >>> from gamecore.goofspiel import start, train
    >>> state = start(3).play("2")
    >>> ask("prize", state)
    {'1': 0.0, '2': 1.0, '3': 0.0}
    >>> list(ask(train(3, "C", 100, seed=1), state, seat=1))
    ['1', '2', '3']
    """
    (view, here), seed = _seen(state, seat), check.seed(seed)
    if isinstance(player, Profile | str):
        mixture = profile(player, here.cards).mixture(here, view.player)
        return {str(card): chance for card, chance in mixture.items()}
    return asked(decider(player), view, seed)


def decider(player: Player) -> Decider:
    """Return a player as a function from a view and a generator to a move."""
    if isinstance(player, str):
        _known(player)
    elif not isinstance(player, Profile):
        if not callable(player):
            raise ValueError(
                f"a player is a name, a profile or a function, not {check.short(player)}"
            )
        return player

    def decides(view: View, generator: np.random.Generator) -> str:
        chances = ask(player, view)
        s = rng.state(int(generator.integers(2**63)))
        return list(chances)[rng.choice(s, np.array(list(chances.values())))]

    decides.__name__ = player if isinstance(player, str) else repr(player)
    return decides


def profile(player: str | Profile, cards: int) -> Profile:
    """Return the profile that a player follows, or raise a ValueError."""
    if isinstance(player, str):
        return _named(_known(player), cards)
    if not isinstance(player, Profile):
        raise ValueError(f"a player is a name, a profile or a function, not {check.short(player)}")
    if player.tree.cards != cards:
        raise ValueError(f"{check.short(player)} cannot play with {cards} cards each")
    return player


@cache
def _named(player: str, cards: int) -> Profile:
    if player == "uniform":
        return uniform(cards)
    if player == "prize":
        return Profile.of(cards, lambda state, player: state.prize)
    return solve(cards).profile


def _known(player: str) -> str:
    if player not in PLAYERS:
        raise ValueError(
            f"unknown player {check.short(player)}: choose from {', '.join(PLAYERS)}, a profile, "
            "a function"
        )
    return player


def _seen(state: State | View, seat: int) -> tuple[Open, State]:
    """Return the view of a seat that is to choose a card, and the state in it."""
    seat = check.whole(seat, "player", 0, 1)
    view = state.view(seat) if isinstance(state, State) else state
    if not isinstance(view, Open) or not isinstance(view.state, State):
        raise ValueError(f"a state or a view is needed, not {check.short(state)}")
    if not view.legal():
        raise ValueError(f"nobody chooses a card here: {view}")
    return view, view.state
