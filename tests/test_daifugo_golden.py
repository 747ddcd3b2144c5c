"""Golden games of Daifugo: short, readable, every rule at least once.

The text is the test: its moves are replayed by the kernels and by the plain-Python rules, and both
must write exactly this text, remarks and all.
"""

import re

import pytest

from gamecore.daifugo import SEATS, State, log
from tests.reference import daifugo as reference

GAMES = {}
GAMES["the joker ignores the lock, its owner's spade three ends the trick"] = """
Sontaku holds D3 D8 H2
CPUA holds D5 S4
CPUB holds S3 C6 JO
CPUC holds HQ SK
Sontaku leads
  Sontaku: D3
  CPUA: D5  lock
  CPUB: JO
  CPUC: pass
  Sontaku: pass
  CPUA: pass
  CPUB: S3  S3 over the joker
CPUB leads
  CPUB: C6
  CPUB is out
  CPUC: SK
  Sontaku: H2
  CPUA: pass
  CPUC: pass
  Sontaku: pass
Sontaku leads
  Sontaku: D8  8-cut
  Sontaku is out
CPUA leads
  CPUA: S4
  CPUA is out
Ranks: CPUB, Sontaku, CPUA, CPUC
"""
GAMES["locked pairs, a joker in the locked suit, self-follow, revolution of four"] = """
Sontaku holds D3 D4 D5 C5 S5 SQ
CPUA holds H3 S4 D7 C7 S7
CPUB holds H4 H5 H6 S6 DT JO
CPUC holds S3 D9 C9 H9 S9 HT HJ HQ HK SK HA H2
Sontaku leads
  Sontaku: D5 C5
  CPUA: D7 C7  lock
  CPUB: DT JO=CT  lock
  CPUC: pass
  Sontaku: pass
  CPUA: pass
  CPUB: pass
CPUB leads
  CPUB: H4 H5 H6
  CPUC: HT HJ HQ  lock
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: HK HA H2  lock
  CPUC: pass
CPUC leads
  CPUC: D9 C9 H9 S9  revolution
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: pass
CPUC leads
  CPUC: SK
  Sontaku: SQ  lock
  CPUA: S7  lock
  CPUB: S6  lock
  CPUB is out
  CPUC: S3  lock
  CPUC is out
  Sontaku: pass
  CPUA: pass
Sontaku leads
  Sontaku: S5
  CPUA: S4  lock
  Sontaku: pass
  CPUA: pass
CPUA leads
  CPUA: H3
  CPUA is out
Ranks: CPUB, CPUC, CPUA, Sontaku
"""
GAMES["five of a kind: revolution and 8-cut at once, and an eight may be the last card"] = """
Sontaku holds D8 C8 H8 S8 JO
CPUA holds C3 D4 C4
CPUB holds H3 S3 SK
CPUC holds S5 D9
Sontaku leads
  Sontaku: D8 C8 H8 S8 JO  revolution, 8-cut
  Sontaku is out
CPUA leads
  CPUA: D4 C4
  CPUB: H3 S3
  CPUC: pass
  CPUA: pass
  CPUB: pass
CPUB leads
  CPUB: SK
  CPUB is out
  CPUC: D9
  CPUA: C3
  CPUA is out
Ranks: Sontaku, CPUB, CPUA, CPUC
"""
GAMES["a sequence of five is a revolution, a joker standing for 8 cuts"] = """
Sontaku holds H3 C7 C9 JO
CPUA holds D9 CT CJ CQ
CPUB holds C4 DT HK
CPUC holds S3 S4 S5 S6 S7 D8
CPUC leads
  CPUC: S3 S4 S5 S6 S7  revolution
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: pass
CPUC leads
  CPUC: D8  8-cut
  CPUC is out
Sontaku leads
  Sontaku: C7 JO=C8 C9  8-cut
Sontaku leads
  Sontaku: H3
  Sontaku is out
  CPUA: pass
  CPUB: pass
CPUA leads
  CPUA: CT CJ CQ
  CPUB: pass
  CPUA: pass
CPUA leads
  CPUA: D9
  CPUA is out
Ranks: CPUC, Sontaku, CPUA, CPUB
"""
GAMES["a joker below a sequence, a locked sequence with an eight"] = """
Sontaku holds H3 C4 C5 JO
CPUA holds S6 S7 HQ
CPUB holds D3 C6 C7 C8
CPUC holds D7 H9
Sontaku leads
  Sontaku: JO=C3 C4 C5
  CPUA: pass
  CPUB: C6 C7 C8  lock, 8-cut
CPUB leads
  CPUB: D3
  CPUB is out
  CPUC: D7  lock
  Sontaku: pass
  CPUA: pass
  CPUC: pass
CPUC leads
  CPUC: H9
  CPUC is out
  Sontaku: pass
  CPUA: HQ  lock
  CPUA: pass
CPUA leads
  CPUA: S6
  Sontaku: pass
  CPUA: S7  lock
  CPUA is out
Ranks: CPUB, CPUC, CPUA, Sontaku
"""
GAMES[
    "nobody wants to lead: four passes and the leader leads again, twenty and the lot decides"
] = """
Sontaku holds D4 S9
CPUA holds D5 HA
CPUB holds C6 C7
CPUC holds S3 HK
Sontaku leads
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: pass
Sontaku leads
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: pass
Sontaku leads
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: pass
Sontaku leads
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: pass
Sontaku leads
  Sontaku: pass
  CPUA: pass
  CPUB: pass
  CPUC: pass
Too many passes in a row: the remaining ranks are drawn
Ranks: CPUC, CPUB, Sontaku, CPUA
"""
GAMES["another's spade three on the joker, whose owner is out"] = """
Sontaku holds D4 JO
CPUA holds S3 S7 HQ
CPUB holds C6 C7
CPUC holds D7 D9
Sontaku leads
  Sontaku: D4
  CPUA: HQ
  CPUB: pass
  CPUC: pass
  Sontaku: JO
  Sontaku is out
  CPUA: S3  S3 over the joker
CPUA leads
  CPUA: S7
  CPUA is out
  CPUB: pass
  CPUC: D9
  CPUC: pass
CPUC leads
  CPUC: D7
  CPUC is out
Ranks: Sontaku, CPUA, CPUC, CPUB
"""


