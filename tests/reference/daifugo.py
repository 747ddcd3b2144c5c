"""Daifugo: slow, plain reference rules and players, for differential tests.

Paper: H. Ohmuro and D. Yokoyama (Meiji University), "A study of a computer player that enable
letting a specific opponent win in Daifugo" (大富豪における特定プレイヤへの忖度を可能にする
コンピュータプレイヤの検討), 4S-04. Base rules: the UEC standard rules of the computer
Daihinmin championship, for four players; in the exchange the rich return their weakest cards.

A card is suit and rank: "S3", "HT", "D8"; the joker is "JO". A *play* is the set of its cards plus
the card its joker stands for; on the *field* (場) that joker is written "JO=H7". A *trick* lasts
until the field is cleared. First out is the daifugo, then fugo, hinmin, daihinmin: 3, 2, 1, 0
points. Wherever a fixed order of suits is needed it is D, C, H, S from weak to strong.
"""

import dataclasses
from functools import cache, partial
from itertools import chain, combinations, product
from typing import NamedTuple

SUITS = "DCHS"
RANKS = "3456789TJQKA2"
# Positions 1 (the 3) to 13 (the 2). Positions 0 and 14, beyond the ends, are for a joker in a
# sequence, and only with the option joker_beyond_ends: then "JO=H-" is below H3, "JO=H+" above H2.
POSITIONS = "-" + RANKS + "+"
JOKER = "JO"
DECK = (*(suit + rank for rank in RANKS for suit in SUITS), JOKER)
SEATS = range(4)
NAMES = ("Sontaku", "CPUA", "CPUB", "CPUC")  # clockwise, the order of turns


def strength(card):
    """Joker, 2, A, K ... 3, ties by suit."""
    return (99, 0) if card == JOKER else (POSITIONS.index(card[1]), SUITS.index(card[0]))


class Play(NamedTuple):
    cards: frozenset
    joker: str | None = None  # what the joker stands for; None: no joker, alone, or fifth of a kind

    def on_field(self):
        """The play as field strings, weakest first."""
        stands_for = self.joker or JOKER
        cards = sorted(self.cards, key=lambda c: strength(stands_for if c == JOKER else c))
        return tuple(f"JO={self.joker}" if c == JOKER and self.joker else c for c in cards)


class Shape(NamedTuple):  # what a follow has to match or to beat
    kind: str  # "single", "group" or "sequence"
    size: int
    low: int  # positions of the lowest and highest rank; 99 for the single joker
    high: int
    suits: set  # empty for the single joker


def shape(field):
    """Shape of a play written as field strings."""
    # A joker without "=" is alone, or the fifth of a kind: it has neither rank nor suit of its own.
    named = [card.removeprefix("JO=") for card in field if card != JOKER]
    if not named:
        return Shape("single", 1, 99, 99, set())
    ranks = [strength(card)[0] for card in named]
    kind = "single" if len(field) == 1 else "group" if len(set(ranks)) == 1 else "sequence"
    return Shape(kind, len(field), min(ranks), max(ranks), {card[0] for card in named})


@cache  # the only concession to speed, with that of list_order
def form_of(play):
    return shape(play.on_field())


def every_play(hand, joker_beyond_ends=False):
    """All plays on an empty field, with one play for every suit a joker may have in a group."""
    hand = frozenset(hand)
    for card in hand:
        yield Play(frozenset([card]))
    for rank in RANKS:
        held = [suit + rank for suit in SUITS if suit + rank in hand]
        for size in range(1, len(held) + 1):
            for cards in map(frozenset, combinations(held, size)):
                if size >= 2:
                    yield Play(cards)
                if JOKER in hand:
                    # A suit missing from the play; the hand may well hold that card.
                    missing = [suit + rank for suit in SUITS if suit + rank not in cards]
                    for stands_for in missing or [None]:  # None: the fifth card of a group of four
                        yield Play(cards | {JOKER}, stands_for)
    for suit, low in product(SUITS, range(13)):
        for end in range(low + 3, 16):
            cards = frozenset(suit + rank for rank in POSITIONS[low:end])
            missing = cards - hand
            if len(missing) > (JOKER in hand):
                break  # and longer sequences miss no less
            if not missing:
                yield Play(cards)
            if JOKER in hand:
                for stands_for in missing or cards:  # the gap, or instead of a card one holds
                    if joker_beyond_ends or stands_for[1] in RANKS:
                        yield Play(cards - {stands_for} | {JOKER}, stands_for)


