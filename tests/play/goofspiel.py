"""Goofspiel against players who see less."""

import numpy as np
import pytest

from gamecore.goofspiel import Profile, ask, build, match, solve, train, value
from gamecore.live.tables.goofspiel import AGAINST_EXACT, ALL, EXACT, MEASURES, MOST, SETS, SHARES
from gamecore.papers.experiment import ROOT, words_of
from gamecore.papers.goofspiel.experiments import HAND, curves
from gamecore.papers.goofspiel.readings import exactly, share

THOUSANDS = 2


def trained(cards, features):
    seed = [ROOT, *words_of(curves, {"features": features or HAND}), 0]
    return train(cards, features or "", 1000 * THOUSANDS, np.random.SeedSequence(seed))


def against_exact(profile):
    """A trained player 0 against the exact player 1, on one graph."""
    cards = profile.tree.cards
    tree, exact, markov = build(cards, "history"), solve(cards).profile, build(cards, "markov")
    order = np.argsort(markov.states)
    same = order[np.searchsorted(markov.states, tree.states, sorter=order)]
    both = (profile.rows[0], exact.rows[1][same]), (profile.policies[0], exact.policies[1])
    return Profile(tree, *both)


def walk(table, random):
    cards, features = random.choice((3, 4, 4, 5)), random.randrange(16)
    seed, who = random.randrange(10**6), random.choice((features, ALL, EXACT))
    table.call("goofspiel_prepare", {"cards": cards})
    seen = []
    for k in {0, features, ALL}:
        for start in range(THOUSANDS):
            given = {"cards": cards, "features": k, "start": start, "stop": start + 1}
            table.call("goofspiel_train", given)
        seen.append(table.call("goofspiel_measure", given, ["measures"])["measures"])
    measures = table.call("goofspiel_share", {}, ["measures"])["measures"]
    found = np.reshape(measures, (EXACT, MEASURES))
    players = {k: trained(cards, SETS[k]) for k in (0, features, ALL)}
    for k, player in players.items():
        assert found[k, :4].tolist() == list(player.measures().values())
        assert found[k, AGAINST_EXACT] == against_exact(player).expected_return()
    for k, name in enumerate(("eps", "return")):
        m = exactly({SETS[i] or HAND: p.measures()[name] for i, p in players.items()})
        closed = share(m, {SETS[features] or HAND: 1}).value
        assert abs(found[features, SHARES + k] - closed) < 1e-12
    it = "nash" if who == EXACT else players[who]
    given = {"cards": cards, "who": who, "features": features}
    theory = table.call("goofspiel_face", given, ["theory"])["theory"]
    if who != EXACT:
        assert theory == [found[who, 2], -found[who, AGAINST_EXACT]]
    seen += [measures, theory, *game(table, random, given, it, seed, players)]
    return seen


def game(table, random, given, it, seed, players):
    cards, moves, seen = given["cards"], [], []
    names = "told", "held", "rounds"
    seen.append(table.call("goofspiel_begin", given, names, {"words": [seed, 0]}))
    while seen[-1]["told"][1]:
        looked = table.call("goofspiel_look", given, ["chances", "cards_worth"])
        hand = [c + 1 for c in range(MOST) if seen[-1]["held"][MOST + c]]
        moves.append(random.choice(hand))
        seen += [looked, table.call("goofspiel_play", given | {"card": moves[-1]}, names)]
        with pytest.raises(ValueError, match=r"not in your hand|over"):  # a card is played once
            table.call("goofspiel_play", given | {"card": moves[-1]})

    def me(view, rng):
        return str(moves[len(view.state.rounds)])

    states = match(it, me, 1, seed, cards).replay(0)
    end, told = states[-1], seen[-1]["told"]
    played = np.reshape(seen[-1]["rounds"], (MOST, 4))[:cards]
    assert [tuple(one) for one in played[:, :3].tolist()] == list(end.rounds)
    assert told[2] - told[3] == end.difference
    assert told[4] == end.returns()[1]
    assert played[:, 3].sum() == end.difference
    choosing = [state for state in states if len(state.movers) == 2]
    for state, looked, before in zip(choosing, seen[1::2], seen[:-1:2], strict=True):
        held = np.reshape(before["held"], (3, MOST))
        for cards_held, known in zip((*state.hands, state.deck), held, strict=True):
            assert cards_held == tuple(np.flatnonzero(known) + 1)
        chances = np.reshape(looked["chances"], (3, MOST))
        for player, mixed in zip((players[given["features"]], players[ALL], "nash"), chances):
            assert {str(c): mixed[c - 1] for c in state.hands[0]} == ask(player, state)
        assert looked["cards_worth"][MOST] == value(state, 1)
    last = choosing[-1]  # two cards left: a best response is one sum away
    for card in last.hands[1]:
        worth = sum(p * last.play(c, str(card)).returns()[1] for c, p in ask(it, last).items())
        assert abs(seen[-2]["cards_worth"][card - 1] - worth) < 1e-12
    return seen


def clicks(*cards):
    """Play these cards."""

    def play(page):
        for k, card in enumerate(cards):
            page.locator(f'button[aria-label^="play your {card}"]').click()
            words = "Over" if k == len(cards) - 1 else f"Round {k + 1} "
            page.locator(".said", has_text=words).wait_for()

    return play


GAMES = {
    "goofspiel": [
        ("goofspiel.seed=7&goofspiel.sees=C", clicks(5, 2, 4, 1)),
        ("goofspiel.seed=8&goofspiel.sees=OP&goofspiel.cards=4", clicks(4, 1, 3)),
        ("goofspiel.seed=6&goofspiel.cards=4&goofspiel.against=all", clicks(2, 4, 1)),
        ("goofspiel.seed=9&goofspiel.cards=3&goofspiel.against=exact", clicks(3, 2)),
    ]
}