def parts(text):
    """Hands, first leader, moves and log of a golden text."""
    lines = text.strip().splitlines()
    hands = [line.split(" holds ")[1] for line in lines[:4]]
    turn = reference.NAMES.index(lines[4].removesuffix(" leads"))
    found = [re.match(r"  \w+: (.+?)(?:  |$)", line) for line in lines[5:]]
    return hands, turn, [move[1] for move in found if move], lines[5:]


def replay_by_reference(hands, turn, moves, drawn):
    lot = list(map(reference.NAMES.index, drawn))
    state = reference.State(
        [set(hand.split()) for hand in hands],
        turn,
        turn,
        lambda seats: [s for s in lot if s in seats],
        [],
    )
    for move in moves:
        written = {" ".join(play.on_field()): play for play in state.plays()}
        state.take_turn(None if move == "pass" else written[move])
    return [*state.log, "Ranks: " + ", ".join(reference.NAMES[seat] for seat in state.finished)]


@pytest.mark.parametrize("title", GAMES)
def test_golden_game(title):
    hands, turn, moves, lines = parts(GAMES[title])
    ranks = lines[-1].removeprefix("Ranks: ").split(", ")
    states = [State.of(hands, turn)]
    for move in moves:
        states.append(states[-1].play(move))
    while states[-1].stage == "lots":
        states.append(states[-1].play(ranks[len(states[-1].out)]))
    assert log(states) == lines
    assert [SEATS[seat] for seat in states[-1].out] == ranks
    assert replay_by_reference(hands, turn, moves, ranks) == lines


def test_golden_games_show_every_rule():
    text = "".join(GAMES.values())
    for rule in ("lock", "revolution", "8-cut", "S3 over the joker", "is out", "are drawn", "JO=",
                 ": pass", ": JO\n", "H4 H5 H6", "D5 C5\n", "JO=C3 C4 C5"):  # fmt: skip
        assert rule in text, rule
