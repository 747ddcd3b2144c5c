"""Whom does a player play for? What an observer concludes from its plays, by likelihood.

Who has seen all plays of a game knows all hands: a card was held by whoever laid it, and what was
never laid by whoever came last (except where lots were drawn). An observer can therefore go back to
each decision, ask what a sontaku player of the same settings would have done for each of the
four seats, its own included, and multiply how likely the plays were. It knows the method and its
settings, not the seat: nobody who knows less can tell better.

References
----------
H. Ohmuro and D. Yokoyama, "A study of a computer player that enable letting a specific opponent
win in Daifugo", IPSJ National Convention, 4S-04.
"""

from __future__ import annotations  # signatures show types by their names

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gamecore import check
from gamecore.daifugo import rules as r
from gamecore.daifugo.cards import written
from gamecore.daifugo.players import Sontaku, tables_of
from gamecore.daifugo.state import State
from gamecore.daifugo.thinking import (
    INFORMATION,
    THOUGHT,
    list_options,
    look,
    play_on,
    redeal,
)  # fmt: skip
from gamecore.kernel import kernel


@dataclass(frozen=True)
class Decision:
    """A decision, thought over again and again for each of the four seats.

    Attributes
    ----------
    options : list of str
        What the player could do, in the order that decides ties.
    totals : numpy.ndarray
        ``[time, option, seat]``: points of a seat, added up over the playouts of an option.
    out : tuple of int
        The seats that are out: for them there is nothing to play for any more.

    Examples
    --------
    >>> state = State.of(["D3 S2", "H4 H5", "C9", "DK"])
    >>> made = think(state, Sontaku(playouts=10), times=4, seed=1)
    >>> made.options, made.totals.shape
    (['pass', 'D3', 'S2'], (4, 3, 4))
    """

    options: list[str]
    totals: np.ndarray
    out: tuple[int, ...] = ()

    def votes(self, seat: int) -> np.ndarray:
        """Return how often each option was the best for a seat, the first one winning ties."""
        best = self.totals[:, :, check.whole(seat, "seat", 0, 3)].argmax(axis=1)
        return np.bincount(best, minlength=len(self.options))

    def chances(self, seat: int) -> np.ndarray:
        """Return how likely each option is, if the player plays for a seat.

        One vote more is shared by all options, so that none is impossible. Whose beneficiary is
        out plays at random, and passes only when it must.
        """
        number = len(self.options)
        if seat in self.out:
            free = np.array([option != "pass" for option in self.options])
            return free / free.sum() if free.any() else np.ones(number) / number
        return (self.votes(seat) + 1 / number) / (len(self.totals) + 1)

    def stake(self, seat: int) -> float:
        """Return what choosing is worth to a seat: points above those of the mean option.

        Each choice is valued by the playouts of the other times, so that luck in choosing does not
        count. It is per playout.
        """
        totals = self.totals[:, :, seat]
        times = np.arange(len(totals))
        others = totals.sum(axis=0) - totals
        chosen = others[times, totals.argmax(axis=1)].sum()
        return float(chosen - others.sum() / len(self.options)) / (len(times) * (len(times) - 1))


def think(state: State, sontaku: Sontaku, times: int, seed: check.Seed) -> Decision:
    """Return a decision as a sontaku player would make it so many times, for each seat at once.

    Parameters
    ----------
    state : State
        Where to decide.
    sontaku : Sontaku
        The player's settings; its beneficiary and reward do not matter.
    times : int
        How often, from 2 to 1000, each time with new playouts.
    seed : int or numpy.random.SeedSequence
        Decides the playouts.

    Examples
    --------
    >>> state = State.of(["D3 S2", "H4 H5", "C9", "DK"])
    >>> think(state, Sontaku(playouts=50), times=4, seed=1).votes(0).tolist()
    [0, 0, 4]
    """
    check.instance(state, "state", State)
    check.instance(sontaku, "sontaku", Sontaku)
    check.whole(times, "times", 2, 1000)
    check.one_of(INFORMATION[sontaku.information], "information", INFORMATION[:1])
    if state.stage != "play":
        raise ValueError("no player is to move")
    tables, helper, rules = tables_of(state, sontaku), r.numbers(sontaku)[0], state.rules.numbers
    thought, scratch = np.zeros(1, THOUGHT)[0], r.new_scratch(seed)
    number = list_options(tables[0], helper, rules, thought, scratch)
    totals = np.zeros((times, number, 4), np.int64)
    _weigh_for_all(tables, helper, rules, thought, scratch, totals)
    return Decision(list(map(written, thought.options[:number].tolist())), totals, state.out)


def decisions(
    states: Sequence[State], seat: int, sontaku: Sontaku, times: int, seed: check.Seed
) -> list[tuple[Decision, int]]:
    """Return each decision of a seat in a game that had a choice, and what was chosen, by number.

    Parameters
    ----------
    states : sequence of State
        A game, such as a series can replay.
    seat : int
        Whom to watch.
    sontaku, times, seed
        As for `think`.

    Examples
    --------
    >>> from gamecore.daifugo import series
    >>> game = series(1, 1, [Sontaku(2, 10), *["random"] * 3]).replay(0)
    >>> made = decisions(game, 0, Sontaku(playouts=10), times=2, seed=1)
    >>> all(len(decision.options) > 1 for decision, _ in made)
    True
    """
    check.whole(seat, "seat", 0, 3)
    generator = np.random.default_rng(check.seed(seed))
    found = []
    for before, after in pairwise(check.listed(states, "states")):
        if before.stage == "play" and before.turn == seat and len(before.legal(seat)) > 1:
            made = think(before, sontaku, times, int(generator.integers(2**63)))
            found.append((made, made.options.index(after.history[-1][1])))
    return found


@kernel
def _weigh_for_all(tables, sontaku, rules, thought, scratch, totals):
    """Total everybody's points over playouts of each option, each playout going on to its end."""
    w, player = tables[1], tables[0].turn
    look(tables, thought)
    for time in range(totals.shape[0]):
        for option in range(totals.shape[1]):
            for _ in range(sontaku.playouts):
                tables[1] = tables[0]
                redeal(w, thought, player, scratch)
                r.take_turn(w, rules, thought.options[option], scratch)
                play_on(w, 15, sontaku, rules, scratch)
                for place in range(3):
                    totals[time, option, w.order[place]] += 3 - place
