"""States of Daifugo, and what the reference rules say of them."""

from dataclasses import replace

from gamecore.daifugo import Rules, State, start
from gamecore.game import CHANCE
from tests.reference import daifugo as plain

#: The championship server's joker, no pass without need, and lots after a few passes.
SERVER = Rules(joker_each=True, joker_beyond=True, pass_when_leading=False, pass_limit=4)


#: Where random games begin.
STARTS = [
    start(),
    start((2, 0, 3, 1)),
    start((3, 2, 1, 0), SERVER),
    State.of(["D3 D4 D5 JO", "D6 D7 D8 S9", "C6 H6 S6 D2", "S3 HQ HK HA"], 1, revolution=True),
    State.of(["D4 S9", "D5 HA", "C6 C7", "S3 HK JO"], rules=Rules(pass_limit=4)),
]


def text(play):
    """Return a play of the reference as a move."""
    return " ".join(play.on_field()) if play else "pass"


def world(state):
    """Return the reference's state, and its plays by text."""
    rules = plain.Rules(
        "each" if state.rules.joker_each else "first",
        state.rules.joker_beyond,
        state.rules.pass_when_leading,
        state.rules.pass_limit,
    )
    field = state.field and plain.Play(frozenset(state.field.cards), state.field.joker)
    found = plain.State(
        [set(hand) for hand in state.hands], state.turn, state.leader, lambda seats: seats, [],
        rules, field, state.owner, state.locked, state.revolution, state.passed, state.passes,
        state.out,
    )  # fmt: skip
    plays = {text(play): play for play in found.plays()} if state.stage == "play" else {}
    return found, plays


def legal(state):
    """Return the legal moves of whoever is to move, by the reference rules."""
    if state.stage == "play":
        found, plays = world(state)
        return {state.turn: [*plays, *(["pass"] if found.may_pass() else [])]}
    if state.stage == "deal":
        return {CHANCE: set(plain.DECK).difference(*state.hands)}
    return {CHANCE: [plain.NAMES[seat] for seat in plain.SEATS if seat not in state.out]}


def follows(before, moves, after):
    """Say whether the reference rules lead from one state to the other."""
    [move] = moves
    if (before.rules, before.ranks) != (after.rules, after.ranks):
        return False
    if before.stage == "play":
        return turned(before, move, after)
    if before.history != after.history:
        return False
    if before.stage == "seat":
        return after.stage == "deal" and plain.NAMES[after.turn] == move
    if before.stage == "lots":
        drawn = (*before.out, plain.NAMES.index(move))
        left = tuple(seat for seat in plain.SEATS if seat not in drawn)
        drawn += left if len(left) == 1 else ()
        return after.out == drawn and after.stage == ("over" if len(drawn) == 4 else "lots")
    hands = [set(hand) for hand in before.hands]
    hands[before.turn].add(move)
    if sum(map(len, hands)) < 53:
        turn = (before.turn + 1) % 4
        return (after.stage, after.turn) == ("deal", turn) and same(hands, after.hands)
    assert sorted(map(len, hands)) == [13, 13, 13, 14]
    if before.ranks:
        assert len(hands[before.ranks[0]]) == 14
        plain.exchange(hands, before.ranks)
    leads = next(seat for seat in plain.SEATS if "D3" in hands[seat])
    return (after.stage, after.turn, after.leader) == ("play", leads, leads) and same(
        hands, after.hands
    )


def same(theirs, ours):
    """Say whether hands are the same, ours from weak to strong."""
    return [tuple(sorted(hand, key=plain.strength)) for hand in theirs] == list(ours)


def turned(before, move, after):
    """Say whether a player's turn leads from one state to the other."""
    found, plays = world(before)
    found.take_turn(plays.get(move))
    over = len(found.finished) == 4
    assert after.history == (*before.history, (before.turn, move))
    if found.passes_in_row >= found.rules.pass_limit:
        return (after.stage, after.out, after.hands) == ("lots", before.out, before.hands)
    lies = after.field and (set(after.field.cards), after.field.joker)
    return (
        same(found.hands, after.hands)
        and after.stage == ("over" if over else "play")
        and (over or (after.turn, after.leader) == (found.turn, found.leader))
        and lies == (found.field and (found.field.cards, found.field.joker))
        and (after.owner, after.locked) == (found.owner, found.locked)
        and after.revolution == found.revolution
        and set(after.passed) == set(found.passed)
        and (after.passes, after.out) == (found.passes_in_row, found.finished)
    )


def returns(state):
    """Return the points by the reference rules."""
    return tuple(3.0 - state.out.index(seat) for seat in plain.SEATS)


def other_secrets(state, player, generator):
    """Return a state in which the cards that `player` does not see are dealt otherwise."""
    others = [seat for seat in plain.SEATS if seat != player]
    unseen = [card for seat in others for card in state.hands[seat]]
    mixed = iter([unseen[i] for i in generator.permutation(len(unseen))])
    hands = list(state.hands)
    for seat in others:
        dealt = [next(mixed) for _ in hands[seat]]
        hands[seat] = tuple(sorted(dealt, key=plain.strength))
    gifts = tuple(
        (giver, taker, cards if player in (giver, taker) else " ".join(unseen[:2]))
        for giver, taker, cards in state.exchanged
    )
    return replace(state, hands=tuple(hands), exchanged=gifts)