def follows(play, before, locked, revolution):
    """May this play be laid on a field of the shape `before`?"""
    after = form_of(play)
    if before.low == 99:  # a single joker is beaten by the spade 3 only, lock or no lock
        return play.cards == {"S3"}
    if (after.kind, after.size) != (before.kind, before.size):
        return False
    if after.low == 99:  # the joker alone beats any single and ignores the lock
        return True
    if locked and after.suits != before.suits:
        return False
    return after.high < before.low if revolution else after.low > before.high


@cache
def list_order(play):
    """Singles, groups, sequences; then the lowest rank from 3 to 2 (joker last; the same under
    revolution), size, plays without joker first, cards, what the joker stands for."""
    form = form_of(play)
    kind = ("single", "group", "sequence").index(form.kind)
    cards = sorted(map(strength, play.cards))
    return kind, form.low, form.size, JOKER in play.cards, cards, strength(play.joker or JOKER)


def legal_plays(
    hand, field=None, locked=False, revolution=False, joker_suits="first", joker_beyond_ends=False
):
    """The legal plays in list order; pass is not in the list.

    joker_suits: "first": in a group the joker stands for the first missing suit that the lock
    allows, one play; "each": one play for every such suit (the championship's server).
    joker_beyond_ends: in a sequence the joker may also stand below the 3 and above the 2 (same).
    """
    plays = every_play(hand, joker_beyond_ends)
    if field:
        before = shape(field)
        plays = [play for play in plays if follows(play, before, locked, revolution)]
    plays = sorted(plays, key=list_order)
    if joker_suits == "each":
        return plays
    first = {}  # list_order has the stand-ins of a group in suit order: keep the first of them
    for play in plays:
        group = form_of(play).kind == "group"
        first.setdefault((play.cards, None if group else play.joker), play)
    return list(first.values())


@dataclasses.dataclass(frozen=True)
class Rules:
    joker_suits: str = "first"  # see legal_plays
    joker_beyond_ends: bool = False  # see legal_plays
    pass_when_leading: bool = True  # pass is legal on an empty field
    pass_limit: int = 20  # after so many passes in a row the remaining ranks are drawn


SETTLED = Rules()


def deal(deck, first):
    """One by one in seat order from the seat `first`, which gets 14 cards, the others 13."""
    return [set(deck[(seat - first) % 4 :: 4]) for seat in SEATS]


def exchange(hands, ranks):
    """The poor give their strongest cards, the rich then return their weakest (log lines)."""
    lines = []
    for rich, poor, number in ((ranks[0], ranks[3], 2), (ranks[1], ranks[2], 1)):
        gift = sorted(hands[poor], key=strength)[-number:]
        hands[rich].update(gift)  # a card just received may go back
        back = sorted(hands[rich], key=strength)[:number]
        hands[rich].difference_update(back)
        hands[poor].difference_update(gift)
        hands[poor].update(back)
        lines.append(f"{NAMES[poor]} gives {gift}, {NAMES[rich]} returns {back}")
    return lines


