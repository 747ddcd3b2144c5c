"""Daifugo with a helper at the table: games in a row, and one decision after the other."""

import numpy as np

from gamecore.contest import playing
from gamecore.daifugo import SEATS, Sontaku, legal_plays, log, rewards, start
from gamecore.daifugo.cards import DECK, card_names, written
from gamecore.daifugo.players import decider
from gamecore.live.tables.daifugo import FINE, LOCKED, NO_PLAY, NOTHING, WEAK


def cards_of(low, high):
    return low | high << 26


def play_of(low, high, joker):
    return written(cards_of(low, high) | joker << 53)


def told_as(numbers):
    """Return what the page is told of a turn, in the words of the package's log."""
    seat, low, high, joker, *events, out, leads, drawn = numbers
    names = ("lock", "revolution", "8-cut", "S3 over the joker")
    happened = ", ".join(name for name, event in zip(names, events, strict=True) if event)
    lines = [f"  {SEATS[seat]}: {play_of(low, high, joker)}  {happened}".rstrip()]
    lines += [f"  {SEATS[seat]} is out"] * out
    lines += ["Too many passes in a row: the remaining ranks are drawn"] * drawn
    return lines + [f"{SEATS[leads]} leads"] * (leads >= 0)


def walk(table, random):
    """Play two games in a row; who sits in seat `mine` plays anything, or nothing but passes."""
    seed, mine, idle = random.randrange(10**6), random.randrange(1, 4), random.random() < 0.3
    table.call("daifugo_begin", {"helped": 0}, set={"words": [seed, 0]})
    friend = int(table.get("friend")["friend"][0])
    chosen, games, seen = [], [], []
    for _ in range(2):
        games.append([table.call("daifugo_deal", get=["swapped"])["swapped"], []])
        while True:
            turn = int(table.get("now")["now"][0])
            look = table.call("daifugo_look", {"turn": turn}, get=["seen", "hands", "offered"])
            number = look["seen"][7]
            offers = [play_of(*look["offered"][3 * k : 3 * k + 3]) for k in range(number)]
            if number == 0:
                break
            if look["seen"][0] == mine:
                seen.append(judging(table, look, offers, random))
                option = 0 if idle else random.randrange(number)
                chosen.append(offers[option])
                told = table.call("daifugo_play", {"option": option}, get=["told"])["told"]
            else:
                told = table.call("daifugo_reply", get=["told"])["told"]
            games[-1][1].append((look, offers, told))
    known, states = package(seed, mine, chosen)
    assert known == friend
    compare(games, states, mine)
    seen.append(weighing(table, games[-1][1], states[-1], friend, random))
    return [*seen, games, friend]


def package(seed, mine, chosen):
    """Return the same games in Python, with the seed of each decision beside its view."""
    rng, moves, games, ranks = np.random.default_rng(seed), iter(chosen), [], None
    friend = 1 + int(rng.integers(3))
    players = [decider("random")] * 4
    players[0] = decider(Sontaku(beneficiary=friend))
    players[mine] = lambda view, generator: next(moves)
    for _ in range(2):
        seeds = {}

        def noting(view, generator, seeds=seeds):
            before = generator.bit_generator.state
            seeds[len(view.history)] = int(generator.integers(2**63))
            generator.bit_generator.state = before
            return players[0](view, generator)

        states = list(playing(start(ranks), [noting, *players[1:]], rng))
        ranks = states[-1].out
        games.append((states, seeds))
    return friend, games


def compare(games, states, mine):
    for (swapped, turns), (played, _) in zip(games, states, strict=True):
        played = [state for state in played if state.stage in ("play", "lots", "over")]
        mover, own = played[0], swapped[6 * mine : 6 * mine + 6]
        gave = [c for a, _, some in mover.exchanged if a == mine for c in some.split()]
        got = [c for _, b, some in mover.exchanged if b == mine for c in some.split()]
        assert set(card_names(cards_of(*own[:2]))) == set(gave) - set(got)
        assert set(card_names(cards_of(*own[3:5]))) == set(got) - set(gave)
        lines = [line for _, _, told in turns for line in told_as(told)]
        assert lines == [line for line in log(played) if not line.startswith("Ranks")]
        for state, (look, offers, _) in zip(played, turns, strict=False):
            seat, owner, _, locked, revolution, passed, out, _, *field = look["seen"][:11]
            assert offers == state.legal(seat)
            assert [bool(locked), bool(revolution)] == [state.locked, state.revolution]
            assert play_of(*field) == (str(state.field) if state.field else "pass")
            assert owner == (-1 if state.owner is None else state.owner)
            assert passed == sum(1 << k for k in state.passed)
            assert tuple(look["seen"][11 : 11 + out]) == state.out
            assert tuple(look["seen"][15:19]) == tuple(map(len, state.hands))
            hands = [cards_of(*look["hands"][3 * k : 3 * k + 2]) for k in range(4)]
            assert tuple(map(card_names, hands)) == state.hands


