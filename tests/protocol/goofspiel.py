"""States of Goofspiel, and what the reference rules say of them."""

from gamecore.game import CHANCE
from gamecore.goofspiel import State, start
from tests.reference import goofspiel as plain

#: Where random games begin; the last was set up, its past being unknown.
STARTS = [
    start(),
    start(2),
    start(8),
    start(4).play("3").play("2", "4"),
    State(5, ((1, 3, 5), (2, 3, 4)), 5, (1, 4), -1),
]


def history(state):
    """Return the reference's history, and the points before what it knows.

    Of a position that was set up, the reference is told some past: the missing cards in any order.
    """
    full = range(1, state.cards + 1)
    known = list(zip(*state.rounds)) or [(), (), ()]
    left = ((*state.deck, state.prize), *state.hands)
    missing = [sorted({*full} - {*have} - {*told}) for have, told in zip(left, known)]
    past = plain.History(state.cards, (*zip(*missing), *state.rounds), state.prize or None)
    points = plain.scores(past)
    return past, state.difference - (points[0] - points[1])


def legal(state):
    """Return the legal moves of everybody to move, by the reference rules."""
    past, _ = history(state)
    if state.movers == (CHANCE,):
        return {CHANCE: [str(after.prize) for after in plain.reveals(past)]}
    return {player: list(map(str, plain.legal_bids(past, player))) for player in (0, 1)}


def follows(before, moves, after):
    """Say whether the reference rules lead from one state to the other."""
    past, points = history(before)
    cards = tuple(map(int, moves))
    [then] = (
        [h for h in plain.reveals(past) if (h.prize,) == cards]
        if before.movers == (CHANCE,)
        else [plain.step(past, *cards)]
    )
    score = plain.scores(then)
    return (
        after.cards == before.cards
        and after.hands == tuple(tuple(sorted(plain.hand(then, player))) for player in (0, 1))
        and after.deck == tuple(sorted(plain.deck(then)))
        and after.prize == (then.prize or 0)
        and after.difference == points + score[0] - score[1]
        and after.rounds == then.rounds[len(past.rounds) - len(before.rounds) :]
        and bool(after.movers) != plain.is_terminal(then)
    )


def returns(state):
    """Return the result by the reference rules, which know the points if the past is known."""
    past, points = history(state)
    won = (
        plain.final_return(past) if not points else (state.difference > 0) - (state.difference < 0)
    )
    return float(won), float(-won)


def other_secrets(state, player, generator):
    """Return None: nothing is hidden but the two cards of the moment."""
    return None