@dataclasses.dataclass
class State:
    hands: list
    turn: int
    leader: int  # who leads this trick
    draw: object  # draw(seats) -> the same seats in order of rank, for the pass limit
    log: list
    rules: Rules = SETTLED
    field: Play | None = None
    owner: int | None = None  # who made the play on the field
    locked: bool = False
    revolution: bool = False
    passed: tuple = ()  # seats that passed in this trick
    passes_in_row: int = 0
    finished: tuple = ()  # seats in order of rank
    played: tuple = ()  # all cards laid so far

    def live(self):
        return [seat for seat in SEATS if seat not in self.finished]

    def next_seat(self, seat, skip=()):
        """Next live seat clockwise, coming back to `seat` itself last: self-follow."""
        seats = [(seat + step) % 4 for step in (1, 2, 3, 4)]
        return next(s for s in seats if s not in self.finished and s not in skip)

    def plays(self):
        """Legal plays of the seat to move."""
        field = self.field and self.field.on_field()
        joker = self.rules.joker_suits, self.rules.joker_beyond_ends
        return legal_plays(self.hands[self.turn], field, self.locked, self.revolution, *joker)

    def may_pass(self):
        return self.field is not None or self.rules.pass_when_leading

    def take_turn(self, play):
        """The seat to move lays `play`, or passes (None)."""
        seat, trick_ends = self.turn, False
        if play is None:
            self.log.append(f"  {NAMES[seat]}: pass")
            self.passed += (seat,)  # the pass lasts for the trick
            self.passes_in_row += 1
            if self.passes_in_row >= self.rules.pass_limit:
                self.log.append("Too many passes in a row: the remaining ranks are drawn")
                self.finished += tuple(self.draw(self.live()))
                return
        else:
            trick_ends = self.lay(seat, play)
            if not self.hands[seat]:  # no finishing move is forbidden
                self.log.append(f"  {NAMES[seat]} is out")
                self.finished += (seat,)
                if len(self.finished) == 3:
                    self.finished += tuple(self.live())
                    return
        if trick_ends or set(self.live()) <= set(self.passed):
            # The owner of the last play leads; all passed on an empty field: the leader, again.
            lead = self.leader if self.owner is None else self.owner
            self.leader = self.turn = self.next_seat(lead) if lead in self.finished else lead
            self.field, self.owner, self.locked, self.passed = None, None, False, ()
            self.log.append(f"{NAMES[self.leader]} leads")
        else:
            self.turn = self.next_seat(seat, skip=self.passed)

    def lay(self, seat, play):
        """Put the play on the field; true when it ends the trick by itself."""
        form, before = form_of(play), self.field and form_of(self.field)
        self.hands[seat] -= play.cards
        self.played += tuple(play.cards)
        self.field, self.owner, self.passes_in_row = play, seat, 0
        events = {
            "lock": before is not None and form.suits == before.suits,
            "revolution": form.size >= {"single": 2, "group": 4, "sequence": 5}[form.kind],
            "8-cut": form.low <= POSITIONS.index("8") <= form.high,  # also a joker standing for 8
            "S3 over the joker": before is not None and before.low == 99,
        }
        self.locked |= events["lock"]
        self.revolution ^= events["revolution"]  # lasts, to the next one or the game's end
        notes = ", ".join(name for name, happened in events.items() if happened)
        self.log.append(f"  {NAMES[seat]}: {' '.join(play.on_field())}  {notes}".rstrip())
        return events["8-cut"] or events["S3 over the joker"]


