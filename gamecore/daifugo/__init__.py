"""Daifugo (大富豪), and the player that lets another one win (忖度).

`series` plays and counts, `replay` returns one of its games as a `Record`, `rewards` shows how the
sontaku player weighs a position, and a `Table` is for playing by hand.

``DECK``
    All 53 cards from weak to strong: suit and rank, such as ``"S3"`` or ``"HT"``, then ``"JO"``.
``PLAYERS``
    The players' names: random, greedy, sontaku.
``SEATS``
    The seats clockwise, in the order of turns; the paper's sontaku player sits in seat 0.
``STARTS``
    Who may lead the first trick; ``Rules.start`` is an index of it.
``TIES``
    How the sontaku player may break ties; ``Sontaku.ties`` is an index of it.

References
----------
H. Ohmuro and D. Yokoyama, "A study of a computer player that enable letting a specific opponent
win in Daifugo" (in Japanese), IPSJ National Convention, 4S-04.
"""

from gamecore.daifugo.cards import DECK, Play, legal_plays
from gamecore.daifugo.draw import cards_svg
from gamecore.daifugo.matches import Record, Series, replay, series
from gamecore.daifugo.players import PLAYERS, TIES, Sontaku, rewards
from gamecore.daifugo.rules import STARTS, Rules
from gamecore.daifugo.table import SEATS, Table

__all__ = [
    "DECK", "PLAYERS", "SEATS", "STARTS", "TIES", "Play", "Record", "Rules", "Series", "Sontaku",
    "Table", "cards_svg", "legal_plays", "replay", "rewards", "series",
]  # fmt: skip