def judging(table, look, offers, random):
    """Choose some cards of the hand; they must be judged as the package does."""
    at = look["seen"][0]
    hand = card_names(cards_of(*look["hands"][3 * at : 3 * at + 2]))
    some = random.choice(offers) if random.random() < 0.3 else ""
    cards = {word[:2] for word in some.split() if some != "pass"}
    if not cards:
        rank = random.choice(hand)[1]  # equal ranks are a play, but perhaps not here
        alike, any_ = {card for card in hand if card[1] == rank}, random.sample(hand, len(hand))
        cards = random.choice([alike, set(any_[: random.randrange(4)])])
    bits = sum(1 << DECK.index(card) for card in cards)
    given = {"low": bits & (1 << 26) - 1, "high": bits >> 26}
    judged = table.call("daifugo_judge", given, get=["judged"])["judged"]
    fitting = [k for k, move in enumerate(offers) if {w[:2] for w in move.split()} == cards]
    assert judged[1] == len(fitting), (judged, cards, offers)
    if fitting:
        assert judged[: 2 + len(fitting)] == [FINE, len(fitting), *fitting]
        return judged
    field = look["seen"][8:11]
    plays = [p for p in (legal_plays(cards) if cards else []) if set(p.cards) == cards]
    assert (judged[0] == NOTHING) == (not cards)
    assert (judged[0] == NO_PLAY) == bool(cards and not plays)
    if judged[0] in (LOCKED, WEAK):
        free = legal_plays(cards, play_of(*field), False, bool(look["seen"][4]))
        assert (judged[0] == LOCKED) == any(set(p.cards) == cards for p in free)
    return judged


def weighing(table, turns, game, friend, random):
    """Weigh some of the helper's decisions as `rewards` does, for its friend and for itself."""
    states, seeds = game
    played, found = [state for state in states if state.stage == "play"], []
    places = [k for k in seeds if friend not in played[k].out and len(turns[k][1]) > 1]
    for turn in random.sample(places, min(2, len(places))):
        for whose in (friend, 0):
            given = {"turn": turn, "whose": whose}
            one = table.call("daifugo_weigh", given, get=["weighed", "best"])
            means = dict(zip(turns[turn][1], one["weighed"][::2], strict=False))
            helper = Sontaku(beneficiary=whose)
            assert means == rewards(played[turn], seeds[turn], helper)
            best = turns[turn][1][int(one["best"][0])]
            assert means[best] == max(means.values())
            assert whose != friend or best == played[turn + 1].history[-1][1]
            found.append(one)
    return found


def passing(page):
    """Pass, and wait until that is in the log."""
    turn = page.locator(".log li").count()
    page.get_by_role("button", name="Pass", exact=True).click()
    page.locator(".log li").nth(turn).wait_for()


def my_turns(page):
    """Yield at each turn of the reader, until a guess is asked for."""
    over = page.get_by_role("group", name="your guess")
    while True:
        page.locator(".buttons button:enabled", has_text="Pass").or_(over).first.wait_for()
        if over.count():
            return
        yield


def one_game(page):
    """Play the lowest card of all that may be laid if it may be laid alone, else pass; guess."""
    refused = page.locator(".said.v-undecided")
    for _ in my_turns(page):
        turn, cards = page.locator(".log li").count(), page.locator(".hand .fits")
        if cards.count() == 0:
            passing(page)
            continue
        cards.first.click()
        page.get_by_role("button", name="Play", exact=True).click()
        page.locator(".log li").nth(turn).or_(refused).first.wait_for()
        if refused.count():
            page.locator(".hand [aria-pressed=true]").click()
            passing(page)
    page.get_by_role("group", name="your guess").get_by_role("button").first.click()
    page.get_by_text("at this table it was helping").wait_for()


def two_games(page):
    """Pass through a first game, then play as above; cards are exchanged between the two."""
    for _ in my_turns(page):
        passing(page)
    page.get_by_role("button", name="Another game at this table first").click()
    page.get_by_text("Game 2").wait_for()
    one_game(page)


def decisions(page):
    """Answer every decision of a replay with the last of its plays, up to the end of the game."""
    on = page.get_by_role("button", name="Next decision")
    end = page.locator(".said", has_text="Ranks: ")
    while True:
        on.click()
        plays = page.get_by_role("group", name="legal plays").get_by_role("button")
        plays.first.or_(end).first.wait_for()
        if end.count():
            return
        plays.last.click()
        page.locator(".weighed").wait_for()


GAMES = {
    "daifugo": [
        ("daifugo.seed=7&daifugo.pace=0", one_game),
        ("daifugo.seed=11&daifugo.pace=0&daifugo.seat=1", two_games),
    ],
    "daifugo-replay": [(f"daifugo-replay.helps={k}", decisions) for k in (1, 2, 3)],
}