def play_game(deck, choose, draw, ranks=None, first_seat=0, rules=SETTLED):
    """One game from a shuffled deck; returns the final State (ranks: .finished, lines: .log).

    choose(state, player, plays) -> one of the plays, or None to pass; asked at every turn, also
    when `plays` is empty. draw(seats) -> order of the seats still in play at the pass limit.
    ranks: seats from daifugo to daihinmin in the game before; None in the first game, where
    first_seat is dealt the first card.
    """
    hands = deal(deck, ranks[0] if ranks else first_seat)
    log = exchange(hands, ranks) if ranks else []
    log += [f"{NAMES[seat]} holds {' '.join(sorted(hands[seat], key=strength))}" for seat in SEATS]
    start = next(seat for seat in SEATS if "D3" in hands[seat])  # after the exchange; any play
    log.append(f"{NAMES[start]} has D3 and leads")
    state = State(hands, start, start, draw, log, rules)
    while len(state.finished) < 4:
        plays = state.plays()
        play = choose(state, state.turn, plays)
        if not (state.may_pass() if play is None else play in plays):
            raise ValueError(f"illegal choice: {play}")
        state.take_turn(play)
        assert sorted(chain(state.played, *hands)) == sorted(DECK)  # 53 cards always
    log.append("Ranks: " + ", ".join(NAMES[seat] for seat in state.finished))
    return state


def play_series(games, choose, rng, rules=SETTLED, carry_over=True):
    """Final states of consecutive games; ranks carry over (else every game is a first game)."""
    states, ranks = [], None
    for _ in range(games):
        table = ranks, rng.randrange(4), rules
        states.append(play_game(shuffled(DECK, rng), choose, partial(shuffled, rng=rng), *table))
        ranks = states[-1].finished if carry_over else None
    return states


def shuffled(things, rng):
    return rng.sample(things, len(things))


def random_player(state, player, plays, rng, passes=False, passes_leading=False):
    """Uniform over the legal plays, passing only when there is none; with `passes` the pass is one
    more option when following, with `passes_leading` on an empty field."""
    wants_pass = passes if state.field else passes_leading and state.may_pass()
    return rng.choice([*plays, None] if wants_pass or not plays else plays)


def greedy_player(state, player, plays):
    """The weakest legal play by the rank a follow has to beat (a single joker is the strongest),
    ties by list order; passes only when there is no play."""
    forms = [form_of(play) for play in plays]
    ranks = [-form.low if state.revolution and form.low < 99 else form.high for form in forms]
    return plays[ranks.index(min(ranks))] if plays else None


def sontaku_player(
    state,
    player,
    plays,
    rng,
    beneficiary,
    playouts=100,
    passes_leading=True,  # pass is also tried on an empty field
    playout_passes=True,  # in the playouts, as in random_player
    playout_passes_leading=True,
    ties="pass first",  # then list order; or "pass last", or "random"
    opponent_model=None,  # opponent_model(state, player, plays) plays the opponents in the playouts
):
    """The play with the best mean reward of the beneficiary; that may be the player itself."""
    if beneficiary in state.finished:
        return random_player(state, player, plays, rng)
    assert ties in ("pass first", "pass last", "random")
    options = list(plays)
    if state.field or (passes_leading and state.may_pass()):
        options = [*plays, None] if ties == "pass last" else [None, *plays]
    passing = {"passes": playout_passes, "passes_leading": playout_passes_leading}
    model = partial(random_player, rng=rng, **passing)
    rewards = [0 for _ in options]
    for number, option in enumerate(options):
        for _ in range(playouts):
            world = redeal(state, player, rng)
            world.take_turn(option)
            while beneficiary not in world.finished:
                choose = model if world.turn == player else opponent_model or model
                world.take_turn(choose(world, world.turn, world.plays()))
            rewards[number] += 3 - world.finished.index(beneficiary)
    best = [i for i, reward in enumerate(rewards) if reward == max(rewards)]
    return options[rng.choice(best) if ties == "random" else best[0]]


def redeal(state, player, rng):
    """A copy whose opponents' cards are collected and dealt again, keeping their counts."""
    opponents = [seat for seat in SEATS if seat != player]
    unseen = shuffled(sorted(card for seat in opponents for card in state.hands[seat]), rng)
    hands = [set(hand) for hand in state.hands]
    for seat in opponents:
        hands[seat] = {unseen.pop() for _ in hands[seat]}
    return dataclasses.replace(state, hands=hands, draw=partial(shuffled, rng=rng), log=[])
